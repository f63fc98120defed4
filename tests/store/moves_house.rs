//! From one kind of store to the other and back: everything comes along, game by game, byte by byte.

use crate::fixture::{open, open_postgres};
use crate::samples::START;
use crate::transfer::filled;
use ludotheque::store::export_format::End;
use ludotheque::store::postgres::PostgresStore;
use ludotheque::store::sled::SledStore;
use ludotheque::store::{ImportError, Verified};
use test_support::postgres::database;

fn from_sled(store: &SledStore) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    let end = store.export(&mut bytes, START, &|_, _| ()).unwrap();
    (bytes, end)
}

async fn from_postgres(store: &PostgresStore) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    let end = store.export(&mut bytes, START, &|_, _| ()).await.unwrap();
    (bytes, end)
}

async fn verified(store: &PostgresStore) -> Verified {
    store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_moves_from_sled_to_postgresql_and_back_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (from, back) = (folder.path().join("from"), folder.path().join("back"));
    let (bytes, end) = tokio::task::spawn_blocking(move || from_sled(&filled(&from))).await.unwrap();
    let shared = open_postgres(&database()).await;
    assert_eq!(shared.import(&bytes[..], &|_, _| ()).await.unwrap(), end);
    assert_eq!(from_postgres(&shared).await, (bytes.clone(), end.clone()));
    let found = verified(&shared).await;
    assert_eq!(found.findings, Vec::<String>::new());
    let counts = found.counts;
    assert_eq!((counts.games, counts.steps, counts.commands, counts.invites), (12, 78, 78, 12));
    assert_eq!((counts.players, counts.families, counts.snapshots, counts.rows), (24, 24, 9, 12));
    let again = tokio::task::spawn_blocking(move || {
        let store = open(&back);
        assert_eq!(store.import(&bytes[..], &|_, _| ()).unwrap(), end);
        (from_sled(&store), (bytes, end))
    });
    let (again, before) = again.await.unwrap();
    assert_eq!(again, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_into_tables_that_are_not_empty_or_of_half_an_export_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("from");
    let (bytes, end) = tokio::task::spawn_blocking(move || from_sled(&filled(&path))).await.unwrap();
    let shared = open_postgres(&database()).await;
    let half = &bytes[..bytes.len() / 2];
    assert!(matches!(shared.import(half, &|_, _| ()).await, Err(ImportError::Export(_))));
    assert_eq!(from_postgres(&shared).await.1.games, 0, "nothing of it is there");
    assert_eq!(shared.import(&bytes[..], &|_, _| ()).await.unwrap(), end);
    assert!(matches!(shared.import(&bytes[..], &|_, _| ()).await, Err(ImportError::NotEmpty)));
    assert_eq!(from_postgres(&shared).await, (bytes, end));
}
