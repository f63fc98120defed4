//! Refusals on their way to the caller, as GraphQL errors: a sentence in the caller's language, and a code.
//!
//! What the rest of the service refuses too has its code from the one list of [`crate::codes`]; what only GraphQL knows of
//! has one of [`Protocol`].

use crate::app::App;
use crate::auth;
use crate::codes::Code;
use crate::edge::host::HostFault;
use crate::games::schema::described;
use crate::graphql::guard;
use crate::quota::Limited;
use crate::rules::{Fault, Message};
use crate::strict_json::BadJson;
use crate::texts::Language;
use async_graphql::{ErrorExtensionValues, Pos, ServerError, Value};
use axum::http::StatusCode;
use std::ops::Deref;

/// What can be wrong with a GraphQL request and with no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// It is no GraphQL.
    ParseFailed,
    /// The schema has no such thing.
    ValidationFailed,
    /// The document has several operations, or none of that name.
    OperationUnresolved,
    /// It asks for more than may be asked.
    LimitExceeded,
    /// Its document is not known by that hash: send it along.
    PersistedQueryNotFound,
    /// Its document has another hash.
    PersistedQueryMismatch,
    /// Only listed documents are carried out, and this is none.
    DocumentNotListed,
    /// The schema is asked for, and the operator does not tell it.
    IntrospectionDisabled,
    /// The answer would be a stream, and the caller takes none.
    StreamNotAccepted,
    /// The caller takes no media type that we write.
    NotAcceptable,
    /// Carrying it out failed, through our own fault.
    InternalError,
}

impl Protocol {
    /// As it is written in `extensions.code`.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::ParseFailed => "GRAPHQL_PARSE_FAILED",
            Protocol::ValidationFailed => "GRAPHQL_VALIDATION_FAILED",
            Protocol::OperationUnresolved => "OPERATION_RESOLUTION_FAILURE",
            Protocol::LimitExceeded => "LIMIT_EXCEEDED",
            Protocol::PersistedQueryNotFound => "PERSISTED_QUERY_NOT_FOUND",
            Protocol::PersistedQueryMismatch => "PERSISTED_QUERY_MISMATCH",
            Protocol::DocumentNotListed => "DOCUMENT_NOT_LISTED",
            Protocol::IntrospectionDisabled => "INTROSPECTION_DISABLED",
            Protocol::StreamNotAccepted => "STREAM_NOT_ACCEPTED",
            Protocol::NotAcceptable => "NOT_ACCEPTABLE",
            Protocol::InternalError => "INTERNAL_SERVER_ERROR",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Protocol::DocumentNotListed | Protocol::IntrospectionDisabled => StatusCode::FORBIDDEN,
            Protocol::StreamNotAccepted | Protocol::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Protocol::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// Whether it is about what was asked, and not about how: then `application/json`, which has no statuses of its own
    /// for it, is answered with 200.
    fn is_about_the_document(self) -> bool {
        !matches!(self, Protocol::StreamNotAccepted | Protocol::NotAcceptable | Protocol::InternalError)
    }
}

/// A request that is not carried out. Boxed, since hardly any is.
#[derive(Clone, Debug)]
pub struct RequestError(Box<Facts>);

/// What there is to say about a refusal.
#[derive(Clone, Debug)]
pub struct Facts {
    pub code: String,
    pub status: StatusCode,
    /// Whether a client that only takes `application/json` is answered with 200.
    pub about_the_document: bool,
    /// In how many seconds the same request may go better.
    pub retry_after: Option<u64>,
    says: Says,
    locations: Vec<Pos>,
    details: Vec<(&'static str, Value)>,
}

impl Deref for RequestError {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.0
    }
}

#[derive(Clone, Debug)]
enum Says {
    Message(Message),
    /// What clients compare, or a library says.
    Text(String),
}

impl RequestError {
    /// What any other request may meet too.
    pub fn shared(code: Code) -> Self {
        let status = StatusCode::from_u16(code.status()).expect("codes have valid statuses");
        let message = Message::new(format!("error-{}-detail", code.kebab()));
        let mut refusal = Self::new(code.name(), status, Says::Message(message));
        refusal.0.retry_after = (code == Code::Unavailable).then_some(1);
        refusal
    }

    pub fn protocol(why: Protocol, message: Message) -> Self {
        Self::said(why, Says::Message(message))
    }

    /// In the words that clients look for.
    pub fn worded(why: Protocol, text: impl Into<String>) -> Self {
        Self::said(why, Says::Text(text.into()))
    }

    /// A request that can't be taken as it is, and why.
    pub fn malformed(why: Message) -> Self {
        let mut refusal = Self::shared(Code::Malformed);
        refusal.0.says = Says::Message(why);
        refusal
    }

    /// More was asked for than may be.
    pub fn exceeds(limit: &'static str, most: usize) -> Self {
        let message = Message::new(format!("document-limit-{limit}"));
        let message = message.with("most", i64::try_from(most).unwrap_or(i64::MAX));
        let mut refusal = Self::protocol(Protocol::LimitExceeded, message);
        refusal.0.details = vec![("limit", limit.into()), ("most", most.into())];
        refusal
    }

    /// More work than the client can ever pay for at once.
    pub fn too_expensive(price: u32, most: u32) -> Self {
        let message = Message::new("document-limit-cost").with("price", i64::from(price)).with("most", i64::from(most));
        let mut refusal = Self::protocol(Protocol::LimitExceeded, message);
        refusal.0.details = vec![("limit", "cost".into()), ("price", price.into()), ("most", most.into())];
        refusal
    }

    /// Keeps its status, whatever the client takes: it is about the request and not the document.
    pub fn whatever_is_accepted(mut self) -> Self {
        self.0.about_the_document = false;
        self
    }

    fn said(why: Protocol, says: Says) -> Self {
        let mut refusal = Self::new(why.name().to_owned(), why.status(), says);
        refusal.0.about_the_document = why.is_about_the_document();
        refusal
    }

    fn new(code: String, status: StatusCode, says: Says) -> Self {
        Self(Box::new(Facts {
            code,
            status,
            about_the_document: false,
            retry_after: None,
            says,
            locations: Vec::new(),
            details: Vec::new(),
        }))
    }

    /// In the caller's words.
    pub fn render(&self, app: &App, language: Language) -> ServerError {
        let mut extensions = ErrorExtensionValues::default();
        extensions.set("code", self.code.as_str());
        for (name, value) in &self.details {
            extensions.set(name, value.clone());
        }
        if let Some(seconds) = self.retry_after {
            extensions.set("retryAfter", seconds);
        }
        let message = match &self.says {
            Says::Message(message) => app.texts.render(message, language),
            Says::Text(text) => text.clone(),
        };
        let mut error = ServerError::new(message, None);
        error.locations.clone_from(&self.locations);
        error.extensions = Some(extensions);
        error
    }
}

/// What the library says about a value of an argument that does not fit, in the caller's language: which one, and what it
/// takes. What it says about documents is English, in the words of the specification.
pub fn coercion(text: &str) -> Option<Message> {
    let prefixes = ["Invalid value for argument \"", "Invalid default value for argument: \""];
    let rest = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix))?;
    let (path, why) = rest.split_once("\", ")?;
    let quoted = |prefix: &str| why.strip_prefix(prefix)?.split('"').next();
    if let Some(name) = quoted("expected type \"") {
        return Some(match name.trim_end_matches('!') {
            "Int" => Fault::int(path).message(),
            name => Message::new("document-argument").with("argument", path).with("type", name),
        });
    }
    Some(match quoted("enumeration type \"")? {
        "KindId" => Fault::none_of(path, described().names()).message(),
        name => Message::new("document-argument").with("argument", path).with("type", name),
    })
}

impl From<guard::Why> for RequestError {
    fn from(why: guard::Why) -> Self {
        match why {
            guard::Why::Exceeds(limit, most) => Self::exceeds(limit.name(), most),
            guard::Why::Syntax(error) => {
                let mut refusal = Self::worded(Protocol::ParseFailed, error.to_string());
                refusal.0.locations = error.positions().collect();
                refusal
            }
            guard::Why::Cycle(name) => {
                Self::protocol(Protocol::ValidationFailed, Message::new("document-fragment-cycle").with("name", name))
            }
        }
    }
}

impl From<BadJson> for RequestError {
    fn from(error: BadJson) -> Self {
        Self::malformed(error.message())
    }
}

/// Something that was sent and can't be read.
impl From<Fault> for RequestError {
    fn from(fault: Fault) -> Self {
        Self::malformed(fault.message())
    }
}

impl From<Limited> for RequestError {
    fn from(limited: Limited) -> Self {
        let mut refusal = Self::shared(Code::RateLimited);
        refusal.0.retry_after = Some(limited.retry_after().into());
        refusal
    }
}

impl From<HostFault> for RequestError {
    fn from(fault: HostFault) -> Self {
        Self::malformed(Message::new(fault.sentence()))
    }
}

impl From<auth::AuthError> for RequestError {
    fn from(refused: auth::AuthError) -> Self {
        Self::shared(match refused {
            auth::AuthError::NoToken => Code::Unauthenticated,
            auth::AuthError::BadToken => Code::InvalidToken,
            auth::AuthError::Unavailable(error) => {
                tracing::error!(%error, "a token could not be checked");
                Code::Unavailable
            }
        })
    }
}
