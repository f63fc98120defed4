//! Tokens that were good once: the service gave them out, or believed them, and has reason not to any more.

use super::rows::Row;
use crate::backend::Backend;
use ludotheque::auth::Keys;
use reqwest::Method;
use serde_json::{Value, json};
use test_support::Server;

/// A new sign-in, as the service answers it.
async fn tokens(server: &Server, path: &str, body: Value) -> Value {
    server.anybody().post(path).json(&body).await.ok()
}

async fn guest(server: &Server) -> Value {
    tokens(server, "/v1/players", json!({"displayName": "Stale"})).await
}

async fn account(server: &Server, username: &str) -> Value {
    tokens(server, "/v1/players", json!({"displayName": "Stale", "username": username, "password": "correct horse"}))
        .await
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// A call with a token, which is not refused.
async fn call(server: &Server, method: Method, path: &str, token: &str, body: Value) {
    let caller = test_support::Player { token: Some(token.to_owned()), ..server.anybody() };
    let answer = caller.ask(method, path).json(&body).await;
    assert!((200..300).contains(&answer.status), "{answer:?}");
}

/// All of them; afterwards the server signs with another key.
pub(crate) async fn rows(server: &Server, backend: &Backend) -> Vec<Row> {
    let mut rows = vec![reused(server).await, signed_out(server).await, deleted(server).await];
    rows.push(of_an_old_password(server).await);
    rows.push(("a refresh token".to_owned(), text(&guest(server).await["refreshToken"])));
    rows.extend(of_a_backend(server, backend).await);
    rows.push(of_a_retired_key(server).await);
    rows
}

/// Its refresh token was used again after its successor: its family was revoked.
async fn reused(server: &Server) -> Row {
    let first = guest(server).await;
    let refresh = json!({"refreshToken": first["refreshToken"]});
    let second = tokens(server, "/v1/tokens", refresh.clone()).await;
    let second = tokens(server, "/v1/tokens", json!({"refreshToken": second["refreshToken"]})).await;
    let again = server.anybody().ask(Method::POST, "/v1/tokens").json(&refresh).await;
    assert_eq!((again.status, &again.json()["code"]), (401, &json!("INVALID_TOKEN")), "{again:?}");
    assert!(again.header("www-authenticate").starts_with("Bearer"), "{again:?}");
    ("of a family that was revoked".to_owned(), text(&second["accessToken"]))
}

async fn signed_out(server: &Server) -> Row {
    let token = text(&guest(server).await["accessToken"]);
    call(server, Method::DELETE, "/v1/tokens/current", &token, json!({})).await;
    ("signed out".to_owned(), token)
}

async fn deleted(server: &Server) -> Row {
    let token = text(&guest(server).await["accessToken"]);
    call(server, Method::DELETE, "/v1/players/me", &token, json!({})).await;
    ("of a deleted account".to_owned(), token)
}

/// The password was changed from another sign-in.
async fn of_an_old_password(server: &Server) -> Row {
    let elsewhere = text(&account(server, "stale").await["accessToken"]);
    let here = tokens(server, "/v1/tokens", json!({"username": "stale", "password": "correct horse"})).await;
    let change = json!({"password": "battery staple", "currentPassword": "correct horse"});
    call(server, Method::PATCH, "/v1/players/me", &text(&here["accessToken"]), change).await;
    ("of a sign-in before the new password".to_owned(), elsewhere)
}

async fn of_a_backend(server: &Server, backend: &Backend) -> [Row; 2] {
    let now = super::forge::seconds();
    let [left, gone] = ["left", "gone"].map(|sub| backend.token(sub, now).expose().to_owned());
    call(server, Method::DELETE, "/v1/tokens/current", &left, json!({})).await;
    call(server, Method::DELETE, "/v1/players/me", &gone, json!({})).await;
    [("a backend's, signed out".to_owned(), left), ("a backend's, of a deleted account".to_owned(), gone)]
}

/// The key that signed it was removed.
async fn of_a_retired_key(server: &Server) -> Row {
    let keys = Keys::open(server.data()).unwrap();
    let (before, retired) = (keys.list()[0].kid.clone(), keys.rotate().unwrap());
    server.app.identity.refresh().await;
    let token = text(&guest(server).await["accessToken"]);
    keys.rotate().unwrap();
    keys.remove(&retired).unwrap();
    assert!(keys.list().iter().any(|key| key.kid == before));
    server.app.identity.refresh().await;
    ("signed with a key that was retired".to_owned(), token)
}
