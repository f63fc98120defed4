//! Secrets on their way through GraphQL (HTTP, server-sent events, WebSocket) and from other issuers.

use crate::edge::logs::Secrets;
use crate::jwt::{encode, sign};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use test_support::{Player, Program, Socket};

const TOKENS: &str = "{ tokens { accessToken refreshToken } userErrors { code } }";

/// Notes the tokens in an answer, and tells both.
fn note(secrets: &mut Secrets, payload: &Value) -> (String, String) {
    let text = |name: &str| payload["tokens"][name].as_str().unwrap_or_else(|| panic!("{payload}")).to_owned();
    let (access, refresh) = (text("accessToken"), text("refreshToken"));
    secrets.add_token(&access);
    secrets.add(&refresh);
    (access, refresh)
}

/// An account is made, signs in and refreshes, makes a game and follows it: all of it in both ways.
pub async fn over_graphql(server: &Program, secrets: &mut Secrets) {
    over_http(server, secrets).await;
    over_socket(server, secrets).await;
}

fn mutations(username: &str, password: &str) -> [(&'static str, String); 2] {
    let account = format!("{{displayName: \"Eve\", username: \"{username}\", password: \"{password}\"}}");
    let sign_in = format!("{{username: \"{username}\", password: \"{password}\"}}");
    [("createPlayer", account), ("signIn", sign_in)]
}

async fn over_http(server: &Program, secrets: &mut Secrets) {
    let password = "open sesame over http";
    secrets.add(password);
    let mut eve = server.anybody();
    let mut refresh = String::new();
    for (name, input) in mutations("eve_http", password) {
        let answer = eve.asks(&json!({"query": format!("mutation {{ {name}(input: {input}) {TOKENS} }}")})).await;
        refresh = note(secrets, &answer.data()[name]).1;
    }
    let query = format!("mutation($token: String!) {{ refreshTokens(input: {{refreshToken: $token}}) {TOKENS} }}");
    // Twice, as if the answer had been lost.
    for _ in 0..2 {
        let answer = eve.asks(&json!({"query": query, "variables": {"token": refresh}})).await;
        eve.token = Some(note(secrets, &answer.data()["refreshTokens"]).0);
    }
    let game = eve.posts("/v1/games", json!({"kind": "CHIPS", "seats": 2, "visibility": "UNLISTED"})).await;
    secrets.add(game["inviteCode"].as_str().unwrap());
    let follow = format!("subscription {{ gameEvents(gameId: {}, after: 0) {{ version }} }}", game["id"]);
    eve.streams(&json!({"query": follow})).await.payload().await;
}

async fn over_socket(server: &Program, secrets: &mut Secrets) {
    let password = "open sesame over a socket";
    secrets.add(password);
    let mut socket = Socket::open(server.address()).await;
    socket.says(json!({"type": "connection_init", "payload": {}})).await;
    assert_eq!(socket.hears().await["type"], "connection_ack");
    let (mut access, mut refresh) = (String::new(), String::new());
    for (name, input) in mutations("eve_ws", password) {
        let data = answered(&mut socket, name, &format!("mutation {{ {name}(input: {input}) {TOKENS} }}")).await;
        (access, refresh) = note(secrets, &data[name]);
    }
    let query = format!("mutation {{ refreshTokens(input: {{refreshToken: \"{refresh}\"}}) {TOKENS} }}");
    note(secrets, &answered(&mut socket, "refresh", &query).await["refreshTokens"]);

    for payload in [json!({"authorization": format!("Bearer {access}")}), json!({"token": access})] {
        let mut socket = Socket::open(server.address()).await;
        socket.says(json!({"type": "connection_init", "payload": payload})).await;
        assert_eq!(socket.hears().await["type"], "connection_ack");
        let make =
            "mutation { createGame(input: {kind: CHIPS, seats: 2, visibility: UNLISTED}) { game { id inviteCode } } }";
        let game = answered(&mut socket, "make", make).await["createGame"]["game"].clone();
        secrets.add(game["inviteCode"].as_str().unwrap());
        let enter = format!("mutation {{ acceptInvite(input: {{code: {}}}) {{ game {{ id }} }} }}", game["inviteCode"]);
        answered(&mut socket, "enter", &enter).await;
    }
    let forged = format!("{access}forged");
    secrets.add_token(&forged);
    let mut socket = Socket::open(server.address()).await;
    socket.says(json!({"type": "connection_init", "payload": {"token": forged}})).await;
    socket.closes().await;
}

/// The data that an operation on a socket is answered with.
async fn answered(socket: &mut Socket, id: &str, query: &str) -> Value {
    socket.subscribes(id, query).await;
    let data = socket.hears_next(id).await;
    socket.hears_complete(id).await;
    data
}

/// Another issuer whose tokens are believed.
pub struct Issuer {
    /// The file that lists it.
    pub file: String,
    key: Ed25519KeyPair,
}

impl Issuer {
    pub fn new(folder: &Path) -> Self {
        let key = Ed25519KeyPair::generate().unwrap();
        let jwk = json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": "theirs", "x": encode(key.public_key())});
        std::fs::write(folder.join("jwks.json"), json!({"keys": [jwk]}).to_string()).unwrap();
        let entry = json!({"issuer": "them", "audience": "us", "algorithms": ["EdDSA"], "jwksFile": "jwks.json"});
        let file = folder.join("issuers.json");
        std::fs::write(&file, json!([entry]).to_string()).unwrap();
        Self { file: file.to_str().unwrap().to_owned(), key }
    }

    fn token(&self, kid: &str, audience: &str, age: u64) -> String {
        let issued = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() - age;
        let claims = json!({"iss": "them", "aud": audience, "sub": "zoe", "iat": issued, "exp": issued + 60});
        sign(&self.key, &json!({"alg": "EdDSA", "kid": kid}), &claims)
    }

    /// One of its users calls: with a good token, and with some that are not.
    pub async fn visit(&self, server: &Program, secrets: &mut Secrets) {
        let good = self.token("theirs", "us", 0);
        let bad = [self.token("unknown", "us", 0), self.token("theirs", "others", 0), self.token("theirs", "us", 600)];
        for token in [&good].into_iter().chain(&bad) {
            secrets.add_token(token);
            let status = if *token == good { 200 } else { 401 };
            let answer = server.get("/v1/players/me").bearer_auth(token).await;
            assert_eq!(answer.status, status);
            let zoe = Player { token: Some(token.clone()), ..server.anybody() };
            let mut socket = Socket::open(server.address()).await;
            socket.says(json!({"type": "connection_init", "payload": zoe.init()})).await;
            if status == 200 {
                assert_eq!(socket.hears().await["type"], "connection_ack");
            } else {
                socket.closes().await;
            }
        }
        let log = server.log();
        for reason in ["there is no such key", "another audience", "it expired"] {
            assert!(log.contains(reason), "{reason}: {log}");
        }
    }
}
