//! How a simulated player chooses moves.

use crate::any::AnyRules;
use serde::{Serialize, Serializer};
use std::{fmt, str::FromStr};

/// How a simulated player chooses moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    /// A random legal move.
    Random,
    /// The move that looks best at the moment.
    Greedy,
    /// A bot of this level, from 1.
    Level(u8),
}

impl Strategy {
    /// Whether players of the kind can choose like this.
    pub fn exists_in(self, rules: &dyn AnyRules) -> bool {
        match self {
            Strategy::Random => true,
            Strategy::Greedy => rules.has_greedy(),
            Strategy::Level(level) => (1..=rules.bot_levels().len()).contains(&usize::from(level)),
        }
    }
}

/// As text.
impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Random => f.write_str("random"),
            Strategy::Greedy => f.write_str("greedy"),
            Strategy::Level(level) => level.fmt(f),
        }
    }
}

/// The text names no strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a player is `random`, `greedy` or the level of a bot, from 1")]
pub struct UnknownStrategy;

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, UnknownStrategy> {
        match text {
            "random" => Ok(Strategy::Random),
            "greedy" => Ok(Strategy::Greedy),
            level => Ok(Strategy::Level(level.parse().ok().filter(|level| *level > 0).ok_or(UnknownStrategy)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_reads_back_from_its_text() {
        for strategy in [Strategy::Random, Strategy::Greedy, Strategy::Level(1), Strategy::Level(5)] {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
        }
        for text in ["", "0", "-1", "256", "best"] {
            assert_eq!(text.parse::<Strategy>(), Err(UnknownStrategy), "{text}");
        }
    }
}
