//! Captures the replays that are committed in `tests/replays` and must verify for ever (`tests/documents/replays.rs`).
//!
//! Only on demand, once for each new rules version: `cargo test --test service capture_replays -- --ignored`.

use ludotheque::rules::{Dice, catalog};
use serde_json::{Value, json};
use std::path::PathBuf;
use test_support::table::verified;
use test_support::{Server, Table, dice, pick};

/// More games than it takes to see a jackpot, which some three of a hundred rounds have.
const MOST: u64 = 200;

mod programs {
    use super::*;

    #[tokio::test]
    #[ignore = "writes to tests/replays: only when a rules version is added"]
    async fn capture_replays() {
        let server = Server::start().await;
        for rules in catalog::BUILT_IN.newest_of_all().filter(|rules| rules.info().kind != "CHIPS") {
            let seats = *rules.info().seats.end();
            let table = server.lobby(seats, json!({"kind": rules.info().kind})).await;
            table.players[0].starts(&table.game).await.ok();
            table.play_to_the_end(&mut dice(7)).await;
            keep(&format!("{seats}-players"), &table.replay().await);
        }
        keep("own-campaign", &own_campaign(&server).await);
        keep("advent", &advent(&server, &json!({})).await);
        keep("advent-own-campaign", &advent(&server, &json!({"campaignSeed": 7})).await);
        for seats in [2, 3, 5] {
            let table = server.table(seats).await;
            table.play_to_the_end(&mut dice(u64::from(seats))).await;
            keep(&format!("{seats}-players"), &table.replay().await);
        }

        let table = server.lobby(4, json!({"options": {"targetTokens": 9, "firstDealer": 3}})).await;
        table.players[0].starts(&table.game).await.ok();
        for seat in [2, 0, 3] {
            for _ in 0..4 {
                table.play_a_step(&mut dice(seat)).await;
            }
            table.players[usize::try_from(seat).expect("a seat")].resigns(&table.game).await.ok();
        }
        keep("resigned", &table.replay().await);

        for number in 0..MOST {
            let table = server.table(5).await;
            hope_for_the_jackpot(&table, &mut dice(number)).await;
            let replay = table.replay().await;
            if replay["outcome"]["reason"] == "JACKPOT" {
                return keep("jackpot", &replay);
            }
        }
        panic!("no jackpot in {MOST} games");
    }
}

/// A campaign with all that SANTA_RESCUE has beside its moves, and a player who leaves.
async fn own_campaign(server: &Server) -> Value {
    let options = json!({"campaignSeed": 7, "hints": true, "firstDay": 14, "lastDay": 17});
    let table = server.lobby(2, json!({"kind": "SANTA_RESCUE", "options": options})).await;
    let [ada, bob] = [0, 1].map(|seat| &table.players[seat]);
    let of_game = |rest: &str| format!("/v1/games/{}{rest}", table.game);
    bob.put(&of_game("/seats/me/setup")).json(&json!({"elves": [1, 2]})).await.ok();
    ada.starts(&table.game).await.ok();
    let row = ada.sees(&table.game).await["view"]["today"]["row"].clone();
    ada.post(&of_game("/asides")).json(&json!({"type": "DRAFT", "column": 1, "rows": [row]})).await.ok();
    bob.post(&of_game("/asides")).json(&json!({"type": "NAME", "elf": 2, "name": "Léopold"})).await.ok();
    bob.post(&of_game("/asides")).json(&json!({"type": "HINT"})).await.ok();
    let mut dice = dice(7);
    for _ in 0..4 {
        table.play_a_step(&mut dice).await;
    }
    bob.resigns(&table.game).await.ok();
    table.play_to_the_end(&mut dice).await;
    table.replay().await
}

/// A campaign that goes by the calendar, given up on its second day.
async fn advent(server: &Server, more: &Value) -> Value {
    let mut options = json!({"calendar": "ADVENT", "year": 2000, "timeZone": "Europe/Paris", "lastDay": 4});
    options.as_object_mut().expect("options").extend(more.as_object().cloned().into_iter().flatten());
    let table = server.lobby(2, json!({"kind": "SANTA_RESCUE", "options": options})).await;
    table.players[0].starts(&table.game).await.ok();
    let mut dice = dice(7);
    while table.players[0].sees(&table.game).await["view"]["day"] == 1 {
        table.play_a_step(&mut dice).await;
    }
    for player in &table.players {
        player.resigns(&table.game).await.ok();
    }
    table.replay().await
}

/// Everybody keeps the jackpot card and bets for it.
async fn hope_for_the_jackpot(table: &Table, dice: &mut Dice) {
    loop {
        let waiting = table.waiting().await;
        if waiting.is_empty() {
            return;
        }
        for seat in waiting {
            let moves = table.players[seat].moves(&table.game).await;
            let hopeful = |mv: &&String| match mv.split_once(" against ") {
                Some((bet_for, _)) => bet_for.contains("jackpot"),
                None => !mv.contains("jackpot"),
            };
            let hopeful: Vec<_> = moves.iter().filter(hopeful).collect();
            let mv = if hopeful.is_empty() { pick(dice, &moves) } else { pick(dice, &hopeful) };
            table.players[seat].plays(&table.game, mv).await.ok();
        }
    }
}

fn keep(name: &str, replay: &Value) {
    let typed = verified(replay);
    let name = format!("{}-v{}-{name}.json", typed.kind.to_lowercase(), typed.rules_version);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/replays").join(name);
    let text = serde_json::to_string_pretty(replay).expect("JSON");
    std::fs::write(file, text + "\n").expect("the file can be written");
}
