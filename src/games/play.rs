//! Playing: legal moves, moves, asides, previews, resigning and timeouts.

use super::error::{GameError, RejectedStep};
use super::game::{Game, Running};
use super::model::no_such_move;
use super::model::step_view::{EventView, tell_all};
use super::sequencer::StepRequest;
use super::step::{Action, Event, KindEvent, KindMove};
use super::{Accepted, Call, Games};
use crate::ids::GameId;
use crate::rules::any::{AnyMove, AnyValue, Described};
use crate::rules::{Eyes, Instant, Message, Seat, Unreadable};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// A move as sent by a client.
#[derive(Clone, Debug, Serialize)]
pub enum MoveInput {
    /// The id of a legal move: its notation.
    Id(String),
    /// The move itself, by the kind's schema.
    Typed(Value),
}

/// Longest series of moves that can be previewed.
pub const PREVIEW_LENGTH: usize = 4;

/// Preview of a series of moves.
pub struct Foresight {
    pub game: Arc<Game>,
    /// Whether the preview covers everything; otherwise it stops before the first thing that the caller cannot know.
    pub complete: bool,
    /// The move at which the preview stopped because it is not playable; the moves before it are previewed. If the
    /// first move of the series is not playable, the preview is refused instead.
    pub obstacle: Option<Obstacle>,
    pub events: Vec<EventView>,
    pub view: AnyValue,
}

/// A move at which a preview stops.
pub struct Obstacle {
    /// Its index in the series, from 0.
    pub step: usize,
    pub error: GameError,
}

impl Games {
    /// Makes an aside, given as JSON by the kind's schema.
    pub async fn aside(&self, id: GameId, call: &Call, aside: &Value) -> Result<Accepted, RejectedStep> {
        self.step(id, call, "aside", aside, |game| {
            let read = game.rules.read_aside(aside).ok_or(GameError::NoSuchAside)?;
            game.seat_of(call.by).ok_or(GameError::NotSeated)?;
            game.must_be_active()?;
            Ok(Action::Aside { aside: read.map_err(GameError::unreadable)? })
        })
        .await
    }

    /// Plays a move, judged on the current state. `expected` requires a version.
    pub async fn play(
        &self,
        id: GameId,
        call: &Call,
        mv: &MoveInput,
        expected: Option<u64>,
    ) -> Result<Accepted, RejectedStep> {
        let command = call.command(Some(id), "play", &(mv, expected));
        let request = StepRequest { by: Some(call.by), expected, command };
        self.take(id, call, request, |game, _| {
            game.seat_of(call.by).ok_or(GameError::NotSeated)?;
            game.must_be_active()?;
            Ok(Action::Play { mv: KindMove::Typed(game.read_move(mv, None)?) })
        })
        .await
    }

    /// Resigns: the seat stays, but can no longer act.
    pub async fn resign(&self, id: GameId, call: &Call) -> Result<Accepted, RejectedStep> {
        self.step(id, call, "resign", &(), |game| {
            let seat = game.seat_of(call.by).ok_or(GameError::NotSeated)?;
            Ok(Action::Resign { seats: vec![seat] })
        })
        .await
    }

    /// Resigns the seats that have exceeded their time. Any seated player may call it.
    pub async fn time_out(&self, id: GameId, call: &Call) -> Result<Accepted, RejectedStep> {
        let command = call.command(Some(id), "time_out", &());
        let request = StepRequest { by: Some(call.by), expected: None, command };
        self.take(id, call, request, |game, at| Ok(Action::TimeOutSeats { seats: game.late_seats(at) })).await
    }

    /// Previews a series of moves without playing it. Refused if the first move is not playable.
    pub async fn preview(&self, id: GameId, call: &Call, moves: &[MoveInput]) -> Result<Foresight, RejectedStep> {
        if !(1..=PREVIEW_LENGTH).contains(&moves.len()) {
            let most = i64::try_from(PREVIEW_LENGTH).unwrap_or(i64::MAX);
            return Err(GameError::malformed(Message::new("request-moves-length").with("most", most)).into());
        }
        let game = self.visible(id, Some(call.by)).await?;
        let refuse = |error: GameError| RejectedStep { error, judged_on: Some(game.clone()) };
        let seat = game.seat_of(call.by).ok_or(GameError::NotSeated).map_err(refuse)?;
        game.must_be_active().map_err(refuse)?;
        let running = game.running.as_ref().expect("an active game is running");
        let (now, rules, eyes) = (self.now(&game), game.rules, Eyes::Seat(seat));
        let (mut state, mut events, mut complete, mut obstacle) = (running.state.clone(), Vec::new(), true, None);
        for (step, mv) in moves.iter().enumerate() {
            let mv = game.read_move(mv, (moves.len() > 1).then_some(step)).map_err(refuse)?;
            let tried = rules.preview(&state, rules.tries_as(&state, seat, &mv), &mv, now);
            let (next, whole) = match tried.map_err(GameError::from) {
                Ok(foreseen) => foreseen,
                Err(error) if step == 0 => return Err(refuse(error)),
                Err(error) => {
                    (complete, obstacle) = (false, Some(Obstacle { step, error }));
                    break;
                }
            };
            state = next.state;
            let foreseen: Vec<_> = next.events.into_iter().map(|event| Event::Rules(KindEvent(event))).collect();
            events.extend(tell_all(rules, &foreseen, eyes)?);
            complete = whole;
            if !complete {
                break;
            }
        }
        let view = rules.view(&state, eyes);
        Ok(Foresight { game, complete, obstacle, events, view })
    }

    /// The time that a step of this game would be given now.
    pub fn now(&self, game: &Game) -> Instant {
        self.clock.now().max(game.updated_at)
    }
}

impl MoveInput {
    /// A move given either by id or in full.
    pub fn one(id: Option<String>, mv: Option<Value>) -> Result<Self, GameError> {
        match (id, mv) {
            (Some(id), None) => Ok(Self::Id(id)),
            (None, Some(mv)) => Ok(Self::Typed(mv)),
            _ => Err(GameError::malformed(Message::new("request-move-one-of-two"))),
        }
    }
}

impl Game {
    /// Every move that the seat may play now.
    pub fn legal_moves(&self, seat: Seat, now: Instant) -> Vec<AnyMove> {
        match &self.running {
            Some(Running { state, .. }) if !self.status.is_over() => self.rules.legal(state, seat, now),
            _ => Vec::new(),
        }
    }

    /// Moves of a seat with their effects.
    pub fn describe<'a>(&'a self, seat: Seat, moves: &'a [AnyMove]) -> impl Iterator<Item = Described> + 'a {
        let running = self.running.iter();
        running.flat_map(move |running| moves.iter().map(move |mv| self.rules.describe(&running.state, seat, mv)))
    }

    /// Parses a move, which may be one of a series.
    fn read_move(&self, mv: &MoveInput, index: Option<usize>) -> Result<AnyMove, GameError> {
        match mv {
            MoveInput::Id(id) => self.rules.parse_move(id).ok_or_else(no_such_move),
            MoveInput::Typed(json) => self.rules.read_move(json).map_err(|error| match error {
                Unreadable::Shape(fault) => match index {
                    Some(index) => fault.within("move").within(&index.to_string()).within("moves").into(),
                    None => fault.within("move").into(),
                },
                Unreadable::Illegal(illegal) => GameError::Illegal(illegal),
            }),
        }
    }
}
