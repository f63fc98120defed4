//! Old positions of long games, whole replays, and schemas: answers that are worked out from thousands of steps, or are
//! large, asked for as often in a document as a budget pays for.

use super::super::super::Result;
use super::super::super::client::{Question, get};
use super::super::flood::Flood;
use super::{ADDRESS_ALIASES, PLAYER_ALIASES, aliased, graphql, long_game, scatter};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

const WORKERS: usize = 12;
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
    flood.client().post(&format!("/v1/games/{}/resignation", over.id), &token, &json!({})).await;
    flood.ready(&format!("games of {} and {} steps", running.steps, over.steps));
    let target = Arc::new(Target { token, running, over });
    flood.all(WORKERS, |flood, number| ask_for_ever(flood, target.clone(), number)).await;
}

async fn ask_for_ever(flood: Flood, target: Arc<Target>, worker: usize) {
    let mut client = flood.client();
    // Not all at the same sort at the same time.
    for turn in worker.. {
        if let Ok(question) = question(&target, turn) {
            client.ask(question).await;
        }
    }
}

fn question(target: &Target, turn: usize) -> Result<Question> {
    let Target { token, running, over } = target;
    let version = |number: usize, of: &long_game::LongGame| scatter(turn * ADDRESS_ALIASES + number, of.steps) + 1;
    let position = |number: usize, of: &long_game::LongGame| {
        format!("game(id: \"{}\", at: {}) {{ version view {{ kind }} }}", of.id, version(number, of))
    };
    match turn % SORTS {
        0 => graphql(token, &aliased("query", PLAYER_ALIASES, |number| position(number, running))),
        1 => graphql("", &aliased("query", ADDRESS_ALIASES, |number| position(number, over))),
        2 => graphql("", &aliased("query", ADDRESS_ALIASES, |_| format!("replay(gameId: \"{}\") {{ seed }}", over.id))),
        3 => get(&format!("/v1/games/{}?at={}", running.id, version(0, running)), token),
        4 => get(&format!("/v1/games/{}?at={}", over.id, version(0, over)), ""),
        5 => get(&format!("/v1/games/{}/replay", over.id), ""),
        _ => {
            // The two largest; a document with more of them costs too much to be let in.
            let schemas = "kind(id: SANTA_RESCUE) { schemas { view event } }";
            graphql("", &aliased("query", ADDRESS_ALIASES, |_| schemas.to_owned()))
        }
    }
}
