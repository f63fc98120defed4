//! OpenAPI links: which response has the parameters of which request, so that tools can follow a game from its creation
//! to a move. A link uses only fields that every such response has.
//!
//! No link has a `requestBody`: OpenAPI allows an object with expressions in it, but OpenAPI Generator accepts only a
//! single expression and refuses the whole document.

use serde_json::{Map, Value, json};

/// Expressions for the id of a game: in a game, in the result of a step, in the path of the request.
const GAME: &str = "$response.body#/id";
const PLAYED: &str = "$response.body#/game/id";
const ASKED: &str = "$request.path.id";

/// Operation, status, expression of the game's id, and the operations about the same game that can follow.
const OF_GAMES: [(&str, &str, &str, &[&str]); 7] = [
    (
        "create_game",
        "201",
        GAME,
        &["get_game", "update_game", "create_seat", "leave_seat", "start_game", "list_events"],
    ),
    ("create_seat", "200", GAME, &["get_game", "leave_seat", "start_game"]),
    ("start_game", "200", GAME, &["get_game", "list_legal_moves", "list_events", "resign_game", "call_timeouts"]),
    ("list_legal_moves", "200", ASKED, &["play_move", "preview_moves"]),
    ("play_move", "200", PLAYED, &["get_game", "list_legal_moves", "list_events", "resign_game"]),
    ("resign_game", "200", PLAYED, &["get_game", "get_replay", "create_rematch"]),
    ("create_rematch", "201", GAME, &["get_game", "create_seat", "start_game"]),
];

/// Adds the links to the responses from which they start.
pub fn add(document: &mut Value) {
    for (from, status, id, requests) in OF_GAMES {
        let mut links = Map::new();
        for to in requests {
            links.insert((*to).to_owned(), json!({"operationId": to, "parameters": {"id": id}}));
        }
        put(document, from, status, links);
    }
    let kind = json!({"operationId": "get_kind", "parameters": {"kind": "$response.body#/items/0/kind"}});
    put(document, "list_kinds", "200", Map::from_iter([("get_kind".to_owned(), kind)]));
}

fn put(document: &mut Value, operation: &str, status: &str, links: Map<String, Value>) {
    let items = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    let mut operations = items.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut());
    let from = operations.find(|from| from["operationId"] == operation).expect("links start from existing operations");
    from["responses"][status]["links"] = Value::Object(links);
}
