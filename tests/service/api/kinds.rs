//! The catalogue: enough for a client that knows no game.

use serde_json::{Value, json};
use test_support::Server;

#[tokio::test]
async fn the_catalogue_speaks_the_callers_language() {
    let server = Server::start().await;
    let list = |language: &'static str| server.anybody().get("/v1/kinds").header("accept-language", language);
    let (english, french) = (list("en").await, list("fr-CA, en;q=0.5").await);
    assert_eq!((english.header("content-language"), french.header("content-language")), ("en".into(), "fr".into()));
    let (english, french) = (english.ok(), french.ok());
    assert_eq!(english["items"][0]["kind"], "CHIPS");
    assert_eq!(english["items"][0]["seats"], json!({"least": 2, "most": 5}));
    assert_ne!(english["items"][0]["summary"], french["items"][0]["summary"]);
}

#[tokio::test]
async fn a_kinds_schemas_fit_what_a_game_of_it_shows_and_takes() {
    let server = Server::start().await;
    let table = server.table(3).await;
    let kind = server.anybody().get("/v1/kinds/CHIPS").await.ok();
    let schema = |part: &str| jsonschema::draft202012::new(&kind["schemas"][part]).expect("a schema");
    let ada = &table.players[0];
    let game = ada.sees(&table.game).await;
    assert!(schema("options").is_valid(&game["options"]));
    assert!(!schema("options").is_valid(&json!({"targetTokens": 99})));
    assert!(schema("view").is_valid(&game["view"]));
    assert!(!schema("view").is_valid(&json!({})));
    let moves = ada.asks_for_moves(&table.game).await.ok();
    for mv in moves["moves"].as_array().expect("moves") {
        assert!(schema("move").is_valid(&mv["move"]));
        assert_eq!(mv["effect"], Value::Null);
    }
    let steps = ada.reads_events(&table.game, 100).await;
    let dealt =
        steps.iter().flat_map(|step| step["events"].as_array().expect("events")).filter(|e| e["type"] == "DEALT");
    for event in dealt {
        assert!(schema("event").is_valid(event), "{event}");
    }
    // Every card that a hand shows has a name.
    for card in game["view"]["seats"][0]["hand"].as_array().expect("one's own hand") {
        let name = &kind["glossary"][card.as_str().expect("a slug")];
        assert!(name.as_str().is_some_and(|name| name.contains(' ')), "{card}: {name}");
    }
}

#[tokio::test]
async fn a_kind_that_is_not_there_is_not_found() {
    let server = Server::start().await;
    for kind in ["CHESS", "chips", "CHIPS%20", "%FF"] {
        let answer = server.anybody().get(&format!("/v1/kinds/{kind}")).await;
        assert!([400, 404].contains(&answer.status), "{kind}");
    }
}
