//! What the benchmarks over HTTP share: a server in a process of its own, and tables of Chips that play as fast as they get
//! answers.

use indicatif::{ProgressBar, ProgressStyle};
use reqwest::Client;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

pub type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How long each of some operations took, and all of them together.
pub struct Times {
    pub each: Vec<Duration>,
    pub all: Duration,
}

impl Times {
    pub fn per_second(&self) -> f64 {
        f64::from(u32::try_from(self.each.len()).unwrap_or(u32::MAX)) / self.all.as_secs_f64()
    }

    /// The time that so many in a thousand stayed below, in milliseconds.
    pub fn permille(&self, permille: usize) -> f64 {
        let place = (self.each.len() * permille / 1000).min(self.each.len() - 1);
        self.each[place].as_secs_f64() * 1000.0
    }
}

pub fn report(name: &str, times: &Times) {
    let [p50, p99, p999] = [500, 990, 999].map(|permille| times.permille(permille));
    println!("{name:<44}{:>10.0}{p50:>10.2}{p99:>10.2}{p999:>10.2}", times.per_second());
}

/// The server, in a process of its own; stopped when dropped.
pub struct Server {
    process: Child,
    pub address: String,
}

impl Server {
    /// On a data folder, with further settings.
    pub fn start(data: &Path, settings: &[&str]) -> Result<Self> {
        let mut process = Command::new(env!("CARGO_BIN_EXE_ludotheque"))
            .args(["--listen", "127.0.0.1:0", "--log", "warn", "--player-rate", "0", "--data"])
            .arg(data)
            .args(settings)
            // Unless the settings say otherwise.
            .env("LUDOTHEQUE_ADDRESS_RATE", "0")
            .stdout(Stdio::piped())
            .spawn()?;
        let out = process.stdout.take().ok_or("no output")?;
        let mut greeting = String::new();
        BufReader::new(out).read_line(&mut greeting)?;
        let address = greeting.split_whitespace().find_map(|word| word.strip_suffix('.').filter(|a| a.contains("://")));
        let address = address.ok_or("the server did not say where it listens")?.to_owned();
        Ok(Self { process, address })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _already_gone = self.process.kill();
        let _status = self.process.wait();
    }
}

/// Plays at so many tables at once, each as fast as it gets answers, and each at one of the servers.
pub async fn play(servers: &[&str], tables: usize, duration: Duration) -> Result<Times> {
    let client = Client::new();
    let mut seated = Vec::new();
    for server in servers.iter().cycle().take(tables) {
        seated.push(Table::open(client.clone(), server).await?);
    }
    let start = Instant::now();
    let playing = seated.into_iter().map(|table| tokio::spawn(table.play_until(start + duration)));
    while_the_bar_moves(format!("{tables} tables"), start, duration, playing.collect()).await
}

/// Waits for all who play, and shows how far they are.
pub async fn while_the_bar_moves(
    name: String,
    start: Instant,
    duration: Duration,
    playing: Vec<JoinHandle<Result<Vec<Duration>>>>,
) -> Result<Times> {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} s")?;
    let bar = ProgressBar::new(duration.as_secs()).with_style(style).with_message(name);
    while start.elapsed() < duration {
        tokio::time::sleep(Duration::from_millis(200)).await;
        bar.set_position(start.elapsed().as_secs());
    }
    let mut each = Vec::new();
    for player in playing {
        each.extend(player.await??);
    }
    bar.finish_and_clear();
    let all = start.elapsed();
    each.sort_unstable();
    Ok(Times { each, all })
}

/// One game for two players, and what each of them sees.
pub struct Table {
    client: Client,
    server: String,
    pub game: String,
    tokens: [String; 2],
    views: [Value; 2],
}

impl Table {
    pub async fn open(client: Client, server: &str) -> Result<Self> {
        let mut tokens = Vec::new();
        for name in ["Ada", "Bob"] {
            let player = post(&client, &format!("{server}/v1/players"), "", json!({"displayName": name})).await?;
            tokens.push(player["accessToken"].as_str().ok_or("no token")?.to_owned());
        }
        let tokens: [String; 2] = tokens.try_into().map_err(|_| "two players")?;
        let new = json!({"kind": "CHIPS", "seats": 2, "options": {"targetTokens": 20}});
        let game = post(&client, &format!("{server}/v1/games"), &tokens[0], new).await?;
        let game = format!("{server}/v1/games/{}", game["id"].as_str().ok_or("no game")?);
        post(&client, &format!("{game}/seats"), &tokens[1], json!({})).await?;
        post(&client, &format!("{game}/start"), &tokens[0], json!({})).await?;
        let mut table = Self { client, server: server.to_owned(), game, tokens, views: [Value::Null, Value::Null] };
        table.look(0).await?;
        table.look(1).await?;
        Ok(table)
    }

    async fn look(&mut self, seat: usize) -> Result<()> {
        let request = self.client.get(&self.game).bearer_auth(&self.tokens[seat]);
        let mut game: Value = request.send().await?.error_for_status()?.json().await?;
        self.views[seat] = game["view"].take();
        Ok(())
    }

    pub async fn play_until(mut self, end: Instant) -> Result<Vec<Duration>> {
        let mut times = Vec::new();
        while Instant::now() < end {
            for seat in [0, 1] {
                let mv = choose(&self.views[seat], seat).ok_or("no move in this view")?;
                let before = Instant::now();
                let url = format!("{}/moves", self.game);
                let mut played = post(&self.client, &url, &self.tokens[seat], json!({"id": mv})).await?;
                times.push(before.elapsed());
                if played["game"]["outcome"].is_object() {
                    self = Self::open(self.client, &self.server).await?;
                    break;
                }
                self.views[seat] = played["game"]["view"].take();
            }
            // Seat 1 chose last and saw what came of it; seat 0 only needs to look when cards were dealt.
            if self.views[0]["round"] == self.views[1]["round"] {
                self.views[0]["step"] = self.views[1]["step"].clone();
            } else {
                self.look(0).await?;
            }
        }
        Ok(times)
    }
}

/// Any legal move, worked out from the view, so that only moves are measured.
pub fn choose(view: &Value, seat: usize) -> Option<String> {
    let hand: Vec<_> = view["seats"][seat]["hand"].as_array()?.iter().filter_map(Value::as_str).collect();
    Some(match (view["step"].as_str()?, hand.as_slice()) {
        ("DISCARD_TWO", [a, b, ..]) => format!("discard {a} {b}"),
        ("DISCARD_ONE", [a, ..]) => format!("discard {a}"),
        (_, [a, b, c]) => format!("bet {a} {b} against {c}"),
        _ => return None,
    })
}

pub async fn post(client: &Client, url: &str, token: &str, body: Value) -> Result<Value> {
    let request = client.post(url).json(&body);
    let request = if token.is_empty() { request } else { request.bearer_auth(token) };
    let response = request.send().await?;
    let (status, text) = (response.status(), response.text().await?);
    if status.is_success() { Ok(serde_json::from_str(&text)?) } else { Err(format!("{url}: {status} {text}").into()) }
}
