//! Players whom other issuers vouch for, and their ended tokens: carried along, cleared away and verified like the rest.

use crate::fixture::open;
use crate::samples::{START, later, mark, newcomer, revocation};
use ludotheque::players::ports::{Player, PlayerStore};
use ludotheque::store::export_format::{End, Line, LineWriter};
use ludotheque::store::sled::{Settings, SledStore, compact};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

const NEWCOMERS: usize = 5;

/// A closed store with some newcomers, each with an ended token.
fn stored() -> (TempDir, PathBuf, Vec<Player>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let store = open(&path);
    let players: Vec<_> = (0..NEWCOMERS).map(|number| newcomer("them", &number.to_string())).collect();
    wait(async {
        for player in &players {
            store.admit_player(player.clone()).await.unwrap();
            store.revoke_tokens(revocation(mark(player.id))).await.unwrap();
        }
    });
    drop(store);
    (folder, path, players)
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn export(store: &SledStore) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    let end = store.export(&mut bytes, START, &|_, _| ()).unwrap();
    (bytes, end)
}

fn findings(store: &SledStore) -> Vec<String> {
    store.verify(&mut |_, _, _| Ok(()), &|_, _| ()).findings
}

/// All newcomers are found by their subjects, and `ended` of their tokens are revoked.
fn holds(store: &Arc<SledStore>, players: &[Player], ended: usize) {
    let revoked = wait(async {
        let mut revoked = 0;
        for player in players {
            let found = store.player_by_subject(player.subject.as_ref().unwrap()).await.unwrap();
            assert_eq!(found.as_ref(), Some(player));
            revoked += usize::from(store.is_revoked(&[mark(player.id)], START).await.unwrap());
        }
        revoked
    });
    assert_eq!(revoked, ended);
    assert_eq!(findings(store), Vec::<String>::new());
}

#[test]
fn newcomers_and_ended_tokens_survive_export_and_import() {
    let (folder, path, players) = stored();
    let (bytes, end) = export(&open(&path));
    assert_eq!((end.players, end.revocations), (5, 5));
    let imported = open(&folder.path().join("imported"));
    assert_eq!(imported.import(&bytes[..], &|_, _| ()).unwrap(), end);
    holds(&imported, &players, NEWCOMERS);
    assert_eq!(export(&imported).0, bytes);
}

#[test]
fn two_players_with_one_subject_are_not_imported() {
    let mut bytes = Vec::new();
    let mut writer = LineWriter::start(&mut bytes).unwrap();
    for _ in 0..2 {
        writer.write(&Line::Player(newcomer("them", "ann"))).unwrap();
    }
    writer.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    assert!(open(&folder.path().join("store")).import(&bytes[..], &|_, _| ()).is_err());
}

#[test]
fn compaction_forgets_ended_tokens_that_have_expired_and_no_others() {
    let (_folder, path, players) = stored();
    for (hours, ended) in [(23, NEWCOMERS), (24, 0)] {
        compact(&path, &Settings::default(), later(hours), &|_, _| ()).unwrap();
        holds(&open(&path), &players, ended);
    }
}

/// Removes the first entry of tree `a` that begins with a letter, behind the store's back.
fn remove_first(path: &Path, letter: &str) {
    let db = sled::Config::new().path(path).segment_size(8 << 20).open().unwrap();
    let accounts = db.open_tree("a").unwrap();
    let (key, _) = accounts.scan_prefix(letter).next().unwrap().unwrap();
    accounts.remove(key).unwrap();
    db.flush().unwrap();
}

#[test]
fn a_subject_that_leads_nowhere_or_a_newcomer_nobody_finds_is_a_finding() {
    for letter in ["p", "s"] {
        let (_folder, path, _) = stored();
        remove_first(&path, letter);
        let found = findings(&open(&path));
        assert_eq!(found.len(), 1, "{letter}: {found:?}");
    }
}
