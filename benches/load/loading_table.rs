//! `loading-table`: seven clients at one table of LOADING, each acting as fast as it gets answers, then a hundred such
//! tables at once. What a move takes there is held against a lone durable move in the same run, and what a hundred
//! tables get done against the best the service does with any game.

use super::client::{Connection, Question, post};
use super::process::Server;
use super::progress::Bar;
use super::report::{Goal, Report};
use super::table::{Setup, guest, play};
use super::times::Times;
use super::{Bench, Result};
use hyper::StatusCode;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use std::time::{Duration, Instant};

const SEATS: usize = 7;
const TABLES: usize = 100;

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = Server::ours(&bench.folder("loading-table"))?;
    let quiet = play(bench, &server, &Setup::of(1))?.summary;
    report.run("a lone durable move", quiet, None);
    let best = play(bench, &server, &Setup::of(bench.tables))?.summary;
    report.run(format!("{} tables of Chips", bench.tables), best, None);
    let one = race(bench, &server, 1)?.summary();
    report.run("one table of LOADING, 7 clients", one, None);
    let many = race(bench, &server, TABLES)?.summary();
    report.run(format!("{TABLES} tables of LOADING, 7 clients each"), many, None);
    report.compare("one busy table, p99", "ms", one.p99, ("a lone durable move, p50", quiet.p50), Goal::AtMost(10.0));
    let best = ("the service's best", best.per_second.max(one.per_second));
    report.compare(&format!("{TABLES} busy tables"), "/s", many.per_second, best, Goal::AtLeast(0.7));
    Ok(())
}

/// Seven clients at each table.
fn race(bench: &Bench, server: &Server, tables: usize) -> Result<Times> {
    let seated = bench.runtime.block_on(async {
        let mut seated = Vec::new();
        for _ in 0..tables {
            seated.extend(open(&server.address).await?);
        }
        Result::Ok(seated)
    })?;
    let _bar = Bar::new(format!("{tables} tables of LOADING"), bench.seconds);
    let end = Instant::now() + bench.seconds;
    bench.runtime.block_on(Times::of_all(seated.into_iter().map(|seat| seat.race_until(end))))
}

/// A seat at a game, whose client gives any packet that it holds.
struct Seat {
    address: String,
    give: Question,
}

#[derive(Deserialize)]
struct Made {
    id: String,
}

/// A game that goes on for as long as packets go round, which is for ever.
async fn open(address: &str) -> Result<Vec<Seat>> {
    let mut connection = Connection::open(address).await?;
    let mut tokens = Vec::new();
    for _ in 0..SEATS {
        tokens.push(guest(&mut connection).await?);
    }
    let options = json!({"heldOutSeat": 0, "idlePasses": 0, "idleSeconds": 0});
    let new = json!({"kind": "LOADING", "seats": SEATS, "options": options});
    let game: Made = connection.post("/v1/games", &tokens[0], &new).await?;
    let game = format!("/v1/games/{}", game.id);
    for token in &tokens[1..] {
        connection.post::<IgnoredAny>(&format!("{game}/seats"), token, &json!({})).await?;
    }
    connection.post::<IgnoredAny>(&format!("{game}/start"), &tokens[0], &json!({})).await?;
    let moves = format!("{game}/moves");
    connection.post::<IgnoredAny>(&moves, &tokens[0], &json!({"id": "charge"})).await?;
    let seat =
        |token: &String| Ok(Seat { address: address.to_owned(), give: post(&moves, token, &json!({"id": "give"}))? });
    tokens.iter().map(seat).collect()
}

impl Seat {
    /// Without a packet, the next try may find one.
    async fn race_until(self, end: Instant) -> Result<Vec<Duration>> {
        let mut connection = Connection::open(&self.address).await?;
        let mut times = Vec::new();
        while Instant::now() < end {
            let before = Instant::now();
            let answer = connection.ask(self.give.clone()).await?;
            match answer.status {
                StatusCode::OK => times.push(before.elapsed()),
                StatusCode::CONFLICT => {}
                status => return Err(format!("{status} {}", String::from_utf8_lossy(&answer.body)).into()),
            }
        }
        Ok(times)
    }
}
