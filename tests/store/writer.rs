//! The programs that get killed. They are tests only so that this binary can run them by name.

use crate::fixture::open;
use crate::powerloss::acknowledge;
use crate::samples::{self, START};
use ludotheque::games::ports::{Append, Appended, ListQuery, Scope, Store};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::players::ports::{Player, PlayerStore, Written};
use ludotheque::store::sled::{Settings, SledStore, compact};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Names the data folder to work in.
pub const FOLDER: &str = "STORE_TEST_FOLDER";
pub const WRITER: &str = "writer::write_until_killed";
pub const FILLER: &str = "writer::write_until_the_disk_is_full";
pub const COMPACTOR: &str = "writer::compact_until_killed";
const JOURNAL: usize = 256 << 10;
const WRITERS: usize = 64;
const WATCHERS: usize = 4;

fn folder() -> PathBuf {
    PathBuf::from(std::env::var_os(FOLDER).expect("only for the crash tests")).join("store")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs until it is killed: the crash tests start it"]
async fn write_until_killed() {
    // So small a journal begins anew many times before the end.
    let settings = Settings { journal_capacity: JOURNAL, ..Settings::default() };
    let store = SledStore::open(&folder(), &settings).unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..WRITERS {
        let store = Arc::clone(&store);
        if number % 8 == 0 {
            tasks.spawn(come_and_go(store))
        } else {
            tasks.spawn(play(store))
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
