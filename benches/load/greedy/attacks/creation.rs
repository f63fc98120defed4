//! Players, accounts and games made by the hundred, and wrong passwords for one account: writes to the disk, and hashes
//! that are slow on purpose.

use super::super::super::Result;
use super::super::super::client::{Question, post};
use super::super::flood::Flood;
use super::{ALIASES, aliased, graphql};
use serde_json::{Value, json};

const WORKERS: usize = 12;
const SORTS: usize = 5;
/// Documents of a batch: as many as stay below the nodes that a batch may have.
const BATCH: usize = 9;
const VICTIM: &str = "victim";

pub async fn run(flood: Flood) {
    let mut client = flood.client();
    let account = json!({"displayName": "Victim", "username": VICTIM, "password": "correct horse battery"});
    while client.post("/v1/players", "", &account).await.is_none() && flood.has_time() {}
    let token = flood.guest().await;
    flood.ready("");
    flood.all(WORKERS, |flood, number| create_for_ever(flood, token.clone(), number)).await;
}

async fn create_for_ever(flood: Flood, token: String, worker: usize) {
    let mut client = flood.client();
    for turn in worker.. {
        if let Ok(question) = question(&token, worker, turn) {
            client.ask(question).await;
        }
    }
}

fn question(token: &str, worker: usize, turn: usize) -> Result<Question> {
    match turn % SORTS {
        0 => graphql("", &aliased("mutation", |_| guest("userErrors { code }"))),
        1 => {
            let batch: Vec<Value> =
                (0..BATCH).map(|_| json!({"query": aliased("mutation", |_| guest("__typename"))})).collect();
            post("/graphql", "", &batch)
        }
        2 => {
            let account = |number: usize| {
                let name = format!("eve-{worker}-{}", turn * ALIASES + number);
                format!(
                    "createPlayer(input: {{displayName: \"Eve\", username: \"{name}\", password: \"{name}-{name}\"}}) \
                     {{ userErrors {{ code }} }}"
                )
            };
            graphql("", &aliased("mutation", account))
        }
        3 => {
            let game = "createGame(input: {kind: LOADING, seats: 7}) { version userErrors { code } }";
            graphql(token, &aliased("mutation", |_| game.to_owned()))
        }
        _ => {
            let sign_in = |number: usize| {
                let password = turn * ALIASES + number;
                format!(
                    "signIn(input: {{username: \"{VICTIM}\", password: \"wrong {password}\"}}) {{ userErrors {{ code }} }}"
                )
            };
            graphql("", &aliased("mutation", sign_in))
        }
    }
}

fn guest(fields: &str) -> String {
    format!("createPlayer(input: {{displayName: \"Eve\"}}) {{ {fields} }}")
}
