//! Answers to requests, in the form that every transport writes.

use super::request_error::RequestError;
use crate::app::App;
use crate::graphql::kinds::Data;
use crate::texts::Language;
use async_graphql::{Response, ServerError};
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;

/// The answer to one request.
#[derive(Debug)]
pub enum Answer {
    /// The operation was executed; the response may contain errors.
    Executed(Box<Response>, Option<Cost>),
    /// The data of an earlier execution, which would be the same now.
    Cached(Arc<RawValue>, Option<Cost>),
    /// The operation was refused and not executed.
    Refused {
        errors: Vec<ServerError>,
        status: StatusCode,
        /// Whether `application/json` clients get status 200.
        about_the_document: bool,
        retry_after: Option<u32>,
    },
}

/// The price of an operation, and the balance and size of the budget that it was charged to, in units:
/// `extensions.cost`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    pub price: u32,
    pub remaining: u32,
    pub quota: u32,
}

/// JSON form of an answer: without `data` if nothing was executed.
#[derive(Serialize)]
struct Written<'a, D> {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [ServerError],
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<D>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<Extensions>,
}

#[derive(Serialize)]
struct Extensions {
    cost: Cost,
}

impl Answer {
    pub fn refused(refusal: &RequestError, app: &App, language: Language) -> Self {
        Self::Refused {
            errors: vec![refusal.render(app, language)],
            status: refusal.status,
            about_the_document: refusal.about_the_document,
            retry_after: refusal.retry_after,
        }
    }

    /// The answer to an invalid document.
    pub fn invalid(errors: Vec<ServerError>) -> Self {
        Self::Refused { errors, status: StatusCode::BAD_REQUEST, about_the_document: true, retry_after: None }
    }

    pub fn errors(&self) -> &[ServerError] {
        match self {
            Answer::Executed(response, _) => &response.errors,
            Answer::Cached(..) => &[],
            Answer::Refused { errors, .. } => errors,
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let extensions = |cost: &Option<Cost>| cost.map(|cost| Extensions { cost });
        match self {
            Answer::Executed(response, cost) => {
                let Response { errors, data, .. } = &**response;
                Written { errors, data: Some(Data(data)), extensions: extensions(cost) }.serialize(serializer)
            }
            Answer::Cached(data, cost) => {
                Written { errors: &[], data: Some(data), extensions: extensions(cost) }.serialize(serializer)
            }
            Answer::Refused { errors, .. } => {
                Written { errors, data: None::<Data>, extensions: None }.serialize(serializer)
            }
        }
    }
}
