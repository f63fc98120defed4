//! Every way that a token can come in by, and how it must be turned away there. What is asked for would change something,
//! or tell something, if anybody believed the token.

use reqwest::Method;
use serde_json::json;
use test_support::{Answer, Player, Server, Socket};
use tokio_tungstenite::tungstenite::{Error, Message};

/// A server and a game on it, which any admitted caller could end.
pub(crate) struct Doors<'a> {
    pub(crate) server: &'a Server,
    pub(crate) game: &'a str,
}

impl Doors<'_> {
    /// Knocks at all of them.
    pub(crate) async fn refuse(&self, name: &str, token: &str) {
        let caller = Player { token: Some(token.to_owned()), ..self.server.anybody() };
        self.rest(name, &caller).await;
        self.graphql(name, &caller).await;
        self.socket(name, token).await;
    }

    async fn rest(&self, name: &str, caller: &Player) {
        let of_game = format!("/v1/games/{}", self.game);
        let resign = caller.ask(Method::POST, &format!("{of_game}/resignation"));
        let create = caller.ask(Method::POST, "/v1/games").json(&json!({"kind": "CHIPS"}));
        // A bad token is refused even where no token is needed.
        let look = caller.ask(Method::GET, &of_game);
        let follow = caller.ask(Method::GET, &format!("{of_game}/events")).header("accept", "text/event-stream");
        for request in [resign, create, look, follow] {
            let answer = request.await;
            is_turned_away(name, &answer);
            assert_eq!(answer.header("content-type"), "application/problem+json", "{name}");
            let problem = answer.json();
            assert_eq!((&problem["status"], &problem["code"]), (&json!(401), &json!("INVALID_TOKEN")), "{name}");
            assert!(problem["detail"].as_str().is_some_and(|text| text.len() > 20), "{name}: {problem}");
        }
    }

    async fn graphql(&self, name: &str, caller: &Player) {
        let resign =
            format!("mutation {{ resignGame(input: {{gameId: \"{}\"}}) {{ userErrors {{ code }} }} }}", self.game);
        let subscribe = format!("subscription {{ gameEvents(gameId: \"{}\") {{ version }} }}", self.game);
        for request in [
            caller.graphql().header("accept", "application/graphql-response+json").json(&json!({"query": resign})),
            caller.graphql().header("accept", "application/json").json(&json!([{"query": resign}])),
            caller.graphql_get(&[("query", "{ kinds { id } }")]),
            caller.graphql().header("accept", "text/event-stream").json(&json!({"query": subscribe})),
        ] {
            let answer = request.await;
            is_turned_away(name, &answer);
            assert_eq!(answer.refusal(), (401, "INVALID_TOKEN".to_owned()), "{name}");
        }
    }

    /// With the request itself, and with `connection_init`.
    async fn socket(&self, name: &str, token: &str) {
        let mut request = Socket::request(self.server.address());
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        let Err(error) = Socket::with(request).await else { panic!("{name}: a socket was opened") };
        assert!(matches!(&*error, Error::Http(response) if response.status() == 401), "{name}: {error}");

        for payload in [json!({"authorization": format!("Bearer {token}")}), json!({"token": token})] {
            let mut socket = Socket::open(self.server.address()).await;
            socket.says(json!({"type": "connection_init", "payload": payload})).await;
            match socket.frame().await {
                Some(Ok(Message::Close(Some(frame)))) => assert_eq!(u16::from(frame.code), 4403, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}

#[track_caller]
fn is_turned_away(name: &str, answer: &Answer) {
    assert_eq!(answer.status, 401, "{name}: {answer:?}");
    let challenge = answer.header("www-authenticate");
    assert!(challenge.starts_with("Bearer ") && challenge.contains(r#"error="invalid_token""#), "{name}: {challenge}");
}
