//! Comings and goings: time that runs out, lobbies nobody comes to, accounts that are deleted.

use serde_json::{Value, json};
use test_support::{Player, Server, Table, dice, table::verified};

const DAY: u32 = 24 * 60 * 60;

/// Puts the clock of all games forward.
async fn passes(server: &Server, seconds: u32) {
    server.anybody().patch("/v1/dev/clock").json(&json!({"advanceSeconds": seconds})).await.ok();
}

/// A game whose seats have a minute for each move, started.
async fn hurried(server: &Server, seats: u8) -> Table {
    let table = server.lobby(seats, json!({"options": {"moveSeconds": 60}})).await;
    table.players[0].starts(&table.game).await.ok();
    table
}

async fn calls_time(player: &Player, game: &str) -> test_support::Answer {
    player.post(&format!("/v1/games/{game}/timeouts")).await
}

fn millis(moment: &Value) -> i64 {
    let moment: jiff::Timestamp = moment.as_str().expect("a moment").parse().expect("RFC 3339");
    moment.as_millisecond()
}

#[tokio::test]
async fn a_game_without_a_time_limit_waits_for_as_long_as_it_takes() {
    let server = Server::dev().await;
    let table = server.table(2).await;
    assert_eq!(table.players[0].sees(&table.game).await["deadline"], Value::Null);
    passes(&server, 400 * DAY).await;
    calls_time(&table.players[0], &table.game).await.refused("NOT_LATE");
}

#[tokio::test]
async fn once_the_deadline_has_passed_any_seated_player_may_resign_the_seats_that_are_late() {
    let server = Server::dev().await;
    let table = hurried(&server, 3).await;
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    let game = ada.sees(&table.game).await;
    assert_eq!(millis(&game["deadline"]) - millis(&game["updatedAt"]), 60_000);
    table.plays_any(0, &mut dice(1)).await;
    passes(&server, 59).await;
    calls_time(ada, &table.game).await.refused("NOT_LATE");
    table.plays_any(1, &mut dice(2)).await;
    passes(&server, 2).await;
    server.guest("Eve").await.post(&format!("/v1/games/{}/timeouts", table.game)).await.refused("NOT_SEATED");
    let ended = calls_time(bob, &table.game).await.ok();
    assert_eq!(ended["events"][0], json!({"type": "RESIGNED", "seat": 2, "late": true}));
    assert_eq!(ended["game"]["seats"][2]["resigned"], true);
    assert_eq!(ended["game"]["waitingFor"], json!([0, 1]), "the others go on");
    cid.plays(&table.game, "discard last-n none-p").await.refused("NOT_YOUR_TURN");
    calls_time(bob, &table.game).await.refused("NOT_LATE");
}

#[tokio::test]
async fn a_seat_s_time_begins_when_the_game_begins_to_wait_for_it() {
    let server = Server::dev().await;
    let table = hurried(&server, 2).await;
    table.plays_any(0, &mut dice(1)).await;
    passes(&server, 50).await;
    let before = table.players[0].sees(&table.game).await["deadline"].clone();
    table.plays_any(1, &mut dice(2)).await;
    let game = table.players[0].sees(&table.game).await;
    assert!(millis(&game["deadline"]) > millis(&before), "a new question, a new minute");
    passes(&server, 50).await;
    calls_time(&table.players[0], &table.game).await.refused("NOT_LATE");
}

#[tokio::test]
async fn with_fewer_seats_left_than_the_kind_s_minimum_the_best_of_those_left_wins() {
    let server = Server::dev().await;
    let table = hurried(&server, 2).await;
    table.plays_any(1, &mut dice(1)).await;
    passes(&server, 61).await;
    let ended = calls_time(&table.players[1], &table.game).await.ok();
    let outcome = &ended["game"]["outcome"];
    assert_eq!((&outcome["winners"], &outcome["reason"]), (&json!([1]), &json!("RESIGNED")));
    assert_eq!(ended["game"]["deadline"], Value::Null);
    verified(&table.replay().await);
}

#[tokio::test]
async fn a_game_that_everybody_let_pass_is_abandoned_with_its_seed_and_replay() {
    let server = Server::dev().await;
    let table = hurried(&server, 2).await;
    passes(&server, 61).await;
    let ended = calls_time(&table.players[1], &table.game).await.ok();
    assert_eq!((&ended["game"]["status"], &ended["game"]["outcome"]), (&json!("ABANDONED"), &Value::Null));
    assert!(ended["game"]["fairness"]["seed"].is_string());
    verified(&table.replay().await);
}

#[tokio::test]
async fn lobbies_idle_for_a_day_become_abandoned_listed_or_not() {
    let server = Server::dev().await;
    let listed = server.lobby(2, json!({})).await;
    let unlisted = server.lobby(2, json!({"visibility": "UNLISTED"})).await;
    let running = server.table(2).await;
    passes(&server, DAY - 60).await;
    let touched = server.lobby(2, json!({})).await;
    server.expires_lobbies().await;
    for table in [&listed, &unlisted, &touched] {
        assert_eq!(table.players[0].sees(&table.game).await["status"], "LOBBY");
    }
    passes(&server, 120).await;
    server.expires_lobbies().await;
    for table in [&listed, &unlisted] {
        let game = table.players[0].sees(&table.game).await;
        assert_eq!((&game["status"], &game["outcome"]), (&json!("ABANDONED"), &Value::Null));
        assert!(game["fairness"]["seed"].is_string());
        let last = table.players[0].reads_events(&table.game, 100).await.pop().expect("a step");
        assert_eq!((&last["seat"], &last["events"]), (&Value::Null, &json!([{"type": "ABANDONED"}])));
        verified(&table.replay().await);
    }
    assert_eq!(touched.players[0].sees(&touched.game).await["status"], "LOBBY");
    assert_eq!(running.players[0].sees(&running.game).await["status"], "ACTIVE", "only lobbies expire");
    let lobbies = server.anybody().get("/v1/games?status=LOBBY").await.ok();
    assert_eq!(lobbies["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn deleting_an_account_stands_up_or_resigns_everywhere_and_signs_out_everywhere() {
    let server = Server::dev().await;
    let ada = server.account("ada").await;
    let again = server.player(&server.signs_in("ada", test_support::PASSWORD).await);
    let bob = server.guest("Bob").await;
    let make = |extra: Value| {
        let (ada, bob) = (ada.clone(), bob.clone());
        async move {
            let made = ada.creates(&extra).await.ok();
            let game = made["id"].as_str().expect("an id").to_owned();
            bob.sits(&game).await.ok();
            game
        }
    };
    let lobby = make(json!({"kind": "CHIPS", "seats": 2})).await;
    let running = make(json!({"kind": "CHIPS", "seats": 2})).await;
    ada.starts(&running).await.ok();
    let hosted = make(json!({"kind": "CHIPS", "seats": 2, "sit": false})).await;

    assert_eq!(ada.delete("/v1/players/me").await.status, 204);

    let left = bob.sees(&lobby).await;
    assert_eq!((&left["host"]["id"], &left["seats"][0]["player"]), (&json!(bob.id), &Value::Null));
    let won = bob.sees(&running).await;
    assert_eq!((&won["status"], &won["outcome"]["winners"]), (&json!("FINISHED"), &json!([1])));
    assert_eq!(won["seats"][0]["player"]["displayName"], "a former player");
    assert_eq!(won["seats"][0]["player"]["id"], json!(ada.id), "seats of old games can still be told apart");
    let french = bob.looks_at(&running).header("accept-language", "fr").await.ok();
    assert_eq!(french["seats"][0]["player"]["displayName"], "un ancien joueur");
    assert_eq!(bob.sees(&hosted).await["host"]["id"], json!(bob.id));

    for token in [&ada, &again] {
        token.get("/v1/players/me").await.refused("INVALID_TOKEN");
        server.refreshes(&token.refresh_token).await.refused("INVALID_TOKEN");
    }
    server.signs_in("ada", test_support::PASSWORD).await.refused("UNAUTHENTICATED");
    assert_ne!(server.account("ada").await.id, ada.id, "the username is free again");
}

#[tokio::test]
async fn nothing_of_this_is_there_without_the_flag() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    ada.get("/v1/dev/clock").await.refused("NOT_FOUND");
    ada.patch("/v1/dev/clock").json(&json!({"advanceSeconds": 1})).await.refused("NOT_FOUND");
    ada.post("/v1/dev/games").json(&json!({})).await.refused("NOT_FOUND");
    ada.creates(&json!({"kind": "CHIPS", "seed": "00".repeat(32)})).await.refused("MALFORMED");
}

#[tokio::test]
async fn a_fixed_seed_deals_the_same_cards_every_time() {
    let server = Server::dev().await;
    let mut hands = Vec::new();
    for _ in 0..2 {
        let table = server.lobby(2, json!({"seed": "07".repeat(32)})).await;
        table.players[0].starts(&table.game).await.ok();
        hands.push(table.players[0].sees(&table.game).await["view"].clone());
    }
    assert_eq!(hands[0], hands[1]);
}

#[tokio::test]
async fn a_replay_is_taken_up_at_any_version_as_a_new_game() {
    let server = Server::dev().await;
    let table = server.table(3).await;
    table.play_to_the_end(&mut dice(5)).await;
    let replay = table.replay().await;
    let middle = replay["steps"].as_array().expect("steps").len() as u64 / 2;
    let cast: Vec<_> = futures::future::join_all(["D", "E", "F"].map(|name| server.guest(name))).await;
    let players: Vec<_> = cast.iter().map(|player| player.id.clone()).collect();
    let body = json!({"replay": replay, "version": middle, "players": players});
    let staged = cast[0].post("/v1/dev/games").json(&body).await.ok();
    assert_eq!((&staged["version"], &staged["status"], &staged["you"]), (&json!(middle), &json!("ACTIVE"), &json!(0)));
    let then = table.players[0].get(&format!("/v1/games/{}?at={middle}", table.game)).await.ok();
    assert_eq!(staged["view"], then["view"]);
    let game = staged["id"].as_str().expect("an id").to_owned();
    let again = Table { game, players: cast, commitment: String::new() };
    again.play_to_the_end(&mut dice(6)).await;
    verified(&again.replay().await);
    let few = json!({"replay": replay, "players": [players[0]]});
    again.players[0].post("/v1/dev/games").json(&few).await.refused("MALFORMED");
}
