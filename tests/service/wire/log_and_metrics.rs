//! Log lines and metrics of GraphQL operations.

use serde_json::json;
use test_support::Server;

#[tokio::test]
async fn operations_are_counted_by_sort_and_transport() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    ada.asks(&json!({"query": "query SomeName { me { id } }"})).await.data();
    let follow = format!("subscription {{ gameEvents(gameId: \"{game}\", after: 2) {{ version }} }}");
    let mut events = ada.streams(&json!({"query": follow})).await;
    events.payload().await;
    let mut socket = server.socket(&ada).await;
    socket
        .subscribes("a", "mutation Other { createGame(input: {kind: CHIPS, seats: 2}) { userErrors { code } } }")
        .await;
    socket.hears_next("a").await;
    let metrics = server.metrics();
    for line in [
        r#"graphql_operations_total{sort="query",transport="http"} 1"#,
        r#"graphql_operations_total{sort="subscription",transport="sse"} 1"#,
        r#"graphql_operations_total{sort="mutation",transport="websocket"} 1"#,
        "ludotheque_sockets 1",
        "ludotheque_streams 1",
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
    assert!(!metrics.contains("SomeName") && !metrics.contains("Other"), "no label is the caller's");
}
