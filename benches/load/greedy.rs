//! `greedy`: what everybody else notices of greedy clients. Four tables play, each from an address of its own, first alone,
//! then beside ten thousand idle streams, then beside a flood from one address. The flood and the streams are made by
//! this very process, on the same cores as the server.

use super::tables::{Result, Server, Table, Times, post, report, while_the_bar_moves};
use reqwest::Client;
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

const TABLES: u8 = 4;
const STREAMS: u16 = 10_000;
/// As many as one address may have.
const OF_ONE_ADDRESS: u16 = 1_000;
const FLOODING: usize = 64;

pub fn run(folder: &Path, duration: Duration) -> Result<()> {
    let server = Server::start(&folder.join("data"), &["--address-rate", "5000"])?;
    let address = server.address.trim_start_matches("http://").parse()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let others = |name| others(&server.address, name, duration);
    let quiet = runtime.block_on(others("alone"))?;
    let streams = runtime.block_on(listen(&server.address, address))?;
    let idle = runtime.block_on(others("beside idle streams"))?;
    drop(streams);
    let flooded = runtime.block_on(async {
        let mut flood = JoinSet::new();
        (0..FLOODING).for_each(|_| drop(flood.spawn(drown(address))));
        others("beside a flood").await
    })?;

    println!("{:<44}{:>10}{:>10}{:>10}{:>10}", "", "per s", "p50 ms", "p99 ms", "p99.9 ms");
    report("moves of the others, alone", &quiet);
    report(&format!("beside {STREAMS} idle streams"), &idle);
    report("beside a flood from one address", &flooded);
    for (name, times) in [("idle streams", &idle), ("a flood", &flooded)] {
        println!("p99 beside {name}: {:.1} times the quiet one (3 at most)", times.permille(990) / quiet.permille(990));
    }
    Ok(())
}

/// Everybody else.
async fn others(server: &str, name: &str, duration: Duration) -> Result<Times> {
    let mut seated = Vec::new();
    for number in 1..=TABLES {
        let client = Client::builder().local_address(caller(0, 100 + number)).build()?;
        seated.push(Table::open(client, server).await?);
    }
    let start = Instant::now();
    let playing = seated.into_iter().map(|table| tokio::spawn(table.play_until(start + duration)));
    while_the_bar_moves(name.to_owned(), start, duration, playing.collect()).await
}

fn caller(x: u8, y: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(127, 0, x, y))
}

async fn connect(server: SocketAddr, from: IpAddr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(from, 0))?;
    Ok(socket.connect(server).await?)
}

/// Many who follow a game in which nothing happens.
async fn listen(url: &str, server: SocketAddr) -> Result<Vec<TcpStream>> {
    let client = Client::new();
    let host = post(&client, &format!("{url}/v1/players"), "", json!({"displayName": "Host"})).await?;
    let token = host["accessToken"].as_str().ok_or("no token")?;
    let game = post(&client, &format!("{url}/v1/games"), token, json!({"kind": "CHIPS"})).await?;
    let game = game["id"].as_str().ok_or("no game")?;
    let ask = format!("GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
    let mut streams = Vec::new();
    for number in 0..STREAMS {
        let mut stream = connect(server, caller(1, u8::try_from(number / OF_ONE_ADDRESS)? + 1)).await?;
        stream.write_all(ask.as_bytes()).await?;
        if stream.read(&mut [0; 4096]).await? == 0 {
            return Err("a stream was refused".into());
        }
        streams.push(stream);
    }
    Ok(streams)
}

/// Asks as fast as there are answers, several at a time, until it is dropped.
async fn drown(server: SocketAddr) -> Result<()> {
    let mut stream = connect(server, caller(0, 2)).await?;
    let ask = "GET /v1/kinds HTTP/1.1\r\nHost: x\r\n\r\n".repeat(8);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        stream.write_all(ask.as_bytes()).await?;
        if stream.read(&mut buffer).await? == 0 {
            return Err("it was cut off".into());
        }
    }
}
