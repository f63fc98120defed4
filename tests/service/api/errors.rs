//! What bad input gets: a problem with a code and a sentence, in the reader's language, and nothing changed.

use reqwest::Method;
use serde_json::json;
use std::collections::BTreeSet;
use test_support::openapi;
use test_support::{Answer, Ask, Player, Server, Table};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends a request in both languages; it must be refused, the same but for the language.
async fn refused(code: &str, ask: impl Fn() -> Ask) -> Answer {
    let (english, french) = (ask().header("accept-language", "en").await, ask().header("accept-language", "fr").await);
    assert!(english.status < 500, "{}: {}", english.asked, english.text());
    let (in_english, in_french) = (english.refused(code), french.refused(code));
    assert_eq!((english.header("content-language"), french.header("content-language")), ("en".into(), "fr".into()));
    for text in ["title", "detail"] {
        assert_ne!(in_english[text], in_french[text], "{}: {text}", english.asked);
    }
    assert_eq!(in_english["type"], format!("/problems/{}", code.to_lowercase().replace('_', "-")));
    english
}

/// A running game, and somebody seated at it.
async fn setting() -> (Server, Table) {
    let server = Server::start().await;
    let table = server.table(2).await;
    (server, table)
}

/// Every operation that takes a body, with a body it takes.
async fn with_bodies(table: &Table) -> Vec<(Method, String, &'static str)> {
    let of_game = |rest: &str| format!("/v1/games/{}{rest}", table.game);
    // The body of an aside is read by its kind, and that of the table has none.
    let ada = &table.players[0];
    let campaign = ada.creates(&json!({"kind": "SANTA_RESCUE", "seats": 1})).await.ok();
    let campaign = campaign["id"].as_str().expect("an id");
    ada.starts(campaign).await.ok();
    vec![
        (Method::POST, "/v1/players".into(), r#"{"displayName": "Ada"}"#),
        (Method::POST, "/v1/tokens".into(), r#"{"refreshToken": "x"}"#),
        (Method::PATCH, "/v1/players/me".into(), r#"{"displayName": "Ada"}"#),
        (Method::POST, "/v1/games".into(), r#"{"kind": "CHIPS"}"#),
        (Method::PATCH, of_game(""), r#"{"seats": 2}"#),
        (Method::POST, of_game("/seats"), r#"{"seat": 1}"#),
        (Method::POST, of_game("/moves"), r#"{"id": "discard"}"#),
        (Method::POST, of_game("/preview"), r#"{"id": "discard"}"#),
        (Method::POST, format!("/v1/games/{campaign}/asides"), r#"{"type": "NAME", "elf": 1, "name": "Pip"}"#),
        (Method::POST, format!("/v1/games/{campaign}/asides"), r#"{"rows": [], "type": "DRAFT", "column": 1}"#),
    ]
}

#[tokio::test]
async fn a_body_that_can_not_be_read_is_malformed() {
    let (_server, table) = setting().await;
    let ada = &table.players[0];
    let nested = "[".repeat(5000);
    for (method, path, good) in with_bodies(&table).await {
        let unknown_field = good.replace('}', r#", "unknown": 1}"#);
        let wrong_type = format!("{}[1, 2]}}", &good[..good.find(": ").expect("a field") + 2]);
        let bad =
            ["{", "nonsense", "[]", "null", "1", r#""text""#, &good[..good.len() - 1], &nested, "\u{feff}{}", "{}{}"];
        for body in bad.into_iter().chain([&*unknown_field, &*wrong_type]) {
            // Sitting down anywhere takes no body, and `null` is as good as none.
            if body == "null" && path.ends_with("/seats") {
                continue;
            }
            let ask =
                || ada.ask(method.clone(), &path).header("content-type", "application/json").body(body.to_owned());
            refused("MALFORMED", ask).await;
        }
        let not_utf8 =
            || ada.ask(method.clone(), &path).header("content-type", "application/json").body(vec![b'"', 0xFF, b'"']);
        refused("MALFORMED", not_utf8).await;
    }
    assert_eq!(table.version().await, 3, "nothing changed");
}

#[tokio::test]
async fn a_list_is_not_taken_for_an_object() {
    let (server, table) = setting().await;
    let ada = &table.players[0];
    server.anybody().post("/v1/players").json(&json!(["Ada", null, null])).await.refused("MALFORMED");
    ada.creates(&json!(["CHIPS", {}, 2, "PUBLIC", true])).await.refused("MALFORMED");
    ada.creates(&json!({"kind": "CHIPS", "options": [null, null]})).await.refused("INVALID_OPTIONS");
    let cards = ada.sees(&table.game).await["view"]["seats"][0]["hand"].clone();
    let listed = json!({"move": ["DISCARD", [cards[0], cards[1]]]});
    ada.post(&format!("/v1/games/{}/moves", table.game)).json(&listed).await.refused("MALFORMED");
    assert_eq!(table.version().await, 3, "nothing changed");
}

#[tokio::test]
async fn a_body_in_another_format_is_an_unsupported_media_type() {
    let (_server, table) = setting().await;
    let ada = &table.players[0];
    for (method, path, good) in with_bodies(&table).await {
        for media in
            ["text/plain", "application/xml", "application/x-www-form-urlencoded", "nonsense", "application/jsonp"]
        {
            let ask = || ada.ask(method.clone(), &path).header("content-type", media).body(good);
            refused("UNSUPPORTED_MEDIA_TYPE", ask).await;
        }
    }
    let unnamed = || ada.post("/v1/games").body(r#"{"kind": "CHIPS"}"#);
    refused("UNSUPPORTED_MEDIA_TYPE", unnamed).await;
    let precise =
        ada.post("/v1/games").header("content-type", "application/json; charset=utf-8").body(r#"{"kind": "CHIPS"}"#);
    precise.await.ok();
    assert_eq!(table.version().await, 3, "nothing changed");
}

#[tokio::test]
async fn a_body_over_the_limit_is_too_large_whether_or_not_it_says_so_before() {
    let (_server, table) = setting().await;
    let ada = &table.players[0];
    let long = format!("{{\"id\": \"{}\"}}", "x".repeat(70_000));
    for (method, path, _) in with_bodies(&table).await {
        let told = || ada.ask(method.clone(), &path).header("content-type", "application/json").body(long.clone());
        refused("PAYLOAD_TOO_LARGE", told).await;
        let in_chunks = || {
            let pieces: Vec<_> =
                long.as_bytes().chunks(1000).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect();
            let body = reqwest::Body::wrap_stream(futures::stream::iter(pieces));
            ada.ask(method.clone(), &path).header("content-type", "application/json").body(body)
        };
        refused("PAYLOAD_TOO_LARGE", in_chunks).await;
    }
    let just_fits = format!("{{\"id\": \"{}\"}}", "x".repeat(64 * 1024 - 10));
    ada.post(&format!("/v1/games/{}/moves", table.game))
        .header("content-type", "application/json")
        .body(just_fits)
        .await
        .refused("ILLEGAL_MOVE");
    assert_eq!(table.version().await, 3, "nothing changed");
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let (_server, table) = setting().await;
    let ada = &table.players[0];
    let id = &table.game;
    let bad_ids = [
        "game_",
        "game_x",
        "x",
        "%00",
        "%FF",
        "game_00000000000000000000000000000000",
        &id.to_uppercase(),
        &id.replace("game", "player"),
        &format!("{id}0"),
        &"g".repeat(3000),
        "..",
        "game_%0A",
        "1'%20OR%201=1",
    ];
    for bad in bad_ids {
        for rest in ["", "/events", "/legal-moves", "/replay", "?at=1"] {
            // `..` is taken out of a path before it is sent.
            if bad != ".." {
                refused("NOT_FOUND", || ada.get(&format!("/v1/games/{bad}{rest}"))).await;
            }
        }
        refused("NOT_FOUND", || ada.plays(bad, "discard")).await;
        refused("NOT_FOUND", || ada.sits(bad)).await;
    }
    for path in [
        "/v1",
        "/v1/",
        "/v2/games",
        "/v1/games/",
        "/V1/games",
        "/v1/game",
        "/v1/games//",
        "/v1/players/you",
        "/.git/config",
    ] {
        refused("NOT_FOUND", || ada.get(path)).await;
        refused("NOT_FOUND", || ada.post(path)).await;
    }
    for seat in ["2", "255", "256", "-1", "x", "%00"] {
        refused("NOT_FOUND", || {
            table.players[0].delete(&format!("/v1/games/game_00000000000000000000000000000000/seats/{seat}"))
        })
        .await;
    }
}

#[tokio::test]
async fn a_wrong_method_is_answered_with_the_right_ones() {
    let (_server, table) = setting().await;
    let ada = &table.players[0];
    for (template, item) in openapi::paths() {
        let path = template.replace("{id}", &table.game).replace("{kind}", "CHIPS").replace("{seat}", "1");
        let path = path.replace("{code}", "AAAAAAAAAAAAAAAAAAAA");
        let mut right: BTreeSet<_> = item.as_object().expect("operations").keys().map(|m| m.to_uppercase()).collect();
        if right.contains("GET") {
            right.insert("HEAD".to_owned());
        }
        for wrong in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"] {
            if !right.contains(wrong) {
                let method = Method::from_bytes(wrong.as_bytes()).expect("a method");
                let answer = refused("METHOD_NOT_ALLOWED", || ada.ask(method.clone(), &path)).await;
                let told = answer.header("allow");
                assert_eq!(
                    told.split(',').map(|method| method.trim().to_owned()).collect::<BTreeSet<_>>(),
                    right,
                    "{path}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_query_that_can_not_be_read_is_malformed_and_a_place_that_was_never_handed_out_is_a_bad_cursor() {
    let (_server, table) = setting().await;
    let ada = &table.players[0];
    let of_game = |rest: &str| format!("/v1/games/{}{rest}", table.game);
    let malformed = [
        "/v1/games?limit=0",
        "/v1/games?limit=101",
        "/v1/games?limit=-1",
        "/v1/games?limit=x",
        "/v1/games?status=lobby",
        "/v1/games?mine=perhaps",
        "/v1/games?unknown=1",
        "/v1/games?limit=5&limit=6",
    ];
    for path in malformed.map(str::to_owned).into_iter().chain(
        [
            "?at=x",
            "?at=-1",
            "?when=1",
            "/events?after=x",
            "/events?limit=0",
            "/events?limit=1001",
            "/events?after=18446744073709551616",
        ]
        .map(of_game),
    ) {
        refused("MALFORMED", || ada.get(&path)).await;
    }
    for path in ["/v1/games?cursor=x", "/v1/games?cursor=", "/v1/games?cursor=player_00000000000000000000000000000000"]
    {
        refused("BAD_CURSOR", || ada.get(path)).await;
    }
    for path in ["?at=0", "?at=4", "?at=18446744073709551615", "/events?after=4", "/events?after=18446744073709551615"]
        .map(of_game)
    {
        refused("BAD_CURSOR", || ada.get(&path)).await;
    }
    for last in ["4", "x", "", "-1", "1.0", "18446744073709551615", "18446744073709551616", "1, 2"] {
        refused("BAD_CURSOR", || ada.asks_to_follow(&table.game).header("last-event-id", last)).await;
    }
}

#[tokio::test]
async fn an_idempotency_key_is_one_short_visible_text() {
    let (_server, table) = setting().await;
    let ada = &table.players[0];
    let mv = &ada.moves(&table.game).await[0];
    let long = "k".repeat(256);
    for key in ["", &long, "clé", "\t"] {
        refused("MALFORMED", || ada.plays(&table.game, mv).key(key)).await;
    }
    refused("MALFORMED", || ada.plays(&table.game, mv).key("a").key("b")).await;
    assert_eq!(table.version().await, 3, "nothing changed");
    ada.plays(&table.game, mv).key(&long[1..]).await.ok();
}

#[tokio::test]
async fn a_bad_token_is_refused_wherever_it_is_sent() {
    let (server, table) = setting().await;
    let ada = &table.players[0];
    let good = ada.token.clone().expect("a token");
    let long = format!("Bearer {}", "x".repeat(5000));
    for header in [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic eDp5",
        &format!("Token {good}"),
        &format!("Bearer {good}x"),
        &long,
        "clé",
    ] {
        let anybody = server.anybody();
        for ask in [
            anybody.looks_at(&table.game),
            anybody.get("/v1/players/me"),
            anybody.plays(&table.game, "x"),
            anybody.get("/v1/games"),
        ] {
            let answer = ask.header("authorization", header).await;
            answer.refused("INVALID_TOKEN");
            assert!(!answer.text().contains(&good));
        }
    }
    let twice = Player { token: Some(good.clone()), ..server.anybody() }.looks_at(&table.game);
    twice.header("authorization", format!("Bearer {good}")).await.refused("INVALID_TOKEN");
}

/// Sends bytes as they are, and tells the status line of what comes back.
async fn raw(server: &Server, request: &[u8]) -> String {
    let mut socket = TcpStream::connect(server.url.trim_start_matches("http://")).await.expect("it listens");
    // A server that has heard enough closes before it has read everything.
    let _cut_off = socket.write_all(request).await;
    let _cut_off = socket.shutdown().await;
    let mut answer = Vec::new();
    let _cut_off = socket.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn what_is_no_http_is_refused_before_anything_looks_at_it() {
    let (server, table) = setting().await;
    let get = |headers: &str| format!("GET /v1/games HTTP/1.1\r\nhost: x\r\n{headers}\r\n").into_bytes();
    for (request, status) in [
        (get(&format!("x-long: {}\r\n", "x".repeat(1 << 20))), "431"),
        (get(&"x: y\r\n".repeat(500)), "431"),
        (format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "x".repeat(100_000)).into_bytes(), "431"),
        (b"nonsense\r\n\r\n".to_vec(), "400"),
        (b"GET / HTTP/9.9\r\n\r\n".to_vec(), "400"),
        (b"POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n".to_vec(), "400"),
        (
            b"POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: nonsense\r\n\r\n"
                .to_vec(),
            "400",
        ),
    ] {
        let line = raw(&server, &request).await;
        assert!(line.contains(status), "{status}: {line}");
    }
    assert_eq!(
        raw(&server, b"POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-len").await,
        "",
        "half a header is no request"
    );
    assert_eq!(table.version().await, 3);
    table.players[0].creates(&json!({"kind": "CHIPS"})).await.ok();
}
