//! What a request is made of, whichever way it came: a document, its variables, which of its operations.

use super::refusal::Refusal;
use crate::rules::{Message, reader};
use async_graphql::{Request, Variables};
use axum::http::Uri;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// One request. What it does not know it passes over, as the specification wants it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Params {
    pub query: Option<String>,
    pub operation_name: Option<String>,
    pub variables: Option<Map<String, Value>>,
    pub extensions: Option<Map<String, Value>>,
}

/// One request, or several at once.
#[derive(Debug)]
pub enum Posted {
    One(Params),
    Batch(Vec<Params>),
}

impl Params {
    /// From an object.
    pub fn read(json: &RawValue) -> Result<Self, Refusal> {
        let value: Value = serde_json::from_str(json.get()).map_err(|error| Refusal::bad_json(&error))?;
        Ok(reader::read(&value)?)
    }

    /// From an address, where variables and extensions are JSON in a text.
    pub fn from_uri(uri: &Uri) -> Result<Self, Refusal> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Asked {
            query: Option<String>,
            operation_name: Option<String>,
            variables: Option<String>,
            extensions: Option<String>,
        }
        let asked = axum::extract::Query::<Asked>::try_from_uri(uri);
        let Asked { query, operation_name, variables, extensions } =
            asked.map_err(|_| Refusal::malformed(Message::new("request-query-string")))?.0;
        let map = |name: &str, text: Option<String>| match text.filter(|text| !text.is_empty()) {
            None => Ok::<_, Refusal>(None),
            Some(text) => {
                let value: Value = serde_json::from_str(&text).map_err(|error| Refusal::bad_json(&error))?;
                Ok(Some(reader::read(&value).map_err(|fault| fault.within(name))?))
            }
        };
        let (variables, extensions) = (map("variables", variables)?, map("extensions", extensions)?);
        Ok(Self { query, operation_name, variables, extensions })
    }

    /// As the library takes it.
    pub fn into_request(self) -> Request {
        let variables = self.variables.map(|variables| Variables::from_json(Value::Object(variables)));
        let request = Request::new(self.query.unwrap_or_default()).variables(variables.unwrap_or_default());
        match self.operation_name {
            Some(name) => request.operation_name(name),
            None => request,
        }
    }
}

impl Posted {
    /// From a body; so many at most.
    pub fn read(body: &[u8], most: usize) -> Result<Self, Refusal> {
        let unreadable = |error: serde_json::Error| Refusal::bad_json(&error);
        let json: &RawValue = serde_json::from_slice(body).map_err(unreadable)?;
        if !json.get().starts_with('[') {
            return Params::read(json).map(Self::One);
        }
        let items: Vec<&RawValue> = serde_json::from_str(json.get()).map_err(unreadable)?;
        if items.is_empty() {
            return Err(Refusal::malformed(Message::new("request-batch-empty")));
        }
        if items.len() > most {
            return Err(Refusal::exceeds("batch", most).whatever_is_accepted());
        }
        items.into_iter().map(Params::read).collect::<Result<_, _>>().map(Self::Batch)
    }
}
