//! Two worlds that differ in a hidden choice. The choices are such that the seat bets the same cards in both worlds, so
//! that the worlds look alike again when bets are turned up, and stay so.

use super::everything;
use ludotheque::rules::Dice;
use ludotheque::rules::chips::Card;
use serde_json::json;
use std::fs;
use std::path::Path;
use test_support::tested_store::copy_database;
use test_support::{Player, Server, Table, dice, pick};

/// The seat whose choices differ.
const SECRETIVE: usize = 1;

/// The same game on two servers.
struct Worlds {
    servers: [Server; 2],
    tables: [Table; 2],
}

impl Worlds {
    /// Splits the world of a game in two.
    async fn split(server: Server, table: Table) -> Self {
        let data = server.stop().await;
        let copy = tempfile::tempdir().expect("a folder");
        copy_all(data.path(), copy.path());
        copy_database(copy.path());
        let servers = [Server::on(data).await, Server::on(copy).await];
        let tables = servers.each_ref().map(|server| {
            let players = table.players.iter().map(|player| Player { endpoint: (**server).clone(), ..player.clone() });
            Table { game: table.game.clone(), players: players.collect(), commitment: table.commitment.clone() }
        });
        Self { servers, tables }
    }

    /// A seat plays in both worlds.
    async fn plays(&self, seat: usize, moves: [String; 2]) {
        for (table, mv) in self.tables.iter().zip(&moves) {
            table.players[seat].plays(&table.game, mv).await.ok();
        }
    }

    /// The others choose something, the same in both worlds.
    async fn others_choose(&self, dice: &mut Dice) {
        let table = &self.tables[0];
        for seat in table.waiting().await.into_iter().filter(|seat| *seat != SECRETIVE) {
            let mv = pick(dice, &table.players[seat].moves(&table.game).await).clone();
            self.plays(seat, [mv.clone(), mv]).await;
        }
    }

    /// What the secretive seat holds, the same in both worlds.
    async fn hand(&self) -> [String; 6] {
        let game = self.tables[0].players[SECRETIVE].sees(&self.tables[0].game).await;
        serde_json::from_value(game["view"]["seats"][SECRETIVE]["hand"].clone()).expect("six cards in the hand")
    }

    /// All answers to a viewer in each world; a viewer without a seat is a spectator.
    async fn seen(&self, seat: Option<usize>) -> [Vec<String>; 2] {
        // Every card there is, held by the viewer or by others or by nobody: what a curious player would try.
        let tries: Vec<_> = Card::all().map(|card| format!("discard {card}")).collect();
        let viewers = self.tables.each_ref().map(|table| match seat {
            Some(seat) => table.players[seat].clone(),
            None => table.spectator(),
        });
        let game = &self.tables[0].game;
        let (one, other) = futures::join!(everything(&viewers[0], game, &tries), everything(&viewers[1], game, &tries));
        [one, other].map(|heard| heard.iter().map(|heard| unbound(&timeless(&heard.text))).collect())
    }

    /// The worlds look the same to everybody but the seat whose choices differ.
    async fn look_the_same(&self) {
        let others = (0..self.tables[0].players.len()).filter(|seat| *seat != SECRETIVE).map(Some);
        for viewer in others.chain([None]) {
            let [one, other] = self.seen(viewer).await;
            assert_eq!(one.len(), other.len());
            for (one, other) in one.iter().zip(&other) {
                assert_eq!(one, other, "{viewer:?} can tell what seat {SECRETIVE} chose");
            }
        }
        let [one, other] = self.seen(Some(SECRETIVE)).await;
        assert_ne!(one, other, "the seat itself can tell: the comparison would notice");
    }
}

/// Takes the times of day out: they look like `2026-11-16T04:48:29.717Z`.
fn timeless(text: &str) -> String {
    let is_time = |part: &str| part.len() == 24 && part.ends_with('Z') && part.as_bytes()[10] == b'T';
    text.split('"').map(|part| if is_time(part) { "then" } else { part }).collect::<Vec<_>>().join("\"")
}

/// Takes the heads of the hash chain out: they bind hidden choices too, and times, but tell nothing without the seed.
fn unbound(text: &str) -> String {
    let mut parts: Vec<_> = text.split('"').collect();
    for n in 2..parts.len() {
        let is_hash = parts[n].len() == 64 && parts[n].bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash && parts[n - 2].ends_with("chain") {
            parts[n] = "bound";
        }
    }
    parts.join("\"")
}

fn copy_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        let metadata = entry.metadata().expect("it is there");
        if metadata.is_dir() {
            fs::create_dir(&target).expect("a new folder");
            copy_all(&entry.path(), &target);
            fs::set_permissions(&target, metadata.permissions()).expect("it is ours");
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[allow(clippy::many_single_char_names, reason = "six cards, which have no better names here")]
async fn two_worlds_that_differ_in_a_hidden_choice_look_the_same_to_everybody_else() {
    let mut dice = dice(7);
    let server = Server::start().await;
    let table = server.lobby(3, json!({"options": {"targetTokens": 20}})).await;
    table.players[0].starts(&table.game).await.ok();
    let worlds = Worlds::split(server, table).await;

    let [a, b, c, d, e, f] = worlds.hand().await;
    worlds.plays(SECRETIVE, [format!("discard {a} {b}"), format!("discard {a} {c}")]).await;
    worlds.look_the_same().await;
    worlds.others_choose(&mut dice).await;
    worlds.look_the_same().await;
    worlds.plays(SECRETIVE, [format!("discard {c}"), format!("discard {b}")]).await;
    worlds.others_choose(&mut dice).await;
    let bet = format!("bet {d} {e} against {f}");
    worlds.plays(SECRETIVE, [bet.clone(), bet]).await;
    worlds.look_the_same().await;
    worlds.others_choose(&mut dice).await;
    worlds.look_the_same().await;

    // In the next round the bets differ, but are never turned up: the seat gives up.
    let [a, b, c, d, e, f] = worlds.hand().await;
    for discard in [format!("discard {a} {b}"), format!("discard {c}")] {
        worlds.plays(SECRETIVE, [discard.clone(), discard]).await;
        worlds.others_choose(&mut dice).await;
    }
    worlds.plays(SECRETIVE, [format!("bet {d} {e} against {f}"), format!("bet {d} {f} against {e}")]).await;
    worlds.look_the_same().await;
    for table in &worlds.tables {
        table.players[SECRETIVE].resigns(&table.game).await.ok();
    }
    worlds.look_the_same().await;
    worlds.others_choose(&mut dice).await;
    worlds.look_the_same().await;
    for server in worlds.servers {
        server.stop().await;
    }
}
