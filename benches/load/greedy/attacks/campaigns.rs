//! Campaigns of SANTA_RESCUE with seeds of their own: the server has to find 24 puzzles for each before it starts.

use super::super::super::client::post;
use super::super::flood::Flood;
use serde_json::json;

const GUESTS: usize = 4;
/// Seeds of one guest; each has others.
const SEEDS: usize = 1_000_000;

pub async fn run(flood: Flood) {
    let mut tokens = Vec::new();
    while tokens.len() < GUESTS {
        tokens.push(flood.guest().await);
    }
    flood.ready("");
    flood.all(GUESTS, |flood, number| start_for_ever(flood, tokens[number].clone(), number)).await;
}

async fn start_for_ever(flood: Flood, token: String, guest: usize) {
    let mut client = flood.client();
    for seed in guest * SEEDS.. {
        let new = json!({"kind": "SANTA_RESCUE", "seats": 1, "options": {"campaignSeed": seed}});
        let Some(game) = client.post("/v1/games", &token, &new).await else { continue };
        let Some(id) = game["id"].as_str() else { continue };
        let Ok(start) = post(&format!("/v1/games/{id}/start"), &token, &json!({})) else { continue };
        if let Some(answer) = client.ask(start).await {
            flood.counts.attempt("starts", &answer);
        }
        // Given up, so that a limit on games that run is no protection.
        client.post(&format!("/v1/games/{id}/resignation"), &token, &json!({})).await;
    }
}
