//! The process that floods: told an attack and the server's address, it prepares, prints `ready`, floods until its
//! standard input ends, and prints what came of it. Nothing that the server does may stop it before.

use super::super::client::{Answer, Connection, Question, post};
use super::super::process::Process;
use super::super::{Result, table};
use super::attacks::{self, Attack};
use super::counts::{Counts, Totals};
use hyper::StatusCode;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Read;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// What this program is called with to flood.
pub const PART: &str = "as-flood";

/// The lowest priority there is.
const NICENESS: &str = "19";
/// How long an attack prepares at the most; less if it lasts for less.
const PREPARATION: Duration = Duration::from_secs(20);
/// An answer that is waited for may make it longer, but not by more than this.
const OVERTIME: Duration = Duration::from_secs(10);
/// After a connection broke off, so that a server that refuses all of them isn't asked in a busy loop.
const PAUSE: Duration = Duration::from_millis(50);

/// The flood, seen from the bench.
pub struct Attacker(Process);

impl Attacker {
    pub fn start(server: &str, attack: &Attack, duration: Duration) -> Result<Self> {
        let this = std::env::current_exe()?.into_os_string();
        let seconds = duration.as_secs().to_string();
        let nice = ["nice", "-n", NICENESS].map(OsString::from);
        let rest = [PART, attack.name, server, &seconds].map(OsString::from);
        Ok(Self(Process::start_with_input(nice.into_iter().chain([this]).chain(rest))?))
    }

    /// Waits until the flood proper begins; what was prepared for it.
    pub fn prepared(&mut self) -> Result<String> {
        let line = self.0.line()?;
        Ok(line.strip_prefix("ready").ok_or("the flood is not ready")?.trim().to_owned())
    }

    pub fn stop(mut self) -> Result<Totals> {
        self.0.close_input();
        Ok(serde_json::from_str(&self.0.line()?)?)
    }
}

/// Is the flood.
pub fn run(words: &[String]) -> Result<()> {
    let [name, server, seconds] = words else { return Err("which attack, on which server, for how long?".into()) };
    let attack = attacks::find(name).ok_or("there is no such attack")?;
    let preparation = PREPARATION.min(Duration::from_secs(seconds.parse()?));
    let flood = Flood {
        server: server.clone(),
        counts: Arc::default(),
        prepared_by: Instant::now() + preparation,
        is_ready: Arc::default(),
    };
    stop_with_input(flood.counts.clone());
    tokio::runtime::Runtime::new()?.block_on(async {
        let late = flood.clone();
        tokio::spawn(async move {
            sleep(preparation + OVERTIME).await;
            late.ready("less than all, the time is up");
        });
        (attack.run)(flood).await;
        Err("the flood has ended by itself".into())
    })
}

/// On a thread of its own, so that it doesn't wait for tasks that are busy.
fn stop_with_input(counts: Arc<Counts>) {
    std::thread::spawn(move || {
        let _ended = std::io::stdin().read_to_end(&mut Vec::new());
        println!("{}", json!(counts.totals()));
        std::process::exit(0);
    });
}

/// After a refusal, which asks for a second. To ask more often would use the budget up for nothing.
const REFUSED: Duration = Duration::from_secs(1);

/// What an attack needs.
#[derive(Clone)]
pub struct Flood {
    pub server: String,
    pub counts: Arc<Counts>,
    /// When the preparation has to be over.
    pub prepared_by: Instant,
    is_ready: Arc<AtomicBool>,
}

/// One connection at a time, made again when it breaks off.
pub struct Client {
    from: IpAddr,
    server: String,
    counts: Arc<Counts>,
    connection: Option<Connection>,
}

/// The address that floods.
pub const FLOODER: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

impl Flood {
    pub fn client(&self) -> Client {
        Client { from: FLOODER, server: self.server.clone(), counts: self.counts.clone(), connection: None }
    }

    /// Ends the preparation, and counts from here.
    pub fn ready(&self, prepared: &str) {
        if !self.is_ready.swap(true, Ordering::Relaxed) {
            self.counts.reset();
            println!("ready {prepared}");
        }
    }

    pub fn has_time(&self) -> bool {
        Instant::now() < self.prepared_by
    }

    /// The token of a new guest, as soon as the server lets one in.
    pub async fn guest(&self) -> String {
        let mut client = self.client();
        loop {
            if let Some(connection) = client.connection().await
                && let Ok(token) = table::guest(connection).await
            {
                return token;
            }
            client.connection = None;
            sleep(PAUSE).await;
        }
    }

    /// Lets several do the same, for ever.
    pub async fn all<F: Future<Output = ()> + Send + 'static>(&self, count: usize, work: impl Fn(Self, usize) -> F) {
        let mut workers: JoinSet<()> = (0..count).map(|number| work(self.clone(), number)).collect();
        while workers.join_next().await.is_some() {}
    }
}

impl Client {
    /// Asks; nothing if there was no answer.
    pub async fn ask(&mut self, question: Question) -> Option<Answer> {
        let answer = match self.connection().await?.ask(question).await {
            Ok(answer) => answer,
            Err(_cut_off) => {
                self.give_up().await;
                return None;
            }
        };
        self.counts.answer(answer.status, &answer.body);
        Some(answer)
    }

    /// Asks for something of a sort, which has to get through at least once, and again while the budget is used up:
    /// whatever costs much would never be paid for otherwise, with all else taking what comes back.
    pub async fn insist(&mut self, sort: &str, question: Question) {
        loop {
            let Some(answer) = self.ask(question.clone()).await else { continue };
            self.counts.attempt(sort, &answer);
            if answer.status != StatusCode::TOO_MANY_REQUESTS {
                return;
            }
            sleep(REFUSED).await;
        }
    }

    /// Asks, and reads the answer as JSON if it is a success.
    pub async fn read(&mut self, question: Question) -> Option<Value> {
        self.ask(question).await?.read().ok()
    }

    pub async fn post(&mut self, path: &str, token: &str, body: &Value) -> Option<Value> {
        self.read(post(path, token, body).ok()?).await
    }

    async fn connection(&mut self) -> Option<&mut Connection> {
        if self.connection.is_none() {
            match Connection::open_from(self.from, &self.server).await {
                Ok(connection) => self.connection = Some(connection),
                Err(_refused) => self.give_up().await,
            }
        }
        self.connection.as_mut()
    }

    async fn give_up(&mut self) {
        self.connection = None;
        self.counts.broken();
        sleep(PAUSE).await;
    }
}
