//! Snapshots that are kept for good: they travel with their game, are verified with it, and go with it.

use crate::contract::history::distance;
use crate::fixture::{open, open_postgres};
use crate::samples::{START, append, later, play, step, with_head};
use ludotheque::games::ports::{Append, Status, Store};
use ludotheque::ids::GameId;
use ludotheque::store::export_format::{Base64, Line, LineWriter};
use ludotheque::store::sled::{Settings, SledStore, compact};
use ludotheque::store::{ImportError, Verified};
use std::path::Path;
use test_support::postgres::{database, sql};
use test_support::raw_sled::raw;
use tokio::task::block_in_place;

const LAST: u64 = 400;
/// The newest one, which is of version 400, and those of 128, 256 and 384.
const SNAPSHOTS: u64 = 4;

async fn bounded(store: &dyn Store, game: GameId) {
    for version in 1..LAST {
        assert!(distance(store, game, version).await.1 <= 127, "version {version}");
    }
    assert_eq!(distance(store, game, 300).await, (256, 44));
}

fn verified(store: &SledStore) -> Verified {
    store.verify(&mut |_, _, _| Ok(()), &|_, _| ())
}

fn exported(store: &SledStore) -> Vec<u8> {
    let mut bytes = Vec::new();
    let end = block_in_place(|| store.export(&mut bytes, START, &|_, _| ())).unwrap();
    assert_eq!((end.games, end.snapshots), (1, SNAPSHOTS));
    bytes
}

async fn over(store: &dyn Store, game: GameId) {
    let last = with_head(game, LAST + 1, |head| head.status = Status::Finished);
    store.append(Append { snapshot: Some(vec![1]), ..last }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn they_come_along_from_store_to_store_and_through_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    let game = GameId::new();
    let store = open(&from);
    play(&*store, game, 1..=LAST).await;
    let bytes = exported(&store);
    drop(store);

    let shared = open_postgres(&database()).await;
    assert_eq!(shared.import(&bytes[..], &|_, _| ()).await.unwrap().snapshots, SNAPSHOTS);
    bounded(&*shared, game).await;
    let found = shared.verify(&mut |_, _, _| Ok(()), &|_, _| ()).await.unwrap();
    assert_eq!((found.findings, found.counts.snapshots), (Vec::new(), SNAPSHOTS));
    let mut again = Vec::new();
    shared.export(&mut again, START, &|_, _| ()).await.unwrap();
    assert!(again == bytes, "the same lines in the same order");

    let back = open(&to);
    block_in_place(|| back.import(&again[..], &|_, _| ())).unwrap();
    bounded(&*back, game).await;
    assert!(exported(&back) == bytes);
    drop(back);
    block_in_place(|| compact(&to, &Settings::default(), START, &|_, _| ())).unwrap();
    let compacted = open(&to);
    bounded(&*compacted, game).await;
    assert_eq!((verified(&compacted).findings, verified(&compacted).counts.snapshots), (Vec::new(), SNAPSHOTS));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_the_newest_too_is_one_line_and_kept_again() {
    let folder = tempfile::tempdir().unwrap();
    let game = GameId::new();
    let store = open(&folder.path().join("from"));
    play(&*store, game, 1..=256).await;
    let mut bytes = Vec::new();
    assert_eq!(block_in_place(|| store.export(&mut bytes, START, &|_, _| ())).unwrap().snapshots, 2);
    let imported = open(&folder.path().join("to"));
    block_in_place(|| imported.import(&bytes[..], &|_, _| ())).unwrap();
    play(&*imported, game, 257..=300).await;
    assert_eq!(distance(&*imported, game, 257).await, (256, 1));
    let shared = open_postgres(&database()).await;
    shared.import(&bytes[..], &|_, _| ()).await.unwrap();
    play(&*shared, game, 257..=300).await;
    assert_eq!(distance(&*shared, game, 257).await, (256, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn removing_a_game_leaves_none_of_them_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let game = GameId::new();
    let store = open(&path);
    play(&*store, game, 1..=LAST).await;
    over(&*store, game).await;
    assert!(store.remove(game, later(1)).await.unwrap());
    assert!(store.load_at(game, 200).await.unwrap().is_none());
    assert_eq!(verified(&store).counts.snapshots, 0);
    drop(store);
    assert!(raw(&path).open_tree("s").unwrap().is_empty());

    let url = database();
    let shared = open_postgres(&url).await;
    play(&*shared, game, 1..=LAST).await;
    over(&*shared, game).await;
    assert!(shared.remove(game, later(1)).await.unwrap());
    assert!(shared.load_at(game, 200).await.unwrap().is_none());
    sql(&url, "DO $$ BEGIN ASSERT NOT EXISTS (SELECT 1 FROM kept_snapshots); END $$");
}

/// Removes the snapshots that a store of before would not have.
fn forget(path: &Path) {
    let snapshots = raw(path).open_tree("s").unwrap();
    for key in snapshots.iter().keys().map(Result::unwrap).filter(|key| key.len() > 16) {
        snapshots.remove(key).unwrap();
    }
    snapshots.flush().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_from_before_they_were_kept_goes_on_and_keeps_them_from_now_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let game = GameId::new();
    let store = open(&path);
    play(&*store, game, 1..=LAST).await;
    drop(store);
    forget(&path);
    let store = open(&path);
    assert_eq!(verified(&store).findings, Vec::<String>::new());
    for (version, expected) in [(100, (0, 100)), (399, (0, 256)), (400, (400, 0))] {
        assert_eq!(distance(&*store, game, version).await, expected);
    }
    play(&*store, game, LAST + 1..=LAST + 200).await;
    assert_eq!(distance(&*store, game, 530).await, (512, 18));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_damaged_or_out_of_place_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let game = GameId::new();
    let store = open(&path);
    play(&*store, game, 1..=LAST).await;
    drop(store);
    let key = |version: u64| [&game.as_bytes()[..], &version.to_be_bytes()].concat();
    let snapshots = raw(&path).open_tree("s").unwrap();
    let value = snapshots.get(key(128)).unwrap().unwrap();
    snapshots.insert(key(256), value).unwrap();
    snapshots.flush().unwrap();
    drop(snapshots);
    let store = open(&path);
    assert_eq!(verified(&store).findings.len(), 1);
    assert!(store.load_at(game, 300).await.is_err());
    assert!(store.load_at(game, 200).await.is_ok());

    let url = database();
    let shared = open_postgres(&url).await;
    play(&*shared, game, 1..=LAST).await;
    sql(&url, "UPDATE kept_snapshots SET snapshot = set_byte(snapshot, 2, 77) WHERE version = 256");
    let found = shared.verify(&mut |_, _, _| Ok(()), &|_, _| ()).await.unwrap();
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    assert!(shared.load_at(game, 300).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_with_one_that_would_not_have_been_kept_is_not_imported() {
    let game = GameId::new();
    let mut bytes = Vec::new();
    let mut writer = LineWriter::start(&mut bytes).unwrap();
    writer.write(&Line::Game { id: game, head: append(game, 200).head }).unwrap();
    for version in 1..=200 {
        writer.write(&Line::Step(step(game, version))).unwrap();
    }
    for version in [192, 127] {
        writer.write(&Line::Snapshot { version, bytes: Base64(vec![1]) }).unwrap();
    }
    writer.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let refused = block_in_place(|| open(&folder.path().join("store")).import(&bytes[..], &|_, _| ()));
    assert!(matches!(refused, Err(ImportError::Export(_))), "{refused:?}");
    let refused = open_postgres(&database()).await.import(&bytes[..], &|_, _| ()).await;
    assert!(matches!(refused, Err(ImportError::Export(_))), "{refused:?}");
}
