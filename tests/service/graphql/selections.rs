//! Selections of kinds' values, as front ends write them: each component's fragment asks for the parts of a view that it
//! shows, and variables say what is left out.

use serde_json::json;
use test_support::Server;
use test_support::graphql::ask;

#[tokio::test]
async fn what_several_fragments_select_of_one_view_adds_up() {
    let server = Server::start().await;
    let table = server.table(3).await;
    let [ada, ..] = &table.players[..] else { panic!("three players") };
    let whole = ada.sees(&table.game).await;
    let parts = [
        "view { kind } view { ... on ChipsView { round } }",
        "...First ...Second ...First",
        "view { ... on ChipsView { round } } ... on Game { view { __typename kind } }",
    ];
    for part in parts {
        let query = format!(
            "query($id: ID!) {{ game(id: $id) {{ {part} }} other: game(id: $id) {{ view {{ ... on ChipsView {{ dealer }} }} }} }} {}",
            if part.contains("First") { FRAGMENTS } else { "" },
        );
        let data = ask(ada, &query, json!({"id": table.game})).await;
        let view = &data["game"]["view"];
        assert_eq!((&view["round"], &view["kind"]), (&whole["view"]["round"], &json!("CHIPS")), "{part}: {data}");
        assert_eq!(data["other"]["view"], json!({"dealer": whole["view"]["dealer"]}), "{part}: {data}");
    }
}

const FRAGMENTS: &str = "fragment First on Game { view { kind } } \
    fragment Second on Game { ...First view { ... on ChipsView { round ...Third } } } \
    fragment Third on ChipsView { seats { tokens } }";

#[tokio::test]
async fn events_that_two_fragments_select_are_merged_one_by_one() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let query = "query($id: ID!) { events(gameId: $id, first: 5) { nodes { ...A ...B } } } \
        fragment A on Step { events { type } } fragment B on Step { events { __typename } }";
    let data = ask(&table.players[0], query, json!({"id": table.game})).await;
    let steps = data["events"]["nodes"].as_array().expect("steps");
    assert!(!steps.is_empty());
    for event in steps.iter().flat_map(|step| step["events"].as_array().expect("events")) {
        assert!(event["type"].is_string() && event["__typename"].is_string(), "{event}");
    }
}

#[tokio::test]
async fn skip_and_include_look_at_variables_and_at_their_defaults() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let query = "query($id: ID!, $yes: Boolean = true, $no: Boolean! = false) { game(id: $id) {
        version @include(if: $yes) status @skip(if: $yes)
        view { ... on ChipsView { round @include(if: $yes) dealer @skip(if: $yes) boards @include(if: $no) } } } }";
    let by_default = ask(&table.players[0], query, json!({"id": table.game})).await;
    assert!(by_default["game"]["version"].is_u64(), "{by_default}");
    assert_eq!(by_default["game"].get("status"), None);
    let keys = |view: &serde_json::Value| view.as_object().map(|view| view.keys().cloned().collect::<Vec<_>>());
    assert_eq!(keys(&by_default["game"]["view"]).unwrap(), ["round"]);
    let turned = ask(&table.players[0], query, json!({"id": table.game, "yes": false, "no": true})).await;
    assert_eq!(keys(&turned["game"]).unwrap(), ["status", "view"]);
    assert_eq!(keys(&turned["game"]["view"]).unwrap(), ["boards", "dealer"]);
}
