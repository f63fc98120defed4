//! Players, accounts and games made by the hundred, and wrong passwords for one account: writes to the disk, and hashes
//! that are slow on purpose.

use super::super::super::Result;
use super::super::super::client::{Question, post};
use super::super::flood::Flood;
use super::{ADDRESS_ALIASES, PLAYER_ALIASES, aliased, graphql};
use serde_json::json;

const WORKERS: usize = 12;
const SORTS: usize = 5;
/// Documents of a batch, and aliases of each: together as much as in one document.
const BATCH: usize = 9;
const BATCH_ALIASES: usize = ADDRESS_ALIASES / BATCH;
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
        let (sort, question) = question(&token, worker, turn);
        if let Ok(question) = question {
            client.insist(sort, question).await;
        }
    }
}

/// Guests and accounts share what an address may make in an hour, so they are one sort.
fn question(token: &str, worker: usize, turn: usize) -> (&'static str, Result<Question>) {
    match turn % SORTS {
        0 => ("players", graphql("", &aliased("mutation", ADDRESS_ALIASES, |_| guest("userErrors { code }")))),
        1 => {
            let document = aliased("mutation", BATCH_ALIASES, |_| guest("__typename"));
            ("players", post("/graphql", "", &json!(vec![json!({"query": document}); BATCH])))
        }
        2 => {
            let account = |number: usize| {
                let name = format!("eve-{worker}-{}", turn * ADDRESS_ALIASES + number);
                format!(
                    "createPlayer(input: {{displayName: \"Eve\", username: \"{name}\", password: \"{name}-{name}\"}}) \
                     {{ userErrors {{ code }} }}"
                )
            };
            ("players", graphql("", &aliased("mutation", ADDRESS_ALIASES, account)))
        }
        3 => {
            let game = "createGame(input: {kind: LOADING, seats: 7}) { version userErrors { code } }";
            ("games", graphql(token, &aliased("mutation", PLAYER_ALIASES, |_| game.to_owned())))
        }
        _ => {
            let sign_in = |number: usize| {
                let password = turn * ADDRESS_ALIASES + number;
                format!(
                    "signIn(input: {{username: \"{VICTIM}\", password: \"wrong {password}\"}}) {{ userErrors {{ code }} }}"
                )
            };
            ("sign-ins", graphql("", &aliased("mutation", ADDRESS_ALIASES, sign_in)))
        }
    }
}

fn guest(fields: &str) -> String {
    format!("createPlayer(input: {{displayName: \"Eve\"}}) {{ {fields} }}")
}
