//! Signing keys in the wrong hands: ours, and that of an issuer we trust.

use crate::backend::{Backend, jwk};
use crate::jwt::{changed, encode, sign, sign_text};
use aws_lc_rs::signature::Ed25519KeyPair;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ludotheque::auth::real_time;
use serde_json::{Value, json};
use std::sync::Arc;
use test_support::Server;

/// A real key, and all of the token that would be believed if it were signed with it unchanged.
pub(crate) struct Forge {
    /// Whose key it is.
    pub(crate) of: &'static str,
    pub(crate) key: Arc<Ed25519KeyPair>,
    /// The key as it is published.
    pub(crate) published: Value,
    /// A key that nobody trusts.
    pub(crate) theirs: Ed25519KeyPair,
    pub(crate) header: Value,
    pub(crate) claims: Value,
    /// In seconds, as tokens tell it.
    pub(crate) now: i64,
}

impl Forge {
    /// With the key that the server signs with, and a token that it gave out.
    pub(crate) fn ours(server: &Server, token: &str) -> Self {
        let keys = server.data().join("keys");
        let file = std::fs::read_dir(keys).unwrap().next().expect("the server has a key").unwrap().path();
        let key = Ed25519KeyPair::from_pkcs8(&std::fs::read(file).unwrap()).unwrap();
        let part = |n: usize| {
            let part = token.split('.').nth(n).expect("three parts");
            serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
        };
        let published = serde_json::to_value(server.app.identity.jwks()).unwrap()["keys"][0].clone();
        Self::new("ours", Arc::new(key), published, part(0), part(1))
    }

    /// With the key of a backend that is trusted, for one of its users.
    pub(crate) fn of(backend: &Backend, sub: &str) -> Self {
        let (kid, key) = backend.key();
        let published = jwk(&kid, &key);
        Self::new("a backend's", key, published, backend.header(), backend.claims(sub, seconds()))
    }

    fn new(of: &'static str, key: Arc<Ed25519KeyPair>, published: Value, header: Value, claims: Value) -> Self {
        Self { of, key, published, theirs: Ed25519KeyPair::generate().unwrap(), header, claims, now: seconds() }
    }

    /// What is believed.
    pub(crate) fn genuine(&self) -> String {
        self.claiming(json!({}))
    }

    /// With some of the claims changed.
    pub(crate) fn claiming(&self, change: Value) -> String {
        sign(&self.key, &self.header, &changed(&self.claims, change))
    }

    /// With some of the header changed.
    pub(crate) fn headed(&self, change: Value) -> String {
        sign(&self.key, &changed(&self.header, change), &self.claims)
    }

    /// With some of the header changed, and signed with the key that nobody trusts.
    pub(crate) fn headed_by_others(&self, change: Value) -> String {
        sign(&self.theirs, &changed(&self.header, change), &self.claims)
    }

    /// With claims that may be no JSON at all.
    pub(crate) fn saying(&self, claims: &str) -> String {
        sign_text(&self.key, &format!("{}.{}", encode(self.header.to_string()), encode(claims)))
    }

    pub(crate) fn kid(&self) -> &str {
        self.header["kid"].as_str().expect("a key has a name")
    }
}

pub(crate) fn seconds() -> i64 {
    real_time().0 / 1000
}
