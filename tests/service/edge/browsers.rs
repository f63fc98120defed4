//! Browsers: CORS for third-party front ends, and security headers of answers.

use reqwest::Method;
use test_support::{Answer, Program, folder};

const FRONT_END: &str = "https://play.example.org";

async fn preflight(server: &Program, origin: &str) -> Answer {
    let request = server.ask(Method::OPTIONS, "/v1/games").header("origin", origin);
    let request = request.header("access-control-request-method", "POST");
    let headers = "authorization,content-type,idempotency-key,last-event-id,if-none-match,accept-language";
    request.header("access-control-request-headers", headers).await
}

#[tokio::test]
async fn any_front_end_may_call_without_credentials() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let asked = preflight(&server, FRONT_END).await;
    assert_eq!((asked.status, asked.header("access-control-allow-origin")), (200, "*".to_owned()));
    let allowed = asked.header("access-control-allow-headers");
    for name in ["authorization", "content-type", "idempotency-key", "last-event-id", "if-none-match"] {
        assert!(allowed.contains(name), "{name} in {allowed}");
    }
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        assert!(asked.header("access-control-allow-methods").contains(method), "{method}");
    }
    assert_eq!(asked.header("access-control-allow-credentials"), "");
}

#[tokio::test]
async fn a_front_end_may_read_what_it_needs_of_answers_and_of_refusals() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    for (path, status) in [("/v1/kinds", 200), ("/v1/players/me", 401), ("/v1/nothing", 404)] {
        let answer = server.get(path).header("origin", FRONT_END).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (status, "*".to_owned()));
        let exposed = answer.header("access-control-expose-headers");
        for name in ["etag", "location", "retry-after", "x-request-id"] {
            assert!(exposed.contains(name), "{name} in {exposed}");
        }
    }
}

#[tokio::test]
async fn front_ends_can_be_named_and_all_others_are_kept_out() {
    let data = folder();
    let server = Program::start(data.path(), &["--cors-origins", "https://play.example.org,https://other.example"]);
    for (origin, allowed) in [(FRONT_END, FRONT_END), ("https://other.example", "https://other.example")] {
        assert_eq!(preflight(&server, origin).await.header("access-control-allow-origin"), allowed);
    }
    let stranger = preflight(&server, "https://evil.example").await;
    assert_eq!(stranger.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn every_answer_says_that_it_is_data_for_nobody_elses_frame_or_cache() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    for path in ["/v1/kinds", "/openapi.json", "/v1/players/me", "/nowhere", "/metrics", "/livez"] {
        let answer = server.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        let policy = answer.header("content-security-policy");
        assert_eq!(policy, "default-src 'none'; frame-ancestors 'none'", "{path}");
        // What is the same for everybody may be kept, if it is asked for again.
        let cached = if ["/v1/kinds", "/openapi.json"].contains(&path) { "no-cache" } else { "no-store" };
        assert_eq!(answer.header("cache-control"), cached, "{path}");
    }
}

#[tokio::test]
async fn an_answer_that_knows_better_how_it_is_cached_says_so() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    let shown = ada.get(&format!("/v1/games/{game}")).await;
    assert_eq!(shown.header("cache-control"), "private, no-cache");
}
