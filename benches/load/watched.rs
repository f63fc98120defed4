//! `watched`: moves at many tables with watchers at each, every one told by its own stream, and the players too. Held against the rivals by
//! the second that the server's processor works, since the clients of each share the machine with it.

use super::process::Server;
use super::report::{Goal, Report};
use super::rivals::Rival;
use super::table::{Setup, play};
use super::{Bench, Result};

const WATCHERS: usize = 4;

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let tables = bench.tables;
    let server = Server::ours(&bench.folder("watched"))?;
    let ours = play(bench, &server, &Setup { watchers: WATCHERS, ..Setup::of(tables) })?;
    drop(server);
    let what = format!("durable moves, {tables} tables, {WATCHERS} watchers each");
    report.run_of_events(what, ours.summary, Some(ours.per_cpu_second), ours.bytes_per_event);
    for (rival, goal) in [(Rival::BoardgameIoInMemory, 5.0), (Rival::BoardgameIoOnFiles, 20.0), (Rival::Colyseus, 0.7)]
    {
        let theirs = rival.play(bench, tables, WATCHERS, 0)?;
        let what = format!("{}, {tables} tables, {WATCHERS} watchers each", rival.name());
        report.run_of_events(what, theirs.summary, Some(theirs.per_cpu_second), Some(theirs.bytes_per_event));
        let against = (rival.name(), theirs.per_cpu_second);
        report.compare("moves, watched", "/CPU s", ours.per_cpu_second, against, Goal::AtLeast(goal));
    }
    Ok(())
}
