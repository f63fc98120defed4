//! Simulation: plays many games of a kind with bots and collects statistics on their length, winners and endings.
//!
//! All randomness comes from one seed, and each game has its own part of it. So the same plan gives the same games, in
//! whatever order they are played, and several threads can share them.

mod statistics;
mod strategy;

pub use statistics::{Distribution, Statistics, WinCount};
pub use strategy::{Strategy, UnknownStrategy};

use crate::any::{AnyMove, AnyRules, AnyState};
use crate::bots;
use crate::{Dice, Eyes, Instant, Outcome, Seat, Seed, Turn};
use serde_json::Value;

/// More moves than any game needs; a game that reaches this limit does not end.
const MOST_MOVES: u32 = 100_000;

/// Milliseconds that pass with each move: few enough that no player counts as absent.
const PACE: i64 = 1_000;

/// How many numbers of the seed's stream belong to one game.
const NUMBERS_OF_A_GAME: u64 = 1 << 32;

/// What to simulate.
pub struct SimulationPlan {
    pub rules: &'static dyn AnyRules,
    /// How each player chooses moves. The players change seats from game to game, so that each has each seat equally
    /// often.
    pub players: Vec<Strategy>,
    pub games: u32,
    pub seed: Seed,
}

/// The result of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    /// The player, by its index in the plan, of each seat.
    pub players: Vec<usize>,
    pub moves: u32,
    /// The last round, in kinds whose view has one.
    pub rounds: Option<u32>,
    /// The first seat that the game waited for alone, in kinds where one seat begins.
    pub opener: Option<Seat>,
    pub outcome: Outcome,
    /// For each player, how many moves they chose, and how long that took on the clock of the caller.
    pub thinking: Vec<Thinking>,
}

/// The time that choosing moves took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thinking {
    pub moves: u32,
    pub time: u64,
    pub longest: u64,
}

/// A game did not end.
#[derive(Debug, thiserror::Error)]
#[error("a game of {kind} was not over after {MOST_MOVES} moves")]
pub struct EndlessGame {
    kind: &'static str,
}

/// Plays all games, without measuring time.
pub fn run(plan: &SimulationPlan) -> Result<Statistics, EndlessGame> {
    let games: Result<Vec<_>, _> = (0..plan.games).map(|index| play(plan, index, &|| 0)).collect();
    Ok(Statistics::of(plan, &games?))
}

/// Plays one of the games with the default options. `clock` tells the time in any unit.
pub fn play(plan: &SimulationPlan, index: u32, clock: &dyn Fn() -> u64) -> Result<GameResult, EndlessGame> {
    let (rules, seats) = (plan.rules, plan.players.len());
    let mut luck = Dice::at(plan.seed, u64::from(index) * NUMBERS_OF_A_GAME);
    let mut dice = Dice::new(luck.seed());
    let table = u8::try_from(seats).expect("a table has few seats");
    let options = rules.read_options(&Value::Object(serde_json::Map::new()), table);
    let options = options.expect("every kind can be played with the default options");
    let players: Vec<_> = (0..seats).map(|seat| (seat + index as usize) % seats).collect();
    let mut thinking = vec![Thinking::default(); seats];
    let mut now = Instant(0);
    let mut state = rules.setup(&options, table, now, &mut dice).state;
    let (mut opener, mut left) = (None, Vec::new());
    for moves in 0..MOST_MOVES {
        let waiting = match rules.turn(&state) {
            Turn::Waiting(waiting) => waiting,
            Turn::Over(outcome) => {
                let rounds = rounds(rules, &state);
                return Ok(GameResult { players, moves, rounds, opener, outcome, thinking });
            }
        };
        // The last of several seats that choose at the same time is waited for alone too, but is not an opener.
        if let ([seat], true) = (&waiting[..], waiting != left) {
            opener = opener.or(Some(*seat));
        }
        // A bot may wait for other seats.
        let mut seats = waiting.clone();
        luck.shuffle(&mut seats);
        let chosen = seats.into_iter().find_map(|seat| {
            let (player, begun) = (players[seat.index()], clock());
            let chosen = plan.players[player].choose(rules, &state, seat, now, &mut luck);
            thinking[player].add(clock() - begun);
            Some((seat, chosen?))
        });
        let (seat, chosen) = chosen.expect("not all seats wait for others");
        state = rules.play(&state, seat, &chosen, now, &mut dice).expect("a listed move can be played").state;
        left = waiting;
        left.retain(|waiting| *waiting != seat);
        now = Instant(now.0 + PACE);
    }
    Err(EndlessGame { kind: rules.info().kind })
}

impl Thinking {
    fn add(&mut self, time: u64) {
        self.moves += 1;
        self.time += time;
        self.longest = self.longest.max(time);
    }
}

impl Strategy {
    /// The move of a seat that is waited for; `None` if it waits for others.
    fn choose(
        self,
        rules: &dyn AnyRules,
        state: &AnyState,
        seat: Seat,
        now: Instant,
        luck: &mut Dice,
    ) -> Option<AnyMove> {
        let mut legal = rules.legal(state, seat, now);
        let chosen = match self {
            Strategy::Level(level) => return bots::choose(rules, state, seat, level, now, luck.seed()),
            Strategy::Greedy => rules.greedy(state, seat, &legal, now),
            Strategy::Random => None,
        };
        Some(legal.swap_remove(chosen.unwrap_or_else(|| luck.index(legal.len()))))
    }
}

fn rounds(rules: &dyn AnyRules, state: &AnyState) -> Option<u32> {
    let view: Value = serde_json::to_value(rules.view(state, Eyes::Spectator)).ok()?;
    view["round"].as_u64()?.try_into().ok()
}
