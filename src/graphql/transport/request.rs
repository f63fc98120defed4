//! GraphQL requests: reading the document, variables and operation name from a URI, a body or a WebSocket message.
//! Bodies are read by the library's extractor, the others by [`from_json`].

use super::request_error::RequestError;
use crate::rules::{Fault, Message, reader};
use crate::strict_json;
use async_graphql::{BatchRequest, Request, Value};
use async_graphql_axum::{GraphQLBatchRequest, rejection::GraphQLRejection};
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Query};
use axum::http::{Uri, request::Parts};
use serde_json::{Map, Value as Json};

/// Reads a JSON object. As in the specification, unknown fields are ignored and null is the same as a missing field.
pub fn from_json(mut json: Json) -> Result<Request, Fault> {
    if let Json::Object(fields) = &mut json {
        fields.retain(|_, value| !value.is_null());
    }
    reader::read(&json)
}

/// Reads a query string, where variables and extensions are JSON text. The library's extractor does not read
/// `operationName` there.
pub fn from_uri(uri: &Uri) -> Result<Request, RequestError> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let Query(pairs) = pairs.map_err(|_| RequestError::malformed(Message::new("request-query-string")))?;
    let mut fields = Map::new();
    for (name, text) in pairs {
        let value = match name.as_str() {
            "query" | "operationName" => text.into(),
            "variables" | "extensions" if text.is_empty() => Json::Null,
            "variables" | "extensions" => strict_json::parse(text.as_bytes())?,
            _ => continue,
        };
        if fields.insert(name.clone(), value).is_some() {
            return Err(Fault::repeated(name).into());
        }
    }
    Ok(from_json(Json::Object(fields))?)
}

/// Reads a body with at most `most` requests. The extractor would keep the last of two equal fields, read a list as the
/// fields of a request, and not name a field that it can't read: the first two are checked before, the last is found by
/// reading the body again.
pub async fn from_body(parts: Parts, body: Bytes, most: usize) -> Result<BatchRequest, RequestError> {
    let json = strict_json::parse(&body)?;
    let objects = match &json {
        Json::Array(items) if items.is_empty() => {
            return Err(RequestError::malformed(Message::new("request-batch-empty")));
        }
        Json::Array(items) if items.len() > most => {
            return Err(RequestError::exceeds("batch", most).keep_status());
        }
        Json::Array(items) => items.iter().all(Json::is_object),
        json => json.is_object(),
    };
    let request = axum::extract::Request::from_parts(parts, Body::from(body));
    if objects && let Ok(read) = GraphQLBatchRequest::<GraphQLRejection>::from_request(request, &()).await {
        let mut batch = read.into_inner();
        batch.iter_mut().flat_map(|request| request.variables.values_mut()).for_each(make_whole);
        return Ok(batch);
    }
    Ok(match json {
        Json::Array(items) => BatchRequest::Batch(items.into_iter().map(from_json).collect::<Result<_, _>>()?),
        json => BatchRequest::Single(from_json(json)?),
    })
}

/// Converts numbers such as `2.0` to integers: JSON does not distinguish them, and REST accepts both.
fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().and_then(reader::whole).and_then(|digits| digits.parse::<i64>().ok());
            if let Some(whole) = whole {
                *number = whole.into();
            }
        }
        Value::List(items) => items.iter_mut().for_each(make_whole),
        Value::Object(fields) => fields.values_mut().for_each(make_whole),
        _ => {}
    }
}
