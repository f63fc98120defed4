//! What `/metrics` counts, and that nobody can make it count without end.

use reqwest::Method;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use test_support::{Program, eventually, folder};

/// Every number by its name and labels.
pub async fn numbers(server: &Program) -> BTreeMap<String, f64> {
    let page = server.get("/metrics").await.text();
    assert!(page.ends_with("# EOF\n"), "{page}");
    let lines = page.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(name, number)| (name.replace("ludotheque_", ""), number.parse().unwrap()))
        .collect()
}

fn check(numbers: &BTreeMap<String, f64>, name: &str, expected: f64) {
    let number = numbers.get(name).unwrap_or_else(|| panic!("no {name} in {numbers:#?}"));
    assert!((number - expected).abs() < f64::EPSILON, "{name} is {number}, not {expected}");
}

#[tokio::test]
async fn requests_are_counted_by_route_and_moves_by_kind_and_outcome() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    let moves = format!("/v1/games/{game}/moves");
    let legal = ada.a_move(&game).await;
    let before = numbers(&server).await;
    ada.posts(&moves, json!({"id": legal})).await;
    for (id, status) in [("nonsense", 409), (legal.as_str(), 409)] {
        let refused = ada.post(&moves).json(&json!({"id": id})).await;
        assert_eq!(refused.status, status);
    }
    let elsewhere = "/v1/games/game_00000000000000000000000000000000/moves";
    let refused = ada.post(elsewhere).json(&json!({"id": legal})).await;
    assert_eq!(refused.status, 404);

    let numbers = numbers(&server).await;
    let route = r#"method="POST",route="/v1/games/{id}/moves""#;
    for (status, count) in [(200, 1.0), (409, 2.0), (404, 1.0)] {
        check(&numbers, &format!(r#"requests_total{{{route},status="{status}"}}"#), count);
    }
    check(&numbers, &format!("request_duration_seconds_count{{{route}}}"), 4.0);
    check(&numbers, r#"moves_total{kind="CHIPS",outcome="ACCEPTED"}"#, 1.0);
    check(&numbers, r#"moves_total{kind="CHIPS",outcome="ILLEGAL_MOVE"}"#, 1.0);
    check(&numbers, r#"moves_total{kind="CHIPS",outcome="NOT_YOUR_TURN"}"#, 1.0);
    check(&numbers, r#"moves_total{kind="UNKNOWN",outcome="NOT_FOUND"}"#, 1.0);
    // Whatever else the store writes by itself: what is acknowledged has been flushed by then.
    for count in ["commit_writes_sum", "commit_flush_seconds_count"] {
        assert!(numbers[count] > before[count], "the move is not in {count}");
    }
    assert!(before["commit_writes_sum"] >= 5.0, "two players and three steps are in {before:#?}");
    for positive in ["store_size_bytes", "store_live_ratio", "disk_free_bytes", "start_time_seconds"] {
        assert!(numbers[positive] > 0.0, "{positive}");
    }
}

#[tokio::test]
async fn a_refused_move_tells_no_kind_of_a_game_that_the_caller_may_not_know_of() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let (ada, eve) = (server.guest("Ada").await, server.guest("Eve").await);
    let hidden = ada.posts("/v1/games", json!({"kind": "CHIPS", "seats": 2, "visibility": "UNLISTED"})).await;
    let moves = format!("/v1/games/{}/moves", hidden["id"].as_str().unwrap());
    let refused = eve.post(&moves).json(&json!({"id": "nonsense"})).await;
    assert_eq!(refused.status, 404);
    let play = "mutation($id: ID!) { playMove(input: {gameId: $id, id: \"nonsense\"}) { userErrors { code } } }";
    let play = json!({"query": play, "variables": {"id": hidden["id"]}});
    let refused: Value = eve.post("/graphql").json(&play).await.json();
    assert_eq!(refused["data"]["playMove"]["userErrors"][0]["code"], "NOT_FOUND", "{refused}");
    let numbers = numbers(&server).await;
    check(&numbers, r#"moves_total{kind="UNKNOWN",outcome="NOT_FOUND"}"#, 2.0);
    assert!(!numbers.keys().any(|name| name.contains("CHIPS")), "{numbers:#?}");
}

#[tokio::test]
async fn the_dashboard_and_the_manual_name_only_numbers_that_there_are() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    let legal = ada.a_move(&game).await;
    ada.posts(&format!("/v1/games/{game}/moves"), json!({"id": legal})).await;
    let page = server.get("/metrics").await.text();
    let there = names(&page);

    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["deploy/grafana/ludotheque.json", "docs/operations.md"] {
        let text = std::fs::read_to_string(repository.join(file)).unwrap();
        let named = names(&text);
        assert!(named.len() > 5, "{file}: {named:?}");
        for name in named {
            // The manual names a histogram as a whole.
            let whole = format!("{name}_bucket");
            assert!(there.contains(&name) || there.contains(&whole), "{file} has {name}, /metrics only {there:#?}");
        }
    }
    let dashboard = std::fs::read_to_string(repository.join("deploy/grafana/ludotheque.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
    assert!(dashboard["panels"].as_array().is_some_and(|panels| !panels.is_empty()));
}

/// Every word of a text that is the name of a number of ours.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with("ludotheque_")).map(str::to_owned).collect()
}

#[tokio::test]
async fn a_stream_is_counted_while_it_lasts() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
    let game = ada.starts_a_game_with(&bob).await;
    let events = format!("/v1/games/{game}/events");
    let stream = ada.get(&events).header("accept", "text/event-stream").send().await.unwrap();
    check(&numbers(&server).await, "streams", 1.0);
    drop(stream);
    eventually(async || (numbers(&server).await["streams"] < 0.5).then_some(())).await;
}

#[tokio::test]
async fn no_caller_can_add_to_the_series() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    let ask = async |number: u32| {
        let methods = [Method::GET, Method::from_bytes(format!("BREW{number}").as_bytes()).unwrap()];
        for method in methods {
            for path in [format!("/x{number}"), format!("/v1/kinds/K{number}"), format!("/v1/games/{number}")] {
                server.ask(method.clone(), &path).await;
            }
        }
        numbers(&server).await
    };
    ask(0).await;
    let series = ask(1).await.len();
    let mut after = BTreeMap::new();
    for number in 2..20 {
        after = ask(number).await;
    }
    assert_eq!(after.len(), series, "{after:#?}");
    assert!(after.keys().all(|name| !name.contains("K1") && !name.contains("BREW")));
}
