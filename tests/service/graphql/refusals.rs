//! How GraphQL refuses: domain refusals in the payload, everything else as errors with a code.

use ludotheque::ids::GameId;
use ludotheque::texts::Language;
use serde_json::{Value, json};
use test_support::Server;
use test_support::graphql::{answer, ask, listen, mutate, next};

const REFUSED: &str = "{ game { version } version events { type } legalMoves { id move { type } }
    userErrors { code message path } }";

#[tokio::test]
async fn a_refused_move_says_why_in_the_readers_language_and_lists_the_legal_ones() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let player = &table.players[0];
    let query = format!("mutation($input: PlayMoveInput!) {{ playMove(input: $input) {REFUSED} }}");
    let input = json!({"input": {"gameId": table.game, "id": "discard last-n"}});
    let mut messages = Vec::new();
    for (language, tag) in [(Language::En, "en"), (Language::Fr, "fr")] {
        let refused = answer(player, language, &query, input.clone()).await["data"]["playMove"].clone();
        let problem = player.plays(&table.game, "discard last-n").header("accept-language", tag).await;
        let problem: Value = serde_json::from_slice(&problem.bytes).expect("JSON");
        assert_eq!(refused["userErrors"][0]["code"], problem["code"]);
        assert_eq!(refused["userErrors"][0]["message"], problem["detail"], "the same sentence on both faces");
        assert_eq!(refused["version"], problem["version"]);
        assert_eq!(refused["game"]["version"], problem["version"]);
        assert_eq!(refused["events"], Value::Null);
        let ids =
            |moves: &Value| moves.as_array().expect("moves").iter().map(|mv| mv["id"].clone()).collect::<Vec<_>>();
        assert_eq!(ids(&refused["legalMoves"]), ids(&problem["legalMoves"]));
        messages.push(refused["userErrors"][0]["message"].clone());
    }
    assert_ne!(messages[0], messages[1]);
}

#[tokio::test]
async fn a_move_pinned_to_another_version_is_told_the_game_as_it_is_now() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let mv = table.players[0].moves(&table.game).await[0].clone();
    let input = json!({"gameId": table.game, "id": mv, "expectedVersion": 1});
    let refused = mutate(&table.players[0], "playMove", REFUSED, input).await;
    assert_eq!(refused["userErrors"][0]["code"], "VERSION_CONFLICT");
    assert_eq!(refused["game"]["version"], table.version().await);
}

#[tokio::test]
async fn a_number_that_nothing_is_counted_with_is_a_user_error_with_a_code() {
    let server = Server::start().await;
    let query = "mutation($input: SitDownInput!) { sitDown(input: $input) { userErrors { code } } }";
    for seat in [-1, 256, 134_217_729] {
        let input = json!({"input": {"gameId": GameId::new().to_string(), "seat": seat}});
        let answer_to = answer(&server.guest("Ada").await, Language::En, query, input).await;
        assert_eq!(answer_to["data"]["sitDown"]["userErrors"][0]["code"], "MALFORMED", "{answer_to}");
    }
}

#[tokio::test]
async fn what_needs_a_token_is_an_error_without_one_and_nulls_its_own_field_only() {
    let server = Server::start().await;
    let table = server.table(2).await;
    let query = "mutation($input: StartGameInput!) { startGame(input: $input) { version } }";
    let input = json!({"input": {"gameId": table.game}});
    let answer_to = answer(&server.anybody(), Language::En, query, input).await;
    assert_eq!(answer_to["data"], json!({"startGame": null}));
    assert_eq!(answer_to["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    assert_eq!(answer_to["errors"][0]["path"], json!(["startGame"]));
    let query = "query($id: ID!) { me { id } legalMoves(gameId: $id) { seat } game(id: $id) { version } }";
    let answer_to = answer(&server.anybody(), Language::Fr, query, json!({"id": table.game})).await;
    assert_eq!((&answer_to["data"]["me"], &answer_to["data"]["legalMoves"]), (&Value::Null, &Value::Null));
    assert!(answer_to["data"]["game"]["version"].is_number(), "the rest is answered");
    assert_eq!(answer_to["errors"].as_array().map(Vec::len), Some(1), "nobody being signed in is no error");
}

#[tokio::test]
async fn options_must_be_those_of_the_kind() {
    let server = Server::start().await;
    let host = server.guest("Host").await;
    let select = "{ game { id options { moveSeconds } } userErrors { code path } }";
    let wrong = json!({"kind": "CHIPS", "options": {"toyRush": {}}});
    let refused = mutate(&host, "createGame", select, wrong).await;
    assert_eq!(refused["userErrors"], json!([{"code": "MALFORMED", "path": ["input", "options"]}]));
    let right = json!({"kind": "TOY_RUSH", "options": {"toyRush": {"moveSeconds": 30}}});
    let made = mutate(&host, "createGame", select, right).await;
    assert_eq!(made["game"]["options"]["moveSeconds"], 30);
    let wrong = json!({"gameId": made["game"]["id"], "options": {"chips": {}}});
    let refused = mutate(&host, "updateGame", "{ userErrors { code path } }", wrong).await;
    assert_eq!(refused["userErrors"][0]["path"], json!(["input", "options"]));
}

#[tokio::test]
async fn accounts_sign_in_change_and_go_through_graphql_alone() {
    let server = Server::start().await;
    let anybody = server.anybody();
    let tokens = "{ tokens { accessToken refreshToken player { id displayName } } userErrors { code path } }";
    let half = json!({"displayName": "Ada", "username": "ada"});
    let refused = mutate(&anybody, "createPlayer", tokens, half).await;
    assert_eq!(refused["userErrors"], json!([{"code": "MALFORMED", "path": ["input", "password"]}]));
    let whole = json!({"displayName": "Ada", "username": "ada", "password": "correct horse"});
    let made = mutate(&anybody, "createPlayer", tokens, whole).await;
    assert_eq!(made["tokens"]["player"]["displayName"], "Ada");
    let wrong = json!({"username": "ada", "password": "wrong horse"});
    let refused = mutate(&anybody, "signIn", tokens, wrong).await;
    assert_eq!(refused["userErrors"][0]["code"], "UNAUTHENTICATED");
    let right = json!({"username": "ada", "password": "correct horse"});
    let signed = mutate(&anybody, "signIn", tokens, right).await;
    let refresh = json!({"refreshToken": signed["tokens"]["refreshToken"]});
    let fresh = mutate(&anybody, "refreshTokens", tokens, refresh.clone()).await;
    let mut again = refresh;
    again["idempotencyKey"] = json!("");
    let refused = mutate(&anybody, "refreshTokens", tokens, again.clone()).await;
    assert_eq!(refused["userErrors"][0]["code"], "MALFORMED");
    again["idempotencyKey"] = json!("monday");
    let again = mutate(&anybody, "refreshTokens", tokens, again).await;
    assert_eq!(again["tokens"]["refreshToken"], fresh["tokens"]["refreshToken"], "as if its answer had been lost");
    let ada = |tokens: &Value| test_support::Player {
        token: Some(tokens["tokens"]["accessToken"].as_str().expect("a token").to_owned()),
        ..anybody.clone()
    };
    let fresh = ada(&fresh);
    let changed =
        mutate(&fresh, "updatePlayer", "{ profile { displayName username } }", json!({"displayName": "Ada L."}));
    assert_eq!(changed.await["profile"], json!({"displayName": "Ada L.", "username": "ada"}));
    let out = ask(&fresh, "mutation { signOut { player { displayName } userErrors { code } } }", json!({}));
    assert_eq!(out.await["signOut"]["player"]["displayName"], "Ada L.");
    let gone = ask(&ada(&made), "mutation { deletePlayer { deletedPlayerId } }", json!({})).await;
    let id = gone["deletePlayer"]["deletedPlayerId"].clone();
    let node = "query($id: ID!) { node(id: $id) { id ... on Player { displayName } } }";
    let former = answer(&anybody, Language::Fr, node, json!({"id": id})).await;
    assert_ne!(former["data"]["node"]["displayName"], "Ada L.");
}

#[tokio::test]
async fn lists_are_paged_by_cursors_newest_first() {
    let server = Server::start().await;
    let host = server.guest("Host").await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(host.creates(&json!({"kind": "CHIPS"})).await.ok()["id"].clone());
    }
    ids.reverse();
    let query = "query($after: String) { games(filter: {mine: true, status: LOBBY, kind: CHIPS}, first: 2, after: $after) {
        edges { cursor node { id host { displayName } } } nodes { id } pageInfo { hasNextPage hasPreviousPage endCursor } } }";
    let (mut seen, mut after) = (Vec::new(), Value::Null);
    for page in 0..3 {
        let games = ask(&host, query, json!({"after": after})).await["games"].clone();
        seen.extend(games["nodes"].as_array().expect("nodes").iter().map(|game| game["id"].clone()));
        assert_eq!(games["pageInfo"]["hasNextPage"], page < 2);
        assert_eq!(games["pageInfo"]["hasPreviousPage"], page > 0);
        after = games["pageInfo"]["endCursor"].clone();
    }
    assert_eq!(seen, ids);
    for (first, after, code) in
        [(0, Value::Null, "MALFORMED"), (101, Value::Null, "MALFORMED"), (1, json!("x"), "BAD_CURSOR")]
    {
        let query = "query($first: Int, $after: String) { games(first: $first, after: $after) { nodes { id } } }";
        let refused = answer(&host, Language::En, query, json!({"first": first, "after": after})).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], code);
    }
}

/// Typed clients declare variables that they then leave out, or send as null.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_a_default_may_be_left_out_or_null_even_by_a_variable() {
    let server = Server::start().await;
    let ada = server.guest("Ada").await;
    let create = "mutation($visibility: Visibility, $sit: Boolean) {
        createGame(input: {kind: CHIPS, visibility: $visibility, sit: $sit}) { game { id visibility you } } }";
    let list = "query($mine: Boolean, $waiting: Boolean) {
        games(filter: {mine: $mine, waitingForMe: $waiting}) { nodes { id } } }";
    let watch = "subscription($id: ID!, $after: Int) { gameEvents(gameId: $id, after: $after) { version } }";
    for variables in [json!({}), json!({"visibility": null, "sit": null, "mine": null, "waiting": null, "after": null})]
    {
        let game = ask(&ada, create, variables.clone()).await["createGame"]["game"].clone();
        assert_eq!((&game["visibility"], &game["you"]), (&json!("PUBLIC"), &json!(0)));
        assert_eq!(ask(&ada, list, variables.clone()).await["games"]["nodes"][0]["id"], game["id"]);
        let mut of_game = variables;
        of_game["id"] = game["id"].clone();
        let mut stream = listen(&ada, watch, of_game).await;
        assert_eq!(next(&mut stream).await.expect("a step")["data"]["gameEvents"]["version"], 1);
    }
}
