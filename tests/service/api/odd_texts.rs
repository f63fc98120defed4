//! Texts that a database may choke on, wherever one can be sent: an answer or a refusal, never a failure of ours.

use ludotheque::texts::Language;
use serde_json::{Value, json};
use test_support::Server;
use test_support::graphql::answer;

/// As parts of an address.
const IN_ADDRESSES: [&str; 5] = ["%00", "CHIPS%00", "%EF%BF%BF", "%27%3B--", "%F4%8F%BF%BF"];
const TEXTS: [&str; 4] = ["\0", "abc\0def", "\u{FFFF}", "';--"];

#[tokio::test]
async fn no_text_in_an_address_is_a_failure_of_ours() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let game = ada.post("/v1/games").json(&json!({"kind": "CHIPS", "seats": 2})).await.ok()["id"].clone();
    let game = game.as_str().expect("an id");
    for text in IN_ADDRESSES {
        let paths = [
            format!("/v1/games?kind={text}"),
            format!("/v1/games?kind={text}&mine=true&status=LOBBY"),
            format!("/v1/games?kind={text}&waitingForMe=true"),
            format!("/v1/games?status={text}"),
            format!("/v1/games?after={text}"),
            format!("/v1/games?before={text}"),
            format!("/v1/games?cursor={text}"),
            format!("/v1/games/{text}"),
            format!("/v1/games/{game}?at={text}"),
            format!("/v1/games/{game}/events?after={text}"),
            format!("/v1/kinds/{text}"),
        ];
        for path in paths {
            let status = ada.get(&path).await.status;
            assert!(status < 500, "{path}: {status}");
        }
        let status = ada.post(&format!("/v1/invites/{text}")).await.status;
        assert!((400..500).contains(&status), "invite {text}: {status}");
    }
}

#[tokio::test]
async fn no_text_in_a_body_is_a_failure_of_ours() {
    let server = Server::start().await;
    let ada = server.account("ada").await;
    for text in TEXTS {
        let bodies = [
            ("/v1/players", json!({"displayName": text, "username": text, "password": "correct horse"})),
            ("/v1/tokens", json!({"username": text, "password": text})),
            ("/v1/tokens", json!({"refreshToken": text})),
            ("/v1/games", json!({"kind": text, "seats": 2})),
        ];
        for (path, body) in bodies {
            let status = ada.post(path).json(&body).await.status;
            assert!((400..500).contains(&status), "{path} {body}: {status}");
        }
        let status = ada.patch("/v1/players/me").json(&json!({"displayName": text})).await.status;
        assert!(status < 500, "{text:?}: {status}");
        let zone = json!({"kind": "SANTA_RESCUE", "seats": 2, "options": {"calendar": "ADVENT", "timeZone": text}});
        let status = ada.post("/v1/games").json(&zone).await.status;
        assert!(status < 500, "{zone}: {status}");
    }
}

#[tokio::test]
async fn no_variable_of_graphql_is_a_failure_of_ours() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let documents = [
        "query($text: ID!) { node(id: $text) { id } game(id: $text) { id } legalMoves(gameId: $text) { version } }",
        "query($text: String!) { games(after: $text) { edges { cursor } } }",
        "mutation($text: String!) { acceptInvite(input: {code: $text}) { userErrors { code } } }",
        "mutation($text: String!) { signIn(input: {username: $text, password: $text}) { userErrors { code } } }",
        "mutation($text: String!) { refreshTokens(input: {refreshToken: $text, idempotencyKey: $text}) { userErrors { code } } }",
        "mutation($text: String!) { createGame(input: {kind: CHIPS, seats: 2, idempotencyKey: $text}) { userErrors { code } } }",
    ];
    for text in TEXTS {
        for document in documents {
            let answer = answer(&ada, Language::En, document, json!({"text": text})).await;
            let failed = |error: &Value| error["extensions"]["code"] == "UNAVAILABLE";
            assert!(
                !answer["errors"].as_array().is_some_and(|errors| errors.iter().any(failed)),
                "{document}: {answer}"
            );
        }
    }
}

#[tokio::test]
async fn a_name_that_can_not_be_seen_is_refused() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let unseen =
        ["\u{200B}\u{200D}", "\u{3164}", "\u{2800}", "\u{E0041}\u{E007F}", "\u{115F}\u{1160}", "\u{202E}\u{2066}"];
    for name in unseen {
        let body = json!({"displayName": name});
        let refused = server.anybody().post("/v1/players").json(&body).await;
        refused.refused("MALFORMED");
        ada.patch("/v1/players/me").json(&body).await.refused("MALFORMED");
    }
    // Characters that can't be seen are fine within a name that can.
    let body = json!({"displayName": "\u{1F469}\u{200D}\u{1F680} Zoë\u{FE0F}"});
    server.anybody().post("/v1/players").json(&body).await.ok();
}
