//! Both READMEs are true. Every shell command in them runs word for word against a real server, except the two that build
//! it: a game is played to its winner, its replay is verified, and the answers have the shape that the READMEs show. Both
//! have the same code, and neither is long. The three lines that the server prints when it starts run too.

use serde_json::{Deserializer, Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const ENGLISH: &str = include_str!("../../README.md");
const FRENCH: &str = include_str!("../../README.fr.md");
const BOTH: [&str; 2] = [ENGLISH, FRENCH];
const PROGRAM: &str = env!("CARGO_BIN_EXE_ludotheque");

/// The server's address and program in the READMEs.
const ADDRESS_SHOWN: &str = "http://127.0.0.1:8080";
const PROGRAM_SHOWN: &str = "target/release/ludotheque";

/// The only shell block that is not run.
const BUILD: &str = "git clone <the repository> ludotheque && cd ludotheque\ncargo run --release\n";

/// Lines of a README, at most.
const MOST_LINES: usize = 200;

/// Seconds for a script that takes one or two: a stream that never ends must not block the tests.
const TIME_LIMIT: &str = "120";

/// Fields whose values are the same in every run of the tour.
const CONSTANT: [&str; 6] = ["code", "detail", "kind", "status", "title", "type"];

/// A server of its own, until dropped.
struct Server {
    process: Child,
    address: String,
    /// What it prints to be pasted into a terminal.
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
        let mut printed =
            BufReader::new(process.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
        let first = printed.next().expect("the server says where it listens");
        let address = first.split_whitespace().find(|word| word.starts_with("http://")).expect("an address");
        let address = address.trim_end_matches('.').to_owned();
        let lines = printed.skip_while(|line| !line.is_empty()).skip(1).take_while(|line| !line.is_empty()).collect();
        let shown = folder.path().join(PROGRAM_SHOWN);
        fs::create_dir_all(shown.parent().expect("a folder")).expect("a folder that can be written");
        symlink(PROGRAM, shown).expect("a link to the program");
        Self { process, address, lines, folder }
    }

    /// What bash prints when it runs a script.
    #[track_caller]
    fn run(&self, script: &str) -> String {
        let mut bash = Command::new("timeout");
        bash.args([TIME_LIMIT, "bash", "-e", "-c", script]).current_dir(self.folder.path());
        let output = bash.output().expect("bash is there");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}\n{printed}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        printed
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A fenced block: its language and its content.
#[derive(PartialEq, Debug)]
struct Block {
    language: &'static str,
    text: &'static str,
}

fn blocks(readme: &'static str) -> Vec<Block> {
    let mut parts = readme.split("```").skip(1);
    let mut blocks = Vec::new();
    while let (Some(block), Some(_)) = (parts.next(), parts.next()) {
        let (language, text) = block.split_once('\n').expect("a fence ends its line");
        blocks.push(Block { language, text });
    }
    blocks
}

#[test]
fn the_english_tour_is_played_to_its_winner() {
    take_the_tour(ENGLISH);
}

#[test]
fn the_french_tour_is_played_to_its_winner() {
    take_the_tour(FRENCH);
}

/// Runs all commands on a server of its own, and compares every answer with the one that is shown.
#[track_caller]
fn take_the_tour(readme: &'static str) {
    const NEXT: &str = "--- next block ---";
    let blocks = blocks(readme);
    let server = Server::start();
    let (build, tour): (Vec<_>, Vec<_>) =
        blocks.iter().filter(|block| block.language == "sh").map(|block| block.text).partition(|text| *text == BUILD);
    assert_eq!(build.len(), 1, "the two commands that build it");
    let script = tour.join(&format!("\necho '{NEXT}'\n"));
    assert!(script.contains(ADDRESS_SHOWN) && script.contains(PROGRAM_SHOWN), "{script}");
    let printed = server.run(&script.replace(ADDRESS_SHOWN, &server.address));
    let mut answers = printed.split(NEXT).map(str::trim);
    let mut answer = "";
    let mut compared = 0;
    for block in &blocks {
        match block.language {
            "sh" if block.text == BUILD => {}
            "sh" => answer = answers.next().expect("an answer for every block"),
            "json" => {
                let shown: Vec<Value> = values(block.text);
                let lines = answer.lines().count();
                assert!(lines >= shown.len(), "{answer}");
                shown
                    .iter()
                    .zip(answer.lines().skip(lines - shown.len()))
                    .for_each(|(shown, real)| is_as_shown(shown, real));
                compared += shown.len();
            }
            "text" => {
                compare_lines(block.text, answer);
                compared += 1;
            }
            "graphql" => is_valid(&server, block.text),
            other => panic!("nothing checks blocks of {other:?}"),
        }
    }
    assert_eq!(compared, 5, "answers that were compared");
    the_game_was_won(&printed);
}

/// One seat won, after six moves or more, and every step was streamed and verified.
#[track_caller]
fn the_game_was_won(printed: &str) {
    let moves = printed.lines().filter(|line| is_move(line)).count();
    let winners = printed.lines().filter_map(|line| line.strip_prefix("\"winners\":")).collect::<Vec<_>>();
    assert!(matches!(winners[..], ["[0]" | "[1]"]), "{winners:?}");
    // Creating the game, joining it and starting it are steps, too.
    let steps = moves + 3;
    assert!(
        moves >= 6 && printed.contains(&format!(": all {steps} steps are true to the rules and the seed")),
        "{printed}"
    );
    assert_eq!(printed.trim_end().lines().last(), Some(steps.to_string().as_str()), "steps streamed");
}

/// All operations of a document are valid: the server validates the whole document before it runs one.
#[track_caller]
fn is_valid(server: &Server, document: &str) {
    let game = "game_00000000000000000000000000000000";
    let body = json!({"query": document, "operationName": "Look", "variables": {"id": game}}).to_string();
    let file = server.folder.path().join("look.json");
    fs::write(&file, body).expect("a folder that can be written");
    let answer = server.run(&format!("curl -s {}/graphql --json @{}", server.address, file.display()));
    let answer = parse(&answer);
    assert_eq!((&answer["data"], &answer["errors"]), (&json!({"game": null}), &Value::Null), "{document}");
}

#[test]
fn both_have_the_same_code() {
    let [english, french] = BOTH.map(blocks);
    assert_eq!(english, french, "README.md on the left, README.fr.md on the right");
}

#[test]
fn neither_is_long() {
    for (name, readme) in ["README.md", "README.fr.md"].iter().zip(BOTH) {
        let lines = readme.lines().count();
        assert!(lines <= MOST_LINES, "{name} has {lines} lines, {MOST_LINES} at most");
    }
}

#[test]
fn the_pictures_and_clients_named_are_there() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for readme in BOTH {
        let pictures = readme.split("](").skip(1).filter_map(|link| link.split(')').next());
        let pictures = pictures.filter(|link| link.starts_with("docs/pictures/"));
        let clients = readme.split('`').filter(|word| word.starts_with("clients/"));
        let files: Vec<_> = pictures.chain(clients).collect();
        assert_eq!(files.len(), 5, "{files:?}");
        for file in files {
            assert!(root.join(file).is_file(), "there is no {file}");
        }
    }
}

#[test]
fn the_three_lines_at_start_up_make_a_game_join_and_play() {
    let server = Server::start();
    assert_eq!(server.lines.len(), 3, "{:?}", server.lines);
    let printed = server.run(&server.lines.join("\n"));
    let answers: Vec<_> = printed.lines().collect();
    let [game, joined, started, played] = answers[..] else { panic!("{printed}") };
    assert!(game.starts_with("game_"), "{printed}");
    assert_eq!((parse(joined)["id"].as_str(), &parse(joined)["you"]), (Some(game), &Value::from(1)));
    assert_eq!(parse(started)["status"], "ACTIVE");
    assert_eq!((&parse(played)["version"], &parse(played)["events"][0]["type"]), (&4.into(), &"CHOSE".into()));
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// JSON values, one after the other.
#[track_caller]
fn values(text: &str) -> Vec<Value> {
    let values = Deserializer::from_str(text).into_iter().collect::<Result<_, _>>();
    values.unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[track_caller]
fn is_as_shown(shown: &Value, real: &str) {
    let real = parse(real);
    shows(shown, &real).unwrap_or_else(|why| panic!("{why}\nthe README shows\n{shown:#}\nbut it is\n{real:#}"));
}

/// Lines of text. Moves may be more than are shown: after a tie everybody plays one more round.
#[track_caller]
fn compare_lines(shown: &str, real: &str) {
    let moves = |text: &str| text.lines().filter(|line| is_move(line)).map(actor_and_action).collect::<Vec<_>>();
    let others = |text: &str| text.lines().filter(|line| !is_move(line)).map(without_chance).collect::<Vec<_>>();
    let (shown_moves, real_moves) = (moves(shown), moves(real));
    assert!(real_moves.starts_with(&shown_moves), "shown {shown_moves:?}, played {real_moves:?}");
    assert_eq!(others(shown), others(real), "shown on the left");
}

/// Whether all that is shown is really there, in the same form. What is not shown may be anything, and so may values,
/// unless they are the same in every run.
fn shows(shown: &Value, real: &Value) -> Result<(), String> {
    match (shown, real) {
        (Value::Object(shown), Value::Object(real)) => shown.iter().try_for_each(|(key, shown)| {
            let real = real.get(key).ok_or_else(|| format!("there is no {key}"))?;
            if CONSTANT.contains(&key.as_str()) && shown != real {
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

fn is_move(line: &str) -> bool {
    line.starts_with("ada: ") || line.starts_with("bob: ")
}

/// Who plays and what is done, such as "bob: Parier pour": the cards are chance.
fn actor_and_action(line: &str) -> String {
    line.splitn(3, ':').take(2).collect::<Vec<_>>().join(":").trim_end().to_owned()
}

/// A line without what differs from run to run: numbers, and words of hexadecimal digits.
fn without_chance(line: &str) -> String {
    let is_chance = |word: &str| {
        !word.is_empty()
            && (word.len() >= 32 || word.chars().all(|c| c.is_ascii_digit()))
            && word.chars().all(|c| c.is_ascii_hexdigit())
    };
    let words = line.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    let plain = words.map(|word| {
        let (word, end) = word.split_at(word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).len());
        if is_chance(word) { format!("…{end}") } else { format!("{word}{end}") }
    });
    plain.collect()
}

#[test]
fn an_answer_that_is_not_as_shown_is_noticed() {
    let real = parse(r#"{"code": "NOT_FOUND", "version": 3, "seats": [{"seat": 0}], "view": null}"#);
    for shown in
        [r#"{"code": "NOT_FOUND", "version": 7}"#, r#"{"seats": []}"#, r#"{"seats": [{"seat": 1}], "view": null}"#]
    {
        assert_eq!(shows(&parse(shown), &real), Ok(()), "{shown}");
    }
    for shown in [
        r#"{"code": "GAME_OVER"}"#,
        r#"{"version": "3"}"#,
        r#"{"gone": 1}"#,
        r#"{"seats": [{"seat": 0}, {"seat": 1}]}"#,
        r#"{"seats": [{"chair": 0}]}"#,
        r#"{"view": {}}"#,
    ] {
        assert!(shows(&parse(shown), &real).is_err(), "{shown}");
    }
    assert_eq!(without_chance("game_0123456789abcdef0123456789abcdef: 9 [1] dead"), "game_…: … […] dead");
    assert_ne!(without_chance("all 9 steps are true"), without_chance("all 9 steps are false"));
    assert_eq!(actor_and_action("bob: Parier pour : a (1 point) ; contre : b"), "bob: Parier pour");
}
