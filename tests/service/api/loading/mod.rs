//! LOADING over real HTTP, where the order of arrival decides: random games by clients that are truly concurrent, their
//! histories held against an independent model of the rules (`model.rs`), givers in a tie, and crashes.

mod client;
mod crashing;
mod log;
mod model;
#[path = "../../../../crates/rules/tests/rules/loading/naive.rs"]
mod naive;
mod nudging;
mod real_time;

use client::{Diary, Manner};
use futures::future::join_all;
use log::{Log, Tally};
use serde_json::{Value, json};
use test_support::{Endpoint, Player, dice};

/// A game that has started, and who sits at it.
pub struct Race {
    game: String,
    players: Vec<Player>,
}

impl Race {
    /// A game by some of these players, without nudges: nobody is that slow.
    async fn laid(players: &[Player], options: Value) -> Self {
        let mut agreed = json!({"idleSeconds": 0});
        agreed.as_object_mut().expect("an object").extend(options.as_object().expect("an object").clone());
        let body = json!({"kind": "LOADING", "seats": players.len(), "options": agreed});
        let game = players[0].creates(&body).await.ok()["id"].as_str().expect("an id").to_owned();
        for player in &players[1..] {
            player.sits(&game).await.ok();
        }
        players[0].starts(&game).await.ok();
        Self { game, players: players.to_vec() }
    }

    /// Everybody plays at once to the end, with several clients per seat; the log and the diaries are checked.
    async fn played(&self, clients: usize, luck: u64, manner: Manner) -> Tally {
        let seats = (0..self.players.len()).cycle().take(self.players.len() * clients).enumerate();
        let playing = seats.map(|(number, seat)| {
            let (player, game) = (self.players[seat].clone(), self.game.clone());
            tokio::spawn(client::plays(player, game, seat, dice(luck * 100 + number as u64), manner.clone()))
        });
        let diaries: Vec<_> = join_all(playing).await.into_iter().map(|diary| diary.expect("a client")).collect();
        let log = self.log().await;
        for diary in &diaries {
            log.check_what_was_seen(diary);
        }
        assert!(diaries.iter().all(|diary| !diary.views.is_empty() && !diary.steps.is_empty()));
        log.check_history(diaries.into_iter().flat_map(|diary: Diary| diary.operations).collect())
    }

    async fn log(&self) -> Log {
        let replay = self.players[0].get(&format!("/v1/games/{}/replay", self.game));
        Log::of(&replay.send().await.expect("the server answers").json().await.expect("JSON"))
    }
}

async fn seven(endpoint: &Endpoint) -> Vec<Player> {
    join_all((0..7).map(|_| endpoint.guest("Racer"))).await
}

/// What may be agreed, now and then.
fn some_options(luck: u64) -> Value {
    match luck % 4 {
        0 => json!({"stopCall": "SHOUT"}),
        1 => json!({"confirmed": true}),
        2 => json!({"confirmed": true, "stopCall": "SHOUT", "idlePasses": 2}),
        _ => json!({}),
    }
}
