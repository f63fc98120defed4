//! Nothing acknowledged is lost, whenever the program or the power goes.
//!
//! A writer, which is this test binary once more, is killed while it writes (see [`programs`](crate::programs)); then the
//! store is opened, and everything it told must be there and nothing torn.

use crate::facts::Facts;
use crate::fixture::open;
use crate::programs::{self, FOLDER};
use ludotheque::rules::{Dice, Seed};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use test_support::power_loss::{Disk, Honesty, Victim};
use test_support::rounds;

/// This binary again, as one of the programs to be killed.
pub fn program(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]).env(FOLDER, folder);
    command
}

/// Runs a program until some random moment after its first acknowledgements.
fn run_and_kill(command: &mut Command, dice: &mut Dice, most: u32) -> Vec<String> {
    let mut victim = Victim::start(command);
    victim.acknowledges(1 + dice.below(most) as usize);
    thread::sleep(Duration::from_micros(dice.below(20_000).into()));
    victim.kill()
}

/// Writes for some rounds, each ended by a power cut, and returns the losses of the first round that had any.
fn losses_by_power_cuts(cuts: u8, honesty: Honesty) -> Vec<String> {
    let start = tempfile::tempdir().unwrap();
    let mut disk = Disk::of(start.path());
    let mut facts = Facts::default();
    for round in 0..cuts {
        let mut command = program(programs::WRITER, &disk.folder());
        disk.attach(&mut command, honesty);
        facts.learn(&run_and_kill(&mut command, &mut Dice::new(Seed([round; 32])), 1500));
        let losses = facts.losses(&disk.platter());
        if !losses.is_empty() {
            return losses;
        }
        disk = Disk::of(&disk.platter());
    }
    assert!(facts.are_rich());
    Vec::new()
}

#[test]
#[ignore = "slow: kills writers and cuts the power, over and over"]
fn killing_the_writer_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut facts = Facts::default();
    for round in 0..rounds(20) {
        let mut command = program(programs::WRITER, folder.path());
        facts.learn(&run_and_kill(&mut command, &mut Dice::new(Seed([round; 32])), 1500));
        assert_eq!(facts.losses(folder.path()), Vec::<String>::new(), "round {round}");
    }
    assert!(facts.are_rich());
}

#[test]
#[ignore = "slow: kills writers and cuts the power, over and over"]
fn a_power_cut_loses_nothing() {
    assert_eq!(losses_by_power_cuts(rounds(12), Honesty::Honest), Vec::<String>::new());
}

/// A killed process leaves its writes to the next one; a power cut also loses the unsynced ones.
#[test]
#[ignore = "slow: kills writers and cuts the power, over and over"]
fn a_power_cut_after_a_kill_loses_nothing() {
    let start = tempfile::tempdir().unwrap();
    let mut disk = Disk::of(start.path());
    let mut facts = Facts::default();
    for round in 0..rounds(12) {
        let mut dice = Dice::new(Seed([round; 32]));
        for most in [800, 40, 3] {
            let mut command = program(programs::WRITER, &disk.folder());
            disk.attach(&mut command, Honesty::Honest);
            facts.learn(&run_and_kill(&mut command, &mut dice, most));
        }
        assert_eq!(facts.losses(&disk.platter()), Vec::<String>::new(), "round {round}");
        disk = Disk::of(&disk.platter());
    }
    assert!(facts.are_rich());
}

/// sled's own thread only logs the error that it receives instead of us.
#[test]
#[ignore = "slow: kills writers and cuts the power, over and over"]
fn pages_that_the_disk_could_not_write_end_all_writing_before_the_journal_forgets_them() {
    let mut tried = 0;
    for after in 2..8 {
        let start = tempfile::tempdir().unwrap();
        let disk = Disk::of(start.path());
        let mut command = program(programs::WRITER, &disk.folder());
        disk.attach(&mut command, Honesty::LosesPages(after));
        // It ends with a panic for each that writes.
        let mut victim = Victim::start(command.stderr(Stdio::null()));
        victim.acknowledges_or_ends(20_000);
        let mut facts = Facts::default();
        facts.learn(&victim.kill());
        tried += u32::from(disk.has_lost_pages() && facts.are_rich());
        assert_eq!(facts.losses(&disk.platter()), Vec::<String>::new());
    }
    assert!(tried > 0, "the disk never lost anything");
}

#[test]
#[ignore = "slow: kills writers and cuts the power, over and over"]
fn a_disk_that_ignores_fdatasync_is_found_out() {
    assert_ne!(losses_by_power_cuts(12, Honesty::IgnoresFdatasync), Vec::<String>::new());
}

#[test]
#[ignore = "slow: kills writers and cuts the power, over and over"]
fn a_power_cut_during_compaction_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(Seed([1; 32]));
    let mut facts = Facts::default();
    facts.learn(&run_and_kill(&mut program(programs::WRITER, folder.path()), &mut dice, 2000));
    drop(open(&folder.path().join("store")));
    let mut disk = Disk::of(folder.path());
    for round in 0..rounds(10) {
        let mut command = program(programs::COMPACTOR, &disk.folder());
        disk.attach(&mut command, Honesty::Honest);
        run_and_kill(&mut command, &mut dice, 150);
        assert_eq!(facts.losses(&disk.platter()), Vec::<String>::new(), "round {round}");
        disk = Disk::of(&disk.platter());
    }
}
