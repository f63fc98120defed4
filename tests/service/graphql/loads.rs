//! However often a request asks for a game, it is read once.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use test_support::graphql::ask;
use test_support::{Server, dice};

/// Far more often than anybody asks, within the limits of a document.
const OFTEN: usize = 90;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_sees_a_game_at_one_version_however_often_it_asks() {
    let server = Server::start().await;
    let table = server.table(5).await;
    let fields = (0..OFTEN).map(|number| format!("g{number}: game(id: $id) {{ version seats {{ player {{ id }} }} }}"));
    let query = format!("query($id: ID!) {{ {} }}", fields.collect::<String>());
    let watch = async {
        let mut seen = BTreeSet::new();
        for _ in 0..40 {
            let answer = ask(&table.players[0], &query, json!({"id": table.game})).await;
            let versions = answer.as_object().expect("fields").values().map(|game| &game["version"]);
            let versions: BTreeSet<_> = versions.filter_map(Value::as_u64).collect();
            assert_eq!(versions.len(), 1, "one answer, one version");
            seen.extend(versions);
        }
        seen
    };
    let play = async {
        let mut dice = dice(4);
        for _ in 0..6 {
            table.play_a_step(&mut dice).await;
        }
    };
    let (seen, ()) = futures::join!(watch, play);
    assert!(seen.len() > 1, "the game went on meanwhile");
}
