//! Games played by the program against itself, and what they tell of a kind: how long they take, who wins, and why.
//!
//! Everything comes from one seed, so the same call gives the same figures for ever.

mod figures;

pub use figures::{Figures, Spread};

use crate::any::{AnyRules, AnyState};
use crate::{Dice, Eyes, Instant, Outcome, Seat, Seed, Turn};
use serde_json::Value;

/// More moves than any game needs; one that gets here does not end.
const MOST_MOVES: u32 = 100_000;

/// Time that passes with every move: little enough that nobody seems to have left the table.
const PACE: i64 = 1_000;

/// What to play.
pub struct Plan {
    pub rules: &'static dyn AnyRules,
    pub seats: u8,
    pub games: u32,
    /// Whether everybody plays the move that looks best at the moment, in kinds that have such a player; else any legal
    /// move, each as likely.
    pub greedy: bool,
    pub seed: Seed,
}

/// How one game went.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    pub moves: u32,
    /// The last round, in kinds whose view counts rounds.
    pub rounds: Option<u32>,
    /// The seat that was first asked alone, in kinds where somebody begins.
    pub opener: Option<Seat>,
    pub outcome: Outcome,
}

/// A game that goes on for ever.
#[derive(Debug, thiserror::Error)]
#[error("a game of {kind} was not over after {MOST_MOVES} moves")]
pub struct Endless {
    kind: &'static str,
}

/// Plays all games; `progress` hears how many are done.
pub fn run(plan: &Plan, mut progress: impl FnMut(u32)) -> Result<Figures, Endless> {
    let mut luck = Dice::new(plan.seed);
    let mut games = Vec::new();
    for done in 1..=plan.games {
        games.push(play(plan, &mut luck)?);
        progress(done);
    }
    Ok(Figures::of(&games, plan.seats))
}

/// Plays one game with the default options.
fn play(plan: &Plan, luck: &mut Dice) -> Result<Played, Endless> {
    let (rules, kind) = (plan.rules, plan.rules.info().kind);
    let mut dice = Dice::new(Seed(std::array::from_fn(|_| u8::try_from(luck.below(256)).expect("a byte"))));
    let options = rules.read_options(&Value::Object(serde_json::Map::new()), plan.seats);
    let options = options.expect("every kind can be played with the default options");
    let mut now = Instant(0);
    let mut state = rules.setup(&options, plan.seats, now, &mut dice).state;
    let (mut opener, mut left) = (None, Vec::new());
    for moves in 0..MOST_MOVES {
        let waiting = match rules.turn(&state) {
            Turn::Waiting(waiting) => waiting,
            Turn::Over(outcome) => return Ok(Played { moves, rounds: rounds(rules, &state), opener, outcome }),
        };
        // The last of several who choose at the same time is asked alone too, but does not begin anything.
        if let ([seat], true) = (&waiting[..], waiting != left) {
            opener = opener.or(Some(*seat));
        }
        let seat = waiting[luck.index(waiting.len())];
        let legal = rules.legal(&state, seat, now);
        let greedy = if plan.greedy { rules.greedy(&state, seat, &legal) } else { None };
        let chosen = greedy.unwrap_or_else(|| luck.index(legal.len()));
        state = rules.play(&state, seat, &legal[chosen], now, &mut dice).expect("a listed move can be played").state;
        left = waiting;
        left.retain(|waiting| *waiting != seat);
        now = Instant(now.0 + PACE);
    }
    Err(Endless { kind })
}

fn rounds(rules: &dyn AnyRules, state: &AnyState) -> Option<u32> {
    let view: Value = serde_json::to_value(rules.view(state, Eyes::Spectator)).ok()?;
    view["round"].as_u64()?.try_into().ok()
}
