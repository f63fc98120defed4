//! The program of this crate as a server, and players who call it over its socket.

use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A command of the program, on a data folder.
fn command(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sealed-noughts"));
    command.arg("--data").arg(data).args(["--listen", "127.0.0.1:0"]);
    command
}

/// What a command prints, once it has ended well.
pub fn run(data: &Path, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = command(data).args(arguments).output().unwrap();
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// A running server; it ends with the test.
pub struct Server {
    child: Child,
    address: String,
    client: Client,
}

impl Server {
    pub fn start(data: &Path) -> Self {
        let mut child = command(data).args(["--log", "warn", "serve"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(". ").next()).expect(&line).to_owned();
        Self { child, address, client: Client::new() }
    }

    /// Ends it in order, so that its data can be looked at.
    pub fn stop(mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }

    pub async fn guest(&self, name: &str) -> Player<'_> {
        let nobody = Player { server: self, token: String::new() };
        let made = nobody.post("/v1/players", json!({"displayName": name})).await;
        Player { server: self, token: made["accessToken"].as_str().unwrap().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _already_dead = self.child.kill().and_then(|()| self.child.wait());
    }
}

/// Somebody who plays.
pub struct Player<'s> {
    server: &'s Server,
    token: String,
}

impl Player<'_> {
    pub async fn get(&self, path: &str) -> Value {
        self.call(Method::GET, path, "application/json", "en", None).await.json().await.unwrap()
    }

    pub async fn get_in(&self, language: &str, path: &str) -> Value {
        self.call(Method::GET, path, "application/json", language, None).await.json().await.unwrap()
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        self.call(Method::POST, path, "application/json", "en", Some(body)).await.json().await.unwrap()
    }

    /// The data of a GraphQL operation.
    pub async fn ask(&self, query: &str, variables: Value) -> Value {
        let answer = self.post("/graphql", json!({"query": query, "variables": variables})).await;
        assert_eq!(answer.get("errors"), None, "{query}");
        answer["data"].clone()
    }

    /// The payload of one of the operations of a document.
    pub async fn carry_out(&self, document: &str, operation: &str, variables: Value) -> Value {
        let body = json!({"query": document, "operationName": operation, "variables": variables});
        let answer = self.post("/graphql", body).await;
        assert_eq!(answer.get("errors"), None, "{operation}");
        answer["data"].as_object().unwrap().values().next().unwrap().clone()
    }

    /// A stream of server-sent events, from REST or from a subscription.
    pub async fn listen(&self, method: Method, path: &str, body: Option<Value>) -> Stream {
        Stream { response: self.call(method, path, "text/event-stream", "en", body).await, text: String::new() }
    }

    async fn call(&self, method: Method, path: &str, accept: &str, language: &str, body: Option<Value>) -> Response {
        let request = self.server.client.request(method, format!("http://{}{path}", self.server.address));
        let request = request.header("accept", accept).header("accept-language", language);
        let request = if self.token.is_empty() { request } else { request.bearer_auth(&self.token) };
        let request = body.iter().fold(request, RequestBuilder::json);
        request.send().await.unwrap()
    }
}

/// Events as they come.
pub struct Stream {
    response: Response,
    text: String,
}

impl Stream {
    /// The data of the next event.
    pub async fn next(&mut self) -> Value {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let event: String = self.text.drain(..end + 2).collect();
                let data: String = event.lines().filter_map(|line| line.strip_prefix("data:")).collect();
                if !data.trim().is_empty() {
                    return serde_json::from_str(&data).unwrap();
                }
            } else {
                let bytes = self.response.chunk().await.unwrap().expect("the stream goes on");
                self.text.push_str(std::str::from_utf8(&bytes).unwrap());
            }
        }
    }
}
