//! What the service does under load, held against its limits and its rivals in one run.
//!
//! `cargo bench --bench load` starts everything it measures itself, one after the other, each in a process of its own on
//! a free port of the loopback address and in a folder that it removes: the server (the release binary), a bare server
//! that sends the same bytes, the disk alone, and the rivals of `benches/rivals/`. It prints one table, and writes it to
//! `load.json` in the target folder. Only ratios mean something elsewhere; `docs/performance.md` tells what each is.
//!
//! `cargo bench --bench load -- moves quiet --seconds 3` runs two scenarios, for three seconds each measurement;
//! `-- --list` names all of them, `-- scale --games 1000000` takes its time, `-- greedy --attack passwords` is one attack
//! of the scenario `greedy`. `LUDOTHEQUE_BENCH_SERVER` is the path of a server to measure instead of the one built here.

#![allow(clippy::print_stdout, reason = "a benchmark reports")]
#![allow(clippy::cast_precision_loss, reason = "figures are rounded to three digits in any case")]

mod answers;
mod bare;
mod client;
mod create;
mod filler;
mod greedy;
mod limits;
mod loading_table;
mod moves;
mod nodes;
mod playouts;
mod process;
mod progress;
mod quiet;
mod reads;
mod report;
mod rivals;
mod scale;
mod start;
mod store_alone;
mod streams;
mod table;
mod times;
mod watched;
mod watchers;

use clap::Parser;
use report::Report;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::Runtime;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// A scenario: its name, what it measures, and how.
type Scenario = (&'static str, &'static str, fn(&Bench, &mut Report) -> Result<()>);

const SCENARIOS: &[Scenario] = &[
    ("reads", "view, legal moves, 304 and GraphQL, against a bare server", reads::run),
    ("moves", "durable moves at many tables, against the store, a bare server, the disk", moves::run),
    ("watched", "durable moves with watchers, against the rivals", watched::run),
    ("quiet", "durable moves at one table, against a bare server and the disk", quiet::run),
    ("loading-table", "seven clients at a table of LOADING", loading_table::run),
    ("streams", "idle streams, and one event to many watchers", streams::run),
    ("greedy", "what two players notice of a greedy address, attack by attack", greedy::run),
    ("nodes", "durable moves on several nodes that share a PostgreSQL", nodes::run),
    ("create", "making games, against boardgame.io", create::run),
    ("start", "how long the server takes to start", start::run),
    ("scale", "many stored games", scale::run),
    ("rules", "random games by the rules alone", playouts::run),
];

/// How long a measurement takes, and an attack, in seconds.
const SECONDS: u64 = 10;
const ATTACK_SECONDS: u64 = 30;

/// Measures the service, its limits and its rivals, side by side.
#[derive(Parser)]
#[command(after_help = "Scenarios run in the order they are listed; without any, all of them run.")]
struct Arguments {
    /// The scenarios to run
    scenarios: Vec<String>,
    /// How long each measurement takes: 10, and 30 for an attack of `greedy`, unless given
    #[arg(long)]
    seconds: Option<u64>,
    /// Runs only this attack of `greedy`; may be given several times
    #[arg(long = "attack", value_name = "NAME")]
    attacks: Vec<String>,
    /// Tables played at once, and connections of reads
    #[arg(long, default_value_t = 64)]
    tables: usize,
    /// Idle streams held open; the descriptor limit must allow a few more
    #[arg(long, default_value_t = 15_000)]
    streams: usize,
    /// Games stored, in `scale`
    #[arg(long, default_value_t = 100_000)]
    games: usize,
    /// Names the scenarios, and runs none
    #[arg(long)]
    list: bool,
    /// Where the figures are written as JSON
    #[arg(long, default_value = concat!(env!("CARGO_TARGET_TMPDIR"), "/load.json"))]
    json: PathBuf,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// What every scenario is handed.
struct Bench {
    seconds: Duration,
    /// How long an attack of `greedy` lasts.
    attack_seconds: Duration,
    /// The attacks to run; none for all of them.
    attacks: Vec<String>,
    tables: usize,
    streams: usize,
    games: usize,
    runtime: Runtime,
    folder: tempfile::TempDir,
}

impl Bench {
    /// A folder that is there for the length of the run.
    fn folder(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn scratch(&self) -> &Path {
        self.folder.path()
    }
}

fn main() -> Result<()> {
    // The parts of a measurement that need a process of their own are this program again.
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.split_first() {
        Some((part, rest)) if part == bare::PART => return bare::run(rest),
        Some((part, rest)) if part == watchers::PART => return watchers::run(rest),
        Some((part, rest)) if part == greedy::PART => return greedy::attack(rest),
        _ => {}
    }
    let arguments = Arguments::parse();
    if arguments.list {
        for (name, what, _) in SCENARIOS {
            println!("{name:<16}{what}");
        }
        println!("\nattacks of greedy");
        for attack in greedy::ATTACKS {
            println!("{:<16}{}", attack.name, attack.what);
        }
        return Ok(());
    }
    let is_known = |name: &String| SCENARIOS.iter().any(|(known, ..)| known == name);
    if let Some(unknown) = arguments.scenarios.iter().find(|name| !is_known(name)) {
        return Err(format!("there is no scenario {unknown}; `--list` names them").into());
    }
    let bench = Bench {
        seconds: Duration::from_secs(arguments.seconds.unwrap_or(SECONDS).max(1)),
        attack_seconds: Duration::from_secs(arguments.seconds.unwrap_or(ATTACK_SECONDS).max(1)),
        attacks: arguments.attacks,
        tables: arguments.tables.max(1),
        streams: arguments.streams,
        games: arguments.games,
        runtime: Runtime::new()?,
        folder: tempfile::tempdir()?,
    };
    let wanted = |name: &str| arguments.scenarios.is_empty() || arguments.scenarios.iter().any(|wanted| wanted == name);
    let mut report = Report::default();
    for (name, _, run) in SCENARIOS.iter().filter(|(name, ..)| wanted(name)) {
        report.begin(name);
        // A scenario that fails must not lose the figures of the others.
        if let Err(error) = run(&bench, &mut report) {
            report.fail(error.as_ref());
        }
    }
    report.print();
    report.write(&arguments.json)?;
    println!("written to {}", arguments.json.display());
    if report.failed() { Err("a scenario failed, see above".into()) } else { Ok(()) }
}
