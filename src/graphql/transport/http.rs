//! GraphQL over HTTP: GET and POST, batches, status codes.
//!
//! GET is for queries only. A POST must have the content type JSON: a browser sends forms and plain text across origins
//! without a preflight request, so those are refused. Status codes follow the specification: with
//! `application/graphql-response+json` an invalid document is a 400, with `application/json` a 200. Errors of the HTTP
//! request itself have their own status in both.

use super::content_negotiation::{Accepts, Media};
use super::operation::Operation;
use super::request_error::{Protocol, RequestError};
use super::response::Answer;
use super::{Graphql, Transport, request, sse, ws};
use crate::app::App;
use crate::auth::Caller;
use crate::codes::Code;
use crate::edge::arrival::Arrival;
use crate::edge::headers::vary;
use crate::edge::{host, log, rate_limit};
use crate::graphql::request_context::RequestContext;
use crate::quota::{Meter, prices};
use crate::rules::Message;
use crate::texts::Language;
use async_graphql::BatchRequest;
use async_graphql::parser::types::OperationType;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::future::join_all;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// The largest body: a document with its variables.
pub const BODY_LIMIT: usize = 64 * 1024;

/// The time within which the whole body must arrive.
const BODY_DEADLINE: Duration = Duration::from_secs(15);

/// Headers that responses depend on, besides those of all responses.
const VARY: HeaderValue = HeaderValue::from_static("accept, authorization");

/// What all operations of a request share.
pub struct RequestScope {
    pub app: Arc<App>,
    pub graphql: Arc<Graphql>,
    pub language: Language,
    pub meter: Arc<Meter>,
}

pub async fn serve(app: Arc<App>, graphql: Arc<Graphql>, request: Request) -> Response {
    let pipeline = app.edge.pipeline.clone();
    pipeline.pass(request, |request| Box::pin(answer(app, graphql, request))).await
}

async fn answer(app: Arc<App>, graphql: Arc<Graphql>, mut request: Request) -> Response {
    let meter = Arrival::of(&mut request).meter;
    let headers = request.headers();
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let language = wanted.map_or_else(Language::default, Language::negotiate);
    let accepts = Accepts::read(headers);
    let media = accepts.map_or(Media::Json, |accepts| accepts.best);
    let scope = RequestScope { app, graphql, language, meter };
    let mut response = match scope.answer(accepts, request).await {
        Ok(response) => response,
        Err(refusal) => scope.refuse(&refusal, media),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.tag()));
    vary(headers, VARY);
    rate_limit::add(headers, scope.meter.balance());
    response
}

impl RequestScope {
    async fn answer(&self, accepts: Option<Accepts>, request: Request) -> Result<Response, RequestError> {
        let arrival = request.extensions().get::<Arrival>();
        self.meter.admit(&self.app.edge.budgets, prices::DOCUMENT, arrival.and_then(Arrival::refusals)).await?;
        host::check(&request)?;
        let (mut parts, body) = request.into_parts();
        if ws::is_wanted(&parts.headers) {
            return ws::upgrade(self, &mut parts).await;
        }
        let Some(accepts) = accepts else {
            return Err(RequestError::protocol(Protocol::NotAcceptable, Message::new("request-not-acceptable")));
        };
        let by_get = [Method::GET, Method::HEAD].contains(&parts.method);
        if !by_get && parts.method != Method::POST {
            return Err(RequestError::shared(Code::MethodNotAllowed));
        }
        let caller = self.caller(&parts).await?;
        let context = RequestContext::new(self.app.clone(), caller, self.language, self.meter.clone());
        let posted = if by_get {
            BatchRequest::Single(request::from_uri(&parts.uri)?)
        } else {
            is_json(&parts.headers)?;
            let body = read(&parts.headers, body).await?;
            request::from_body(parts, body, self.graphql.settings.batch).await?
        };
        match posted {
            BatchRequest::Single(request) => self.one(request, accepts, &context, by_get).await,
            BatchRequest::Batch(_) if accepts.best == Media::EventStream => {
                Err(RequestError::malformed(Message::new("request-batch-streamed")))
            }
            BatchRequest::Batch(items) => self.batch(items, accepts.best, &context).await,
        }
    }

    /// Authenticates the caller, if there is a token; adds the player to the log and charges them for the request.
    pub async fn caller(&self, parts: &Parts) -> Result<Option<Caller>, RequestError> {
        let last_tokens = parts.extensions.get::<Arrival>().and_then(Arrival::last_tokens);
        let caller = self.app.identity.authenticate(&parts.headers, last_tokens).await?;
        if let Some(caller) = &caller {
            log::note_player(caller.player);
            self.meter.identify(&self.app.edge.budgets, caller.player)?;
        }
        Ok(caller)
    }

    async fn one(
        &self,
        request: async_graphql::Request,
        accepts: Accepts,
        context: &Arc<RequestContext>,
        by_get: bool,
    ) -> Result<Response, RequestError> {
        let prepared = self.graphql.prepare(request, &mut self.graphql.budget(), context);
        let operation = match prepared {
            Ok(operation) => operation,
            Err(refusal) if accepts.best == Media::EventStream && refusal.about_the_document => {
                return Ok(sse::refused(Answer::refused(&refusal, &self.app, self.language), context));
            }
            Err(refusal) => return Err(refusal),
        };
        if by_get && operation.ty == OperationType::Mutation {
            return Err(RequestError::shared(Code::MethodNotAllowed));
        }
        let subscribes = operation.ty == OperationType::Subscription;
        if accepts.best == Media::EventStream || (subscribes && accepts.stream) {
            return Ok(sse::stream(&self.graphql, operation, context));
        }
        if subscribes {
            return Err(stream_needed());
        }
        let answer = self.graphql.execute(operation, context, Transport::Http).await;
        Ok(write(&answer, status(&answer, accepts.best), accepts.best, retry_after(&answer)))
    }

    /// Executes a batch and answers in order. If it contains mutations, its items run one after another.
    async fn batch(
        &self,
        items: Vec<async_graphql::Request>,
        media: Media,
        context: &Arc<RequestContext>,
    ) -> Result<Response, RequestError> {
        let mut budget = self.graphql.budget();
        let prepare = |request| self.graphql.prepare(request, &mut budget, context);
        let prepared: Vec<_> = items.into_iter().map(prepare).collect();
        let in_order = prepared.iter().flatten().any(|operation| operation.ty == OperationType::Mutation);
        let executions = prepared.into_iter().map(|prepared| self.item(prepared, context));
        let mut answers = Vec::new();
        if in_order {
            for item in executions {
                answers.push(item.await);
            }
        } else {
            answers = join_all(executions).await;
        }
        Ok(write(&answers, StatusCode::OK, media, None))
    }

    async fn item(&self, prepared: Result<Operation, RequestError>, context: &Arc<RequestContext>) -> Answer {
        let refusal = match prepared {
            Ok(operation) if operation.ty == OperationType::Subscription => stream_needed(),
            Ok(operation) => return self.graphql.execute(operation, context, Transport::Http).await,
            Err(refusal) => refusal,
        };
        Answer::refused(&refusal, &self.app, self.language)
    }

    /// The response to a refused request.
    fn refuse(&self, refusal: &RequestError, media: Media) -> Response {
        // Errors are not streamed: a client that wants a stream gets JSON.
        let media = if media == Media::EventStream { Media::GraphqlResponse } else { media };
        let answer = Answer::refused(refusal, &self.app, self.language);
        let mut response = write(&answer, status(&answer, media), media, retry_after(&answer));
        let headers = response.headers_mut();
        match refusal.status {
            StatusCode::UNAUTHORIZED => {
                let challenge = HeaderValue::from_static(r#"Bearer realm="ludotheque", error="invalid_token""#);
                headers.insert(header::WWW_AUTHENTICATE, challenge);
            }
            StatusCode::METHOD_NOT_ALLOWED => {
                headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
            }
            _ => {}
        }
        response
    }
}

fn stream_needed() -> RequestError {
    RequestError::protocol(Protocol::StreamNotAccepted, Message::new("request-stream-not-accepted"))
}

fn status(answer: &Answer, media: Media) -> StatusCode {
    match answer {
        Answer::Executed(..) | Answer::Cached(..) => StatusCode::OK,
        Answer::Refused { about_the_document: true, .. } if media == Media::Json => StatusCode::OK,
        Answer::Refused { status, .. } => *status,
    }
}

fn retry_after(answer: &Answer) -> Option<u32> {
    match answer {
        Answer::Refused { retry_after, .. } => *retry_after,
        Answer::Executed(..) | Answer::Cached(..) => None,
    }
}

fn write(body: &impl Serialize, status: StatusCode, media: Media, retry_after: Option<u32>) -> Response {
    let text = serde_json::to_vec(body).expect("an answer is plain data");
    let mut response = (status, [(header::CONTENT_TYPE, media.content_type())], text).into_response();
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// Checks that the content type is `application/json`, with UTF-8 if it has a charset.
fn is_json(headers: &HeaderMap) -> Result<(), RequestError> {
    let mut values = headers.get_all(header::CONTENT_TYPE).iter();
    let value = values.next().and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut parts = value.split(';').map(str::trim);
    let json = parts.next().is_some_and(|media| media.eq_ignore_ascii_case("application/json"));
    let utf_8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
            value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    });
    let fits = json && utf_8 && values.next().is_none();
    if fits { Ok(()) } else { Err(RequestError::shared(Code::UnsupportedMediaType)) }
}

/// Reads the body, if it is short and fast enough. If its declared length is too large, none of it is read.
async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, RequestError> {
    let too_large = || RequestError::shared(Code::PayloadTooLarge);
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > BODY_LIMIT as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(BODY_DEADLINE, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(body)) => Ok(body),
        // Too large, or the client has disconnected and reads no response.
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(RequestError::shared(Code::RequestTimeout)),
    }
}
