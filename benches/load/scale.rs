//! `scale`: a store with many games beside one with a thousand: opening it, its memory, reading any of them, its disk.

use super::client::{Connection, get};
use super::filler::Played;
use super::process::{Server, command};
use super::progress::Bar;
use super::report::{Goal, Report};
use super::times::{Summary, Times};
use super::{Bench, Result};
use ludotheque::ids::GameId;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const FEW: usize = 1000;
const CONNECTIONS: usize = 8;
const MIB: f64 = 1_048_576.0;

/// A store that was filled, opened and read from.
struct Store {
    opening: Duration,
    memory: [f64; 2],
    reads: Summary,
    disk: f64,
    compacted: f64,
}

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let played = Played::new(bench)?;
    let few = Store::measure(bench, &played, FEW)?;
    let many = Store::measure(bench, &played, bench.games)?;
    for (count, store) in [(FEW, &few), (bench.games, &many)] {
        report.run(format!("reads of any of {count} games"), store.reads, None);
        report.state(&format!("opening {count} games"), "s", store.opening.as_secs_f64(), None);
        report.state(&format!("memory, {count} games, opened"), "MiB", store.memory[0] / MIB, None);
        report.state(&format!("memory, {count} games, read from"), "MiB", store.memory[1] / MIB, None);
        report.state(&format!("disk for each of {count} games"), "KB", store.disk / count as f64 / 1000.0, None);
    }
    let count = bench.games;
    report.state(&format!("opening {count} games"), "s", many.opening.as_secs_f64(), Some(Goal::AtMost(3.0)));
    report.state(&format!("memory, {count} games"), "MB", many.memory[1] / 1e6, Some(Goal::AtMost(400.0)));
    let against = (format!("{FEW} games"), few.reads.p99);
    report.compare("a read of any game, p99", "ms", many.reads.p99, (&against.0, against.1), Goal::AtMost(2.0));
    let each = many.compacted / count as f64 / 1000.0;
    report.state("disk for each game, compacted", "KB", each, Some(Goal::AtMost(5.0)));
    Ok(())
}

impl Store {
    fn measure(bench: &Bench, played: &Played, count: usize) -> Result<Self> {
        let data = bench.scratch().join(format!("scale-{count}"));
        let ids: Arc<[GameId]> = played.import(&data, count)?.into();
        let before = Instant::now();
        let server = Server::ours(&data)?;
        let opening = before.elapsed();
        let opened = server.process.memory()?;
        let bar = Bar::new(format!("reads of any of {count} games"), bench.seconds);
        let reads = bench.runtime.block_on(read_any(&server.address, &ids, bench.seconds))?.summary();
        drop(bar);
        let memory = [opened, server.process.memory()?];
        drop(server);
        let disk = disk(&data)?;
        let bar = Bar::new(format!("compacting {count} games"), Duration::from_secs(count as u64 / 1000));
        command(&data, &["compact"])?;
        drop(bar);
        let compacted = self::disk(&data)?;
        fs::remove_dir_all(&data)?;
        Ok(Self { opening, memory, reads, disk, compacted })
    }
}

/// As anybody may: all these games are public.
async fn read_any(address: &str, ids: &Arc<[GameId]>, duration: Duration) -> Result<Times> {
    let end = Instant::now() + duration;
    let reading = (1..=CONNECTIONS).map(|mut chance| {
        let (address, ids) = (address.to_owned(), ids.clone());
        async move {
            let mut connection = Connection::open(&address).await?;
            let (mut before, mut times) = (Instant::now(), Vec::new());
            while before < end {
                // The minimal standard generator: every game is as likely, and the same ones are read in every run.
                chance = (chance * 48_271) % 2_147_483_647;
                let question = get(&format!("/v1/games/{}", ids[chance % ids.len()]), "")?;
                before = Instant::now();
                let answer = connection.ask(question).await?;
                times.push(before.elapsed());
                if !answer.status.is_success() {
                    return Err(format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body)).into());
                }
            }
            Ok(times)
        }
    });
    Times::of_all(reading).await
}

/// Bytes that a folder takes.
fn disk(folder: &Path) -> Result<f64> {
    let mut bytes = 0.0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        bytes += if about.is_dir() { disk(&entry.path())? } else { about.blocks() as f64 * 512.0 };
    }
    Ok(bytes)
}
