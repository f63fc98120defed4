//! Games played by the program against itself, and what they tell of a kind: how long they take, who wins, and why.
//!
//! Everything comes from one seed, so the same call gives the same figures for ever.

mod figures;
mod toy_rush;

pub use figures::{Figures, Spread};

use crate::rules::any::{AnyMove, AnyRules, AnyState};
use crate::rules::{Dice, Eyes, Instant, Outcome, Seat, Seed, Turn};
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
    pub players: Players,
    pub seed: Seed,
}

/// How everybody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Players {
    /// Any legal move, each as likely
    Random,
    /// The move that looks best at the moment, for kinds that have such a player
    Greedy,
}

/// Picks one of the moves from nothing but what its seat sees. The view is the JSON that a client gets.
type Greedy = fn(view: &str, seat: Seat, moves: &[AnyMove]) -> usize;

/// The greedy player of a kind, if it has one.
fn greedy(kind: &str) -> Option<Greedy> {
    match kind {
        "TOY_RUSH" => Some(toy_rush::choose),
        _ => None,
    }
}

/// Whether the kind has a greedy player; without one, its games are played by chance.
pub fn has_greedy(kind: &str) -> bool {
    greedy(kind).is_some()
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
    let greedy = greedy(kind).filter(|_| plan.players == Players::Greedy);
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
        let chosen = match greedy {
            Some(greedy) => greedy(rules.view(&state, Eyes::Seat(seat)).get(), seat, &legal),
            None => luck.index(legal.len()),
        };
        state = rules.play(&state, seat, &legal[chosen], now, &mut dice).expect("a listed move can be played").state;
        left = waiting;
        left.retain(|waiting| *waiting != seat);
        now = Instant(now.0 + PACE);
    }
    Err(Endless { kind })
}

fn rounds(rules: &dyn AnyRules, state: &AnyState) -> Option<u32> {
    let view: Value = serde_json::from_str(rules.view(state, Eyes::Spectator).get()).ok()?;
    view["round"].as_u64()?.try_into().ok()
}
