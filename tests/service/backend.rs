//! A mobile backend with a sign-in of its own: it signs tokens and serves its public keys.

use crate::jwt::{changed, encode, sign};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use axum::{
    Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use ludotheque::auth::{Secret, Settings, TrustedIssuer, read_issuers};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, atomic::AtomicUsize, atomic::Ordering};
use tokio::net::TcpListener;

pub(crate) const AUDIENCE: &str = "our game server";

/// What the backend answers when it is asked for its keys.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Keys,
    Error,
    Elsewhere,
    Nonsense,
    Endless,
    HangUp,
}

pub(crate) struct Backend {
    pub(crate) issuer: String,
    url: String,
    inside: Arc<Inside>,
}

struct Inside {
    keys: Mutex<Vec<(String, Arc<Ed25519KeyPair>)>>,
    answer: Mutex<Answer>,
    asked: AtomicUsize,
}

impl Backend {
    pub(crate) async fn start(issuer: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/jwks.json", listener.local_addr().unwrap());
        let keys = Mutex::new(vec![new_key("first")]);
        let inside = Arc::new(Inside { keys, answer: Mutex::new(Answer::Keys), asked: AtomicUsize::new(0) });
        let router = Router::new().route("/jwks.json", get(serve)).route("/elsewhere", get(publish));
        let router = router.with_state(inside.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { issuer: issuer.to_owned(), url, inside }
    }

    /// How a server that trusts these backends is configured.
    pub(crate) fn trusted(backends: &[&Backend]) -> Settings {
        let entries: Vec<_> = backends.iter().map(|backend| backend.entry()).collect();
        Settings { issuers: issuers(&Value::from(entries)), ..Settings::default() }
    }

    /// The same for one backend, with other fields in its entry.
    pub(crate) fn trusted_with(backend: &Backend, fields: &Value) -> Settings {
        let entry = changed(&backend.entry(), fields.clone());
        Settings { issuers: issuers(&json!([entry])), ..Settings::default() }
    }

    pub(crate) fn entry(&self) -> Value {
        json!({"issuer": self.issuer, "audience": AUDIENCE, "algorithms": ["EdDSA"], "jwksUrl": self.url})
    }

    /// A new key, which signs from now on.
    pub(crate) fn rotate(&self, kid: &str) {
        self.inside.keys.lock().unwrap().push(new_key(kid));
    }

    /// Takes the oldest key back.
    pub(crate) fn retire(&self) {
        self.inside.keys.lock().unwrap().remove(0);
    }

    pub(crate) fn answers(&self, answer: Answer) {
        *self.inside.answer.lock().unwrap() = answer;
    }

    /// How often it was asked for its keys.
    pub(crate) fn asked(&self) -> usize {
        self.inside.asked.load(Ordering::SeqCst)
    }

    /// The key that signs, with its name.
    pub(crate) fn key(&self) -> (String, Arc<Ed25519KeyPair>) {
        self.inside.keys.lock().unwrap().last().unwrap().clone()
    }

    pub(crate) fn header(&self) -> Value {
        json!({"alg": "EdDSA", "typ": "JWT", "kid": self.key().0})
    }

    pub(crate) fn claims(&self, sub: &str, now: i64) -> Value {
        json!({"iss": self.issuer, "aud": AUDIENCE, "sub": sub, "iat": now, "exp": now + 3600, "name": format!("{sub} B.")})
    }

    /// A token for one of its users.
    pub(crate) fn token(&self, sub: &str, now: i64) -> Secret {
        Secret::new(sign(&self.key().1, &self.header(), &self.claims(sub, now)))
    }
}

pub(crate) fn issuers(entries: &Value) -> Vec<TrustedIssuer> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("issuers.json");
    std::fs::write(&file, entries.to_string()).unwrap();
    read_issuers(&file, "ludotheque").unwrap()
}

pub(crate) fn jwk(kid: &str, key: &Ed25519KeyPair) -> Value {
    json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": kid, "x": encode(key.public_key())})
}

fn new_key(kid: &str) -> (String, Arc<Ed25519KeyPair>) {
    (kid.to_owned(), Arc::new(Ed25519KeyPair::generate().unwrap()))
}

async fn publish(State(inside): State<Arc<Inside>>) -> String {
    let keys = inside.keys.lock().unwrap();
    json!({"keys": keys.iter().map(|(kid, key)| jwk(kid, key)).collect::<Vec<_>>()}).to_string()
}

async fn serve(State(inside): State<Arc<Inside>>) -> Response {
    inside.asked.fetch_add(1, Ordering::SeqCst);
    let answer = *inside.answer.lock().unwrap();
    match answer {
        Answer::Keys => publish(State(inside)).await.into_response(),
        Answer::Error => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Answer::Elsewhere => Redirect::temporary("/elsewhere").into_response(),
        Answer::Nonsense => "<html>Sign in to this Wi-Fi</html>".into_response(),
        Answer::Endless => format!(r#"{{"keys": [], "note": "{}"}}"#, "x".repeat(1 << 20)).into_response(),
        Answer::HangUp => panic!("in the middle of a connection"),
    }
}
