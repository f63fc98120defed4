//! Random games in real time, their histories, and givers in a tie.

use super::client::Manner;
use super::log::Tally;
use super::{Race, seven, some_options};
use futures::future::join_all;
use serde_json::{Value, json};
use test_support::Server;

/// Tables that are played at at the same time, each by its own players.
const TABLES: u64 = 8;
const GAMES: u64 = 500;
const OPERATIONS: usize = 10_000;
const TIES: usize = 1_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: plays for minutes"]
async fn five_hundred_real_time_games_are_each_one_order_of_legal_moves_in_which_nobody_saw_too_much() {
    let server = Server::start().await;
    let tables = (0..TABLES).map(|lane| {
        let endpoint = server.clone();
        tokio::spawn(async move {
            let (players, mut tally) = (seven(&endpoint).await, Tally::default());
            for luck in (lane..GAMES).step_by(usize::try_from(TABLES).expect("few")) {
                let seats = usize::try_from(2 + luck % 6).expect("few");
                let table = Race::laid(&players[..seats], some_options(luck / 6)).await;
                // Chance alone takes STOP cards so soon that hardly anything is laid; so every third game is patient.
                let patience = if luck % 3 == 0 { 8 } else { 0 };
                let manner = Manner { patience, resignations: 200, ..Manner::default() };
                tally += table.played(1, luck, manner).await;
            }
            tally
        })
    });
    let mut tally = Tally::default();
    join_all(tables).await.into_iter().for_each(|lane| tally += lane.expect("a lane"));
    assert!(tally.accepted > 6_000 && tally.refused > 100, "{} accepted, {} refused", tally.accepted, tally.refused);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: plays for minutes"]
async fn ten_thousand_operations_of_racing_clients_fit_one_order_that_agrees_with_real_time() {
    let server = Server::start().await;
    let tables = (0..TABLES).map(|lane| {
        let endpoint = server.clone();
        tokio::spawn(async move {
            let (players, mut tally) = (seven(&endpoint).await, Tally::default());
            for round in 0..10 * GAMES {
                if tally.accepted + tally.refused > OPERATIONS / usize::try_from(TABLES).expect("few") {
                    break;
                }
                let luck = 1_000 + round * TABLES + lane;
                let seats = usize::try_from(3 + luck % 5).expect("few");
                let table = Race::laid(&players[..seats], some_options(luck)).await;
                // Two clients for each seat, who know nothing of each other and often just guess.
                tally += table.played(2, luck, Manner { guesses: 4, ..Manner::default() }).await;
            }
            tally
        })
    });
    let mut tally = Tally::default();
    join_all(tables).await.into_iter().for_each(|lane| tally += lane.expect("a lane"));
    assert!(tally.accepted + tally.refused > OPERATIONS, "{} accepted, {} refused", tally.accepted, tally.refused);
    assert!(tally.refused > OPERATIONS / 10, "there was something to race for: {}", tally.refused);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "slow: plays for minutes"]
async fn two_who_give_at_the_same_instant_both_succeed() {
    const LANES: usize = 4;
    let server = Server::start().await;
    let lanes = (0..LANES).map(|_| {
        let endpoint = server.clone();
        tokio::spawn(async move {
            let players = seven(&endpoint).await;
            let table = Race::laid(&players[..3], json!({"heldOutSeat": 0, "idlePasses": 0})).await;
            table.players[0].plays(&table.game, "charge").await.ok();
            let mut held_out = 0;
            for _ in 0..TIES / LANES {
                held_out = tie(&table, held_out).await;
            }
        })
    });
    join_all(lanes).await.into_iter().for_each(|lane| lane.expect("both succeed"));
}

/// Both holders give at once; answers whose hand is held out then.
async fn tie(table: &Race, held_out: usize) -> usize {
    let givers: Vec<_> = (0..3).filter(|seat| *seat != held_out).collect();
    let give = |seat: usize| table.players[seat].plays(&table.game, "give").send();
    let (one, other) = futures::join!(give(givers[0]), give(givers[1]));
    let mut gifts = Vec::new();
    for (seat, response) in givers.into_iter().zip([one, other]) {
        let response = response.expect("the server answers");
        assert_eq!(response.status(), 200, "seat {seat}");
        let body: Value = response.json().await.expect("JSON");
        let event = &body["events"][0];
        let to = usize::try_from(event["to"].as_u64().expect("a seat")).expect("few");
        gifts.push((body["version"].as_u64().expect("a version"), seat, to));
    }
    // First come, first served: the first one's packet goes to the hand held out, the second one's to the first.
    gifts.sort_unstable();
    assert_eq!((gifts[0].2, gifts[1].2), (held_out, gifts[0].1));
    gifts[1].1
}
