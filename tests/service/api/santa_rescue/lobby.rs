//! Choosing elves before the start.

use super::{lobby, of, view};
use serde_json::json;
use test_support::Server;

#[tokio::test]
async fn elves_are_chosen_in_the_lobby_and_held_from_the_start() {
    let server = Server::start().await;
    let table = lobby(&server, 2, &json!({})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let chosen = bob.put(&of(&table, "/seats/me/setup")).json(&json!({"elves": [1, 3]})).await.ok();
    assert_eq!(chosen["seats"][1]["choice"], json!({"elves": [1, 3]}));
    assert_eq!(ada.sees(&table.game).await["seats"], chosen["seats"], "everybody sees it");
    let events = ada.reads_events(&table.game, 50).await;
    let last = &events.last().expect("a step")["events"];
    assert_eq!(*last, json!([{"type": "CHOSEN", "seat": 1, "choice": {"elves": [1, 3]}}]));
    let taken = ada.put(&of(&table, "/seats/me/setup")).json(&json!({"elves": [3]})).await.refused("ILLEGAL_MOVE");
    assert!(taken["detail"].as_str().is_some_and(|detail| detail.contains("elf 3")), "{taken}");
    ada.put(&of(&table, "/seats/me/setup")).json(&json!({"elves": [2]})).await.ok();
    ada.starts(&table.game).await.ok();
    let elves = view(ada, &table).await["elves"].clone();
    let holders: Vec<_> = elves.as_array().expect("elves").iter().map(|elf| elf["holder"].clone()).collect();
    assert_eq!(holders, [json!(1), json!(0), json!(1), json!(0)], "elf 4, which nobody chose, goes round the seats");
    ada.put(&of(&table, "/seats/me/setup")).json(&json!({"elves": [2]})).await.refused("ALREADY_STARTED");
}

#[tokio::test]
async fn a_choice_goes_with_whoever_made_it_and_with_seats_it_no_longer_fits() {
    let server = Server::start().await;
    let table = lobby(&server, 2, &json!({})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    ada.put(&of(&table, "/seats/me/setup")).json(&json!({"elves": [1, 2]})).await.ok();
    bob.put(&of(&table, "/seats/me/setup")).json(&json!({"elves": [3, 4]})).await.ok();
    let grown = ada.patch(&of(&table, "")).json(&json!({"seats": 3})).await.ok();
    assert_eq!(grown["seats"][0]["choice"], json!({"elves": [1, 2]}), "that still leaves one for each");
    assert_eq!(grown["seats"][1]["choice"], json!(null), "two and two leave none for the third");
    bob.put(&of(&table, "/seats/me/setup")).json(&json!({"elves": [3, 4]})).await.refused("ILLEGAL_MOVE");
    bob.put(&of(&table, "/seats/me/setup")).json(&json!({"elves": [3]})).await.ok();
    let left = bob.stands(&table.game).await.ok();
    assert_eq!(left["seats"][1]["choice"], json!(null));
}

#[tokio::test]
async fn only_those_who_are_seated_choose_and_only_what_there_is() {
    let server = Server::start().await;
    let table = lobby(&server, 2, &json!({})).await;
    let eve = server.guest("Eve").await;
    let path = of(&table, "/seats/me/setup");
    eve.put(&path).json(&json!({"elves": [1]})).await.refused("NOT_SEATED");
    for wrong in
        [json!({}), json!({"elves": [5]}), json!({"elves": "all"}), json!({"elves": [], "more": 1}), json!([[1]])]
    {
        table.players[0].put(&path).json(&wrong).await.refused("MALFORMED");
    }
}

#[tokio::test]
async fn a_kind_without_choices_or_asides_says_so() {
    let server = Server::start().await;
    let chips = server.table(2).await;
    let ada = &chips.players[0];
    let lobby = server.lobby(2, json!({})).await;
    let refused = lobby.players[0].put(&of(&lobby, "/seats/me/setup")).json(&json!({"elves": [1]})).await;
    assert_eq!(refused.refused("NOT_FOUND")["detail"], "In this game there is nothing to choose in the lobby.");
    for answer in [
        ada.post(&of(&chips, "/asides")).json(&json!({"type": "DRAFT", "column": 1, "rows": []})).await,
        ada.post(&of(&chips, "/asides")).json(&json!({"type": "NAME", "elf": 1, "name": "Pip"})).await,
        ada.post(&of(&chips, "/asides")).json(&json!({"type": "HINT"})).await,
    ] {
        assert_eq!(answer.refused("NOT_FOUND")["detail"], "This game has no asides: it takes moves only.");
    }
}

#[tokio::test]
async fn a_kinds_schemas_tell_what_can_be_chosen_and_done_beside_the_moves() {
    let server = Server::start().await;
    let schemas = server.anybody().get("/v1/kinds/SANTA_RESCUE").await.ok()["schemas"].clone();
    assert!(schemas["choice"]["properties"]["elves"].is_object(), "{}", schemas["choice"]);
    let asides = jsonschema::draft202012::new(&schemas["aside"]).expect("a schema");
    let examples = schemas["aside"]["examples"].as_array().expect("examples");
    assert!(examples.len() == 3 && examples.iter().all(|example| asides.is_valid(example)), "{}", schemas["aside"]);
    assert!(!asides.is_valid(&json!({"type": "HINT", "more": 1})) && !asides.is_valid(&json!({"type": "DANCE"})));
    let schemas = server.anybody().get("/v1/kinds/CHIPS").await.ok()["schemas"].clone();
    assert_eq!((&schemas["choice"], &schemas["aside"]), (&json!(false), &json!(false)));
}
