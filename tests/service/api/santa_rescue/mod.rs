//! What only SANTA_RESCUE asks of the service: choices in the lobby, things to do beside the moves, series of moves tried
//! out by a team, a calendar, and generated campaigns.

mod calendar;
mod campaigns;
mod commands;
mod lobby;
mod training;

use serde_json::{Value, json};
use test_support::{Player, Server, Table};

/// A campaign that has started.
async fn campaign(server: &Server, seats: u8, options: &Value) -> Table {
    let table = lobby(server, seats, options).await;
    table.players[0].starts(&table.game).await.ok();
    table
}

/// A campaign with all its seats taken.
async fn lobby(server: &Server, seats: u8, options: &Value) -> Table {
    server.lobby(seats, json!({"kind": "SANTA_RESCUE", "options": options})).await
}

/// Where something of a game is found.
fn of(table: &Table, rest: &str) -> String {
    format!("/v1/games/{}{rest}", table.game)
}

/// The table as somebody sees it.
async fn view(player: &Player, table: &Table) -> Value {
    player.sees(&table.game).await["view"].clone()
}

/// The rows that the legal moves of all players lead to.
async fn ways(table: &Table) -> Vec<(usize, String, Value)> {
    let mut ways = Vec::new();
    for (seat, player) in table.players.iter().enumerate() {
        let listed = player.asks_for_moves(&table.game).await.ok();
        for mv in listed["moves"].as_array().expect("moves") {
            if !mv["effect"].is_null() {
                ways.push((seat, mv["id"].as_str().expect("an id").to_owned(), mv["effect"]["row"].clone()));
            }
        }
    }
    ways
}
