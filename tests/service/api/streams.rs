//! Streams: where they begin, and what ends them.

use serde_json::json;
use std::time::Duration;
use test_support::{Server, dice};

#[tokio::test]
async fn a_stream_begins_after_the_version_it_is_asked_for() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let spectator = table.spectator();
    let mut from_the_start = spectator.follows(&table.game).await;
    for due in 1..=3 {
        assert_eq!(from_the_start.next().await.expect("a step")["version"], due);
    }
    let asked = spectator.get(&format!("/v1/games/{}/events?after=2", table.game));
    let mut later = test_support::Steps::open(asked.header("accept", "text/event-stream")).await.expect("a stream");
    assert_eq!(later.next().await.expect("a step")["version"], 3);
    // The header wins over the address, as it must when a browser takes a stream up again.
    let asked = spectator.get(&format!("/v1/games/{}/events?after=2", table.game)).header("last-event-id", "1");
    let mut again = test_support::Steps::open(asked.header("accept", "text/event-stream")).await.expect("a stream");
    assert_eq!(again.next().await.expect("a step")["version"], 2);
}

#[tokio::test]
async fn a_stream_goes_on_while_the_game_does_and_ends_with_it() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let mut stream = table.players[1].follows(&table.game).await;
    table.play_to_the_end(&mut dice(1)).await;
    let steps = stream.rest().await;
    assert_eq!(steps.len() as u64, table.version().await);
    assert_eq!(
        steps.last().expect("steps")["events"].as_array().expect("events").last().expect("one")["type"],
        "FINISHED"
    );
    assert_eq!(table.spectator().follows(&table.game).await.rest().await.len(), steps.len(), "it can be read again");
}

#[tokio::test]
async fn a_stream_ends_when_its_player_signs_out() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let mut stream = ada.follows(&table.game).await;
    for _ in 1..=3 {
        stream.next().await.expect("a step");
    }
    ada.delete("/v1/tokens/current").await.ok();
    bob.plays(&table.game, &bob.moves(&table.game).await[0]).await.ok();
    assert_eq!(stream.next().await, None, "no event after the sign-out");
    ada.asks_to_follow(&table.game).await.refused("INVALID_TOKEN");
}

#[tokio::test]
async fn a_quiet_stream_ends_when_its_token_does() {
    let server = Server::with_tokens_for(Duration::from_secs(2)).await;
    let ada = server.guest("Ada").await;
    let made = ada.creates(&json!({"kind": "CHIPS"})).await.ok();
    let mut stream = ada.follows(made["id"].as_str().expect("an id")).await;
    assert_eq!(stream.rest().await.len(), 1, "the creation, and then the end");
}

#[tokio::test]
async fn a_quiet_stream_says_that_it_is_still_there_and_goes_on() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let bob = &table.players[1];
    // With a token, which is looked at now and then, and without.
    let mut streams = [bob.follows(&table.game).await, table.spectator().follows(&table.game).await];
    let version = table.version().await;
    for stream in &mut streams {
        while stream.next().await.expect("a step")["version"] != version {}
        assert_eq!(stream.sign_of_life().await, 2, "the comment that it began with, and one more");
    }
    bob.plays(&table.game, &bob.moves(&table.game).await[0]).await.ok();
    for stream in &mut streams {
        assert_eq!(stream.next().await.expect("a step")["version"], version + 1, "what it says is no step");
    }
}

#[tokio::test]
async fn a_stream_ends_when_its_viewer_may_no_longer_know_of_the_game() {
    let server = Server::start().await;
    let table = server.lobby(2, json!({"visibility": "UNLISTED"})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let mut stream = bob.follows(&table.game).await;
    for due in 1..=3 {
        assert_eq!(stream.next().await.expect("a step")["version"], due);
    }
    ada.delete(&format!("/v1/games/{}/seats/1", table.game)).await.ok();
    assert_eq!(stream.next().await, None);
    bob.looks_at(&table.game).await.refused("NOT_FOUND");
}

#[tokio::test]
async fn streams_end_in_order_when_the_server_shuts_down_and_go_on_after_it() {
    let server = Server::start().await;
    let table = server.table(3).await;
    let mut stream = table.spectator().follows(&table.game).await;
    let mut steps = Vec::new();
    for _ in 0..4 {
        steps.push(stream.next().await.expect("a step"));
    }
    let last = stream.last_id.clone().expect("a step was read");
    let rest = tokio::spawn(async move { stream.rest().await });
    let data = server.stop().await;
    assert_eq!(rest.await.expect("an orderly end"), Vec::<serde_json::Value>::new());

    let server = Server::on(data).await;
    let players =
        table.players.into_iter().map(|player| test_support::Player { endpoint: (*server).clone(), ..player });
    let table = test_support::Table { players: players.collect(), ..table };
    let mut stream = table.spectator().follows_on(&table.game, &last).await;
    table.play_to_the_end(&mut dice(2)).await;
    steps.extend(stream.rest().await);
    assert_eq!(steps, table.spectator().reads_events(&table.game, 1000).await);
}
