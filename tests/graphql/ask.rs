//! How operations reach the server. All tests go through [`answer`] and [`listen`].

use crate::support::{Player, Server};
use async_graphql::{Request, Variables};
use futures::stream::BoxStream;
use futures::{StreamExt, stream};
use ludotheque::graphql::{Asking, Schema, schema};
use ludotheque::texts::Language;
use serde_json::Value;
use std::sync::LazyLock;
use std::time::Duration;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| schema().finish());

/// Longer than anything takes that is going to happen at all.
const PATIENCE: Duration = Duration::from_secs(30);

/// An operation with what a transport puts beside it.
async fn request(server: &Server, player: &Player, language: Language, query: &str, variables: Value) -> Request {
    let app = server.app();
    let mut headers = axum::http::HeaderMap::new();
    if let Some(token) = &player.token {
        headers.insert("authorization", format!("Bearer {token}").parse().expect("a token fits a header"));
    }
    let caller = app.identity.authenticate(&headers).await.expect("a good token, or none");
    let asking = Asking::new(app.clone(), caller, language);
    Request::new(query).variables(Variables::from_json(variables)).data(asking)
}

/// The whole answer to an operation.
pub async fn answer(server: &Server, player: &Player, language: Language, query: &str, variables: Value) -> Value {
    let response = SCHEMA.execute(request(server, player, language, query, variables).await).await;
    serde_json::to_value(response).expect("JSON")
}

/// The data of an operation that must succeed.
pub async fn ask(server: &Server, player: &Player, query: &str, variables: Value) -> Value {
    let answer = answer(server, player, Language::En, query, variables).await;
    assert_eq!(answer.get("errors"), None, "{query}");
    answer["data"].clone()
}

/// What a mutation answers, by its name and its input.
pub async fn mutate(server: &Server, player: &Player, name: &str, select: &str, input: Value) -> Value {
    let upper = name[..1].to_uppercase() + &name[1..];
    let query = format!("mutation($input: {upper}Input!) {{ {name}(input: $input) {select} }}");
    ask(server, player, &query, serde_json::json!({"input": input})).await[name].clone()
}

/// What a subscription tells, one by one.
pub async fn listen(server: &Server, player: &Player, query: &str, variables: Value) -> BoxStream<'static, Value> {
    let request = request(server, player, Language::En, query, variables).await;
    let responses = SCHEMA.execute_stream(request);
    responses.flat_map(|response| stream::iter([serde_json::to_value(response).expect("JSON")])).boxed()
}

/// The next thing told; nothing once the stream has ended.
pub async fn next(stream: &mut BoxStream<'static, Value>) -> Option<Value> {
    tokio::time::timeout(PATIENCE, stream.next()).await.expect("something is told, or the stream ends")
}
