//! A mobile backend's day: its own sign-in, its own users, a game by invitation, in French, without a restart.

use crate::backend::Backend;
use ludotheque::auth::Settings;
use serde_json::{Value, json};
use std::time::Duration;
use test_support::{Answer, Ask, Player, Server};

/// How often a token of a new key is tried until the key is known; keys are not asked for at every unknown name.
const TRIES: usize = 60;

/// One of the backend's users, with a token it signed just now.
fn user(server: &Server, backend: &Backend, sub: &str) -> Player {
    let token = backend.token(sub, jiff::Timestamp::now().as_second());
    Player { token: Some(token.expose().to_owned()), ..server.anybody() }
}

/// A user who reads French.
async fn en_francais(ask: Ask) -> Answer {
    let answer = ask.header("accept-language", "fr-FR, fr;q=0.9, en;q=0.5").await;
    assert_eq!(answer.header("content-language"), "fr", "{}", answer.asked);
    answer
}

async fn passes(server: &Server, seconds: u32) {
    server.anybody().patch("/v1/dev/clock").json(&json!({"advanceSeconds": seconds})).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn users_of_a_mobile_backend_play_by_invitation_in_french_through_a_change_of_keys() {
    let backend = Backend::start("https://games.example").await;
    let server = Server::with_tokens(Settings { dev: true, ..Backend::trusted(&[&backend]) }).await;
    let (ada, bob) = (user(&server, &backend, "ada"), user(&server, &backend, "bob"));
    assert_eq!(en_francais(ada.get("/v1/players/me")).await.ok()["displayName"], "ada B.");

    // Ada makes an unlisted game; Bob only finds it with the code.
    let new = json!({"kind": "CHIPS", "seats": 2, "visibility": "UNLISTED", "options": {"moveSeconds": 60}});
    let made = en_francais(ada.creates(&new)).await.ok();
    let game = made["id"].as_str().expect("an id").to_owned();
    let problem = en_francais(bob.looks_at(&game)).await.refused("NOT_FOUND");
    assert_eq!(problem["title"], "Ressource introuvable");
    let code = made["inviteCode"].as_str().expect("a code");
    en_francais(bob.post(&format!("/v1/invites/{code}"))).await.ok();
    en_francais(bob.sits(&game)).await.ok();
    en_francais(ada.starts(&game)).await.ok();
    let moves = en_francais(ada.asks_for_moves(&game)).await.ok();
    let english = ada.asks_for_moves(&game).await.ok();
    assert_eq!(moves["moves"][0]["id"], english["moves"][0]["id"]);
    assert_ne!(moves["moves"][0]["label"], english["moves"][0]["label"]);
    let first = moves["moves"][0]["id"].as_str().expect("an id").to_owned();
    en_francais(ada.plays(&game, &first)).await.ok();

    // The backend changes its key in the middle of the game.
    backend.rotate("second");
    let ada = user(&server, &backend, "ada");
    let mut tries = 0;
    while ada.get("/v1/players/me").await.status != 200 {
        tries += 1;
        assert!(tries < TRIES, "the new key is never learnt");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    backend.retire();
    let bob = user(&server, &backend, "bob");
    assert_eq!(bob.sees(&game).await["you"], 1, "the same player as before");

    // Bob has gone to bed; Ada wins.
    passes(&server, 61).await;
    let won = en_francais(ada.post(&format!("/v1/games/{game}/timeouts"))).await.ok();
    assert_eq!(won["game"]["outcome"]["winners"], json!([0]));

    // Bob's account goes; the game he sat at remembers a former player.
    assert_eq!(bob.delete("/v1/players/me").await.status, 204);
    bob.get("/v1/players/me").await.refused("INVALID_TOKEN");
    let seen = en_francais(ada.looks_at(&game)).await.ok();
    assert_eq!(seen["seats"][1]["player"]["displayName"], "un ancien joueur");
    assert_eq!(seen["seats"][1]["resigned"], json!(true));
    assert_ne!(seen["fairness"]["seed"], Value::Null);
}
