//! A table of Chips for two, played as fast as the server answers, and its watchers.
//!
//! Moves are worked out from the views, so that only moves are asked for. Both players share a connection: they never
//! wait for an answer at the same time.

use super::client::{Answer, Connection, Question, follow, post};
use super::process::Server;
use super::progress::Bar;
use super::times::{Summary, Times};
use super::{Bench, Result};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Long enough that making games is a small part of it, short enough that views stay of the usual size.
const TOKENS: u8 = 6;

/// What a game was when it was last answered; the rest of it is not read.
#[derive(Deserialize)]
pub struct Game {
    pub id: String,
    pub version: u64,
    outcome: Option<IgnoredAny>,
    view: Option<View>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    round: u32,
    round_step: String,
    seats: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    hand: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Played {
    game: Game,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedIn {
    access_token: String,
}

/// What watchers were told.
#[derive(Default)]
pub struct Told {
    events: AtomicU64,
    bytes: AtomicU64,
}

/// How tables are laid.
#[derive(Clone, Default)]
pub struct Setup {
    pub tables: usize,
    /// Tokens that end a game, unless that is left to us.
    pub target: Option<u8>,
    /// How many watch each table. If it is watched, the players follow it as well, as any front end would.
    pub watchers: usize,
    pub told: Arc<Told>,
}

impl Setup {
    pub fn of(tables: usize) -> Self {
        Self { tables, ..Self::default() }
    }
}

pub struct Table {
    pub connection: Connection,
    pub tokens: [String; 2],
    pub game: Game,
    address: String,
    target: u8,
    views: [View; 2],
    watchers: Vec<String>,
    told: Arc<Told>,
}

/// What came of playing for a while.
pub struct Round {
    pub summary: Summary,
    pub per_cpu_second: f64,
    pub bytes_per_event: Option<f64>,
}

/// Somebody new, and what proves it.
pub async fn guest(connection: &mut Connection) -> Result<String> {
    let guest: SignedIn = connection.post("/v1/players", "", &json!({"displayName": "Ada"})).await?;
    Ok(guest.access_token)
}

impl Table {
    pub async fn open(address: &str) -> Result<Self> {
        Self::lay(address, &Setup::of(1)).await
    }

    pub async fn lay(address: &str, setup: &Setup) -> Result<Self> {
        let mut connection = Connection::open(address).await?;
        let tokens = [guest(&mut connection).await?, guest(&mut connection).await?];
        let mut watching = if setup.watchers > 0 { tokens.to_vec() } else { Vec::new() };
        for _ in 0..setup.watchers {
            watching.push(guest(&mut connection).await?);
        }
        let (target, told) = (setup.target.unwrap_or(TOKENS), setup.told.clone());
        let (game, views) = begin(&mut connection, &tokens, target).await?;
        let address = address.to_owned();
        let table = Self { connection, tokens, game, address, target, views, watchers: watching, told };
        table.be_watched().await?;
        Ok(table)
    }

    pub fn path(&self) -> String {
        format!("/v1/games/{}", self.game.id)
    }

    /// Plays some moves, for a table in the middle of a game.
    pub async fn warm_up(&mut self, moves: usize) -> Result<()> {
        for _ in 0..moves.div_ceil(2) {
            self.play_both(&mut Vec::new()).await?;
        }
        Ok(())
    }

    /// Plays one move of seat 0, and tells what was asked and answered.
    pub async fn play_first(mut self) -> Result<(Question, Answer)> {
        let mv = choose(&self.views[0], 0).ok_or("no move in this view")?;
        let question = post(&format!("{}/moves", self.path()), &self.tokens[0], &json!({"id": mv}))?;
        let answer = self.connection.ask(question.clone()).await?;
        answer.read::<Played>()?;
        Ok((question, answer))
    }

    pub async fn play_until(mut self, end: Instant) -> Result<Vec<Duration>> {
        let mut times = Vec::new();
        while Instant::now() < end {
            self.play_both(&mut times).await?;
        }
        Ok(times)
    }

    /// Both seats choose; a game that is over is followed by the next.
    pub async fn play_both(&mut self, times: &mut Vec<Duration>) -> Result<()> {
        for seat in [0, 1] {
            times.push(self.play(seat).await?);
            if self.is_over() {
                (self.game, self.views) = begin(&mut self.connection, &self.tokens, self.target).await?;
                return self.be_watched().await;
            }
        }
        self.look_again().await
    }

    /// One seat chooses; how long the answer took.
    pub async fn play(&mut self, seat: usize) -> Result<Duration> {
        let mv = choose(&self.views[seat], seat).ok_or("no move in this view")?;
        let question = post(&format!("{}/moves", self.path()), &self.tokens[seat], &json!({"id": mv}))?;
        let before = Instant::now();
        let answer = self.connection.ask(question).await?;
        let took = before.elapsed();
        self.game = answer.read::<Played>()?.game;
        self.views[seat] = self.game.view.take().ok_or("no view")?;
        Ok(took)
    }

    pub fn is_over(&self) -> bool {
        self.game.outcome.is_some()
    }

    /// Once both have chosen, both see what came of it.
    pub async fn look_again(&mut self) -> Result<()> {
        // Seat 1 chose last and saw what came of it; seat 0 only needs to look when cards were dealt.
        if self.views[0].round == self.views[1].round {
            let [first, second] = &mut self.views;
            first.round_step.clone_from(&second.round_step);
        } else {
            let path = self.path();
            self.views[0] = look(&mut self.connection, &path, &self.tokens[0]).await?;
        }
        Ok(())
    }

    /// Every watcher follows the game from here, on a connection of its own.
    async fn be_watched(&self) -> Result<()> {
        for token in &self.watchers {
            let mut connection = Connection::open(&self.address).await?;
            let question = follow(&self.path(), self.game.version, token)?;
            let body = connection.begin(question).await?.into_body();
            tokio::spawn(count(body, connection, self.told.clone()));
        }
        Ok(())
    }
}

/// Counts events and bytes until the stream ends, which it does with the game.
async fn count(mut body: Incoming, _open: Connection, told: Arc<Told>) {
    while let Some(Ok(frame)) = body.frame().await {
        let Some(data) = frame.data_ref() else { continue };
        let events = data.windows(2).filter(|pair| pair == b"\n\n").count();
        told.events.fetch_add(events as u64, Ordering::Relaxed);
        told.bytes.fetch_add(data.len() as u64, Ordering::Relaxed);
    }
}

/// A new game for the two, and what each of them sees.
async fn begin(connection: &mut Connection, tokens: &[String; 2], target: u8) -> Result<(Game, [View; 2])> {
    let new = json!({"kind": "CHIPS", "seats": 2, "options": {"targetTokens": target}});
    let game: Game = connection.post("/v1/games", &tokens[0], &new).await?;
    let path = format!("/v1/games/{}", game.id);
    connection.post::<IgnoredAny>(&format!("{path}/seats"), &tokens[1], &json!({})).await?;
    let game: Game = connection.post(&format!("{path}/start"), &tokens[0], &json!({})).await?;
    let views = [look(connection, &path, &tokens[0]).await?, look(connection, &path, &tokens[1]).await?];
    Ok((game, views))
}

async fn look(connection: &mut Connection, path: &str, token: &str) -> Result<View> {
    connection.get::<Game>(path, token).await?.view.ok_or_else(|| "no view".into())
}

/// Any legal move.
fn choose(view: &View, seat: usize) -> Option<String> {
    let hand = view.seats.get(seat)?.hand.as_deref()?;
    Some(match (view.round_step.as_str(), hand) {
        ("DISCARD_TWO", [a, b, ..]) => format!("discard {a} {b}"),
        ("DISCARD_ONE", [a, ..]) => format!("discard {a}"),
        (_, [a, b, c]) => format!("bet {a} {b} against {c}"),
        _ => return None,
    })
}

/// A table for each place there is to play at.
pub fn lay_all(bench: &Bench, server: &Server, setup: &Setup) -> Result<Vec<Table>> {
    bench.runtime.block_on(async {
        let mut tables = Vec::new();
        while tables.len() < setup.tables {
            tables.push(Table::lay(&server.address, setup).await?);
        }
        Ok(tables)
    })
}

/// Lays tables and plays at all of them.
pub fn play(bench: &Bench, server: &Server, setup: &Setup) -> Result<Round> {
    let tables = lay_all(bench, server, setup)?;
    let (times, cpu) = server.cpu_of(|| play_at(bench, tables))?;
    let Told { events, bytes } = &*setup.told;
    let events = events.load(Ordering::Relaxed);
    let bytes_per_event = (events > 0).then(|| bytes.load(Ordering::Relaxed) as f64 / events as f64);
    Ok(Round { summary: times.summary(), per_cpu_second: times.count() as f64 / cpu, bytes_per_event })
}

/// Plays at some tables, for as long as a measurement takes.
pub fn play_at(bench: &Bench, tables: Vec<Table>) -> Result<Times> {
    let _bar = Bar::new(format!("{} tables of Chips", tables.len()), bench.seconds);
    let end = Instant::now() + bench.seconds;
    bench.runtime.block_on(Times::of_all(tables.into_iter().map(|table| table.play_until(end))))
}
