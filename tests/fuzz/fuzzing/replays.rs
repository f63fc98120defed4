//! Replays that have changed: verified as far as they go, and found out unless they say the same.

use crate::fuzz;
use crate::mutate;
use ludotheque::games::replay::{Replay, ReplayAction};
use ludotheque::games::step::Visibility;
use ludotheque::rules::Instant;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use std::fs;

#[test]
fn a_replay_that_says_something_else_is_found_out() {
    let files = fs::read_dir("tests/replays").unwrap().map(|entry| entry.unwrap().path());
    let sound: Vec<Value> = files.map(|file| serde_json::from_slice(&fs::read(file).unwrap()).unwrap()).collect();
    let inputs = (any::<Index>(), mutate::changes());
    fuzz("tests/fuzz/regressions/replays.txt", &inputs, |(which, changes)| {
        let sound = which.get(&sound);
        let read = |value: &Value| serde_json::from_value::<Replay>(value.clone()).ok();
        let Some(changed) = read(&mutate::json(sound, &changes)) else { return Ok(()) };
        if changed.verify().is_empty() {
            prop_assert_eq!(says(changed), says(read(sound).expect("it is sound")));
        }
        Ok(())
    });
}

/// All that can be checked: not when it was, within limits, nor under which names.
fn says(mut replay: Replay) -> Value {
    for step in &mut replay.steps {
        (step.at, step.player_id) = (Instant(0), None);
        match &mut step.action {
            ReplayAction::Create { options, seats, visibility, .. } => {
                (*options, *visibility) = (Value::Null, Visibility::Public);
                seats.fill(None);
            }
            // Who says no seat sits on the lowest, an elf chosen twice is chosen, what is not said of options stays: the
            // events have it.
            ReplayAction::Sit { seat } => *seat = None,
            ReplayAction::Choose { choice } => *choice = Value::Null,
            ReplayAction::Configure { options, .. } => *options = Value::Null,
            _ => {}
        }
    }
    serde_json::to_value(replay).expect("a replay is plain data")
}
