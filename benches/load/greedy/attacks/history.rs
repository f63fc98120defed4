//! Old positions of long games, whole replays, and schemas: answers that are worked out from thousands of steps, or are
//! large, asked for as often in a document as a budget pays for.

use super::super::super::Result;
use super::super::super::client::{Question, get, post};
use super::super::flood::Flood;
use super::{PLAYER_ALIASES, aliased, graphql, long_game, scatter};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

const WORKERS: usize = 12;
/// Aliases of a document without a token: what an address can pay for four times a second, so that all sorts get their
/// turns. Of more of them at once, most would be refused by the queue.
const ALIASES: usize = 20;
/// Sorts of requests.
const SORTS: usize = 7;

struct Target {
    token: String,
    /// One that goes on, and its number of steps.
    running: long_game::LongGame,
    /// One that is over, so that it has a replay.
    over: long_game::LongGame,
}

pub async fn run(flood: Flood) {
    let token = flood.guest().await;
    let start = Instant::now();
    let half = start + flood.prepared_by.saturating_duration_since(start) / 2;
    let running = long_game::make(&flood, &token, half).await;
    let over = long_game::make(&flood, &token, flood.prepared_by).await;
    if let Ok(resignation) = post(&format!("/v1/games/{}/resignation", over.id), &token, &json!({})) {
        flood.client().insist("resignation", resignation).await;
    }
    flood.ready(&format!("games of {} and {} steps", running.steps, over.steps));
    let target = Arc::new(Target { token, running, over });
    flood.all(WORKERS, |flood, number| ask_for_ever(flood, target.clone(), number)).await;
}

async fn ask_for_ever(flood: Flood, target: Arc<Target>, worker: usize) {
    let mut client = flood.client();
    // Not all at the same sort at the same time.
    for turn in worker.. {
        let (sort, question) = question(&target, turn);
        if let Ok(question) = question {
            client.insist(sort, question).await;
        }
    }
}

fn question(target: &Target, turn: usize) -> (&'static str, Result<Question>) {
    let Target { token, running, over } = target;
    let version = |number: usize, of: &long_game::LongGame| scatter(turn * ALIASES + number, of.steps) + 1;
    let position = |number: usize, of: &long_game::LongGame| {
        format!("game(id: \"{}\", at: {}) {{ version view {{ kind }} }}", of.id, version(number, of))
    };
    match turn % SORTS {
        0 => {
            let positions = aliased("query", PLAYER_ALIASES, |number| position(number, running));
            ("positions of a player", graphql(token, &positions))
        }
        1 => {
            let positions = aliased("query", ALIASES, |number| position(number, over));
            ("positions of nobody", graphql("", &positions))
        }
        2 => {
            let replay = format!("replay(gameId: \"{}\") {{ seed steps(first: 40) {{ version }} }}", over.id);
            ("steps of replays", graphql("", &aliased("query", ALIASES, |_| replay.clone())))
        }
        3 => {
            let path = format!("/v1/games/{}?at={}", running.id, version(0, running));
            ("a position of a player", get(&path, token))
        }
        4 => ("a position of nobody", get(&format!("/v1/games/{}?at={}", over.id, version(0, over)), "")),
        5 => ("a whole replay", get(&format!("/v1/games/{}/replay", over.id), "")),
        _ => {
            // The two largest.
            let schemas = "kind(id: SANTA_RESCUE) { schemas { view event } }";
            ("schemas", graphql("", &aliased("query", ALIASES, |_| schemas.to_owned())))
        }
    }
}
