//! Traces, received by a collector of our own.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use test_support::{Program, folder};

/// Takes what is sent to it by OTLP over HTTP.
struct Collector {
    address: String,
    received: Arc<Mutex<Vec<Value>>>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let received = Arc::<Mutex<Vec<Value>>>::default();
        let gathered = received.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let gathered = gathered.clone();
                thread::spawn(move || serve(&stream, &gathered));
            }
        });
        Self { address, received }
    }

    /// The spans, each as its name and attributes.
    fn spans(&self) -> Vec<(String, BTreeMap<String, String>)> {
        let received = self.received.lock().unwrap();
        let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
        let resources = received.iter().flat_map(|body| list(body, "resourceSpans"));
        let scopes = resources.flat_map(|resource| list(&resource, "scopeSpans"));
        let spans = scopes.flat_map(|scope| list(&scope, "spans"));
        spans
            .map(|span| {
                let attributes = list(&span, "attributes").into_iter().map(|attribute| {
                    let value = attribute["value"].as_object().unwrap().values().next().unwrap().clone();
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    (attribute["key"].as_str().unwrap().to_owned(), text)
                });
                (span["name"].as_str().unwrap().to_owned(), attributes.collect())
            })
            .collect()
    }
}

/// Reads requests from a connection and answers each.
fn serve(stream: &TcpStream, gathered: &Mutex<Vec<Value>>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        let mut line = String::new();
        loop {
            line.clear();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        gathered.lock().unwrap().push(serde_json::from_slice(&body).unwrap());
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        (&*stream).write_all(answer.as_bytes()).unwrap();
    }
}

#[tokio::test]
async fn every_request_is_one_span_with_the_games_id_and_kind() {
    let collector = Collector::start();
    let data = folder();
    let endpoint = format!("http://{}/v1/traces", collector.address);
    // Whatever is logged, everything is traced.
    let server = Program::start(data.path(), &["--otlp-endpoint", &endpoint, "--log", "error"]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    let mv = ada.a_move(&game).await;
    ada.posts(&format!("/v1/games/{game}/moves"), json!({"id": mv})).await;
    assert_eq!(server.get("/nowhere").await.status, 404);
    server.stop();

    let spans = collector.spans();
    // Two guests; create, sit, start; legal moves, move; nowhere.
    assert_eq!(spans.len(), 8, "{spans:#?}");
    assert!(spans.iter().all(|(name, _)| name == "request"));
    let (_, played) = spans.iter().find(|(_, span)| span["route"] == "/v1/games/{id}/moves").unwrap();
    assert_eq!((&played["game"], played["kind"].as_str()), (&game, "CHIPS"));
    assert_eq!((&played["player"], played["status"].as_str()), (&ada.id, "200"));
    assert!(spans.iter().any(|(_, span)| span["route"] == "unmatched" && span["status"] == "404"));
    let text = format!("{:?}", collector.received.lock().unwrap());
    assert!(!text.contains(ada.access_token()) && !text.contains(&ada.refresh_token));
}

#[tokio::test]
async fn a_collector_that_is_down_is_no_trouble() {
    let data = folder();
    let server = Program::start(data.path(), &["--otlp-endpoint", "http://127.0.0.1:1/v1/traces"]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    ada.starts_a_game_with(&bob).await;
    server.stop();
}
