//! Whatever REST tells of a kind, GraphQL tells too, field by field: a field that was added to a view, an event, a move or
//! an effect, and forgotten in its GraphQL type, is missed here.

use crate::everything::{self, Types};
use ludotheque::rules::catalog;
use serde_json::{Value, json};
use test_support::{Player, Server, Table, dice, pick};

/// How many steps of a game are compared one by one; its end is compared in any case.
const CLOSELY: usize = 60;

/// No game is longer than this.
const LONGEST: usize = 3000;

/// Compares all current answers: of a public game for everybody, of an unlisted one for its members.
async fn compare(types: &Types, table: &Table, mv: &str) {
    let (game, spectator) = (&table.game, table.spectator());
    let public = table.players[0].sees(game).await["visibility"] == "PUBLIC";
    for viewer in table.players.iter().chain(public.then_some(&spectator)) {
        assert_eq!(everything::game(types, viewer, game).await, viewer.sees(game).await);
        if viewer.token.is_none() {
            continue;
        }
        let legal = viewer.asks_for_moves(game).await.ok();
        assert_eq!(everything::legal_moves(types, viewer, game).await, legal);
        if legal["moves"].as_array().expect("a list").iter().any(|one| one["id"] == mv) {
            let foreseen = viewer.previews(game, mv).await.ok();
            assert_eq!(timeless(everything::preview(types, viewer, game, mv).await), timeless(foreseen));
        }
    }
}

/// What is foreseen may tell times that count from the question, and two questions are never asked at once.
fn timeless(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(timeless).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, timeless(value))).collect(),
        Value::String(text) if text.parse::<jiff::Timestamp>().is_ok() => json!("some time"),
        other => other,
    }
}

async fn compare_steps(types: &Types, viewer: &Player, game: &str) {
    assert_eq!(everything::steps(types, viewer, game).await, viewer.reads_events(game, 1000).await);
}

async fn play(server: &Server, types: &Types, kind: &str, seats: u8, resigns: bool) {
    let visibility = if resigns { "UNLISTED" } else { "PUBLIC" };
    let table = server.lobby(seats, json!({"kind": kind, "visibility": visibility})).await;
    let host = &table.players[0];
    let changed = host.patch(&format!("/v1/games/{}", table.game)).json(&json!({"options": {"moveSeconds": 3600}}));
    changed.await.ok();
    host.starts(&table.game).await.ok();
    let mut dice = dice(u64::from(seats));
    for number in 0..LONGEST {
        let waiting = table.waiting().await;
        let Some(&seat) = waiting.first() else { break };
        let mv = pick(&mut dice, &table.players[seat].moves(&table.game).await).clone();
        if number < CLOSELY {
            compare(types, &table, &mv).await;
        }
        if resigns && number == CLOSELY / 2 {
            table.players[seat].resigns(&table.game).await.ok();
        } else {
            table.players[seat].plays(&table.game, &mv).await.ok();
        }
    }
    compare(types, &table, "").await;
    for viewer in &table.players {
        compare_steps(types, viewer, &table.game).await;
    }
    let (ours, mut due) = (everything::replay(types, host, &table.game).await, table.replay().await);
    // REST repeats what the host said, GraphQL has the rest filled in, as the event does on both.
    for step in due["steps"].as_array_mut().expect("steps") {
        if step["action"]["type"] == "CONFIGURE" {
            step["action"]["options"] = step["events"][0]["options"].clone();
            step["action"]["options"].as_object_mut().expect("options").remove("kind");
        }
    }
    for (ours, due) in everything::list(&ours["steps"]).zip(everything::list(&due["steps"])) {
        assert_eq!(ours, due, "{kind}");
    }
    assert_eq!(ours, due);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_rest_tells_of_a_kind_graphql_tells_too() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    for rules in catalog::BUILT_IN.newest_of_all() {
        let seats = &rules.info().seats;
        play(&server, &types, rules.info().kind, *seats.start(), false).await;
        play(&server, &types, rules.info().kind, *seats.end(), true).await;
    }
}
