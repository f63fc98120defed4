//! One order: whatever clients were told on whichever node can be put into one, over ten thousand questions.

use crate::fleet::Fleet;
use crate::history::{Operation, What, contradictions};
use futures::future::join_all;
use ludotheque::rules::Dice;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use test_support::postgres::database;
use test_support::{Ask, Endpoint, Player, Program, Table, dice};

const OPERATIONS: usize = 10_000;
const CLIENTS: usize = 24;
const TABLES: usize = 3;
const SEATS: u8 = 5;

/// A client: asks whichever node, about whichever table, whatever comes to mind.
struct Client {
    endpoints: Vec<Endpoint>,
    tables: Arc<Vec<Table>>,
    dice: Dice,
    history: Vec<Operation>,
    unanswered: usize,
}

impl Client {
    async fn act(&mut self) {
        let table = self.dice.index(self.tables.len());
        let seat = self.dice.index(usize::from(SEATS));
        let tables = self.tables.clone();
        let game = &tables[table].game;
        let player = self.somewhere(&tables[table].players[seat]);
        match self.dice.below(6) {
            0 => drop(self.ask(game, player.looks_at(game), What::Seen).await),
            1 => drop(self.ask(game, player.get(&format!("/v1/games/{game}/events?limit=1")), What::Seen).await),
            2 => {
                // Pinned to a version that has passed: refused with the one there is.
                let body = json!({"id": "discard", "expectedVersion": 1});
                let ask = player.post(&format!("/v1/games/{game}/moves")).json(&body);
                drop(self.ask(game, ask, What::Refused).await);
            }
            _ => {
                let listed = self.ask(game, player.asks_for_moves(game), What::Seen).await;
                let moves = test_support::player::ids(&listed);
                if !moves.is_empty() {
                    let mv = &moves[self.dice.index(moves.len())];
                    let player = self.somewhere(&player);
                    drop(self.ask(game, player.plays(game, mv), What::Made).await);
                }
            }
        }
    }

    fn somewhere(&mut self, player: &Player) -> Player {
        player.at(&self.endpoints[self.dice.index(self.endpoints.len())])
    }

    async fn ask(&mut self, game: &str, ask: Ask, what: What) -> Value {
        let asked = Instant::now();
        // A connection that was idle for long may be closed at the moment it is used: then nothing is known, and claimed.
        let Ok(answer) = ask.attempt().await else {
            self.unanswered += 1;
            return json!({"moves": []});
        };
        let answered = Instant::now();
        let body = answer.json();
        let what = match answer.status {
            200 => what,
            409 => What::Refused,
            _ => panic!("{}: {body}", answer.asked),
        };
        // Refusals that come with a version say on which state they were judged.
        if let Some(version) = body["version"].as_u64() {
            self.history.push(Operation { game: game.to_owned(), asked, answered, version, what });
        }
        body
    }
}

/// Has many clients ask many things, and looks for an order.
async fn is_in_one_order(endpoints: Vec<Endpoint>) {
    let opened = (0..TABLES).map(|_| async {
        let table = endpoints[0].lobby(SEATS, json!({"options": {"targetTokens": 20}})).await;
        table.players[0].starts(&table.game).await.ok();
        table
    });
    let tables = Arc::new(join_all(opened).await);
    let done = Arc::new(AtomicUsize::new(0));
    let clients = (0..CLIENTS).map(|number| {
        let (endpoints, tables, done) = (endpoints.clone(), tables.clone(), done.clone());
        tokio::spawn(async move {
            let mut client =
                Client { endpoints, tables, dice: dice(number as u64), history: Vec::new(), unanswered: 0 };
            while done.load(Ordering::Relaxed) < OPERATIONS {
                let before = client.history.len();
                client.act().await;
                done.fetch_add(client.history.len() - before, Ordering::Relaxed);
            }
            assert!(client.unanswered < OPERATIONS / CLIENTS / 10, "{} went unanswered", client.unanswered);
            client.history
        })
    });
    let histories = join_all(clients).await.into_iter().map(|history| history.expect("a client"));
    let history: Vec<_> = histories.flatten().collect();
    let count = |what| history.iter().filter(|operation| operation.what == what).count();
    println!("{} made, {} seen, {} refused", count(What::Made), count(What::Seen), count(What::Refused));
    assert!(history.len() >= OPERATIONS && count(What::Made) > 100 && count(What::Refused) > 100);
    let found = contradictions(&history);
    assert!(found.is_empty(), "{} contradictions: {:#?}", found.len(), &found[..found.len().min(3)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: ten thousand operations"]
async fn ten_thousand_answers_of_three_nodes_are_in_one_order() {
    let fleet = Fleet::of(3, &database());
    is_in_one_order((0..3).map(|node| fleet.endpoint(node)).collect()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: ten thousand operations"]
async fn ten_thousand_answers_of_one_node_on_the_embedded_store_are_in_one_order() {
    let data = tempfile::tempdir().expect("a folder");
    let node = Program::unlimited(data.path());
    is_in_one_order(vec![Endpoint::clone(&node)]).await;
}
