//! Clients, audits, linters and testers of others, against the running program: one folder each, with pinned versions. Each
//! script is a test; it prints a line for each of its checks, and its failure names those that failed. Needs node 20 or later
//! with npm, and Python 3.10 or later with venv.
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod suites;
mod tools;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::{Command, ExitCode};
use suites::{SUITES, Script, Suite};
use test_support::program::UNLIMITED;
use test_support::{Program, folder, is_long_run};
use tools::Tools;

/// Seconds for a script that takes one or two minutes.
const PATIENCE: &str = "400";

/// Runs a script of a suite against a server of its own.
fn run(suite: &Suite, script: &Script) -> Result<(), Failed> {
    let tools = Tools::install(suite)?;
    let data = folder();
    let server = Program::start(data.path(), &[&UNLIMITED[..], &["--log", "warn"]].concat());
    let mut command = Command::new("timeout");
    command.arg(PATIENCE).args(tools.how_to_run(script)).current_dir(&tools.folder);
    command.env("LUDOTHEQUE_URL", &server.url).env("LUDOTHEQUE_SOURCES", env!("CARGO_MANIFEST_DIR"));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let failed: Vec<_> = said.lines().filter(|line| line.starts_with("not ok ")).collect();
    let checks = failed.len() + said.lines().filter(|line| line.starts_with("ok ")).count();
    if failed.is_empty() && output.status.success() && checks >= script.fewest {
        return Ok(());
    }
    let (status, fewest, errors) = (output.status, script.fewest, String::from_utf8_lossy(&output.stderr));
    let failed = failed.join("\n");
    Err(format!("{status}, {checks} checks where {fewest} at least were due\n{failed}\n{errors}").into())
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Each of them keeps the machine busy by itself, and those of a suite share a folder.
    arguments.test_threads.get_or_insert(1);
    let scripts = SUITES.iter().flat_map(|suite| suite.scripts.iter().map(move |script| (suite, script)));
    let trials = scripts.filter(|(_, script)| !script.is_long || is_long_run()).map(|(suite, script)| {
        let name = format!("conformance::{}::{}", suite.name, script.name());
        // All of them are slow: clients are installed, built and run.
        Trial::test(name, move || run(suite, script)).with_ignored_flag(true)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
