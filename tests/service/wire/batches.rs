//! Several requests at once.

use ludotheque::graphql::{self, guard::DocumentLimits};
use serde_json::{Value, json};
use test_support::Server;

fn kinds() -> Value {
    json!({"query": "{ kinds { id } }"})
}

#[tokio::test]
async fn a_batch_is_answered_in_its_order_each_item_for_itself() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    let batch = json!([kinds(), {"query": "{"}, {"query": "{ me { displayName } }"}]);
    for answer in [ada.asks(&batch).await, ada.asks_json(&batch).await] {
        assert_eq!(answer.status, 200);
        let items = answer.json();
        assert_eq!(items.as_array().unwrap().len(), 3);
        assert_eq!(items[0]["data"]["kinds"][0]["id"], "CHIPS");
        assert_eq!(items[1]["errors"][0]["extensions"]["code"], "GRAPHQL_PARSE_FAILED");
        assert_eq!(items[1].get("data"), None);
        assert_eq!(items[2]["data"]["me"]["displayName"], "Ada");
    }
}

#[tokio::test]
async fn mutations_of_a_batch_are_carried_out_one_after_the_other() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let id = ada.a_move(&game).await;
    let play = json!({
        "query": "mutation ($game: ID!, $id: String!) { playMove(input: {gameId: $game, id: $id}) { version userErrors { code } } }",
        "variables": {"game": game, "id": id},
    });
    let look = json!({"query": format!("{{ game(id: \"{game}\") {{ version }} }}")});
    let items = ada.asks(&json!([look, play, look, play])).await.json();
    assert_eq!(items[1]["data"]["playMove"], json!({"version": 4, "userErrors": []}));
    assert_eq!(items[2]["data"]["game"]["version"], 4);
    assert_eq!(items[3]["data"]["playMove"]["userErrors"][0]["code"], "NOT_YOUR_TURN");
}

#[tokio::test]
async fn a_batch_of_more_than_so_many_is_refused_as_a_whole() {
    let server = Server::as_shipped().await;
    let too_many = Value::Array(vec![kinds(); 11]);
    for refused in [server.anybody().asks(&too_many).await, server.anybody().asks_json(&too_many).await] {
        assert_eq!(refused.refusal(), (400, "LIMIT_EXCEEDED".to_owned()));
        let extensions = &refused.json()["errors"][0]["extensions"];
        assert_eq!((&extensions["limit"], &extensions["most"]), (&json!("batch"), &json!(10)));
    }
    let most = server.anybody().asks(&Value::Array(vec![kinds(); 10])).await;
    assert_eq!(most.json().as_array().unwrap().len(), 10);
    let none = Server::with_graphql(graphql::Settings { batch: 0, ..graphql::Settings::default() }).await;
    assert_eq!(none.anybody().asks(&json!([kinds()])).await.refusal().1, "LIMIT_EXCEEDED");
}

#[tokio::test]
async fn the_items_of_a_batch_share_the_limit_of_one() {
    let limits = DocumentLimits { nodes: 5, ..DocumentLimits::default() };
    let server = Server::with_graphql(graphql::Settings { limits, ..graphql::Settings::default() }).await;
    let items = server.anybody().asks(&json!([kinds(), kinds(), kinds()])).await.json();
    assert_eq!(items[1]["data"]["kinds"][0]["id"], "CHIPS");
    assert_eq!(items[2]["errors"][0]["extensions"]["limit"], "nodes", "two and two, and one is left");
}

#[tokio::test]
async fn every_item_is_charged_like_a_request() {
    let server = Server::with_rates(0, 8).await;
    let answers = futures::future::join_all((0..2).map(|_| {
        let anybody = server.anybody();
        async move { anybody.asks(&Value::Array(vec![kinds(); 10])).await }
    }));
    let answers: Vec<_> = answers.await.iter().map(|answer| answer.json()).collect();
    let items = || answers.iter().flat_map(|answer| answer.as_array().expect("a batch"));
    let refused = items().filter(|item| item["errors"][0]["extensions"]["code"] == "RATE_LIMITED").count();
    let done = items().filter(|item| item["data"]["kinds"][0]["id"] == "CHIPS").count();
    assert!(refused > 0 && done > 0 && refused + done == 20, "of twenty, {done} were answered and {refused} refused");
}

#[tokio::test]
async fn a_subscription_in_a_batch_and_a_batch_as_a_stream_are_refused() {
    let server = Server::as_shipped().await;
    let items =
        server.anybody().asks(&json!([{"query": "subscription { gameEvents(gameId: \"x\") { version } }"}])).await;
    assert_eq!(items.json()[0]["errors"][0]["extensions"]["code"], "STREAM_NOT_ACCEPTED");
    let request = server.anybody().graphql().header("accept", "text/event-stream").json(&json!([kinds()]));
    assert_eq!(request.await.refusal(), (400, "MALFORMED".to_owned()));
}
