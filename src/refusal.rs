//! Why a request was refused, on its way from the use cases to a face: REST makes a problem of it, GraphQL an error.
//!
//! Both faces turn the layers' own errors into codes and sentences here, so that the two can't drift apart.

use crate::app::DeletionError;
use crate::auth::AuthError;
use crate::codes::Code;
use crate::games::{Cap, GameError};
use crate::players::PlayerError;
use crate::quota::Limited;
use crate::rules::{Fault, Message};
use crate::strict_json::BadJson;
use crate::texts::{Language, Texts};

/// A refusal that has not been put into a language yet.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: Code,
    /// What there is to say beyond the code's own sentence.
    detail: Option<Message>,
    /// The field of the request that is at fault.
    pub field: Option<String>,
    /// What there can be no more of, with `LIMIT_REACHED`.
    pub cap: Option<Box<Cap>>,
    /// In how many seconds the same request may go better.
    pub retry_after: Option<u32>,
}

impl Refusal {
    pub fn new(code: Code) -> Self {
        let retry_after = (code == Code::Unavailable).then_some(1);
        Self { code, detail: None, field: None, cap: None, retry_after }
    }

    /// A request that can't be taken as it is, and why.
    pub fn malformed(why: Message) -> Self {
        Self { detail: Some(why), ..Self::new(Code::Malformed) }
    }

    /// The same, with the field of the request that is at fault.
    pub fn at(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// The sort of refusal, in a few words.
    pub fn title(&self, texts: &Texts, language: Language) -> String {
        texts.render(&Message::new(format!("error-{}", self.code.kebab())), language)
    }

    /// What went wrong and what to do, for a person.
    pub fn detail(&self, texts: &Texts, language: Language) -> String {
        texts.render(&self.message(), language)
    }

    /// The same, before it is put into a language.
    pub fn message(&self) -> Message {
        let of_code = || Message::new(format!("error-{}-detail", self.code.kebab()));
        self.detail.clone().unwrap_or_else(of_code)
    }
}

impl From<GameError> for Refusal {
    fn from(error: GameError) -> Self {
        match &error {
            GameError::Unreadable { why, field } => {
                return Self { field: field.clone(), ..Self::malformed(why.clone()) };
            }
            GameError::InvalidOptions { why, field } => {
                return Self { detail: Some(why.clone()), field: field.clone(), ..Self::new(Code::InvalidOptions) };
            }
            GameError::Limited(limited) => return (*limited).into(),
            GameError::Store(error) => tracing::error!(%error, "the store failed"),
            _ => {}
        }
        let cap = if let GameError::CapReached(cap) = &error { Some(Box::new(*cap)) } else { None };
        Self { detail: error.reason(), cap, ..Self::new(error.code()) }
    }
}

/// Something that was sent and can't be read.
impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        GameError::from(fault).into()
    }
}

/// A text that can't be read as JSON.
impl From<BadJson> for Refusal {
    fn from(bad: BadJson) -> Self {
        match bad {
            BadJson::Field(fault) => fault.into(),
            BadJson::Syntax(_) => Self::malformed(bad.message()),
        }
    }
}

impl From<PlayerError> for Refusal {
    fn from(error: PlayerError) -> Self {
        let code = match &error {
            PlayerError::Limited(limited) => return (*limited).into(),
            PlayerError::Invalid { .. } => Code::Malformed,
            PlayerError::UsernameTaken => Code::UsernameTaken,
            PlayerError::BadCredentials | PlayerError::NoSuchPlayer => Code::Unauthenticated,
            PlayerError::BadRefreshToken => Code::InvalidToken,
            PlayerError::Busy | PlayerError::Store(_) => Code::Unavailable,
        };
        if let PlayerError::Store(error) = &error {
            tracing::error!(%error, "the store failed");
        }
        let field = match error {
            PlayerError::Invalid { field, .. } => Some(field.to_owned()),
            _ => None,
        };
        Self { detail: error.message(), field, ..Self::new(code) }
    }
}

impl From<DeletionError> for Refusal {
    fn from(error: DeletionError) -> Self {
        match error {
            DeletionError::Games(error) => error.into(),
            DeletionError::Players(error) => error.into(),
        }
    }
}

impl From<AuthError> for Refusal {
    fn from(refused: AuthError) -> Self {
        Self::new(match refused {
            AuthError::NoToken => Code::Unauthenticated,
            AuthError::BadToken => Code::InvalidToken,
            AuthError::Unavailable(error) => {
                tracing::error!(%error, "a token could not be checked");
                Code::Unavailable
            }
        })
    }
}

impl From<Limited> for Refusal {
    fn from(limited: Limited) -> Self {
        Self { retry_after: Some(limited.retry_after()), ..Self::new(Code::RateLimited) }
    }
}
