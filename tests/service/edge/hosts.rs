//! Requests that name no host, or several: refused in the shape of the face they are for.

use serde_json::{Value, json};
use test_support::http2::{Connection, DATA};
use test_support::openapi;
use test_support::{Program, folder};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The status line and headers of an answer over HTTP/1, and its body as JSON.
async fn ask(server: &Program, head: &str) -> (String, Value) {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), serde_json::from_str(body).unwrap_or_default())
}

/// The body of an answer over HTTP/2.
async fn ask_http2(server: &Program, path: &str, headers: &[(&str, &str)]) -> Value {
    let stream = TcpStream::connect(server.address()).await.unwrap();
    let mut connection = Connection::begin(stream, 1 << 20).await;
    let stream = connection.ask(path, headers).await;
    let mut body = Vec::new();
    loop {
        let frame = connection.hear().await.expect("an answer");
        if (frame.kind, frame.stream) == (DATA, stream) {
            body.extend(&frame.payload);
        }
        if frame.stream == stream && frame.is_last() {
            return serde_json::from_slice(&body).unwrap();
        }
    }
}

#[tokio::test]
async fn a_preflight_names_its_host_once() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let asks = "Origin: https://play.example.org\r\nAccess-Control-Request-Method: POST";
    for path in ["/v1/games", "/graphql", "/docs"] {
        for (hosts, status) in
            [("Host: a.example\r\n", 200), ("", 400), ("Host: a.example\r\nHost: b.example\r\n", 400)]
        {
            let (answer, _) = ask(&server, &format!("OPTIONS {path} HTTP/1.1\r\n{hosts}{asks}")).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}, {hosts}: {answer}");
        }
    }
}

#[tokio::test]
async fn http_1_names_its_host_once() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let doubled = "Host: a.example\r\nHost: b.example";
    for (head, sentence) in [
        ("GET /v1/kinds HTTP/1.1\r\nAccept: */*".to_owned(), "names no host"),
        ("GET /livez HTTP/1.1\r\nAccept-Language: fr".to_owned(), "ne nomme aucun hôte"),
        (format!("GET /v1/kinds HTTP/1.1\r\n{doubled}"), "several Host headers"),
        (format!("GET /docs HTTP/1.1\r\nAccept-Language: fr\r\n{doubled}"), "plusieurs en-têtes Host"),
        (format!("GET /assets/nothing HTTP/1.1\r\n{doubled}"), "several Host headers"),
        (format!("GET /v1/kinds HTTP/1.0\r\n{doubled}"), "several Host headers"),
    ] {
        let (answer, problem) = ask(&server, &head).await;
        assert!(answer.starts_with("HTTP/1.1 400 ") || answer.starts_with("HTTP/1.0 400 "), "{head}: {answer}");
        assert!(answer.contains("content-type: application/problem+json"), "{head}: {answer}");
        openapi::check_component("Problem", &problem);
        assert_eq!(problem["code"], "MALFORMED", "{head}");
        assert!(problem["detail"].as_str().unwrap().contains(sentence), "{head}: {problem}");
    }
    for head in ["GET /livez HTTP/1.1\r\nHost: x", "GET /livez HTTP/1.0\r\nAccept: */*"] {
        assert_eq!(ask(&server, head).await.1, json!({"status": "ok"}), "{head}");
    }
}

#[tokio::test]
async fn at_graphql_it_is_an_error_of_graphql() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let ask = ask(&server, "GET /graphql?query={__typename} HTTP/1.1\r\nAccept: application/json").await;
    assert!(ask.0.starts_with("HTTP/1.1 400 "), "{}", ask.0);
    assert_eq!(ask.1["errors"][0]["extensions"]["code"], "MALFORMED");
    assert!(ask.1["errors"][0]["message"].as_str().unwrap().contains("Send the header Host once"));
}

#[tokio::test]
async fn http_2_names_one_host_in_either_way_or_the_same_in_both() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    for (headers, code) in [
        (&[(":authority", "a.example")][..], None),
        (&[("host", "a.example")], None),
        (&[(":authority", "a.example"), ("host", "A.EXAMPLE")], None),
        (&[], Some("MALFORMED")),
        (&[(":authority", "a.example"), ("host", "b.example")], Some("MALFORMED")),
        (&[("host", "a.example"), ("host", "a.example")], Some("MALFORMED")),
    ] {
        let answer = ask_http2(&server, "/livez", headers).await;
        assert_eq!(answer["code"].as_str(), code, "{headers:?}: {answer}");
        let answer = ask_http2(&server, "/graphql?query={__typename}", headers).await;
        assert_eq!(answer["errors"][0]["extensions"]["code"].as_str(), code, "{headers:?}: {answer}");
    }
}
