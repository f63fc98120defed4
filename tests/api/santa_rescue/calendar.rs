//! The `ADVENT` calendar, with a clock that can be put forward.

use super::{campaign, of, view};
use crate::support::{Player, Server, Table};
use serde_json::{Value, json};

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
    crate::support::table::verified(&{
        ada.resigns(&table.game).await.ok();
        table.replay().await
    });
}

#[tokio::test]
async fn nobody_is_late_for_a_day_that_is_not_open() {
    let server = Server::dev().await;
    let year = next_year(now(&server).await);
    let options = json!({"calendar": "ADVENT", "year": year, "moveSeconds": 60});
    let table = campaign(&server, 2, &options).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let game = ada.sees(&table.game).await;
    assert_eq!(game["deadline"], format!("{year}-12-01T00:01:00.000Z"));
    bob.post(&of(&table, "/timeouts")).await.refused("NOT_LATE");
    wait_until(&server, moment(&json!(format!("{year}-12-01T00:00:30.000Z")))).await;
    ada.plays(&table.game, "open").await.ok();
    bob.post(&of(&table, "/timeouts")).await.refused("NOT_LATE");
}
