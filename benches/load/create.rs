//! `create`: making games one after the other, durably, beside boardgame.io in memory and on its files.

use super::client::{Connection, post};
use super::process::Server;
use super::progress::Bar;
use super::report::{Goal, Report};
use super::rivals::Rival;
use super::table::guest;
use super::times::Times;
use super::{Bench, Result};
use hyper::StatusCode;
use serde_json::json;
use std::time::Instant;

const CREATIONS: usize = 500;

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = Server::ours(&bench.folder("create"))?;
    let bar = Bar::new("games made", bench.seconds);
    let times = bench.runtime.block_on(create(&server.address))?;
    drop(bar);
    let ours = times.summary();
    report.run(format!("{CREATIONS} games made, one after the other"), ours, None);
    for rival in [Rival::BoardgameIoInMemory, Rival::BoardgameIoOnFiles] {
        let theirs = rival.play(bench, 1, 0, CREATIONS)?;
        report.compare("making a game, p50", "ms", ours.p50, (rival.name(), theirs.create_p50), Goal::AtMost(0.5));
    }
    Ok(())
}

async fn create(address: &str) -> Result<Times> {
    let mut connection = Connection::open(address).await?;
    let token = guest(&mut connection).await?;
    let question = post("/v1/games", &token, &json!({"kind": "CHIPS", "seats": 2}))?;
    let (start, mut each) = (Instant::now(), Vec::new());
    for _ in 0..CREATIONS {
        let before = Instant::now();
        let answer = connection.ask(question.clone()).await?;
        each.push(before.elapsed());
        if answer.status != StatusCode::CREATED {
            return Err(format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body)).into());
        }
    }
    Ok(Times::new(each, start.elapsed()))
}
