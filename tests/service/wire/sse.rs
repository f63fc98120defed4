//! Server-sent events, one connection for each operation, as `graphql-sse` has them.

use serde_json::json;
use std::time::Duration;
use test_support::{Events, Player, Server};

fn follow(game: &str, after: u32) -> String {
    format!("subscription {{ gameEvents(gameId: \"{game}\", after: {after}) {{ version }} }}")
}

#[tokio::test]
async fn a_subscription_tells_every_step_and_then_each_new_one() {
    let server = Server::as_shipped().await;
    let (game, ada, bob) = server.table_for_two().await;
    let mut events = ada.streams(&json!({"query": follow(&game, 1)})).await;
    for version in [2, 3] {
        assert_eq!(events.payload().await, json!({"data": {"gameEvents": {"version": version}}}));
    }
    bob.plays_any(&game).await;
    assert_eq!(events.payload().await["data"]["gameEvents"]["version"], 4);
    ada.post(&format!("/v1/games/{game}/resignation")).await.ok();
    assert_eq!(events.payload().await["data"]["gameEvents"]["version"], 5);
    events.completes().await;
}

#[tokio::test]
async fn a_stream_goes_on_after_the_version_that_was_seen() {
    let server = Server::as_shipped().await;
    let (game, ada, bob) = server.table_for_two().await;
    let mut events = ada.streams(&json!({"query": follow(&game, 2)})).await;
    assert_eq!(events.payload().await["data"]["gameEvents"]["version"], 3);
    drop(events);
    bob.plays_any(&game).await;
    let mut events = ada.streams(&json!({"query": follow(&game, 3)})).await;
    assert_eq!(events.payload().await["data"]["gameEvents"]["version"], 4);
}

#[tokio::test]
async fn get_streams_too_and_queries_do() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let mut events =
        Events::open(ada.graphql_get(&[("query", &follow(&game, 2))]).header("accept", "text/event-stream")).await;
    assert_eq!(events.payload().await["data"]["gameEvents"]["version"], 3);
    let mut events = ada.streams(&json!({"query": "{ me { displayName } }"})).await;
    assert_eq!(events.payload().await, json!({"data": {"me": {"displayName": "Ada"}}}));
    events.completes().await;
    let mutation = "mutation { createGame(input: {kind: CHIPS, seats: 2}) { userErrors { code } } }";
    let mut events = ada.streams(&json!({"query": mutation})).await;
    assert_eq!(events.payload().await["data"]["createGame"]["userErrors"], json!([]));
    events.completes().await;
}

#[tokio::test]
async fn a_mutation_is_not_streamed_over_get() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    let mutation = "mutation { createGame(input: {kind: CHIPS, seats: 2}) { userErrors { code } } }";
    let request = ada.graphql_get(&[("query", mutation)]).header("accept", "text/event-stream");
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("accept", "text/event-stream".parse().unwrap());
    assert_eq!(request.headers(headers).await.refusal(), (405, "METHOD_NOT_ALLOWED".to_owned()));
}

#[tokio::test]
async fn a_client_that_takes_a_stream_among_others_gets_one_for_a_subscription_only() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let both = "application/graphql-response+json, application/json, text/event-stream";
    let mut events = Events::open(ada.graphql().header("accept", both).json(&json!({"query": follow(&game, 2)}))).await;
    assert_eq!(events.payload().await["data"]["gameEvents"]["version"], 3);
    let answer = ada.graphql().header("accept", both).json(&json!({"query": "{ me { displayName } }"})).await;
    assert_eq!(answer.data()["me"]["displayName"], "Ada");
}

#[tokio::test]
async fn a_document_that_can_not_be_carried_out_is_told_in_the_stream() {
    let server = Server::as_shipped().await;
    for (document, code) in [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("subscription { nothing }", "GRAPHQL_VALIDATION_FAILED"),
        (test_support::graphql::fragments(30, 2).as_str(), "LIMIT_EXCEEDED"),
    ] {
        let mut events = server.anybody().streams(&json!({"query": document})).await;
        let payload = events.payload().await;
        assert_eq!(payload["errors"][0]["extensions"]["code"], code);
        assert_eq!(payload.get("data"), None);
        events.completes().await;
    }
}

#[tokio::test]
async fn a_game_that_there_is_not_is_an_error_and_the_end() {
    let server = Server::as_shipped().await;
    let mut events =
        server.anybody().streams(&json!({"query": follow("game_00000000000000000000000000000000", 0)})).await;
    assert_eq!(events.payload().await["errors"][0]["extensions"]["code"], "NOT_FOUND");
    events.completes().await;
}

#[tokio::test]
async fn a_bad_token_is_refused_before_the_stream() {
    let server = Server::as_shipped().await;
    let forger = Player { token: Some("forged".into()), ..server.anybody() };
    let request = forger.graphql().header("accept", "text/event-stream").json(&json!({"query": "{ me { id } }"}));
    assert_eq!(request.await.refusal(), (401, "INVALID_TOKEN".to_owned()));
}

#[tokio::test]
async fn nothing_is_told_after_a_sign_out() {
    let server = Server::as_shipped().await;
    let (game, ada, bob) = server.table_for_two().await;
    let mut events = ada.streams(&json!({"query": follow(&game, 2)})).await;
    events.payload().await;
    ada.signs_out().await;
    bob.plays_any(&game).await;
    assert_eq!(events.next().await, None, "it ends, and is not complete");
}

#[tokio::test]
async fn a_quiet_stream_ends_with_its_token() {
    let server = Server::with_tokens_for(Duration::from_secs(2)).await;
    let (game, ada, _) = server.table_for_two().await;
    let mut events = ada.streams(&json!({"query": follow(&game, 2)})).await;
    events.payload().await;
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn a_server_that_shuts_down_asks_to_come_back() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let mut events = ada.streams(&json!({"query": follow(&game, 2)})).await;
    events.payload().await;
    server.terminate();
    assert_eq!(events.next().await, None, "not complete");
    assert_eq!(events.asides(), [": here", "retry: 1000"]);
    drop((events, ada));
    server.stop().await;
}

#[tokio::test]
async fn a_stream_without_news_begins_at_once_and_is_not_held_back_by_proxies() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let subscription = ada.graphql().header("accept", "text/event-stream").json(&json!({"query": follow(&game, 3)}));
    let rest = ada.ask(reqwest::Method::GET, &format!("/v1/games/{game}/events?after=3"));
    for request in [subscription, rest.header("accept", "text/event-stream")] {
        let mut response = request.send().await.unwrap();
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        let first = response.chunk().await.unwrap().expect("something is sent before anything happens");
        assert!(first.starts_with(b":"), "a comment: {first:?}");
    }
}
