//! The `ADVENT` calendar, with a clock that can be put forward.

use super::{campaign, of, view};
use serde_json::{Value, json};
use test_support::graphql::ask;
use test_support::{Player, Server, Table};

const MINUTE: i64 = 60_000;

async fn now(server: &Server) -> i64 {
    let clock = server.anybody().get("/v1/dev/clock").await.ok();
    moment(&clock["now"])
}

fn moment(at: &Value) -> i64 {
    let at: ludotheque::rules::Instant = serde_json::from_value(at.clone()).expect("a moment");
    at.0
}

/// Puts the clock of games forward to a moment, rounded up to whole seconds.
async fn wait_until(server: &Server, at: i64) {
    let seconds = (at - now(server).await).max(0).div_euclid(1000) + 1;
    server.anybody().patch("/v1/dev/clock").json(&json!({"advanceSeconds": seconds})).await.ok();
}

/// The year after the one it is, so that no day has come yet.
fn next_year(now: i64) -> i64 {
    1970 + now / (365 * 24 * 60 * MINUTE) + 1
}

async fn gives_up(player: &Player, table: &Table) {
    player.plays(&table.game, "wish").await.ok();
}

#[tokio::test]
async fn day_5_is_refused_at_23_59_on_4_december_in_the_options_time_zone_and_opens_a_minute_later() {
    let server = Server::dev().await;
    let year = next_year(now(&server).await);
    let options = json!({"calendar": "ADVENT", "timeZone": "Pacific/Auckland", "year": year});
    let table = campaign(&server, 1, &options).await;
    let ada = &table.players[0];
    // Auckland is 13 hours ahead in December.
    let seen = view(ada, &table).await;
    assert_eq!((&seen["day"], &seen["today"]), (&json!(1), &json!(null)));
    assert_eq!(seen["opensAt"], format!("{year}-11-30T11:00:00.000Z"));
    let midnight = moment(&json!(format!("{year}-12-04T11:00:00.000Z")));
    wait_until(&server, midnight - 24 * 60 * MINUTE).await;
    ada.plays(&table.game, "open").await.ok();
    for _ in 1..=4 {
        gives_up(ada, &table).await;
    }
    let seen = view(ada, &table).await;
    assert_eq!((&seen["day"], &seen["today"]), (&json!(5), &json!(null)), "days 1 to 4 were caught up in order");

    wait_until(&server, midnight - MINUTE).await;
    assert_eq!(ada.moves(&table.game).await, Vec::<String>::new());
    let refused = ada.plays(&table.game, "open").await.refused("ILLEGAL_MOVE");
    let when = format!("{year}-12-04T11:00:00.000Z");
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains(&when)), "{refused}");
    ada.previews(&table.game, "open").await.refused("ILLEGAL_MOVE");

    wait_until(&server, midnight).await;
    assert_eq!(ada.moves(&table.game).await, ["open"]);
    let opened = ada.plays(&table.game, "open").await.ok();
    assert_eq!(opened["events"][0]["sheet"]["day"], 5);
    assert_eq!(opened["game"]["view"]["opensAt"], json!(null));
    test_support::table::verified(&{
        ada.resigns(&table.game).await.ok();
        table.replay().await
    });
}

/// The games that wait for a player.
async fn waiting_for(player: &Player) -> Value {
    let listed = player.get("/v1/games?waitingForMe=true").await.ok();
    listed["items"].as_array().expect("a list").iter().map(|game| game["id"].clone()).collect()
}

/// Nobody is waited for, on either face.
async fn waits_for_nobody(table: &Table) {
    for player in &table.players {
        let game = player.sees(&table.game).await;
        assert_eq!((&game["waitingFor"], &game["deadline"]), (&json!([]), &json!(null)));
        assert_eq!(waiting_for(player).await, json!([]));
        let query = "query($id: ID!) { game(id: $id) { waitingFor deadline }
            games(filter: {waitingForMe: true}) { nodes { id } } }";
        let told = ask(player, query, json!({"id": table.game})).await;
        assert_eq!(told, json!({"game": {"waitingFor": [], "deadline": null}, "games": {"nodes": []}}));
        player.post(&of(table, "/timeouts")).await.refused("NOT_LATE");
    }
}

#[tokio::test]
async fn nobody_is_waited_for_nor_late_until_a_day_is_opened() {
    let server = Server::dev().await;
    let year = next_year(now(&server).await);
    let options = json!({"calendar": "ADVENT", "year": year, "moveSeconds": 60});
    let table = campaign(&server, 2, &options).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    waits_for_nobody(&table).await;
    let before = ada.looks_at(&table.game).await;
    // The day has come, but a game does not change without a step.
    wait_until(&server, moment(&json!(format!("{year}-12-01T00:05:00.000Z")))).await;
    waits_for_nobody(&table).await;
    assert_eq!(ada.looks_at(&table.game).await.text(), before.text());
    let opened = ada.plays(&table.game, "open").await.ok()["game"].clone();
    assert_eq!(opened["waitingFor"], json!([0, 1]));
    assert_eq!(moment(&opened["deadline"]) - moment(&opened["updatedAt"]), MINUTE, "time begins with the opening");
    assert_eq!(waiting_for(bob).await, json!([table.game]));
    bob.post(&of(&table, "/timeouts")).await.refused("NOT_LATE");
}

#[tokio::test]
async fn nobody_is_resigned_while_there_is_no_legal_move() {
    let server = Server::dev().await;
    let year = next_year(now(&server).await);
    let options = json!({"calendar": "ADVENT", "year": year, "moveSeconds": 1000});
    let table = campaign(&server, 2, &options).await;
    wait_until(&server, moment(&json!(format!("{year}-12-01T08:00:00.000Z")))).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    ada.plays(&table.game, "open").await.ok();
    gives_up(ada, &table).await;
    gives_up(bob, &table).await;
    wait_until(&server, moment(&json!(format!("{year}-12-01T09:00:00.000Z")))).await;
    for player in [ada, bob] {
        assert_eq!(player.moves(&table.game).await, Vec::<String>::new(), "until midnight");
    }
    waits_for_nobody(&table).await;
    // Nor does the time of day 1 count on day 2.
    wait_until(&server, moment(&json!(format!("{year}-12-02T00:00:00.000Z")))).await;
    bob.plays(&table.game, "open").await.ok();
    bob.post(&of(&table, "/timeouts")).await.refused("NOT_LATE");
    // A player who then takes too long is late, and named by the step.
    bob.plays(&table.game, &bob.moves(&table.game).await[0]).await.ok();
    wait_until(&server, now(&server).await + 1000 * 1000).await;
    let waiting = bob.sees(&table.game).await["waitingFor"].clone();
    let ended = bob.post(&of(&table, "/timeouts")).await.ok();
    assert_eq!(ended["events"].as_array().map(|events| events[0]["type"] == "RESIGNED"), Some(true));
    if ended["game"]["status"] == "ACTIVE" {
        bob.resigns(&table.game).await.ok();
    }
    let replay = table.replay().await;
    test_support::table::verified(&replay);
    let steps = replay["steps"].as_array().expect("steps");
    let called = steps.iter().find(|step| step["action"]["type"] == "TIME_OUT").expect("time was called");
    assert_eq!(called["action"]["seats"], waiting);
}
