//! `graphql-transport-ws`: what goes on on a socket.

use ludotheque::graphql;
use serde_json::json;
use std::collections::BTreeSet;
use test_support::graphql::INTROSPECTION;
use test_support::{Server, Socket};

fn follow(game: &str, after: u32) -> String {
    format!("subscription {{ gameEvents(gameId: \"{game}\", after: {after}) {{ version }} }}")
}

fn play(game: &str, id: &str) -> String {
    format!(
        "mutation {{ playMove(input: {{gameId: \"{game}\", id: \"{id}\"}}) {{ version userErrors {{ code message }} }} }}"
    )
}

/// The socket is open and answers.
async fn goes_on(socket: &mut Socket) {
    socket.subscribes("still here", "{ kinds { id } }").await;
    socket.hears_next("still here").await;
    socket.hears_complete("still here").await;
}

#[tokio::test]
async fn a_query_is_answered_once_and_is_complete() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    let mut socket = server.socket(&ada).await;
    let payload = json!({
        "query": "query Other { kinds { id } } query Me { me { displayName } }", "operationName": "Me",
        "variables": null, "extensions": null,
    });
    socket.says(json!({"type": "subscribe", "id": "a", "payload": payload})).await;
    assert_eq!(socket.hears_next("a").await, json!({"me": {"displayName": "Ada"}}));
    socket.hears_complete("a").await;
}

#[tokio::test]
async fn a_move_is_played_over_the_socket_that_listens() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let mv = ada.a_move(&game).await;
    let mut socket = server.socket(&ada).await;
    socket.subscribes("events", &follow(&game, 3)).await;
    socket.subscribes("move", &play(&game, &mv)).await;
    let mut heard = Vec::new();
    for _ in 0..3 {
        let message = socket.hears().await;
        heard.push((message["id"].as_str().unwrap().to_owned(), message));
    }
    let of = |id: &str| heard.iter().filter(|(of, _)| of == id).map(|(_, message)| message.clone()).collect::<Vec<_>>();
    assert_eq!(of("events")[0]["payload"]["data"]["gameEvents"]["version"], 4);
    assert_eq!(of("move")[0]["payload"]["data"]["playMove"], json!({"version": 4, "userErrors": []}));
    assert_eq!(of("move")[1], json!({"type": "complete", "id": "move"}));
    socket.subscribes("again", &play(&game, &mv)).await;
    assert_eq!(socket.hears_next("again").await["playMove"]["userErrors"][0]["code"], "NOT_YOUR_TURN");
}

#[tokio::test]
async fn a_subscription_tells_every_step_and_is_complete_with_the_game() {
    let server = Server::as_shipped().await;
    let (game, ada, bob) = server.table_for_two().await;
    let mut socket = server.socket(&bob).await;
    socket.subscribes("a", &follow(&game, 0)).await;
    ada.plays_any(&game).await;
    ada.post(&format!("/v1/games/{game}/resignation")).await.ok();
    for version in 1..=5 {
        assert_eq!(socket.hears_next("a").await["gameEvents"]["version"], version);
    }
    socket.hears_complete("a").await;
    goes_on(&mut socket).await;
}

#[tokio::test]
async fn a_client_that_was_away_goes_on_after_the_version_it_saw() {
    let server = Server::as_shipped().await;
    let (game, ada, bob) = server.table_for_two().await;
    let mut socket = server.socket(&bob).await;
    socket.subscribes("a", &follow(&game, 2)).await;
    assert_eq!(socket.hears_next("a").await["gameEvents"]["version"], 3);
    drop(socket);
    ada.plays_any(&game).await;
    let mut socket = server.socket(&bob).await;
    socket.subscribes("a", &follow(&game, 3)).await;
    assert_eq!(socket.hears_next("a").await["gameEvents"]["version"], 4);
}

#[tokio::test]
async fn a_document_that_can_not_be_carried_out_is_an_error_and_the_end_of_its_operation() {
    let server = Server::as_shipped().await;
    let mut socket = server.socket(&server.anybody()).await;
    for (document, code) in [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("subscription { nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("subscription { kinds { id } }", "GRAPHQL_VALIDATION_FAILED"),
        ("query a { me { id } } query b { me { id } }", "OPERATION_RESOLUTION_FAILURE"),
        (test_support::graphql::fragments(30, 2).as_str(), "LIMIT_EXCEEDED"),
    ] {
        socket.subscribes("a", document).await;
        assert_eq!(socket.hears_error("a").await[0]["extensions"]["code"], code, "{document}");
    }
    goes_on(&mut socket).await;
}

#[tokio::test]
async fn what_fails_on_the_way_is_told_beside_the_data() {
    let server = Server::as_shipped().await;
    let mut socket = server.socket(&server.anybody()).await;
    socket.subscribes("a", "{ legalMoves(gameId: \"game_00000000000000000000000000000000\") { version } }").await;
    let message = socket.hears().await;
    assert_eq!(
        (&message["type"], &message["payload"]["errors"][0]["path"]),
        (&json!("next"), &json!(["legalMoves"])),
        "{message}"
    );
    socket.hears_complete("a").await;
    socket.subscribes("b", &follow("game_00000000000000000000000000000000", 0)).await;
    let message = socket.hears().await;
    assert_eq!(message["payload"]["errors"][0]["extensions"]["code"], "NOT_FOUND", "{message}");
    socket.hears_complete("b").await;
}

#[tokio::test]
async fn an_id_that_is_in_use_is_closed_with_4409() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let mut socket = server.socket(&ada).await;
    socket.subscribes("a", &follow(&game, 3)).await;
    socket.subscribes("a", "{ kinds { id } }").await;
    assert_eq!(socket.closes().await, 4409);
}

#[tokio::test]
async fn an_id_is_free_again_once_its_operation_is_complete() {
    let server = Server::as_shipped().await;
    let mut socket = server.socket(&server.anybody()).await;
    for _ in 0..50 {
        socket.subscribes("a", "{ kinds { id } }").await;
        socket.hears_next("a").await;
        socket.hears_complete("a").await;
    }
}

#[tokio::test]
async fn a_client_ends_an_operation_and_hears_no_more_of_it() {
    let server = Server::as_shipped().await;
    let (game, ada, bob) = server.table_for_two().await;
    let mut socket = server.socket(&ada).await;
    socket.subscribes("a", &follow(&game, 2)).await;
    socket.hears_next("a").await;
    socket.says(json!({"type": "complete", "id": "a"})).await;
    socket.says(json!({"type": "complete", "id": "never begun"})).await;
    goes_on(&mut socket).await;
    bob.plays_any(&game).await;
    goes_on(&mut socket).await;
    socket.subscribes("a", &follow(&game, 3)).await;
    assert_eq!(socket.hears_next("a").await["gameEvents"]["version"], 4, "the id is free again");
}

#[tokio::test]
async fn operations_go_on_side_by_side() {
    let server = Server::as_shipped().await;
    let (game, ada, bob) = server.table_for_two().await;
    let mut socket = server.socket(&ada).await;
    let listening: Vec<_> = (0..20).map(|number| format!("s{number}")).collect();
    for id in &listening {
        socket.subscribes(id, &follow(&game, 3)).await;
    }
    goes_on(&mut socket).await;
    bob.plays_any(&game).await;
    let mut told = BTreeSet::new();
    for _ in &listening {
        let message = socket.hears().await;
        assert_eq!(message["payload"]["data"]["gameEvents"]["version"], 4);
        told.insert(message["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(told, listening.into_iter().collect());
}

#[tokio::test]
async fn no_more_operations_go_on_than_so_many() {
    let server = Server::with_graphql(graphql::Settings { operations: 2, ..graphql::Settings::default() }).await;
    let (game, ada, _) = server.table_for_two().await;
    let mut socket = server.socket(&ada).await;
    socket.subscribes("a", &follow(&game, 3)).await;
    socket.subscribes("b", &follow(&game, 3)).await;
    socket.subscribes("c", "{ kinds { id } }").await;
    let errors = socket.hears_error("c").await;
    assert_eq!(
        (&errors[0]["extensions"]["limit"], &errors[0]["extensions"]["most"]),
        (&json!("operations"), &json!(2))
    );
    socket.says(json!({"type": "complete", "id": "a"})).await;
    goes_on(&mut socket).await;
}

#[tokio::test]
async fn an_operation_counts_like_a_request() {
    let server = Server::with_rates(2, 0).await;
    let ada = server.guest("Ada").await;
    let mut socket = server.socket(&ada).await;
    for number in 0..20 {
        socket.subscribes(&number.to_string(), "{ kinds { id } }").await;
    }
    let refused = loop {
        let message = socket.hears().await;
        if message["type"] == "error" {
            break message;
        }
    };
    assert_eq!(refused["payload"][0]["extensions"]["code"], "RATE_LIMITED");
    assert!(refused["payload"][0]["extensions"]["retryAfter"].as_u64().unwrap() >= 1);
}

#[tokio::test]
async fn whoever_reads_late_misses_nothing() {
    let server = Server::as_shipped().await;
    let mut socket = server.socket(&server.anybody()).await;
    for number in 0..90 {
        socket.subscribes(&number.to_string(), INTROSPECTION).await;
    }
    let mut complete = BTreeSet::new();
    while complete.len() < 90 {
        let message = socket.hears().await;
        match message["type"].as_str().unwrap() {
            "next" => assert!(message["payload"]["data"]["__schema"].is_object()),
            "complete" => assert!(complete.insert(message["id"].to_string())),
            other => panic!("{other}: {message}"),
        }
    }
}
