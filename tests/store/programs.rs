//! The programs that get killed. They are tests only so that this binary can run them by name: whatever runs all tests skips
//! `programs::`.

use crate::fixture::open;
use crate::samples::{self, START};
use ludotheque::games::ports::{Append, Appended, Cursor, ListQuery, Scope, Status, Store};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::players::ports::{Family, Player, PlayerStore, Written};
use ludotheque::rules::Instant;
use ludotheque::store::sled::{Settings, SledStore, compact};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use test_support::power_loss::acknowledge;
use tokio::task::JoinSet;

/// Names the data folder to work in.
pub const FOLDER: &str = "STORE_TEST_FOLDER";
pub const WRITER: &str = "programs::write_until_killed";
pub const FILLER: &str = "programs::write_until_the_disk_is_full";
pub const COMPACTOR: &str = "programs::compact_until_killed";
const JOURNAL: usize = 256 << 10;
const WRITERS: usize = 64;
const WATCHERS: usize = 4;

pub fn folder() -> PathBuf {
    PathBuf::from(std::env::var_os(FOLDER).expect("only for the crash tests")).join("store")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs until it is killed: the crash tests start it"]
async fn write_until_killed() {
    // A small journal, so that it is restarted many times before the end.
    let settings = Settings { journal_capacity: JOURNAL, ..Settings::default() };
    let store = SledStore::open(&folder(), &settings).unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..WRITERS {
        let store = Arc::clone(&store);
        match number % 8 {
            0 => tasks.spawn(come_and_go(store)),
            1 => tasks.spawn(guests_are_swept(store)),
            2 => tasks.spawn(games_are_swept(store)),
            _ => tasks.spawn(play(store)),
        };
    }
    for _ in 0..WATCHERS {
        tasks.spawn(watch(Arc::clone(&store)));
    }
    tasks.join_next().await.expect("there are some").expect("none of them ends");
}

/// Games of some length, several steps queued at a time, with snapshots and commands.
async fn play(store: Arc<SledStore>) {
    loop {
        let game = GameId::new();
        let player = PlayerId::new();
        for first in (1..60).step_by(3) {
            let queued: Vec<_> = (first..first + 3)
                .map(|version| {
                    let scope = Scope { player, game: Some(game) };
                    let mut append = samples::with_command(game, version, scope, &format!("key {version}"));
                    append.head.members = vec![player];
                    append.head.listed = version % 2 == 0;
                    let snapshot = (version % 16 == 0).then(|| vec![7; 3000]);
                    (version, store.append(Append { snapshot, ..append }))
                })
                .collect();
            for (version, outcome) in queued {
                assert_eq!(outcome.await.unwrap(), Appended::Stored(version));
                acknowledge(&format!("game {game} {version}"));
            }
        }
    }
}

/// Accounts that are made, changed and signed out.
async fn come_and_go(store: Arc<SledStore>) {
    loop {
        let name = PlayerId::new().to_string();
        let player = samples::player(Some(&name));
        let family = samples::family(player.id);
        assert_eq!(store.create_player(player.clone(), family.clone()).await.unwrap(), Written::Done);
        acknowledge(&format!("player {} 1", player.id));
        let renamed = Player { revision: 2, username: Some(format!("former {name}")), ..player };
        assert_eq!(store.update_player(renamed).await.unwrap(), Written::Done);
        acknowledge(&format!("player {} 2", player.id));
        store.revoke_family(family.id).await.unwrap();
        acknowledge(&format!("signed-out {}", family.id));
        let newcomer = samples::newcomer("them", &name);
        store.admit_player(newcomer.clone()).await.unwrap();
        acknowledge(&format!("newcomer {} {name}", newcomer.id));
        store.revoke_tokens(samples::revocation(samples::mark(newcomer.id))).await.unwrap();
        acknowledge(&format!("token-ended {}", newcomer.id));
    }
}

/// What is removed was made and last touched before then.
const LONG_AGO: Instant = Instant(1);
const MEANWHILE: Instant = Instant(2);

/// Guests with their sign-ins that are removed again. Each slice looks at one row: at what the task itself made, and at
/// nothing of the others.
async fn guests_are_swept(store: Arc<SledStore>) {
    loop {
        let guest = Player { created_at: LONG_AGO, ..samples::player(None) };
        let sign_in = Family { expires_at: LONG_AGO, ..samples::family(guest.id) };
        assert_eq!(store.create_player(guest.clone(), sign_in.clone()).await.unwrap(), Written::Done);
        let from = Some(before(b'p', guest.id.as_bytes()));
        assert_eq!(store.remove_idle_guests(MEANWHILE, from, 1).await.unwrap().removed, 1);
        acknowledge(&format!("player-removed {}", guest.id));
        let from = Some(before(b'f', sign_in.id.as_bytes()));
        assert_eq!(store.remove_ended_sign_ins(START, from, 1).await.unwrap().removed, 1);
        acknowledge(&format!("sign-in-removed {}", sign_in.id));
    }
}

/// Games with their keys that are removed again, in the same way.
async fn games_are_swept(store: Arc<SledStore>) {
    loop {
        let (game, player) = (GameId::new(), PlayerId::new());
        let scope = Scope { player, game: None };
        let mut over = samples::with_command(game, 1, scope, "key");
        (over.head.updated_at, over.head.status, over.head.members) = (LONG_AGO, Status::Finished, vec![player]);
        assert_eq!(store.append(over).await.unwrap(), Appended::Stored(1));
        assert!(store.remove(game, MEANWHILE).await.unwrap());
        acknowledge(&format!("game-removed {game}"));
        let from = Some(before(b'n', player.as_bytes()));
        assert_eq!(store.remove_expired_commands(samples::later(24), from, 1).await.unwrap().removed, 1);
    }
}

/// Where a sweep goes on with the row of an id.
fn before(letter: u8, id: &[u8; 16]) -> Cursor {
    let number = u128::from_be_bytes(*id) - 1;
    Cursor([&[letter][..], &number.to_be_bytes()].concat())
}

/// Somebody who looks at what others write: what was seen must last as well.
async fn watch(store: Arc<SledStore>) {
    let mut seen = BTreeMap::new();
    loop {
        let query = ListQuery { limit: 3, ..ListQuery::default() };
        for (game, head) in store.list(query).await.unwrap() {
            if seen.insert(game, head.version) != Some(head.version) {
                acknowledge(&format!("game {game} {}", head.version));
            }
        }
    }
}

#[test]
#[ignore = "runs until it is killed: the crash tests start it"]
fn compact_until_killed() {
    loop {
        compact(&folder(), &Settings::default(), START, &|done, _| acknowledge(&format!("compacted {done}"))).unwrap();
    }
}

/// Writes until the disk takes no more, and tells what became of the first write that failed, of one after it, of a look
/// and of the question of health.
#[tokio::test]
#[ignore = "runs until the disk is full: the tests of limits start it"]
async fn write_until_the_disk_is_full() {
    let store = open(&folder());
    let game = GameId::new();
    let player = PlayerId::new();
    for version in 1..2000 {
        let mut append = samples::append(game, version);
        append.snapshot = Some(vec![version.to_le_bytes()[0]; 40_000]);
        append.head.members = vec![player];
        match store.append(append).await {
            Ok(outcome) => {
                assert_eq!(outcome, Appended::Stored(version));
                acknowledge(&format!("game {game} {version}"));
            }
            Err(first) => {
                let (second, read, health) =
                    (store.append(samples::append(game, version)).await, store.head(game).await, store.health().await);
                acknowledge(&format!("{first:?} {second:?} {read:?} {health:?}"));
                return;
            }
        }
    }
}
