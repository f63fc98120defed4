//! Durable moves over HTTP: how many a second, and how long each takes.
//!
//! `cargo bench --bench load` starts the server (the release binary, in a process of its own, on a free port, in a folder
//! it removes), seats two players at each of 64 tables of Chips, and plays for ten seconds, every table as fast as it
//! gets answers. `cargo bench --bench load -- 16 30` takes 16 tables and 30 seconds. What one writer gets out of the same
//! disk with one fdatasync per move is measured in the same run, because only the ratio means something elsewhere.
//!
//! `cargo bench --bench load -- loading-table` runs the scenario of `loading_table.rs` instead, `greedy` that of
//! `greedy.rs`; a number is its seconds.

#![allow(clippy::print_stdout, reason = "a benchmark reports")]

mod greedy;
mod loading_table;
#[path = "../tables/mod.rs"]
mod tables;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use tables::{Result, Server, Times, play, report};

fn main() -> Result<()> {
    type Scenario = fn(&Path, Duration) -> Result<()>;
    for (name, run) in [("loading-table", loading_table::run as Scenario), ("greedy", greedy::run)] {
        if std::env::args().any(|arg| arg == name) {
            let seconds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(10);
            return run(tempfile::tempdir()?.path(), Duration::from_secs(seconds));
        }
    }
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let tables: usize = numbers.next().unwrap_or(64);
    let seconds = u64::try_from(numbers.next().unwrap_or(10))?;
    let folder = tempfile::tempdir()?;
    let alone = one_writer(&folder.path().join("alone"), Duration::from_secs(2))?;
    let server = Server::start(&folder.path().join("data"), &[])?;
    let runtime = tokio::runtime::Runtime::new()?;
    let busy = runtime.block_on(play(&[&server.address], tables, Duration::from_secs(seconds)))?;
    let quiet = runtime.block_on(play(&[&server.address], 1, Duration::from_secs(3)))?;

    println!("{:<44}{:>10}{:>10}{:>10}{:>10}", "", "per s", "p50 ms", "p99 ms", "p99.9 ms");
    report("one writer, one fdatasync each", &alone);
    report("durable moves over HTTP, 1 table", &quiet);
    report(&format!("durable moves over HTTP, {tables} tables"), &busy);
    println!("{tables} tables against one writer: {:.1} times", busy.per_second() / alone.per_second());
    Ok(())
}

/// What the disk gives to one writer who waits for it every time.
fn one_writer(file: &Path, duration: Duration) -> Result<Times> {
    let mut file = File::create(file)?;
    let start = Instant::now();
    let mut each = Vec::new();
    while start.elapsed() < duration {
        let before = Instant::now();
        file.write_all(&[7; 200])?;
        file.sync_data()?;
        each.push(before.elapsed());
    }
    let all = start.elapsed();
    each.sort_unstable();
    Ok(Times { each, all })
}
