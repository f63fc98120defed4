//! Every operation of the OpenAPI document.

use super::{Access, Heard};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use test_support::openapi::paths;
use test_support::{Ask, Player};

/// What each operation takes.
const TABLE: &[(&str, Access)] = &[
    ("get_jwks", Access::Anybody),
    ("get_livez", Access::Anybody),
    ("get_openapi", Access::Anybody),
    ("get_readyz", Access::Anybody),
    ("list_kinds", Access::Anybody),
    ("get_kind", Access::Anybody),
    ("create_player", Access::Anybody),
    ("create_token", Access::Anybody),
    ("get_player", Access::Own),
    ("update_player", Access::Own),
    ("delete_player", Access::Own),
    ("delete_token", Access::Own),
    ("create_game", Access::Own),
    ("list_games", Access::Listing),
    ("accept_invite", Access::Own),
    ("get_game", Access::Looking),
    ("list_events", Access::Looking),
    ("get_replay", Access::Looking),
    ("create_seat", Access::Joining),
    ("list_legal_moves", Access::Seated),
    ("play_move", Access::Seated),
    ("preview_moves", Access::Seated),
    ("resign_game", Access::Seated),
    ("call_timeouts", Access::Seated),
    ("leave_seat", Access::Seated),
    ("create_rematch", Access::Seated),
    ("choose_setup", Access::Aside),
    ("make_aside", Access::Aside),
    ("update_game", Access::Host),
    ("delete_seat", Access::Host),
    ("start_game", Access::Host),
];

/// A valid body; `None` if the operation takes no body.
fn body(operation: &str) -> Option<Value> {
    Some(match operation {
        "create_player" | "update_player" => json!({"displayName": "Eve"}),
        "create_token" => json!({"refreshToken": "refresh_x"}),
        "create_game" => json!({"kind": "CHIPS"}),
        "update_game" => json!({"seats": 4}),
        "choose_setup" => json!({"elves": [2]}),
        "make_aside" => json!({"type": "NAME", "elf": 1, "name": "Pip"}),
        "play_move" | "preview_moves" => json!({"id": "discard last-n none-p"}),
        _ => return None,
    })
}

pub struct Operation {
    pub name: String,
    pub access: Access,
    method: Method,
    template: &'static str,
    body: Option<Value>,
    streams: bool,
}

/// All of them; what streams, once as a page and once as a stream.
pub fn operations() -> Vec<Operation> {
    let mut rows: BTreeMap<_, _> = TABLE.iter().copied().collect();
    let mut operations = Vec::new();
    for (template, item) in paths() {
        for (method, operation) in item.as_object().expect("operations") {
            let id = operation["operationId"].as_str().unwrap_or_else(|| panic!("{method} {template} has no name"));
            let access = rows.remove(id).unwrap_or_else(|| panic!("{id} is not in the matrix: who may call it?"));
            let streams = operation["responses"]["200"]["content"].get("text/event-stream").is_some();
            for streams in if streams { &[false, true][..] } else { &[false] } {
                operations.push(Operation {
                    name: if *streams { format!("{id} as a stream") } else { id.to_owned() },
                    access,
                    method: Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"),
                    template,
                    body: body(id),
                    streams: *streams,
                });
            }
        }
    }
    assert!(rows.is_empty(), "the document does not have {rows:?}");
    operations
}

impl Operation {
    pub fn changes_something(&self) -> bool {
        self.method != Method::GET && self.name != "preview_moves"
    }

    pub async fn sent_by(&self, player: &Player, game: &str) -> Heard {
        let gaps = [("{id}", game), ("{seat}", "1"), ("{kind}", "CHIPS"), ("{code}", "AAAAAAAAAAAAAAAAAAAA")];
        let path = gaps.iter().fold(self.template.to_owned(), |path, (gap, value)| path.replace(gap, value));
        let ask = player.ask(self.method.clone(), &path);
        if self.streams {
            return first(ask.header("accept", "text/event-stream")).await;
        }
        let answer = match &self.body {
            Some(body) => ask.json(body).await,
            None => ask.await,
        };
        let code = (answer.status >= 400).then(|| answer.json()["code"].as_str().expect("a code").to_owned());
        let challenge = answer.header("www-authenticate");
        let text = format!("{} {challenge} {} {}", answer.status, answer.header("etag"), answer.text());
        Heard { outcome: code.unwrap_or_else(|| "OK".to_owned()), text }
    }
}

/// The beginning of a stream, or its refusal.
async fn first(ask: Ask) -> Heard {
    let mut response = ask.send().await.expect("the server answers");
    let status = response.status().as_u16();
    let text = match status {
        200 => response.chunk().await.expect("it tells something").map(|bytes| bytes.to_vec()).unwrap_or_default(),
        _ => response.bytes().await.expect("it says why not").to_vec(),
    };
    let text = String::from_utf8(text).expect("a text");
    let problem: Value = serde_json::from_str(&text).unwrap_or_default();
    let outcome = problem["code"].as_str().unwrap_or("OK").to_owned();
    // How much comes at once depends on the network.
    let text = if status == 200 { text.split("\n\n").next().unwrap_or_default().to_owned() } else { text };
    Heard { outcome, text: format!("{status} {text}") }
}
