//! `greedy`: what two players notice while one address does its worst. Each attack has a server of its own with default
//! limits and an empty data folder: first the players alone, then beside the flood, then right after it.
//!
//! The flood is this program again, in a process with the lowest OS priority: on a machine that both share, the server's
//! work for the flood is what the players notice, not the work of making it.

mod attacks;
mod counts;
mod flood;
mod others;
mod phase;

pub use attacks::ATTACKS;
pub use flood::{PART, run as attack};

use super::process::Server;
use super::progress::Bar;
use super::report::{Goal, Report};
use super::{Bench, Result};
use attacks::{Attack, find};
use flood::Attacker;
use others::Others;
use phase::{Observed, Phase};
use std::time::Duration;

/// How much longer the slowest hundredth of the others' requests may take.
const SLOWER: Goal = Goal::AtMost(3.0);
/// How much memory a flood may take, in MiB.
const MEMORY: Goal = Goal::AtMost(256.0);
const MIB: f64 = 1024.0 * 1024.0;

/// Until the game has begun and every path of the server has run once.
const WARM_UP: Duration = Duration::from_secs(2);
/// How long the players are alone, at the least and at the most; a third of the attack in between.
const QUIET: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(10)];
/// A preparation that takes longer is a flood too, and its effect is reported.
const LONG_PREPARATION: Duration = Duration::from_secs(2);

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    if let Some(unknown) = bench.attacks.iter().find(|name| find(name).is_none()) {
        return Err(format!("there is no attack {unknown}; `--list` names them").into());
    }
    for attack in ATTACKS.iter().filter(|attack| attack.is_among(&bench.attacks)) {
        report.begin(&format!("greedy {}", attack.name));
        // The figures of the other attacks are worth having all the same.
        if let Err(error) = measure(bench, report, attack) {
            report.fail(error.as_ref());
        }
    }
    Ok(())
}

/// Everything that is measured of one attack.
struct Measured {
    quiet: Phase,
    preparation: Phase,
    flood: Phase,
    after: Phase,
}

fn measure(bench: &Bench, report: &mut Report, attack: &'static Attack) -> Result<()> {
    let data = bench.folder(&format!("greedy-{}", attack.name));
    let server = Server::with_defaults(&data, &[])?;
    let others = bench.runtime.block_on(Others::start(&server.address, attack.companion))?;
    std::thread::sleep(WARM_UP);
    let observed = Observed { server: &server, others: &others, data: &data };
    let quiet_time = (bench.attack_seconds / 3).clamp(QUIET[0], QUIET[1]);

    let quiet = observed.wait("alone", quiet_time)?;
    let mut attacker = Attacker::start(&server.address, attack, bench.attack_seconds)?;
    let (prepared, preparation) = observed.during(|| {
        let _bar = Bar::new(format!("{}: preparing", attack.name), bench.attack_seconds);
        attacker.prepared()
    })?;
    let flood = observed.wait(attack.name, bench.attack_seconds)?;
    let counts = attacker.stop()?;
    let after = observed.wait("afterwards", quiet_time)?;

    let measured = Measured { quiet, preparation, flood, after };
    measured.report(report, attack);
    if !prepared.is_empty() {
        report.note(&format!("prepared: {prepared}"));
    }
    report.note(&format!("flood: {counts}"));
    let hollow = counts.hollow();
    if !hollow.is_empty() {
        return Err(format!("nothing of this got through, so it was no attack: {}", hollow.join(", ")).into());
    }
    let (failed, first) = others.failures();
    report.state("others' requests that failed", "", failed as f64, Some(Goal::AtMost(0.0)));
    match first {
        Some(first) => Err(format!("{failed} of the others' requests failed, first: {first}").into()),
        None if measured.after.answered == 0 => Err("the others were not served after the flood either".into()),
        None => Ok(()),
    }
}

impl Measured {
    fn report(&self, report: &mut Report, attack: &Attack) {
        let Self { quiet, preparation, flood, after } = self;
        let is_long = preparation.length >= LONG_PREPARATION;
        report.run("others, alone", quiet.table, None);
        if is_long {
            report.run("others, during the preparation", preparation.table, None);
        }
        report.run("others, during the flood", flood.table, None);
        report.run("others, right after", after.table, None);

        report.compare("others' p50", "ms", flood.table.p50, ("alone", quiet.table.p50), None);
        report.compare("others' p99", "ms", flood.table.p99, ("alone", quiet.table.p99), SLOWER);
        if is_long {
            let (ours, alone) = (preparation.table.p99, quiet.table.p99);
            report.compare("others' p99, preparation", "ms", ours, ("alone", alone), SLOWER);
        }
        report.compare("others' p99, right after", "ms", after.table.p99, ("alone", quiet.table.p99), None);
        if let (Some(quiet), Some(flood), Some(after)) = (quiet.companion, flood.companion, after.companion) {
            let what = attack.companion.measures();
            for (when, summary) in [("alone", quiet), ("during the flood", flood), ("right after", after)] {
                report.run(format!("{what}, {when}"), summary, None);
            }
            report.compare(&format!("{what}, p50"), "ms", flood.p50, ("alone", quiet.p50), None);
            report.compare(&format!("{what}, p99"), "ms", flood.p99, ("alone", quiet.p99), SLOWER);
            report.compare(&format!("{what}, p99 right after"), "ms", after.p99, ("alone", quiet.p99), None);
        }
        let peak = flood.memory.max(preparation.memory);
        report.state("memory above quiet", "MiB", (peak - quiet.memory) / MIB, Some(MEMORY));
        report.state("processor time of the flood", "CPU s", flood.cpu_beyond(quiet), None);
        if attack.fills_disk {
            let taken = flood.disk - quiet.disk / quiet.length.as_secs_f64() * flood.length.as_secs_f64();
            report.state("disk taken by the flood", "MiB", taken / MIB, None);
        }
    }
}
