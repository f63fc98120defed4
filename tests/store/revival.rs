//! A store that opens itself again after a full disk does not do so after a sync that failed, whatever reason that gave:
//! what is read then may be in memory only.

use crate::crash::program;
use crate::facts::Facts;
use crate::programs::folder;
use crate::samples::append;
use futures::future::join_all;
use ludotheque::games::ports::{Append, Store};
use ludotheque::ids::GameId;
use ludotheque::store::sled::{Settings, SledStore};
use std::time::Duration;
use test_support::power_loss::{Disk, Honesty, Victim, acknowledge};

const WRITER: &str = "revival::programs::write_past_a_failure";
/// How many games are made at a time.
const GAMES: usize = 32;
/// Rounds of the writer if nothing fails.
const ROUNDS: usize = 1500;
/// After a failure the writer tries so often again: for far longer than it takes a store to open itself again.
const RETRIES: usize = 60;
const PAUSE: Duration = Duration::from_millis(100);
const REFUSED: &str = "refused";

#[test]
fn a_sync_that_failed_for_want_of_room_ends_all_writing_for_good() {
    for after in 1..6 {
        let start = tempfile::tempdir().unwrap();
        let disk = Disk::of(start.path());
        let mut command = program(WRITER, &disk.folder());
        disk.attach(&mut command, Honesty::LosesPagesForWantOfRoom(after));
        let told = Victim::start(&mut command).ends();
        let Some(failed) = told.iter().position(|line| line == REFUSED).filter(|_| disk.has_lost_pages()) else {
            continue;
        };
        assert_eq!(told[failed..].len(), RETRIES, "it was opened again: {:?}", &told[failed..].last());
        let mut facts = Facts::default();
        facts.learn(&told[..failed]);
        assert_eq!(facts.losses(&disk.platter()), Vec::<String>::new());
        return;
    }
    panic!("the disk never lost anything");
}

mod programs {
    use super::*;

    #[tokio::test]
    #[ignore = "a test of revival starts it"]
    async fn write_past_a_failure() {
        // A journal this small restarts with every round.
        let settings = Settings { journal_capacity: 16 << 10, ..Settings::default() };
        let store = SledStore::open(&folder(), &settings).unwrap();
        let (mut rounds, mut refused) = (0, 0);
        while rounds < ROUNDS && refused < RETRIES {
            let games: Vec<_> = (0..GAMES).map(|_| GameId::new()).collect();
            let made =
                games.iter().map(|game| store.append(Append { snapshot: Some(vec![7; 1000]), ..append(*game, 1) }));
            let made = join_all(made).await;
            for (game, _) in games.iter().zip(&made).filter(|(_, made)| made.is_ok()) {
                acknowledge(&format!("game {game} 1"));
            }
            if made.iter().all(Result::is_ok) {
                rounds += 1;
            } else {
                refused += 1;
                acknowledge(REFUSED);
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
