//! GraphQL client over HTTP and server-sent events. The functions return data and fail on errors; the methods of [`Player`]
//! give the whole answer, for tests of the transport.

use crate::sse::Parser;
use crate::{Answer, Ask, Events, PATIENCE, Player};
use futures::stream::BoxStream;
use futures::{StreamExt, future, stream};
use ludotheque::texts::Language;
use reqwest::{Method, Url};
use serde_json::{Value, json};

/// The largest document that most clients ever send: what GraphiQL asks when it opens.
pub const INTROSPECTION: &str = include_str!("introspection.graphql");

/// The media type in which an HTTP status says whether an operation was executed.
const RESPONSE: &str = "application/graphql-response+json";

/// A document of `count` fragments, each of which spreads the next `spreads` times.
pub fn fragments(count: usize, spreads: usize) -> String {
    let fragment = |number| {
        let next = format!(" ...f{}", number + 1).repeat(spreads);
        format!(" fragment f{number} on Query {{{next} }}")
    };
    let all: String = (0..count).map(fragment).collect();
    format!("{{ ...f0 }}{all} fragment f{count} on Query {{ __typename }}")
}

fn request(player: &Player, accept: &str, language: Language, query: &str, variables: &Value) -> Ask {
    let request = player.graphql().header("accept", accept).header("accept-language", language.tag());
    request.json(&json!({"query": query, "variables": variables}))
}

/// The whole answer to an operation.
pub async fn answer(player: &Player, language: Language, query: &str, variables: Value) -> Value {
    request(player, RESPONSE, language, query, &variables).await.json()
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

/// The payloads of a subscription, one by one, until it is complete or cut short.
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

/// The next payload; nothing once the stream has ended.
pub async fn next(stream: &mut BoxStream<'static, Value>) -> Option<Value> {
    tokio::time::timeout(PATIENCE, stream.next()).await.expect("an event comes, or the stream ends")
}

impl Player {
    /// An operation, yet without a body.
    pub fn graphql(&self) -> Ask {
        self.post("/graphql")
    }

    /// An operation in the query of an address.
    pub fn graphql_get(&self, params: &[(&str, &str)]) -> Ask {
        let url = Url::parse_with_params("http://localhost/graphql", params).unwrap();
        let path = format!("/graphql?{}", url.query().unwrap());
        self.ask(Method::GET, &path).header("accept", RESPONSE)
    }

    /// Asks with `application/graphql-response+json`, where statuses say something.
    pub async fn asks(&self, body: &Value) -> Answer {
        self.graphql().header("accept", RESPONSE).json(body).await
    }

    /// Asks with `application/json`.
    pub async fn asks_json(&self, body: &Value) -> Answer {
        self.graphql().header("accept", "application/json").json(body).await
    }

    /// Asks for a stream.
    pub async fn streams(&self, body: &Value) -> Events {
        Events::open(self.graphql().header("accept", "text/event-stream").json(body)).await
    }

    /// What `connection_init` brings.
    pub fn init(&self) -> Value {
        match &self.token {
            Some(token) => json!({"authorization": format!("Bearer {token}")}),
            None => json!({}),
        }
    }
}

impl Answer {
    /// The data of an operation that was not refused.
    #[track_caller]
    pub fn data(&self) -> Value {
        let json = self.json();
        assert!(self.status == 200 && json.get("errors").is_none(), "{}: {}", self.status, self.text());
        json["data"].clone()
    }

    /// The status and the code of a refusal: a GraphQL error without data, with a sentence.
    #[track_caller]
    pub fn refusal(&self) -> (u16, String) {
        let json = self.json();
        assert_eq!(json.get("data"), None, "{}", self.text());
        (self.status, code(&json["errors"]))
    }
}

/// The code of the first of some errors, which say something.
#[track_caller]
pub fn code(errors: &Value) -> String {
    assert!(errors[0]["message"].as_str().is_some_and(|text| text.len() > 15), "{errors}");
    errors[0]["extensions"]["code"].as_str().unwrap_or_else(|| panic!("{errors}")).to_owned()
}
