//! Numbers and kinds that a schema can't take: refused as GraphQL does, in the reader's language, with the argument at fault.

use ludotheque::texts::Language;
use serde_json::{Value, json};
use test_support::Server;
use test_support::graphql::{answer, ask};

async fn refusal(server: &Server, query: &str, variables: Value) -> (Value, String) {
    let answer = answer(&server.anybody(), Language::Fr, query, variables).await;
    let error = &answer["errors"][0];
    assert_eq!(answer.get("data"), None, "nothing was executed: {answer}");
    (error["extensions"]["code"].clone(), error["message"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn an_int_has_32_bits() {
    let server = Server::start().await;
    let invalid = json!("GRAPHQL_VALIDATION_FAILED");
    for number in ["2147483648", "4294967295", "-2147483649", "9007199254740993", "1.5"] {
        let literal = format!("{{ games(first: {number}) {{ nodes {{ id }} }} }}");
        let (code, message) = refusal(&server, &literal, json!({})).await;
        assert_eq!(code, invalid, "{number}: {message}");
        assert!(
            message.contains("first doit être un nombre entier de -2147483648 à 2147483647"),
            "{number}: {message}"
        );
        let variable: Value = serde_json::from_str(number).expect("a number");
        let query = "query($first: Int) { games(first: $first) { nodes { id } } }";
        let (code, message) = refusal(&server, query, json!({"first": variable})).await;
        assert_eq!(code, invalid, "{number}: {message}");
        assert!(
            message.contains("first doit être un nombre entier de -2147483648 à 2147483647"),
            "{number}: {message}"
        );
    }
    let query = "mutation($input: PlayMoveInput!) { playMove(input: $input) { version } }";
    let input = json!({"gameId": "x", "id": "x", "expectedVersion": 4_294_967_295_u32});
    let (code, message) = refusal(&server, query, json!({"input": input})).await;
    assert_eq!(code, invalid);
    assert!(message.contains("input.expectedVersion doit être un nombre entier"), "{message}");
}

#[tokio::test]
async fn a_whole_number_of_a_variable_may_be_written_as_a_fraction() {
    let server = Server::start().await;
    let url = format!("{}/graphql", server.url);
    let body =
        r#"{"query": "query($first: Int) { games(first: $first) { nodes { id } } }", "variables": {"first": 2.0}}"#;
    let request = server.http.post(url).header("content-type", "application/json").body(body);
    let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(answer["data"]["games"]["nodes"], json!([]), "{answer}");
}

#[tokio::test]
async fn a_number_that_fits_an_int_and_not_what_is_counted_is_a_user_error_with_its_path() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let table = server.table(2).await;
    let player = &table.players[0];
    let id = &table.game;
    for (player, mutation, input, path, range) in [
        (&ada, "createGame", json!({"kind": "CHIPS", "seats": 300}), json!(["input", "seats"]), "de 0 à 255"),
        (&ada, "createGame", json!({"kind": "CHIPS", "seats": -1}), json!(["input", "seats"]), "de 0 à 255"),
        (&ada, "sitDown", json!({"gameId": id, "seat": 256}), json!(["input", "seat"]), "de 0 à 255"),
        (player, "removePlayer", json!({"gameId": id, "seat": -1}), json!(["input", "seat"]), "de 0 à 255"),
        (player, "updateGame", json!({"gameId": id, "seats": 999}), json!(["input", "seats"]), "de 0 à 255"),
        (
            player,
            "playMove",
            json!({"gameId": id, "id": "x", "expectedVersion": -1}),
            json!(["input", "expectedVersion"]),
            "de 0 à 2147483647",
        ),
    ] {
        let upper = mutation[..1].to_uppercase() + &mutation[1..];
        let query = format!(
            "mutation($input: {upper}Input!) {{ {mutation}(input: $input) {{ userErrors {{ code message path }} }} }}"
        );
        let answer = answer(player, Language::Fr, &query, json!({"input": input})).await;
        let error = &answer["data"][mutation]["userErrors"][0];
        assert_eq!((&error["code"], &error["path"]), (&json!("MALFORMED"), &path), "{input}: {answer}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(range)), "{answer}");
    }
    for (query, says) in [
        ("{ games(first: -1) { nodes { id } } }", "first doit être un nombre entier de 1 à 100"),
        ("{ games(first: 101) { nodes { id } } }", "first doit être un nombre entier de 1 à 100"),
    ] {
        let answer = answer(&ada, Language::Fr, query, json!({})).await;
        let message = answer["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(message.contains(says), "{query}: {answer}");
    }
}

#[tokio::test]
async fn an_unknown_kind_is_answered_with_those_that_there_are() {
    let server = Server::start().await;
    let known = "CHIPS, LOADING, SANTA_RESCUE, TOY_RUSH et TOYS_GO_GO_GO";
    let (_, message) = refusal(&server, "{ kind(id: CHESS) { name } }", json!({})).await;
    assert!(message.contains(known), "{message}");
    let query = "query($filter: GameFilterInput) { games(filter: $filter) { nodes { id } } }";
    let (_, message) = refusal(&server, query, json!({"filter": {"kind": "CHESS"}})).await;
    assert!(message.contains("filter.kind") && message.contains(known), "{message}");
    let kind = ask(&server.anybody(), "{ kind(id: CHIPS) { id } }", json!({})).await;
    assert_eq!(kind["kind"]["id"], "CHIPS");
}

#[tokio::test]
async fn what_the_library_says_of_a_number_is_put_into_the_readers_language() {
    let server = Server::start().await;
    let (_, message) =
        refusal(&server, "query($n: Int = 3000000000) { games(first: $n) { nodes { id } } }", json!({})).await;
    assert!(message.contains("doit être un nombre entier de -2147483648 à 2147483647"), "{message}");
    let ada = server.guest("Ada").await;
    let query = "mutation($key: String) { createGame(input: {kind: CHIPS, seats: 3000000000, idempotencyKey: $key}) { game { id } } }";
    let answer = answer(&ada, Language::Fr, query, json!({})).await;
    let error = &answer["errors"][0];
    assert_eq!(error["extensions"]["code"], "MALFORMED", "{answer}");
    assert!(error["message"].as_str().is_some_and(|message| message.starts_with("Un argument")), "{answer}");
}

#[tokio::test]
async fn a_field_that_is_sent_twice_is_refused() {
    let server = Server::start().await;
    for (body, field) in [
        (r#"{"query": "{ __typename }", "query": "{ kinds { id } }"}"#, "query"),
        (r#"{"query": "{ __typename }", "variables": {"a": {"b": 1, "b": 2}}}"#, "variables.a.b"),
        (r#"[{"query": "{ __typename }", "operationName": null, "operationName": null}]"#, "0.operationName"),
    ] {
        let request = server.http.post(format!("{}/graphql", server.url)).header("content-type", "application/json");
        let answer: Value = request.body(body).send().await.expect("an answer").json().await.expect("JSON");
        let error = &answer["errors"][0];
        assert_eq!(error["extensions"]["code"], "MALFORMED", "{answer}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(field)), "{answer}");
    }
}
