//! `serde_json` hands raw JSON to itself as an object with one reserved field, whose text it parses once more wherever a
//! `Value` is read or written. A client that sends such an object must not have the text read as JSON: it could hide what
//! a gateway before us looks for.

use reqwest::Method;
use serde_json::{Value, json};
use test_support::{Answer, Player, Server};

const RESERVED: &str = "$serde_json::private::RawValue";

/// A value that would be as good as the one that it hides.
fn hidden(value: &Value) -> Value {
    json!({RESERVED: value.to_string()})
}

async fn rest(player: &Player, method: Method, path: &str, body: &Value) -> Answer {
    player.ask(method, path).json(body).await
}

#[track_caller]
fn is_malformed(answer: &Answer, what: &impl std::fmt::Debug) {
    let json = answer.json();
    let code = json["errors"][0]["extensions"]["code"].as_str().or(json["code"].as_str()).unwrap_or_default();
    assert_eq!((answer.status, code), (400, "MALFORMED"), "{what:?}: {answer:?}");
    assert!(!answer.text().contains("RawValue"), "it is echoed: {answer:?}");
}

#[tokio::test]
async fn no_body_of_rest_hides_json_in_a_text() {
    let server = Server::start().await;
    let (game, ada, bob) = server.table_for_two().await;
    let by_seat = [&ada, &bob];
    let look = async |game: &str| rest(&ada, Method::GET, &format!("/v1/games/{game}"), &Value::Null).await.json();
    let before = look(&game).await;
    let waiting = before["waitingFor"][0].as_u64().unwrap();
    let player = by_seat[usize::try_from(waiting).unwrap()];
    let moves = rest(player, Method::GET, &format!("/v1/games/{game}/legal-moves"), &Value::Null).await.json();
    let (id, mv) = (&moves["moves"][0]["id"], &moves["moves"][0]["move"]);

    let campaign = ada.creates(&json!({"kind": "SANTA_RESCUE", "seats": 1})).await.ok();
    let (lobby, version) = (campaign["id"].as_str().unwrap(), &campaign["version"]);
    let (of_game, of_lobby) = (format!("/v1/games/{game}"), format!("/v1/games/{lobby}"));
    let moves = format!("{of_game}/moves");
    let preview = format!("{of_game}/preview");
    let (setup, asides) = (format!("{of_lobby}/seats/me/setup"), format!("{of_lobby}/asides"));
    for (method, path, body) in [
        (Method::POST, "/v1/games", json!({"kind": "CHIPS", "options": hidden(&json!({"targetTokens": 2}))})),
        (Method::POST, "/v1/games", json!({"kind": "CHIPS", "options": {"targetTokens": hidden(&json!(2))}})),
        (Method::POST, "/v1/games", hidden(&json!({"kind": "CHIPS"}))),
        (Method::POST, &moves, json!({"move": hidden(mv)})),
        (Method::POST, &moves, json!({"id": hidden(id)})),
        (Method::POST, &moves, hidden(&json!({"id": id}))),
        (Method::POST, &preview, json!({"moves": [{"move": hidden(mv)}]})),
        (Method::PUT, &setup, hidden(&json!({"elves": [1]}))),
        (Method::PUT, &setup, json!({"elves": hidden(&json!([1]))})),
        (Method::POST, &asides, hidden(&json!({"type": "DRAFT", "column": 1, "rows": []}))),
        (Method::POST, &asides, json!({"type": "DRAFT", "column": 1, "rows": hidden(&json!([]))})),
        (Method::POST, "/v1/players", hidden(&json!({"displayName": "Eve"}))),
        (Method::POST, "/v1/players", json!({"displayName": hidden(&json!("Eve"))})),
        (Method::POST, "/v1/tokens", hidden(&json!({"username": "eve", "password": "correct horse"}))),
        (Method::POST, "/v1/tokens", json!({"refreshToken": hidden(&json!("x"))})),
        // What it hides is no JSON; what it hides hides some more; it has a field beside it.
        (Method::POST, &moves, json!({"move": {RESERVED: "{"}})),
        (Method::POST, &moves, json!({"move": hidden(&hidden(mv))})),
        (Method::POST, &moves, json!({"move": {RESERVED: mv.to_string(), "type": "DISCARD"}})),
        (Method::POST, &moves, json!({"move": {RESERVED: 7}})),
    ] {
        is_malformed(&rest(player, method, path, &body).await, &(path, body));
    }
    assert_eq!(look(&game).await["version"], before["version"], "nothing was played");
    assert_eq!(&look(lobby).await["version"], version, "nothing was chosen or said");
    let mine = rest(&ada, Method::GET, "/v1/games?mine=true", &Value::Null).await.json();
    assert_eq!(mine["items"].as_array().unwrap().len(), 2, "nothing was made");
    assert_eq!(rest(player, Method::POST, &moves, &json!({"move": mv})).await.status, 200, "it would have been legal");
}

#[tokio::test]
async fn no_variable_hides_json_in_a_text_however_it_comes() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let query = "mutation ($input: CreateGameInput!) { createGame(input: $input) { game { id } } }";
    let nothing = "query ($any: Boolean) { __typename @skip(if: $any) }";
    let variables = [
        json!({"input": {"kind": "CHIPS", "options": {"chips": hidden(&json!({"targetTokens": 2}))}}}),
        json!({"input": {"kind": "CHIPS", "options": {"chips": {"targetTokens": hidden(&json!(2))}}}}),
        json!({"input": {"kind": "CHIPS", "options": hidden(&json!({"chips": {}}))}}),
        json!({"input": hidden(&json!({"kind": "CHIPS"}))}),
        json!({"input": {"kind": hidden(&json!("CHIPS"))}}),
        hidden(&json!({"input": {"kind": "CHIPS"}})),
    ];
    let mut bodies: Vec<_> = variables.iter().map(|given| json!({"query": query, "variables": given})).collect();
    bodies.push(json!({"query": nothing, "extensions": hidden(&json!({}))}));
    bodies.push(json!({"query": nothing, "extensions": {"persistedQuery": hidden(&json!({"version": 1}))}}));
    bodies.push(json!({"query": nothing, "variables": {"unused": hidden(&json!(1))}}));
    bodies.push(hidden(&json!({"query": nothing})));
    for body in &bodies {
        is_malformed(&ada.asks(body).await, body);
        is_malformed(&ada.asks_json(body).await, body);
        is_malformed(&ada.asks(&json!([{"query": "{ __typename }"}, body])).await, body);
        let stream = ada.graphql().header("accept", "text/event-stream").json(body);
        is_malformed(&stream.await, body);
        let mut socket = server.socket(&ada).await;
        socket.says(json!({"type": "subscribe", "id": "a", "payload": body})).await;
        assert_eq!(socket.closes().await, 4400, "{body}");
        let mut socket = server.socket(&ada).await;
        socket.says(json!({"type": "ping", "payload": body})).await;
        assert_eq!(socket.closes().await, 4400, "{body}");
    }
    for given in &variables {
        let get = ada.graphql_get(&[
            ("query", "query ($input: ID!) { node(id: $input) { id } }"),
            ("variables", &given.to_string()),
        ]);
        is_malformed(&get.await, given);
    }
    let literal = format!("{{ node(id: {{{RESERVED}: \"1\"}}) {{ id }} }}");
    assert_eq!(ada.asks(&json!({"query": literal})).await.refusal(), (400, "GRAPHQL_PARSE_FAILED".to_owned()));
    let mine = rest(&ada, Method::GET, "/v1/games?mine=true", &Value::Null).await.json();
    assert_eq!(mine["items"], json!([]), "nothing was made");
}
