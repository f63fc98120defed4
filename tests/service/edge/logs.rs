//! What is logged: one line per request, and never a secret.

use crate::edge::log_transports::{Issuer, over_graphql};
use reqwest::Client;
use serde_json::{Value, json};
use std::path::Path;
use test_support::postgres;
use test_support::{Player, Program, folder};

/// Every secret of a whole evening, in every form it could be written in.
#[derive(Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    fn tokens_of(&mut self, player: &Player) {
        self.add(&player.refresh_token);
        self.add_token(player.access_token());
    }

    pub fn add(&mut self, secret: &str) {
        self.0.push(secret.to_owned());
        // The way Rust shows bytes.
        let numbers = format!("{:?}", secret.as_bytes());
        self.0.push(numbers.trim_matches(['[', ']']).to_owned());
    }

    pub fn add_token(&mut self, token: &str) {
        self.add(token);
        // Its signature alone would be as bad as the whole token.
        self.0.extend(token.rsplit('.').next().map(str::to_owned));
    }

    /// 32 bytes as hexadecimal digits: also as a list of numbers, the way Rust shows bytes.
    fn add_bytes(&mut self, hex: &str) {
        let bytes: Vec<_> =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
        let numbers = format!("{:?}", &bytes[4..16]);
        self.0.extend([hex.to_owned(), numbers.trim_matches(['[', ']']).to_owned()]);
    }

    fn are_not_in(&self, log: &str) {
        for secret in &self.0 {
            assert!(secret.len() >= 10, "{secret} is too short to be looked for");
            let found = log.lines().find(|line| line.contains(secret.as_str()));
            assert_eq!(found, None, "it tells {secret}");
        }
    }
}

async fn tokens(server: &Program, path: &str, body: &Value) -> Option<Player> {
    let answer = server.post(path).json(body).await;
    answer.is_success().then(|| server.player(&answer))
}

/// Everything that has to do with secrets, done once; tells the id of a player and of a request.
async fn evening(server: &Program, secrets: &mut Secrets) -> Player {
    let password = "correct horse battery";
    secrets.add(password);
    let account = json!({"displayName": "Ada", "username": "ada", "password": password});
    secrets.tokens_of(&tokens(server, "/v1/players", &account).await.unwrap());
    let sign_in = |password| json!({"username": "ada", "password": password});
    let ada = tokens(server, "/v1/tokens", &sign_in(password)).await.unwrap();
    secrets.tokens_of(&ada);
    let wrong = "wrong horse battery";
    secrets.add(wrong);
    assert!(tokens(server, "/v1/tokens", &sign_in(wrong)).await.is_none());
    let refreshed = tokens(server, "/v1/tokens", &json!({"refreshToken": ada.refresh_token})).await.unwrap();
    secrets.tokens_of(&refreshed);
    let again = tokens(server, "/v1/tokens", &json!({"refreshToken": refreshed.refresh_token})).await.unwrap();
    secrets.tokens_of(&again);
    assert!(tokens(server, "/v1/tokens", &json!({"refreshToken": ada.refresh_token})).await.is_none(), "used twice");
    let ada = tokens(server, "/v1/tokens", &sign_in(password)).await.unwrap();
    secrets.tokens_of(&ada);
    let forged = format!("{}forged", ada.access_token());
    let refused = server.get("/v1/players/me").bearer_auth(&forged).await;
    assert_eq!(refused.status, 401);
    secrets.add(&forged);

    let bob = server.guest("Bob").await;
    secrets.tokens_of(&bob);
    let variable = "known to nobody else";
    secrets.add(variable);
    let look = "query Look($id: ID!) { me { id } game(id: $id) { id } }";
    let body = json!({"query": look, "variables": {"id": variable}});
    let answer = ada.post("/graphql").json(&body).await;
    assert_eq!(answer.status, 200);
    let game = ada.posts("/v1/games", json!({"kind": "CHIPS", "seats": 2, "visibility": "UNLISTED"})).await;
    let (id, invite) = (game["id"].as_str().unwrap(), game["inviteCode"].as_str().unwrap());
    secrets.add(invite);
    bob.posts(&format!("/v1/invites/{invite}"), Value::Null).await;
    bob.posts(&format!("/v1/games/{id}/seats"), Value::Null).await;
    ada.posts(&format!("/v1/games/{id}/start"), Value::Null).await;
    let mv = ada.a_move(id).await;
    ada.posts(&format!("/v1/games/{id}/moves"), json!({"id": mv})).await;
    bob.posts(&format!("/v1/games/{id}/resignation"), Value::Null).await;
    let replay: Value = ada.get(&format!("/v1/games/{id}/replay")).await.json();
    secrets.add_bytes(replay["seed"].as_str().unwrap());
    let signed_out = bob.delete("/v1/tokens/current").await;
    assert_eq!(signed_out.status, 204);
    ada
}

async fn run(data: &Path, settings: &[&str], client: Client) -> (String, Secrets, Player) {
    let mut server = Program::start(data, settings);
    server.http = client;
    let mut secrets = Secrets::default();
    let ada = evening(&server, &mut secrets).await;
    stop_after(server, secrets, ada).await
}

async fn stop_after(server: Program, secrets: Secrets, ada: Player) -> (String, Secrets, Player) {
    let named = ada.get("/v1/players/me").header("x-request-id", "the-last-one").await;
    assert_eq!(named.status, 200);
    (server.stop(), secrets, ada)
}

#[tokio::test]
async fn a_whole_run_logs_no_secret_on_any_transport_even_at_trace_level() {
    let h2 = Client::builder().http2_prior_knowledge().build().unwrap();
    let url = postgres::database();
    let stores = [("human", Client::new(), &[][..]), ("json", h2, &["--store", &url])];
    for (format, client, store) in stores {
        let data = folder();
        let issuer = Issuer::new(data.path());
        let settings = ["--log", "trace", "--log-format", format, "--issuers", &issuer.file];
        let mut server = Program::start(data.path(), &[&settings[..], store].concat());
        server.http = client;
        let mut secrets = Secrets::default();
        let ada = evening(&server, &mut secrets).await;
        over_graphql(&server, &mut secrets).await;
        issuer.visit(&server, &mut secrets).await;
        let (log, secrets, ada) = stop_after(server, secrets, ada).await;
        secrets.are_not_in(&log);
        // The log is one that could have told: it has the same requests in it, and lines of that depth.
        assert!(log.contains("/v1/invites/{code}") && log.contains(&ada.id), "{log}");
        assert!(log.contains("DEBUG") && log.contains("it gets the same successor"), "{log}");
    }
}

#[tokio::test]
async fn no_filter_makes_a_library_tell_more_than_it_should() {
    let data = folder();
    let libraries = "tungstenite=trace,tokio_tungstenite=trace,hyper=trace,h2=trace,sled=trace,ludotheque=trace";
    let server = Program::start(data.path(), &["--log", libraries]);
    let mut secrets = Secrets::default();
    over_graphql(&server, &mut secrets).await;
    let log = server.stop();
    secrets.are_not_in(&log);
    let deep = |line: &&str| line.contains("TRACE") || line.contains("DEBUG");
    let theirs: Vec<_> = log.lines().filter(deep).filter(|line| !line.contains(" ludotheque")).collect();
    assert!(theirs.is_empty(), "{theirs:#?}");
}

#[tokio::test]
async fn every_request_is_one_line_that_says_what_it_was_and_what_became_of_it() {
    let data = folder();
    let (log, _, ada) = run(data.path(), &["--log-format", "json"], Client::new()).await;
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let answered: Vec<_> = lines.iter().filter(|line| line["message"] == "answered").collect();
    let last = answered.last().unwrap();
    let span = &last["span"];
    assert_eq!(
        (&span["method"], &span["route"], &span["id"]),
        (&json!("GET"), &json!("/v1/players/me"), &json!("the-last-one"))
    );
    assert_eq!((&span["status"], &span["player"]), (&json!(200), &json!(ada.id)));
    assert!(last["ms"].as_f64().is_some_and(|ms| ms > 0.0), "{last}");
    let played: Vec<_> = answered.iter().filter(|line| line["span"]["route"] == "/v1/games/{id}/moves").collect();
    assert_eq!(played.len(), 1);
    assert_eq!(played[0]["span"]["kind"], "CHIPS");
    assert!(played[0]["span"]["game"].as_str().is_some_and(|game| game.starts_with("game_")), "{}", played[0]);
    let operations: Vec<_> = lines.iter().filter(|line| line["span"]["name"] == "operation").collect();
    let [operation] = operations[..] else { panic!("{operations:?}") };
    assert_eq!(operation["message"], "executed");
    let span = &operation["span"];
    assert_eq!((&span["sort"], &span["operation"], &span["player"]), (&json!("query"), &json!("Look"), &json!(ada.id)));
    let refused = answered.iter().filter(|line| line["span"]["status"] == 401);
    assert_eq!(refused.count(), 3);
}
