//! Durable moves on one, two and three nodes that share a PostgreSQL, against one node on the embedded store; and how soon a
//! stream from one node tells a move that was played on another.
//!
//! `cargo bench --bench nodes` starts everything itself, PostgreSQL included, on this machine, and plays for ten seconds each;
//! `cargo bench --bench nodes -- 32 5` takes 32 tables and 5 seconds. All of it shares the processors, clients too, so only
//! the ratios mean something elsewhere.

#![allow(clippy::print_stdout, reason = "a benchmark reports")]

#[allow(dead_code, reason = "the tests use all of it")]
#[path = "../tests/postgres/mod.rs"]
mod postgres;
mod tables;

use futures::StreamExt;
use postgres::{Cluster, Disk};
use reqwest::Client;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tables::{Result, Server, Times, choose, play, post, report};

/// How many moves are timed on their way from one node to a stream of another.
const TOLD: usize = 500;

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let tables: usize = numbers.next().unwrap_or(64);
    let duration = Duration::from_secs(u64::try_from(numbers.next().unwrap_or(10))?);
    let folder = tempfile::tempdir()?;
    let runtime = tokio::runtime::Runtime::new()?;
    println!("{:<44}{:>10}{:>10}{:>10}{:>10}", "", "per s", "p50 ms", "p99 ms", "p99.9 ms");
    let alone = {
        let server = Server::start(&folder.path().join("sled"), &[])?;
        runtime.block_on(play(&[&server.address], tables, duration))?
    };
    report("one node, embedded store", &alone);
    let cluster = Cluster::start(Disk::Synced);
    cluster.prepare();
    for count in 1..=3 {
        let url = cluster.database(&format!("bench_{count}"));
        let data = folder.path().join("data");
        let nodes = (0..count).map(|_| Server::start(&data, &["--store", &url])).collect::<Result<Vec<_>>>()?;
        let addresses: Vec<_> = nodes.iter().map(|node| node.address.as_str()).collect();
        let shared = runtime.block_on(play(&addresses, tables, duration))?;
        report(&format!("{count} on PostgreSQL"), &shared);
        println!("{:<44}{:>10.2}", "  against the embedded store", shared.per_second() / alone.per_second());
        if let [one, two, ..] = addresses[..] {
            report("  from the answer to another node's stream", &runtime.block_on(told(one, two))?);
        }
    }
    Ok(())
}

/// How long after a move was acknowledged by one node a stream from another tells it.
async fn told(one: &str, two: &str) -> Result<Times> {
    let client = Client::new();
    let start = Instant::now();
    let mut each = Vec::new();
    while each.len() < TOLD {
        let mut players = Vec::new();
        for name in ["Ada", "Bob"] {
            let player = post(&client, &format!("{one}/v1/players"), "", json!({"displayName": name})).await?;
            players.push(player["accessToken"].as_str().ok_or("no token")?.to_owned());
        }
        let made = post(&client, &format!("{one}/v1/games"), &players[0], json!({"kind": "CHIPS", "seats": 2})).await?;
        let path = format!("/v1/games/{}", made["id"].as_str().ok_or("no game")?);
        post(&client, &format!("{one}{path}/seats"), &players[1], json!({})).await?;
        post(&client, &format!("{one}{path}/start"), &players[0], json!({})).await?;
        let stream = client.get(format!("{two}{path}/events")).header("accept", "text/event-stream").send().await?;
        let (heard, mut hearing) = tokio::sync::mpsc::unbounded_channel();
        let listening = tokio::spawn(async move {
            let mut bytes = stream.bytes_stream();
            while let Some(Ok(chunk)) = bytes.next().await {
                let text = String::from_utf8_lossy(&chunk).into_owned();
                let versions = text.lines().filter_map(|line| line.strip_prefix("id: ")?.parse::<u64>().ok());
                for version in versions {
                    let _unheard = heard.send((version, Instant::now()));
                }
            }
        });
        let mut over = false;
        while !over && each.len() < TOLD {
            for (seat, token) in players.iter().enumerate() {
                let request = client.get(format!("{one}{path}")).bearer_auth(token);
                let game: Value = request.send().await?.error_for_status()?.json().await?;
                let Some(mv) = choose(&game["view"], seat) else { continue };
                let played = post(&client, &format!("{one}{path}/moves"), token, json!({"id": mv})).await?;
                let answered = Instant::now();
                let version = played["version"].as_u64().ok_or("no version")?;
                while let Some((told, at)) = hearing.recv().await {
                    if told >= version {
                        each.push(at.saturating_duration_since(answered));
                        break;
                    }
                }
                over = played["game"]["outcome"].is_object();
                if over {
                    break;
                }
            }
        }
        listening.abort();
    }
    each.sort_unstable();
    Ok(Times { each, all: start.elapsed() })
}
