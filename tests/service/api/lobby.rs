//! Before play: sitting down and standing up, the host's rights, starting, invitations, rematches.

use serde_json::{Value, json};
use test_support::graphql::mutate;
use test_support::{Player, Server, dice};

fn id(game: &Value) -> &str {
    game["id"].as_str().expect("an id")
}

#[tokio::test]
async fn players_sit_down_where_they_like_or_on_the_lowest_free_seat() {
    let server = Server::start().await;
    let (ada, bob, cid, dan) =
        futures::join!(server.guest("Ada"), server.guest("Bob"), server.guest("Cid"), server.guest("Dan"));
    let answer = ada.creates(&json!({"kind": "CHIPS", "seats": 3})).await;
    let made = answer.ok();
    assert_eq!(answer.status, 201);
    assert_eq!(answer.header("location"), format!("/v1/games/{}", id(&made)));
    assert_eq!((&made["status"], &made["version"], &made["you"]), (&json!("LOBBY"), &json!(1), &json!(0)));
    assert_eq!(made["host"], json!({"id": ada.id, "displayName": "Ada"}));

    let path = format!("/v1/games/{}/seats", id(&made));
    assert_eq!(bob.post(&path).json(&json!({"seat": 2})).await.ok()["you"], 2);
    cid.post(&path).json(&json!({"seat": 2})).await.refused("SEAT_TAKEN");
    cid.post(&path).json(&json!({"seat": 3})).await.refused("NOT_FOUND");
    bob.post(&path).await.refused("ALREADY_SEATED");
    let seated = cid.post(&path).await.ok();
    assert_eq!((&seated["you"], &seated["version"]), (&json!(1), &json!(3)));
    let names: Vec<_> =
        seated["seats"].as_array().expect("seats").iter().map(|seat| &seat["player"]["displayName"]).collect();
    assert_eq!(names, ["Ada", "Cid", "Bob"]);
    dan.post(&path).await.refused("SEAT_TAKEN");
}

#[tokio::test]
async fn a_host_who_does_not_sit_still_hosts() {
    let server = Server::start().await;
    let (ada, bob, cid) = futures::join!(server.guest("Ada"), server.guest("Bob"), server.guest("Cid"));
    let made = ada.creates(&json!({"kind": "CHIPS", "sit": false})).await.ok();
    assert_eq!((&made["you"], &made["seats"][0]["player"]), (&Value::Null, &Value::Null));
    ada.starts(id(&made)).await.refused("SEATS_FREE");
    bob.sits(id(&made)).await.ok();
    cid.sits(id(&made)).await.ok();
    let started = ada.starts(id(&made)).await.ok();
    assert_eq!((&started["status"], &started["waitingFor"]), (&json!("ACTIVE"), &json!([0, 1])));
    ada.asks_for_moves(id(&made)).await.refused("NOT_SEATED");
}

#[tokio::test]
async fn a_leaving_host_hands_over_and_the_last_to_leave_abandons_the_game() {
    let server = Server::start().await;
    let table = server.lobby(3, json!({})).await;
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    let left = ada.stands(&table.game).await.ok();
    assert_eq!((&left["host"]["id"], &left["you"]), (&json!(bob.id), &Value::Null));
    ada.stands(&table.game).await.refused("NOT_SEATED");
    ada.starts(&table.game).await.refused("NOT_HOST");
    cid.delete(&format!("/v1/games/{}/seats/1", table.game)).await.refused("NOT_HOST");
    bob.delete(&format!("/v1/games/{}/seats/0", table.game)).await.refused("NOT_FOUND");
    let removed = bob.delete(&format!("/v1/games/{}/seats/2", table.game)).await.ok();
    assert_eq!(removed["seats"][2]["player"], Value::Null);
    let empty = bob.stands(&table.game).await.ok();
    assert_eq!((&empty["status"], &empty["outcome"]), (&json!("ABANDONED"), &Value::Null));
    assert!(empty["fairness"]["seed"].is_string(), "nothing is secret any more");
    cid.sits(&table.game).await.refused("GAME_OVER");
    let replay = table.replay().await;
    assert_eq!((&replay["status"], &replay["outcome"]), (&json!("ABANDONED"), &Value::Null));
    test_support::table::verified(&replay);
}

#[tokio::test]
async fn the_host_changes_seats_and_options_until_the_start() {
    let server = Server::start().await;
    let table = server.lobby(2, json!({})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let path = format!("/v1/games/{}", table.game);
    let changed = ada.patch(&path).json(&json!({"seats": 3, "options": {"targetTokens": 7}})).await.ok();
    assert_eq!(changed["seats"].as_array().map(Vec::len), Some(3));
    assert_eq!((&changed["options"]["targetTokens"], &changed["options"]["firstDealer"]), (&json!(7), &Value::Null));
    ada.starts(&table.game).await.refused("SEATS_FREE");
    bob.patch(&path).json(&json!({"seats": 2})).await.refused("NOT_HOST");
    ada.patch(&path).json(&json!({"seats": 1})).await.refused("INVALID_OPTIONS");
    ada.patch(&path).json(&json!({"options": {"targetTokens": 0}})).await.refused("INVALID_OPTIONS");
    ada.patch(&path).json(&json!({"options": {"targetTokens": "many"}})).await.refused("INVALID_OPTIONS");
    let kept = ada.patch(&path).json(&json!({"seats": 2})).await.ok();
    assert_eq!(kept["options"]["targetTokens"], 7, "what is left out stays");
    ada.starts(&table.game).await.ok();
    ada.patch(&path).json(&json!({"seats": 3})).await.refused("ALREADY_STARTED");
    assert_eq!(bob.sees(&table.game).await["view"]["targetTokens"], 7);
    for refusal in [ada.starts(&table.game), bob.stands(&table.game), server.guest("Cid").await.sits(&table.game)] {
        refusal.await.refused("ALREADY_STARTED");
    }
}

#[tokio::test]
async fn nobody_is_put_out_by_taking_their_seat_away() {
    let server = Server::start().await;
    let table = server.lobby(3, json!({})).await;
    table.players[0].patch(&format!("/v1/games/{}", table.game)).json(&json!({"seats": 2})).await.refused("SEAT_TAKEN");
}

#[tokio::test]
async fn what_no_kind_can_be_played_with_is_refused() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    ada.creates(&json!({"kind": "CHESS"})).await.refused("NOT_FOUND");
    for body in [
        json!({"kind": "CHIPS", "seats": 1}),
        json!({"kind": "CHIPS", "seats": 6}),
        json!({"kind": "CHIPS", "options": {"targetTokens": 21}}),
        json!({"kind": "CHIPS", "options": {"firstDealer": 2}}),
        json!({"kind": "CHIPS", "options": {"unknown": 1}}),
        json!({"kind": "CHIPS", "options": null}),
    ] {
        ada.creates(&body).await.refused("INVALID_OPTIONS");
    }
    assert_eq!(ada.get("/v1/games?mine=true").await.ok()["items"], json!([]), "nothing was made");
}

#[tokio::test]
async fn an_unlisted_game_does_not_exist_for_those_who_were_not_invited() {
    let server = Server::start().await;
    let (ada, bob, eve) = futures::join!(server.guest("Ada"), server.guest("Bob"), server.guest("Eve"));
    let made = ada.creates(&json!({"kind": "CHIPS", "visibility": "UNLISTED"})).await.ok();
    let code = made["inviteCode"].as_str().expect("members see the code");
    assert!(code.len() >= 14, "80 random bits or more");
    let game = id(&made);
    let nowhere = ada.looks_at("game_00000000000000000000000000000000").await;
    for stranger in [&eve, &bob, &server.anybody()] {
        let answer = stranger.looks_at(game).await;
        assert_eq!(answer.refused("NOT_FOUND"), nowhere.refused("NOT_FOUND"), "as if there were none");
        stranger.get(&format!("/v1/games/{game}/events")).await.refused("NOT_FOUND");
        stranger.asks_to_follow(game).await.refused("NOT_FOUND");
        stranger.get(&format!("/v1/games/{game}/replay")).await.refused("NOT_FOUND");
    }
    for refusal in
        [eve.sits(game), eve.starts(game), eve.plays(game, "discard"), eve.resigns(game), eve.asks_for_moves(game)]
    {
        refusal.await.refused("NOT_FOUND");
    }
    eve.post("/v1/invites/AAAAAAAAAAAAAAAAAAAA").await.refused("NOT_FOUND");

    let entered = bob.post(&format!("/v1/invites/{code}")).await.ok();
    assert_eq!((&entered["you"], &entered["inviteCode"]), (&Value::Null, &json!(code)), "a spectator until seated");
    let again = bob.post(&format!("/v1/invites/{code}")).await.ok();
    assert_eq!(again["version"], 2, "who is in already stays in");
    assert_eq!(bob.get("/v1/games?mine=true").await.ok()["items"][0]["id"], game);
    assert_eq!(server.anybody().get("/v1/games").await.ok()["items"], json!([]), "it stands in no public list");
    bob.sits(game).await.ok();
    ada.starts(game).await.ok();
    bob.stands(game).await.refused("ALREADY_STARTED");
    eve.looks_at(game).await.refused("NOT_FOUND");
}

#[tokio::test]
async fn a_rematch_is_for_those_who_were_seated_once_it_is_over() {
    let server = Server::start().await;
    let table = server.lobby(3, json!({"options": {"targetTokens": 1}, "visibility": "UNLISTED"})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let path = format!("/v1/games/{}/rematch", table.game);
    bob.post(&path).await.refused("NOT_OVER");
    ada.starts(&table.game).await.ok();
    bob.post(&path).await.refused("NOT_OVER");
    table.play_to_the_end(&mut dice(3)).await;
    server.guest("Eve").await.post(&path).await.refused("NOT_FOUND");
    let again = bob.post(&path).await.ok();
    assert_ne!(again["id"], table.game);
    assert_eq!((&again["host"]["id"], &again["status"]), (&json!(bob.id), &json!("LOBBY")));
    assert_eq!(again["options"]["targetTokens"], 1);
    assert_ne!(again["fairness"]["commitment"], table.commitment, "with dice of its own");
}

/// Asks again, on the other face, what was asked before under the same key.
async fn sits_again_through_graphql(player: &Player, game: &str) -> Value {
    let input = json!({"gameId": game, "idempotencyKey": "sit"});
    mutate(player, "sitDown", "{ game { inviteCode } events { type } userErrors { code } }", input).await
}

#[tokio::test]
async fn a_repeated_request_shows_nothing_that_the_caller_may_no_longer_see() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let made = ada.creates(&json!({"kind": "CHIPS", "visibility": "UNLISTED"})).await.ok();
    let (game, code) = (id(&made), made["inviteCode"].as_str().expect("a code"));
    let invite = format!("/v1/invites/{code}");
    bob.post(&invite).key("enter").await.ok();
    bob.sits(game).key("sit").await.ok();
    // As long as Bob is in, both requests are answered as before.
    assert_eq!(bob.sits(game).key("sit").await.ok()["inviteCode"], code);
    assert_eq!(bob.post(&invite).key("enter").await.ok()["version"], 2);
    ada.delete(&format!("/v1/games/{game}/seats/1")).await.ok();
    for repeated in [bob.sits(game).key("sit").await, bob.post(&invite).key("enter").await] {
        repeated.refused("NOT_FOUND");
        assert!(!repeated.text().contains(code), "{}", repeated.text());
    }
    let refused = json!({"game": null, "events": null, "userErrors": [{"code": "NOT_FOUND"}]});
    assert_eq!(sits_again_through_graphql(&bob, game).await, refused);
    // The code lets Bob in like anybody else.
    bob.post(&invite).key("enter again").await.ok();
    assert_eq!(bob.sits(game).key("sit").await.ok()["inviteCode"], code);
}

#[tokio::test]
async fn whoever_made_an_unlisted_game_and_left_it_is_not_shown_it_again() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let body = json!({"kind": "CHIPS", "visibility": "UNLISTED"});
    let made = ada.creates(&body).key("make").await.ok();
    bob.post(&format!("/v1/invites/{}", made["inviteCode"].as_str().expect("a code"))).await.ok();
    bob.sits(id(&made)).await.ok();
    ada.stands(id(&made)).key("stand").await.ok();
    ada.creates(&body).key("make").await.refused("NOT_FOUND");
    ada.stands(id(&made)).key("stand").await.refused("NOT_FOUND");
}
