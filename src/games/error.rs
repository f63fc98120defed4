//! Errors of the use cases of games.

use super::caps::Cap;
use super::game::Game;
use super::options::MOVE_SECONDS;
use super::ports::StoreError;
use crate::codes::Code;
use crate::quota::{Limited, Rejected};
use crate::rules::fault::names;
use crate::rules::{Fault, Illegal, Message, any::Unreadable};
use std::sync::Arc;

/// Errors of the use cases of games. The response explains errors of the client; errors of the store are logged by the
/// HTTP layer.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The game does not exist, or the viewer may not know of it: indistinguishable on purpose.
    #[error("no such game")]
    NotFound,
    /// The kind does not exist or is not offered; `known` lists the kinds that are offered.
    #[error("no such kind")]
    NoSuchKind { known: Vec<&'static str> },
    #[error("not seated at this game")]
    NotSeated,
    #[error("not the host of this game")]
    NotHost,
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// A value of the wrong shape, and the field that contains it.
    #[error("unreadable: {}", .why.key)]
    Unreadable { why: Message, field: Option<String> },
    /// The step exceeds the maximum size.
    #[error("a step may hold no more than {most} bytes")]
    TooLong { most: usize },
    #[error("options or seats that can't be played")]
    InvalidOptions { why: Message, field: Option<String> },
    #[error("the game is over")]
    GameOver,
    #[error("the game has not started")]
    NotStarted,
    #[error("the game has started")]
    AlreadyStarted,
    #[error("some seats are free")]
    SeatsFree,
    #[error("the game is not over")]
    NotOver,
    /// No seat has exceeded its time, or there is no time limit.
    #[error("nobody is late")]
    NotLate,
    #[error("the game stands at version {current}")]
    VersionConflict { current: u64 },
    #[error("the seat is taken")]
    SeatTaken,
    #[error("already seated")]
    AlreadySeated,
    #[error("the idempotency key belongs to another request")]
    IdempotencyMismatch,
    #[error("no such position in the list")]
    BadCursor,
    /// The kind has no choices in the lobby.
    #[error("nothing to choose in the lobby")]
    NothingToChoose,
    /// The kind has no asides.
    #[error("the kind has no asides")]
    NoSuchAside,
    /// The preparation of the start ran out of time.
    #[error("the start could not be prepared in time")]
    Unprepared,
    /// This server plays for no bots.
    #[error("there are no bots here")]
    NoBots,
    /// A cap is reached.
    #[error("there may be no more than {} {}", .0.most, .0.name)]
    CapReached(Cap),
    /// A rate limit is exceeded.
    #[error(transparent)]
    Limited(Limited),
    /// The queue for this type of work is full.
    #[error("too many requests wait for this")]
    Busy,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A refused step, and the game it was judged on, so that the answer can list the legal moves.
pub struct RejectedStep {
    pub error: GameError,
    pub judged_on: Option<Arc<Game>>,
}

impl<E: Into<GameError>> From<E> for RejectedStep {
    fn from(error: E) -> Self {
        Self { error: error.into(), judged_on: None }
    }
}

impl GameError {
    pub fn code(&self) -> Code {
        match self {
            Self::NotFound | Self::NoSuchKind { .. } | Self::NothingToChoose | Self::NoSuchAside | Self::NoBots => {
                Code::NotFound
            }
            Self::NotSeated => Code::NotSeated,
            Self::NotHost => Code::NotHost,
            Self::Illegal(Illegal::NotYourTurn(_)) => Code::NotYourTurn,
            Self::Illegal(Illegal::Rule(_)) => Code::IllegalMove,
            Self::Unreadable { .. } | Self::TooLong { .. } => Code::Malformed,
            Self::InvalidOptions { .. } => Code::InvalidOptions,
            Self::GameOver => Code::GameOver,
            Self::NotStarted => Code::NotStarted,
            Self::AlreadyStarted => Code::AlreadyStarted,
            Self::SeatsFree => Code::SeatsFree,
            Self::NotOver => Code::NotOver,
            Self::NotLate => Code::NotLate,
            Self::VersionConflict { .. } => Code::VersionConflict,
            Self::SeatTaken => Code::SeatTaken,
            Self::AlreadySeated => Code::AlreadySeated,
            Self::IdempotencyMismatch => Code::IdempotencyMismatch,
            Self::BadCursor => Code::BadCursor,
            Self::CapReached(_) => Code::LimitReached,
            Self::Limited(_) => Code::RateLimited,
            Self::Unprepared | Self::Busy | Self::Store(_) => Code::Unavailable,
        }
    }

    /// The explanation given by the rules, if they refused.
    pub fn reason(&self) -> Option<Message> {
        match self {
            Self::Illegal(Illegal::NotYourTurn(reason) | Illegal::Rule(reason))
            | Self::InvalidOptions { why: reason, .. } => Some(reason.clone()),
            Self::NoSuchKind { known } => Some(Message::new("game-no-such-kind").with("known", names(known))),
            Self::NothingToChoose => Some(Message::new("game-nothing-to-choose")),
            Self::NoSuchAside => Some(Message::new("game-no-such-aside")),
            Self::NoBots => Some(Message::new("game-no-bots")),
            Self::Unprepared => Some(Message::new("game-unprepared")),
            Self::TooLong { most } => {
                Some(Message::new("game-step-too-long").with("most", i64::try_from(*most).unwrap_or(i64::MAX)))
            }
            Self::CapReached(Cap { text, most, .. }) => Some(Message::new(*text).with("most", i64::from(*most))),
            _ => None,
        }
    }

    /// A request that cannot be understood, and why.
    pub fn malformed(why: Message) -> Self {
        Self::Unreadable { why, field: None }
    }

    /// A seed in a request that accepts no seed.
    pub fn seed_refused() -> Self {
        Self::Unreadable { why: Message::new("request-seed-refused"), field: Some("seed".to_owned()) }
    }

    /// A move, a choice or an aside that the kind cannot parse.
    pub fn unreadable(error: Unreadable) -> Self {
        match error {
            Unreadable::Shape(fault) => fault.into(),
            Unreadable::Illegal(illegal) => Self::Illegal(illegal),
        }
    }

    /// Options that the kind cannot parse or does not allow.
    pub fn bad_options(error: Unreadable) -> Self {
        match error {
            Unreadable::Shape(fault) => Self::unreadable_options(&fault.also_known(MOVE_SECONDS).within("options")),
            Unreadable::Illegal(Illegal::NotYourTurn(reason) | Illegal::Rule(reason)) => {
                Self::invalid_options("options", reason)
            }
        }
    }

    /// Options or seats that are not playable, and the field at fault.
    pub(super) fn invalid_options(field: &str, why: Message) -> Self {
        Self::InvalidOptions { why, field: Some(field.to_owned()) }
    }

    pub(super) fn unreadable_options(fault: &Fault) -> Self {
        Self::invalid_options(&fault.field(), Message::new("game-options-unreadable").with("why", fault.message()))
    }
}

impl From<Fault> for GameError {
    fn from(fault: Fault) -> Self {
        let field = Some(fault.field()).filter(|field| !field.is_empty());
        Self::Unreadable { why: fault.message(), field }
    }
}

impl From<Rejected> for GameError {
    fn from(rejected: Rejected) -> Self {
        match rejected {
            Rejected::LaneFull(limited) => Self::Limited(limited),
            Rejected::QueueFull => Self::Busy,
        }
    }
}
