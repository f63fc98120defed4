//! What can't be read is refused with the field at fault and what it takes, in the reader's language. Whole numbers may be
//! written as JSON Schema allows.

use reqwest::Method;
use serde_json::{Value, json};
use test_support::{Ask, Player, Server};

/// What serde, axum and the like say in English.
const OF_LIBRARIES: &[&str] = &[
    "expected ",
    "invalid",
    "unknown field",
    "missing field",
    "Failed",
    "at line",
    "variant",
    "deserialize",
    "u8",
    "i64",
];

async fn refused(code: &str, ask: Ask) -> (Value, String) {
    let problem = ask.header("accept-language", "fr").await.refused(code);
    let detail = problem["detail"].as_str().expect("a text").to_owned();
    let foreign = OF_LIBRARIES.iter().find(|word| detail.contains(**word));
    assert_eq!(foreign, None, "{detail}");
    (problem["field"].clone(), detail)
}

fn request(player: &Player, (method, path): (Method, &str), body: &Value) -> Ask {
    player.ask(method, path).json(body)
}

#[tokio::test]
async fn a_field_at_fault_is_named_with_what_it_takes() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let (ada, game) = (&table.players[0], &table.game);
    let of_game = |rest: &str| format!("/v1/games/{game}{rest}");
    let (games, moves, preview, seats) =
        ("/v1/games".to_owned(), of_game("/moves"), of_game("/preview"), of_game("/seats"));
    let byte = "un nombre entier de 0 à 255";
    for (method, path, body, field, takes) in [
        (Method::POST, &games, json!({"kind": "CHIPS", "seats": 300}), "seats", byte),
        (Method::POST, &games, json!({"kind": "CHIPS", "seats": -1}), "seats", byte),
        (Method::POST, &games, json!({"kind": "CHIPS", "seats": 2.5}), "seats", byte),
        (Method::POST, &games, json!({"kind": "CHIPS", "seats": "2"}), "seats", byte),
        (Method::POST, &games, json!({"kind": "CHIPS", "seats": 1e40}), "seats", byte),
        (Method::POST, &games, json!({"kind": 7}), "kind", "une chaîne de caractères"),
        (Method::POST, &games, json!({"seats": 2}), "kind", "Il manque le champ"),
        (Method::POST, &games, json!({"kind": "CHIPS", "sit": "yes"}), "sit", "true ou false"),
        (Method::POST, &games, json!({"kind": "CHIPS", "visibility": "HIDDEN"}), "visibility", "PUBLIC et UNLISTED"),
        (Method::POST, &games, json!({"kind": "CHIPS", "seed": "abc"}), "seed", "la description de l'API"),
        (Method::POST, &games, json!({"kind": "CHIPS", "chairs": 2}), "chairs", "kind, options, seats"),
        (Method::POST, &seats, json!({"seat": 256}), "seat", byte),
        (Method::POST, &moves, json!({"id": "x", "expectedVersion": -1}), "expectedVersion", "un nombre entier de 0 à"),
        (Method::POST, &moves, json!({"move": {"type": "CHEAT"}}), "move.type", "DISCARD et BET"),
        (Method::POST, &moves, json!({"move": {}}), "move.type", "Il manque le champ"),
        (Method::POST, &preview, json!({"moves": [{"id": "x"}, {"id": 5}]}), "moves.1.id", "une chaîne de caractères"),
    ] {
        let (named, detail) = refused("MALFORMED", request(ada, (method, path), &body)).await;
        assert_eq!(named, field, "{body}: {detail}");
        assert!(detail.contains(field) && detail.contains(takes), "{body}: {detail}");
    }
    for (query, field, takes) in [
        ("limit=many", "limit", "un nombre entier de 0 à"),
        ("limit=0", "limit", "de 1 à 100"),
        ("status=LOST", "status", "LOBBY"),
        ("mine=1", "mine", "true ou false"),
        ("limit=1&limit=2", "limit", "plusieurs fois"),
        ("seats=2", "seats", "kind, status"),
        ("kind=CHESS", "kind", "CHIPS, LOADING, SANTA_RESCUE, TOY_RUSH et TOYS_GO_GO_GO"),
        ("kind=%00", "kind", "CHIPS"),
    ] {
        let (named, detail) = refused("MALFORMED", ada.get(&format!("/v1/games?{query}"))).await;
        assert_eq!(named, field, "{query}: {detail}");
        assert!(detail.contains(takes), "{query}: {detail}");
    }
}

#[tokio::test]
async fn options_at_fault_are_named_and_all_that_there_are_listed() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let seconds = "options.moveSeconds doit être un nombre entier de 0 à 2592000";
    for (options, field, takes) in [
        (
            json!({"targetTokens": 300}),
            "options.targetTokens",
            "options.targetTokens doit être un nombre entier de 0 à 255",
        ),
        (json!({"moveSeconds": -1}), "options.moveSeconds", seconds),
        (json!({"moveSeconds": 2_592_001}), "options.moveSeconds", seconds),
        (json!({"moveSeconds": 1e12}), "options.moveSeconds", seconds),
        (json!({"colour": "red"}), "options.colour", "On connaît ici : targetTokens, firstDealer et moveSeconds."),
    ] {
        let body = json!({"kind": "CHIPS", "options": options});
        let (named, detail) = refused("INVALID_OPTIONS", ada.creates(&body)).await;
        assert_eq!(named, field, "{detail}");
        assert!(detail.contains(takes), "{options}: {detail}");
    }
    let (named, _) = refused("INVALID_OPTIONS", ada.creates(&json!({"kind": "CHIPS", "seats": 9}))).await;
    assert_eq!(named, "seats");
}

#[tokio::test]
async fn numbers_of_typed_moves_drafts_and_choices_are_named_too() {
    let server = Server::start().await;
    let table = server.lobby(3, json!({"kind": "LOADING"})).await;
    table.players[0].starts(&table.game).await.ok();
    let path = format!("/v1/games/{}/moves", table.game);
    let laid = json!({"move": {"type": "LAY", "card": "5", "pile": 700}});
    let (field, detail) = refused("MALFORMED", table.players[0].post(&path).json(&laid)).await;
    assert_eq!(field, "move.pile", "{detail}");
    assert!(detail.contains("move.pile doit être un nombre entier de 0 à 255"), "{detail}");
    let pass = json!({"move": {"type": "LAY", "card": "5", "pile": 0}});
    let preview = table.players[0].post(&format!("/v1/games/{}/preview", table.game));
    let (field, detail) = refused("MALFORMED", preview.json(&json!({"moves": [laid, pass]}))).await;
    assert_eq!(field, "moves.0.move.pile", "{detail}");

    let lobby = server.lobby(2, json!({"kind": "SANTA_RESCUE"})).await;
    let of = |rest: &str| format!("/v1/games/{}{rest}", lobby.game);
    let chosen = lobby.players[0].put(&of("/seats/me/setup")).json(&json!({"elves": "all"}));
    let (field, detail) = refused("MALFORMED", chosen).await;
    assert_eq!((field, detail.contains("une liste")), (json!("elves"), true), "{detail}");
    lobby.players[0].starts(&lobby.game).await.ok();
    let draft =
        lobby.players[0].post(&of("/asides")).json(&json!({"type": "DRAFT", "column": 1, "rows": [["GREEN_DOG"]]}));
    refused("MALFORMED", draft).await;
}

#[tokio::test]
async fn a_whole_number_may_be_written_as_a_fraction_everywhere() {
    let server = Server::dev().await;
    let ada = server.guest("Ada").await;
    let body = r#"{"kind": "LOADING", "seats": 2.0, "options": {"moveSeconds": 3e1, "idlePasses": 2.0}}"#;
    let made = ada.post("/v1/games").header("content-type", "application/json").body(body).await.ok();
    assert_eq!((made["options"]["moveSeconds"].clone(), made["options"]["idlePasses"].clone()), (json!(30), json!(2)));
    let game = made["id"].as_str().expect("an id");
    let bob = server.guest("Bob").await;
    let as_json = |ask: Ask, body: &str| ask.header("content-type", "application/json").body(body.to_owned());
    as_json(bob.post(&format!("/v1/games/{game}/seats")), r#"{"seat": 1.0}"#).await.ok();
    as_json(ada.patch(&format!("/v1/games/{game}")), r#"{"seats": 2.0}"#).await.ok();
    let version = ada.starts(game).await.ok()["version"].as_u64().expect("a number");
    let moves = ada.asks_for_moves(game).await.ok()["moves"].clone();
    let mv = moves[0]["move"].to_string();
    let fraction = |text: &str| {
        // Every whole number of the move, as a fraction.
        let mut written = String::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            written.push(character);
            if character.is_ascii_digit() && !characters.peek().is_some_and(char::is_ascii_digit) {
                written.push_str(".0");
            }
        }
        written
    };
    let body = format!(r#"{{"move": {}, "expectedVersion": {version}.0}}"#, fraction(&mv));
    as_json(ada.post(&format!("/v1/games/{game}/moves")), &body).await.ok();
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused_in_the_readers_language() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    for (body, says) in [
        ("", "pas de corps"),
        ("{\"kind\": ", "trop tôt"),
        ("{\"kind\": nope}", "ligne 1, colonne 1"),
        (r#"{"kind": "CHIPS", "seats": 2, "seats": 3}"#, "seats plusieurs fois"),
    ] {
        let ask = ada.post("/v1/games").header("content-type", "application/json").body(body);
        let (_, detail) = refused("MALFORMED", ask).await;
        assert!(detail.contains(says), "{body:?}: {detail}");
    }
}

#[tokio::test]
async fn an_unknown_kind_is_answered_with_those_that_there_are() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    for ask in [ada.creates(&json!({"kind": "CHESS"})), ada.get("/v1/kinds/CHESS")] {
        let (_, detail) = refused("NOT_FOUND", ask).await;
        assert!(detail.contains("CHIPS, LOADING, SANTA_RESCUE, TOY_RUSH et TOYS_GO_GO_GO"), "{detail}");
    }
}

#[tokio::test]
async fn one_seat_is_counted_as_one() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    for (seats, language, says) in [
        (1, "en", "One seat is not possible"),
        (9, "en", "9 seats are not possible"),
        (1, "fr", "1 place, ce n'est pas possible"),
        (9, "fr", "9 places, ce n'est pas possible"),
    ] {
        let ask = ada.creates(&json!({"kind": "CHIPS", "seats": seats})).header("accept-language", language);
        let problem = ask.await.refused("INVALID_OPTIONS");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.starts_with(says)), "{problem}");
    }
}

/// Clients such as aiohttp name a media type for a body that they do not send.
#[tokio::test]
async fn a_body_that_need_not_be_there_may_be_empty_whatever_type_it_says_it_has() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let document = ludotheque::rest::document();
    let mut asked = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let needs_body = &item["post"]["requestBody"]["required"];
        if item["post"].is_null() || needs_body == &json!(true) {
            continue;
        }
        let path = path.replace("{id}", &ludotheque::ids::GameId::new().to_string()).replace("{code}", "nobody");
        for media in ["application/octet-stream", "application/json", "text/plain", "application/x-www-form-urlencoded"]
        {
            let ask = ada.post(&path).header("content-type", media).body("");
            ask.await.refused("NOT_FOUND");
        }
        asked.push(path);
    }
    assert!(asked.len() >= 5 && asked.iter().any(|path| path.ends_with("/seats")), "{asked:?}");
    let table = server.lobby(2, json!({})).await;
    let bob = &table.players[1];
    bob.stands(&table.game).await.ok();
    bob.sits(&table.game).header("content-type", "application/octet-stream").body("").await.ok();
    bob.stands(&table.game).await.ok();
    bob.sits(&table.game).header("content-type", "application/json").body("").await.ok();
    bob.sits(&table.game).header("content-type", "text/plain").body("{}").await.refused("UNSUPPORTED_MEDIA_TYPE");
}
