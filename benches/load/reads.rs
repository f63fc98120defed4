//! `reads`: what a seated player asks for again and again, each of many connections its own table. Every question is put
//! to our server and to a bare one that answers the same bytes, in turns: a machine that is faster at one time than at
//! another is so to both.

use super::answers::Kept;
use super::client::{Connection, Question, get, post};
use super::process::Server;
use super::progress::Bar;
use super::report::{Goal, Report};
use super::table::{Setup, Table, lay_all};
use super::times::Times;
use super::{Bench, Result, bare};
use hyper::header;
use serde_json::json;
use std::time::{Duration, Instant};

/// Two rounds and a half: a view with some history.
const MOVES_BEFORE: usize = 15;

/// The view as REST shows it, every field.
const VIEW: &str =
    "query View($id: ID!) { game(id: $id) { id status version you waitingFor updatedAt view { ... on ChipsView {
    round roundStep dealer targetTokens boards chips { flavour out left }
    seats { seat tokens resigned chosen handSize hand discards bet { for against } }
    history { round dealer boards seats { seat bet { for against } discards
        tally { score met jackpot rank gained tokens } } } } } } }";

/// How often each of the two has its turn.
const TURNS: u32 = 4;

/// One of the two, and what was measured of it.
struct Side<'a> {
    server: &'a Server,
    questions: Vec<Question>,
    what: String,
    times: Times,
    cpu: f64,
}

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let server = Server::ours(&bench.folder("reads"))?;
    let mut tables = lay_all(bench, &server, &Setup::of(bench.tables))?;
    bench.runtime.block_on(async {
        for table in &mut tables {
            table.warm_up(MOVES_BEFORE).await?;
        }
        Result::Ok(())
    })?;
    let each = |question: fn(&Table) -> Result<Question>| tables.iter().map(question).collect::<Result<Vec<_>>>();
    let views = each(|table| get(&table.path(), &table.tokens[0]))?;
    let legal = each(|table| get(&format!("{}/legal-moves", table.path()), &table.tokens[0]))?;
    let graphql =
        each(|table| post("/graphql", &table.tokens[0], &json!({"query": VIEW, "variables": {"id": table.game.id}})))?;
    let known = bench.runtime.block_on(known(&server.address, &views))?;
    for (what, questions, goal) in [
        ("view", views, 0.6),
        ("legal moves", legal, 0.6),
        ("304 by ETag", known, 0.8),
        ("view by GraphQL", graphql, 0.35),
    ] {
        let kept = bench.runtime.block_on(keep(&server.address, &questions[0]))?;
        let bytes = kept.body.len();
        let bare = bare::start(bench, "reads", &[kept])?;
        // The bare server has one path for all tables.
        let same: Vec<_> = vec![questions[0].uri().clone(); questions.len()];
        let with_one_path = questions.iter().zip(same).map(|(question, uri)| {
            let mut question = question.clone();
            *question.uri_mut() = uri;
            question
        });
        let what_of_theirs = format!("{what}, {bytes} bytes, bare");
        let mut theirs = Side::new(&bare, with_one_path.collect(), what_of_theirs);
        let mut ours = Side::new(&server, questions, format!("{what}, {bytes} bytes"));
        for _ in 0..TURNS {
            theirs.have_a_turn(bench)?;
            ours.have_a_turn(bench)?;
        }
        let [theirs, ours] = [theirs, ours].map(|side| side.report(report));
        report.compare(what, "/s", ours.0, ("bare server", theirs.0), Goal::AtLeast(goal));
        report.compare(&format!("{what}, per CPU second"), "/CPU s", ours.1, ("bare server", theirs.1), None);
    }
    Ok(())
}

/// The same questions from somebody who has the answers already.
async fn known(address: &str, views: &[Question]) -> Result<Vec<Question>> {
    let mut connection = Connection::open(address).await?;
    let mut known = Vec::new();
    for view in views {
        let answer = connection.ask(view.clone()).await?;
        let etag = answer.headers.get(header::ETAG).ok_or("no ETag")?.clone();
        let mut view = view.clone();
        view.headers_mut().insert(header::IF_NONE_MATCH, etag);
        known.push(view);
    }
    Ok(known)
}

/// What our server answers, which must be what was hoped for.
async fn keep(address: &str, question: &Question) -> Result<Kept> {
    let answer = Connection::open(address).await?.ask(question.clone()).await?;
    let text = String::from_utf8_lossy(&answer.body);
    if !(answer.status.is_success() || answer.status.as_u16() == 304) || text.contains("\"errors\"") {
        return Err(format!("{} {text}", answer.status).into());
    }
    Kept::new(question, &answer)
}

impl<'a> Side<'a> {
    fn new(server: &'a Server, questions: Vec<Question>, what: String) -> Self {
        Self { server, questions, what, times: Times::default(), cpu: 0.0 }
    }

    fn have_a_turn(&mut self, bench: &Bench) -> Result<()> {
        let turn = bench.seconds / TURNS;
        let _bar = Bar::new(&self.what, turn);
        let asking = || bench.runtime.block_on(repeat(&self.server.address, self.questions.clone(), turn));
        let (times, cpu) = self.server.cpu_of(asking)?;
        self.times.add(times);
        self.cpu += cpu;
        Ok(())
    }

    /// Tells how often it answered, per second and per second of its processors.
    fn report(self, report: &mut Report) -> (f64, f64) {
        let (summary, per_cpu_second) = (self.times.summary(), self.times.count() as f64 / self.cpu);
        report.run(self.what, summary, Some(per_cpu_second));
        (summary.per_second, per_cpu_second)
    }
}

/// Every question again and again, on a connection of its own.
pub async fn repeat(address: &str, questions: Vec<Question>, duration: Duration) -> Result<Times> {
    let mut connections = Vec::new();
    for question in questions {
        connections.push((Connection::open(address).await?, question));
    }
    let end = Instant::now() + duration;
    let asking = connections.into_iter().map(|(mut connection, question)| async move {
        let mut times = Vec::new();
        let mut before = Instant::now();
        while before < end {
            let answer = connection.ask(question.clone()).await?;
            if answer.status.is_client_error() || answer.status.is_server_error() {
                return Err(format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body)).into());
            }
            let after = Instant::now();
            times.push(after - before);
            before = after;
        }
        Ok(times)
    });
    Times::of_all(asking).await
}
