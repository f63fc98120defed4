//! Tokens: changed in their text, or in what they say under a good signature. Only what says the same as a token of ours is
//! believed, and it is its player's.

use crate::fuzz::mutate::{self, Change};
use crate::fuzz::{Fate, fuzz, world};
use aws_lc_rs::signature::Ed25519KeyPair;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ludotheque::auth::{Identity, Keys, Settings, real_time};
use ludotheque::players::Players;
use ludotheque::quota::Client;
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A node, its own signing key, and a token it gave out.
struct Forge {
    _folder: TempDir,
    runtime: Arc<Runtime>,
    identity: Arc<Identity>,
    key: Ed25519KeyPair,
    player: String,
    header: Value,
    claims: Value,
    token: String,
}

impl Forge {
    fn new() -> Self {
        let folder = world::folder();
        let runtime = world::runtime();
        let store = world::open(&folder.path().join("store"));
        let keys = Arc::new(Keys::open(folder.path()).unwrap());
        let file = fs::read_dir(folder.path().join("keys")).unwrap().next().unwrap().unwrap().path();
        let key = Ed25519KeyPair::from_pkcs8(&fs::read(file).unwrap()).unwrap();
        let identity = Arc::new(Identity::new(keys, store.clone(), Settings::default(), Arc::new(real_time)));
        let players = Players::new(store, identity.clone());
        let tokens = runtime.block_on(players.register_guest("Ada", &Client::default())).unwrap();
        let token = tokens.access_token.expose().to_owned();
        let part = |n| serde_json::from_slice(&decode(token.split('.').nth(n).unwrap())).unwrap();
        let (header, claims) = (part(0), part(1));
        Self { _folder: folder, runtime, identity, key, player: tokens.player.id.to_string(), header, claims, token }
    }

    fn sign(&self, header: &[u8], claims: &[u8]) -> String {
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let message = format!("{}.{}", encode(header), encode(claims));
        format!("{message}.{}", encode(self.key.sign(message.as_bytes()).as_ref()))
    }

    /// Who is believed to call.
    fn caller(&self, token: &str) -> Option<String> {
        let caller = self.runtime.block_on(self.identity.authenticate_token(token)).ok()?;
        Some(caller.player.to_string())
    }
}

fn decode(part: &str) -> Vec<u8> {
    BASE64_URL_SAFE_NO_PAD.decode(part).unwrap_or_default()
}

fn check(forge: &Forge, changes: &[Change], signed_bytes: bool) -> Result<Fate, TestCaseError> {
    // In its text, which breaks the signature.
    let text = mutate::text(&forge.token, changes);
    if forge.caller(&text).is_some() {
        prop_assert_eq!(&text, &forge.token);
    }
    // In what it says, under a good signature.
    let (header, claims) = if signed_bytes {
        let claims = mutate::bytes(forge.claims.to_string().as_bytes(), changes);
        (forge.header.to_string().into_bytes(), claims)
    } else {
        let both = mutate::json(&Value::from(vec![forge.header.clone(), forge.claims.clone()]), changes);
        (both[0].to_string().into_bytes(), both[1].to_string().into_bytes())
    };
    let token = forge.sign(&header, &claims);
    let caller = forge.caller(&token);
    let fate = Fate::of(caller.is_some());
    if let Some(player) = caller {
        prop_assert_eq!(&player, &forge.player, "{:?}", String::from_utf8_lossy(&claims));
        let (header, claims): (Value, Value) =
            (serde_json::from_slice(&header).unwrap(), serde_json::from_slice(&claims).unwrap());
        prop_assert_eq!(header, forge.header.clone());
        for claim in ["iss", "aud", "sub", "sid"] {
            prop_assert_eq!(&claims[claim], &forge.claims[claim]);
        }
        let (now, exp) = (real_time().0 / 1000, claims["exp"].as_i64().unwrap());
        prop_assert!(exp > now - 10 && exp <= now + 86_400 + 10, "{exp} at {now}");
    }
    Ok(fate)
}

#[test]
#[ignore = "slow: tries inputs for 20 seconds"]
fn only_what_says_the_same_as_a_token_of_ours_is_believed() {
    let forge = Forge::new();
    assert_eq!(forge.caller(&forge.token).as_ref(), Some(&forge.player));
    assert_eq!(
        forge.caller(&forge.sign(forge.header.to_string().as_bytes(), forge.claims.to_string().as_bytes())),
        Some(forge.player.clone()),
        "the forge is good"
    );
    let inputs = (mutate::changes(), any::<bool>());
    fuzz("tests/robustness/fuzz/regressions/tokens.txt", &inputs, |(changes, bytes)| check(&forge, &changes, bytes));
}
