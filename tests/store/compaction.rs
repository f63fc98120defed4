//! Compaction never makes things worse: it works out the room first, cleans up after itself, and keeps the smaller store.

use crate::crash::program;
use crate::fixture::open;
use crate::programs::{FOLDER, folder};
use crate::samples::{START, append, play};
use crate::transfer::filled;
use ludotheque::games::ports::{Append, Store};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::store::sled::{CompactError, Compacted, Settings, SledStore, compact};
use rustix::process::{Resource, Rlimit, setrlimit};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use test_support::power_loss::{Victim, acknowledge, copy};

const RUNS_OUT_OF_ROOM: &str = "compaction::programs::compact_until_the_disk_is_full";

fn export(store: &SledStore) -> Vec<u8> {
    let mut bytes = Vec::new();
    store.export(&mut bytes, START, &|_, _| ()).unwrap();
    bytes
}

/// What lies beside the store, but for locks.
fn beside(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != "store" && Path::new(name).extension().is_none_or(|ending| ending != "lock")).collect()
}

/// What all files take, without the holes in them.
fn size(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| match fs::metadata(&path).unwrap() {
            folder if folder.is_dir() => size(&path),
            file => file.len().min(file.blocks() * 512),
        })
        .sum()
}

#[test]
fn without_room_for_a_second_store_nothing_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let before = export(&filled(&path));
    let cramped = Settings { min_free_bytes: u64::MAX / 2, ..Settings::default() };
    let refused = compact(&path, &cramped, START, &|_, _| ()).unwrap_err();
    assert!(matches!(refused, CompactError::NoRoom { .. }), "{refused}");
    assert!(refused.to_string().contains("make room"), "{refused}");
    assert_eq!(beside(folder.path()), Vec::<String>::new());
    assert_eq!(export(&open(&path)), before);
}

#[test]
fn what_a_compaction_left_is_removed_by_the_next_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let before = export(&filled(&path));
    for left in ["store.new", "store.old"] {
        drop(open(&folder.path().join(left)));
        fs::write(folder.path().join(left).join("db"), [7; 5000]).unwrap();
        fs::write(folder.path().join(left).join("compaction"), "").unwrap();
    }
    // Verifying is no reason to remove anything: it has compared nothing yet.
    let lenient = Settings { check_heads: false, ..Settings::default() };
    assert_eq!(export(&SledStore::open(&path, &lenient).unwrap()), before);
    assert_eq!(beside(folder.path()), ["store.old"]);
    assert_eq!(export(&open(&path)), before);
    assert_eq!(beside(folder.path()), Vec::<String>::new());
}

/// What somebody copied to such a name before trying something is theirs.
#[test]
fn what_no_compaction_made_is_never_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let before = export(&filled(&path));
    let copies = ["store.new", "store.old"].map(|name| folder.path().join(name));
    for of in &copies {
        copy(&path, of);
    }
    for file in ["journal", "commit-number"] {
        fs::remove_file(path.join(file)).unwrap();
    }
    drop(open(&path));
    for (copied, name) in copies.iter().zip(["store.new", "store.old"]) {
        let refused = compact(&path, &Settings::default(), START, &|_, _| ()).unwrap_err();
        assert!(matches!(&refused, CompactError::InTheWay(path) if path == copied), "{refused}");
        assert!(refused.to_string().contains(name) && refused.to_string().contains("in the way"), "{refused}");
        let elsewhere = folder.path().join(format!("copy of {name}"));
        fs::rename(copied, &elsewhere).unwrap();
        assert_eq!(export(&open(&elsewhere)), before);
        fs::remove_dir_all(elsewhere).unwrap();
    }
    compact(&path, &Settings::default(), START, &|_, _| ()).unwrap();
    assert_eq!(export(&open(&path)), before);
}

/// A store that somebody moved away stays away.
#[test]
fn a_store_that_was_moved_aside_by_hand_is_not_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, aside) = (folder.path().join("store"), folder.path().join("store.old"));
    let before = export(&filled(&path));
    fs::rename(&path, &aside).unwrap();
    assert_ne!(export(&open(&path)), before);
    assert_eq!(export(&open(&aside)), before);
}

/// Stores of several shapes; what is compacted twice has nothing left to give.
#[test]
fn a_store_never_becomes_larger_and_its_true_size_is_told() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for shape in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let store = open(&path);
        runtime.block_on(async {
            match shape {
                0 => {}
                1 => {
                    let lobbies = (0..3000).map(|_| {
                        let mut lobby = append(GameId::new(), 1);
                        (lobby.head.listed, lobby.head.members) = (true, vec![PlayerId::new()]);
                        store.append(lobby)
                    });
                    futures::future::try_join_all(lobbies).await.unwrap();
                }
                _ => play(&*store, GameId::new(), 1..=600).await,
            }
        });
        let content = export(&store);
        drop(store);
        for _ in 0..3 {
            let Compacted { before, after } = compact(&path, &Settings::default(), START, &|_, _| ()).unwrap();
            assert!(after <= before, "shape {shape} grew from {before} to {after}");
            assert_eq!(after, size(&path), "shape {shape}");
            assert_eq!(beside(folder.path()), Vec::<String>::new());
        }
        assert_eq!(export(&open(&path)), content);
    }
}

#[test]
fn a_compaction_that_runs_out_of_room_leaves_the_store_as_it_was_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let store = open(&path);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let games: Vec<_> = (0..200).map(|_| GameId::new()).collect();
    runtime.block_on(async {
        for game in &games {
            store.append(Append { snapshot: Some(vec![5; 5000]), ..append(*game, 1) }).await.unwrap();
        }
    });
    let before = export(&store);
    drop(store);
    let compactor = program(RUNS_OUT_OF_ROOM, folder.path());
    let mut command = Command::new("sh");
    // Without the trap, a file that may not grow would end the program.
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(compactor.get_program());
    command.args(compactor.get_args()).env(FOLDER, folder.path());
    let told = Victim::start(&mut command).ends();
    assert!(told[0].contains("File too large") && !told[0].contains("Broken pipe"), "{told:?}");
    assert_eq!(beside(folder.path()), Vec::<String>::new());
    assert_eq!(export(&open(&path)), before);
}

mod programs {
    use super::*;

    /// Once the copying has begun, no file may grow beyond 100 KB.
    #[test]
    #[ignore = "a test of compaction starts it"]
    fn compact_until_the_disk_is_full() {
        let limit = |_, _| setrlimit(Resource::Fsize, Rlimit { current: Some(100_000), maximum: None }).unwrap();
        let failed = compact(&folder(), &Settings::default(), START, &limit).unwrap_err();
        acknowledge(&failed.to_string());
    }
}
