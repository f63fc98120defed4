//! Clients of one table that act as fast as they get answers, all at the same time, and note what they were told.
//!
//! Each looks at its own last view only, so it is often late, as clients are. What it would play follows from that view
//! by the naive generator of the rulebook tests.

use super::naive::naive_moves;
use ludotheque::rules::{Dice, Instant, Seat};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time;
use test_support::sse::Parser;
use test_support::{Ask, Player, pick};
use tokio::sync::Semaphore;

/// More tries than any client of a game needs.
const MOST_TRIES: usize = 20_000;

/// Something a client asked for, and what became of it.
#[derive(Clone, Debug)]
pub struct Operation {
    pub seat: usize,
    pub mv: String,
    pub asked: time::Instant,
    pub answered: time::Instant,
    pub outcome: Outcome,
}

#[derive(Clone, Debug)]
pub enum Outcome {
    /// With the version it was given.
    Accepted(u64),
    /// With the code of the refusal.
    Refused(String),
}

/// What one client did and saw.
#[derive(Default)]
pub struct Diary {
    pub seat: usize,
    pub operations: Vec<Operation>,
    /// Every view it was shown, with its version.
    pub views: Vec<(u64, Value)>,
    /// Every step of its stream.
    pub steps: Vec<Value>,
}

/// A stream of steps read as it comes, without the contract's checks: those take longer than the moves do.
struct Steps {
    response: reqwest::Response,
    parser: Parser,
    ready: VecDeque<Value>,
}

impl Steps {
    async fn open(ask: Ask) -> reqwest::Result<Self> {
        Ok(Self { response: ask.send().await?, parser: Parser::default(), ready: VecDeque::new() })
    }

    async fn next(&mut self) -> reqwest::Result<Option<Value>> {
        loop {
            if let Some(step) = self.ready.pop_front() {
                return Ok(Some(step));
            }
            let Some(bytes) = self.response.chunk().await? else { return Ok(None) };
            let steps = self.parser.feed(&bytes).into_iter();
            self.ready.extend(steps.map(|message| serde_json::from_str::<Value>(&message.data).expect("JSON")));
        }
    }
}

/// How a client plays.
#[derive(Clone, Default)]
pub struct Manner {
    /// Every how many moves, on average, a guess that the view does not allow is sent; 0 for never.
    pub guesses: u32,
    /// Every how many times, on average, a STOP card is taken, to make games last; 0 for always.
    pub patience: u32,
    /// Every how many moves, on average, the player resigns; 0 for never.
    pub resignations: u32,
    /// Gets a permit for every move that is acknowledged.
    pub acknowledged: Option<Arc<Semaphore>>,
}

/// Plays until the game is over, or the server dies.
pub async fn plays(player: Player, game: String, seat: usize, mut dice: Dice, manner: Manner) -> Diary {
    let mut diary = Diary { seat, ..Diary::default() };
    // The server may be killed at any moment; whatever is in the diary by then counts.
    let _died = play_on(&player, &game, &mut dice, &manner, &mut diary).await;
    diary
}

async fn play_on(
    player: &Player,
    game: &str,
    dice: &mut Dice,
    manner: &Manner,
    diary: &mut Diary,
) -> reqwest::Result<()> {
    let mut steps = Steps::open(player.asks_to_follow(game)).await?;
    let mut seen = looks(player, game, diary).await?;
    for _ in 0..MOST_TRIES {
        let moves = may(&seen, diary.seat);
        if seen["status"] != "ACTIVE" {
            break;
        }
        if moves.is_empty() {
            // Nothing to do until something happens.
            while let Some(step) = steps.next().await? {
                let version = step["version"].as_u64();
                diary.steps.push(step);
                if version > seen["version"].as_u64() {
                    break;
                }
            }
            seen = looks(player, game, diary).await?;
            continue;
        }
        let lucky = |dice: &mut Dice, one_in: u32| one_in > 0 && dice.below(one_in) == 0;
        let (ask, mv) = if lucky(dice, manner.resignations) {
            (player.resigns(game), "resign".to_owned())
        } else {
            let mv = if lucky(dice, manner.guesses) { guess(dice) } else { choose(dice, &moves, manner) };
            (player.plays(game, &mv), mv)
        };
        let asked = time::Instant::now();
        let (status, body) = answer(ask).await?;
        let answered = time::Instant::now();
        let outcome = match status {
            200 => Outcome::Accepted(body["version"].as_u64().expect("a version")),
            409 => Outcome::Refused(body["code"].as_str().expect("a code").to_owned()),
            _ => panic!("{mv}: {status} {body}"),
        };
        diary.operations.push(Operation { seat: diary.seat, mv, asked, answered, outcome });
        if status == 200 {
            manner.acknowledged.iter().for_each(|acknowledged| acknowledged.add_permits(1));
            note(&body["game"], diary);
            seen = body["game"].clone();
        } else {
            seen = looks(player, game, diary).await?;
        }
    }
    while let Some(step) = steps.next().await? {
        diary.steps.push(step);
    }
    Ok(())
}

/// The moves the client may play as far as it knows. No game here is slow enough for nudges.
pub fn may(seen: &Value, seat: usize) -> Vec<String> {
    if seen["view"].is_null() {
        return Vec::new();
    }
    let seat = Seat(u8::try_from(seat).expect("few seats"));
    naive_moves(&seen["view"], seat, Instant(0)).into_iter().collect()
}

/// One of the moves.
fn choose(dice: &mut Dice, moves: &[String], manner: &Manner) -> String {
    let lasting: Vec<_> = moves.iter().filter(|mv| !mv.starts_with("stop")).cloned().collect();
    let patient = manner.patience > 0 && dice.below(manner.patience) > 0 && !lasting.is_empty();
    pick(dice, if patient { &lasting } else { moves }).clone()
}

/// Some move, whatever the view shows.
fn guess(dice: &mut Dice) -> String {
    let packet = format!("P{}", 1 + dice.below(6));
    match dice.below(3) {
        0 => format!("give {packet}"),
        1 => format!("stop {}+ with {packet}", 2 + dice.below(5)),
        _ => format!("lay {} on {}", 1 + dice.below(65), dice.below(3)),
    }
}

async fn looks(player: &Player, game: &str, diary: &mut Diary) -> reqwest::Result<Value> {
    let (_, body) = answer(player.looks_at(game)).await?;
    note(&body, diary);
    Ok(body)
}

fn note(game: &Value, diary: &mut Diary) {
    diary.views.push((game["version"].as_u64().expect("a version"), game["view"].clone()));
}

async fn answer(ask: Ask) -> reqwest::Result<(u16, Value)> {
    let response = ask.send().await?;
    let status = response.status().as_u16();
    Ok((status, response.json().await?))
}
