//! How requests and answers travel: HTTP/2 without TLS, compression, request ids, and as many connections as allowed.

use futures::StreamExt;
use reqwest::{Client, Response, Version};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use test_support::{Player, Program, folder, http};

async fn stream(player: &Player, game: &str) -> Response {
    let request = player.get(&format!("/v1/games/{game}/events")).header("accept", "text/event-stream");
    request.header("accept-encoding", "gzip, br").send().await.unwrap()
}

#[tokio::test]
async fn http_2_is_spoken_without_tls() {
    let data = folder();
    let mut server = Program::start(data.path(), &[]);
    server.http = Client::builder().http2_prior_knowledge().build().unwrap();
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    let shown = ada.looks_at(&game).send().await.unwrap();
    assert_eq!((shown.version(), shown.status().as_u16()), (Version::HTTP_2, 200));
    let mut told = stream(&bob, &game).await.bytes_stream();
    let first = told.next().await.unwrap().unwrap();
    assert!(first.starts_with(b":"), "a comment, at once: {first:?}");
    let second = told.next().await.unwrap().unwrap();
    assert!(second.starts_with(b"id: 1\n"), "{second:?}");
}

/// Which HTTP is spoken shows in the first bytes, and those need not come together.
#[tokio::test]
async fn whichever_http_is_spoken_may_begin_in_pieces() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let answer_to = |pieces: &[&[u8]]| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        for piece in pieces {
            stream.write_all(piece).unwrap();
            std::thread::sleep(Duration::from_millis(50));
        }
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        first
    };
    assert_eq!(&answer_to(&[b"P", b"ATCH /livez HTTP/1.1\r\nhost: x\r\n\r\n"]), b"HTTP/1.1 405");
    assert_eq!(&answer_to(&[b"PR", b"OPFIND /livez HTTP/1.1\r\nhost: x\r\n\r\n"]), b"HTTP/1.1 405");
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    let first = answer_to(&[b"PRI * HTTP/2.0\r\n", b"\r\nSM\r\n", b"\r\n", &settings]);
    assert_eq!((first[3], &first[4..9]), (4, &[0; 5][..]), "a frame of settings: {first:?}");
}

#[tokio::test]
async fn plain_answers_say_what_they_would_depend_on() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let answer = server.get("/v1/kinds").await;
    let vary: Vec<_> = answer.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
    let vary = vary.join(", ");
    for header in ["accept-language", "accept-encoding", "origin"] {
        assert!(vary.split(", ").any(|name| name == header), "{header} in {vary}");
    }
}

#[tokio::test]
async fn answers_are_compressed_as_the_caller_likes_and_streams_are_not() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    for encoding in ["gzip", "br"] {
        let answer = server.get("/openapi.json").header("accept-encoding", encoding).await;
        assert_eq!(answer.header("content-encoding"), encoding);
        assert!(answer.header("vary").contains("accept-encoding"));
        let length = answer.bytes.len();
        let plain = server.get("/openapi.json").await.bytes.len();
        assert!(length * 3 < plain, "{length} of {plain} bytes");
    }
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    let told = stream(&ada, &game).await;
    assert_eq!(
        (http::header(told.headers(), "content-type"), http::header(told.headers(), "content-encoding")),
        ("text/event-stream".into(), String::new())
    );
}

#[tokio::test]
async fn every_answer_has_a_request_id_the_callers_own_if_it_is_a_sane_one() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let given = server.get("/nowhere").await.header("x-request-id");
    assert_eq!(given.len(), 36, "{given}");
    let with = async |id: &str| server.get("/livez").header("x-request-id", id).await.header("x-request-id");
    assert_eq!(with("my-request.42").await, "my-request.42");
    for insane in ["a b", "\"", &"x".repeat(65)] {
        assert_eq!(with(insane).await.len(), 36, "{insane}");
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_a_problem_like_any_other() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let body = json!({"displayName": "x".repeat(100_000)});
    let refused = server.post("/v1/players").json(&body).await;
    assert_eq!(refused.problem(), (413, "PAYLOAD_TOO_LARGE".to_owned()));
}

#[tokio::test]
async fn no_more_connections_are_served_than_allowed_and_others_wait_for_a_place() {
    let data = folder();
    let server = Program::start(data.path(), &["--max-connections", "1"]);
    let occupying = TcpStream::connect(server.address()).unwrap();
    let waiting = server.get("/livez").send();
    tokio::pin!(waiting);
    let early = tokio::time::timeout(Duration::from_millis(300), &mut waiting).await;
    assert!(early.is_err(), "the only place is taken");
    occupying.shutdown(std::net::Shutdown::Both).unwrap();
    assert_eq!((&occupying).read(&mut [0; 8]).unwrap_or(0), 0);
    assert_eq!(waiting.await.unwrap().status(), 200);
}
