//! What the embedded store does when it is asked for more than it can do.

use crate::crash::program;
use crate::facts::Facts;
use crate::fixture::open;
use crate::programs;
use crate::samples::{append, with_head};
use futures::future::join_all;
use ludotheque::games::ports::{Append, Appended, Store, StoreError};
use ludotheque::games::step::{Event, KindEvent};
use ludotheque::ids::{GameId, PlayerId};
use ludotheque::rules::any::AnyEvent;
use ludotheque::store::sled::{OpenError, Settings, SledStore};
use std::fs;
use std::path::Path;
use std::process::Command;
use test_support::power_loss::{Disk, Honesty, Victim};

const MAX_VALUE: usize = 96 << 10;

#[tokio::test]
async fn a_full_queue_refuses_at_once_and_recovers() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { queue_capacity: 8, ..Settings::default() };
    let store = SledStore::open(&folder.path().join("store"), &settings).unwrap();
    let queued: Vec<_> = (0..2000).map(|_| GameId::new()).map(|game| store.append(append(game, 1))).collect();
    let outcomes = join_all(queued).await;
    let busy = |outcome: &&Result<_, _>| matches!(outcome, Err(StoreError::Unavailable(why)) if why.contains("busy"));
    let refused = outcomes.iter().filter(busy).count();
    assert!(refused > 0, "2000 calls outrun a queue of 8");
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), outcomes.len() - refused);
    assert_eq!(store.append(append(GameId::new(), 1)).await.unwrap(), Appended::Stored(1));
}

#[tokio::test]
async fn a_closed_store_carries_out_what_was_queued_and_refuses_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("store"));
    let game = GameId::new();
    let queued: Vec<_> = (1..=20).map(|version| store.append(append(game, version))).collect();
    let closing = store.clone();
    tokio::task::spawn_blocking(move || closing.close()).await.unwrap();
    for outcome in join_all(queued).await {
        assert!(matches!(outcome.unwrap(), Appended::Stored(_)));
    }
    assert!(matches!(store.append(append(game, 21)).await, Err(StoreError::Unavailable(_))));
    assert_eq!(store.head(game).await.unwrap().unwrap().version, 20);
    drop(store);
    let again = open(&folder.path().join("store"));
    assert_eq!(again.head(game).await.unwrap().unwrap().version, 20);
}

#[tokio::test]
async fn an_entry_that_is_too_large_is_refused_and_a_snapshot_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("store"));
    let game = GameId::new();
    let mut large = append(game, 1);
    large.step.events = vec![Event::Rules(KindEvent(AnyEvent::encoded(vec![0; MAX_VALUE])))];
    let crowd = with_head(game, 1, |head| head.members = (0..7000).map(|_| PlayerId::new()).collect());
    for refused in [large, crowd] {
        assert!(matches!(store.append(refused).await, Err(StoreError::Unavailable(why)) if why.contains("too large")));
    }
    for (version, size) in [(1, 100), (2, MAX_VALUE)] {
        let snapshot = Some(vec![1; size]);
        assert_eq!(
            store.append(Append { snapshot, ..append(game, version) }).await.unwrap(),
            Appended::Stored(version)
        );
    }
    let loaded = store.load(game).await.unwrap().unwrap();
    assert_eq!((loaded.snapshot, loaded.steps.len()), (Some(vec![1; 100]), 1));
}

/// sled moves large pages into files that it never syncs; ours stay small enough.
#[tokio::test]
async fn the_largest_values_never_leave_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("store"));
    let games: Vec<_> = (0..60).map(|_| GameId::new()).collect();
    for version in 1..=3 {
        let appends = games.iter().map(|game| {
            let mut append = append(*game, version);
            append.step.events = vec![Event::Rules(KindEvent(AnyEvent::encoded(vec![2; MAX_VALUE - 1000])))];
            store.append(Append { snapshot: Some(vec![3; MAX_VALUE - 1000]), ..append })
        });
        for outcome in join_all(appends).await {
            assert_eq!(outcome.unwrap(), Appended::Stored(version));
        }
    }
    assert_eq!(store.load(games[0]).await.unwrap().unwrap().snapshot, Some(vec![3; MAX_VALUE - 1000]));
    assert_eq!(fs::read_dir(folder.path().join("store/blobs")).unwrap().count(), 0);
}

#[test]
fn a_store_in_use_is_not_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let _open = open(&path);
    assert!(matches!(SledStore::open(&path, &Settings::default()), Err(OpenError::InUse(_))));
}

/// The first write that fails may have taken effect; after it nothing is written, shown or called healthy, until
/// the store is opened again with everything acknowledged before.
fn check_failure(command: &mut Command, data: &Path) {
    let told = Victim::start(command).ends();
    let (last, acknowledged) = told.split_last().unwrap();
    assert!(last.starts_with("Unknown"), "{last}");
    assert_eq!(last.matches("Err(Unavailable").count(), 3, "{last}");
    let mut facts = Facts::default();
    facts.learn(acknowledged);
    assert_eq!(facts.losses(data), Vec::<String>::new());
}

#[test]
fn a_full_disk_leaves_one_outcome_unknown_and_ends_all_writing() {
    let folder = tempfile::tempdir().unwrap();
    // No file may grow beyond 10 MB; without the trap, the attempt would end the program.
    let filler = program(programs::FILLER, folder.path());
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 20000; exec \"$0\" \"$@\""]).arg(filler.get_program());
    command.args(filler.get_args()).env(programs::FOLDER, folder.path());
    check_failure(&mut command, folder.path());
}

#[test]
fn a_sync_that_fails_leaves_one_outcome_unknown_and_ends_all_writing() {
    for number in 40..46 {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::of(folder.path());
        let mut command = program(programs::FILLER, &disk.folder());
        disk.attach(&mut command, Honesty::FailsFdatasync(number));
        check_failure(&mut command, &disk.platter());
    }
}
