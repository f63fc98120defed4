//! The journal: what it holds is there again after sled forgot it, and damage to it is never passed over.

use crate::samples::append;
use ludotheque::games::ports::{Appended, Store};
use ludotheque::ids::GameId;
use ludotheque::store::sled::{OpenError, Settings, SledStore};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use test_support::power_loss::copy;

const VERSIONS: u64 = 20;

/// What a power cut leaves of a store before sled has flushed anything: sled's files as they were when the store was
/// opened, and the journal with all commits since. And the game that was played.
fn unflushed() -> (TempDir, PathBuf, GameId) {
    let folder = tempfile::tempdir().unwrap();
    let (path, left) = (folder.path().join("store"), folder.path().join("left"));
    let store = open(&path);
    copy(&path, &left);
    let game = GameId::new();
    play(&store, game, 1..=VERSIONS);
    fs::copy(path.join("journal"), left.join("journal")).unwrap();
    (folder, left, game)
}

fn open(path: &Path) -> Arc<SledStore> {
    SledStore::open(path, &Settings::default()).unwrap()
}

/// One commit for each.
fn play(store: &SledStore, game: GameId, versions: impl IntoIterator<Item = u64>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for version in versions {
        let outcome = runtime.block_on(store.append(append(game, version))).unwrap();
        assert_eq!(outcome, Appended::Stored(version));
    }
}

fn version(store: &SledStore, game: GameId) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(store.head(game)).unwrap().map_or(0, |head| head.version)
}

/// Where the records of a journal begin.
fn records(journal: &[u8]) -> Vec<usize> {
    (0..journal.len()).filter(|at| journal[*at..].starts_with(b"ludo")).collect()
}

#[test]
fn what_sled_had_not_flushed_is_there_again() {
    let (_folder, left, game) = unflushed();
    let store = open(&left);
    assert_eq!(version(&store, game), VERSIONS);
    assert!(store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).is_clean());
    play(&store, game, VERSIONS + 1..=VERSIONS + 5);
    drop(store);
    assert_eq!(version(&open(&left), game), VERSIONS + 5);
}

#[test]
fn a_record_that_was_cut_short_ends_the_journal() {
    let (_folder, left, game) = unflushed();
    let whole = fs::read(left.join("journal")).unwrap();
    let last = *records(&whole).last().unwrap();
    // Bytes that never came are nothing, or zeros where the file was longer before.
    for cut in [last + 1, last + 30, whole.len() - 1] {
        for zeros in [0, 1000] {
            let folder = tempfile::tempdir().unwrap();
            copy(&left, folder.path());
            fs::write(folder.path().join("journal"), [&whole[..cut], &vec![0; zeros]].concat()).unwrap();
            assert_eq!(version(&open(folder.path()), game), VERSIONS - 1, "{cut} {zeros}");
        }
    }
}

#[test]
fn a_journal_that_is_damaged_before_its_end_is_not_passed_over() {
    let (_folder, left, _) = unflushed();
    let whole = fs::read(left.join("journal")).unwrap();
    let starts = records(&whole);
    for at in [0, 5, 9, 15, starts[3] + 2, starts[7] + 40, *starts.last().unwrap() - 1] {
        let folder = tempfile::tempdir().unwrap();
        copy(&left, folder.path());
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(folder.path().join("journal"), damaged).unwrap();
        let error = SledStore::open(folder.path(), &Settings::default()).err();
        assert!(matches!(error, Some(OpenError::Damaged(_))), "{at}: {error:?}");
    }
}

/// However exact the commit number is by then: after a power cut it may lag behind, and nobody can tell.
#[test]
fn a_journal_that_is_missing_is_noticed_until_somebody_decides_to_go_on_without() {
    let (_folder, left, game) = unflushed();
    drop(open(&left));
    fs::remove_file(left.join("journal")).unwrap();
    for _ in 0..2 {
        let error = SledStore::open(&left, &Settings::default()).err();
        assert!(matches!(error, Some(OpenError::NoJournal(_))), "{error:?}");
    }
    fs::remove_file(left.join("commit-number")).unwrap();
    let store = open(&left);
    assert_eq!(version(&store, game), VERSIONS);
    let verified = store.verify(&mut |_, _, _| Ok(()), &|_, _| ());
    assert!(matches!(&verified.findings[..], [finding] if finding.contains("commit-number was missing")));
    drop(store);
    assert!(open(&left).verify(&mut |_, _, _| Ok(()), &|_, _| ()).is_clean());
}

#[test]
fn a_journal_of_later_commits_is_not_taken_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let (path, earlier) = (folder.path().join("store"), folder.path().join("earlier"));
    drop(open(&path));
    copy(&path, &earlier);
    play(&open(&path), GameId::new(), 1..=3);
    fs::copy(path.join("journal"), earlier.join("journal")).unwrap();
    let error = SledStore::open(&earlier, &Settings::default()).err();
    assert!(matches!(error, Some(OpenError::RolledBack { .. })), "{error:?}");
}

/// Behind the newest record of a journal that has restarted lies the rest of the previous round.
#[test]
fn a_journal_that_began_anew_holds_no_more_than_its_newest_round() {
    let small = Settings { journal_capacity: 16 << 10, ..Settings::default() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let game = GameId::new();
    for round in 0..40 {
        let store = SledStore::open(&path, &small).unwrap();
        play(&store, game, round * 37 + 1..=(round + 1) * 37);
        let left = folder.path().join(format!("left-{round}"));
        // As a kill leaves it: nothing is flushed that was not before.
        copy(&path, &left);
        assert!(fs::metadata(left.join("journal")).unwrap().len() <= 16 << 10);
        assert_eq!(version(&SledStore::open(&left, &small).unwrap(), game), (round + 1) * 37, "round {round}");
        fs::remove_dir_all(left).unwrap();
    }
}
