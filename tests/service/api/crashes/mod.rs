//! Nothing acknowledged is lost, whenever the server or the power goes.
//!
//! 64 players play, register, refresh and sign out at the real binary (`crowd.rs`), which is killed at a random moment.
//! After each crash the store must verify clean; the server must open again; everything that was answered before, and
//! every step that a stream showed, must be there (`ledger.rs`); and the same crowd goes on where it was.

pub mod crowd;
mod ledger;

use crowd::Crowd;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use test_support::power_loss::{self, Disk, Honesty};
use test_support::program::{ludotheque_unlimited, run};
use test_support::{Program, dice, rounds};

/// What a server runs on.
enum Machine {
    /// Keeps what was written when a process is killed.
    Reliable(TempDir),
    /// Keeps only what was synced when the power is cut.
    Fragile(Disk),
}

impl Machine {
    fn start(&self) -> Program {
        match self {
            Self::Reliable(data) => Program::unlimited(data.path()),
            Self::Fragile(disk) => {
                let mut command = ludotheque_unlimited(&disk.folder());
                disk.attach(&mut command, Honesty::Honest);
                Program::spawn(command)
            }
        }
    }

    /// Where the data are once it has come up again.
    fn rises(self) -> (Self, PathBuf) {
        match self {
            Self::Reliable(data) => {
                let path = data.path().to_owned();
                (Self::Reliable(data), path)
            }
            Self::Fragile(disk) => {
                let disk = Disk::of(&disk.platter());
                let path = disk.folder();
                keep_to_ourselves(&path.join("keys"));
                (Self::Fragile(disk), path)
            }
        }
    }
}

/// The model of power loss keeps names and bytes, but not who may read them; the server insists on that.
fn keep_to_ourselves(keys: &Path) {
    let files = fs::read_dir(keys).expect("the keys are there").map(|entry| (entry.expect("a file").path(), 0o600));
    for (path, mode) in files.chain([(keys.to_owned(), 0o700)]) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    }
}

/// Lets the crowd play and kills the server, several times.
async fn survives(mut machine: Machine, rounds: u64) {
    let mut crowd = Crowd::default();
    for round in 0..rounds {
        let mut dice = dice(round);
        let program = machine.start();
        crowd.arrives_at(&program).await;
        let acting = crowd.acts(&program, round);
        acting.acknowledged(1 + dice.below(500)).await;
        thread::sleep(Duration::from_micros(dice.below(20_000).into()));
        program.kill();
        crowd.remembers(acting).await;
        let data;
        (machine, data) = machine.rises();
        verify(&machine, &data);
    }
    let program = machine.start();
    crowd.arrives_at(&program).await;
    crowd.checks_everything_again(&program).await;
}

/// Everything in the store is whole and true to the rules. On a fragile machine the command runs on a copy: it opens
/// the store, and opening may write.
fn verify(machine: &Machine, data: &Path) {
    let copy = tempfile::tempdir().expect("a folder");
    let folder = match machine {
        Machine::Reliable(_) => data,
        Machine::Fragile(_) => {
            power_loss::copy(data, copy.path());
            copy.path()
        }
    };
    let mut verify = ludotheque_unlimited(folder);
    verify.arg("verify");
    let output = run(verify);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: kills servers and cuts the power, over and over"]
async fn killing_the_server_again_and_again_loses_nothing() {
    survives(Machine::Reliable(tempfile::tempdir().expect("a folder")), rounds(20)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: kills servers and cuts the power, over and over"]
async fn cutting_the_power_again_and_again_loses_nothing() {
    let empty = tempfile::tempdir().expect("a folder");
    survives(Machine::Fragile(Disk::of(empty.path())), rounds(8)).await;
}
