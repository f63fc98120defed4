//! Stored bytes that have changed, in a value or in a file: told clearly, never a panic, and never a wrong game served.

use crate::fuzz::mutate::{self, Change};
use crate::fuzz::world::{self, Game, Service};
use crate::fuzz::{Fate, fuzz};
use ludotheque::store::sled::{Settings, SledStore};
use proptest::prelude::*;
use proptest::sample::Index;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use test_support::raw_sled::raw;
use tokio::runtime::Runtime;

const TREES: [&str; 8] = ["g", "e", "c", "s", "p", "l", "a", "m"];

/// A closed store with games in it, and their expected answers.
struct Whole {
    folder: TempDir,
    runtime: Arc<Runtime>,
    games: Vec<Game>,
    told: Vec<Vec<(u16, String)>>,
}

impl Whole {
    fn new() -> Self {
        let folder = world::folder();
        let runtime = world::runtime();
        let store = world::open(&folder.path().join("store"));
        let games = world::fill(&store, folder.path(), &runtime);
        let service = Service::on(&store, folder.path(), &runtime);
        let told = games.iter().map(|game| service.told(game)).collect();
        drop(service);
        store.close();
        Self { folder, runtime, games, told }
    }

    fn copy(&self) -> (TempDir, PathBuf) {
        let folder = world::folder();
        let path = folder.path().join("store");
        fs::create_dir(&path).unwrap();
        for entry in fs::read_dir(self.folder.path().join("store")).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                fs::copy(entry.path(), path.join(entry.file_name())).unwrap();
            }
        }
        (folder, path)
    }

    /// Whatever is answered is what was answered before, or that it can't be told now.
    fn nothing_wrong_is_told(&self, store: &Arc<SledStore>) -> Result<usize, TestCaseError> {
        let service = Service::on(store, self.folder.path(), &self.runtime);
        let mut untold = 0;
        for (game, due) in self.games.iter().zip(&self.told) {
            for (told, due) in service.told(game).into_iter().zip(due) {
                if told != *due {
                    prop_assert!([401, 404, 503].contains(&told.0), "{told:?} instead of {due:?}");
                    untold += 1;
                }
            }
        }
        Ok(untold)
    }
}

/// Where: in some value of some tree, or in some file.
type Input = (Option<Index>, Index, Vec<Change>);

/// Opens what was damaged: an error that says what to do, or a store that serves nothing wrong and knows what is amiss.
fn served(whole: &Whole, path: &Path, place: Option<&str>) -> Result<Fate, TestCaseError> {
    for check_heads in [true, false] {
        match SledStore::open(path, &Settings { check_heads, ..Settings::default() }) {
            // What opening would refuse is what `verify` is to find.
            Err(error) => prop_assert!(error.to_string().len() > 40, "{error}"),
            Ok(store) => {
                let untold = whole.nothing_wrong_is_told(&store)?;
                let findings = store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).findings;
                let told = place.is_none_or(|place| findings.iter().any(|finding| finding.contains(place)));
                prop_assert!(told, "{place:?} is not among {findings:?}");
                prop_assert!(untold == 0 || !findings.is_empty(), "{untold} answers are missing without a word");
                store.close();
                return Ok(Fate::LetIn);
            }
        }
    }
    Ok(Fate::TurnedAway)
}

fn check(whole: &Whole, (tree, which, changes): Input) -> Result<Fate, TestCaseError> {
    let (_folder, path) = whole.copy();
    let Some(tree) = tree else {
        let files: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
        let file = which.get(&files);
        let bytes = fs::read(file).unwrap();
        // Most of the log is unused; damage there proves nothing.
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let mut damaged = mutate::bytes(&bytes[..used], &changes);
        damaged.resize(bytes.len(), 0);
        fs::write(file, damaged).unwrap();
        return served(whole, &path, None);
    };
    let tree = *tree.get(&TREES);
    let db = raw(&path);
    let values = db.open_tree(tree).unwrap();
    if values.is_empty() {
        return Ok(Fate::LetIn);
    }
    let (key, sound) = values.iter().nth(which.index(values.len())).unwrap().unwrap();
    let damaged = mutate::bytes(&sound, &changes);
    let differs = sound != damaged;
    values.insert(&key, damaged).unwrap();
    db.flush().unwrap();
    drop((values, db));
    let digits: Vec<_> = key.iter().map(|byte| format!("{byte:02x}")).collect();
    // What opening writes itself is mended by it.
    let place = (differs && tree != "m").then(|| format!("tree {tree}, key {}", digits.concat()));
    served(whole, &path, place.as_deref())
}

#[test]
#[ignore = "slow: tries inputs for 20 seconds"]
fn stored_bytes_that_have_changed_are_noticed_and_never_served_as_a_game() {
    let whole = Whole::new();
    let inputs = (prop::option::weighted(0.7, any::<Index>()), any::<Index>(), mutate::changes());
    fuzz("tests/robustness/fuzz/regressions/stored.txt", &inputs, |input| check(&whole, input));
}
