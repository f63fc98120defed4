//! Refusals: those of the domain stand in payloads as user errors, all others are GraphQL errors with a `code`. Codes and
//! sentences are REST's.

use super::request_context::RequestContext;
use crate::codes::Code;
use crate::refusal::Refusal;
use async_graphql::{Error, ErrorExtensions, SimpleObject};

/// Why something was not done, for people (`message`) and for programs (`code`).
#[derive(SimpleObject)]
pub struct UserError {
    /// Which refusal it is, of a closed list.
    code: Code,
    /// What went wrong and what to do, in the reader's language.
    message: String,
    /// The field of the input at fault: `["input", "displayName"]`. For a field within `move` or `options`, which REST spells
    /// differently, it is that one; `message` names the inner field.
    path: Option<Vec<String>>,
}

/// A refusal of the domain as a user error; whatever else it is as a GraphQL error.
pub fn user_error(context: &RequestContext, refusal: impl Into<Refusal>) -> Result<UserError, Error> {
    let refusal = refusal.into();
    // Neither is about what was asked: asking again later will do.
    if [Code::Unavailable, Code::RateLimited].contains(&refusal.code) {
        return Err(graphql_error(context, &refusal));
    }
    Ok(UserError {
        code: refusal.code,
        message: refusal.detail(context.texts(), context.language),
        path: refusal
            .field
            .as_ref()
            .map(|field| std::iter::once("input").chain(field.split('.').take(1)).map(str::to_owned).collect()),
    })
}

/// A refusal as a GraphQL error, where there is no payload to put it in.
pub fn failed(context: &RequestContext, refusal: impl Into<Refusal>) -> Error {
    graphql_error(context, &refusal.into())
}

/// The same, by its code alone.
pub fn refuse(context: &RequestContext, code: Code) -> Error {
    graphql_error(context, &Refusal::new(code))
}

fn graphql_error(context: &RequestContext, refusal: &Refusal) -> Error {
    let message = refusal.detail(context.texts(), context.language);
    Error::new(message).extend_with(|_, extensions| {
        extensions.set("code", refusal.code.name());
        if let Some(seconds) = refusal.retry_after.filter(|_| refusal.code == Code::RateLimited) {
            extensions.set("retryAfter", seconds);
        }
        if let Some(cap) = &refusal.cap {
            extensions.set("limit", cap.name);
            extensions.set("most", cap.most);
        }
    })
}
