//! Clients and audits of others, against the running program: `tests/conformance/graphql` has them, pinned in its lock
//! file. Each script prints a line for each of its checks, and each line counts as a test here, which is why this is no
//! usual test binary. Needs node 20 or later, and npm.
#![allow(clippy::print_stdout, reason = "it reports like a test binary")]
#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Instant;
use std::{env, fs};

const SCRIPTS: [&str; 6] = ["audits", "graphql-ws", "graphql-sse", "apollo", "urql", "graphql-request"];

/// What the scripts print at least: one that ended early must not pass.
const FEWEST: [(&str, usize); 6] =
    [("audits", 62), ("graphql-ws", 10), ("graphql-sse", 8), ("apollo", 8), ("urql", 6), ("graphql-request", 7)];

/// Seconds for a script that takes a few.
const PATIENCE: &str = "300";

/// A server of its own, until dropped.
struct Server {
    process: Child,
    url: String,
    _data: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_ludotheque"))
            .args(["--listen", "127.0.0.1:0", "--log", "warn", "--player-rate", "0", "--address-rate", "0", "--data"])
            .arg(data.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let url = said.split_whitespace().find(|word| word.starts_with("http://")).unwrap_or_else(|| panic!("{said}"));
        Self { process, url: url.trim_end_matches('.').to_owned(), _data: data }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The scripts with all they need, installed once for each lock file.
fn install() -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/graphql");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance");
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(&source).unwrap() {
        let file = entry.unwrap().path();
        if file.is_file() {
            fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
        }
    }
    let (lock, installed) = (folder.join("package-lock.json"), folder.join("installed"));
    if fs::read(&installed).ok() == fs::read(&lock).ok() {
        return Ok(folder);
    }
    let npm =
        Command::new("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&folder).output();
    match npm {
        Err(error) => Err(format!("npm can't be run ({error}); ./scripts/test installs node and npm")),
        Ok(output) if !output.status.success() => Err(format!("npm ci: {}", String::from_utf8_lossy(&output.stderr))),
        Ok(_) => {
            fs::copy(&lock, &installed).unwrap();
            Ok(folder)
        }
    }
}

/// Runs a script, and tells for each of its checks whether it passed, or why not.
fn run(folder: &Path, script: &str) -> Vec<(String, Result<(), String>)> {
    let server = Server::start();
    let mut node = Command::new("timeout");
    node.args([PATIENCE, "node", &format!("{script}.mjs")]).current_dir(folder).env("LUDOTHEQUE_URL", &server.url);
    let output = node.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let mut checks: Vec<_> = said
        .lines()
        .filter_map(|line| match (line.strip_prefix("ok "), line.strip_prefix("not ok ")) {
            (Some(name), _) => Some((name.to_owned(), Ok(()))),
            (_, Some(failed)) => Some((failed.to_owned(), Err(String::new()))),
            _ => None,
        })
        .collect();
    let fewest = HashMap::from(FEWEST)[script];
    if !output.status.success() || checks.len() < fewest {
        let errors = String::from_utf8_lossy(&output.stderr);
        let why = format!("{} checks of {fewest}, {}: {errors}", checks.len(), output.status);
        checks.push(("runs to its end".to_owned(), Err(why)));
    }
    checks
}

fn main() -> ExitCode {
    let (mut wanted, mut unwanted, mut list) = (Vec::new(), Vec::new(), false);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--skip" => unwanted.extend(arguments.next()),
            "--list" => list = true,
            flag if flag.starts_with('-') => {}
            name => wanted.push(name.to_owned()),
        }
    }
    let is_meant = |script: &&str| {
        let name = format!("conformance::{script}");
        (wanted.is_empty() || wanted.iter().any(|part| name.contains(part)))
            && !unwanted.iter().any(|part| name.contains(part))
    };
    let scripts: Vec<_> = SCRIPTS.into_iter().filter(is_meant).collect();
    if list {
        for script in scripts {
            println!("conformance::{script}: test");
        }
        return ExitCode::SUCCESS;
    }
    let start = Instant::now();
    let (mut passed, mut failed) = (0, 0);
    let mut report = |script: &str, name: &str, result: Result<(), String>| match result {
        Ok(()) => {
            passed += 1;
            println!("test conformance::{script}: {name} ... ok");
        }
        Err(why) => {
            failed += 1;
            println!("test conformance::{script}: {name} ... FAILED {why}");
        }
    };
    if !scripts.is_empty() {
        match install() {
            Err(why) => report("install", "the clients of others", Err(why)),
            Ok(folder) => {
                for script in scripts {
                    for (name, result) in run(&folder, script) {
                        report(script, &name, result);
                    }
                }
            }
        }
    }
    let (word, seconds) = (if failed == 0 { "ok" } else { "FAILED" }, start.elapsed().as_secs_f64());
    println!(
        "\ntest result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in {seconds:.2}s\n"
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
