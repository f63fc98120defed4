//! `quiet`: moves at one table, where nothing is shared with anybody: what one move takes, beside what a bare server and
//! the disk take, and beside boardgame.io, which does not wait for a disk.

use super::process::Server;
use super::progress::Bar;
use super::reads::repeat;
use super::report::{Goal, Report};
use super::rivals::Rival;
use super::table::{Setup, play};
use super::{Bench, Result, limits, moves};

/// About what a move appends.
const BYTES: usize = 250;

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = Server::ours(&bench.folder("quiet"))?;
    let (bare, question) = moves::start_bare(bench, &server)?;
    let bar = Bar::new("the same answers from a bare server", bench.seconds);
    let bare_times = bench.runtime.block_on(repeat(&bare.address, vec![question], bench.seconds))?.summary();
    drop((bar, bare));
    report.run("the same answers from a bare server, one connection", bare_times, None);
    let disk = limits::one_writer(&bench.folder("quiet-disk"), BYTES, bench.seconds)?.summary();
    report.run("one writer, one fdatasync each", disk, None);
    let ours = play(bench, &server, &Setup::of(1))?;
    report.run("durable moves, one table", ours.summary, Some(ours.per_cpu_second));
    let rival = Rival::BoardgameIoInMemory.play(bench, 1, 0, 0)?;
    report.run("boardgame.io in memory, one table", rival.summary, Some(rival.per_cpu_second));

    let least = ("bare server + fdatasync", bare_times.p50 + disk.p50);
    report.compare("durable move, p50", "ms", ours.summary.p50, least, Goal::AtMost(2.0));
    let theirs = ("boardgame.io in memory", rival.summary.p50);
    report.compare("durable move, p50", "ms", ours.summary.p50, theirs, Goal::AtMost(1.0));
    Ok(())
}
