//! Every operation of the document, without a token, with somebody else's and with the right one. A new route can't be
//! forgotten: the list is the document itself.

use crate::support::contract::paths;
use crate::support::{Player, Server};
use reqwest::Method;
use serde_json::{Value, json};

/// Whether an operation can be called without a token, and whether with one.
fn security(operation: &Value) -> (bool, bool) {
    let ways = operation["security"].as_array().cloned().unwrap_or_default();
    let anybody = ways.is_empty() || ways.iter().any(|way| way.as_object().is_some_and(serde_json::Map::is_empty));
    (anybody, ways.iter().any(|way| way.get("bearer").is_some()))
}

/// A body that the operation takes, as far as one is needed to get past reading it.
fn body(operation_id: &str) -> Option<Value> {
    Some(match operation_id {
        "create_player" | "update_player" => json!({"displayName": "Ada"}),
        "create_token" => json!({"refreshToken": "refresh_x"}),
        "create_game" => json!({"kind": "CHIPS"}),
        "update_game" => json!({"seats": 3}),
        "create_seat" => json!({}),
        "play_move" | "preview_moves" => json!({"id": "wish"}),
        "choose_setup" => json!({"elves": [1]}),
        "write_draft" => json!({"rows": []}),
        "name_elf" => json!({"name": "Pip"}),
        _ => return None,
    })
}

#[tokio::test]
async fn every_operation_is_tried_without_a_token_with_anothers_and_with_the_right_one() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    // A kind that has all there is: choices in the lobby, and things to do beside the moves.
    let new = json!({"kind": "SANTA_RESCUE", "seats": 2, "visibility": "UNLISTED"});
    let game = ada.creates(&new).await.ok();
    let id = game["id"].as_str().expect("an id");
    let eve = server.guest("Eve").await;
    let mut tried = 0;
    for (template, item) in paths() {
        for (method, operation) in item.as_object().expect("operations") {
            let Some(name) = operation["operationId"].as_str() else { continue };
            // Last, because nothing works after them; tests of their own show what they do.
            if ["delete_player", "delete_token", "accept_invite"].contains(&name) {
                continue;
            }
            let path = template.replace("{id}", id).replace("{seat}", "1").replace("{n}", "1");
            let path = path.replace("{kind}", "CHIPS");
            let ask = async |player: &Player| {
                let ask = player.ask(Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"), &path);
                match body(name) {
                    Some(body) => ask.json(&body).await,
                    None => ask.await,
                }
            };
            let (anybody, somebody) = security(operation);
            let of_the_game = template.contains("{id}");
            let without = ask(&server.anybody()).await;
            if !anybody {
                without.refused("UNAUTHENTICATED");
                assert!(without.header("www-authenticate").starts_with("Bearer"), "{name}");
            } else if of_the_game {
                without.refused("NOT_FOUND");
            }
            if of_the_game {
                ask(&eve).await.refused("NOT_FOUND");
            }
            if somebody {
                let right = ask(&ada).await;
                assert!(![401, 404].contains(&right.status) || name == "delete_seat", "{name}: {}", right.text());
            }
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried} operations");
    let untouched = ada.sees(id).await;
    assert_eq!(untouched["seats"].as_array().map(Vec::len), Some(3), "only what the owner asked for was done");
}
