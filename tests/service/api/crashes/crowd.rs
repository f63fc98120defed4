//! 64 players: 48 at sixteen tables, each table watched by a stream, and 16 who come and go.

use super::ledger::Ledger;
use futures::future::join_all;
use ludotheque::ids::GameId;
use ludotheque::rules::Dice;
use serde_json::{Value, json};
use std::sync::Arc;
use test_support::Steps;
use test_support::endpoint::PASSWORD;
use test_support::{Answer, Endpoint, Player, dice};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

const TABLES: usize = 16;
const SEATS: u8 = 3;
const COMERS: u64 = 16;

/// A table that lives through crashes.
#[derive(Clone)]
pub struct Watched {
    pub game: String,
    pub players: Vec<Player>,
    /// What the stream has shown so far, whatever crashed in between.
    pub seen: Vec<Value>,
}

/// Everybody, and what they know.
#[derive(Default)]
pub struct Crowd {
    tables: Vec<Watched>,
    /// What was acknowledged before the last crash.
    fresh: Ledger,
    /// What was acknowledged before that.
    old: Ledger,
}

/// The crowd at work, until the server dies.
pub struct Acting {
    acknowledged: Arc<Semaphore>,
    tables: Vec<JoinHandle<Ledger>>,
    streams: Vec<JoinHandle<Watched>>,
    comers: Vec<JoinHandle<Ledger>>,
}

impl Acting {
    /// Waits until this many requests were acknowledged.
    pub async fn acknowledged(&self, count: u32) {
        self.acknowledged.acquire_many(count).await.expect("it is never closed").forget();
    }
}

impl Crowd {
    /// Comes back to a server that has just started: checks what it must still know, and fills the tables.
    pub async fn arrives_at(&mut self, endpoint: &Endpoint) {
        self.fresh.check(endpoint).await;
        self.old.add(std::mem::take(&mut self.fresh));
        for table in &mut self.tables {
            let page = endpoint.anybody().reads_events(&table.game, 1000).await;
            assert!(page.starts_with(&table.seen), "what the stream of {} showed is still true", table.game);
            for player in &mut table.players {
                player.endpoint = endpoint.clone();
            }
        }
        let games = join_all(self.tables.iter().map(|table| table.players[0].sees(&table.game))).await;
        let mut active = games.iter().map(|game| game["status"] == "ACTIVE");
        self.tables.retain(|_| active.next().expect("one for each"));
        let missing = TABLES - self.tables.len();
        let new = join_all((0..missing).map(|_| endpoint.table(SEATS))).await;
        let watched =
            |table: test_support::Table| Watched { game: table.game, players: table.players, seen: Vec::new() };
        self.tables.extend(new.into_iter().map(watched));
    }

    pub fn acts(&self, endpoint: &Endpoint, round: u64) -> Acting {
        let acknowledged = Arc::new(Semaphore::new(0));
        let tables = self.tables.iter().zip(0..).map(|(table, number)| {
            tokio::spawn(play(table.clone(), dice(round * 100 + number), Arc::clone(&acknowledged)))
        });
        let streams = self.tables.iter().map(|table| tokio::spawn(watch(table.clone())));
        let comers = (0..COMERS).map(|_| tokio::spawn(come_and_go(endpoint.clone(), Arc::clone(&acknowledged))));
        let (tables, streams, comers) = (tables.collect(), streams.collect(), comers.collect());
        Acting { acknowledged, tables, streams, comers }
    }

    /// Takes home what everybody knows after the server died.
    pub async fn remembers(&mut self, acting: Acting) {
        for ledger in join_all(acting.tables.into_iter().chain(acting.comers)).await {
            self.fresh.add(ledger.expect("nothing but the crash went wrong"));
        }
        let tables = join_all(acting.streams).await;
        self.tables = tables.into_iter().map(|table| table.expect("nothing but the crash went wrong")).collect();
    }

    pub async fn checks_everything_again(&mut self, endpoint: &Endpoint) {
        assert!(self.old.is_rich(), "there was something to lose");
        self.old.check(endpoint).await;
    }
}

/// All seats of a table choose at the same time, step after step.
async fn play(table: Watched, mut dice: Dice, acknowledged: Arc<Semaphore>) -> Ledger {
    let mut ledger = Ledger::default();
    loop {
        let luck: Vec<_> = table.players.iter().map(|_| dice.below(u32::MAX)).collect();
        let choices = table.players.iter().zip(luck).map(|(player, luck)| choose(player, &table.game, luck));
        let mut over = true;
        for (player, choice) in table.players.iter().zip(join_all(choices).await) {
            match choice {
                Ok(Some(answer)) => {
                    acknowledged.add_permits(1);
                    ledger.moves.push((table.game.clone(), player.clone(), answer.ok()));
                    over = false;
                }
                Ok(None) => {}
                // Dead; but what others of this step were told still counts.
                Err(_) => over = true,
            }
        }
        if over {
            return ledger;
        }
    }
}

/// Plays some legal move, if there is one.
async fn choose(player: &Player, game: &str, luck: u32) -> reqwest::Result<Option<Answer>> {
    let moves = test_support::player::ids(&player.asks_for_moves(game).attempt().await?.ok());
    if moves.is_empty() {
        return Ok(None);
    }
    player.plays(game, &moves[luck as usize % moves.len()]).attempt().await.map(Some)
}

/// Follows a game from where it was left to its end, or to the server's.
pub async fn watch(mut table: Watched) -> Watched {
    let spectator = table.players[0].endpoint.anybody();
    let mut ask = spectator.asks_to_follow(&table.game);
    if let Some(last) = table.seen.last() {
        ask = ask.header("last-event-id", last["version"].to_string());
    }
    if let Ok(mut stream) = Steps::open(ask).await {
        while let Ok(Some(step)) = stream.attempt().await {
            assert_eq!(step["version"], table.seen.len() + 1, "no gap, and none twice");
            table.seen.push(step);
        }
    }
    table
}

/// Players who register, refresh and sign out again, one after the other.
async fn come_and_go(endpoint: Endpoint, acknowledged: Arc<Semaphore>) -> Ledger {
    let mut ledger = Ledger::default();
    let mut number = 0;
    // It ends when the server does.
    while live(&endpoint, number, &mut ledger, &acknowledged).await.is_ok() {
        number += 1;
    }
    ledger
}

async fn live(
    endpoint: &Endpoint,
    number: usize,
    ledger: &mut Ledger,
    acknowledged: &Semaphore,
) -> reqwest::Result<()> {
    // A name nobody has; ids are made for that.
    let name = GameId::new().to_string()[5..].chars().rev().take(20).collect::<String>();
    let account = json!({"displayName": "Zoë", "username": name, "password": PASSWORD});
    // Passwords cost time, so most are guests.
    let body = if number % 12 == 3 { account.clone() } else { json!({"displayName": "Guest"}) };
    let first = endpoint.player(&endpoint.anybody().post("/v1/players").json(&body).attempt().await?);
    acknowledged.add_permits(1);
    if body == account {
        ledger.accounts.push(name);
    }
    let refresh = json!({"refreshToken": first.refresh_token});
    let second = endpoint.player(&endpoint.anybody().post("/v1/tokens").json(&refresh).attempt().await?);
    acknowledged.add_permits(1);
    if number.is_multiple_of(2) {
        second.delete("/v1/tokens/current").attempt().await?.ok();
        acknowledged.add_permits(1);
        ledger.signed_out.push(second);
    } else {
        ledger.signed_in.push(second);
    }
    // Not where the server died before it answered the sign-out: then nobody used the successor, and a retry is answered.
    ledger.used.push(first.refresh_token);
    Ok(())
}
