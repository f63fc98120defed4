//! How operations reach the server: over its socket, as a client would send them. All tests go through [`answer`] and
//! [`listen`].

use crate::support::Player;
use crate::support::sse::Parser;
use futures::stream::BoxStream;
use futures::{StreamExt, future, stream};
use ludotheque::texts::Language;
use serde_json::{Value, json};
use std::time::Duration;

/// Longer than anything takes that is going to happen at all.
const PATIENCE: Duration = Duration::from_secs(30);

fn request(
    player: &Player,
    accept: &str,
    language: Language,
    query: &str,
    variables: &Value,
) -> reqwest::RequestBuilder {
    let request = player.door.http.post(format!("{}/graphql", player.door.url));
    let request = request.header("accept", accept).header("accept-language", language.tag());
    let request = match &player.token {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    request.json(&json!({"query": query, "variables": variables}))
}

/// The whole answer to an operation.
pub async fn answer(player: &Player, language: Language, query: &str, variables: Value) -> Value {
    let request = request(player, "application/graphql-response+json", language, query, &variables);
    request.send().await.expect("the server answers").json().await.expect("JSON")
}

/// The data of an operation that must succeed.
pub async fn ask(player: &Player, query: &str, variables: Value) -> Value {
    let answer = answer(player, Language::En, query, variables).await;
    assert_eq!(answer.get("errors"), None, "{query}");
    answer["data"].clone()
}

/// What a mutation answers, by its name and its input.
pub async fn mutate(player: &Player, name: &str, select: &str, input: Value) -> Value {
    let upper = name[..1].to_uppercase() + &name[1..];
    let query = format!("mutation($input: {upper}Input!) {{ {name}(input: $input) {select} }}");
    ask(player, &query, json!({"input": input})).await[name].clone()
}

/// What a subscription tells, one by one, until it is complete or cut short.
pub async fn listen(player: &Player, query: &str, variables: Value) -> BoxStream<'static, Value> {
    let request = request(player, "text/event-stream", Language::En, query, &variables);
    let response = request.send().await.expect("the server answers");
    let messages = stream::unfold((response, Parser::default()), |(mut response, mut parser)| async {
        let bytes = response.chunk().await.expect("the server goes on")?;
        Some((stream::iter(parser.feed(&bytes)), (response, parser)))
    });
    let told = messages.flatten().take_while(|message| future::ready(message.event == "next"));
    told.map(|message| serde_json::from_str(&message.data).expect("JSON")).boxed()
}

/// The next thing told; nothing once the stream has ended.
pub async fn next(stream: &mut BoxStream<'static, Value>) -> Option<Value> {
    tokio::time::timeout(PATIENCE, stream.next()).await.expect("something is told, or the stream ends")
}
