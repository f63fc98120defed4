//! GraphQL errors for requests that are refused: a message in the caller's language, and a code.
//!
//! Errors that REST returns too have a code of [`crate::codes`]; those that only GraphQL knows have one of
//! [`Protocol`].

use crate::app::App;
use crate::auth::AuthError;
use crate::codes::Code;
use crate::edge::host::HostFault;
use crate::games::schema::described;
use crate::graphql::guard;
use crate::quota::Limited;
use crate::refusal::Refusal;
use crate::rules::{Fault, Message};
use crate::strict_json::BadJson;
use crate::texts::Language;
use async_graphql::{ErrorExtensionValues, Pos, ServerError, Value};
use axum::http::StatusCode;
use std::ops::Deref;

/// Errors that only GraphQL requests can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The document has a syntax error.
    ParseFailed,
    /// The document does not fit the schema.
    ValidationFailed,
    /// The document has several operations and none was named, or no operation of that name.
    OperationUnresolved,
    /// The document or the request exceeds a limit.
    LimitExceeded,
    /// No document with this hash is registered: the client must send it.
    PersistedQueryNotFound,
    /// The document does not have the hash that was sent with it.
    PersistedQueryMismatch,
    /// The document is not on the operator's allow-list.
    DocumentNotListed,
    /// Introspection is disabled.
    IntrospectionDisabled,
    /// The answer is a stream, which the client does not accept.
    StreamNotAccepted,
    /// The client accepts none of our media types.
    NotAcceptable,
    /// A bug in the server.
    InternalError,
}

impl Protocol {
    /// The value of `extensions.code`.
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

    /// Whether the error is about the document and not about the HTTP request. The media type `application/json` then
    /// requires status 200.
    fn is_about_the_document(self) -> bool {
        !matches!(self, Protocol::StreamNotAccepted | Protocol::NotAcceptable | Protocol::InternalError)
    }
}

/// A refused request. Boxed, because errors are rare and `Result`s should stay small.
#[derive(Clone, Debug)]
pub struct RequestError(Box<Details>);

/// The details of an error.
#[derive(Clone, Debug)]
pub struct Details {
    pub code: String,
    pub status: StatusCode,
    /// Whether `application/json` clients get status 200.
    pub about_the_document: bool,
    /// Seconds after which a retry can succeed.
    pub retry_after: Option<u32>,
    text: ErrorText,
    locations: Vec<Pos>,
    extensions: Vec<(&'static str, Value)>,
}

impl Deref for RequestError {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}

#[derive(Clone, Debug)]
enum ErrorText {
    Message(Message),
    /// A text that clients compare, or that comes from the library.
    Text(String),
}

impl RequestError {
    /// An error that REST returns too.
    pub fn shared(code: Code) -> Self {
        Refusal::new(code).into()
    }

    /// A request that can't be read, and why.
    pub fn malformed(why: Message) -> Self {
        Refusal::malformed(why).into()
    }

    pub fn protocol(why: Protocol, message: Message) -> Self {
        Self::of_protocol(why, ErrorText::Message(message))
    }

    /// An error with a fixed English text.
    pub fn worded(why: Protocol, text: impl Into<String>) -> Self {
        Self::of_protocol(why, ErrorText::Text(text.into()))
    }

    /// A limit is exceeded.
    pub fn exceeds(limit: &'static str, most: usize) -> Self {
        let message = Message::new(format!("document-limit-{limit}"));
        let message = message.with("most", i64::try_from(most).unwrap_or(i64::MAX));
        let mut error = Self::protocol(Protocol::LimitExceeded, message);
        error.0.extensions = vec![("limit", limit.into()), ("most", most.into())];
        error
    }

    /// The price of the request exceeds the client's whole budget.
    pub fn too_expensive(price: u32, most: u32) -> Self {
        let message = Message::new("document-limit-cost").with("price", i64::from(price)).with("most", i64::from(most));
        let mut error = Self::protocol(Protocol::LimitExceeded, message);
        error.0.extensions = vec![("limit", "cost".into()), ("price", price.into()), ("most", most.into())];
        error
    }

    /// Keeps the status for all media types: the error is about the request and not about the document.
    pub fn keep_status(mut self) -> Self {
        self.0.about_the_document = false;
        self
    }

    fn of_protocol(why: Protocol, text: ErrorText) -> Self {
        let mut error = Self::new(why.name().to_owned(), why.status(), text);
        error.0.about_the_document = why.is_about_the_document();
        error
    }

    fn new(code: String, status: StatusCode, text: ErrorText) -> Self {
        Self(Box::new(Details {
            code,
            status,
            about_the_document: false,
            retry_after: None,
            text,
            locations: Vec::new(),
            extensions: Vec::new(),
        }))
    }

    /// Renders the error in the language of the caller.
    pub fn render(&self, app: &App, language: Language) -> ServerError {
        let mut extensions = ErrorExtensionValues::default();
        extensions.set("code", self.code.as_str());
        for (name, value) in &self.extensions {
            extensions.set(name, value.clone());
        }
        if let Some(seconds) = self.retry_after {
            extensions.set("retryAfter", seconds);
        }
        let message = match &self.text {
            ErrorText::Message(message) => app.texts.render(message, language),
            ErrorText::Text(text) => text.clone(),
        };
        let mut error = ServerError::new(message, None);
        error.locations.clone_from(&self.locations);
        error.extensions = Some(extensions);
        error
    }
}

/// Translates the library's message about an argument that has the wrong type. Its other messages stay English, in the
/// words of the specification.
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
            guard::Why::Syntax(syntax) => {
                let mut error = Self::worded(Protocol::ParseFailed, syntax.to_string());
                error.0.locations = syntax.positions().collect();
                error
            }
            guard::Why::Cycle(name) => {
                Self::protocol(Protocol::ValidationFailed, Message::new("document-fragment-cycle").with("name", name))
            }
        }
    }
}

/// Errors that REST returns too: [`Refusal`] has their codes and messages.
macro_rules! from_refusals {
    ($($error:ty),*) => {
        $(impl From<$error> for RequestError {
            fn from(error: $error) -> Self {
                Refusal::from(error).into()
            }
        })*
    };
}

from_refusals!(AuthError, BadJson, Fault, Limited);

impl From<Refusal> for RequestError {
    fn from(refusal: Refusal) -> Self {
        let status = StatusCode::from_u16(refusal.code.status()).expect("codes have valid statuses");
        let mut error = Self::new(refusal.code.name(), status, ErrorText::Message(refusal.message()));
        error.0.retry_after = refusal.retry_after;
        error
    }
}

impl From<HostFault> for RequestError {
    fn from(fault: HostFault) -> Self {
        Self::malformed(Message::new(fault.sentence()))
    }
}
