//! Tokens that name a trusted issuer and should not be believed, most of them signed with its real key: what is refused
//! here is refused for what it says.

use crate::backend::{AUDIENCE, Backend, jwk};
use crate::jwt::{changed, encode, message, sign, sign_hmac, sign_text};
use crate::support::{Node, bearer, is_bad};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use ludotheque::auth::MAX_TOKEN_LENGTH;
use serde_json::{Value, json};
use std::sync::Arc;

/// A node, a backend that it trusts, and the backend's signing key in the wrong hands.
struct Forge {
    node: Node,
    backend: Backend,
    key: Arc<Ed25519KeyPair>,
    theirs: Ed25519KeyPair,
    header: Value,
    claims: Value,
}

impl Forge {
    async fn new() -> Self {
        let backend = Backend::start("https://backend.example").await;
        let node = Node::with(Backend::trusted(&[&backend])).await;
        let (key, theirs) = (backend.key().1, Ed25519KeyPair::generate().unwrap());
        let (header, claims) = (backend.header(), backend.claims("zoë", node.now()));
        Self { node, backend, key, theirs, header, claims }
    }

    fn claiming(&self, change: Value) -> String {
        sign(&self.key, &self.header, &changed(&self.claims, change))
    }

    fn headed(&self, change: Value) -> String {
        sign(&self.key, &changed(&self.header, change), &self.claims)
    }

    async fn refuses(&self, forgeries: impl IntoIterator<Item = (&str, String)>) {
        // The forge itself is good: what it signs unchanged is believed, before and after.
        let genuine = self.node.identity.authenticate(&bearer(&self.claiming(json!({})))).await.unwrap();
        for (name, token) in forgeries {
            let answer = self.node.identity.authenticate(&bearer(&token)).await;
            assert!(is_bad(&answer), "{name}: {answer:?} for {token}");
        }
        assert_eq!(self.node.identity.authenticate(&bearer(&self.claiming(json!({})))).await.unwrap(), genuine);
        assert_eq!(self.backend.asked(), 1, "and nobody was asked for a key again");
    }

    async fn believes(&self, tokens: impl IntoIterator<Item = (&str, String)>) {
        for (name, token) in tokens {
            let answer = self.node.identity.authenticate(&bearer(&token)).await;
            assert!(answer.is_ok(), "{name}: {answer:?} for {token}");
        }
    }
}

#[tokio::test]
async fn the_algorithm_is_one_that_the_configuration_allows_for_the_key() {
    let forge = Forge::new().await;
    let none = |alg: &str| format!("{}.", message(&changed(&forge.header, json!({"alg": alg})), &forge.claims));
    let hs256 = changed(&forge.header, json!({"alg": "HS256"}));
    let public = forge.key.public_key().as_ref();
    let published = jwk("first", &forge.key).to_string();
    forge
        .refuses([
            ("none, unsigned", none("none")),
            ("none in other letters", none("NONE")),
            ("none, yet signed", forge.headed(json!({"alg": "none"}))),
            ("no algorithm", forge.headed(json!({"alg": null}))),
            ("HS256 with the public key's bytes", sign_hmac(public, &hs256, &forge.claims)),
            ("HS256 with the public key's text", sign_hmac(encode(public).as_bytes(), &hs256, &forge.claims)),
            ("HS256 with the published key", sign_hmac(published.as_bytes(), &hs256, &forge.claims)),
            ("HS256 with an empty key", sign_hmac(b"", &hs256, &forge.claims)),
            ("EdDSA said, HS256 done", sign_hmac(public, &forge.header, &forge.claims)),
            ("ES256 said, EdDSA done", forge.headed(json!({"alg": "ES256"}))),
            ("RS256 said, EdDSA done", forge.headed(json!({"alg": "RS256"}))),
        ])
        .await;
}

#[tokio::test]
async fn the_key_is_the_issuers_and_never_the_tokens() {
    let forge = Forge::new().await;
    let embedded = jwk("first", &forge.theirs);
    let theirs = |change: Value| sign(&forge.theirs, &changed(&forge.header, change), &forge.claims);
    forge
        .refuses([
            ("another's signature", theirs(json!({}))),
            ("another's key embedded", theirs(json!({"jwk": embedded}))),
            ("another's key by address", theirs(json!({"jku": "https://evil.example/jwks.json"}))),
            ("another's certificate by address", theirs(json!({"x5u": "https://evil.example/cert.pem"}))),
            ("another's certificate", theirs(json!({"x5c": ["AAAA"]}))),
            ("a key embedded, though theirs signed", forge.headed(json!({"jwk": jwk("first", &forge.key)}))),
            ("an address, though theirs signed", forge.headed(json!({"jku": "https://backend.example/jwks.json"}))),
            ("no key named", forge.headed(json!({"kid": null}))),
            ("a number for a key", forge.headed(json!({"kid": 1}))),
        ])
        .await;
}

#[tokio::test]
async fn a_key_is_found_by_its_exact_name() {
    let forge = Forge::new().await;
    let names = ["", "FIRST", "first ", "firs", "../first", "/dev/null", "first' OR '1'='1", "first\0", "*"];
    for name in names {
        let token = forge.headed(json!({"kid": name}));
        assert!(is_bad(&forge.node.identity.authenticate(&bearer(&token)).await), "{name:?}");
    }
    // Our own keys are not the backend's, nor the other way round.
    let ours = forge.node.keys.list()[0].kid.clone();
    for token in [forge.headed(json!({"kid": ours})), forge.claiming(json!({"iss": "ludotheque"}))] {
        assert!(is_bad(&forge.node.identity.authenticate(&bearer(&token)).await));
    }
    assert_eq!(forge.backend.asked(), 2, "at first, and once for all of them together");
}

#[tokio::test]
async fn a_header_is_an_access_tokens_and_nothing_more() {
    let forge = Forge::new().await;
    forge
        .refuses([
            ("another sort of token", forge.headed(json!({"typ": "logout+jwt"}))),
            ("ours for developers", forge.headed(json!({"typ": "dev+jwt"}))),
            ("a nested token", forge.headed(json!({"cty": "JWT"}))),
            ("a critical extension", forge.headed(json!({"crit": ["exp"]}))),
            ("an unencoded payload", forge.headed(json!({"crit": ["b64"], "b64": false}))),
            ("compressed", forge.headed(json!({"zip": "DEF"}))),
            ("encrypted", forge.headed(json!({"enc": "A128GCM"}))),
        ])
        .await;
    forge
        .believes([
            ("no type", forge.headed(json!({"typ": null}))),
            ("an access token", forge.headed(json!({"typ": "at+jwt"}))),
            ("an access token, in full", forge.headed(json!({"typ": "application/AT+JWT"}))),
            ("a certificate's fingerprint, which nobody looks at", forge.headed(json!({"x5t": "AAAA"}))),
        ])
        .await;
}

#[tokio::test]
async fn a_token_is_from_the_issuer_for_us() {
    let forge = Forge::new().await;
    forge
        .refuses([
            ("an issuer nobody trusts", forge.claiming(json!({"iss": "https://evil.example"}))),
            ("an issuer that begins alike", forge.claiming(json!({"iss": "https://backend.example.evil.example"}))),
            ("a slash too many", forge.claiming(json!({"iss": "https://backend.example/"}))),
            ("other capitals", forge.claiming(json!({"iss": "https://Backend.example"}))),
            ("no issuer", forge.claiming(json!({"iss": null}))),
            ("several issuers", forge.claiming(json!({"iss": ["https://backend.example"]}))),
            ("another audience", forge.claiming(json!({"aud": "another service"}))),
            ("our own tokens' audience", forge.claiming(json!({"aud": "ludotheque"}))),
            ("no audience", forge.claiming(json!({"aud": null}))),
            ("an empty list of audiences", forge.claiming(json!({"aud": []}))),
            ("a number for an audience", forge.claiming(json!({"aud": 1}))),
        ])
        .await;
    forge.believes([("one audience of several", forge.claiming(json!({"aud": ["another service", AUDIENCE]})))]).await;
}

#[tokio::test]
async fn a_token_is_good_for_its_time_only() {
    let forge = Forge::new().await;
    let now = forge.node.now();
    forge
        .refuses([
            ("expired", forge.claiming(json!({"exp": now - 10}))),
            ("never expires", forge.claiming(json!({"exp": null}))),
            ("expiry as text", forge.claiming(json!({"exp": (now + 600).to_string()}))),
            ("expiry as a fraction", forge.claiming(json!({"exp": 4_102_444_800.5}))),
            ("expiry below zero", forge.claiming(json!({"exp": -1}))),
            ("expiry in the far future", forge.claiming(json!({"exp": now + 86_401}))),
            ("expiry beyond all calendars", forge.claiming(json!({"exp": u64::MAX}))),
            ("not yet", forge.claiming(json!({"nbf": now + 60}))),
            ("beginning as text", forge.claiming(json!({"nbf": (now - 1).to_string()}))),
            ("beginning beyond all calendars", forge.claiming(json!({"nbf": u64::MAX}))),
            ("issued in the future", forge.claiming(json!({"iat": now + 60}))),
            ("no time of issue", forge.claiming(json!({"iat": null}))),
            ("time of issue as text", forge.claiming(json!({"iat": now.to_string()}))),
        ])
        .await;
    forge
        .believes([
            ("a beginning", forge.claiming(json!({"nbf": now}))),
            ("a whole day", forge.claiming(json!({"exp": now + 86_400}))),
        ])
        .await;
}

#[tokio::test]
async fn a_token_is_about_somebody() {
    let forge = Forge::new().await;
    forge
        .refuses([
            ("nobody", forge.claiming(json!({"sub": null}))),
            ("an empty name", forge.claiming(json!({"sub": ""}))),
            ("a number", forge.claiming(json!({"sub": 1}))),
            ("several", forge.claiming(json!({"sub": ["zoë", "bob"]}))),
            ("an endless name", forge.claiming(json!({"sub": "x".repeat(256)}))),
        ])
        .await;
    // A user who happens to be called like one of our players is not that player.
    let ada = forge.node.guest().await.player.id;
    let token = forge.claiming(json!({"sub": ada}));
    let caller = forge.node.identity.authenticate(&bearer(&token)).await.unwrap().unwrap();
    assert_ne!(caller.player, ada);
}

#[tokio::test]
async fn a_token_has_exactly_one_form() {
    let forge = Forge::new().await;
    let good = forge.claiming(json!({}));
    let [header, claims, signature] = <[&str; 3]>::try_from(good.split('.').collect::<Vec<_>>()).unwrap();
    let twice = |claim: &str| forge.claims.to_string().replacen('{', &format!("{{{claim},"), 1);
    let raw = |claims: &str| sign_text(&forge.key, &format!("{header}.{}", encode(claims)));
    forge
        .refuses([
            ("no signature", format!("{header}.{claims}.")),
            ("two parts", format!("{header}.{claims}")),
            ("four parts", format!("{good}.{signature}")),
            ("cut short", good[..good.len() - 1].to_owned()),
            ("padded", format!("{good}==")),
            ("another token's signature", format!("{header}.{}.{signature}", encode(twice(r#""sub":"eve""#)))),
            ("a subject twice", raw(&twice(r#""sub":"eve""#))),
            ("an issuer twice", raw(&twice(r#""iss":"https://evil.example""#))),
            ("claims that are a list", raw("[]")),
            ("no claims", raw("")),
            ("oversized", forge.claiming(json!({"note": "x".repeat(MAX_TOKEN_LENGTH)}))),
        ])
        .await;
}

#[tokio::test]
async fn without_trust_nothing_of_an_issuer_is_believed_nor_is_it_asked() {
    let forge = Forge::new().await;
    let stranger = Node::new().await;
    assert!(is_bad(&stranger.identity.authenticate(&bearer(&forge.claiming(json!({})))).await));
    assert_eq!(forge.backend.asked(), 0);
}
