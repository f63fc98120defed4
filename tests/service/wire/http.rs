//! GraphQL over HTTP: what is taken, how it is answered, and who is asking.

use ludotheque::graphql;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use test_support::graphql::INTROSPECTION;
use test_support::{Player, Server};

const KINDS: &str = "{ kinds { id name } }";

#[tokio::test]
async fn a_query_is_answered_in_the_media_type_that_is_accepted() {
    let server = Server::as_shipped().await;
    let ask =
        async |accept: &str| server.anybody().graphql().header("accept", accept).json(&json!({"query": KINDS})).await;
    for (accept, media) in [
        ("application/graphql-response+json", "application/graphql-response+json; charset=utf-8"),
        ("application/json", "application/json; charset=utf-8"),
        ("*/*", "application/json; charset=utf-8"),
        (
            "application/graphql-response+json, application/json;q=0.9",
            "application/graphql-response+json; charset=utf-8",
        ),
        // What urql sends with everything: a stream is taken, but not needed.
        (
            "application/graphql-response+json, application/graphql+json, application/json, text/event-stream",
            "application/graphql-response+json; charset=utf-8",
        ),
    ] {
        let answer = ask(accept).await;
        assert_eq!(answer.header("content-type"), media, "{accept}");
        assert_eq!(answer.data()["kinds"][0]["id"], "CHIPS");
    }
    let refused = ask("text/html").await;
    assert_eq!(refused.refusal(), (406, "NOT_ACCEPTABLE".to_owned()));
}

#[tokio::test]
async fn a_document_that_can_not_be_carried_out_is_400_in_the_new_media_type_and_200_in_the_old_one() {
    let server = Server::as_shipped().await;
    for (document, code) in [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ game(id: [1]) { id } }", "GRAPHQL_VALIDATION_FAILED"),
        ("query a { kinds { id } } query b { kinds { id } }", "OPERATION_RESOLUTION_FAILURE"),
        ("{ ...f } fragment f on Query { ...f }", "GRAPHQL_VALIDATION_FAILED"),
    ] {
        let body = json!({"query": document});
        assert_eq!(server.anybody().asks(&body).await.refusal(), (400, code.to_owned()), "{document}");
        assert_eq!(server.anybody().asks_json(&body).await.refusal(), (200, code.to_owned()), "{document}");
    }
    let variables = json!({"query": "query ($id: ID!) { game(id: $id) { id } }", "variables": {"id": {}}});
    assert_eq!(server.anybody().asks(&variables).await.refusal().0, 400);
}

#[tokio::test]
async fn what_fails_on_the_way_is_told_beside_the_data() {
    let server = Server::as_shipped().await;
    let nobodys = "{ kinds { id } legalMoves(gameId: \"game_00000000000000000000000000000000\") { version } }";
    let answer = server.anybody().asks(&json!({"query": nobodys})).await;
    assert_eq!(answer.status, 200);
    let json = answer.json();
    assert!(json.get("data").is_some(), "{json}");
    assert_eq!(json["errors"][0]["path"], json!(["legalMoves"]));
}

#[tokio::test]
async fn get_is_for_queries_and_never_for_mutations() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    let answer = ada.graphql_get(&[("query", "query Kinds { kinds { id } }"), ("operationName", "Kinds")]).await;
    assert_eq!(answer.data()["kinds"][0]["id"], "CHIPS");
    let with_variables = [("query", "query ($id: ID!) { game(id: $id) { id } }"), ("variables", "{\"id\": \"x\"}")];
    assert_eq!(ada.graphql_get(&with_variables).await.status, 200);
    let mutation = "mutation { createGame(input: {kind: CHIPS, seats: 2}) { game { id } } }";
    let refused = ada.graphql_get(&[("query", mutation)]).await;
    assert_eq!(refused.refusal(), (405, "METHOD_NOT_ALLOWED".to_owned()));
    assert_eq!(refused.header("allow"), "GET, HEAD, POST");
    let mine = ada.ask(Method::GET, "/v1/games?mine=true").await.json();
    assert_eq!(mine["items"], json!([]), "nothing was made");
    for wrong in [[("query", "{"), ("variables", "x")], [("query", KINDS), ("variables", "[]")]] {
        assert_eq!(ada.graphql_get(&wrong).await.status, 400, "{wrong:?}");
    }
    let head = ada.ask(Method::HEAD, "/graphql?query=%7B__typename%7D").await;
    assert_eq!((head.status, head.text().as_str()), (200, ""));
}

#[tokio::test]
async fn other_methods_are_told_which_there_are() {
    let server = Server::as_shipped().await;
    for method in [Method::PUT, Method::DELETE, Method::PATCH] {
        let refused = server.anybody().ask(method, "/graphql").await;
        assert_eq!(refused.refusal(), (405, "METHOD_NOT_ALLOWED".to_owned()));
        assert_eq!(refused.header("allow"), "GET, HEAD, POST");
    }
}

#[tokio::test]
async fn what_a_page_of_somebody_elses_can_send_unasked_is_not_read() {
    let server = Server::as_shipped().await;
    let ada = server.guest("Ada").await;
    let body = json!({"query": "mutation { createGame(input: {kind: CHIPS, seats: 2}) { game { id } } }"}).to_string();
    let types = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin1",
    ];
    for media in types {
        let refused = ada.graphql().header(CONTENT_TYPE, media).body(body.clone()).await;
        assert_eq!(refused.refusal(), (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()), "{media}");
    }
    let refused = ada.graphql().body(body.clone()).await;
    assert_eq!(refused.refusal(), (415, "UNSUPPORTED_MEDIA_TYPE".to_owned()), "no type at all");
    let taken = ada.graphql().header(CONTENT_TYPE, "Application/JSON; charset=\"UTF-8\"").body(body).await;
    assert!(taken.data()["createGame"]["game"]["id"].is_string());
}

#[tokio::test]
async fn a_body_that_can_not_be_read_is_400_whatever_is_accepted() {
    let server = Server::as_shipped().await;
    let bodies = [
        "",
        "{",
        "7",
        "\"x\"",
        "null",
        "{}",
        "[]",
        r#"{"query": 7}"#,
        r#"{"query": "{ me { id } }", "variables": "x"}"#,
    ];
    for body in bodies {
        for accept in ["application/json", "application/graphql-response+json"] {
            let request = server.anybody().graphql().header("accept", accept).header(CONTENT_TYPE, "application/json");
            let refused = request.body(body).await;
            assert_eq!(refused.refusal(), (400, "MALFORMED".to_owned()), "{body}");
        }
    }
}

#[tokio::test]
async fn a_subscription_needs_a_stream() {
    let server = Server::as_shipped().await;
    let (game, ada, _) = server.table_for_two().await;
    let subscription = format!("subscription {{ gameEvents(gameId: \"{game}\") {{ version }} }}");
    let refused = ada.asks(&json!({"query": subscription})).await;
    assert_eq!(refused.refusal(), (406, "STREAM_NOT_ACCEPTED".to_owned()));
    for wrong in [
        "subscription { ...f } fragment f on Subscription { gameEvents(gameId: \"x\") { version } }",
        "subscription { a: gameEvents(gameId: \"x\") { version } b: gameEvents(gameId: \"x\") { version } }",
        "subscription { gameEvents(gameId: \"x\") @include(if: true) { version } }",
    ] {
        let refused = ada.asks(&json!({"query": wrong})).await;
        assert_eq!(refused.refusal(), (400, "GRAPHQL_VALIDATION_FAILED".to_owned()), "{wrong}");
    }
}

#[tokio::test]
async fn no_token_is_nobody_and_a_bad_one_is_refused() {
    let server = Server::as_shipped().await;
    let me = json!({"query": "{ me { id displayName } }"});
    let ada = server.guest("Ada").await;
    assert_eq!(ada.asks(&me).await.data(), json!({"me": {"id": ada.id, "displayName": "Ada"}}));
    let nobody = server.anybody().asks(&me).await;
    assert_eq!((nobody.status, &nobody.json()["data"]["me"]), (200, &Value::Null));
    let forger = Player { token: Some("forged".to_owned()), ..ada.clone() };
    for refused in [forger.asks(&me).await, forger.asks_json(&me).await] {
        assert_eq!(refused.refusal(), (401, "INVALID_TOKEN".to_owned()));
        assert_eq!(refused.header("www-authenticate"), r#"Bearer realm="ludotheque", error="invalid_token""#);
    }
    ada.signs_out().await;
    assert_eq!(ada.asks(&me).await.refusal(), (401, "INVALID_TOKEN".to_owned()));
}

#[tokio::test]
async fn whoever_asks_too_often_is_told_when_to_come_back() {
    let server = Server::with_rates(1, 0).await;
    let ada = server.guest("Ada").await;
    let me = json!({"query": "{ me { id } }"});
    let answers = futures::future::join_all((0..20).map(|_| ada.asks(&me))).await;
    let refused = answers.iter().find(|answer| answer.status == 429).expect("twenty at once are too many");
    assert_eq!(refused.refusal().1, "RATE_LIMITED");
    let seconds = refused.header("retry-after");
    assert_eq!(refused.json()["errors"][0]["extensions"]["retryAfter"].to_string(), seconds);
}

#[tokio::test]
async fn answers_are_in_the_callers_language() {
    let server = Server::as_shipped().await;
    let ask = async |language: &str, query: &str| {
        let request = server.anybody().graphql().header("accept-language", language).json(&json!({"query": query}));
        request.await
    };
    let (english, french) = (
        ask("en", "query a { me { id } } query b { me { id } }").await,
        ask("fr", "query a { me { id } } query b { me { id } }").await,
    );
    assert_eq!((english.header("content-language"), french.header("content-language")), ("en".into(), "fr".into()));
    assert!(french.text().contains("Le document a plusieurs"), "{french:?}");
    assert!(english.text().contains("The document has several"), "{english:?}");
    assert!(french.header("vary").contains("accept-language"), "{french:?}");
    assert_eq!(french.header("cache-control"), "no-store");
}

#[tokio::test]
async fn a_browser_may_call_from_elsewhere() {
    let server = Server::as_shipped().await;
    let preflight = server
        .anybody()
        .ask(Method::OPTIONS, "/graphql")
        .header("origin", "https://play.example.org")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization, content-type");
    let answer = preflight.await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, "*".to_owned()));
}

#[tokio::test]
async fn what_leads_nowhere_is_still_a_problem_of_rest() {
    let server = Server::as_shipped().await;
    let answer = server.anybody().ask(Method::GET, "/nowhere").await;
    assert_eq!((answer.status, answer.header("content-type")), (404, "application/problem+json".to_owned()));
}

#[tokio::test]
async fn the_schema_may_be_asked_for_unless_the_operator_says_no() {
    let open = Server::as_shipped().await;
    let introspection = json!({"query": INTROSPECTION});
    assert_eq!(open.anybody().asks(&introspection).await.data()["__schema"]["queryType"]["name"], "Query");
    let misspelt = json!({"query": "{ kindz { id } }"});
    assert!(open.anybody().asks(&misspelt).await.text().contains("Did you mean"));
    let settings = graphql::Settings { introspection: false, suggestions: false, ..graphql::Settings::default() };
    let closed = Server::with_graphql(settings).await;
    let answer = closed.anybody().asks(&introspection).await;
    assert_eq!(answer.refusal(), (403, "INTROSPECTION_DISABLED".to_owned()));
    let within = json!({"query": "{ ...f } fragment f on Query { kinds { id } t: __type(name: \"Kind\") { name } }"});
    assert_eq!(closed.anybody().asks(&within).await.refusal().1, "INTROSPECTION_DISABLED");
    assert!(
        closed.anybody().asks(&json!({"query": "{ __typename kinds { id __typename } }"})).await.data().is_object()
    );
    let answer = closed.anybody().asks(&misspelt).await;
    assert_eq!(answer.refusal().0, 400);
    assert!(!answer.text().contains("Did you mean"), "{answer:?}");
}
