//! Players around a game.

use crate::{Player, pick};
use ludotheque::games::replay::Replay;
use ludotheque::rules::{Dice, catalog::BUILT_IN};
use serde_json::Value;

/// No game of Chips is longer than this.
const LONGEST: usize = 3000;

/// A game and who sits at it, by seat.
pub struct Table {
    pub game: String,
    pub players: Vec<Player>,
    /// The promise that was made when the game was created.
    pub commitment: String,
}

impl Table {
    /// Somebody who only looks on.
    pub fn spectator(&self) -> Player {
        self.players[0].endpoint.anybody()
    }

    /// The seats that the game waits for.
    pub async fn waiting(&self) -> Vec<usize> {
        let seats = self.players[0].sees(&self.game).await["waitingFor"].clone();
        serde_json::from_value(seats).expect("seats are numbers")
    }

    /// A seat plays some legal move and tells which.
    pub async fn plays_any(&self, seat: usize, dice: &mut Dice) -> String {
        self.may_play_any(seat, dice).await.expect("a legal move")
    }

    /// The same, if there is one.
    async fn may_play_any(&self, seat: usize, dice: &mut Dice) -> Option<String> {
        let player = &self.players[seat];
        let moves = player.moves(&self.game).await;
        let mv = (!moves.is_empty()).then(|| pick(dice, &moves).clone())?;
        player.plays(&self.game, &mv).await.ok();
        Some(mv)
    }

    /// Everybody who is waited for plays once, unless that came to an end meanwhile.
    pub async fn play_a_step(&self, dice: &mut Dice) {
        for seat in self.waiting().await {
            self.may_play_any(seat, dice).await;
        }
    }

    /// Everybody plays until it is over.
    pub async fn play_to_the_end(&self, dice: &mut Dice) {
        for _ in 0..LONGEST {
            if self.waiting().await.is_empty() {
                return;
            }
            self.play_a_step(dice).await;
        }
        panic!("{} does not end", self.game);
    }

    pub async fn replay(&self) -> Value {
        self.players[0].get(&format!("/v1/games/{}/replay", self.game)).await.ok()
    }

    pub async fn version(&self) -> u64 {
        self.players[0].sees(&self.game).await["version"].as_u64().expect("a number")
    }
}

/// Plays the replay again, and tells it in its own type.
#[track_caller]
pub fn verified(replay: &Value) -> Replay {
    let replay: Replay = serde_json::from_value(replay.clone()).expect("a replay");
    assert_eq!(replay.verify(BUILT_IN), Vec::<String>::new(), "{}", replay.id);
    replay
}
