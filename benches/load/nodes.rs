//! `nodes`: durable moves on one, two and three nodes that share a PostgreSQL, against one node on the embedded store; and
//! how soon a stream from one node tells a move that was played on another. PostgreSQL is started here too, and shares the
//! cores with everybody.

use super::client::{self, Connection};
use super::process::{Server, UNLIMITED};
use super::report::{Goal, Report};
use super::table::{Setup, Table, lay_all, play, play_at};
use super::times::Times;
use super::{Bench, Result};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use std::time::Instant;
use test_support::postgres::{Cluster, Disk};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// How many moves are timed on their way from one node to a stream of another.
const TOLD: usize = 500;
const NODES: usize = 3;
/// A game that is not over soon.
const TOKENS: u8 = 20;

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let alone = {
        let server = Server::ours(&bench.folder("one-node"))?;
        play(bench, &server, &Setup::of(bench.tables))?
    };
    report.run("one node, embedded store", alone.summary, Some(alone.per_cpu_second));
    let cluster = Cluster::start(Disk::Synced);
    cluster.prepare();
    for count in 1..=NODES {
        let url = cluster.database(&format!("bench_{count}"));
        let data = bench.folder("nodes");
        let settings = [UNLIMITED, &["--store", &url]].concat();
        let nodes = (0..count).map(|_| Server::ours_with(&data, &settings)).collect::<Result<Vec<_>>>()?;
        let mut tables = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            let share = (bench.tables + number) / count;
            tables.extend(lay_all(bench, node, &Setup::of(share))?);
        }
        let shared = play_at(bench, tables)?.summary();
        report.run(format!("nodes on PostgreSQL: {count}"), shared, None);
        let against = ("one node, embedded store", alone.summary.per_second);
        report.compare(&format!("moves, {count} on PostgreSQL"), "/s", shared.per_second, against, None);
        if let [one, two, ..] = &nodes[..] {
            let told = bench.runtime.block_on(told(one, two))?.summary();
            report.run("from the answer to another node's stream", told, None);
            let what = format!("another node's stream, p99, {count} nodes");
            report.state(&what, "ms", told.p99, Some(Goal::AtMost(50.0)));
        }
    }
    Ok(())
}

/// How long after a move was acknowledged by one node a stream from another tells it.
async fn told(one: &Server, two: &Server) -> Result<Times> {
    let (start, mut each) = (Instant::now(), Vec::new());
    while each.len() < TOLD {
        let mut table = Table::lay(&one.address, &Setup { target: Some(TOKENS), ..Setup::of(1) }).await?;
        let mut hearing = follow(&table, two).await?;
        'game: while each.len() < TOLD {
            for seat in [0, 1] {
                table.play(seat).await?;
                let answered = Instant::now();
                while let Some((version, at)) = hearing.recv().await {
                    if version >= table.game.version {
                        each.push(at.saturating_duration_since(answered));
                        break;
                    }
                }
                if table.is_over() {
                    break 'game;
                }
            }
            table.look_again().await?;
        }
    }
    Ok(Times::new(each, start.elapsed()))
}

/// A version that was told, and when.
type Heard = (u64, Instant);

/// Follows a table's game on a node, from where it stands.
async fn follow(table: &Table, node: &Server) -> Result<UnboundedReceiver<Heard>> {
    let mut connection = Connection::open(&node.address).await?;
    let question = client::follow(&table.path(), table.game.version, &table.tokens[0])?;
    let body = connection.begin(question).await?.into_body();
    let (heard, hearing) = mpsc::unbounded_channel();
    tokio::spawn(listen(body, connection, heard));
    Ok(hearing)
}

/// Tells versions on, until the stream ends or nobody cares.
async fn listen(mut body: Incoming, _open: Connection, heard: UnboundedSender<Heard>) {
    while let Some(Ok(frame)) = body.frame().await {
        for version in frame.data_ref().map(|data| client::versions(data)).unwrap_or_default() {
            if heard.send((version, Instant::now())).is_err() {
                return;
            }
        }
    }
}
