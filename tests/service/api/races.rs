//! Many at once: one order, each move once, and a key that is played once however often it is sent.

use futures::future::join_all;
use ludotheque::games::replay::ReplayAction;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use test_support::table::verified;
use test_support::{Answer, Player, Server, Table, dice, pick};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const CLIENTS: usize = 64;

/// One client of several that play for the same seat: plays whatever it can until the game is over.
async fn plays_all_it_can(player: Player, game: String, number: u64) -> Vec<(u64, String)> {
    let mut dice = dice(number);
    let mut accepted = Vec::new();
    loop {
        let moves = player.moves(&game).await;
        let Some(mv) = (!moves.is_empty()).then(|| pick(&mut dice, &moves)) else {
            match player.sees(&game).await["status"].as_str() {
                Some("ACTIVE") => continue,
                _ => return accepted,
            }
        };
        let answer = player.plays(&game, mv).await;
        match answer.status {
            200 => accepted.push((answer.json()["version"].as_u64().expect("a version"), mv.clone())),
            // Another client of the same seat was faster.
            409 => {}
            _ => panic!("{}: {}", answer.asked, answer.text()),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_64_clients_racing_on_one_game_every_accepted_move_has_one_version() {
    let server = Server::start().await;
    let table = server.table(5).await;
    let clients = (0..CLIENTS).map(|number| {
        let player = table.players[number % table.players.len()].clone();
        tokio::spawn(plays_all_it_can(player, table.game.clone(), number as u64))
    });
    let accepted: Vec<_> = join_all(clients).await.into_iter().flat_map(|moves| moves.expect("a client")).collect();
    let by_version: BTreeMap<u64, String> = accepted.iter().cloned().collect();
    assert_eq!(by_version.len(), accepted.len(), "no version was given twice");
    assert_eq!(plays(&table).await, by_version, "all that was accepted was played, and nothing else");
}

/// Every move of a finished game, by version.
async fn plays(table: &Table) -> BTreeMap<u64, String> {
    let steps = verified(&table.replay().await).steps;
    let moves = steps.into_iter().filter_map(|step| match step.action {
        ReplayAction::Play { id } => Some((step.version, id)),
        _ => None,
    });
    moves.collect()
}

/// The same request, several times at once.
async fn at_once(times: usize, ask: impl Fn() -> test_support::Ask) -> Vec<Answer> {
    join_all((0..times).map(|_| ask().into_future())).await
}

/// Sends a request 20 times at once, and once more later: done once, answered alike.
async fn once(ask: impl Fn() -> test_support::Ask) -> Value {
    let mut answers = at_once(20, &ask).await;
    answers.push(ask().await);
    for answer in &answers {
        answer.ok();
        assert_eq!((answer.status, answer.text()), (answers[0].status, answers[0].text()), "{}", answer.asked);
    }
    answers[0].ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_key_sent_twenty_times_at_once_is_carried_out_once() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let made = once(|| ada.creates(&json!({"kind": "CHIPS", "seats": 2})).key("make")).await;
    let game = made["id"].as_str().expect("an id");
    let listed = ada.get("/v1/games?mine=true").await.ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "one game was made");

    assert_eq!(once(|| bob.sits(game).key("sit")).await["version"], 2);
    assert_eq!(once(|| ada.starts(game).key("start")).await["version"], 3);
    let mv = &ada.moves(game).await[0];
    assert_eq!(once(|| ada.plays(game, mv).key("move")).await["version"], 4);
    assert_eq!(once(|| bob.resigns(game).key("resign")).await["version"], 5);
    let again = once(|| ada.post(&format!("/v1/games/{game}/rematch")).key("again")).await;
    assert_eq!(again["id"], bob.post(&format!("/v1/games/{game}/rematch")).await.ok()["id"], "one rematch for all");
    assert_eq!(ada.get("/v1/games?mine=true").await.ok()["items"].as_array().map(Vec::len), Some(2));

    let unlisted = ada.creates(&json!({"kind": "CHIPS", "visibility": "UNLISTED"})).await.ok();
    let invite = format!("/v1/invites/{}", unlisted["inviteCode"].as_str().expect("a code"));
    assert_eq!(once(|| bob.post(&invite).key("enter")).await["version"], 2);
}

#[tokio::test]
async fn a_key_belongs_to_one_request_one_player_and_one_game() {
    let server = Server::start().await;
    let table = server.table(3).await;
    let [ada, bob, cid] = [0, 1, 2].map(|seat| &table.players[seat]);
    let moves = ada.moves(&table.game).await;
    let first = ada.plays(&table.game, &moves[0]).key("k").await;
    first.ok();
    ada.plays(&table.game, &moves[1]).key("k").await.refused("IDEMPOTENCY_MISMATCH");
    ada.resigns(&table.game).key("k").await.refused("IDEMPOTENCY_MISMATCH");
    let pinned = json!({"id": moves[0], "expectedVersion": 4});
    let pinned = ada.post(&format!("/v1/games/{}/moves", table.game)).json(&pinned).key("k").await;
    pinned.refused("IDEMPOTENCY_MISMATCH");
    // Another player's key, and another game's, has nothing to do with it.
    bob.plays(&table.game, &bob.moves(&table.game).await[0]).key("k").await.ok();
    let other = ada.creates(&json!({"kind": "CHIPS"})).key("k").await.ok();
    cid.sits(other["id"].as_str().expect("an id")).key("k").await.ok();

    // It is looked up before anything else: the answer stays, whatever has happened since.
    table.play_to_the_end(&mut dice(1)).await;
    assert_eq!(ada.plays(&table.game, &moves[0]).key("k").await.text(), first.text());
    ada.post(&format!("/v1/games/{}/rematch", table.game)).key("k").await.refused("IDEMPOTENCY_MISMATCH");
    ada.creates(&json!({"kind": "CHIPS", "seats": 4})).key("k").await.refused("IDEMPOTENCY_MISMATCH");
}

#[tokio::test]
async fn a_refused_request_does_not_use_its_key_up() {
    let server = Server::start().await;
    let table = server.lobby(2, json!({})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    bob.starts(&table.game).key("k").await.refused("NOT_HOST");
    ada.starts(&table.game).await.ok();
    let mv = &bob.moves(&table.game).await[3];
    bob.plays(&table.game, "discard").key("k").await.refused("ILLEGAL_MOVE");
    bob.plays(&table.game, mv).key("k").await.ok();
}

#[tokio::test]
async fn a_move_pinned_to_a_version_is_refused_with_the_game_as_it_is_once_it_has_moved_on() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let pinned = |player: &Player, mv: &str, version: u64| {
        let body = json!({"id": mv, "expectedVersion": version});
        player.post(&format!("/v1/games/{}/moves", table.game)).json(&body)
    };
    let mv = ada.moves(&table.game).await[0].clone();
    ada.plays(&table.game, &mv).await.ok();
    let bobs = bob.moves(&table.game).await[0].clone();
    for wrong in [0, 3, 5, u64::MAX] {
        let problem = pinned(bob, &bobs, wrong).await.refused("VERSION_CONFLICT");
        assert_eq!(problem["version"], 4);
        assert_eq!(problem["game"], bob.sees(&table.game).await);
    }
    assert_eq!(pinned(bob, &bobs, 4).await.ok()["version"], 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_moves_pinned_to_one_version_exactly_one_is_played() {
    let server = Server::start().await;
    let table = server.table(5).await;
    let mut asks = Vec::new();
    for player in &table.players {
        for mv in player.moves(&table.game).await {
            let body = json!({"id": mv, "expectedVersion": 6});
            asks.push(player.post(&format!("/v1/games/{}/moves", table.game)).json(&body));
        }
    }
    let answers = join_all(asks.into_iter().map(IntoFuture::into_future)).await;
    let (accepted, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(accepted.len(), 1);
    for answer in refused {
        assert_eq!(answer.refused("VERSION_CONFLICT")["version"], 7);
    }
    assert_eq!(table.version().await, 7);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_hangs_up_right_after_sending_plays_once_or_not_at_all() {
    let server = Server::start().await;
    let table = server.table(5).await;
    let address = server.url.strip_prefix("http://").expect("plain HTTP");
    let mut dice = dice(5);
    let mut accepted = BTreeMap::new();
    for round in 0..12 {
        for seat in table.waiting().await {
            let player = &table.players[seat];
            let mv = pick(&mut dice, &player.moves(&table.game).await).clone();
            let body = json!({"id": mv}).to_string();
            let (token, key) = (player.token.as_deref().expect("a token"), format!("{round}-{seat}"));
            let request = format!(
                "POST /v1/games/{}/moves HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
                 idempotency-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                table.game,
                body.len()
            );
            // Sometimes all of it is sent, sometimes only a part.
            let sent = if dice.below(3) == 0 { dice.index(request.len()) } else { request.len() };
            let mut socket = TcpStream::connect(address).await.expect("it listens");
            socket.write_all(&request.as_bytes()[..sent]).await.expect("it reads");
            drop(socket);
            // Whether it was accepted or not: with the same key it is now, once.
            let answer = player.plays(&table.game, &mv).key(&key).await.ok();
            assert_eq!(accepted.insert(answer["version"].as_u64().expect("a version"), mv), None);
        }
    }
    for player in &table.players[..4] {
        player.resigns(&table.game).await;
    }
    assert_eq!(plays(&table).await, accepted);
}
