//! Exports that have changed, in their bytes or in what their lines say: an import is there as a whole and holds together,
//! or not at all.

use crate::fuzz::mutate::{self, Change};
use crate::fuzz::world::{self, Game, Service};
use crate::fuzz::{Fate, fuzz};
use ludotheque::rules::Instant;
use ludotheque::store::export_format::{Line, LineWriter};
use ludotheque::store::sled::{OpenError, Settings, SledStore};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// An export of a store with games in it.
struct Export {
    folder: TempDir,
    runtime: Arc<Runtime>,
    games: Vec<Game>,
    bytes: Vec<u8>,
    lines: Vec<Value>,
}

impl Export {
    fn new() -> Self {
        let folder = world::folder();
        let runtime = world::runtime();
        let store = world::open(&folder.path().join("store"));
        let games = world::fill(&store, folder.path(), &runtime);
        let bytes = export(&store);
        store.close();
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let lines = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
        Self { folder, runtime, games, bytes, lines }
    }
}

fn export(store: &SledStore) -> Vec<u8> {
    let mut bytes = Vec::new();
    store.export(&mut bytes, Instant(0), &|_, _| ()).unwrap();
    bytes
}

/// What an export says, in whichever order: all but its end, which tells the order too.
fn lines(bytes: &[u8]) -> BTreeSet<&[u8]> {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"{\"end\"")).collect()
}

#[derive(Clone, Debug)]
enum Input {
    /// What a disk or a network does.
    Bytes(Vec<Change>),
    /// What somebody does who knows the format: a line changed, moved, left out or repeated, and a new end written.
    Lines { which: Index, other: Index, how: u8, changes: Vec<Change> },
}

fn inputs() -> impl Strategy<Value = Input> {
    let lines = (any::<Index>(), any::<Index>(), 0..5_u8, mutate::changes());
    prop_oneof![
        1 => mutate::changes().prop_map(Input::Bytes),
        3 => lines.prop_map(|(which, other, how, changes)| Input::Lines { which, other, how, changes }),
    ]
}

/// The changed export; nothing if its lines are none.
fn changed(sound: &Export, input: &Input) -> Option<Vec<u8>> {
    let Input::Lines { which, other, how, changes } = input else {
        let Input::Bytes(changes) = input else { unreachable!("there are two") };
        return Some(mutate::bytes(&sound.bytes, changes));
    };
    // The first and the last are rewritten.
    let mut lines = sound.lines[1..sound.lines.len() - 1].to_vec();
    let (at, to) = (which.index(lines.len()), other.index(lines.len()));
    match how {
        0 => lines.swap(at, to),
        1 => {
            lines.remove(at);
        }
        2 => lines.insert(to, lines[at].clone()),
        _ => lines[at] = mutate::json(&lines[at], changes),
    }
    let mut bytes = Vec::new();
    let mut writer = LineWriter::start(&mut bytes).unwrap();
    for line in lines {
        writer.write(&serde_json::from_value::<Line>(line).ok()?).unwrap();
    }
    writer.finish().unwrap();
    Some(bytes)
}

fn check(sound: &Export, input: &Input) -> Result<Fate, TestCaseError> {
    let Some(bytes) = changed(sound, input) else { return Ok(Fate::TurnedAway) };
    let folder = world::folder();
    let path = folder.path().join("store");
    let store = world::open(&path);
    let imported = store.import(&bytes[..], &|_, _| ());
    if imported.is_ok() {
        prop_assert!(bytes == sound.bytes || matches!(input, Input::Lines { .. }), "changed bytes were taken");
        prop_assert_eq!(store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).findings, Vec::<String>::new());
        prop_assert!(lines(&export(&store)) == lines(&bytes), "what goes in comes out");
        // A file may contain nonsense: the service may answer with an error, but must not panic.
        let panics = world::panics();
        let service = Service::on(&store, sound.folder.path(), &sound.runtime);
        for (status, text) in sound.games.iter().flat_map(|game| service.told(game)) {
            prop_assert!(status < 500 || status == 503, "{status} {text}");
        }
        prop_assert_eq!(world::panics(), panics, "something panicked");
    }
    store.close();
    drop(store);
    let fate = Fate::of(imported.is_ok());
    match (imported, SledStore::open(&path, &Settings::default())) {
        (Ok(_), opened) => prop_assert!(opened.is_ok()),
        (Err(error), Err(refused)) => {
            prop_assert!(matches!(refused, OpenError::Unfinished(_)), "{refused}");
            prop_assert!(error.to_string().len() > 20, "{error}");
        }
        (Err(_), Ok(store)) => prop_assert!(store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).counts.games == 0),
    }
    Ok(fate)
}

#[test]
#[ignore = "slow: tries inputs for 20 seconds"]
fn an_import_is_there_as_a_whole_and_holds_together_or_not_at_all() {
    let sound = Export::new();
    fuzz("tests/robustness/fuzz/regressions/imports.txt", &inputs(), |input| check(&sound, &input));
}
