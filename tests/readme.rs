//! The README is true: its tour is run word for word against a fresh server, in English and in French, and so are the
//! three lines that the server prints when it starts; what they answer has the shape that the README shows. The settings
//! it lists are all there are, and the clients it quotes are those that are played.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const README: &str = include_str!("../README.md");
const FRENCH: &str = include_str!("../README.fr.md");
const PROGRAM: &str = env!("CARGO_BIN_EXE_ludotheque");

/// What the README calls the server's address, and the program.
const ITS_ADDRESS: &str = "http://127.0.0.1:8080";
const ITS_PROGRAM: &str = "cargo run --release --";

/// Seconds for a script that takes one or two: a stream that never ends must not hold everything up.
const PATIENCE: &str = "120";

/// Fields whose values are the same in every run of the tour.
const TELLING: [&str; 6] = ["code", "detail", "kind", "status", "title", "type"];

/// A server of its own, until dropped.
struct Server {
    process: Child,
    address: String,
    /// What it says can be pasted.
    lines: Vec<String>,
    folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut process = Command::new(PROGRAM)
            .args(["--listen", "127.0.0.1:0", "--log", "warn", "--data"])
            .arg(folder.path().join("data"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut said = BufReader::new(process.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
        let first = said.next().expect("the server says where it listens");
        let address = first.split_whitespace().find(|word| word.starts_with("http://")).expect("an address");
        let address = address.trim_end_matches('.').to_owned();
        let lines = said.skip_while(|line| !line.is_empty()).skip(1).take_while(|line| !line.is_empty()).collect();
        Self { process, address, lines, folder }
    }

    /// What bash says to a script.
    #[track_caller]
    fn run(&self, script: &str) -> String {
        let mut bash = Command::new("timeout");
        bash.args([PATIENCE, "bash", "-e", "-c", script]).current_dir(self.folder.path());
        let output = bash.output().expect("bash is there");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}\n{said}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        said
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A fenced block: what it is said to be, and what is in it.
struct Block {
    language: &'static str,
    text: &'static str,
}

/// The fenced blocks of one section.
fn blocks(readme: &'static str, section: &str) -> Vec<Block> {
    let start = readme.find(&format!("\n## {section}\n")).expect("the section is there") + 1;
    let end = readme[start..].find("\n## ").map_or(readme.len(), |length| start + length);
    let mut parts = readme[start..end].split("```").skip(1);
    let mut blocks = Vec::new();
    while let (Some(block), _) = (parts.next(), parts.next()) {
        let (language, text) = block.split_once('\n').expect("a fence ends its line");
        blocks.push(Block { language, text });
    }
    blocks
}

#[test]
fn the_tour_answers_what_it_shows() {
    take_the_tour(&blocks(README, "Five-minute tour"));
}

#[test]
fn the_french_tour_answers_what_it_shows() {
    take_the_tour(&blocks(FRENCH, "Visite en cinq minutes"));
}

/// Runs all commands on a server of its own, and compares every answer with the one that is shown.
#[track_caller]
fn take_the_tour(blocks: &[Block]) {
    const NEXT: &str = "--- next block ---";
    let server = Server::start();
    let commands = blocks.iter().filter(|block| block.language == "sh").map(|block| block.text);
    let script = commands.collect::<Vec<_>>().join(&format!("\necho '{NEXT}'\n"));
    assert!(script.contains(ITS_ADDRESS) && script.contains(ITS_PROGRAM), "{script}");
    let script = script.replace(ITS_ADDRESS, &server.address).replace(ITS_PROGRAM, PROGRAM);
    let said = server.run(&script);
    let mut answers = said.split(NEXT).map(str::trim);
    let mut answer = "";
    let mut compared = 0;
    for block in blocks {
        match block.language {
            "sh" => answer = answers.next().expect("an answer for every block"),
            "json" => {
                let last = answer.lines().last().unwrap_or_default();
                is_as_shown(block.text, last);
                compared += 1;
            }
            "text" => {
                assert_eq!(block.text.trim().lines().count(), answer.lines().count(), "{answer}");
                block.text.lines().zip(answer.lines()).for_each(|(shown, real)| says(shown, real));
                compared += 1;
            }
            other => panic!("the tour has a block of {other:?}, which nobody checks"),
        }
    }
    assert!(compared >= 7, "only {compared} answers were compared");
}

#[test]
fn the_clients_quoted_are_those_that_are_played() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for readme in [README, FRENCH] {
        let files: Vec<_> = readme.lines().filter_map(|line| line.strip_prefix("| `clients/")).collect();
        assert_eq!(files.len(), 4, "{files:?}");
        let clients = files.iter().map(|row| {
            let file = row.split('`').next().expect("a file");
            let text =
                fs::read_to_string(root.join("clients").join(file)).unwrap_or_else(|why| panic!("{file}: {why}"));
            assert!(row.contains(&format!(", {} li", text.lines().count())), "{row}: {}", text.lines().count());
            text
        });
        let clients = clients.collect::<String>();
        let quoted = blocks(readme, "Clients");
        assert_eq!(quoted.iter().map(|block| block.language).collect::<Vec<_>>(), ["ts", "py"]);
        for block in quoted {
            assert!(clients.contains(block.text), "no client has\n{}", block.text);
        }
    }
}

#[test]
fn the_three_lines_at_start_up_make_a_game_join_and_play() {
    let server = Server::start();
    assert_eq!(server.lines.len(), 3, "{:?}", server.lines);
    let said = server.run(&server.lines.join("\n"));
    let answers: Vec<_> = said.lines().collect();
    let [game, joined, started, played] = answers[..] else { panic!("{said}") };
    assert!(game.starts_with("game_"), "{said}");
    assert_eq!((json(joined)["id"].as_str(), &json(joined)["you"]), (Some(game), &Value::from(1)));
    assert_eq!(json(started)["status"], "ACTIVE");
    assert_eq!((&json(played)["version"], &json(played)["events"][0]["type"]), (&4.into(), &"CHOSE".into()));
}

#[test]
fn the_settings_and_commands_listed_are_all_there_are() {
    let help = Command::new(PROGRAM).arg("--help").output().expect("the program starts");
    let help = String::from_utf8(help.stdout).expect("text");
    let words: Vec<_> = help.split(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c))).collect();
    let flags = words.iter().filter(|word| word.starts_with("--") && !["--help", "--version"].contains(word));
    let variables = words.iter().filter(|word| word.starts_with("LUDOTHEQUE_"));
    let there: BTreeSet<_> = flags.chain(variables).copied().collect();
    assert!(there.contains("--listen") && there.contains("LUDOTHEQUE_LISTEN"), "{help}");
    let listed: BTreeSet<_> = README
        .lines()
        .filter(|line| line.starts_with("| `--"))
        .flat_map(|line| line.split('`'))
        .filter(|word| word.starts_with("--") || word.starts_with("LUDOTHEQUE_"))
        .collect();
    assert_eq!(listed, there, "listed on the left, there on the right");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // What is indented further goes on with the description of the line before.
    let commands = commands.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    for command in commands.filter_map(|line| line.split_whitespace().next()).filter(|command| *command != "help") {
        assert!(README.contains(&format!("ludotheque {command}")), "the README does not mention {command}");
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[track_caller]
fn is_as_shown(shown: &str, real: &str) {
    let (shown, real) = (json(shown), json(real));
    shows(&shown, &real).unwrap_or_else(|why| panic!("{why}\nthe README shows\n{shown:#}\nbut it is\n{real:#}"));
}

/// A line of text, which in a stream may hold JSON.
#[track_caller]
fn says(shown: &str, real: &str) {
    match (shown.strip_prefix("data: "), real.strip_prefix("data: ")) {
        (Some(shown), Some(real)) => is_as_shown(shown, real),
        _ => assert_eq!(without_chance(shown), without_chance(real), "shown on the left"),
    }
}

/// Whether all that is shown is really there, in the same form. What is not shown may be anything, and so may values,
/// unless they are the same in every run.
fn shows(shown: &Value, real: &Value) -> Result<(), String> {
    match (shown, real) {
        (Value::Object(shown), Value::Object(real)) => shown.iter().try_for_each(|(key, shown)| {
            let real = real.get(key).ok_or_else(|| format!("there is no {key}"))?;
            if TELLING.contains(&key.as_str()) && shown != real {
                return Err(format!("{key} is {real}, not {shown}"));
            }
            shows(shown, real).map_err(|why| format!("{key}: {why}"))
        }),
        (Value::Array(shown), Value::Array(real)) if shown.len() <= real.len() => {
            shown.iter().zip(real).try_for_each(|(shown, real)| shows(shown, real))
        }
        (Value::Null, Value::Null)
        | (Value::Bool(_), Value::Bool(_))
        | (Value::Number(_), Value::Number(_))
        | (Value::String(_), Value::String(_)) => Ok(()),
        _ => Err(format!("{real} is not like {shown}")),
    }
}

/// A text without what differs from run to run: ids, digests, times.
fn without_chance(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let mut plain = String::new();
    let mut run = String::new();
    for c in text.chars().chain(['\n']) {
        if is_part(c) {
            run.push(c);
            continue;
        }
        // Digits of a time and long runs of hexadecimal ones are chance; words are not.
        let chance = run.len() >= 32 || (run.len() > 1 && run.chars().all(|c| c.is_ascii_digit()));
        plain.push_str(if chance { "…" } else { &run });
        run.clear();
        plain.push(c);
    }
    plain
}

#[test]
fn an_answer_that_is_not_as_shown_is_noticed() {
    let real = json(r#"{"code": "NOT_FOUND", "version": 3, "seats": [{"seat": 0}], "view": null}"#);
    for shown in
        [r#"{"code": "NOT_FOUND", "version": 7}"#, r#"{"seats": []}"#, r#"{"seats": [{"seat": 1}], "view": null}"#]
    {
        assert_eq!(shows(&json(shown), &real), Ok(()), "{shown}");
    }
    for shown in [
        r#"{"code": "GAME_OVER"}"#,
        r#"{"version": "3"}"#,
        r#"{"gone": 1}"#,
        r#"{"seats": [{"seat": 0}, {"seat": 1}]}"#,
        r#"{"seats": [{"chair": 0}]}"#,
        r#"{"view": {}}"#,
    ] {
        assert!(shows(&json(shown), &real).is_err(), "{shown}");
    }
    assert_eq!(without_chance("id: 5 at 12:30, 0123456789abcdef0123456789abcdef"), "id: 5 at …:…, …\n");
    assert_ne!(without_chance("all 5 steps"), without_chance("all 6 steps"));
}
