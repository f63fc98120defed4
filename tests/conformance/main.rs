//! Clients, audits, linters and testers of others, against the running program: one folder each, with pinned versions.
//! Each script prints a line for each of its checks, and each line counts as a test here, which is why this is no usual
//! test binary. Needs node 20 or later with npm, and Python 3.10 or later with venv.
#![allow(clippy::print_stdout, reason = "it reports like a test binary")]
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod server;
mod suites;
mod tools;

use server::Server;
use std::env;
use std::process::{Command, ExitCode};
use std::time::Instant;
use suites::{SUITES, Script, Suite};
use tools::Tools;

/// Seconds for a script that takes one or two minutes.
const PATIENCE: &str = "400";

/// A check by its name, and why it failed if it did.
type Check = (String, Result<(), String>);

/// Runs a script, and tells for each of its checks whether it passed, or why not.
fn run(tools: &Tools, script: &Script) -> Vec<Check> {
    let server = Server::start();
    let mut command = Command::new("timeout");
    command.arg(PATIENCE).args(tools.how_to_run(script)).current_dir(&tools.folder);
    command.env("LUDOTHEQUE_URL", &server.url).env("LUDOTHEQUE_SOURCES", env!("CARGO_MANIFEST_DIR"));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let mut checks: Vec<Check> = said
        .lines()
        .filter_map(|line| match (line.strip_prefix("ok "), line.strip_prefix("not ok ")) {
            (Some(name), _) => Some((name.to_owned(), Ok(()))),
            (_, Some(failed)) => Some((failed.to_owned(), Err(String::new()))),
            _ => None,
        })
        .collect();
    if !output.status.success() || checks.len() < script.fewest {
        let errors = String::from_utf8_lossy(&output.stderr);
        let why = format!("{} checks of {}, {}: {errors}", checks.len(), script.fewest, output.status);
        checks.push(("runs to its end".to_owned(), Err(why)));
    }
    checks
}

/// What was asked for on the command line, as of any test binary.
#[derive(Default)]
struct Wanted {
    names: Vec<String>,
    skipped: Vec<String>,
    list: bool,
}

impl Wanted {
    fn read() -> Self {
        let mut wanted = Self::default();
        let mut arguments = env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--skip" => wanted.skipped.extend(arguments.next()),
                "--list" => wanted.list = true,
                flag if flag.starts_with('-') => {}
                name => wanted.names.push(name.to_owned()),
            }
        }
        wanted
    }

    fn has(&self, name: &str) -> bool {
        let is_part = |part: &String| name.contains(part.as_str());
        (self.names.is_empty() || self.names.iter().any(is_part)) && !self.skipped.iter().any(is_part)
    }
}

/// Reports the checks of a script under its name, as a test binary of its own would. Whether all passed.
fn report(name: &str, start: Instant, checks: Vec<Check>) -> bool {
    println!("     Running {name}");
    let (mut passed, mut failed) = (0, 0);
    for (check, result) in checks {
        match result {
            Ok(()) => {
                passed += 1;
                println!("test {name}: {check} ... ok");
            }
            Err(why) => {
                failed += 1;
                println!("test {name}: {check} ... FAILED {why}");
            }
        }
    }
    let (word, seconds) = (if failed == 0 { "ok" } else { "FAILED" }, start.elapsed().as_secs_f64());
    println!(
        "\ntest result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in {seconds:.2}s\n"
    );
    failed == 0
}

fn name(suite: &Suite, script: &Script) -> String {
    format!("conformance::{}::{}", suite.name, script.name())
}

fn main() -> ExitCode {
    let wanted = Wanted::read();
    let runs_long = env::var_os("LUDOTHEQUE_TEST_LONG").is_some();
    let mut all_passed = true;
    for suite in SUITES {
        let is_wanted = |script: &&Script| (!script.is_long || runs_long) && wanted.has(&name(suite, script));
        let scripts: Vec<_> = suite.scripts.iter().filter(is_wanted).collect();
        if wanted.list {
            for script in scripts {
                println!("{}: test", name(suite, script));
            }
            continue;
        }
        if scripts.is_empty() {
            continue;
        }
        let start = Instant::now();
        match Tools::install(suite) {
            Err(why) => all_passed &= report(suite.name, start, vec![("can be installed".to_owned(), Err(why))]),
            Ok(tools) => {
                for script in scripts {
                    let start = Instant::now();
                    all_passed &= report(&name(suite, script), start, run(&tools, script));
                }
            }
        }
    }
    if all_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
