//! Absent players over HTTP: what may be nudged depends on the clock, not on the version; and a player who is
//! nudged out has resigned, which everybody sees.

use serde_json::{Value, json};
use test_support::table::verified;
use test_support::{Server, Table};

async fn later(server: &Server, seconds: u64) {
    server.anybody().patch("/v1/dev/clock").json(&json!({"advanceSeconds": seconds})).await.ok();
}

/// Three players, seat 0 with the hand held out, after CHARGE.
async fn table(server: &Server) -> Table {
    let table = server.lobby(3, json!({"kind": "LOADING", "options": {"heldOutSeat": 0}})).await;
    table.players[0].starts(&table.game).await.ok();
    table.players[0].plays(&table.game, "charge").await.ok();
    table
}

fn seat(game: &Value, seat: usize) -> &Value {
    &game["view"]["seats"][seat]
}

#[tokio::test]
async fn legal_moves_follow_the_clock_while_the_view_and_its_etag_stay() {
    let server = Server::dev().await;
    let table = table(&server).await;
    let (ada, game) = (&table.players[0], &table.game);
    let before = ada.looks_at(game).await;
    assert_eq!(ada.moves(game).await, [] as [&str; 0]);
    ada.plays(game, "nudge 1").await.refused("ILLEGAL_MOVE");
    later(&server, 61).await;
    assert_eq!(ada.moves(game).await, ["nudge 1", "nudge 2"]);
    let after = ada.looks_at(game).await;
    assert_eq!((before.header("etag"), before.text()), (after.header("etag"), after.text()));
    assert!(seat(&after.ok(), 1)["nudgeFrom"].is_string());
    let played = ada.plays(game, "nudge 2").await.ok();
    assert_eq!((&played["events"][0]["type"], &played["events"][1]["type"]), (&json!("NUDGED"), &json!("GAVE")));
    assert_eq!(played["game"]["waitingFor"], json!([0, 1]), "the nudger's hand was the one held out");
}

#[tokio::test]
async fn the_third_nudge_in_a_row_resigns_the_seat_for_everybody_to_see() {
    let server = Server::dev().await;
    let table = table(&server).await;
    let (ada, bob, cat, game) = (&table.players[0], &table.players[1], &table.players[2], &table.game);
    for _ in 0..2 {
        later(&server, 61).await;
        // Ada gets the packet from Bob's hand, then Cat's goes to Bob, and Ada's to Cat.
        ada.plays(game, "nudge 1").await.ok();
        cat.plays(game, "give").await.ok();
        ada.plays(game, "give").await.ok();
    }
    later(&server, 61).await;
    let last = ada.plays(game, "nudge 1").await.ok();
    let types: Vec<_> = last["events"].as_array().expect("events").iter().map(|event| &event["type"]).collect();
    assert_eq!(types, ["NUDGED", "THROWN_AWAY", "RESIGNED"]);
    assert_eq!(last["game"]["seats"][1]["resigned"], true);
    assert_eq!(last["game"]["status"], "ACTIVE");
    bob.resigns(game).await.refused("NOT_YOUR_TURN");
    bob.plays(game, "give").await.refused("NOT_YOUR_TURN");
    cat.resigns(game).await.ok();
    let replay = table.replay().await;
    verified(&replay);
    assert_eq!((&replay["outcome"]["reason"], &replay["outcome"]["winners"]), (&json!("RESIGNED"), &json!([0])));
}

#[tokio::test]
async fn when_all_seats_are_late_at_once_the_game_and_its_view_say_the_same() {
    let server = Server::dev().await;
    for kind in ["LOADING", "CHIPS", "SANTA_RESCUE"] {
        let table = server.lobby(2, json!({"kind": kind, "options": {"moveSeconds": 5}})).await;
        table.players[0].starts(&table.game).await.ok();
        later(&server, 6).await;
        table.players[1].post(&format!("/v1/games/{}/timeouts", table.game)).await.ok();
        let game = table.players[0].sees(&table.game).await;
        assert_eq!(game["status"], "ABANDONED", "{kind}");
        for number in 0..2 {
            assert_eq!(game["seats"][number]["resigned"], true, "{kind}");
            assert_eq!(seat(&game, number)["resigned"], true, "{kind}");
        }
        verified(&table.replay().await);
    }
}
