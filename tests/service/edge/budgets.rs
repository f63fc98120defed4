//! What operations cost: a price in work for each, whichever face and transport it comes by.

use futures::StreamExt;
use futures::stream::select_all;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Instant;
use test_support::{Answer, Player, Program, folder};

/// Asks a question of GraphQL: status, body.
async fn ask(player: &Player, query: &str) -> (u16, Value) {
    let answer = player.post("/graphql").json(&json!({"query": query})).await;
    (answer.status, answer.json())
}

/// A guest who came from an address, behind a proxy that the server trusts.
async fn guest_from(server: &Program, address: &str) -> Player {
    let request = server.post("/v1/players").header("x-forwarded-for", address);
    server.player(&request.json(&json!({"displayName": "Ada"})).await)
}

fn aliases(count: usize, field: &str) -> String {
    (0..count).map(|number| format!("a{number}: {field} ")).collect::<Vec<_>>().concat()
}

/// The units that are left, as the header tells them.
fn left(answer: &Answer) -> u32 {
    let text = answer.header("ratelimit");
    text.split("r=").nth(1).and_then(|rest| rest.split(';').next()).unwrap().parse().unwrap()
}

#[tokio::test]
async fn what_is_left_of_a_budget_is_told_on_both_faces() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "500"]);
    let ada = server.guest("Ada").await;
    let read = ada.get("/v1/players/me").await;
    assert_eq!(read.header("ratelimit-policy"), "\"player\";q=1000;w=2");
    assert!((990..=999).contains(&left(&read)), "{}", left(&read));
    let (status, answer) = ask(&ada, "{ me { id } }").await;
    assert_eq!(status, 200);
    let cost = &answer["extensions"]["cost"];
    assert_eq!((&cost["price"], &cost["quota"]), (&json!(2), &json!(1000)), "{answer}");
    let nobody = server.get("/v1/kinds").await;
    assert!(nobody.header("ratelimit-policy").starts_with("\"address\""), "without a token it is the address's");
}

#[tokio::test]
async fn without_limits_nothing_is_said_of_them() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "0", "--address-rate", "0"]);
    let ada = server.guest("Ada").await;
    let read = ada.get("/v1/players/me").await;
    assert!(!read.headers.contains_key("ratelimit") && !read.headers.contains_key("ratelimit-policy"));
    assert_eq!(ask(&ada, "{ me { id } }").await.1.get("extensions"), None);
}

#[tokio::test]
async fn a_hundred_mutations_in_a_document_cost_a_hundred() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let ada = server.guest("Ada").await;
    let create = "createGame(input: {kind: CHIPS}) { version userErrors { code } }";
    let (status, answer) = ask(&ada, &format!("mutation {{ {} }}", aliases(100, create))).await;
    let extensions = &answer["errors"][0]["extensions"];
    assert_eq!((extensions["code"].as_str(), extensions["limit"].as_str()), (Some("LIMIT_EXCEEDED"), Some("cost")));
    assert!(extensions["price"].as_u64().unwrap() >= 500 && extensions["most"] == json!(100), "{answer}");
    assert_eq!((status, answer.get("data")), (200, None), "nothing of it was done: {answer}");
    let games = ada.get("/v1/games?mine=true").await.json();
    assert_eq!(games["items"], json!([]));
}

#[tokio::test]
async fn documents_within_a_budget_are_refused_once_it_is_used_up() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let ada = server.guest("Ada").await;
    let resign = aliases(30, "resignGame(input: {gameId: \"none\"}) { userErrors { code } }");
    let (first, answer) = ask(&ada, &format!("mutation {{ {resign} }}")).await;
    assert_eq!((first, answer["data"]["a29"]["userErrors"][0]["code"].as_str()), (200, Some("NOT_FOUND")), "{answer}");
    let (second, answer) = ask(&ada, &format!("mutation {{ {resign} }}")).await;
    let extensions = &answer["errors"][0]["extensions"];
    assert_eq!((second, extensions["code"].as_str()), (429, Some("RATE_LIMITED")), "{answer}");
    assert!(extensions["retryAfter"].as_u64().unwrap() >= 1);
    // A batch costs what its items do.
    let item = json!({"query": format!("mutation {{ {} }}", aliases(15, "resignGame(input: {gameId: \"none\"}) { userErrors { code } }"))});
    let bob = server.guest("Bob").await;
    let batch = bob.post("/graphql").json(&json!([item, item, item])).await;
    let answers: Value = batch.json();
    let refused = |item: &Value| item["errors"][0]["extensions"]["code"] == "RATE_LIMITED";
    assert_eq!(answers.as_array().unwrap().iter().map(refused).collect::<Vec<_>>(), [false, false, true]);
}

#[tokio::test]
async fn a_long_document_costs_its_length_even_if_it_is_not_executed() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "20"]);
    let unknown = |number| aliases(100, &format!("thereIsNoSuchField{number}(because: \"nobody has made it\")"));
    // The schema has none of it; it does not end; it has too many fields.
    let documents: [&dyn Fn(usize) -> String; 3] =
        [&|number| format!("{{ {} }}", unknown(number)), &|number| format!("{{ {}", unknown(number)), &|number| {
            format!("{{ {} field{number} }}", "id ".repeat(2_001))
        }];
    let meant = ["GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED", "LIMIT_EXCEEDED"];
    for (document, meant) in documents.into_iter().zip(meant) {
        let player = server.guest("Ada").await;
        let mut codes = Vec::new();
        for number in 0..30 {
            let (_, answer) = ask(&player, &document(number)).await;
            codes.push(answer["errors"][0]["extensions"]["code"].as_str().unwrap_or_default().to_owned());
        }
        let refused = codes.iter().filter(|code| *code == "RATE_LIMITED").count();
        assert!(codes[0] == meant && refused >= 10, "{codes:?}");
    }
    // A batch, too, costs what its items do.
    let player = server.guest("Bob").await;
    let batch: Vec<_> = (0..8).map(|number| json!({"query": format!("{{ {}", unknown(number))})).collect();
    let answer = player.post("/graphql").json(&batch).await;
    let answers = answer.json();
    let answers = answers.as_array().unwrap();
    let limited = answers.iter().filter(|item| item["errors"][0]["extensions"]["code"] == "RATE_LIMITED").count();
    assert!(answers.len() == 8 && (1..8).contains(&limited), "{answers:?}");
}

#[tokio::test]
async fn variables_cost_their_length_as_often_as_they_are_used_and_are_bounded() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let document = |uses| format!("query($i: [ID!]!) {{ {} }}", aliases(uses, "nodes(ids: $i) { id }"));
    let ask = async |uses, values: usize| {
        let ids: Vec<_> = (0..values).map(|number| number.to_string()).collect();
        let body = json!({"query": document(uses), "variables": {"i": ids}});
        server.post("/graphql").json(&body).await
    };
    let little = ask(1, 2).await;
    assert!(left(&little) >= 997, "{}", left(&little));
    assert_eq!(little.json()["data"]["a0"], json!([null, null]));
    let much = ask(100, 1_900).await;
    assert!(left(&much) <= 700, "{}", left(&much));
    let too_many: Value = ask(1, 2_000).await.json();
    let extensions = &too_many["errors"][0]["extensions"];
    let refusal = (extensions["code"].as_str(), extensions["limit"].as_str(), extensions["most"].as_u64());
    assert_eq!(refusal, (Some("LIMIT_EXCEEDED"), Some("variables"), Some(2_000)), "{too_many}");
    // It costs more than a player's bucket ever holds, which is an error of its own.
    let ada = server.guest("Ada").await;
    let body = json!({"query": document(100), "variables": {"i": vec!["x"; 1_900]}});
    let answer = ada.post("/graphql").json(&body).await.json();
    assert_eq!(answer["errors"][0]["extensions"]["limit"], "cost", "{answer}");
}

#[tokio::test]
async fn an_event_of_a_subscription_costs_what_it_takes_to_write_it() {
    const STEPS: usize = 60;
    let data = folder();
    let settings = ["--trusted-proxies", "127.0.0.0/8", "--player-rate", "0", "--address-rate", "10"];
    let server = Program::start(data.path(), &settings);
    let from = |number: usize| format!("192.0.2.{number}");
    let (ada, bob) = (guest_from(&server, &from(1)).await, guest_from(&server, &from(2)).await);
    let new = ada.post("/v1/games").header("x-forwarded-for", from(1));
    let game: Value = new.json(&json!({"kind": "CHIPS"})).await.json();
    let path = format!("/v1/games/{}/seats", game["id"].as_str().unwrap());
    for number in 0..STEPS - 1 {
        // From one address after the other: this is not what is measured.
        let (method, path) =
            if number % 2 == 0 { (Method::POST, path.clone()) } else { (Method::DELETE, format!("{path}/me")) };
        let step = bob.ask(method, &path).header("x-forwarded-for", from(10 + number / 4)).await;
        assert_eq!(step.status, 200, "{number}");
    }
    let watcher = from(200);
    let query = format!("subscription {{ gameEvents(gameId: {}) {{ version }} }}", game["id"]);
    let subscribe = server.post("/graphql").header("x-forwarded-for", &watcher);
    let subscribe = subscribe.header("accept", "text/event-stream").json(&json!({"query": query}));
    let mut stream = subscribe.send().await.unwrap();
    let mut told = String::new();
    while told.matches("event: next").count() < STEPS {
        told += std::str::from_utf8(&stream.chunk().await.unwrap().expect("it goes on")).unwrap();
    }
    // Of 20 units, 2 were for opening it, and 0.22 for each of 60 events; what has come back meanwhile does no harm.
    let after = server.ask(Method::GET, "/v1/kinds").header("x-forwarded-for", &watcher).await;
    assert_eq!(after.status, 200);
    assert!(left(&after) >= 3, "{}", left(&after));
}

#[tokio::test]
async fn long_lists_and_old_positions_cost_more_than_short_ones() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-rate", "0"]);
    let ada = server.guest("Ada").await;
    let game = ada.posts("/v1/games", json!({"kind": "CHIPS"})).await["id"].as_str().unwrap().to_owned();
    // A budget refills while we look at it, by 500 units a second: what costs more leaves less all the same.
    let mut prices = Vec::new();
    for path in ["/v1/games?limit=1", "/v1/games?limit=100"] {
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        prices.push(1000 - left(&server.get(path).await));
    }
    assert!(prices[0] <= 3 && prices[1] >= 20, "{prices:?}");
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let old = 1000 - left(&server.get(&format!("/v1/games/{game}?at=1")).await);
    assert!((3..=6).contains(&old), "{old}");
}

#[tokio::test]
async fn streams_of_an_address_are_sent_what_it_can_pay_for() {
    const RATE: usize = 20;
    const EVENTS: usize = 550;
    /// What one of them costs, in hundredths of a unit.
    const PRICE: usize = 20;
    let data = folder();
    let rate = RATE.to_string();
    let settings = ["--address-rate", &rate, "--player-rate", "0", "--trusted-proxies", "127.0.0.0/8"];
    let server = Program::start(data.path(), &settings);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.posts("/v1/games", json!({"kind": "CHIPS"})).await["id"].as_str().unwrap().to_owned();
    let begun = Instant::now();
    let mut streams = Vec::new();
    for number in 0..10 {
        let path = format!("/v1/games/{game}/events");
        // Callers with a token are authenticated before the first event, and pay the same.
        let ask = if number % 2 == 0 { server.get(&path) } else { ada.get(&path) };
        let ask = ask.header("x-forwarded-for", "198.51.100.1").header("accept", "text/event-stream");
        let answer = ask.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        streams.push(answer.bytes_stream().boxed());
    }
    for number in 0..60 {
        let (method, path) = if number % 2 == 0 { (Method::POST, "seats") } else { (Method::DELETE, "seats/me") };
        let step = bob.ask(method, &format!("/v1/games/{game}/{path}"));
        // Each from an address of its own, so that making them costs ours nothing.
        let step = step.header("x-forwarded-for", format!("192.0.2.{number}")).await;
        assert!(step.is_success(), "{}", step.status);
    }
    let mut streams = select_all(streams);
    let mut events = 0;
    while events < EVENTS {
        let piece = streams.next().await.unwrap().unwrap();
        events += piece.windows(5).filter(|bytes| bytes == b"data:").count();
    }
    // A budget holds the work of two seconds, and more as time goes by.
    let could_pay = RATE as u128 * (2_000 + begun.elapsed().as_millis()) / 10;
    assert!((events * PRICE) as u128 <= could_pay, "{events} events, paid with {could_pay} points");
}

#[tokio::test]
async fn a_player_hosts_so_many_lobbies_and_is_told_which_cap_it_met() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-lobbies", "3", "--player-rate", "0"]);
    let ada = server.guest("Ada").await;
    let new = json!({"kind": "CHIPS"});
    let at_once = futures::future::join_all((0..12).map(|_| ada.post("/v1/games").json(&new).attempt())).await;
    let made: Vec<_> = at_once.into_iter().map(Result::unwrap).filter(|answer| answer.status == 201).collect();
    assert_eq!(made.len(), 3, "of twelve at once");
    let refused = ada.post("/v1/games").json(&new).await;
    assert_eq!(refused.status, 409);
    let body: Value = refused.json();
    assert_eq!(
        (&body["code"], &body["limit"], &body["most"]),
        (&json!("LIMIT_REACHED"), &json!("hostedLobbies"), &json!(3))
    );
    let query = "mutation { createGame(input: {kind: CHIPS}) { userErrors { code message } } }";
    let (_, answer) = ask(&ada, query).await;
    assert_eq!(answer["data"]["createGame"]["userErrors"][0]["code"], "LIMIT_REACHED", "{answer}");
    // A game that has left its lobby makes room.
    let game = made[0].headers["location"].to_str().unwrap().to_owned();
    let bob = server.guest("Bob").await;
    bob.posts(&format!("{game}/seats"), Value::Null).await;
    ada.posts(&format!("{game}/start"), Value::Null).await;
    ada.posts("/v1/games", new).await;
}

#[tokio::test]
async fn a_player_is_in_so_many_games_at_a_time() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-games", "2", "--player-rate", "0"]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let mut games = Vec::new();
    for _ in 0..2 {
        games.push(ada.posts("/v1/games", json!({"kind": "CHIPS"})).await["id"].as_str().unwrap().to_owned());
    }
    for game in &games {
        bob.posts(&format!("/v1/games/{game}/seats"), Value::Null).await;
    }
    let refused = bob.post("/v1/games").json(&json!({"kind": "CHIPS"})).await;
    assert_eq!(refused.problem(), (409, "LIMIT_REACHED".to_owned()));
    let eve = server.guest("Eve").await;
    let third = eve.posts("/v1/games", json!({"kind": "CHIPS"})).await["id"].as_str().unwrap().to_owned();
    let refused = bob.post(&format!("/v1/games/{third}/seats")).await;
    assert_eq!(refused.problem(), (409, "LIMIT_REACHED".to_owned()));
    let stood = bob.delete(&format!("/v1/games/{}/seats/me", games[0])).await;
    assert_eq!(stood.status, 200);
    bob.posts(&format!("/v1/games/{third}/seats"), Value::Null).await;
}

#[tokio::test]
async fn seats_that_are_held_for_a_player_use_up_none_of_their_games() {
    let data = folder();
    let server = Program::start(data.path(), &["--player-games", "2", "--player-rate", "0"]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    for _ in 0..2 {
        let game = ada.starts_a_game_with(&bob).await;
        bob.posts(&format!("/v1/games/{game}/resignation"), Value::Null).await;
        ada.posts(&format!("/v1/games/{game}/rematch"), Value::Null).await;
    }
    for _ in 0..2 {
        bob.posts("/v1/games", json!({"kind": "CHIPS"})).await;
    }
    let refused = bob.post("/v1/games").json(&json!({"kind": "CHIPS"})).await;
    assert_eq!(refused.problem(), (409, "LIMIT_REACHED".to_owned()));
}

#[tokio::test]
async fn an_address_makes_so_many_players_and_games_in_an_hour() {
    let data = folder();
    let settings = ["--address-players-per-hour", "2", "--address-games-per-hour", "3", "--player-lobbies", "0"];
    let server = Program::start(data.path(), &settings);
    let (ada, _bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let third = server.post("/v1/players").json(&json!({"displayName": "Eve"})).await;
    assert!(third.header("retry-after").parse::<u64>().unwrap() > 60);
    assert_eq!(third.problem(), (429, "RATE_LIMITED".to_owned()));
    for _ in 0..3 {
        ada.posts("/v1/games", json!({"kind": "CHIPS"})).await;
    }
    let fourth = ada.post("/v1/games").json(&json!({"kind": "CHIPS"})).await;
    assert_eq!(fourth.problem(), (429, "RATE_LIMITED".to_owned()));
    let (status, answer) = ask(&ada, "mutation { createGame(input: {kind: CHIPS}) { version } }").await;
    assert_eq!((status, answer["errors"][0]["extensions"]["code"].as_str()), (200, Some("RATE_LIMITED")), "{answer}");
}

#[tokio::test]
async fn wrong_passwords_slow_down_and_the_owner_gets_in_from_elsewhere() {
    let data = folder();
    let server = Program::start(data.path(), &["--trusted-proxies", "127.0.0.0/8"]);
    let account = json!({"displayName": "Ada", "username": "ada", "password": "correct horse"});
    let made = server.post("/v1/players").json(&account).await;
    assert_eq!(made.status, 201);
    let sign_in = async |from: &str, password: &str| {
        let body = json!({"username": "ada", "password": password});
        let request = server.post("/v1/tokens").header("x-forwarded-for", from).json(&body);
        request.await
    };
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(sign_in("192.0.2.1", "a guess").await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 429, 429, 429]);
    let right = sign_in("192.0.2.1", "correct horse").await;
    assert!(right.header("retry-after").parse::<u64>().unwrap() >= 1, "not even the right one is looked at");
    assert_eq!(right.status, 429);
    assert_eq!(sign_in("192.0.2.2", "correct horse").await.status, 201, "but from elsewhere it is");
}
