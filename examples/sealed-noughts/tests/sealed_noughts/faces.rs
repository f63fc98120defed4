//! Games through REST and GraphQL, over real sockets: nothing in the service knows this kind.

use crate::program::{Player, Server, run};
use reqwest::Method;
use serde_json::{Value, json};
use std::fs;

fn bid(cell: u8, coins: u8) -> Value {
    json!({"type": "BID", "cell": cell, "coins": coins})
}

/// A game that both have sat down at, begun.
async fn started(ada: &Player<'_>, bob: &Player<'_>) -> String {
    let body = json!({"kind": "SEALED_NOUGHTS", "seats": 2, "options": {"coins": 3}});
    let game = ada.post("/v1/games", body).await;
    let path = format!("/v1/games/{}", game["id"].as_str().expect("an id"));
    bob.post(&format!("{path}/seats"), json!({})).await;
    let begun = ada.post(&format!("{path}/start"), json!({})).await;
    assert_eq!(begun["status"], "ACTIVE", "{begun}");
    path
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_previewed_followed_replayed_and_verified_through_rest() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let path = started(&ada, &bob).await;
    let moves = format!("{path}/moves");
    let mut watched = bob.listen(Method::GET, &format!("{path}/events?after=3"), None).await;

    let free = ada.get(&path).await["view"]["cells"].as_array().unwrap().iter().position(|cell| cell == "FREE");
    let free = u8::try_from(free.unwrap()).unwrap();
    let foreseen = ada.post(&format!("{path}/preview"), json!({"move": bid(free, 2)})).await;
    assert_eq!((&foreseen["complete"], &foreseen["view"]["seats"][0]["bid"]), (&json!(true), &bid(free, 2)));
    let refused = ada.post(&moves, json!({"move": bid(free, 4)})).await;
    assert_eq!(refused["code"], "ILLEGAL_MOVE");
    assert_eq!(refused["detail"], "You can't bid more than the 3 coins in your purse.");

    // Ada's bid is sealed: Bob's look, preview and stream know that there is one, and nothing else.
    ada.post(&moves, json!({"move": bid(free, 2)})).await;
    let seen = bob.get(&path).await["view"]["seats"][0].clone();
    assert_eq!((&seen["hasBid"], &seen["bid"]), (&json!(true), &Value::Null));
    let told = watched.next().await;
    assert_eq!(told["events"], json!([{"type": "BID", "seat": 0, "bid": null}]), "{told}");
    let foreseen = bob.post(&format!("{path}/preview"), json!({"move": bid(free, 1)})).await;
    assert_eq!(foreseen["complete"], false, "what bids unsealed bring can't be foreseen");
    bob.post(&moves, json!({"move": bid(free, 1)})).await;
    let told = watched.next().await;
    let unsealed = json!({"type": "UNSEALED", "bids": [bid(free, 2), bid(free, 1)], "winner": 0});
    assert_eq!(told["events"][1], unsealed, "{told}");

    // The rest by whatever is legal.
    while ada.get(&path).await["status"] == "ACTIVE" {
        for player in [&ada, &bob] {
            let legal = player.get(&format!("{path}/legal-moves")).await;
            if let Some(id) = legal["moves"][0]["id"].as_str() {
                player.post(&moves, json!({"id": id})).await;
            }
        }
    }
    let game = ada.get(&path).await;
    assert!(["LINE", "COINS"].map(Value::from).contains(&game["outcome"]["reason"]), "{game}");
    let replay = ada.get(&format!("{path}/replay")).await;
    assert_eq!(replay["steps"][3]["events"][0]["bid"], bid(free, 2), "a replay hides nothing");
    let file = data.path().join("replay.json");
    fs::write(&file, replay.to_string()).unwrap();
    server.stop();
    assert!(run(data.path(), &["verify", file.to_str().unwrap()]).contains("true to the rules and the seed"));
    assert!(run(data.path(), &["verify"]).contains("all is well"));
    assert!(run(data.path(), &["export", "-"]).contains("SEALED_NOUGHTS"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_through_graphql_by_the_example_of_the_playground() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let asked = ada.ask("{ kind(id: SEALED_NOUGHTS) { name example } }", json!({})).await;
    let document = asked["kind"]["example"].as_str().expect("an example");
    assert!(document.contains("options: { sealedNoughts: { coins: 10"), "{document}");
    let made = ada.carry_out(document, "CreateGame", json!({})).await;
    let of_game = json!({"gameId": made["game"]["id"]});
    bob.carry_out(document, "SitDown", of_game.clone()).await;
    let watch = json!({"query": document, "operationName": "WatchGame", "variables": of_game});
    let mut watched = bob.listen(Method::POST, "/graphql", Some(watch)).await;
    ada.carry_out(document, "StartGame", of_game.clone()).await;
    let listed = ada.carry_out(document, "LegalMoves", of_game.clone()).await;
    let mv = json!({"gameId": made["game"]["id"], "moveId": listed["moves"][3]["id"]});
    let played = ada.carry_out(document, "PlayMove", mv).await;
    assert_eq!((&played["version"], &played["userErrors"]), (&json!(4), &json!([])));
    for version in 1..=4 {
        let told = watched.next().await["data"]["gameEvents"].clone();
        assert_eq!(told["version"], version);
        if version == 4 {
            let sealed = json!({"__typename": "SealedNoughtsBidEvent", "type": "BID", "seat": 0, "bid": null});
            assert_eq!(told["events"][0], sealed);
        }
    }
    let seen = ada.carry_out(document, "LookAtGame", of_game.clone()).await["view"].clone();
    assert_eq!((&seen["kind"], &seen["seats"][0]["bid"]["coins"]), (&json!("SEALED_NOUGHTS"), &json!(3)));
    assert_eq!(bob.carry_out(document, "LookAtGame", of_game.clone()).await["view"]["seats"][0]["bid"], Value::Null);

    // A move may also be written out, in the kind's own types.
    let cell = seen["cells"].as_array().unwrap().iter().position(|cell| cell == "FREE");
    let typed = "mutation($id: ID!, $cell: Int!) { playMove(input: {
        gameId: $id, move: { sealedNoughts: { bid: { cell: $cell, coins: 10 } } }
    }) { userErrors { code } events { type ... on SealedNoughtsUnsealedEvent { winner } } } }";
    let played = bob.ask(typed, json!({"id": made["game"]["id"], "cell": cell})).await["playMove"].clone();
    assert_eq!(played["userErrors"], json!([]));
    assert_eq!(played["events"][1], json!({"type": "UNSEALED", "winner": 1}));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_described_in_both_languages_and_by_every_document() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let ada = server.guest("Ada").await;
    for (language, name, label) in
        [("en", "Sealed Noughts", "Bid 3 on row 1"), ("fr", "Morpion sous enveloppe", "Miser 3 sur la ligne 1")]
    {
        // What the page /docs/kinds shows.
        let kind = ada.get_in(language, "/v1/kinds/SEALED_NOUGHTS").await;
        assert_eq!((&kind["name"], &kind["glossary"].as_object().unwrap().len()), (&json!(name), &7), "{kind}");
        assert_eq!(kind["schemas"]["options"]["properties"]["coins"]["maximum"], 20);
        let bob = server.guest("Bob").await;
        let path = started(&ada, &bob).await;
        let legal = ada.get_in(language, &format!("{path}/legal-moves")).await.to_string();
        assert!(legal.contains(label), "{legal}");
    }
    let listed = ada.get("/v1/kinds").await;
    assert!(listed["items"].as_array().unwrap().iter().any(|kind| kind["kind"] == "SEALED_NOUGHTS"));
    assert!(ada.get("/openapi.json").await["components"]["schemas"]["SealedNoughtsView"].is_object());
    assert!(run(data.path(), &["schema", "graphql"]).contains("type SealedNoughtsView implements GameView"));
    assert!(run(data.path(), &["schema", "openapi"]).contains("\"SealedNoughtsMove\""));
    assert!(run(data.path(), &["simulate", "SEALED_NOUGHTS", "--games", "50"]).contains("50 games"));
}
