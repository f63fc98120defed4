//! `moves`: durable moves at many tables with nobody watching, and what stands above them: the store without the service,
//! a server without a game, the disk without either. Also how long a move takes beside boardgame.io, which keeps its
//! matches in memory.

use super::answers::Kept;
use super::process::Server;
use super::progress::Bar;
use super::reads::repeat;
use super::report::{Goal, Report};
use super::store_alone::Recorded;
use super::table::{Setup, Table, play};
use super::{Bench, Result, bare, limits, rivals};

const MOVES_BEFORE: usize = 15;

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let (data, tables) = (bench.folder("moves"), bench.tables);
    let server = Server::ours(&data)?;
    let bare = bare_post(bench, &server, tables, report)?;
    let round = play(bench, &server, &Setup::of(tables))?;
    let ours = round.summary;
    report.run(format!("durable moves, {tables} tables"), ours, Some(round.per_cpu_second));
    drop(server);

    let recorded = Recorded::read(bench, &data)?;
    let bytes = recorded.bytes;
    let store = recorded.append(bench, &bench.folder("store-alone"))?.summary();
    report.run(format!("the store alone, {tables} writers"), store, None);
    let group = limits::group_commit(&bench.folder("group"), bytes, tables, bench.seconds)?.summary();
    report.run(format!("group commit of {bytes} bytes, {tables} writers"), group, None);
    let alone = limits::one_writer(&bench.folder("one-writer"), bytes, bench.seconds)?.summary();
    report.run(format!("one writer, one fdatasync for each {bytes} bytes"), alone, None);
    let rival = rivals::Rival::BoardgameIoInMemory.play(bench, tables, 0, 0)?;
    report.run(format!("boardgame.io in memory, {tables} tables"), rival.summary, Some(rival.per_cpu_second));

    report.compare("durable moves", "/s", ours.per_second, ("the store alone", store.per_second), Goal::AtLeast(0.4));
    report.compare("durable moves", "/s", ours.per_second, ("bare server, POST", bare), Goal::AtLeast(0.1));
    report.compare("durable moves", "/s", ours.per_second, ("one writer", alone.per_second), Goal::AtLeast(2.0));
    report.compare("durable move, p99", "ms", ours.p99, ("group commit, p99", group.p99), Goal::AtMost(10.0));
    report.compare(
        "durable move, p99",
        "ms",
        ours.p99,
        ("boardgame.io in memory", rival.summary.p99),
        Goal::AtMost(0.25),
    );
    Ok(())
}

/// How many answers to moves a second a bare server sends.
fn bare_post(bench: &Bench, server: &Server, connections: usize, report: &mut Report) -> Result<f64> {
    let (bare, question) = start_bare(bench, server)?;
    let what = format!("the same answers from a bare server, {connections} connections");
    let _bar = Bar::new(what.as_str(), bench.seconds);
    let questions = vec![question; connections];
    let (times, cpu) = bare.cpu_of(|| bench.runtime.block_on(repeat(&bare.address, questions, bench.seconds)))?;
    report.run(what, times.summary(), Some(times.count() as f64 / cpu));
    Ok(times.summary().per_second)
}

/// A bare server that answers a move as ours did, and the question.
pub fn start_bare(bench: &Bench, server: &Server) -> Result<(Server, super::client::Question)> {
    let (question, answer) = bench.runtime.block_on(async {
        let mut table = Table::open(&server.address).await?;
        table.warm_up(MOVES_BEFORE).await?;
        table.play_first().await
    })?;
    let bare = bare::start(bench, "moves", &[Kept::new(&question, &answer)?])?;
    Ok((bare, question))
}
