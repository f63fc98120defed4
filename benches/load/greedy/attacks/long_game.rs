//! A game with as many steps as the server allows in the time: a campaign of SANTA_RESCUE for one, in which an elf gets one
//! name after the other.

use super::super::super::client::get;
use super::super::flood::Flood;
use super::{PLAYER_ALIASES, aliased, graphql};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Documents that are on their way at a time.
const WRITERS: usize = 4;
/// After a refusal.
const PAUSE: Duration = Duration::from_millis(20);

pub struct LongGame {
    pub id: String,
    pub steps: usize,
}

/// Makes one until then.
pub async fn make(flood: &Flood, token: &str, until: Instant) -> LongGame {
    let id = start(flood, token).await;
    let writers =
        (0..WRITERS).map(|writer| tokio::spawn(name_elves(flood.clone(), token.to_owned(), id.clone(), writer, until)));
    for writer in writers.collect::<Vec<_>>() {
        // One that panics has written less; the game is there all the same.
        let _written = writer.await;
    }
    let mut client = flood.client();
    let game = match get(&format!("/v1/games/{id}"), token) {
        Ok(question) => client.read(question).await.unwrap_or_default(),
        Err(_) => json!(null),
    };
    LongGame { id, steps: game["version"].as_u64().and_then(|version| usize::try_from(version).ok()).unwrap_or(1) }
}

async fn start(flood: &Flood, token: &str) -> String {
    let mut client = flood.client();
    let new = json!({"kind": "SANTA_RESCUE", "seats": 1});
    let id = loop {
        let game = client.post("/v1/games", token, &new).await.unwrap_or_default();
        if let Some(id) = game["id"].as_str() {
            break id.to_owned();
        }
        sleep(PAUSE).await;
    };
    while client.post(&format!("/v1/games/{id}/start"), token, &json!({})).await.is_none() && flood.has_time() {
        sleep(PAUSE).await;
    }
    id
}

async fn name_elves(flood: Flood, token: String, id: String, writer: usize, until: Instant) {
    let mut client = flood.client();
    let mut turn = 0_usize;
    while Instant::now() < until {
        turn += 1;
        let document = aliased("mutation", PLAYER_ALIASES, |number| {
            format!(
                "makeAside(input: {{gameId: \"{id}\", aside: {{santaRescue: {{name: {{elf: 1, name: \"Pip {writer} {turn} {number}\"}}}}}}}}) {{ version }}"
            )
        });
        let Ok(question) = graphql(&token, &document) else { return };
        // The same again while it is refused: a new document would have to be paid for, too.
        client.insist("steps", question).await;
    }
}
