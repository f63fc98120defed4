//! A mobile backend's user at the service's own door: what REST makes of such a token.

use crate::backend::{Answer, Backend};
use crate::identity::node::bearer;
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use ludotheque::auth::{Secret, real_time};
use ludotheque::routing::router;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::TestedStore;
use test_support::openapi::{self, Heard};
use tower::ServiceExt;

/// The whole service, trusting one backend.
async fn serve() -> (TempDir, Router, Backend) {
    let backend = Backend::start("https://backend.example").await;
    let data = tempfile::tempdir().unwrap();
    let (_, app) = TestedStore::serve(data.path(), Backend::trusted(&[&backend]).into()).await;
    (data, router(&app), backend)
}

async fn call(service: &Router, method: Method, path: &str, token: &Secret) -> (StatusCode, Value) {
    let request = Request::builder().method(&method).uri(path).header("accept-language", "fr");
    let request = request.header("authorization", format!("Bearer {}", token.expose()));
    let answer = service.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let heard = Heard { method: method.as_str(), path, status: status.as_u16(), headers: &headers, bytes: &body };
    openapi::check(&heard);
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

/// Posts JSON under an idempotency key, or under none.
async fn post(service: &Router, path: &str, body: &Value, key: Option<&str>) -> Value {
    let request = Request::builder().method(Method::POST).uri(path).header("content-type", "application/json");
    let request = key.into_iter().fold(request, |request, key| request.header("idempotency-key", key));
    let answer = service.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
    serde_json::from_slice(&answer.into_body().collect().await.unwrap().to_bytes()).unwrap()
}

#[tokio::test]
async fn a_refresh_is_kept_under_its_idempotency_key_on_both_faces() {
    let data = tempfile::tempdir().unwrap();
    let (kept, app) = TestedStore::serve(data.path(), ludotheque::app::Settings::default()).await;
    let (service, store) = (router(&app), kept.players());
    for (graphql, key) in [(false, None), (false, Some("monday")), (true, None), (true, Some("monday"))] {
        let guest = post(&service, "/v1/players", &json!({"displayName": "Ada"}), None).await;
        let token = &guest["refreshToken"];
        let refreshed = if graphql {
            let query = "mutation($input: RefreshTokensInput!) {
                refreshTokens(input: $input) { tokens { accessToken } userErrors { code } } }";
            let input = json!({"refreshToken": token, "idempotencyKey": key});
            let answer =
                post(&service, "/graphql", &json!({"query": query, "variables": {"input": input}}), None).await;
            answer["data"]["refreshTokens"]["tokens"].clone()
        } else {
            post(&service, "/v1/tokens", &json!({"refreshToken": token}), key).await
        };
        let token = refreshed["accessToken"].as_str().unwrap_or_else(|| panic!("{refreshed}"));
        let caller = app.identity.authenticate(&bearer(token), None).await.unwrap().unwrap();
        let family = store.family(caller.session.family().unwrap()).await.unwrap().unwrap();
        let is_kept = family.succession.unwrap().key_tag.is_some();
        assert_eq!(is_kept, key.is_some(), "{key:?}, through GraphQL: {graphql}");
    }
}

fn seconds() -> i64 {
    real_time().0 / 1000
}

#[tokio::test]
async fn a_backends_user_has_a_profile_signs_out_and_is_told_so_in_french() {
    let (_data, service, backend) = serve().await;
    let (token, other) = (backend.token("zoë", seconds()), backend.token("zoë", seconds() - 1));
    let (status, profile) = call(&service, Method::GET, "/v1/players/me", &token).await;
    assert_eq!(
        (status, &profile["displayName"], &profile["username"]),
        (StatusCode::OK, &json!("zoë B."), &Value::Null)
    );
    assert_eq!(call(&service, Method::DELETE, "/v1/tokens/current", &token).await.0, StatusCode::NO_CONTENT);
    let (status, problem) = call(&service, Method::GET, "/v1/players/me", &token).await;
    assert_eq!((status, &problem["code"]), (StatusCode::UNAUTHORIZED, &json!("INVALID_TOKEN")));
    assert_eq!(problem["title"], "Le jeton n'est pas valable");
    assert_eq!(call(&service, Method::GET, "/v1/players/me", &other).await, (StatusCode::OK, profile));
}

#[tokio::test]
async fn a_backends_user_who_is_deleted_is_gone_with_every_token_issued_so_far() {
    let (_data, service, backend) = serve().await;
    let (token, other) = (backend.token("zoë", seconds()), backend.token("zoë", seconds() - 1));
    assert_eq!(call(&service, Method::DELETE, "/v1/players/me", &token).await.0, StatusCode::NO_CONTENT);
    for old in [&token, &other] {
        assert_eq!(call(&service, Method::GET, "/v1/players/me", old).await.1["code"], "INVALID_TOKEN");
    }
}

#[tokio::test]
async fn a_backend_whose_keys_were_never_seen_is_no_fault_of_the_token() {
    let (_data, service, backend) = serve().await;
    backend.answers(Answer::Error);
    let (status, problem) = call(&service, Method::GET, "/v1/players/me", &backend.token("zoë", seconds())).await;
    assert_eq!((status, &problem["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("UNAVAILABLE")));
}
