//! Subscribers who never read: their events wait in bounded buffers, and no other client waits for them.

use crate::greedy::others::Others;
use crate::greedy::{caller, connect, gauge, resident};
use futures::SinkExt;
use serde_json::{Value, json};
use test_support::{Player, Program, eventually, folder};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// How many of them there are.
const SOCKETS: u64 = 8;
const STREAMS: u64 = 200;
/// As many operations as a socket may have at a time.
const OPERATIONS: u64 = 100;
/// What one operation may cost, in an unoptimised build too.
const KIB_EACH: u64 = 160;

/// A game with many steps, and a query that tells a lot about each: 40 times when it was.
async fn long_game(server: &Program) -> (String, String) {
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let new = json!({"kind": "CHIPS", "seats": 2});
    let game = ada.posts("/v1/games", new).await["id"].as_str().unwrap().to_owned();
    for _ in 0..100 {
        bob.posts(&format!("/v1/games/{game}/seats"), Value::Null).await;
        let stood = bob.ask(reqwest::Method::DELETE, &format!("/v1/games/{game}/seats/me")).await;
        assert!(stood.is_success());
    }
    let fields = (0..40).map(|number| format!("a{number}: at ")).collect::<Vec<_>>().concat();
    let query = format!("subscription {{ gameEvents(gameId: \"{game}\") {{ {fields} version }} }}");
    (game, query)
}

/// A socket that asks for everything a hundred times over, and reads nothing of it.
async fn deaf_socket(server: &Program, player: &Player, query: &str) -> WebSocketStream<TcpStream> {
    let stream = connect(server, caller(0, 2)).await.unwrap();
    let mut request = format!("ws://{}/graphql", server.address()).into_client_request().unwrap();
    request.headers_mut().insert("sec-websocket-protocol", "graphql-transport-ws".parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::client_async(request, stream).await.unwrap();
    let init = json!({"type": "connection_init", "payload": {"token": player.token}});
    socket.send(Message::text(init.to_string())).await.unwrap();
    for number in 0..OPERATIONS {
        let ask = json!({"type": "subscribe", "id": number.to_string(), "payload": {"query": query}});
        socket.send(Message::text(ask.to_string())).await.unwrap();
    }
    socket
}

/// The same over server-sent events, each on a connection of its own.
async fn deaf_stream(server: &Program, query: &str) -> TcpStream {
    let mut stream = connect(server, caller(0, 2)).await.unwrap();
    let body = json!({"query": query}).to_string();
    let ask = format!(
        "POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(ask.as_bytes()).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: waits until a server gives up"]
async fn sockets_that_never_read_cost_what_their_buffers_do_and_are_given_up() {
    let data = folder();
    let settings = ["--address-rate", "0", "--player-rate", "0", "--log", "error"];
    let server = Program::start(data.path(), &settings);
    let (_, query) = long_game(&server).await;
    let eve = server.guest("Eve").await;
    let others = Others::start(&server).await;
    let before = resident(&server);
    let mut held = Vec::new();
    for _ in 0..SOCKETS {
        held.push(deaf_socket(&server, &eve, &query).await);
    }
    assert_eq!(gauge(&server, "sockets").await, SOCKETS);
    let mut most = 0;
    // Until it has given up every one of them, which takes half a minute.
    eventually(async || {
        most = resident(&server).max(most);
        (gauge(&server, "sockets").await == 0).then_some(())
    })
    .await;
    let grown = most.saturating_sub(before);
    eprintln!("{SOCKETS} sockets with {OPERATIONS} operations each that never read take {grown} KiB at the most");
    assert!(grown < SOCKETS * OPERATIONS * KIB_EACH, "{grown} KiB for {SOCKETS} sockets");
    others.are_served().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: waits until a server gives up"]
async fn streams_that_are_never_read_cost_what_their_buffers_do() {
    let data = folder();
    let settings = ["--address-rate", "0", "--player-rate", "0", "--log", "error"];
    let server = Program::start(data.path(), &settings);
    let (game, query) = long_game(&server).await;
    let others = Others::start(&server).await;
    let before = resident(&server);
    let mut held = Vec::new();
    for _ in 0..STREAMS / 2 {
        held.push(deaf_stream(&server, &query).await);
        let mut rest = connect(&server, caller(0, 3)).await.unwrap();
        let ask = format!("GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n");
        rest.write_all(ask.as_bytes()).await.unwrap();
        held.push(rest);
    }
    eventually(async || (gauge(&server, "streams").await == STREAMS).then_some(())).await;
    let grown = resident(&server).saturating_sub(before);
    eprintln!("{STREAMS} streams that are never read take {grown} KiB");
    assert!(grown < STREAMS * KIB_EACH, "{grown} KiB for {STREAMS} streams");
    others.are_served().await;
}
