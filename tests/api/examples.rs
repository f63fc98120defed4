//! The examples of the OpenAPI document: answers of the real server, captured by playing a small game.
//!
//! `UPDATE=1 cargo test --test api examples` captures them again; then `cargo run -- schema openapi >
//! openapi/openapi.json` writes them into the document. Without it, the committed ones are held to the document.

use crate::openapi;
use crate::support::{Answer, Server};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("openapi/examples.json")
}

/// One answer for each of the main operations, by operation id and status.
async fn capture() -> Value {
    let server = Server::start().await;
    let mut examples = Map::new();
    let mut keep = |operation: &str, answer: &Answer| {
        let statuses = examples.entry(operation).or_insert_with(|| json!({}));
        let mut body = answer.json();
        for token in ["accessToken", "refreshToken"] {
            // Good for nothing any more, but nobody should have to wonder.
            if let Some(text) = body[token].as_str() {
                body[token] = format!("{}…", &text[..16]).into();
            }
        }
        statuses[answer.status.to_string()] = body;
    };
    let anybody = server.anybody();
    let registered = anybody.post("/v1/players").json(&json!({"displayName": "Ada"})).await;
    keep("create_player", &registered);
    let ada = server.player(&registered);
    keep("get_player", &ada.get("/v1/players/me").await);
    keep("create_token", &server.refreshes(&ada.refresh_token).await);
    keep("list_kinds", &anybody.get("/v1/kinds").await);
    let made = ada.creates(&json!({"kind": "CHIPS", "seats": 2})).await;
    keep("create_game", &made);
    let made = made.ok();
    let game = made["id"].as_str().expect("an id");
    let bob = server.guest("Bob").await;
    keep("create_seat", &bob.sits(game).await);
    keep("start_game", &ada.starts(game).await);
    let moves = ada.asks_for_moves(game).await;
    keep("list_legal_moves", &moves);
    let mv = moves.ok()["moves"][0]["id"].as_str().expect("an id").to_owned();
    keep("preview_moves", &ada.previews(game, &mv).await);
    keep("play_move", &ada.plays(game, &mv).await);
    keep("play_move", &ada.plays(game, &mv).await);
    keep("get_game", &bob.looks_at(game).await);
    keep("list_games", &anybody.get("/v1/games").await);
    keep("list_events", &bob.get(&format!("/v1/games/{game}/events?after=2")).await);
    keep("resign_game", &bob.resigns(game).await);
    keep("get_replay", &ada.get(&format!("/v1/games/{game}/replay")).await);
    keep("create_rematch", &ada.post(&format!("/v1/games/{game}/rematch")).await);
    let made = ada.creates(&json!({"kind": "SANTA_RESCUE", "options": {"hints": true}})).await.ok();
    let of_game = |rest: &str| format!("/v1/games/{}{rest}", made["id"].as_str().expect("an id"));
    keep("choose_setup", &ada.put(&of_game("/seats/me/setup")).json(&json!({"elves": [1, 2, 3, 4]})).await);
    ada.post(&of_game("/start")).await.ok();
    let row = ada.get(&of_game("")).await.ok()["view"]["today"]["row"].clone();
    ada.post(&of_game("/asides")).json(&json!({"type": "DRAFT", "column": 1, "rows": [row]})).await.ok();
    keep("make_aside", &ada.post(&of_game("/asides")).json(&json!({"type": "NAME", "elf": 1, "name": "Pip"})).await);
    Value::Object(examples)
}

#[tokio::test]
async fn the_committed_examples_are_of_the_operations_that_can_be_captured_and_fit_them() {
    let captured = capture().await;
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&captured).expect("JSON");
        std::fs::write(file(), text + "\n").expect("the file can be written");
        return;
    }
    let committed: Value = serde_json::from_slice(&std::fs::read(file()).expect("the file is there")).expect("JSON");
    let names = |examples: &Value| -> Vec<(String, Vec<String>)> {
        let statuses = |statuses: &Value| statuses.as_object().expect("statuses").keys().cloned().collect();
        examples.as_object().expect("operations").iter().map(|(name, of)| (name.clone(), statuses(of))).collect()
    };
    assert_eq!(names(&committed), names(&captured), "`UPDATE=1 cargo test --test api examples` captures them again");
    for (path, item) in openapi::paths() {
        for (method, operation) in item.as_object().expect("operations") {
            let examples = &committed[operation["operationId"].as_str().expect("an operation id")];
            for (status, example) in examples.as_object().into_iter().flatten() {
                openapi::check_example(path, method, status, example);
            }
        }
    }
}
