//! The examples of the OpenAPI document: requests to the real server and its answers, captured by playing small games.
//!
//! `UPDATE=1 cargo test --test service examples` captures them again; then `cargo run -- schema openapi >
//! openapi/openapi.json` writes them into the document. Without it, the committed ones are held to the document.

use serde_json::{Map, Value, json};
use std::path::PathBuf;
use test_support::openapi;
use test_support::{Answer, Player, Server};

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("openapi/examples.json")
}

/// By operation id: the `request`, and the answer of each status.
#[derive(Default)]
struct Examples(Map<String, Value>);

impl Examples {
    /// Keeps a request and the answer to it.
    fn keep(&mut self, operation: &str, answer: &Answer) {
        let examples = self.0.entry(operation).or_insert_with(|| json!({}));
        if let (Some(sent), true) = (&answer.sent, answer.status < 400) {
            examples["request"] = without_secrets(sent.clone());
        }
        if !answer.bytes.is_empty() {
            examples[answer.status.to_string()] = without_secrets(answer.json());
        }
    }
}

/// Tokens are good for nothing any more, but nobody should have to wonder.
fn without_secrets(mut body: Value) -> Value {
    for token in ["accessToken", "refreshToken"] {
        if let Some(text) = body[token].as_str() {
            body[token] = format!("{}…", &text[..16]).into();
        }
    }
    body
}

fn id(game: &Value) -> String {
    game["id"].as_str().expect("an id").to_owned()
}

/// Players, kinds and documents.
async fn capture_service(server: &Server, examples: &mut Examples) {
    let anybody = server.anybody();
    examples.keep("create_player", &anybody.post("/v1/players").json(&json!({"displayName": "Ada"})).await);
    let ada = server.account("ada").await;
    examples.keep("get_player", &ada.get("/v1/players/me").await);
    examples.keep("update_player", &ada.patch("/v1/players/me").json(&json!({"displayName": "Ada L."})).await);
    examples.keep("create_token", &server.signs_in("ada", "wrong horse").await);
    let tokens = server.signs_in("ada", "correct horse").await;
    examples.keep("create_token", &tokens);
    examples.keep("delete_token", &server.player(&tokens).delete("/v1/tokens/current").await);
    examples.keep("delete_player", &server.guest("Eve").await.delete("/v1/players/me").await);
    examples.keep("list_kinds", &anybody.get("/v1/kinds").await);
    examples.keep("get_kind", &anybody.get("/v1/kinds/TOYS_GO_GO_GO").await);
    // Their beginnings: tools follow references in examples, too, and these lead nowhere.
    let schemas = examples.0["get_kind"]["200"]["schemas"].as_object_mut().expect("schemas");
    for schema in schemas.values_mut().filter_map(Value::as_object_mut) {
        schema.retain(|_, value| value.is_string());
    }
    examples.keep("get_livez", &anybody.get("/livez").await);
    examples.keep("get_readyz", &anybody.get("/readyz").await);
    examples.keep("get_jwks", &anybody.get("/.well-known/jwks.json").await);
    // Its beginning: a document can't show itself.
    let document = anybody.get("/openapi.json").await.ok();
    let beginning = json!({"200": {"openapi": document["openapi"], "info": document["info"], "paths": {}}});
    examples.0.insert("get_openapi".to_owned(), beginning);
}

/// A game, from its lobby to its rematch.
async fn capture_game(server: &Server, examples: &mut Examples) {
    let (ada, bob, eve) = (server.guest("Ada").await, server.guest("Bob").await, server.guest("Eve").await);
    examples.keep("create_game", &ada.creates(&json!({"kind": "CHIPS", "seats": 200})).await);
    let options = json!({"kind": "CHIPS", "moveSeconds": 3600});
    let made = ada.creates(&json!({"kind": "CHIPS", "seats": 3, "options": options})).await;
    examples.keep("create_game", &made);
    let game = id(&made.ok());
    let of_game = |rest: &str| format!("/v1/games/{game}{rest}");
    examples.keep("create_seat", &bob.post(&of_game("/seats")).json(&json!({"seat": 1})).await);
    examples.keep("create_seat", &eve.post(&of_game("/seats")).json(&json!({"seat": 1})).await);
    eve.sits(&game).await.ok();
    examples.keep("delete_seat", &ada.delete(&of_game("/seats/2")).await);
    eve.sits(&game).await.ok();
    examples.keep("leave_seat", &eve.stands(&game).await);
    examples.keep("update_game", &ada.patch(&of_game("")).json(&json!({"seats": 2})).await);
    examples.keep("start_game", &ada.starts(&game).json(&json!({"bots": {"level": 2}})).await);
    let moves = ada.asks_for_moves(&game).await;
    examples.keep("list_legal_moves", &moves);
    let mv = moves.ok()["moves"][0]["id"].as_str().expect("an id").to_owned();
    examples.keep("preview_moves", &ada.previews(&game, &mv).await);
    examples.keep("play_move", &ada.plays(&game, &mv).await);
    examples.keep("play_move", &ada.plays(&game, &mv).await);
    examples.keep("get_game", &bob.looks_at(&game).await);
    examples.keep("list_games", &server.anybody().get("/v1/games?limit=1").await);
    examples.keep("list_events", &bob.get(&of_game("/events?after=7&limit=2")).await);
    let step = bob.follows_on(&game, "8").await.next().await.expect("a step");
    examples.0["list_events"]["200 text/event-stream"] = step;
    examples.keep("call_timeouts", &ada.post(&of_game("/timeouts")).await);
    server.anybody().patch("/v1/dev/clock").json(&json!({"advanceSeconds": 7200})).await.ok();
    examples.keep("call_timeouts", &ada.post(&of_game("/timeouts")).await);
    examples.keep("get_replay", &ada.get(&of_game("/replay")).await);
    examples.keep("create_rematch", &ada.post(&of_game("/rematch")).await);
    let unlisted = ada.creates(&json!({"kind": "LOADING", "seats": 2, "visibility": "UNLISTED"})).await.ok();
    let code = unlisted["inviteCode"].as_str().expect("a code");
    examples.keep("accept_invite", &bob.post(&format!("/v1/invites/{code}")).await);
    bob.sits(&id(&unlisted)).await.ok();
    ada.starts(&id(&unlisted)).await.ok();
    examples.keep("resign_game", &bob.resigns(&id(&unlisted)).await);
}

/// What only some kinds have.
async fn capture_capabilities(server: &Server, examples: &mut Examples) {
    let ada = server.guest("Ada").await;
    let made = ada.creates(&json!({"kind": "SANTA_RESCUE", "options": {"hints": true}})).await.ok();
    let of_game = |rest: &str| format!("/v1/games/{}{rest}", id(&made));
    let choice = json!({"elves": [1, 2, 3, 4]});
    examples.keep("choose_setup", &ada.put(&of_game("/seats/me/setup")).json(&choice).await);
    ada.post(&of_game("/start")).await.ok();
    let row = ada.get(&of_game("")).await.ok()["view"]["today"]["row"].clone();
    ada.post(&of_game("/asides")).json(&json!({"type": "DRAFT", "column": 1, "rows": [row]})).await.ok();
    let aside = json!({"type": "NAME", "elf": 1, "name": "Pip"});
    examples.keep("make_aside", &ada.post(&of_game("/asides")).json(&aside).await);
}

/// What test automation has.
async fn capture_dev(server: &Server, examples: &mut Examples) {
    let players: [Player; 2] = [server.guest("Ada").await, server.guest("Bob").await];
    let [ada, bob] = &players;
    examples.keep("get_clock", &ada.get("/v1/dev/clock").await);
    examples.keep("advance_clock", &ada.patch("/v1/dev/clock").json(&json!({"advanceSeconds": 60})).await);
    let game = id(&ada.creates(&json!({"kind": "CHIPS", "seats": 2})).await.ok());
    bob.sits(&game).await.ok();
    ada.starts(&game).await.ok();
    bob.resigns(&game).await.ok();
    let replay = ada.get(&format!("/v1/games/{game}/replay")).await.ok();
    let body = json!({"replay": replay, "version": 3, "players": [ada.id, bob.id]});
    examples.keep("restage_game", &ada.post("/v1/dev/games").json(&body).await);
}

async fn capture() -> Value {
    let server = Server::dev().await;
    let mut examples = Examples::default();
    capture_service(&server, &mut examples).await;
    capture_game(&server, &mut examples).await;
    capture_capabilities(&server, &mut examples).await;
    capture_dev(&server, &mut examples).await;
    Value::Object(examples.0)
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
        let of = |of: &Value| of.as_object().expect("requests and answers").keys().cloned().collect();
        examples.as_object().expect("operations").iter().map(|(name, one)| (name.clone(), of(one))).collect()
    };
    assert_eq!(
        names(&committed),
        names(&captured),
        "`UPDATE=1 cargo test --test service examples` captures them again"
    );
    let mut shown = Vec::new();
    for (path, item) in openapi::all_paths() {
        for (method, operation) in item.as_object().expect("operations") {
            let name = operation["operationId"].as_str().expect("an operation id");
            for (of, example) in committed[name].as_object().into_iter().flatten() {
                openapi::check_example(path, method, of, example);
            }
            openapi::check_has_examples(name, operation);
            shown.push(name);
        }
    }
    let unknown = names(&committed).into_iter().find(|(name, _)| !shown.contains(&name.as_str()));
    assert_eq!(unknown, None, "every example is of an operation");
}
