//! Subscriptions: every step once and in order, resumable; the caller's games; and how they end.

use crate::everything::{Types, plain, text};
use futures::stream::BoxStream;
use serde_json::{Value, json};
use std::time::Duration;
use test_support::graphql::{ask, listen, next};
use test_support::{Server, dice};

const MINE: &str = "subscription { myGames { game { id version status } waitingForMe } }";

async fn follow(server: &Server, player: &test_support::Player, game: &str, after: usize) -> BoxStream<'static, Value> {
    let types = Types::of(&server.anybody()).await;
    let query = format!(
        "subscription($game: ID!, $after: Int!) {{ gameEvents(gameId: $game, after: $after) {} }}",
        types.select("Step", &[])
    );
    listen(player, &query, json!({"game": game, "after": after})).await
}

fn step(told: &Value) -> Value {
    assert_eq!(told.get("errors"), None);
    plain(&told["data"]["gameEvents"])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_tells_every_step_once_goes_on_where_it_was_and_ends_with_the_game() {
    let server = Server::start().await;
    let table = server.lobby(2, json!({"options": {"targetTokens": 1}})).await;
    table.players[0].starts(&table.game).await.ok();
    let mut told = Vec::new();
    let mut stream = follow(&server, &table.players[1], &table.game, 0).await;
    let mut dice = dice(5);
    for _ in 0..500 {
        while told.len() < usize::try_from(table.version().await).expect("few") {
            told.push(step(&next(&mut stream).await.expect("a step")));
            if told.len() % 5 == 0 {
                stream = follow(&server, &table.players[1], &table.game, told.len()).await;
            }
        }
        if table.waiting().await.is_empty() {
            break;
        }
        table.play_a_step(&mut dice).await;
    }
    assert_eq!(next(&mut stream).await, None, "it ends with the game");
    assert_eq!(told, table.players[1].reads_events(&table.game, 1000).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_of_what_may_not_be_known_is_refused() {
    let server = Server::start().await;
    let table = server.lobby(2, json!({"visibility": "UNLISTED"})).await;
    let stranger = server.guest("Stranger").await;
    let mut stream = follow(&server, &stranger, &table.game, 0).await;
    let told = next(&mut stream).await.expect("an answer");
    assert_eq!(told["errors"][0]["extensions"]["code"], "NOT_FOUND");
    assert_eq!(next(&mut stream).await, None);
    let mut stream = follow(&server, &table.players[0], &table.game, 99).await;
    assert_eq!(next(&mut stream).await.expect("an answer")["errors"][0]["extensions"]["code"], "BAD_CURSOR");
    let mut stream = listen(&server.anybody(), MINE, json!({})).await;
    assert_eq!(next(&mut stream).await.expect("an answer")["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_out_ends_the_streams_of_its_player_and_of_nobody_else() {
    // Tokens outlast the test by far.
    let server = Server::start().await;
    let table = server.table(2).await;
    let [ada, bob] = &table.players[..] else { panic!("a table of two") };
    let (events, games) = (follow(&server, ada, &table.game, 0).await, listen(ada, MINE, json!({})).await);
    let mut others = follow(&server, bob, &table.game, 0).await;
    ask(ada, "mutation { signOut { userErrors { code } } }", json!({})).await;
    ends(events).await;
    ends(games).await;
    bob.plays_any(&table.game).await;
    let mut told = Vec::new();
    while told.len() < 4 {
        told.push(step(&next(&mut others).await.expect("it goes on")));
    }
    assert_eq!(told, bob.reads_events(&table.game, 1000).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_ends_with_its_token() {
    let server = Server::with_tokens_for(Duration::from_secs(4)).await;
    let table = server.table(2).await;
    let mut streams = Vec::new();
    for player in &table.players {
        streams.push(follow(&server, player, &table.game, 0).await);
        streams.push(listen(player, MINE, json!({})).await);
    }
    for stream in streams {
        ends(stream).await;
    }
}

/// A stream tells what there was until then, and ends.
async fn ends(mut stream: BoxStream<'static, Value>) {
    let mut told = 0;
    while next(&mut stream).await.is_some() {
        told += 1;
        assert!(told < 10, "it ends");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_follows_their_games_hears_of_each_change_and_of_new_games() {
    let server = Server::start().await;
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let open = ada.creates(&json!({"kind": "CHIPS"})).await.ok();
    let mut stream = listen(&ada, MINE, json!({})).await;
    let told = |value: Option<Value>| value.expect("an event")["data"]["myGames"].clone();
    let first = told(next(&mut stream).await);
    assert_eq!((&first["game"]["id"], &first["waitingForMe"]), (&open["id"], &json!(false)), "what is open already");
    let id = text(&open["id"]);
    bob.sits(&id).await.ok();
    assert_eq!(told(next(&mut stream).await)["game"]["version"], 2, "somebody sat down");
    ada.starts(&id).await.ok();
    let begun = told(next(&mut stream).await);
    assert_eq!((&begun["game"]["status"], &begun["waitingForMe"]), (&json!("ACTIVE"), &json!(true)));
    bob.creates(&json!({"kind": "CHIPS"})).await.ok();
    let other = ada.creates(&json!({"kind": "TOY_RUSH"})).await.ok();
    assert_eq!(told(next(&mut stream).await)["game"]["id"], other["id"], "a new game, and nobody else's");
    ada.resigns(&id).await.ok();
    let ended = told(next(&mut stream).await);
    assert_eq!((&ended["game"]["id"], &ended["game"]["status"]), (&json!(id), &json!("FINISHED")), "how it ended");
    drop(stream);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_in_quick_succession_end_in_the_last_of_them() {
    let server = Server::start().await;
    let table = server.table(5).await;
    let mut streams = Vec::new();
    for player in &table.players {
        streams.push(listen(player, MINE, json!({})).await);
    }
    let mut dice = dice(8);
    for _ in 0..4 {
        table.play_a_step(&mut dice).await;
    }
    let version = table.version().await;
    for mut stream in streams {
        let mut seen = 0;
        while seen < version {
            let told = next(&mut stream).await.expect("another event")["data"]["myGames"].clone();
            let now = told["game"]["version"].as_u64().expect("a number");
            assert!(now > seen, "never the same twice, never back");
            seen = now;
        }
    }
}
