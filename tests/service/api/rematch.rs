//! Rematches: one game for everybody who asks, and a seat that waits for everybody who has not.

use crate::everything::{self, Types};
use futures::future::join_all;
use serde_json::{Value, json};
use test_support::graphql::{ask, listen, mutate, next};
use test_support::table::verified;
use test_support::{Player, Server, Table, dice};

/// A game that is over, with everybody still there.
async fn over(server: &Server, seats: u8, visibility: &str) -> Table {
    let table = server.lobby(seats, json!({"options": {"targetTokens": 1}, "visibility": visibility})).await;
    table.players[0].starts(&table.game).await.ok();
    table.play_to_the_end(&mut dice(3)).await;
    table
}

async fn asks_for_a_rematch(table: &Table, seat: usize) -> Value {
    table.players[seat].post(&format!("/v1/games/{}/rematch", table.game)).await.ok()
}

fn id(game: &Value) -> &str {
    game["id"].as_str().expect("an id")
}

/// Who sits where, and for whom seats are held.
fn seats(game: &Value) -> Vec<(Option<&str>, Option<&str>)> {
    let seats = game["seats"].as_array().expect("seats").iter();
    seats.map(|seat| (seat["player"]["id"].as_str(), seat["invited"]["id"].as_str())).collect()
}

fn sits(player: &Player) -> (Option<&str>, Option<&str>) {
    (Some(&player.id), None)
}

fn is_held_for(player: &Player) -> (Option<&str>, Option<&str>) {
    (None, Some(&player.id))
}

const FREE: (Option<&str>, Option<&str>) = (None, None);

#[tokio::test]
async fn nobody_is_seated_at_a_rematch_without_asking_for_it() {
    let server = Server::start().await;
    let table = over(&server, 3, "PUBLIC").await;
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    let again = asks_for_a_rematch(&table, 1).await;
    let game = id(&again);
    assert_eq!(seats(&again), [is_held_for(ada), sits(bob), is_held_for(cid)]);
    assert_eq!((&again["host"]["id"], &again["status"]), (&json!(bob.id), &json!("LOBBY")));
    bob.starts(game).await.refused("SEATS_FREE");
    // Found by those who are invited, but nobody waits for them.
    assert_eq!(ada.get("/v1/games?mine=true&status=LOBBY").await.ok()["items"][0]["id"], game);
    assert_eq!(ada.get("/v1/games?waitingForMe=true").await.ok()["items"], json!([]));
    // Nobody else gets in.
    let eve = server.guest("Eve").await;
    eve.sits(game).await.refused("SEAT_TAKEN");
    eve.sits(game).json(&json!({"seat": 0})).await.refused("SEAT_TAKEN");
    bob.patch(&format!("/v1/games/{game}")).json(&json!({"seats": 2})).await.refused("SEAT_TAKEN");

    let joined = asks_for_a_rematch(&table, 0).await;
    assert_eq!((id(&joined), &joined["you"]), (game, &json!(0)));
    assert_eq!(seats(&joined), [sits(ada), sits(bob), is_held_for(cid)]);
    assert_eq!(seats(&cid.sits(game).await.ok()), [sits(ada), sits(bob), sits(cid)], "the seat that was held");
    assert_eq!(id(&asks_for_a_rematch(&table, 2).await), game, "asking once more changes nothing");
    assert_eq!(bob.starts(game).await.ok()["status"], "ACTIVE");
    for player in [ada, cid] {
        player.resigns(game).await.ok();
    }
    let replay = verified(&bob.get(&format!("/v1/games/{game}/replay")).await.ok());
    let created = serde_json::to_value(&replay.steps[0]).expect("a step");
    assert_eq!(created["action"]["invited"], json!([ada.id, null, cid.id]));
    assert_eq!(created["events"][2], json!({"type": "INVITED", "seat": 0, "playerId": ada.id}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_they_race_all_who_ask_get_their_seats_at_one_game() {
    let server = Server::start().await;
    let table = over(&server, 3, "UNLISTED").await;
    let games = join_all((0..24).map(|n| asks_for_a_rematch(&table, n % 3))).await;
    assert!(games.iter().all(|game| game["id"] == games[0]["id"]));
    for (n, game) in games.iter().enumerate() {
        assert_eq!(game["you"], n % 3, "on the seat of the game before");
    }
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    assert_eq!(seats(&ada.sees(id(&games[0])).await), [sits(ada), sits(bob), sits(cid)]);
    assert_eq!(ada.get("/v1/games?mine=true&status=LOBBY").await.ok()["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn an_invited_player_sees_an_unlisted_rematch_until_the_seat_is_released_or_declined() {
    let server = Server::start().await;
    let table = over(&server, 3, "UNLISTED").await;
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    let again = asks_for_a_rematch(&table, 0).await;
    let game = id(&again);
    server.guest("Eve").await.looks_at(game).await.refused("NOT_FOUND");
    for player in [bob, cid] {
        assert_eq!(player.sees(game).await["you"], Value::Null);
    }
    let of_seat = |seat: usize| format!("/v1/games/{game}/seats/{seat}");
    bob.delete(&of_seat(2)).await.refused("NOT_HOST");
    // Bob declines, and Ada releases the seat of Cid.
    let declined = bob.stands(game).await.ok();
    assert_eq!(seats(&declined), [sits(ada), FREE, is_held_for(cid)]);
    bob.looks_at(game).await.refused("NOT_FOUND");
    bob.post(&format!("/v1/games/{}/rematch", table.game)).await.refused("NOT_FOUND");
    assert_eq!(seats(&ada.delete(&of_seat(2)).await.ok()), [sits(ada), FREE, FREE]);
    cid.looks_at(game).await.refused("NOT_FOUND");
    ada.delete(&of_seat(2)).await.refused("NOT_FOUND");
    assert_eq!(cid.get("/v1/games?mine=true&status=LOBBY").await.ok()["items"], json!([]));
    let types: Vec<_> =
        ada.reads_events(game, 100).await.iter().map(|step| step["events"][0]["type"].clone()).collect();
    assert_eq!(types, ["CREATED", "RELEASED", "RELEASED"]);
}

#[tokio::test]
async fn a_free_seat_may_be_taken_instead_of_the_one_that_is_held() {
    let server = Server::start().await;
    let table = over(&server, 3, "PUBLIC").await;
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    let again = asks_for_a_rematch(&table, 0).await;
    let game = id(&again);
    bob.stands(game).await.ok();
    bob.stands(game).await.refused("NOT_SEATED");
    let moved = cid.sits(game).json(&json!({"seat": 1})).await.ok();
    assert_eq!(seats(&moved), [sits(ada), sits(cid), FREE]);
    assert_eq!(
        seats(&asks_for_a_rematch(&table, 1).await),
        [sits(ada), sits(cid), sits(bob)],
        "a player who declined may change their mind"
    );
}

#[tokio::test]
async fn a_deleted_account_is_held_no_seat() {
    let server = Server::start().await;
    let table = over(&server, 3, "PUBLIC").await;
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    bob.delete("/v1/players/me").await.ok();
    let again = asks_for_a_rematch(&table, 0).await;
    assert_eq!(seats(&again), [sits(ada), FREE, is_held_for(cid)]);
    cid.delete("/v1/players/me").await.ok();
    let left = ada.sees(id(&again)).await;
    assert_eq!((seats(&left), &left["version"]), (vec![sits(ada), FREE, FREE], &json!(2)));
}

#[tokio::test]
async fn a_rematch_that_came_to_nothing_keeps_nobody_from_another() {
    let server = Server::start().await;
    let table = over(&server, 2, "PUBLIC").await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let first = asks_for_a_rematch(&table, 0).await;
    assert_eq!(ada.stands(id(&first)).await.ok()["status"], "ABANDONED", "a held seat is nobody at the table");
    assert_eq!(bob.get("/v1/games?mine=true&status=ABANDONED").await.ok()["items"], json!([]), "never one of Bob's");
    let second = asks_for_a_rematch(&table, 1).await;
    assert_ne!(id(&second), id(&first));
    assert_eq!(seats(&second), [is_held_for(ada), sits(bob)]);
    assert_eq!(id(&asks_for_a_rematch(&table, 0).await), id(&second));
    bob.starts(id(&second)).await.ok();
}

#[tokio::test]
async fn graphql_tells_of_held_seats_as_rest_does_and_announces_them() {
    let server = Server::start().await;
    let types = Types::of(&server.anybody()).await;
    let table = over(&server, 2, "UNLISTED").await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let query = "subscription { myGames { waitingForMe game { id seats { invited { id } } } } }";
    let mut told = listen(bob, query, json!({})).await;
    let made = mutate(ada, "createRematch", "{ game { id } userErrors { code } }", json!({"gameId": table.game})).await;
    let game = id(&made["game"]);
    let heard = next(&mut told).await.expect("it is announced")["data"]["myGames"].clone();
    assert_eq!((&heard["game"]["id"], &heard["waitingForMe"]), (&json!(game), &json!(false)));
    assert_eq!(heard["game"]["seats"], json!([{"invited": null}, {"invited": {"id": bob.id}}]));
    for viewer in [ada, bob] {
        assert_eq!(everything::game(&types, viewer, game).await, viewer.sees(game).await);
        assert_eq!(everything::steps(&types, viewer, game).await, viewer.reads_events(game, 100).await);
    }
    let select = "{ events { ... on SeatReleasedEvent { type seat } } userErrors { code } }";
    let declined = mutate(bob, "standUp", select, json!({"gameId": game})).await;
    assert_eq!(declined, json!({"events": [{"type": "RELEASED", "seat": 1}], "userErrors": []}));
    ada.stands(game).await.ok();
    let replay = everything::replay(&types, ada, game).await;
    assert_eq!(replay, ada.get(&format!("/v1/games/{game}/replay")).await.ok());
    let seen = ask(bob, "query($id: ID!) { game(id: $id) { id } }", json!({"id": game})).await;
    assert_eq!(seen["game"], Value::Null);
}
