//! `streams`: memory of an idle watcher, and how soon many watchers receive a move.

use super::process::Server;
use super::progress::Bar;
use super::report::{Goal, Report};
use super::table::{Setup, Table};
use super::times::Times;
use super::watchers::{self, By};
use super::{Bench, Result};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Watchers that receive each move.
const WATCHERS: usize = 1000;
/// Pairs of moves that they receive.
const PAIRS: usize = 25;
/// A game that is not over before that.
const TOKENS: u8 = 20;
/// Time for buffers to be given back, and then for watching what being idle takes.
const SETTLE: Duration = Duration::from_secs(3);
/// About how many come in a second.
const ARRIVALS: u64 = 1500;

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    for by in [By::Sse, By::WebSocket] {
        be_idle(bench, report, by)?;
    }
    tell(bench, report)
}

fn be_idle(bench: &Bench, report: &mut Report, by: By) -> Result<()> {
    let (count, name) = (bench.streams, by.name());
    let server = Server::ours(&bench.folder(&format!("idle-{name}")))?;
    let table = bench.runtime.block_on(Table::open(&server.address))?;
    let before = server.process.memory()?;
    let arriving = Duration::from_secs(count as u64 / ARRIVALS);
    let bar = Bar::new(format!("{count} idle streams by {name}"), arriving + 2 * SETTLE);
    let _watching = watchers::start(&server.address, &table, by, count)?;
    thread::sleep(SETTLE);
    let memory = (server.process.memory()? - before) / count as f64;
    let ((), cpu) = server.cpu_of(|| {
        thread::sleep(SETTLE);
        Ok(())
    })?;
    drop(bar);
    report.state(&format!("streams held at once, {name}"), "", count as f64, Some(Goal::AtLeast(15_000.0)));
    report.state(&format!("memory of an idle stream, {name}"), "KB", memory / 1000.0, Some(Goal::AtMost(12.0)));
    report.state(
        &format!("a core's share taken by all of them, {name}"),
        "%",
        100.0 * cpu / SETTLE.as_secs_f64(),
        None,
    );
    Ok(())
}

/// From sending a move to each of its watchers having it, the disk included.
fn tell(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = Server::ours(&bench.folder("told"))?;
    let mut table =
        bench.runtime.block_on(Table::lay(&server.address, &Setup { target: Some(TOKENS), ..Setup::of(1) }))?;
    let bar = Bar::new(format!("one event to {WATCHERS} watchers"), Duration::from_secs(5));
    let mut watching = watchers::start(&server.address, &table, By::Sse, WATCHERS)?;
    let (start, mut each) = (Instant::now(), Vec::new());
    for _ in 0..PAIRS {
        let mut took = Vec::new();
        let sent = SystemTime::now().duration_since(UNIX_EPOCH)?;
        bench.runtime.block_on(table.play_both(&mut took))?;
        let mut sent = sent.as_micros();
        for took in took {
            let heard: Vec<u128> = serde_json::from_str(&watching.line()?)?;
            let after = |at: u128| Duration::from_micros(u64::try_from(at.saturating_sub(sent)).unwrap_or(u64::MAX));
            each.extend(heard.into_iter().map(after));
            sent += took.as_micros();
        }
    }
    drop(bar);
    let summary = Times::new(each, start.elapsed()).summary();
    report.run(format!("one move told to {WATCHERS} watchers"), summary, None);
    report.state(&format!("one move told to {WATCHERS} watchers, p99"), "ms", summary.p99, Some(Goal::AtMost(50.0)));
    Ok(())
}
