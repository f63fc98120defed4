//! Error mapping: turns the errors of all layers into a code, a sentence and a field. REST renders the result as a
//! problem, GraphQL resolvers as an error, so that the two can't drift apart. `graphql::transport` has codes of its own
//! for requests that never reach a resolver.

use crate::app::DeletionError;
use crate::auth::AuthError;
use crate::codes::Code;
use crate::games::{Cap, GameError};
use crate::players::PlayerError;
use crate::quota::Limited;
use crate::rules::{Fault, Message};
use crate::strict_json::BadJson;
use crate::texts::{Language, Texts};

/// Why a request was refused, not yet in a language.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: Code,
    /// The sentence for this case; if none, the sentence of the code.
    detail: Option<Message>,
    /// The path of the invalid field of the request.
    pub field: Option<String>,
    /// The limit that was reached, with `LIMIT_REACHED`.
    pub cap: Option<Box<Cap>>,
    /// Seconds until the same request may succeed.
    pub retry_after: Option<u32>,
}

impl Refusal {
    pub fn new(code: Code) -> Self {
        let retry_after = (code == Code::Unavailable).then_some(1);
        Self { code, detail: None, field: None, cap: None, retry_after }
    }

    /// A malformed request, and why it is malformed.
    pub fn malformed(why: Message) -> Self {
        Self { detail: Some(why), ..Self::new(Code::Malformed) }
    }

    /// Sets the path of the invalid field.
    pub fn at(self, field: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..self }
    }

    /// What the code means, in a few words.
    pub fn title(&self, texts: &Texts, language: Language) -> String {
        texts.render(&Message::new(format!("error-{}", self.code.kebab())), language)
    }

    /// Why this request was refused and what to do.
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

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        GameError::from(fault).into()
    }
}

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
