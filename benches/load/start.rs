//! `start`: from the command to the first answer, with an empty folder and with one that was used before; and what the
//! server has of memory then.

use super::client::{Connection, get};
use super::process::Server;
use super::report::Report;
use super::times::Times;
use super::{Bench, Result};
use std::time::Instant;

const STARTS: usize = 11;

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let (mut first, mut again) = (Vec::new(), Vec::new());
    let mut memory = 0.0;
    let start = Instant::now();
    for number in 0..STARTS {
        let data = bench.folder(&format!("start-{number}"));
        for times in [&mut first, &mut again] {
            let before = Instant::now();
            let server = Server::ours(&data)?;
            bench.runtime.block_on(async { Connection::open(&server.address).await?.ask(get("/livez", "")?).await })?;
            times.push(before.elapsed());
            memory = server.process.memory()?;
        }
    }
    for (what, times) in [("start-up, empty folder, p50", first), ("start-up, used folder, p50", again)] {
        let summary = Times::new(times, start.elapsed()).summary();
        report.run(what, summary, None);
        report.state(what, "ms", summary.p50, None);
    }
    report.state("memory after the start", "MiB", memory / f64::from(1 << 20), None);
    Ok(())
}
