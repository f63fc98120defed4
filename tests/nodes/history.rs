//! What clients asked and were told, with the times: and whether some single order of all of it explains it.
//!
//! A game is a list of steps that only grows. Every answer says at which version the game stood, or which version it made.
//! Such a history can be put in one order exactly if no answer is older than one that was given before it was asked for, no
//! version is made twice, and no version is seen before the request that makes it.

use std::collections::HashMap;
use std::time::Instant;

/// One question and its answer.
#[derive(Clone, Debug)]
pub struct Operation {
    pub game: String,
    pub asked: Instant,
    pub answered: Instant,
    pub version: u64,
    pub what: What,
}

/// What an answer says about its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The step to it was made by this.
    Made,
    /// The game stood there.
    Seen,
    /// The game stood there, and for that reason this was refused.
    Refused,
}

/// What no order explains.
pub fn contradictions(history: &[Operation]) -> Vec<String> {
    let mut games: HashMap<&str, Vec<&Operation>> = HashMap::new();
    for operation in history {
        games.entry(&operation.game).or_default().push(operation);
    }
    games.into_values().flat_map(of_one_game).collect()
}

fn of_one_game(mut operations: Vec<&Operation>) -> Vec<String> {
    let mut found = Vec::new();
    let mut made: HashMap<u64, &Operation> = HashMap::new();
    for operation in operations.iter().filter(|operation| operation.what == What::Made) {
        if let Some(other) = made.insert(operation.version, operation) {
            found.push(format!("made twice: {operation:?} and {other:?}"));
        }
    }
    for operation in &operations {
        if made.get(&operation.version).is_some_and(|maker| operation.answered < maker.asked) {
            found.push(format!("seen before it was asked for: {operation:?}"));
        }
    }
    let mut answered = operations.clone();
    answered.sort_by_key(|operation| operation.answered);
    operations.sort_by_key(|operation| operation.asked);
    let mut answered = answered.into_iter().peekable();
    // The newest that anybody had been told when the next question was asked.
    let mut newest: Option<&Operation> = None;
    for operation in operations {
        while let Some(before) = answered.next_if(|before| before.answered < operation.asked) {
            newest = newest.max_by_version(before);
        }
        if let Some(newest) = newest {
            let least = newest.version + u64::from(operation.what == What::Made);
            if operation.version < least {
                found.push(format!("{operation:?} is older than {newest:?}"));
            }
        }
    }
    found
}

trait Newest<'a> {
    fn max_by_version(self, other: &'a Operation) -> Option<&'a Operation>;
}

impl<'a> Newest<'a> for Option<&'a Operation> {
    fn max_by_version(self, other: &'a Operation) -> Option<&'a Operation> {
        match self {
            Some(known) if known.version >= other.version => Some(known),
            _ => Some(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::What::{Made, Refused, Seen};
    use super::*;
    use std::time::Duration;

    fn operation(start: Instant, times: (u64, u64), version: u64, what: What) -> Operation {
        let [asked, answered] = [times.0, times.1].map(|millis| start + Duration::from_millis(millis));
        Operation { game: "game".to_owned(), asked, answered, version, what }
    }

    #[test]
    fn histories_that_contradict_themselves_are_found_and_others_are_not() {
        let start = Instant::now();
        let check = |operations: &[((u64, u64), u64, What)]| {
            let history: Vec<_> =
                operations.iter().map(|(times, v, what)| operation(start, *times, *v, *what)).collect();
            contradictions(&history).len()
        };
        assert_eq!(check(&[((0, 9), 1, Made), ((2, 3), 0, Seen), ((4, 5), 1, Seen), ((6, 20), 2, Made)]), 0);
        assert_eq!(check(&[((0, 1), 1, Made), ((2, 3), 0, Seen)]), 1, "an old answer");
        assert_eq!(check(&[((0, 1), 1, Made), ((2, 3), 0, Refused)]), 1, "a refusal on an old state");
        assert_eq!(check(&[((0, 1), 1, Seen), ((2, 3), 0, Seen)]), 1, "time runs backwards");
        assert_eq!(check(&[((0, 5), 1, Made), ((2, 3), 1, Made)]), 1, "one version for two");
        assert_eq!(check(&[((0, 1), 1, Seen), ((2, 3), 1, Made)]), 2, "seen before it was made, and made too late");
    }
}
