//! What a request is made of, whichever way it came: a document, its variables, which of its operations.

use super::request_error::RequestError;
use crate::rules::{Message, reader};
use crate::strict_json;
use async_graphql::{Request, Variables};
use axum::http::Uri;
use serde::Deserialize;
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
    fn read(json: &Value) -> Result<Self, RequestError> {
        Ok(reader::read(json)?)
    }

    /// From an address, where variables and extensions are JSON in a text.
    pub fn from_uri(uri: &Uri) -> Result<Self, RequestError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct UriParams {
            query: Option<String>,
            operation_name: Option<String>,
            variables: Option<String>,
            extensions: Option<String>,
        }
        let asked = axum::extract::Query::<UriParams>::try_from_uri(uri);
        let UriParams { query, operation_name, variables, extensions } =
            asked.map_err(|_| RequestError::malformed(Message::new("request-query-string")))?.0;
        let map = |name: &str, text: Option<String>| match text.filter(|text| !text.is_empty()) {
            None => Ok::<_, RequestError>(None),
            Some(text) => {
                let value = strict_json::parse(text.as_bytes())?;
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
    pub fn read(body: &[u8], most: usize) -> Result<Self, RequestError> {
        let json = strict_json::parse(body)?;
        let Value::Array(items) = &json else { return Params::read(&json).map(Self::One) };
        if items.is_empty() {
            return Err(RequestError::malformed(Message::new("request-batch-empty")));
        }
        if items.len() > most {
            return Err(RequestError::exceeds("batch", most).whatever_is_accepted());
        }
        items.iter().map(Params::read).collect::<Result<_, _>>().map(Self::Batch)
    }
}
