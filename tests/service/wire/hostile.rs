//! What is sent to keep a server busy is refused on every transport it can reach, with a clear error, before anything is
//! executed; the tests count how little is examined.

use axum::body::{Body, Bytes};
use axum::http::Request;
use futures::stream;
use ludotheque::graphql::guard::{self, DocumentLimits};
use ludotheque::routing::router;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use test_support::Server;
use test_support::graphql::{INTROSPECTION, fragments};
use tokio_tungstenite::tungstenite::Message;
use tower::ServiceExt;

/// Each with the limit that it meets.
fn documents() -> Vec<(&'static str, String, &'static str)> {
    let aliases = (0..1_000).fold(String::new(), |text, number| text + &format!("a{number}: __typename "));
    vec![
        ("a bomb of fragments", fragments(30, 2), "depth"),
        ("a wide bomb", fragments(12, 4), "nodes"),
        ("a chain of fragments", fragments(900, 1), "depth"),
        ("duplicate fields", format!("{{ {} }}", "__typename ".repeat(2_500)), "nodes"),
        ("aliases", format!("{{ {aliases} }}"), "aliases"),
        ("nested lists", format!("{{ kinds(x: {}{}) {{ id }} }}", "[".repeat(10_000), "]".repeat(10_000)), "nesting"),
        ("nested selections", format!("{}{}", "{ a ".repeat(6_000), "}".repeat(6_000)), "nesting"),
        ("directives", format!("{{ __typename {} }}", "@include(if: true) ".repeat(60)), "directives"),
        ("a comment", format!("#{}\n{{ __typename }}", "x".repeat(40_000)), "bytes"),
        ("tokens", format!("{{ a(x: [{}]) }}", "1 ".repeat(9_000)), "tokens"),
    ]
}

#[track_caller]
fn is_refused_for(errors: &Value, limit: &str, name: &str) {
    let extensions = &errors[0]["extensions"];
    assert_eq!(
        (&extensions["code"], &extensions["limit"]),
        (&json!("LIMIT_EXCEEDED"), &json!(limit)),
        "{name}: {errors}"
    );
    let message = errors[0]["message"].as_str().unwrap();
    assert!(message.contains(&extensions["most"].to_string()) || message.len() > 40, "{message}");
}

#[tokio::test]
async fn hostile_documents_are_refused_on_every_transport_before_they_are_carried_out() {
    let server = Server::as_shipped().await;
    let anybody = server.anybody();
    let mut socket = server.socket(&anybody).await;
    for (name, document, limit) in documents() {
        let body = json!({"query": document});
        let answer = anybody.asks(&body).await;
        assert_eq!((answer.status, answer.json().get("data")), (400, None), "{name}");
        is_refused_for(&answer.json()["errors"], limit, name);
        is_refused_for(&anybody.asks_json(&body).await.json()["errors"], limit, name);
        is_refused_for(&anybody.asks(&json!([body])).await.json()[0]["errors"], limit, name);
        if document.len() < 10_000 {
            is_refused_for(&anybody.graphql_get(&[("query", &document)]).await.json()["errors"], limit, name);
        }
        let mut events = anybody.streams(&body).await;
        is_refused_for(&events.payload().await["errors"], limit, name);
        events.completes().await;
        socket.subscribes(name, &document).await;
        is_refused_for(&socket.hears_error(name).await, limit, name);
    }
    let metrics = server.metrics();
    assert!(!metrics.contains("graphql_operations_total{"), "something was executed: {metrics}");
    assert!(anybody.asks(&json!({"query": INTROSPECTION})).await.data().is_object(), "what is not hostile passes");
    assert!(server.metrics().contains("graphql_operations_total{"), "and is counted");
}

#[test]
fn what_refusing_them_takes_is_bounded() {
    for (name, document, _) in documents() {
        let work = guard::check(&document, &DocumentLimits::default()).unwrap_err().work;
        assert!(
            work.bytes <= DocumentLimits::default().bytes && work.tokens <= 8_001 && work.visited <= 8_000,
            "{name}: {work:?}"
        );
    }
}

#[tokio::test]
async fn a_batch_of_1_000_is_refused() {
    let server = Server::as_shipped().await;
    let batch = Value::Array(vec![json!({"query": "{__typename}"}); 1_000]);
    is_refused_for(&server.anybody().asks(&batch).await.json()["errors"], "batch", "a batch");
    assert!(!server.metrics().contains("graphql_operations_total{"));
}

/// A body of 64 MiB, and how much of it was read.
fn endless() -> (Body, Arc<AtomicUsize>) {
    let read = Arc::<AtomicUsize>::default();
    let counted = read.clone();
    let chunks = (0..1024).map(move |_| {
        counted.fetch_add(64 * 1024, Ordering::Relaxed);
        Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 64 * 1024]))
    });
    (Body::from_stream(stream::iter(chunks)), read)
}

#[tokio::test]
async fn of_a_body_of_64_mib_next_to_nothing_is_read() {
    let server = Server::as_shipped().await;
    let ask = async |length: Option<u64>| {
        let (body, read) = endless();
        let request = Request::post("/graphql").header("content-type", "application/json");
        let request = match length {
            Some(length) => request.header("content-length", length),
            None => request,
        };
        let response = router(&server.app).oneshot(request.body(body).unwrap()).await.unwrap();
        assert_eq!(response.status(), 413);
        let text = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
        let json: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(json["errors"][0]["extensions"]["code"], "PAYLOAD_TOO_LARGE");
        read.load(Ordering::Relaxed)
    };
    assert_eq!(ask(Some(64 << 20)).await, 0, "it says how long it is");
    assert!(ask(None).await <= 3 * 64 * 1024, "it does not");
}

#[tokio::test]
async fn a_comment_of_32_mib_does_not_get_in() {
    let server = Server::as_shipped().await;
    let body = json!({"query": format!("#{}\n{{ __typename }}", "x".repeat(32 << 20))}).to_string();
    let request =
        Request::post("/graphql").header("content-type", "application/json").header("content-length", body.len());
    let response = router(&server.app).oneshot(request.body(Body::from(body.clone())).unwrap()).await.unwrap();
    assert_eq!(response.status(), 413);
    let mut socket = server.socket(&server.anybody()).await;
    let message = json!({"type": "subscribe", "id": "a", "payload": {"query": body}}).to_string();
    // The server stops reading, so that not all of it can be sent.
    let _cut_short = futures::SinkExt::send(&mut socket.0, Message::text(message)).await;
    let end = socket.frame().await;
    assert!(matches!(end, None | Some(Err(_) | Ok(Message::Close(_)))), "{end:?}");
    assert!(!server.metrics().contains("graphql_operations_total{"));
}

#[tokio::test]
async fn variables_that_nest_without_end_are_refused() {
    let server = Server::as_shipped().await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let body = format!(r#"{{"query": "{{ __typename }}", "variables": {{"x": {deep}}}}}"#);
    let request = server.anybody().graphql().header("content-type", "application/json").body(body.clone());
    assert_eq!(request.await.refusal(), (400, "MALFORMED".to_owned()));
    let mut socket = server.socket(&server.anybody()).await;
    socket.sends(Message::text(format!(r#"{{"type": "subscribe", "id": "a", "payload": {body}}}"#))).await;
    assert_eq!(socket.closes().await, 4400);
}
