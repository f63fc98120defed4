//! `graphql-transport-ws`: how a socket begins, how it ends, and with which code.

use ludotheque::app;
use ludotheque::edge::{self, cors::Origins};
use ludotheque::graphql;
use serde_json::{Value, json};
use std::time::Duration;
use test_support::{Player, Server, Socket};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{Error, Message};

async fn init(server: &Server, payload: Value) -> Socket {
    let mut socket = Socket::open(server.address()).await;
    socket.says(json!({"type": "connection_init", "payload": payload})).await;
    socket
}

async fn me(socket: &mut Socket) -> Value {
    socket.subscribes("me", "{ me { id } }").await;
    let me = socket.hears_next("me").await["me"]["id"].clone();
    socket.hears_complete("me").await;
    me
}

#[tokio::test]
async fn the_sub_protocol_is_agreed_on() {
    let server = Server::as_shipped().await;
    let mut request = Socket::request(server.address());
    request.headers_mut().insert("sec-websocket-protocol", "soap, graphql-transport-ws".parse().unwrap());
    let (_, response) = connect_async(request).await.unwrap();
    assert_eq!(response.headers()["sec-websocket-protocol"], "graphql-transport-ws");
}

#[tokio::test]
async fn a_client_that_speaks_no_such_protocol_is_closed_with_4406() {
    let server = Server::as_shipped().await;
    let socket = Socket::with(Socket::request(server.address())).await.unwrap();
    assert_eq!(socket.closes().await, 4406);
}

#[tokio::test]
async fn who_says_nothing_in_time_is_closed_with_4408() {
    let settings = graphql::Settings { init_deadline: Duration::from_millis(100), ..graphql::Settings::default() };
    let server = Server::with_graphql(settings).await;
    assert_eq!(Socket::open(server.address()).await.closes().await, 4408);
    let mut acknowledged = server.socket(&server.anybody()).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    acknowledged.says(json!({"type": "ping"})).await;
    assert_eq!(acknowledged.hears().await, json!({"type": "pong"}), "the deadline is for the first message only");
}

#[tokio::test]
async fn a_second_connection_init_is_closed_with_4429() {
    let server = Server::as_shipped().await;
    let mut socket = server.socket(&server.anybody()).await;
    socket.says(json!({"type": "connection_init"})).await;
    assert_eq!(socket.closes().await, 4429);
}

#[tokio::test]
async fn an_operation_before_the_acknowledgement_is_closed_with_4401() {
    let server = Server::as_shipped().await;
    let mut socket = Socket::open(server.address()).await;
    socket.subscribes("a", "{ kinds { id } }").await;
    assert_eq!(socket.closes().await, 4401);
}

#[tokio::test]
async fn a_token_comes_with_connection_init_under_any_of_three_names() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    let token = ada.token.clone().unwrap();
    for payload in [
        json!({"authorization": format!("Bearer {token}")}),
        json!({"Authorization": format!("bearer {token}")}),
        json!({"token": token}),
    ] {
        let mut socket = init(&server, payload).await;
        assert_eq!(socket.hears().await, json!({"type": "connection_ack"}));
        assert_eq!(me(&mut socket).await, json!(ada.id));
    }
}

#[tokio::test]
async fn who_brings_no_token_is_nobody_in_particular() {
    let server = Server::as_shipped().await;
    for payload in [json!({}), Value::Null, json!({"authorization": null})] {
        let mut socket = init(&server, payload).await;
        assert_eq!(socket.hears().await, json!({"type": "connection_ack"}));
        socket.subscribes("a", "{ me { id } }").await;
        assert_eq!(socket.hears().await["payload"]["data"]["me"], Value::Null);
    }
}

#[tokio::test]
async fn a_bad_token_is_closed_with_4403() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    ada.signs_out().await;
    for payload in [
        json!({"authorization": "Bearer forged"}),
        json!({"authorization": "Basic x"}),
        json!({"token": ""}),
        ada.init(),
    ] {
        assert_eq!(init(&server, payload.clone()).await.closes().await, 4403, "{payload}");
    }
}

#[tokio::test]
async fn a_client_that_is_no_browser_may_send_its_token_with_the_request() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    let request = |token: &str| {
        let mut request = Socket::request(server.address());
        request.headers_mut().insert("sec-websocket-protocol", "graphql-transport-ws".parse().unwrap());
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        request
    };
    let mut socket = Socket::with(request(ada.token.as_ref().unwrap())).await.unwrap();
    socket.says(json!({"type": "connection_init"})).await;
    assert_eq!(socket.hears().await, json!({"type": "connection_ack"}));
    assert_eq!(me(&mut socket).await, json!(ada.id));
    let Err(error) = Socket::with(request("forged")).await else { panic!("it is forged") };
    assert!(matches!(*error, Error::Http(response) if response.status() == 401));
}

#[tokio::test]
async fn what_is_no_message_is_closed_with_4400() {
    let server = Server::as_shipped().await;
    for text in [
        "",
        "{",
        "[]",
        "7",
        "{}",
        r#"{"type": 7}"#,
        r#"{"type": "start"}"#,
        r#"{"type": "connection_init", "payload": 7}"#,
        r#"{"type": "connection_init", "payload": {"token": 7}}"#,
        r#"{"type": "ping", "payload": "x"}"#,
        r#"{"type": "pong", "payload": []}"#,
        r#"{"type": "complete"}"#,
        r#"{"type": "complete", "id": 7}"#,
        r#"{"type": "subscribe", "payload": {"query": "{ a }"}}"#,
        r#"{"type": "subscribe", "id": "", "payload": {"query": "{ a }"}}"#,
        r#"{"type": "subscribe", "id": 7, "payload": {"query": "{ a }"}}"#,
        r#"{"type": "subscribe", "id": "a"}"#,
        r#"{"type": "subscribe", "id": "a", "payload": {}}"#,
        r#"{"type": "subscribe", "id": "a", "payload": ["{ a }"]}"#,
        r#"{"type": "subscribe", "id": "a", "payload": {"query": 7}}"#,
        r#"{"type": "subscribe", "id": "a", "payload": {"query": "{ a }", "variables": "x"}}"#,
        r#"{"type": "subscribe", "id": "a", "payload": {"query": "{ __typename }", "query": "{ me { id } }"}}"#,
        r#"{"type": "ping", "payload": {"a": 1, "a": 2}}"#,
    ] {
        let mut socket = Socket::open(server.address()).await;
        socket.sends(Message::text(text)).await;
        assert_eq!(socket.closes().await, 4400, "{text}");
    }
    let mut socket = Socket::open(server.address()).await;
    socket.sends(Message::binary(br#"{"type": "connection_init"}"#.as_slice())).await;
    assert_eq!(socket.closes().await, 4400, "binary");
    let mut socket = server.socket(&server.anybody()).await;
    socket.subscribes(&"x".repeat(129), "{ kinds { id } }").await;
    assert_eq!(socket.closes().await, 4400, "a long id");
}

#[tokio::test]
async fn a_message_that_is_too_long_is_closed_with_1009() {
    let server = Server::as_shipped().await;
    let mut socket = Socket::open(server.address()).await;
    socket.says(json!({"type": "ping", "payload": {"x": "x".repeat(65 * 1024)}})).await;
    assert_eq!(socket.closes().await, 1009);
}

#[tokio::test]
async fn a_ping_is_answered_with_its_payload_even_before_the_acknowledgement() {
    let server = Server::as_shipped().await;
    let mut socket = Socket::open(server.address()).await;
    socket.says(json!({"type": "ping"})).await;
    assert_eq!(socket.hears().await, json!({"type": "pong"}));
    socket.says(json!({"type": "ping", "payload": {"at": 7}})).await;
    assert_eq!(socket.hears().await, json!({"type": "pong", "payload": {"at": 7}}));
    socket.says(json!({"type": "pong", "payload": {"nobody": "asked"}})).await;
    socket.says(json!({"type": "connection_init"})).await;
    assert_eq!(socket.hears().await, json!({"type": "connection_ack"}), "a pong is not answered");
}

#[tokio::test]
async fn a_quiet_socket_is_asked_whether_it_is_there_and_closed_if_it_is_not() {
    let settings = graphql::Settings { keep_alive: Duration::from_millis(50), ..graphql::Settings::default() };
    let server = Server::with_graphql(settings).await;
    let gone = server.socket(&server.anybody()).await;
    assert!(server.metrics().contains("ludotheque_sockets 1"));
    // Our client answers pings when it reads; this one never does, until the server has given it up.
    while !server.metrics().contains("ludotheque_sockets 0") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(gone);
    let mut there = server.socket(&server.anybody()).await;
    for _ in 0..8 {
        let frame = tokio::time::timeout(test_support::PATIENCE, futures::StreamExt::next(&mut there.0)).await;
        assert!(matches!(frame, Ok(Some(Ok(Message::Ping(_))))), "{frame:?}");
    }
}

#[tokio::test]
async fn a_server_that_shuts_down_closes_with_1001() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let idle = server.socket(&ada).await;
    let mut listening = server.socket(&ada).await;
    listening
        .subscribes("a", &format!("subscription {{ gameEvents(gameId: \"{game}\", after: 2) {{ version }} }}"))
        .await;
    listening.hears_next("a").await;
    server.terminate();
    assert_eq!((idle.closes().await, listening.closes().await), (1001, 1001));
    drop(ada);
    server.stop().await;
}

#[tokio::test]
async fn a_socket_is_closed_with_4403_when_its_token_expires() {
    let server = Server::with_tokens_for(Duration::from_secs(2)).await;
    let ada = server.guest("Ada").await;
    let quiet = server.socket(&ada).await;
    let nobody = server.socket(&server.anybody()).await;
    assert_eq!(quiet.closes().await, 4403);
    let mut nobody = nobody;
    nobody.says(json!({"type": "ping"})).await;
    assert_eq!(nobody.hears().await, json!({"type": "pong"}), "who has no token has none to lose");
}

#[tokio::test]
async fn a_socket_is_closed_with_4403_after_a_sign_out_and_nothing_more_is_told() {
    let server = Server::as_shipped().await;
    let (game, ada, bob) = server.table_for_two().await;
    let mut asking = server.socket(&ada).await;
    let mut listening = server.socket(&ada).await;
    listening
        .subscribes("a", &format!("subscription {{ gameEvents(gameId: \"{game}\", after: 2) {{ version }} }}"))
        .await;
    assert_eq!(listening.hears_next("a").await["gameEvents"]["version"], 3);
    ada.signs_out().await;
    asking.subscribes("b", "{ me { id } }").await;
    bob.plays_any(&game).await;
    match listening.frame().await {
        Some(Ok(Message::Close(Some(frame)))) => assert_eq!(u16::from(frame.code), 4403),
        other => panic!("{other:?}"),
    }
    assert_eq!(asking.closes().await, 4403);
}

#[tokio::test]
async fn the_language_is_that_of_connection_init_or_else_of_the_request() {
    let server = Server::as_shipped().await;
    let french = async |header: Option<&str>, payload: Value| {
        let mut request = Socket::request(server.address());
        request.headers_mut().insert("sec-websocket-protocol", "graphql-transport-ws".parse().unwrap());
        if let Some(language) = header {
            request.headers_mut().insert("accept-language", language.parse().unwrap());
        }
        let mut socket = Socket::with(request).await.unwrap();
        socket.says(json!({"type": "connection_init", "payload": payload})).await;
        socket.hears().await;
        socket.subscribes("a", "query a { me { id } } query b { me { id } }").await;
        socket.hears_error("a").await[0]["message"].as_str().unwrap().starts_with("Le document")
    };
    assert!(!french(None, json!({})).await);
    assert!(french(Some("fr"), json!({})).await);
    assert!(french(None, json!({"acceptLanguage": "fr-CA"})).await);
    assert!(!french(Some("fr"), json!({"acceptLanguage": "en"})).await);
}

#[tokio::test]
async fn where_origins_are_named_a_page_from_elsewhere_opens_no_socket() {
    let only = Origins::read(&["https://play.example.org".to_owned()]).unwrap();
    let edge = edge::Settings { origins: only, ..edge::Settings::default() };
    let server = Server::with(app::Settings { edge, ..app::Settings::default() }).await;
    let from = async |origin: &str| {
        let mut request = Socket::request(server.address());
        request.headers_mut().insert("origin", origin.parse().unwrap());
        Socket::with(request).await.is_ok()
    };
    assert!(from("https://play.example.org").await);
    assert!(from(&format!("http://{}", server.address())).await, "our own page");
    assert!(!from("https://elsewhere.example").await);
    assert!(!from("null").await);
}

#[tokio::test]
async fn a_forged_token_is_not_believed_because_a_good_one_came_with_the_request() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    let forger = Player { token: Some("forged".into()), ..ada.clone() };
    let mut request = Socket::request(server.address());
    request.headers_mut().insert("sec-websocket-protocol", "graphql-transport-ws".parse().unwrap());
    request.headers_mut().insert("authorization", format!("Bearer {}", ada.token.unwrap()).parse().unwrap());
    let mut socket = Socket::with(request).await.unwrap();
    socket.says(json!({"type": "connection_init", "payload": forger.init()})).await;
    assert_eq!(socket.closes().await, 4403);
}

#[tokio::test]
async fn a_socket_takes_the_place_of_a_connection() {
    let server = Server::with_connections(1).await;
    let socket = server.socket(&server.anybody()).await;
    let anybody = server.anybody();
    let asked = json!({"query": "{ kinds { id } }"});
    let waiting = anybody.asks(&asked);
    tokio::pin!(waiting);
    let early = tokio::time::timeout(Duration::from_millis(300), &mut waiting).await;
    assert!(early.is_err(), "the only place is taken");
    drop(socket);
    assert_eq!(waiting.await.status, 200);
}

/// `subscriptions-transport-ws` and older clients: they take a handshake that names none of their protocols for a failure
/// without a reason.
#[tokio::test]
async fn a_client_of_an_older_protocol_is_let_in_and_told_why_it_can_not_stay() {
    let server = Server::as_shipped().await;
    let mut request = Socket::request(server.address());
    request.headers_mut().insert("sec-websocket-protocol", "graphql-ws, soap".parse().unwrap());
    let (stream, response) = connect_async(request).await.unwrap();
    assert_eq!(response.headers()["sec-websocket-protocol"], "graphql-ws");
    let mut socket = Socket(stream);
    match socket.frame().await {
        Some(Ok(Message::Close(Some(frame)))) => {
            assert_eq!((u16::from(frame.code), frame.reason.as_str()), (4406, "Subprotocol not acceptable"));
        }
        other => panic!("{other:?}"),
    }
}

/// Names of headers have no case; the `gql` client of Python looks for this one as RFC 6455 spells it.
#[tokio::test]
async fn the_sub_protocol_is_answered_in_the_spelling_of_the_standard() {
    let server = Server::as_shipped().await;
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let head = "GET /graphql HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
                sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
                sec-websocket-protocol: graphql-transport-ws\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.unwrap());
    }
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
    assert!(answer.contains("\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n"), "{answer}");
}
