//! Damage is reported clearly: never a panic, never a wrong game, never an empty store served as if it were whole.

use crate::fixture::open;
use crate::samples;
use ludotheque::games::ports::{Append, Scope, Store, StoreError};
use ludotheque::ids::GameId;
use ludotheque::players::ports::PlayerStore;
use ludotheque::rules::{Dice, Seed};
use ludotheque::store::sled::{OpenError, Settings, SledStore, compact};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use test_support::power_loss::copy;
use test_support::raw_sled::raw;

const GAMES: usize = 20;
const VERSIONS: u64 = 10;

/// A closed store, and its games.
fn stored() -> (TempDir, PathBuf, Vec<GameId>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let store = open(&path);
    let games: Vec<_> = (0..GAMES).map(|_| GameId::new()).collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for game in &games {
            let player = samples::player(Some(&game.to_string()));
            store.create_player(player.clone(), samples::family(player.id)).await.unwrap();
            for version in 1..=VERSIONS {
                let scope = Scope { player: player.id, game: Some(*game) };
                let mut append = samples::with_command(*game, version, scope, &version.to_string());
                append.head.members = vec![player.id];
                append.head.listed = true;
                append.head.invite = Some(format!("code {game}"));
                let snapshot = (version == 4).then(|| vec![4; 200]);
                store.append(Append { snapshot, ..append }).await.unwrap();
            }
        }
    });
    drop(store);
    (folder, path, games)
}

/// The same, compacted.
fn compacted() -> (TempDir, PathBuf, Vec<GameId>) {
    let (folder, path, games) = stored();
    compact(&path, &Settings::default(), samples::START, &|_, _| ()).unwrap();
    (folder, path, games)
}

fn lenient() -> Settings {
    Settings { check_heads: false, ..Settings::default() }
}

/// Every game is whole and right, or reading it is an error.
fn no_game_is_wrong(store: &SledStore, games: &[GameId]) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut unreadable = 0;
    for game in games {
        match runtime.block_on(store.load(*game)) {
            Ok(Some(loaded)) => {
                let after = if loaded.snapshot.is_some() { 4 } else { 0 };
                let expected: Vec<_> = (after + 1..=VERSIONS).map(|version| samples::step(*game, version)).collect();
                assert_eq!(loaded.steps, expected);
                assert!(loaded.snapshot.is_none_or(|bytes| bytes == vec![4; 200]));
            }
            Ok(None) => unreadable += 1,
            Err(error) => {
                assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
                unreadable += 1;
            }
        }
    }
    unreadable
}

#[test]
fn a_changed_value_is_found_with_its_tree_and_key() {
    changed_values_are_found(&stored());
}

/// Steps lie in bundles then.
#[test]
fn a_changed_value_of_a_compacted_store_is_found_with_its_tree_and_key() {
    changed_values_are_found(&compacted());
}

fn changed_values_are_found((_folder, path, games): &(TempDir, PathBuf, Vec<GameId>)) {
    let mut dice = Dice::new(Seed([3; 32]));
    for tree in ["g", "e", "c", "s", "p", "l", "a"] {
        for _ in 0..3 {
            let db = raw(path);
            let values = db.open_tree(tree).unwrap();
            let (key, whole) = values.iter().nth(dice.index(values.len())).unwrap().unwrap();
            let mut changed = whole.to_vec();
            changed[dice.index(whole.len())] ^= 1 << dice.below(8);
            values.insert(&key, changed).unwrap();
            drop((values, db));
            let store = SledStore::open(path, &lenient()).unwrap();
            let findings = store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).findings;
            let digits: Vec<_> = key.iter().map(|byte| format!("{byte:02x}")).collect();
            let place = format!("tree {tree}, key {}", digits.concat());
            assert!(findings.iter().any(|finding| finding.contains(&place)), "{place}: {findings:?}");
            no_game_is_wrong(&store, games);
            drop(store);
            raw(path).open_tree(tree).unwrap().insert(&key, whole).unwrap();
        }
    }
    assert!(SledStore::open(path, &lenient()).unwrap().verify(&mut |_, _, _| Ok(()), &|_, _| ()).is_clean());
}

#[test]
fn a_row_that_is_missing_or_too_many_is_found() {
    for tree in ["g", "e", "p", "l", "a"] {
        let (_folder, path, _) = stored();
        let db = raw(&path);
        let (key, _) = db.open_tree(tree).unwrap().iter().next_back().unwrap().unwrap();
        db.open_tree(tree).unwrap().remove(&key).unwrap();
        drop(db);
        let store = SledStore::open(&path, &lenient()).unwrap();
        assert!(!store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).is_clean(), "{tree}");
    }
}

#[test]
fn a_head_without_its_last_step_is_noticed_at_opening() {
    head_without_its_last_step(stored());
    head_without_its_last_step(compacted());
}

fn head_without_its_last_step((_folder, path, games): (TempDir, PathBuf, Vec<GameId>)) {
    let db = raw(&path);
    let last = [games[3].as_bytes(), &VERSIONS.to_be_bytes()[..]].concat();
    assert!(db.open_tree("e").unwrap().remove(last).unwrap().is_some());
    drop(db);
    assert!(matches!(SledStore::open(&path, &Settings::default()), Err(OpenError::Damaged(_))));
    let store = SledStore::open(&path, &lenient()).unwrap();
    assert_eq!(no_game_is_wrong(&store, &games), 1);
}

/// sled takes a flipped bit in its log for the end of it, and starts without an error.
#[test]
fn bits_flipped_in_the_files_never_give_a_wrong_game() {
    let (_folder, path, games) = stored();
    let mut dice = Dice::new(Seed([4; 32]));
    let mut noticed = 0;
    for _ in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let damaged = folder.path().join("store");
        copy(&path, &damaged);
        let files: Vec<_> =
            fs::read_dir(&damaged).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
        let file = &files[dice.index(files.len())];
        let mut bytes = fs::read(file).unwrap();
        // Most of the log is unused; damage there proves nothing.
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
        bytes[dice.index(used)] ^= 1 << dice.below(8);
        fs::write(file, bytes).unwrap();
        match SledStore::open(&damaged, &Settings::default()) {
            Err(_) => noticed += 1,
            Ok(store) => {
                let unreadable = no_game_is_wrong(&store, &games);
                let verified = store.verify(&mut |_, _, _| Ok(()), &|_, _| ());
                assert!(unreadable == 0 || !verified.is_clean(), "{unreadable} games are gone without a word");
                noticed += usize::from(!verified.is_clean());
            }
        }
    }
    assert!(noticed > 0, "some of the damage hit something");
}

#[test]
fn a_store_that_was_silently_emptied_is_not_served() {
    let (_folder, path, _) = stored();
    fs::write(path.join("db"), b"").unwrap();
    for entry in fs::read_dir(&path).unwrap() {
        let entry = entry.unwrap().path();
        if entry.file_name().unwrap().to_string_lossy().starts_with("snap.") {
            fs::remove_file(entry).unwrap();
        }
    }
    let error = SledStore::open(&path, &Settings::default()).err().unwrap();
    assert!(matches!(error, OpenError::RolledBack { found: 0, .. }), "{error}");
    assert!(error.to_string().contains("restore a backup"), "{error}");
}

#[test]
fn a_store_that_was_rolled_back_is_not_served() {
    let (_folder, path, _) = stored();
    let folder = tempfile::tempdir().unwrap();
    let earlier = folder.path().join("store");
    copy(&path, &earlier);
    let store = open(&path);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(store.append(samples::append(GameId::new(), 1))).unwrap();
    drop(store);
    fs::copy(path.join("commit-number"), earlier.join("commit-number")).unwrap();
    assert!(matches!(SledStore::open(&earlier, &Settings::default()), Err(OpenError::RolledBack { .. })));
}

#[test]
fn a_broken_snapshot_of_sled_is_moved_aside_and_nothing_lost() {
    let (_folder, path, games) = stored();
    drop(open(&path));
    let names = || fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let snapshot = names().find(|name| name.starts_with("snap.")).expect("reopening makes sled write one");
    let mut bytes = fs::read(path.join(&snapshot)).unwrap();
    bytes[10] ^= 1;
    fs::write(path.join(&snapshot), &bytes).unwrap();
    let store = open(&path);
    assert_eq!(no_game_is_wrong(&store, &games), 0);
    let aside = names().find(|name| name.starts_with("broken-")).expect("moved, not deleted");
    assert_eq!(fs::read(path.join(aside)).unwrap(), bytes);
}

/// Gives a store another number of format, with the checksum it would have: of the tree, the key and the value.
fn mark_as_of_format(path: &Path, format: u8) {
    let value = [1, format];
    let checksum = crc32fast::hash(&[b"m", &b"format"[..], &value].concat());
    let marked = [&value[..], &checksum.to_le_bytes()].concat();
    raw(path).open_tree("m").unwrap().insert("format", marked).unwrap();
}

#[test]
fn a_store_of_a_newer_format_is_not_touched() {
    let (_folder, path, _) = stored();
    mark_as_of_format(&path, 4);
    assert!(matches!(SledStore::open(&path, &Settings::default()), Err(OpenError::NewerFormat(4))));
}

#[test]
fn a_store_of_an_older_format_is_opened_whole() {
    for format in [1, 2] {
        let (_folder, path, games) = stored();
        mark_as_of_format(&path, format);
        assert_eq!(no_game_is_wrong(&open(&path), &games), 0, "format {format}");
    }
}
