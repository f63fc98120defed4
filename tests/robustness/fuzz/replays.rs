//! Replays that have changed: found out, unless they still say the same in every word.

use crate::fuzz::mutate;
use crate::fuzz::{Fate, fuzz};
use ludotheque::games::replay::Replay;
use ludotheque::rules::catalog::BUILT_IN;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use std::fs;

#[test]
#[ignore = "slow: tries inputs for 20 seconds"]
fn a_replay_that_says_something_else_is_found_out() {
    let files = fs::read_dir("tests/replays").unwrap().map(|entry| entry.unwrap().path());
    let sound: Vec<Value> = files.map(|file| serde_json::from_slice(&fs::read(file).unwrap()).unwrap()).collect();
    let inputs = (any::<Index>(), mutate::changes());
    fuzz("tests/robustness/fuzz/regressions/replays.txt", &inputs, |(which, changes)| {
        let sound = which.get(&sound);
        let read = |value: &Value| serde_json::from_value::<Replay>(value.clone()).ok();
        let Some(changed) = read(&mutate::json(sound, &changes)) else { return Ok(Fate::TurnedAway) };
        if changed.verify(BUILT_IN).is_empty() {
            prop_assert_eq!(whole(changed), whole(read(sound).expect("it is sound")));
        }
        Ok(Fate::LetIn)
    });
}

fn whole(replay: Replay) -> Value {
    serde_json::to_value(replay).expect("a replay is plain data")
}
