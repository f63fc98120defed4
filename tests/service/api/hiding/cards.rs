//! Cards out of place: an answer that names a card which its reader could not know of.

use super::{Heard, everything};
use ludotheque::rules::Message;
use ludotheque::rules::chips::Card;
use ludotheque::texts::{Language, Texts};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use test_support::redact::told_all;
use test_support::{Player, Server, Table, dice};

/// Finds cards in texts: by their slugs, and by their names in every language.
struct Finder(Vec<(String, Vec<String>)>);

impl Finder {
    fn new() -> Self {
        let texts = Texts::new(ludotheque::rules::catalog::BUILT_IN);
        let names = |name: &Message| Language::ALL.map(|language| texts.render(name, language)).to_vec();
        Self(Card::all().map(|card| (card.to_string(), names(&card.name()))).collect())
    }

    fn find(&self, text: &str) -> BTreeSet<&str> {
        let words: BTreeSet<&str> =
            text.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '-').collect();
        let named = |(slug, names): &&(String, Vec<String>)| {
            words.contains(slug.as_str()) || names.iter().any(|name| text.contains(name.as_str()))
        };
        self.0.iter().filter(named).map(|(slug, _)| slug.as_str()).collect()
    }

    /// What a viewer could know at each version, from 1 on: whatever was in the steps as they had to be told.
    fn known(&self, replay: &Value, viewer: Option<usize>) -> Vec<BTreeSet<&str>> {
        let steps = told_all(replay, viewer);
        let known = steps.iter().scan(BTreeSet::new(), |known, step| {
            known.append(&mut self.find(&step.to_string()));
            Some(known.clone())
        });
        known.collect()
    }

    /// The cards beyond what could be known.
    fn out_of_place<'a>(&'a self, heard: &Heard, known: &[BTreeSet<&str>]) -> BTreeSet<&'a str> {
        let known = &known[usize::try_from(heard.version).expect("few steps") - 1];
        self.find(&heard.text).into_iter().filter(|card| !known.contains(card)).collect()
    }
}

fn viewers(table: &Table) -> Vec<(Option<usize>, Player)> {
    let seated = table.players.iter().cloned().enumerate().map(|(seat, player)| (Some(seat), player));
    seated.chain([(None, table.spectator())]).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_names_a_card_that_its_reader_could_not_know() {
    let finder = Finder::new();
    for seats in [2_u8, 5] {
        let server = Server::start().await;
        let mut dice = dice(u64::from(seats));
        let table = server.lobby(seats, json!({"options": {"targetTokens": 1}})).await;
        table.players[0].starts(&table.game).await.ok();
        let viewers = viewers(&table);
        let mut heard: Vec<Vec<Heard>> = viewers.iter().map(|_| Vec::new()).collect();
        for _ in 0..200 {
            for ((_, viewer), heard) in viewers.iter().zip(&mut heard) {
                heard.extend(everything(viewer, &table.game, &[]).await);
            }
            match table.waiting().await.first() {
                Some(&seat) => table.plays_any(seat, &mut dice).await,
                None => break,
            };
        }
        let replay = table.replay().await;
        for ((seat, _), heard) in viewers.iter().zip(&heard) {
            let known = finder.known(&replay, *seat);
            for heard in heard {
                assert_eq!(finder.out_of_place(heard, &known), BTreeSet::new(), "to {seat:?}: {}", heard.text);
            }
            // On what hides nothing, the same eyes do find something: in the deal, and in every choice of others.
            for step in replay["steps"].as_array().expect("steps") {
                let whole = Heard { version: step["version"].as_u64().expect("a number"), text: step.to_string() };
                let is_dealt = whole.text.contains("DEALT");
                let is_secret = is_dealt || (step["seat"] != json!(seat) && whole.text.contains("DISCARD"));
                let found = finder.out_of_place(&whole, &known);
                assert!(
                    !is_secret || !found.is_empty() || whole.version > first_round(&replay),
                    "{seat:?} {}",
                    whole.text
                );
            }
        }
    }
}

/// The version that ends the first round. Later ones are played with cards that have been seen before.
fn first_round(replay: &Value) -> u64 {
    let steps = replay["steps"].as_array().expect("steps").iter();
    let scored = steps.zip(1..).find(|(step, _)| step.to_string().contains("SCORED"));
    scored.expect("a round was scored").1
}
