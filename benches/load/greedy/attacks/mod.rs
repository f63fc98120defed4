//! The attacks, each from one address. An attack prepares what it needs, says that it is ready, and then asks for as much
//! as it can get until the process is stopped. None of them returns.

mod campaigns;
mod closed_windows;
mod creation;
mod documents;
mod frames;
mod history;
mod idle_streams;
mod lobbies;
mod long_game;
mod passwords;
mod requests;

use super::super::Result;
use super::super::client::{Question, post};
use super::flood::Flood;
use super::others::Companion;
use futures::future::BoxFuture;
use serde_json::{Value, json};

pub struct Attack {
    pub name: &'static str,
    pub what: &'static str,
    pub companion: Companion,
    /// Whether the disk that it takes is reported.
    pub fills_disk: bool,
    pub run: fn(Flood) -> BoxFuture<'static, ()>,
}

const fn attack(name: &'static str, what: &'static str, run: fn(Flood) -> BoxFuture<'static, ()>) -> Attack {
    Attack { name, what, companion: Companion::None, fills_disk: false, run }
}

pub const ATTACKS: &[Attack] = &[
    attack("history", "old positions, replays of long games, schemas: many aliases a document", |flood| {
        Box::pin(history::run(flood))
    }),
    Attack {
        fills_disk: true,
        ..attack("creation", "players, games and wrong passwords: many aliases a document", |flood| {
            Box::pin(creation::run(flood))
        })
    },
    attack("windows", "large answers over HTTP/2 that are never read", |flood| Box::pin(closed_windows::run(flood))),
    Attack {
        companion: Companion::SignsIn,
        ..attack("passwords", "100 sign-ins a second of nobody, beside an account holder's", |flood| {
            Box::pin(passwords::run(flood))
        })
    },
    Attack {
        companion: Companion::StartsGames,
        ..attack("campaigns", "four guests start campaigns of their own, beside starts of Chips", |flood| {
            Box::pin(campaigns::run(flood))
        })
    },
    attack("documents", "compressed /openapi.json and kinds", |flood| Box::pin(documents::run(flood))),
    attack("lobbies", "a guest with many lobbies asks which wait for it", |flood| Box::pin(lobbies::run(flood))),
    attack("frames", "HTTP/2 PING and SETTINGS", |flood| Box::pin(frames::run(flood))),
    attack("streams", "10,000 idle streams, of ten addresses", |flood| Box::pin(idle_streams::run(flood))),
    attack("requests", "plain requests over 64 connections", |flood| Box::pin(requests::run(flood))),
];

pub fn find(name: &str) -> Option<&'static Attack> {
    ATTACKS.iter().find(|attack| attack.name == name)
}

impl Attack {
    /// Whether it is one of those asked for; none means all of them.
    pub fn is_among(&self, names: &[String]) -> bool {
        names.is_empty() || names.iter().any(|name| name == self.name)
    }
}

/// Aliases of a document without a token: close to what the budget of an address pays for at once, at 10 units each. A
/// document may have 100 aliases, but one that costs more than a full budget is refused unread.
const ADDRESS_ALIASES: usize = 90;
/// Aliases of a document with a token, at up to 6 units each from the smaller budget of a player.
const PLAYER_ALIASES: usize = 15;

/// A document that asks for the same field many times, each with other arguments.
fn aliased(operation: &str, count: usize, field: impl Fn(usize) -> String) -> String {
    let fields: Vec<_> = (0..count).map(|number| format!("a{number}: {}", field(number))).collect();
    format!("{operation} {{ {} }}", fields.join("\n"))
}

fn graphql(token: &str, document: &str) -> Result<Question> {
    post("/graphql", token, &json!({"query": document}))
}

/// How many fields of an answer's data have a version: steps that were taken.
fn steps_taken(answer: &Value) -> usize {
    let fields = answer["data"].as_object().into_iter().flatten();
    fields.filter(|(_, payload)| payload["version"].is_u64()).count()
}

/// A number that is seldom the same twice, of those below a limit.
fn scatter(number: usize, below: usize) -> usize {
    number.wrapping_mul(2_654_435_761) % below.max(1)
}
