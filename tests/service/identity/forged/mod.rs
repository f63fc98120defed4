//! Tokens that nobody should believe, at every door of the running service. [`rows`] and [`stale`] have the table,
//! [`doors`] what each of them meets.

mod doors;
mod forge;
mod rows;
mod stale;

use crate::backend::Backend;
use crate::identity::node::{Node, bearer, is_bad};
use doors::Doors;
use forge::{Forge, seconds};
use futures::{StreamExt, stream};
use ludotheque::ids::PlayerId;
use reqwest::Method;
use rows::Row;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use test_support::{Player, Server};

/// How many forgers knock at a time.
const AT_A_TIME: usize = 8;

/// All that is in the store.
async fn kept(server: &Server) -> Vec<u8> {
    server.store.everything().await
}

/// The service's own counters of executed work.
fn carried_out(server: &Server) -> Vec<String> {
    let counts = |line: &&str| line.contains("graphql_operations_total{") || line.contains("moves_total{");
    server.metrics().lines().filter(counts).map(str::to_owned).collect()
}

async fn whose(server: &Server, token: &str) -> (u16, Value) {
    let caller = Player { token: Some(token.to_owned()), ..server.anybody() };
    let answer = caller.ask(Method::GET, "/v1/players/me").await;
    (answer.status, answer.json()["id"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_forged_or_stale_token_passes_any_door_or_reaches_a_use_case() {
    let backend = Backend::start("https://backend.example").await;
    let server = Server::with(Backend::trusted(&[&backend]).into()).await;
    let (game, ada, bob) = server.table_for_two().await;
    let ours = Forge::ours(&server, ada.token.as_ref().unwrap());
    let theirs = Forge::of(&backend, "zoë");
    let bobs = Forge::ours(&server, bob.token.as_ref().unwrap());
    let others: PlayerId = bob.id.parse().unwrap();

    let mut table: Vec<Row> = [&ours, &theirs].into_iter().flat_map(rows::with_any_key).collect();
    table.extend(rows::with_our_key(&ours, others, bobs.claims["sid"].as_str().unwrap()));
    table.extend(rows::with_a_backends_key(&theirs, ours.kid()));
    table.extend(stale::rows(&server, &backend).await);
    let distinct: BTreeSet<_> = table.iter().map(|(_, token)| token).collect();
    assert!(distinct.len() >= 190, "{} tokens", distinct.len());

    // The forges are good: what they sign unchanged is believed.
    assert_eq!(whose(&server, &ours.genuine()).await, (200, json!(ada.id)));
    assert_eq!(whose(&server, &theirs.genuine()).await.0, 200);
    let before = (kept(&server).await, carried_out(&server));
    let doors = &Doors { server: &server, game: &game };
    let knocks = stream::iter(&table).map(async |(name, token)| doors.refuse(name, token).await);
    knocks.buffer_unordered(AT_A_TIME).collect::<()>().await;
    assert!((kept(&server).await, carried_out(&server)) == before, "something was done for a forger");

    // The same request succeeds for an authorised caller.
    let caller = Player { token: Some(ours.genuine()), ..server.anybody() };
    caller.post(&format!("/v1/games/{game}/resignation")).await.ok();
    assert!(kept(&server).await != before.0);
}

#[tokio::test]
async fn what_a_backend_may_write_differently_is_believed() {
    let backend = Backend::start("https://backend.example").await;
    let server = Server::with(Backend::trusted(&[&backend]).into()).await;
    let forge = Forge::of(&backend, "zoë");
    let zoe = whose(&server, &forge.genuine()).await;
    for (name, token) in rows::believed_of_a_backend(&forge) {
        assert_eq!(whose(&server, &token).await, zoe, "{name}");
    }
    // Somebody who happens to be called like one of our players is not that player.
    let ada = server.guest("Ada").await;
    let namesake = forge.claiming(json!({"sub": ada.id}));
    let (status, id) = whose(&server, &namesake).await;
    assert!(status == 200 && id != json!(ada.id), "{status} {id}");
}

#[tokio::test]
async fn the_same_sub_of_two_issuers_is_two_players_who_know_nothing_of_each_other() {
    let (one, other) = (Backend::start("https://one.example").await, Backend::start("https://other.example").await);
    let server = Server::with(Backend::trusted(&[&one, &other]).into()).await;
    let [zoe, namesake] = [&one, &other].map(|backend| {
        let token = backend.token("zoë", seconds()).expose().to_owned();
        Player { token: Some(token), ..server.anybody() }
    });
    let game = zoe.post("/v1/games").json(&json!({"kind": "CHIPS", "visibility": "UNLISTED"})).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    assert_eq!(zoe.ask(Method::GET, &path).await.status, 200);
    for method in [Method::GET, Method::PATCH] {
        let answer = namesake.ask(method, &path).json(&json!({"seats": 3})).await;
        assert_eq!((answer.status, &answer.json()["code"]), (404, &json!("NOT_FOUND")), "{answer:?}");
    }
    assert_ne!(
        whose(&server, zoe.token.as_ref().unwrap()).await,
        whose(&server, namesake.token.as_ref().unwrap()).await
    );
}

#[tokio::test]
async fn forgeries_of_a_backend_are_no_flood_of_questions_for_it() {
    let backend = Backend::start("https://backend.example").await;
    let node = Node::with(Backend::trusted(&[&backend])).await;
    let forge = Forge::of(&backend, "zoë");
    for (name, token) in rows::with_any_key(&forge) {
        let answer = node.identity.authenticate(&bearer(&token), None).await;
        assert!(is_bad(&answer), "{name}: {answer:?}");
    }
    assert!(backend.asked() <= 2, "at first, and once for all the keys that it does not have: {}", backend.asked());
    let stranger = Node::new().await;
    assert!(is_bad(&stranger.identity.authenticate(&bearer(&forge.genuine()), None).await), "nobody trusts it there");
    assert!(backend.asked() <= 2, "and it is not asked");
}

#[tokio::test]
async fn a_token_with_any_one_character_changed_is_refused() {
    let node = Node::new().await;
    let good = node.guest().await.access_token.expose().to_owned();
    assert!(node.identity.authenticate(&bearer(&good), None).await.is_ok());
    for at in 0..good.len() {
        let other = if &good[at..=at] == "A" { "B" } else { "A" };
        let token = format!("{}{other}{}", &good[..at], &good[at + 1..]);
        assert!(is_bad(&node.identity.authenticate(&bearer(&token), None).await), "character {at}");
    }
}
