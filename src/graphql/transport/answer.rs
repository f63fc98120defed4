//! What came of a request, as every transport writes it.

use super::refusal::Refusal;
use crate::app::App;
use crate::texts::Language;
use async_graphql::{Response, ServerError, Value};
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The answer to one request.
#[derive(Debug)]
pub enum Answer {
    /// It was carried out, perhaps with errors on the way.
    Executed(Response),
    /// It was before, without errors, and would come to the same now.
    Kept(Arc<RawValue>),
    /// It was not.
    Refused {
        errors: Vec<ServerError>,
        status: StatusCode,
        /// Whether a client that only takes `application/json` is answered with 200.
        about_the_document: bool,
        retry_after: Option<u64>,
    },
}

/// As it is written: without `data` where nothing was carried out.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [ServerError],
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<&'a BTreeMap<String, Value>>,
}

impl Answer {
    pub fn refused(refusal: &Refusal, app: &App, language: Language) -> Self {
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
            Answer::Executed(response) => &response.errors,
            Answer::Kept(_) => &[],
            Answer::Refused { errors, .. } => errors,
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Answer::Executed(response) => Written {
                errors: &response.errors,
                data: Some(&response.data),
                extensions: Some(&response.extensions).filter(|extensions| !extensions.is_empty()),
            },
            Answer::Kept(json) => return json.serialize(serializer),
            Answer::Refused { errors, .. } => Written { errors, data: None, extensions: None },
        };
        written.serialize(serializer)
    }
}
