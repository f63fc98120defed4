//! A killed program, and then damage to its journal: the store is whole, or it is refused and says what to do.

use crate::crash::program;
use crate::facts::Facts;
use crate::programs;
use ludotheque::rules::{Dice, Seed};
use std::fs;
use std::path::Path;
use test_support::power_loss::{Victim, copy};

/// What may have become of a journal.
#[derive(Debug)]
enum Damage {
    Missing,
    /// Nothing is left from here on.
    Cut(usize),
    /// Zeros up to here.
    Zeroed(usize),
    /// Zeros from here on, for so long.
    Hole(usize, usize),
    Flipped(usize),
    /// As it was some commits ago.
    Old,
}

impl Damage {
    /// One of each sort, most of them near the beginning.
    fn all(journal: &[u8], dice: &mut Dice) -> Vec<Damage> {
        let length = journal.len();
        let hole = dice.index(length);
        vec![
            Damage::Missing,
            Damage::Cut(0),
            Damage::Cut(dice.index(200)),
            Damage::Cut(dice.index(length)),
            Damage::Cut(length - 1 - dice.index(200)),
            Damage::Zeroed(1 + dice.index(200)),
            Damage::Zeroed(length),
            Damage::Hole(hole, dice.index(length - hole)),
            Damage::Flipped(dice.index(length)),
            Damage::Old,
        ]
    }

    fn strike(&self, path: &Path, old: &[u8]) {
        let mut journal = fs::read(path).unwrap();
        match *self {
            Damage::Missing => return fs::remove_file(path).unwrap(),
            Damage::Cut(at) => journal.truncate(at),
            Damage::Zeroed(to) => journal[..to].fill(0),
            Damage::Hole(from, length) => journal[from..from + length].fill(0),
            Damage::Flipped(at) => journal[at] ^= 0x10,
            Damage::Old => journal = old.to_vec(),
        }
        fs::write(path, journal).unwrap();
    }
}

#[test]
fn however_the_journal_is_damaged_after_a_kill_the_store_is_whole_or_refused() {
    let mut dice = Dice::new(Seed([17; 32]));
    let mut refused = 0;
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store/journal");
        let mut victim = Victim::start(&mut program(programs::WRITER, folder.path()));
        victim.acknowledges(300 + dice.below(900) as usize);
        let old = fs::read(&path).unwrap();
        victim.acknowledges(1 + dice.below(60) as usize);
        let mut facts = Facts::default();
        facts.learn(&victim.kill());
        for damage in Damage::all(&fs::read(&path).unwrap(), &mut dice) {
            let struck = tempfile::tempdir().unwrap();
            copy(folder.path(), struck.path());
            damage.strike(&struck.path().join("store/journal"), &old);
            match &facts.losses(struck.path())[..] {
                [] => {}
                [sentence] if sentence.contains("restore a backup") => refused += 1,
                lost => panic!("{damage:?} lost {} things silently: {:?}", lost.len(), lost.first()),
            }
        }
        assert_eq!(facts.losses(folder.path()), Vec::<String>::new(), "without damage nothing is missing");
    }
    assert!(refused > 10, "sled had flushed nearly everything: {refused} of 30");
}

#[test]
fn a_journal_that_is_missing_is_noticed_in_a_store_of_an_earlier_build() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    drop(crate::fixture::open(&store));
    // As earlier builds noted it: one number, of a commit that may be long ago.
    fs::write(store.join("commit-number"), format!("1 {:08x}\n", crc32fast::hash(b"1"))).unwrap();
    let intact = tempfile::tempdir().unwrap();
    copy(folder.path(), intact.path());
    assert_eq!(Facts::default().losses(intact.path()), Vec::<String>::new());
    fs::remove_file(store.join("journal")).unwrap();
    let [sentence] = &Facts::default().losses(folder.path())[..] else { panic!("it was opened") };
    assert!(sentence.contains("the file journal is missing") && sentence.contains("restore a backup"), "{sentence}");
}
