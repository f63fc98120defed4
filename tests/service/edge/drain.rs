//! SIGTERM: what is in flight is answered, streams end, and the program ends well.

use futures::StreamExt;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use test_support::{Program, folder};

#[tokio::test]
async fn sigterm_answers_the_move_in_flight_and_ends_streams_and_exits_with_0() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    let mut stream = {
        let request = bob.get(&format!("/v1/games/{game}/events")).header("accept", "text/event-stream");
        request.send().await.unwrap().bytes_stream()
    };
    assert!(stream.next().await.unwrap().is_ok());

    // A move of which the server has received half when it gets the stop signal.
    let body = json!({"id": ada.a_move(&game).await}).to_string();
    let mut in_flight = TcpStream::connect(server.address()).unwrap();
    in_flight.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let (address, token, length) = (server.address().to_owned(), ada.access_token(), body.len());
    let head = format!(
        "POST /v1/games/{game}/moves HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\nExpect: 100-continue\r\n\r\n"
    );
    in_flight.write_all(head.as_bytes()).unwrap();
    let mut go_on = [0; 25];
    in_flight.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n", "the handler is waiting for the body");

    server.terminate();
    let mut told = Vec::new();
    while let Some(chunk) = stream.next().await {
        told.extend(chunk.expect("a stream ends, it does not break off"));
    }
    let told = String::from_utf8(told).unwrap();
    assert!(told.ends_with("retry: 1000\n\n"), "the stream ends with a retry time: {told}");
    in_flight.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    in_flight.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let (status, log) = server.ends();
    assert_eq!(status.code(), Some(0), "{log}");

    let again = Program::start(data.path(), &[]);
    let events = ada.at(&again).get(&format!("/v1/games/{game}/events?after=3")).await;
    let events: serde_json::Value = events.ok();
    assert_eq!(events["items"][0]["version"], 4, "the move that was answered is there: {events}");
}
