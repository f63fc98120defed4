//! Everybody else: two players at a table of Chips, each from an address of its own and well within its limits, and where
//! an attack aims at something else, a companion who does that.
//!
//! They ask at a steady pace. A slow answer delays the requests after it, so those count too, each with the time that it
//! would have waited (correction for coordinated omission). A request that is still waiting when a phase ends counts with
//! the time that it has waited so far.

use super::super::Result;
use super::super::client::{Answer, Connection, Question, get, post};
use super::super::table::guest;
use super::super::times::{Summary, Times};
use hyper::StatusCode;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Between two requests of a player: 20 a second.
const PACE: Duration = Duration::from_millis(50);
/// Between two requests of the one who starts games: four requests make one game.
const STARTS_PACE: Duration = Duration::from_millis(250);
const A_SECOND: Duration = Duration::from_secs(1);
/// Games go on for as long as the rules allow.
const TOKENS: u8 = 20;
const PASSWORD: &str = "correct horse battery";
const QUERY: &str = "{ me { id } kinds { id } }";

/// Who else there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Companion {
    None,
    /// An account holder who signs in once a second.
    SignsIn,
    /// Two players who start a game of Chips once a second.
    StartsGames,
}

impl Companion {
    pub fn measures(self) -> &'static str {
        match self {
            Self::None => "nothing",
            Self::SignsIn => "sign-ins of an account",
            Self::StartsGames => "starts of a game",
        }
    }
}

/// They play until dropped.
pub struct Others {
    table: Arc<Series>,
    companion: Option<Arc<Series>>,
    failures: Arc<Failures>,
    _playing: JoinSet<()>,
}

/// Times of one sort of request, from several players.
#[derive(Default)]
struct Series(Mutex<Recorded>);

struct Recorded {
    since: Instant,
    times: Vec<Duration>,
    answered: u64,
    /// Requests that wait for an answer, by the address they are from: since when, and the pace they hold up.
    waiting: HashMap<IpAddr, (Instant, Duration)>,
}

/// What was recorded of a series.
#[derive(Clone, Copy)]
pub struct Served {
    pub times: Summary,
    pub answered: u64,
}

/// How many requests failed, and how the first one did.
#[derive(Default)]
struct Failures(Mutex<(u64, Option<String>)>);

impl Others {
    pub async fn start(server: &str, companion: Companion) -> Result<Self> {
        let (table, failures) = (Arc::<Series>::default(), Arc::<Failures>::default());
        let mut playing = JoinSet::new();
        let (games, next_game) = watch::channel(String::new());
        let player =
            async |y, pace, series: &Arc<Series>| Player::new(server, y, pace, series.clone(), failures.clone()).await;
        let (ada, bob) = (player(101, PACE, &table).await?, player(102, PACE, &table).await?);
        playing.spawn(ada.hosts(games));
        playing.spawn(bob.joins(next_game));
        let series = Arc::<Series>::default();
        let companion = match companion {
            Companion::None => None,
            Companion::SignsIn => {
                playing.spawn(player(103, A_SECOND, &series).await?.signs_in());
                Some(series)
            }
            Companion::StartsGames => {
                let mut host = player(103, STARTS_PACE, &series).await?;
                let joining = guest(&mut host.connection).await?;
                playing.spawn(host.starts_games(joining));
                Some(series)
            }
        };
        Ok(Self { table, companion, failures, _playing: playing })
    }

    /// What was measured since this was last called: at the table, and of the companion.
    pub fn take(&self) -> (Served, Option<Served>) {
        (self.table.take(), self.companion.as_ref().map(|series| series.take()))
    }

    pub fn failures(&self) -> (u64, Option<String>) {
        self.failures.lock().clone()
    }
}

/// Somebody who asks at a steady pace, whatever becomes of it.
struct Player {
    from: IpAddr,
    server: String,
    token: String,
    connection: Connection,
    pace: Duration,
    ticks: Interval,
    series: Arc<Series>,
    failures: Arc<Failures>,
}

impl Player {
    async fn new(server: &str, y: u8, pace: Duration, series: Arc<Series>, failures: Arc<Failures>) -> Result<Self> {
        let from = IpAddr::V4(Ipv4Addr::new(127, 0, 0, y));
        let mut connection = Connection::open_from(from, server).await?;
        let token = guest(&mut connection).await?;
        let mut ticks = interval(pace);
        // Requests that were missed are counted, not made up for: that would be a flood as well.
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(Self { from, server: server.to_owned(), token, connection, pace, ticks, series, failures })
    }

    /// Makes one game after the other for two.
    async fn hosts(mut self, games: watch::Sender<String>) {
        loop {
            let new = json!({"kind": "CHIPS", "seats": 2, "options": {"targetTokens": TOKENS}});
            let Some(made) = self.post("/v1/games", &new).await else { continue };
            let Some(id) = made["id"].as_str() else { continue };
            let path = format!("/v1/games/{id}");
            games.send_replace(path.clone());
            self.plays(&path, true).await;
        }
    }

    /// Joins every game that is made.
    async fn joins(mut self, mut games: watch::Receiver<String>) {
        while games.changed().await.is_ok() {
            let path = games.borrow_and_update().clone();
            while self.post(&format!("{path}/seats"), &json!({})).await.is_none() {}
            self.plays(&path, false).await;
        }
    }

    /// Plays a game to its end.
    async fn plays(&mut self, path: &str, is_host: bool) {
        loop {
            let Some(game) = self.get(path).await else { continue };
            match game["status"].as_str() {
                Some("LOBBY") => {
                    let is_full =
                        game["seats"].as_array().is_some_and(|seats| seats.iter().all(|s| !s["player"].is_null()));
                    if is_host && is_full {
                        self.post(&format!("{path}/start"), &json!({})).await;
                    }
                }
                Some("ACTIVE") => self.takes_a_turn(path).await,
                _ => return,
            }
        }
    }

    async fn takes_a_turn(&mut self, path: &str) {
        let moves = self.get(&format!("{path}/legal-moves")).await;
        let answer = self.post("/graphql", &json!({"query": QUERY})).await;
        if let Some(answer) = answer
            && answer["data"]["me"]["id"].is_null()
        {
            self.failures.add(format!("GraphQL: {answer}"));
        }
        if let Some(mv) = moves.as_ref().and_then(|moves| moves["moves"][0]["id"].as_str()) {
            self.post(&format!("{path}/moves"), &json!({"id": mv})).await;
        }
    }

    /// Signs in again and again.
    async fn signs_in(mut self) {
        let username = "account-holder";
        let new = json!({"displayName": "Ada", "username": username, "password": PASSWORD});
        // Not measured: only sign-ins are.
        while self.ask(post("/v1/players", "", &new), false).await.is_none() {}
        loop {
            self.ask(post("/v1/tokens", "", &json!({"username": username, "password": PASSWORD})), true).await;
        }
    }

    /// Starts one game after the other, and ends it.
    async fn starts_games(mut self, joining: String) {
        let hosting = self.token.clone();
        let nothing = json!({});
        self.pace = A_SECOND;
        loop {
            let made = self.ask(post("/v1/games", &hosting, &json!({"kind": "CHIPS", "seats": 2})), false).await;
            let Some(id) = made.as_ref().and_then(|made| made["id"].as_str()) else { continue };
            let path = format!("/v1/games/{id}");
            self.ask(post(&format!("{path}/seats"), &joining, &nothing), false).await;
            self.ask(post(&format!("{path}/start"), &hosting, &nothing), true).await;
            self.ask(post(&format!("{path}/resignation"), &joining, &nothing), false).await;
        }
    }

    async fn get(&mut self, path: &str) -> Option<Value> {
        let question = get(path, &self.token);
        self.ask(question, true).await
    }

    async fn post(&mut self, path: &str, body: &Value) -> Option<Value> {
        let question = post(path, &self.token, body);
        self.ask(question, true).await
    }

    /// The answer, if it is a success; anything else is a failure, unless the game has ended meanwhile.
    async fn ask(&mut self, question: Result<Question>, is_measured: bool) -> Option<Value> {
        let question = question.ok()?;
        let what = format!("{} {}", question.method(), question.uri());
        self.ticks.tick().await;
        if is_measured {
            self.series.begin(self.from, self.pace);
        }
        let answer = self.connection.ask(question).await;
        if is_measured {
            self.series.end(self.from);
        }
        match answer.and_then(|answer| if is_end(&answer) { Ok(Value::Null) } else { answer.read() }) {
            Ok(Value::Null) => None,
            Ok(value) => Some(value),
            Err(error) => {
                self.failures.add(format!("{what}: {error}"));
                // It may be that the connection is of no more use.
                if let Ok(connection) = Connection::open_from(self.from, &self.server).await {
                    self.connection = connection;
                }
                None
            }
        }
    }
}

fn is_end(answer: &Answer) -> bool {
    answer.status == StatusCode::CONFLICT && answer.body.windows(9).any(|window| window == b"GAME_OVER")
}

impl Default for Recorded {
    fn default() -> Self {
        Self { since: Instant::now(), times: Vec::new(), answered: 0, waiting: HashMap::new() }
    }
}

impl Recorded {
    /// Counts a request, and those that were due before it was answered.
    fn add(&mut self, took: Duration, pace: Duration) {
        let mut left = Some(took);
        while let Some(time) = left {
            self.times.push(time);
            left = time.checked_sub(pace).filter(|left| !left.is_zero());
        }
    }
}

impl Series {
    fn begin(&self, from: IpAddr, pace: Duration) {
        self.lock().waiting.insert(from, (Instant::now(), pace));
    }

    fn end(&self, from: IpAddr) {
        let mut recorded = self.lock();
        if let Some((since, pace)) = recorded.waiting.remove(&from) {
            recorded.add(since.elapsed(), pace);
            recorded.answered += 1;
        }
    }

    /// What was recorded since this was last called.
    fn take(&self) -> Served {
        let mut recorded = self.lock();
        let mut waiting = std::mem::take(&mut recorded.waiting);
        for (since, pace) in waiting.values_mut().filter(|(since, pace)| since.elapsed() > *pace) {
            recorded.add(since.elapsed(), *pace);
            // The rest of its time belongs to what comes next.
            *since = Instant::now();
        }
        let taken = std::mem::replace(&mut *recorded, Recorded { waiting, ..Recorded::default() });
        Served { times: Times::new(taken.times, taken.since.elapsed()).summary(), answered: taken.answered }
    }

    fn lock(&self) -> MutexGuard<'_, Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Failures {
    fn add(&self, failure: String) {
        let mut failures = self.lock();
        failures.0 += 1;
        failures.1.get_or_insert(failure);
    }

    fn lock(&self) -> MutexGuard<'_, (u64, Option<String>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
