//! Room on the disk: what removing leaves in the files, and what happens when there is little left.

use crate::fixture::open;
use crate::samples::{append, family, later, player, with_command, with_head};
use ludotheque::games::ports::{Append, Appended, Scope, Status, Store, StoreError};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::players::ports::PlayerStore;
use ludotheque::store::sled::{Observer, Settings, SledStore};
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn a_store_that_games_were_removed_from_verifies_and_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let store = open(&path);
    let host = PlayerId::new();
    let mut games = Vec::new();
    for number in 0..20 {
        let game = GameId::new();
        games.push(game);
        let created = with_command(game, 1, Scope { player: host, game: None }, &format!("create {number}"));
        let played = with_command(game, 2, Scope { player: host, game: Some(game) }, "play");
        for append in [created, Append { snapshot: Some(vec![1; 100]), ..played }] {
            assert!(matches!(store.append(append).await.unwrap(), Appended::Stored(_)));
        }
        let over = with_head(game, 3, |head| {
            (head.status, head.updated_at, head.listed) = (Status::Finished, later(1), true);
            (head.members, head.invite) = (vec![host], Some(format!("code {number}")));
        });
        assert_eq!(store.append(over).await.unwrap(), Appended::Stored(3));
    }
    for game in &games[..10] {
        assert!(store.remove(*game, later(2)).await.unwrap());
    }
    let check = |store: &SledStore| {
        let verified = store.verify(&mut |_, _, _| Ok(()), &|_, _| ());
        assert_eq!(verified.findings, Vec::<String>::new());
        assert_eq!((verified.counts.games, verified.counts.steps, verified.counts.snapshots), (10, 30, 10));
        assert_eq!((verified.counts.invites, verified.counts.commands), (10, 20 + 10), "creations outlive their games");
    };
    check(&store);
    drop(store);
    check(&open(&path));
}

#[tokio::test]
async fn with_too_little_room_nothing_is_written_and_everything_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let game = GameId::new();
    open(&path).append(append(game, 1)).await.unwrap();
    let cramped = Settings { min_free_bytes: u64::MAX, ..Settings::default() };
    let store = SledStore::open(&path, &cramped).unwrap();
    let refused = |outcome: Result<String, StoreError>| match outcome {
        Err(StoreError::Unavailable(why)) => assert!(why.contains("nearly full"), "{why}"),
        other => panic!("{other:?}"),
    };
    refused(store.append(append(game, 2)).await.map(|done| format!("{done:?}")));
    refused(store.health().await.map(|()| "healthy".to_owned()));
    let ann = player(None);
    let signed_in = family(ann.id);
    refused(store.create_player(ann, signed_in).await.map(|done| format!("{done:?}")));
    assert_eq!(store.load(game).await.unwrap().unwrap().steps.len(), 1);
    drop(store);
    let store = open(&path);
    assert_eq!(store.append(append(game, 2)).await.unwrap(), Appended::Stored(2));
}

#[tokio::test]
async fn an_export_needs_no_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    open(&path).append(append(GameId::new(), 1)).await.unwrap();
    let store = SledStore::open(&path, &Settings { min_free_bytes: u64::MAX, ..Settings::default() }).unwrap();
    let exported = tokio::task::spawn_blocking(move || store.export(Vec::new(), later(0), &|_, _| ()));
    assert_eq!(exported.await.unwrap().unwrap().games, 1);
}

#[tokio::test]
async fn a_store_tells_how_much_it_takes_and_has() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("store"));
    let usage = store.usage().await.unwrap();
    assert!(usage.bytes.unwrap() > 0 && usage.free.unwrap() > 0, "{usage:?}");
    assert!((0.0..=1.0).contains(&usage.live.unwrap()), "{usage:?}");
}

#[tokio::test]
async fn the_observer_is_told_of_every_commit() {
    let folder = tempfile::tempdir().unwrap();
    let seen = Arc::new(Mutex::new(0));
    let counter = seen.clone();
    let observer = Observer::new(move |commit| *counter.lock().unwrap() += commit.writes);
    let settings = Settings { observer, ..Settings::default() };
    let store = SledStore::open(&folder.path().join("store"), &settings).unwrap();
    let game = GameId::new();
    for version in 1..=5 {
        store.append(append(game, version)).await.unwrap();
    }
    drop(store);
    assert_eq!(*seen.lock().unwrap(), 5);
}
