//! Trying powers out, drafts, names and hints.

use super::{campaign, of, view, ways};
use serde_json::json;
use test_support::Server;

#[tokio::test]
async fn a_team_tries_out_a_series_of_powers_of_all_its_elves() {
    let server = Server::start().await;
    let table = campaign(&server, 4, &json!({})).await;
    let ada = &table.players[0];
    let series =
        json!({"moves": [{"id": "elf 1 power 1"}, {"id": "elf 3 power 1 at 1"}, {"id": "elf 2 power 1 at 3"}]});
    let tried = ada.post(&of(&table, "/preview")).json(&series).await.ok();
    assert_eq!((&tried["complete"], &tried["obstacle"]), (&json!(true), &json!(null)));
    let played = tried["events"].as_array().expect("events").iter().filter(|event| event["type"] == "PLAYED");
    assert_eq!(played.map(|event| event["seat"].clone()).collect::<Vec<_>>(), [json!(0), json!(2), json!(1)]);
    assert_eq!(tried["view"]["today"]["written"].as_array().map(Vec::len), Some(3));
    assert_eq!(view(ada, &table).await["today"]["written"], json!([]), "nothing was played");
    ada.plays(&table.game, "elf 3 power 1 at 1").await.refused("ILLEGAL_MOVE");
}

#[tokio::test]
async fn a_series_tells_where_it_can_not_go_on_and_why() {
    let server = Server::start().await;
    let table = campaign(&server, 1, &json!({})).await;
    let ada = &table.players[0];
    let series =
        json!({"moves": [{"id": "elf 1 power 1"}, {"id": "elf 2 power 1 at 0"}, {"id": "elf 3 power 1 at 1"}]});
    let tried = ada.post(&of(&table, "/preview")).json(&series).await.ok();
    assert_eq!(tried["complete"], false);
    assert_eq!((&tried["obstacle"]["step"], &tried["obstacle"]["code"]), (&json!(1), &json!("ILLEGAL_MOVE")));
    let why = tried["obstacle"]["detail"].as_str().expect("a reason");
    assert!(why.contains("another shape"), "{why}");
    assert_eq!(tried["view"]["today"]["written"].as_array().map(Vec::len), Some(1), "told as far as it got");
    let french = ada.post(&of(&table, "/preview")).header("accept-language", "fr").json(&series).await.ok();
    assert!(french["obstacle"]["detail"].as_str().is_some_and(|why| why.contains("autre forme")));
    let first = json!({"moves": [{"id": "elf 2 power 1 at 0"}]});
    ada.post(&of(&table, "/preview")).json(&first).await.refused("ILLEGAL_MOVE");
}

#[tokio::test]
async fn every_legal_power_tells_the_row_it_leads_to() {
    let server = Server::start().await;
    let table = campaign(&server, 2, &json!({})).await;
    for (seat, mv, row) in ways(&table).await {
        let tried = table.players[seat].previews(&table.game, &mv).await.ok();
        assert_eq!(tried["view"]["today"]["row"], row);
    }
    let wish = table.players[0].asks_for_moves(&table.game).await.ok()["moves"].as_array().cloned();
    let wish = wish.expect("moves").into_iter().find(|mv| mv["id"] == "wish").expect("always there");
    assert_eq!(wish["effect"], json!(null));
}

#[tokio::test]
async fn drafts_are_steps_that_the_team_sees_and_onlookers_do_not() {
    let server = Server::start().await;
    let table = campaign(&server, 2, &json!({})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let spectator = table.spectator();
    let before = view(&spectator, &table).await;
    let row = view(ada, &table).await["today"]["row"].clone();
    let written =
        bob.post(&of(&table, "/asides")).json(&json!({"type": "DRAFT", "column": 2, "rows": [row]})).await.ok();
    assert_eq!(written["events"], json!([{"type": "DRAFTED", "seat": 1, "column": 2, "rows": [row]}]));
    assert_eq!(view(ada, &table).await["today"]["drafts"], json!([[], [row]]));
    assert_eq!(view(&spectator, &table).await, before, "onlookers see no drafts");
    let last = spectator.reads_events(&table.game, 50).await.pop().expect("a step");
    assert_eq!((&last["version"], &last["events"]), (&written["version"], &json!([])), "but that something happened");
    for (column, rows) in [(3, json!([])), (1, json!([["WHITE_BELL"]]))] {
        let draft = json!({"type": "DRAFT", "column": column, "rows": rows});
        ada.post(&of(&table, "/asides")).json(&draft).await.refused("ILLEGAL_MOVE");
    }
    ada.post(&of(&table, "/asides"))
        .json(&json!({"type": "DRAFT", "column": 1, "rows": [["RED_BELL"]]}))
        .await
        .refused("MALFORMED");
    let lettered = json!({"type": "DRAFT", "column": "x", "rows": []});
    ada.post(&of(&table, "/asides")).json(&lettered).await.refused("MALFORMED");
    spectator
        .post(&of(&table, "/asides"))
        .json(&json!({"type": "DRAFT", "column": 1, "rows": []}))
        .await
        .refused("UNAUTHENTICATED");
    server
        .guest("Eve")
        .await
        .post(&of(&table, "/asides"))
        .json(&json!({"type": "DRAFT", "column": 1, "rows": []}))
        .await
        .refused("NOT_SEATED");
}

#[tokio::test]
async fn an_elf_is_named_by_its_holder() {
    let server = Server::start().await;
    let table = campaign(&server, 2, &json!({})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let named = ada.post(&of(&table, "/asides")).json(&json!({"type": "NAME", "elf": 1, "name": "Léopold"})).await.ok();
    assert_eq!(named["game"]["view"]["elves"][0]["name"], "Léopold");
    bob.post(&of(&table, "/asides"))
        .json(&json!({"type": "NAME", "elf": 1, "name": "Pip"}))
        .await
        .refused("ILLEGAL_MOVE");
    bob.post(&of(&table, "/asides")).json(&json!({"type": "NAME", "elf": 9, "name": "Pip"})).await.refused("MALFORMED");
    for unseen in ["", " ", "\u{3164}", "\u{2800}\u{2800}", "\u{E0041}", "\u{115F}"] {
        ada.post(&of(&table, "/asides"))
            .json(&json!({"type": "NAME", "elf": 1, "name": unseen}))
            .await
            .refused("ILLEGAL_MOVE");
    }
    assert_eq!(view(bob, &table).await["elves"][0]["name"], "Léopold");
}

#[tokio::test]
async fn a_hint_is_given_once_under_one_key_and_only_where_agreed() {
    let server = Server::start().await;
    let table = campaign(&server, 1, &json!({"hints": true, "firstDay": 20})).await;
    let ada = &table.players[0];
    let ask = || ada.post(&of(&table, "/asides")).json(&json!({"type": "HINT"})).header("idempotency-key", "one");
    let hinted = ask().await.ok();
    assert_eq!(hinted["events"][0]["reward"], 2);
    assert_eq!(ask().await.ok(), hinted, "the same key is one hint");
    ada.post(&of(&table, "/asides")).json(&json!({"type": "HINT"})).await.refused("ILLEGAL_MOVE");
    let plain = campaign(&server, 1, &json!({})).await;
    plain.players[0].post(&of(&plain, "/asides")).json(&json!({"type": "HINT"})).await.refused("ILLEGAL_MOVE");
}

#[tokio::test]
async fn an_aside_does_not_give_its_seat_more_time_to_move() {
    let server = Server::start().await;
    let table = campaign(&server, 1, &json!({"moveSeconds": 600})).await;
    let ada = &table.players[0];
    let deadline = ada.sees(&table.game).await["deadline"].clone();
    let named = ada.post(&of(&table, "/asides")).json(&json!({"type": "NAME", "elf": 1, "name": "Pip"})).await.ok();
    assert_eq!(named["game"]["deadline"], deadline);
}
