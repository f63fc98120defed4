//! A guest with as many lobbies as the server allows in the time asks which of its games wait for it: none does, so that
//! all of them may have to be looked at.

use super::super::super::Result;
use super::super::super::client::{Question, get};
use super::super::flood::Flood;
use super::{PLAYER_ALIASES, aliased, graphql, steps_taken};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::sleep;

const MAKERS: usize = 4;
/// More would use up the player's budget by asking, and get nothing for it.
const WORKERS: usize = 4;
/// Aliases of a document: less than half of what a player's budget pays for at once.
const ALIASES: usize = 6;
const SORTS: usize = 4;
/// After a refusal.
const PAUSE: Duration = Duration::from_millis(20);

pub async fn run(flood: Flood) {
    let token = flood.guest().await;
    let made = Arc::<AtomicUsize>::default();
    let makers = (0..MAKERS).map(|_| tokio::spawn(make_lobbies(flood.clone(), token.clone(), made.clone())));
    for maker in makers.collect::<Vec<_>>() {
        // One that panics has made fewer.
        let _made = maker.await;
    }
    flood.ready(&format!("{} lobbies", made.load(Ordering::Relaxed)));
    flood.all(WORKERS, |flood, number| list_for_ever(flood, token.clone(), number)).await;
}

async fn make_lobbies(flood: Flood, token: String, made: Arc<AtomicUsize>) {
    let mut client = flood.client();
    let new = "createGame(input: {kind: CHIPS, seats: 2}) { version }";
    let document = aliased("mutation", PLAYER_ALIASES, |_| new.to_owned());
    while flood.has_time() {
        let Ok(question) = graphql(&token, &document) else { return };
        match client.read(question).await.as_ref().map(steps_taken) {
            Some(more @ 1..) => drop(made.fetch_add(more, Ordering::Relaxed)),
            _ => sleep(PAUSE).await,
        }
    }
}

async fn list_for_ever(flood: Flood, token: String, worker: usize) {
    let mut client = flood.client();
    for turn in worker.. {
        let (sort, question) = question(&token, turn);
        if let Ok(question) = question {
            client.insist(sort, question).await;
        }
    }
}

fn question(token: &str, turn: usize) -> (&'static str, Result<Question>) {
    let games = |filter: &str| format!("games(filter: {{{filter}}}, first: 20) {{ nodes {{ id }} }}");
    let list = |filter: &str| aliased("query", ALIASES, |_| games(filter));
    match turn % SORTS {
        0 => ("waiting, REST", get("/v1/games?waitingForMe=true&limit=100", token)),
        1 => ("waiting, GraphQL", graphql(token, &list("waitingForMe: true"))),
        2 => ("mine, REST", get("/v1/games?mine=true&status=FINISHED&limit=100", token)),
        _ => ("mine, GraphQL", graphql(token, &list("mine: true, kind: LOADING"))),
    }
}
