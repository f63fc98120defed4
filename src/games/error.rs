//! Why a use case of games refused.

use super::caps::Cap;
use super::game::Game;
use super::options::MOVE_SECONDS;
use super::ports::StoreError;
use crate::codes::Code;
use crate::quota::{Limited, Rejected};
use crate::rules::fault::names;
use crate::rules::{Fault, Illegal, Message, any::Unreadable};
use std::sync::Arc;

/// Why a use case of games refused. The client's faults explain themselves; the store's are logged at the edge.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// No such game, or none that this viewer may know of: the same answer on purpose.
    #[error("no such game")]
    NotFound,
    /// No such kind, or none of which new games can be made; and those that there are.
    #[error("no such kind")]
    NoSuchKind { known: Vec<&'static str> },
    #[error("not seated at this game")]
    NotSeated,
    #[error("not the host of this game")]
    NotHost,
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// What was sent has the wrong shape; and the field at fault, if it is one.
    #[error("unreadable: {}", .why.key)]
    Unreadable { why: Message, field: Option<String> },
    /// A step that says more than can be kept.
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
    /// Nobody's time has passed, or there is none.
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
    #[error("no such place in the list")]
    BadCursor,
    /// The kind lets nobody choose anything in the lobby.
    #[error("nothing to choose in the lobby")]
    NothingToChoose,
    /// The kind has nothing of the sort beside its moves.
    #[error("no such thing beside the moves")]
    NoSuchAside,
    /// What a start needs could not be worked out in time.
    #[error("the start could not be prepared in time")]
    Unprepared,
    /// There is as much of something as there may be.
    #[error("there may be no more than {} {}", .0.most, .0.name)]
    CapReached(Cap),
    /// Too often, or too much at once.
    #[error(transparent)]
    Limited(Limited),
    /// Too many others wait for the same sort of work.
    #[error("too many wait for this")]
    Busy,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A refused step, and the game it was judged on, so that the caller can be told what would have been legal.
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
            Self::NotFound | Self::NoSuchKind { .. } | Self::NothingToChoose | Self::NoSuchAside => Code::NotFound,
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

    /// What the rules say about it, where they refused.
    pub fn reason(&self) -> Option<Message> {
        match self {
            Self::Illegal(Illegal::NotYourTurn(reason) | Illegal::Rule(reason))
            | Self::InvalidOptions { why: reason, .. } => Some(reason.clone()),
            Self::NoSuchKind { known } => Some(Message::new("game-no-such-kind").with("known", names(known))),
            Self::NothingToChoose => Some(Message::new("game-nothing-to-choose")),
            Self::NoSuchAside => Some(Message::new("game-no-such-aside")),
            Self::Unprepared => Some(Message::new("game-unprepared")),
            Self::TooLong { most } => {
                Some(Message::new("game-step-too-long").with("most", i64::try_from(*most).unwrap_or(i64::MAX)))
            }
            Self::CapReached(Cap { text, most, .. }) => Some(Message::new(*text).with("most", i64::from(*most))),
            _ => None,
        }
    }

    /// A request that can't be taken as it is, and why.
    pub fn malformed(why: Message) -> Self {
        Self::Unreadable { why, field: None }
    }

    /// A seed, where none is taken.
    pub fn seed_refused() -> Self {
        Self::Unreadable { why: Message::new("request-seed-refused"), field: Some("seed".to_owned()) }
    }

    /// A move, a choice or an aside that the kind can't read.
    pub fn unreadable(error: Unreadable) -> Self {
        match error {
            Unreadable::Shape(fault) => fault.into(),
            Unreadable::Illegal(illegal) => Self::Illegal(illegal),
        }
    }

    /// Options the kind can't read or won't play with.
    pub fn bad_options(error: Unreadable) -> Self {
        match error {
            Unreadable::Shape(fault) => Self::unreadable_options(&fault.also_known(MOVE_SECONDS).within("options")),
            Unreadable::Illegal(Illegal::NotYourTurn(reason) | Illegal::Rule(reason)) => {
                Self::invalid_options("options", reason)
            }
        }
    }

    /// Options, or seats, that can't be played, and the field of the request that says so.
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
