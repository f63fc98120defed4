//! Users of other issuers: a mobile backend's sign-in is ours too.

use crate::backend::{AUDIENCE, Answer, Backend, issuers, jwk};
use crate::identity::node::{Node, bearer, is_bad};
use crate::jwt::{encode, message, sign};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{self, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RsaKeyPair};
use futures::future::join_all;
use ludotheque::auth::{AuthError, Secret, Settings};
use ludotheque::ids::PlayerId;
use serde_json::{Value, json};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);

/// A node that trusts one backend.
pub(crate) async fn meet() -> (Node, Backend) {
    let backend = Backend::start("https://backend.example").await;
    (Node::with(Backend::trusted(&[&backend])).await, backend)
}

pub(crate) async fn player(node: &Node, token: &Secret) -> PlayerId {
    node.who(token).await.unwrap().expect("a token was sent").player
}

#[tokio::test]
async fn a_user_is_a_player_from_first_sight_and_the_same_one_ever_after() {
    let (node, backend) = meet().await;
    let zoe = player(&node, &backend.token("zoë", node.now())).await;
    assert_eq!(node.players.profile(zoe).await.unwrap().display_name, "zoë B.");
    node.passes(30 * MINUTE);
    assert_eq!(player(&node, &backend.token("zoë", node.now())).await, zoe, "with another token");
    let twin = node.twin().authenticate_token(backend.token("zoë", node.now() - 1800).expose()).await.unwrap();
    assert_eq!(twin.player, zoe, "on another node");
    assert_ne!(player(&node, &backend.token("bob", node.now())).await, zoe);
}

#[tokio::test]
async fn many_first_requests_at_once_make_one_player() {
    let (node, backend) = meet().await;
    let tokens: Vec<_> = (0..20).map(|age| backend.token("zoë", node.now() - age)).collect();
    let players = join_all(tokens.iter().map(|token| player(&node, token))).await;
    assert!(players.iter().all(|id| *id == players[0]), "{players:?}");
}

#[tokio::test]
async fn the_same_sub_of_another_issuer_is_another_player() {
    let (one, other) = (Backend::start("https://one.example").await, Backend::start("https://other.example").await);
    let node = Node::with(Backend::trusted(&[&one, &other])).await;
    assert_ne!(player(&node, &one.token("7", node.now())).await, player(&node, &other.token("7", node.now())).await);
    // Neither can speak for the other.
    let claims = one.claims("7", node.now());
    let forged = Secret::new(sign(&other.key().1, &other.header(), &claims));
    assert!(is_bad(&node.who(&forged).await));
}

#[tokio::test]
async fn a_backend_rotates_its_key_in_the_middle_of_everything() {
    let (node, backend) = meet().await;
    let before = backend.token("zoë", node.now());
    let zoe = player(&node, &before).await;
    backend.rotate("second");
    assert_eq!(player(&node, &backend.token("zoë", node.now())).await, zoe, "at once");
    assert_eq!(player(&node, &before).await, zoe, "the old key is still published");
    backend.retire();
    node.passes(5 * MINUTE);
    node.identity.refresh().await;
    assert!(is_bad(&node.who(&before).await), "what the old key signed ends with it, though it was verified before");
    assert_eq!(player(&node, &backend.token("zoë", node.now())).await, zoe);
}

#[tokio::test]
async fn keys_are_read_in_the_background_and_no_request_waits_for_them() {
    let (node, backend) = meet().await;
    for _ in 0..5 {
        node.identity.refresh().await;
    }
    assert_eq!(backend.asked(), 1, "only when it is time");
    player(&node, &backend.token("zoë", node.now())).await;
    assert_eq!(backend.asked(), 1);
    node.passes(5 * MINUTE);
    node.identity.refresh().await;
    assert_eq!(backend.asked(), 2);
}

#[tokio::test]
async fn a_flood_of_unknown_keys_is_no_flood_for_the_backend() {
    let (node, backend) = meet().await;
    let good = backend.token("zoë", node.now());
    player(&node, &good).await;
    assert_eq!(backend.asked(), 1);
    let flood = async || {
        let forged = (0..200).map(|number| {
            let header = json!({"alg": "EdDSA", "kid": format!("no such key {number}")});
            Secret::new(sign(&backend.key().1, &header, &backend.claims("zoë", node.now())))
        });
        for answer in join_all(forged.map(async |token| node.who(&token).await)).await {
            assert!(is_bad(&answer));
        }
    };
    for once_more in [2, 3] {
        flood().await;
        flood().await;
        assert_eq!(backend.asked(), once_more, "once in ten seconds");
        node.passes(10 * SECOND);
    }
    player(&node, &good).await;
    backend.rotate("second");
    player(&node, &backend.token("zoë", node.now())).await;
}

#[tokio::test]
async fn a_backend_out_of_reach_keeps_the_keys_it_had() {
    let (node, backend) = meet().await;
    let token = backend.token("zoë", node.now());
    let zoe = player(&node, &token).await;
    let (key, mut asked) = (backend.key(), backend.asked());
    backend.rotate("second");
    for answer in [Answer::Error, Answer::Elsewhere, Answer::Nonsense, Answer::Endless, Answer::HangUp] {
        backend.answers(answer);
        node.passes(6 * MINUTE);
        node.identity.refresh().await;
        assert!(backend.asked() > asked, "{answer:?}: it was asked");
        asked = backend.asked();
        let fresh =
            Secret::new(sign(&key.1, &json!({"alg": "EdDSA", "kid": key.0}), &backend.claims("zoë", node.now())));
        assert_eq!(player(&node, &fresh).await, zoe, "{answer:?}");
        assert!(is_bad(&node.who(&backend.token("zoë", node.now())).await), "{answer:?}: the new key was never seen");
    }
    backend.answers(Answer::Keys);
    node.passes(30 * SECOND);
    node.identity.refresh().await;
    assert_eq!(player(&node, &backend.token("zoë", node.now())).await, zoe, "and is tried again soon");
}

#[tokio::test]
async fn before_the_keys_were_ever_read_no_token_is_called_bad() {
    let (node, backend) = meet().await;
    backend.answers(Answer::Error);
    let token = backend.token("zoë", node.now());
    assert!(matches!(node.who(&token).await, Err(AuthError::Unavailable(_))));
    backend.answers(Answer::Keys);
    node.passes(10 * SECOND);
    player(&node, &token).await;
}

#[tokio::test]
async fn signing_out_ends_that_token_everywhere_and_no_other() {
    let (node, backend) = meet().await;
    let (here, there) = (backend.token("zoë", node.now()), backend.token("zoë", node.now() - 1));
    let caller = node.who(&here).await.unwrap().unwrap();
    assert_eq!(player(&node, &there).await, caller.player);
    node.players.sign_out(&caller).await.unwrap();
    assert!(is_bad(&node.who(&here).await));
    assert!(matches!(node.identity.check(&caller).await, Err(AuthError::BadToken)), "its streams end too");
    assert!(is_bad(&node.twin().authenticate(&bearer(here.expose()), None).await), "on a node that never saw it");
    assert_eq!(player(&node, &there).await, caller.player);
    assert_eq!(player(&node, &backend.token("zoë", node.now() - 2)).await, caller.player, "signing in again");
}

#[tokio::test]
async fn a_name_that_we_would_not_accept_is_replaced() {
    let (node, backend) = meet().await;
    for (number, name) in
        [json!(null), json!(7), json!(["Zoë"]), json!(""), json!("a\u{202E}b")].into_iter().enumerate()
    {
        let mut claims = backend.claims(&number.to_string(), node.now());
        claims["name"] = name;
        let token = Secret::new(sign(&backend.key().1, &backend.header(), &claims));
        let id = player(&node, &token).await;
        let shown = node.players.profile(id).await.unwrap().display_name;
        assert!(shown.starts_with("Ludo "), "{shown}");
    }
}

#[tokio::test]
async fn keys_in_a_file_are_read_again_when_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    let entry = json!({"issuer": "them", "audience": AUDIENCE, "algorithms": ["EdDSA"], "jwksFile": file});
    let node = Node::with(Settings { issuers: issuers(&json!([entry])), ..Settings::default() }).await;
    let token = |kid: &str, key: &Ed25519KeyPair| {
        let claims = json!({"iss": "them", "aud": AUDIENCE, "sub": "7", "iat": node.now(), "exp": node.now() + 60});
        Secret::new(sign(key, &json!({"alg": "EdDSA", "kid": kid}), &claims))
    };
    let (old, new) = (Ed25519KeyPair::generate().unwrap(), Ed25519KeyPair::generate().unwrap());
    assert!(matches!(node.who(&token("old", &old)).await, Err(AuthError::Unavailable(_))), "there is no file yet");
    std::fs::write(&file, json!({"keys": [jwk("old", &old)]}).to_string()).unwrap();
    node.passes(30 * SECOND);
    node.identity.refresh().await;
    let zoe = player(&node, &token("old", &old)).await;
    std::fs::write(&file, json!({"keys": [jwk("new", &new)]}).to_string()).unwrap();
    node.passes(10 * SECOND);
    assert_eq!(player(&node, &token("new", &new)).await, zoe);
    assert!(is_bad(&node.who(&token("old", &old)).await));
}

/// Two keys of other sorts, as an issuer publishes them, and what signs with each.
fn other_keys() -> (EcdsaKeyPair, RsaKeyPair, Value) {
    let ec = EcdsaKeyPair::generate(&signature::ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    let rsa = RsaKeyPair::generate(aws_lc_rs::rsa::KeySize::Rsa2048).unwrap();
    let point = ec.public_key().as_ref();
    let (n, e) = (rsa.public_key().modulus(), rsa.public_key().exponent());
    let set = json!({"keys": [
        {"kty": "EC", "crv": "P-256", "kid": "ec", "x": encode(&point[1..33]), "y": encode(&point[33..])},
        {"kty": "RSA", "kid": "rsa", "alg": "RS256", "n": encode(n.big_endian_without_leading_zero()),
         "e": encode(e.big_endian_without_leading_zero())},
    ]});
    (ec, rsa, set)
}

#[tokio::test]
async fn an_issuer_may_sign_with_es256_or_rs256_each_key_with_its_own_only() {
    let (ec, rsa, set) = other_keys();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    std::fs::write(&file, set.to_string()).unwrap();
    let entry = |algorithms: Value| json!([{"issuer": "them", "audience": AUDIENCE, "algorithms": algorithms, "jwksFile": file}]);
    let trusting = |algorithms| Settings { issuers: issuers(&entry(algorithms)), ..Settings::default() };
    let node = Node::with(trusting(json!(["ES256", "RS256", "PS256"]))).await;
    let claims = json!({"iss": "them", "aud": AUDIENCE, "sub": "7", "iat": node.now(), "exp": node.now() + 60});
    let random = SystemRandom::new();
    let by_ec = |alg: &str, kid: &str| {
        let message = message(&json!({"alg": alg, "kid": kid}), &claims);
        Secret::new(format!("{message}.{}", encode(ec.sign(&random, message.as_bytes()).unwrap())))
    };
    let by_rsa = |alg: &str, kid: &str, padding: &'static dyn signature::RsaEncoding| {
        let message = message(&json!({"alg": alg, "kid": kid}), &claims);
        let mut signature = vec![0; rsa.public_modulus_len()];
        rsa.sign(padding, &random, message.as_bytes(), &mut signature).unwrap();
        Secret::new(format!("{message}.{}", encode(signature)))
    };
    let good = [by_ec("ES256", "ec"), by_rsa("RS256", "rsa", &signature::RSA_PKCS1_SHA256)];
    for token in &good {
        player(&node, token).await;
    }
    let confused = [
        ("an RSA algorithm on a curve's key", by_ec("RS256", "ec")),
        ("a curve's signature under the RSA key's name", by_ec("ES256", "rsa")),
        ("an RSA signature under the curve's name", by_rsa("RS256", "ec", &signature::RSA_PKCS1_SHA256)),
        ("another padding than the key says", by_rsa("PS256", "rsa", &signature::RSA_PSS_SHA256)),
        ("another hash than is allowed", by_rsa("RS512", "rsa", &signature::RSA_PKCS1_SHA512)),
        ("one algorithm said, another done", by_rsa("ES256", "ec", &signature::RSA_PKCS1_SHA256)),
    ];
    for (name, token) in &confused {
        assert!(is_bad(&node.who(token).await), "{name}");
    }
    let strict = Node::with(trusting(json!(["ES256"]))).await;
    player(&strict, &good[0]).await;
    assert!(is_bad(&strict.who(&good[1]).await), "an algorithm that was not allowed");
}
