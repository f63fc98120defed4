//! Which answer leads to which request: OpenAPI's links, so that tools walk the API as players do, from a game that is
//! made to a move that is played. Only what every such answer holds is linked from it.
//!
//! No link has a `requestBody`: OpenAPI lets it be an object with expressions in it, but OpenAPI Generator reads an
//! expression only, and refuses the whole document.

use serde_json::{Map, Value, json};

/// Where the id of a game is found: in the answer itself, beside the events of a step, in the address that was asked.
const GAME: &str = "$response.body#/id";
const PLAYED: &str = "$response.body#/game/id";
const ASKED: &str = "$request.path.id";

/// An answer, and the requests about the same game that it leads to.
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

/// Puts the links beside the answers that they start from.
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
    let from = operations.find(|from| from["operationId"] == operation).expect("links start from operations we have");
    from["responses"][status]["links"] = Value::Object(links);
}
