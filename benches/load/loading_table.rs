//! `loading-table`: seven clients at one table of LOADING, each acting as fast as it gets answers, then a hundred such
//! tables at once. What a move takes there is held against a lone durable write in the same run, and what a hundred
//! tables get done against the best the service does with any game.

use super::one_writer;
use super::tables::{Result, Server, Times, play, post, report, while_the_bar_moves};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const SEATS: usize = 7;
const TABLES: usize = 100;
/// As many tables of Chips as the service is at its best with.
const AT_BEST: usize = 64;

pub fn run(folder: &Path, duration: Duration) -> Result<()> {
    let alone = one_writer(&folder.join("alone"), Duration::from_secs(2))?;
    let server = Server::start(&folder.join("data"), &[])?;
    let runtime = tokio::runtime::Runtime::new()?;
    let quiet = runtime.block_on(play(&[&server.address], 1, Duration::from_secs(3)))?;
    let best = runtime.block_on(play(&[&server.address], AT_BEST, duration))?;
    let one = runtime.block_on(race(&server.address, 1, duration))?;
    let many = runtime.block_on(race(&server.address, TABLES, duration))?;

    println!("{:<44}{:>10}{:>10}{:>10}{:>10}", "", "per s", "p50 ms", "p99 ms", "p99.9 ms");
    report("one writer, one fdatasync each", &alone);
    report("a lone durable move over HTTP", &quiet);
    report(&format!("{AT_BEST} tables of Chips"), &best);
    report("one table of LOADING, 7 clients", &one);
    report(&format!("{TABLES} tables of LOADING, 7 clients each"), &many);
    let (lone, busy) = (quiet.permille(500), one.permille(990));
    println!("p99 at one busy table: {:.1} times the p50 of a lone durable move (10 at most)", busy / lone);
    let share = many.per_second() / best.per_second().max(one.per_second());
    println!("{TABLES} tables: {:.0} % of the service's best (70 at least)", share * 100.0);
    Ok(())
}

/// Seven clients at each of so many tables.
async fn race(server: &str, tables: usize, duration: Duration) -> Result<Times> {
    let client = Client::new();
    let mut seated = Vec::new();
    for _ in 0..tables {
        seated.extend(open(&client, server).await?);
    }
    let start = Instant::now();
    let racing = seated.into_iter().map(|seat| tokio::spawn(seat.race_until(start + duration)));
    while_the_bar_moves(format!("{tables} tables of LOADING"), start, duration, racing.collect()).await
}

/// A chair at a game, and who sits on it.
struct Seat {
    client: Client,
    moves: String,
    token: String,
}

/// A game that goes on for as long as packets go round, which is for ever.
async fn open(client: &Client, server: &str) -> Result<Vec<Seat>> {
    let mut tokens = Vec::new();
    for _ in 0..SEATS {
        let player = post(client, &format!("{server}/v1/players"), "", json!({"displayName": "Racer"})).await?;
        tokens.push(player["accessToken"].as_str().ok_or("no token")?.to_owned());
    }
    let options = json!({"heldOutSeat": 0, "idlePasses": 0, "idleSeconds": 0});
    let new = json!({"kind": "LOADING", "seats": SEATS, "options": options});
    let game = post(client, &format!("{server}/v1/games"), &tokens[0], new).await?;
    let game = format!("{server}/v1/games/{}", game["id"].as_str().ok_or("no game")?);
    for token in &tokens[1..] {
        post(client, &format!("{game}/seats"), token, json!({})).await?;
    }
    post(client, &format!("{game}/start"), &tokens[0], json!({})).await?;
    post(client, &format!("{game}/moves"), &tokens[0], json!({"id": "charge"})).await?;
    let seat = |token| Seat { client: client.clone(), moves: format!("{game}/moves"), token };
    Ok(tokens.into_iter().map(seat).collect())
}

impl Seat {
    /// Gives whatever packet is in hand; without one, the next try may find one.
    async fn race_until(self, end: Instant) -> Result<Vec<Duration>> {
        let mut times = Vec::new();
        let body = json!({"id": "give"});
        while Instant::now() < end {
            let before = Instant::now();
            let response = self.client.post(&self.moves).bearer_auth(&self.token).json(&body).send().await?;
            let (status, answer) = (response.status(), response.json::<Value>().await?);
            match status {
                StatusCode::OK => times.push(before.elapsed()),
                StatusCode::CONFLICT => {}
                _ => return Err(format!("{status} {answer}").into()),
            }
        }
        Ok(times)
    }
}
