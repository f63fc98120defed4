//! What the playground opens with works as it stands: every example, for every kind.

use ludotheque::rules::catalog::BUILT_IN;
use ludotheque::texts::Language;
use serde_json::{Value, json};
use test_support::graphql::{answer, ask, listen, next};
use test_support::{Player, Server};

/// What the server gives as an example of a kind.
async fn example(player: &Player, kind: &str) -> String {
    let query = format!("{{ kind(id: {kind}) {{ example }} }}");
    ask(player, &query, json!({})).await["kind"]["example"].as_str().expect("a document").to_owned()
}

/// The operation of that name, out of a file of several.
fn operation(document: &str, name: &str) -> String {
    let starts = document.match_indices("\n}\n").map(|(end, _)| end + 3);
    let starts: Vec<_> = std::iter::once(0).chain(starts).collect();
    let operations = starts.windows(2).map(|ends| document[ends[0]..ends[1]].trim());
    let heads = |operation: &str| operation.lines().next().is_some_and(|line| line.contains(&format!(" {name}")));
    operations.filter(|operation| heads(operation)).map(str::to_owned).next().unwrap_or_else(|| panic!("no {name}"))
}

/// The payload of an example that succeeds.
async fn carry_out(player: &Player, document: &str, name: &str, variables: Value) -> Value {
    let told = answer(player, Language::En, &operation(document, name), variables).await;
    assert_eq!(told.get("errors"), None, "{name}");
    let payload = told["data"].as_object().and_then(|data| data.values().next()).expect("one field").clone();
    if let Some(refused) = payload.get("userErrors") {
        assert_eq!(refused, &json!([]), "{name}");
    }
    payload
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_of_every_kind_is_made_joined_watched_and_played_by_the_examples_alone() {
    let server = Server::start().await;
    for rules in BUILT_IN.newest_of_all() {
        let slug = rules.info().slug;
        let (ada, bob) = (server.guest("Ada").await, server.guest("Bob").await);
        let common = example(&ada, rules.info().kind).await;
        let made = carry_out(&ada, &common, "CreateGame", json!({})).await;
        let of_game = json!({"gameId": made["game"]["id"]});
        let mut watching = listen(&bob, &operation(&common, "WatchGame"), of_game.clone()).await;
        carry_out(&bob, &common, "SitDown", of_game.clone()).await;
        carry_out(&ada, &common, "StartGame", of_game.clone()).await;
        // The first player to move; some kinds draw it by lot.
        let mut played = None;
        for player in [&ada, &bob] {
            let listed = carry_out(player, &common, "LegalMoves", of_game.clone()).await;
            if let Some(mv) = listed["moves"][0]["id"].as_str() {
                let variables = json!({"gameId": made["game"]["id"], "moveId": mv});
                played = Some(carry_out(player, &common, "PlayMove", variables).await["version"].clone());
                break;
            }
        }
        assert_eq!(played, Some(json!(4)), "{slug}: somebody has a move");
        for version in 1..=4 {
            let told = next(&mut watching).await.expect("every step is sent");
            assert_eq!(told.get("errors"), None, "{slug}");
            assert_eq!(told["data"]["gameEvents"]["version"], version, "{slug}");
        }
        let seen = carry_out(&ada, &common, "LookAtGame", of_game).await;
        assert_eq!(seen["view"]["kind"], rules.info().kind);
        let fields = |value: &Value| value.as_object().map_or(0, serde_json::Map::len);
        assert!(fields(&seen["view"]) > 4, "{slug}: {seen}");
    }
}
