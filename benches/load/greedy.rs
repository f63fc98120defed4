//! `greedy`: what everybody else notices of greedy clients. Four tables play, each from an address of its own, first alone,
//! then beside idle streams, then beside a flood from one address. The flood and the streams are made by this very
//! process, on the same cores as the server.

use super::client::connect;
use super::process::Server;
use super::progress::Bar;
use super::report::{Goal, Report};
use super::table::{Setup, Table, play_at};
use super::times::Summary;
use super::{Bench, Result};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const TABLES: u8 = 4;
const STREAMS: u16 = 10_000;
/// As many as one address may have.
const OF_ONE_ADDRESS: u16 = 1_000;
/// Connections of the flood.
const FLOODING: usize = 64;
/// Requests that each of them sends at once.
const AT_ONCE: usize = 8;
/// What one address may ask for in a second.
const RATE: &str = "5000";
/// About how long the streams take to be there.
const ARRIVAL: Duration = Duration::from_secs(5);

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = Server::ours_with(&bench.folder("greedy"), &["--address-rate", RATE])?;
    let quiet = others(bench, &server)?;
    report.run(format!("moves of {TABLES} tables, alone"), quiet, None);
    let bar = Bar::new(format!("{STREAMS} idle streams"), ARRIVAL);
    let streams = bench.runtime.block_on(listen(&server.address))?;
    drop(bar);
    let idle = others(bench, &server)?;
    drop(streams);
    report.run(format!("beside {STREAMS} idle streams"), idle, None);
    let mut flood = JoinSet::new();
    (0..FLOODING).for_each(|_| drop(flood.spawn_on(drown(server.address.clone()), bench.runtime.handle())));
    let flooded = others(bench, &server)?;
    drop(flood);
    report.run("beside a flood from one address", flooded, None);
    for (what, times) in [("p99 beside idle streams", idle), ("p99 beside a flood", flooded)] {
        report.compare(what, "ms", times.p99, ("alone", quiet.p99), Goal::AtMost(3.0));
    }
    Ok(())
}

/// Everybody else.
fn others(bench: &Bench, server: &Server) -> Result<Summary> {
    let tables = bench.runtime.block_on(async {
        let mut tables = Vec::new();
        for number in 1..=TABLES {
            let setup = Setup { from: Some(caller(0, 100 + number)), ..Setup::of(1) };
            tables.push(Table::lay(&server.address, &setup).await?);
        }
        Result::Ok(tables)
    })?;
    Ok(play_at(bench, tables)?.summary())
}

fn caller(x: u8, y: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, 0, x, y))
}

/// Many who follow a game in which nothing happens.
async fn listen(server: &str) -> Result<Vec<TcpStream>> {
    let game = Table::open(server).await?.path();
    let ask = format!("GET {game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
    let mut streams = Vec::new();
    for number in 0..STREAMS {
        let mut stream = connect(caller(1, u8::try_from(number / OF_ONE_ADDRESS)? + 1), server).await?;
        stream.write_all(ask.as_bytes()).await?;
        if stream.read(&mut [0; 4096]).await? == 0 {
            return Err("a stream was refused".into());
        }
        streams.push(stream);
    }
    Ok(streams)
}

/// Asks as fast as there are answers, several at a time, until it is dropped.
async fn drown(server: String) -> Result<()> {
    let mut stream = connect(caller(0, 2), &server).await?;
    let ask = "GET /v1/kinds HTTP/1.1\r\nHost: x\r\n\r\n".repeat(AT_ONCE);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        stream.write_all(ask.as_bytes()).await?;
        if stream.read(&mut buffer).await? == 0 {
            return Err("it was cut off".into());
        }
    }
}
