//! Payloads of steps: the new state of the game and the events, or the reason for the refusal.

use super::error::{UserError, graphql_error, user_error};
use super::events::game_events;
use super::games::Game;
use super::kinds::GameEvent;
use super::moves::{LegalMove, LegalMoves};
use super::request_context::RequestContext;
use super::scalars::int;
use crate::codes::Code;
use crate::games::{Accepted, GameError, RejectedStep};
use crate::refusal::Refusal;
use async_graphql::Result;

/// The result of a step, before it is converted into the payload type of its mutation.
#[derive(Default)]
pub struct StepResult {
    pub game: Option<Game>,
    pub version: Option<i32>,
    pub events: Option<Vec<GameEvent>>,
    pub legal_moves: Option<Vec<LegalMove>>,
    pub user_errors: Vec<UserError>,
}

/// Declares the payload types of steps, one for each mutation.
macro_rules! payloads {
    ($($(#[doc = $about:literal])* $name:ident),* $(,)?) => {
        $(
            $(#[doc = $about])*
            #[derive(async_graphql::SimpleObject)]
            pub struct $name {
                /// The game after the step, as the caller sees it. After a refusal, the game that the request was
                /// checked against, if the caller can see it.
                game: Option<$crate::graphql::games::Game>,
                /// The version of the game after the step. After a refusal, the current version of the game.
                version: Option<i32>,
                /// The events of the step, as far as the caller can see them; null after a refusal.
                #[graphql(complexity = "1 + 10 * child_complexity")]
                events: Option<Vec<$crate::graphql::kinds::GameEvent>>,
                /// Why the mutation was refused; empty if it was accepted.
                user_errors: Vec<$crate::graphql::error::UserError>,
            }

            impl From<$crate::graphql::payload::StepResult> for $name {
                fn from(step: $crate::graphql::payload::StepResult) -> Self {
                    let $crate::graphql::payload::StepResult { game, version, events, user_errors, .. } = step;
                    Self { game, version, events, user_errors }
                }
            }
        )*
    };
}

pub(super) use payloads;

impl StepResult {
    /// The result of a step that was accepted or refused.
    pub fn new(context: &RequestContext, step: Result<Accepted, RejectedStep>) -> Result<Self> {
        match step {
            Ok(accepted) => Self::accepted(context, accepted),
            Err(refused) => Self::refused(context, refused),
        }
    }

    /// The result of a request that was refused before it reached a game.
    pub fn refused_at_once(context: &RequestContext, refusal: impl Into<Refusal>) -> Result<Self> {
        Ok(Self { user_errors: vec![user_error(context, refusal)?], ..Self::default() })
    }

    fn accepted(context: &RequestContext, Accepted { game, step }: Accepted) -> Result<Self> {
        context.forget(game.id);
        let viewer = context.viewer();
        let view =
            game.tell(&step, game.eyes(viewer)).map_err(|error| graphql_error(context, GameError::from(error)))?;
        let events = game_events(game.rules, &view.events);
        let (version, game) = (int(step.version), Game::of(game, viewer));
        Ok(Self { game: Some(game), version: Some(version), events: Some(events), ..Self::default() })
    }

    fn refused(context: &RequestContext, RejectedStep { error, judged_on }: RejectedStep) -> Result<Self> {
        let viewer = context.viewer();
        let game = judged_on.filter(|game| game.admits(viewer));
        let seat = game.as_ref().and_then(|game| game.seat_of(viewer?));
        let legal_moves = match (error.code(), &game, seat) {
            (Code::IllegalMove | Code::NotYourTurn, Some(game), Some(seat)) => {
                Some(LegalMoves::of(context, game, seat).moves)
            }
            _ => None,
        };
        Ok(Self {
            version: game.as_ref().map(|game| int(game.version)),
            game: game.map(|game| Game::of(game, viewer)),
            events: None,
            legal_moves,
            user_errors: vec![user_error(context, error)?],
        })
    }
}
