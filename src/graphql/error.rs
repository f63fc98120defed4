//! Errors of the API: refusals of the domain become user errors in payloads, all others GraphQL errors with a `code`.
//! Codes and messages are the same as in REST.

use super::request_context::RequestContext;
use crate::codes::Code;
use crate::refusal::Refusal;
use async_graphql::{Error, ErrorExtensions, SimpleObject};

/// Why a mutation was refused: `code` for programs, `message` for people.
#[derive(SimpleObject)]
pub struct UserError {
    /// The reason for the refusal, from a closed list.
    code: Code,
    /// What went wrong and what to do about it, in the language of the request.
    message: String,
    /// The input field at fault, for example `["input", "displayName"]`; null if there is none. For a field inside
    /// `move` or `options`, the path ends at `move` or `options`; `message` names the field inside.
    path: Option<Vec<String>>,
}

/// Converts a refusal of the domain into a user error. Failures that are not about the input are returned as `Err`.
pub fn user_error(context: &RequestContext, refusal: impl Into<Refusal>) -> Result<UserError, Error> {
    let refusal = refusal.into();
    // Both depend on the moment and not on the input: the same request can succeed later.
    if [Code::Unavailable, Code::RateLimited].contains(&refusal.code) {
        return Err(graphql_error(context, refusal));
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

pub fn error_with_code(context: &RequestContext, code: Code) -> Error {
    graphql_error(context, Refusal::new(code))
}

/// Converts a refusal into a GraphQL error, where there is no payload to put it in.
pub fn graphql_error(context: &RequestContext, refusal: impl Into<Refusal>) -> Error {
    let refusal = refusal.into();
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
