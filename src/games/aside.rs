//! Asides: what a seat may do beside the moves, in kinds that have any of it. Steps with events, but no legal moves.

use super::error::{GameError, Refused};
use super::step::Action;
use super::{Accepted, Call, Games};
use crate::ids::GameId;
use serde_json::Value;

impl Games {
    /// Makes an aside, written as the kind's own type.
    pub async fn aside(&self, id: GameId, call: &Call, aside: &Value) -> Result<Accepted, Refused> {
        self.step(id, call, "aside", aside, |game| {
            let read = game.rules.read_aside(aside).ok_or(GameError::NoSuchAside)?;
            game.seat_of(call.by).ok_or(GameError::NotSeated)?;
            game.must_be_active()?;
            Ok(Action::Aside { aside: read.map_err(GameError::unreadable)? })
        })
        .await
    }
}
