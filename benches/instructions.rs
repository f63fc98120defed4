//! Guards the pure paths against becoming slower: counts the instructions that each takes, and compares them with the
//! counts in `instructions.txt`. Counting knows no noise of time, so a small change shows on the busiest machine.
//!
//! `./scripts/instructions` builds and runs it; `./scripts/instructions update` writes new counts. Each path is this
//! program again, under valgrind: first with everything prepared, then with the path gone through as well. The
//! difference is the path.
//!
//! What moves the counts without any change of ours: another compiler, other versions of what we depend on, and a little
//! another C library or processor (copying memory takes what the processor has). Hence the leeway.

#![allow(clippy::print_stdout, reason = "it reports")]

use ludotheque::graphql::guard::{self, DocumentLimits};
use ludotheque::rules::any::{AnyEvent, AnyNext, AnyRules, AnyState};
use ludotheque::rules::{Dice, Eyes, Instant, Seat, Seed, Turn, catalog};
use serde_json::json;
use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How far from its count a path may be, in per cent.
const LEEWAY: f64 = 5.0;
/// A game is cut short here: some have no end by chance alone.
const LONGEST: usize = 300;
const NOW: Instant = Instant(0);
/// Of GraphQL: what the guard reads before anything else does.
const DOCUMENT: &str =
    "query Table($id: ID!) { game(id: $id) { id status version you waitingFor seats { seat player { id
    displayName } } legalMoves { version moves { id label } } view { ... on ChipsView { round roundStep dealer boards
    seats { seat tokens chosen handSize hand discards bet { for against } } } } } }";

/// What is gone through for every kind, and the document.
const PATHS: [&str; 4] = ["play", "view", "events", "state"];
const GUARD: (&str, &str) = ("graphql", "guard");

fn main() -> Result<()> {
    let words: Vec<_> = env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["go", kind, path] => go(kind, path),
        ["update"] => write(&count_all()?),
        _ => compare(&count_all()?),
    }
}

/// A path of a kind, and how many instructions it takes.
type Count = (String, u64);

fn count_all() -> Result<Vec<Count>> {
    let mut counts = Vec::new();
    for rules in catalog::BUILT_IN.newest_of_all() {
        let slug = rules.info().slug;
        let prepared = instructions(slug, "nothing")?;
        for path in PATHS {
            counts.push((format!("{slug} {path}"), instructions(slug, path)? - prepared));
        }
    }
    let (face, path) = GUARD;
    counts.push((format!("{face} {path}"), instructions(face, path)? - instructions(face, "nothing")?));
    Ok(counts)
}

/// How many instructions this program takes to go down a path.
fn instructions(kind: &str, path: &str) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(env::current_exe()?)
        .args(["go", kind, path])
        .output()
        .map_err(|error| format!("valgrind can't be run ({error}); ./scripts/test installs it"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    let count = told.lines().find_map(|line| line.split_once("I   refs:").or(line.split_once("I refs:")));
    let count = count.filter(|_| output.status.success()).ok_or_else(|| format!("{kind} {path}: {told}"))?;
    Ok(count.1.trim().replace(',', "").parse()?)
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.txt")
}

fn write(counts: &[Count]) -> Result<()> {
    let lines = counts.iter().map(|(path, count)| format!("{path} {count}\n"));
    fs::write(file(), lines.collect::<String>())?;
    println!("{} counts are written to {}", counts.len(), file().display());
    Ok(())
}

#[allow(clippy::cast_precision_loss, reason = "a share of a per cent is enough")]
fn compare(counts: &[Count]) -> Result<()> {
    let kept = fs::read_to_string(file())?;
    let kept = |path: &str| {
        let mut lines = kept.lines().filter_map(|line| line.rsplit_once(' '));
        lines.find(|(name, _)| *name == path).and_then(|(_, count)| count.parse::<u64>().ok())
    };
    let mut elsewhere = 0;
    println!("{:<28}{:>14}{:>14}{:>9}", "instructions", "now", "kept", "change");
    for (path, now) in counts {
        let change = kept(path).map(|kept| (*now as f64 / kept as f64 - 1.0) * 100.0);
        let far = change.is_none_or(|change| change.abs() > LEEWAY);
        elsewhere += usize::from(far);
        let kept = kept(path).map_or_else(|| "none".to_owned(), |kept| kept.to_string());
        let change = change.map_or_else(String::new, |change| format!("{change:+.1} %"));
        println!("{path:<28}{now:>14}{kept:>14}{change:>9}{}", if far { "  <-" } else { "" });
    }
    if elsewhere == 0 {
        return Ok(());
    }
    let advice = "if that is meant, or the compiler is another, `./scripts/instructions update` keeps the new counts";
    Err(format!("{elsewhere} counts have changed by more than {LEEWAY} %; {advice}").into())
}

/// A game by chance, as far as it goes.
struct Game {
    seats: u8,
    states: Vec<AnyState>,
    events: Vec<AnyEvent>,
}

/// Goes down a path once, with everything that it needs prepared before.
fn go(kind: &str, path: &str) -> Result<()> {
    if kind == GUARD.0 {
        if path == GUARD.1 {
            black_box(guard::check(DOCUMENT, &DocumentLimits::default()).map_err(|_| "refused")?);
        }
        return Ok(());
    }
    let rules = catalog::BUILT_IN.newest_of_all().find(|rules| rules.info().slug == kind).ok_or("no such kind")?;
    let game = play(rules)?;
    match path {
        "play" => drop(black_box(play(rules)?)),
        "view" => {
            for state in &game.states {
                for eyes in game.eyes() {
                    black_box(rules.view(state, eyes).to_json());
                }
            }
        }
        "events" => {
            for event in &game.events {
                for eyes in game.eyes() {
                    black_box(rules.tell(event, eyes)?.map(|told| told.to_json()));
                }
            }
        }
        "state" => {
            for state in &game.states {
                black_box(rules.decode_state(&rules.encode_state(state))?);
            }
        }
        _ => {}
    }
    Ok(())
}

impl Game {
    fn eyes(&self) -> impl Iterator<Item = Eyes> {
        (0..self.seats).map(|seat| Eyes::Seat(Seat(seat))).chain([Eyes::Spectator])
    }
}

/// Lists the moves of a seat that is waited for and plays one of them, again and again.
fn play(rules: &dyn AnyRules) -> Result<Game> {
    let seats = *rules.info().seats.start();
    let mut dice = Dice::new(Seed([7; 32]));
    let options = rules.read_options(&json!({}), seats)?;
    let AnyNext { mut state, mut events } = rules.setup(&options, seats, NOW, &mut dice);
    let mut states = vec![state.clone()];
    while let Turn::Waiting(waiting) = rules.turn(&state)
        && states.len() < LONGEST
    {
        let seat = waiting[dice.index(waiting.len())];
        let moves = rules.legal(&state, seat, NOW);
        let next = rules.play(&state, seat, &moves[dice.index(moves.len())], NOW, &mut dice)?;
        state = next.state;
        events.extend(next.events);
        states.push(state.clone());
    }
    Ok(Game { seats, states, events })
}
