//! Simulation: plays many games of a kind with bots and collects statistics on their length, winners and endings.
//!
//! All randomness comes from one seed, so the same call always gives the same statistics.

mod statistics;

pub use statistics::{Distribution, Statistics};

use crate::any::{AnyRules, AnyState};
use crate::{Dice, Eyes, Instant, Outcome, Seat, Seed, Turn};
use serde_json::Value;

/// More moves than any game needs; a game that reaches this limit does not end.
const MOST_MOVES: u32 = 100_000;

/// Milliseconds that pass with each move: few enough that no player counts as absent.
const PACE: i64 = 1_000;

/// What to simulate.
pub struct SimulationPlan {
    pub rules: &'static dyn AnyRules,
    pub seats: u8,
    pub games: u32,
    /// Whether all seats are played by the kind's greedy bot, if it has one; otherwise moves are picked uniformly at
    /// random.
    pub greedy: bool,
    pub seed: Seed,
}

/// The result of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    pub moves: u32,
    /// The last round, in kinds whose view has one.
    pub rounds: Option<u32>,
    /// The first seat that the game waited for alone, in kinds where one seat begins.
    pub opener: Option<Seat>,
    pub outcome: Outcome,
}

/// A game did not end.
#[derive(Debug, thiserror::Error)]
#[error("a game of {kind} was not over after {MOST_MOVES} moves")]
pub struct EndlessGame {
    kind: &'static str,
}

/// Plays all games; calls `progress` with the number of finished ones.
pub fn run(plan: &SimulationPlan, mut progress: impl FnMut(u32)) -> Result<Statistics, EndlessGame> {
    let mut luck = Dice::new(plan.seed);
    let mut games = Vec::new();
    for done in 1..=plan.games {
        games.push(play(plan, &mut luck)?);
        progress(done);
    }
    Ok(Statistics::of(&games, plan.seats))
}

/// Plays one game with the default options.
fn play(plan: &SimulationPlan, luck: &mut Dice) -> Result<GameResult, EndlessGame> {
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
            Turn::Over(outcome) => return Ok(GameResult { moves, rounds: rounds(rules, &state), opener, outcome }),
        };
        // The last of several seats that choose at the same time is waited for alone too, but is not an opener.
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
    Err(EndlessGame { kind })
}

fn rounds(rules: &dyn AnyRules, state: &AnyState) -> Option<u32> {
    let view: Value = serde_json::to_value(rules.view(state, Eyes::Spectator)).ok()?;
    view["round"].as_u64()?.try_into().ok()
}
