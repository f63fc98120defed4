//! What came of a request, as every transport writes it.

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
    /// It was executed, perhaps with errors on the way.
    Executed(Response, Option<Cost>),
    /// It was before, without errors, and its data would be the same now.
    ResponseCache(Arc<RawValue>, Option<Cost>),
    /// It was not.
    Refused {
        errors: Vec<ServerError>,
        status: StatusCode,
        /// Whether a client that only takes `application/json` is answered with 200.
        about_the_document: bool,
        retry_after: Option<u64>,
    },
}

/// What an operation cost, and what is left of the budget it was charged to: `extensions.cost`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Units that were charged.
    pub price: u32,
    /// Units that are left now.
    pub remaining: u32,
    /// Units of a full budget.
    pub quota: u32,
}

/// As it is written: without `data` where nothing was executed.
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

    /// The errors of a document that the schema does not understand.
    pub fn invalid(errors: Vec<ServerError>) -> Self {
        Self::Refused { errors, status: StatusCode::BAD_REQUEST, about_the_document: true, retry_after: None }
    }

    pub fn errors(&self) -> &[ServerError] {
        match self {
            Answer::Executed(response, _) => &response.errors,
            Answer::ResponseCache(..) => &[],
            Answer::Refused { errors, .. } => errors,
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let extensions = |cost: &Option<Cost>| cost.map(|cost| Extensions { cost });
        match self {
            Answer::Executed(Response { errors, data, .. }, cost) => {
                Written { errors, data: Some(Data(data)), extensions: extensions(cost) }.serialize(serializer)
            }
            Answer::ResponseCache(data, cost) => {
                Written { errors: &[], data: Some(data), extensions: extensions(cost) }.serialize(serializer)
            }
            Answer::Refused { errors, .. } => {
                Written { errors, data: None::<Data>, extensions: None }.serialize(serializer)
            }
        }
    }
}
