//! Tokens that nobody should believe, most of them signed with our own key: what is refused here is refused for what it
//! says, not for a signature that happens to be wrong.

use crate::jwt::{changed, encode, message, sign, sign_hmac, sign_text};
use crate::support::{Node, bearer, is_bad};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ludotheque::auth::MAX_TOKEN_LENGTH;
use ludotheque::ids::{FamilyId, GameId, PlayerId};
use serde_json::{Value, json};

/// A node, our own signing key in the wrong hands, and the token that would be believed.
struct Forge {
    node: Node,
    ours: Ed25519KeyPair,
    theirs: Ed25519KeyPair,
    header: Value,
    claims: Value,
}

impl Forge {
    async fn new() -> Self {
        let node = Node::new().await;
        let file = node.key_files().remove(0);
        let ours = Ed25519KeyPair::from_pkcs8(&std::fs::read(file).unwrap()).unwrap();
        let token = node.guest().await.access_token;
        let part = |n: usize| {
            let part = token.expose().split('.').nth(n).expect("three parts");
            serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
        };
        let (header, claims) = (part(0), part(1));
        Self { node, ours, theirs: Ed25519KeyPair::generate().unwrap(), header, claims }
    }

    fn header(&self, change: Value) -> Value {
        changed(&self.header, change)
    }

    /// Signed by us, with some of the claims changed.
    fn claiming(&self, change: Value) -> String {
        sign(&self.ours, &self.header, &changed(&self.claims, change))
    }

    /// Signed by us, with some of the header changed.
    fn headed(&self, change: Value) -> String {
        sign(&self.ours, &self.header(change), &self.claims)
    }

    async fn refuses(&self, forgeries: impl IntoIterator<Item = (&str, String)>) {
        for (name, token) in forgeries {
            let answer = self.node.identity.authenticate(&bearer(&token)).await;
            assert!(is_bad(&answer), "{name}: {answer:?} for {token}");
        }
        // The forge itself is good: what it signs unchanged is believed.
        let genuine = self.node.identity.authenticate(&bearer(&self.claiming(json!({})))).await.unwrap();
        assert_eq!(genuine.expect("a token was sent").player.to_string(), self.claims["sub"]);
    }
}

#[tokio::test]
async fn the_algorithm_is_the_keys_and_never_the_tokens() {
    let forge = Forge::new().await;
    let none = |alg: &str| format!("{}.", message(&forge.header(json!({"alg": alg})), &forge.claims));
    let hs256 = forge.header(json!({"alg": "HS256"}));
    let public = forge.ours.public_key().as_ref();
    let published = serde_json::to_value(forge.node.identity.jwks()).unwrap();
    let x = published["keys"][0]["x"].as_str().unwrap().to_owned();
    forge
        .refuses([
            ("none, unsigned", none("none")),
            ("none in other letters", none("nOnE")),
            ("none, yet signed", forge.headed(json!({"alg": "none"}))),
            ("no algorithm", forge.headed(json!({"alg": null}))),
            ("HS256 with our public key's bytes", sign_hmac(public, &hs256, &forge.claims)),
            ("HS256 with our public key's text", sign_hmac(x.as_bytes(), &hs256, &forge.claims)),
            (
                "HS256 with our published key",
                sign_hmac(published["keys"][0].to_string().as_bytes(), &hs256, &forge.claims),
            ),
            ("HS256 said, EdDSA done", forge.headed(json!({"alg": "HS256"}))),
            ("ES256 said, EdDSA done", forge.headed(json!({"alg": "ES256"}))),
            ("RS256 said, EdDSA done", forge.headed(json!({"alg": "RS256"}))),
            ("EdDSA said, HS256 done", sign_hmac(public, &forge.header, &forge.claims)),
        ])
        .await;
}

#[tokio::test]
async fn the_key_is_one_of_ours_by_its_exact_name() {
    let forge = Forge::new().await;
    let kid = forge.header["kid"].as_str().unwrap().to_owned();
    let jwk = json!({"kty": "OKP", "crv": "Ed25519", "x": encode(forge.theirs.public_key()), "kid": kid});
    let theirs = |change: Value| sign(&forge.theirs, &forge.header(change), &forge.claims);
    forge
        .refuses([
            ("another's signature", theirs(json!({}))),
            ("another's key embedded", theirs(json!({"jwk": jwk}))),
            ("another's key embedded, ours not named", theirs(json!({"jwk": jwk, "kid": null}))),
            ("another's key by address", theirs(json!({"jku": "https://evil.example/jwks.json"}))),
            ("another's certificate by address", theirs(json!({"x5u": "https://evil.example/cert.pem"}))),
            ("another's certificate", theirs(json!({"x5c": ["AAAA"]}))),
            ("no key named", forge.headed(json!({"kid": null}))),
            ("an unknown key", forge.headed(json!({"kid": "0198c0ffee"}))),
            ("an empty name", forge.headed(json!({"kid": ""}))),
            ("a path", forge.headed(json!({"kid": format!("../keys/{kid}")}))),
            ("a file name", forge.headed(json!({"kid": format!("{kid}.pk8")}))),
            ("a query", forge.headed(json!({"kid": format!("{kid}' OR '1'='1")}))),
            ("a blank too many", forge.headed(json!({"kid": format!("{kid} ")}))),
            ("a number", forge.headed(json!({"kid": 1}))),
            ("a list", forge.headed(json!({"kid": [kid]}))),
        ])
        .await;
}

#[tokio::test]
async fn a_header_holds_nothing_that_we_would_not_have_written() {
    let forge = Forge::new().await;
    forge
        .refuses([
            ("a plain JWT", forge.headed(json!({"typ": "JWT"}))),
            ("no type", forge.headed(json!({"typ": null}))),
            ("a nested token", forge.headed(json!({"cty": "JWT"}))),
            ("a critical extension", forge.headed(json!({"crit": ["exp"]}))),
            ("an unencoded payload", forge.headed(json!({"crit": ["b64"], "b64": false}))),
            (
                "an embedded key, though ours signed",
                forge.headed(json!({"jwk": {"kty": "OKP", "crv": "Ed25519", "x": ""}})),
            ),
            ("an address, though ours signed", forge.headed(json!({"jku": "https://evil.example/"}))),
            ("compressed", forge.headed(json!({"zip": "DEF"}))),
            ("anything else", forge.headed(json!({"admin": true}))),
        ])
        .await;
}

#[tokio::test]
async fn a_token_is_from_us_for_us() {
    let forge = Forge::new().await;
    forge
        .refuses([
            ("another issuer", forge.claiming(json!({"iss": "https://evil.example"}))),
            ("no issuer", forge.claiming(json!({"iss": null}))),
            ("an empty issuer", forge.claiming(json!({"iss": ""}))),
            ("several issuers", forge.claiming(json!({"iss": ["ludotheque", "https://evil.example"]}))),
            ("another audience", forge.claiming(json!({"aud": "another service"}))),
            ("no audience", forge.claiming(json!({"aud": null}))),
            ("several audiences", forge.claiming(json!({"aud": ["ludotheque", "another service"]}))),
        ])
        .await;
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
            ("expiry beyond all calendars", forge.claiming(json!({"exp": u64::MAX}))),
            ("expiry beyond milliseconds", forge.claiming(json!({"exp": i64::MAX}))),
            ("not yet", forge.claiming(json!({"nbf": now + 60}))),
            ("no beginning", forge.claiming(json!({"nbf": null}))),
            ("beginning as text", forge.claiming(json!({"nbf": (now - 1).to_string()}))),
            ("beginning beyond all calendars", forge.claiming(json!({"nbf": u64::MAX}))),
            ("no time of issue", forge.claiming(json!({"iat": null}))),
        ])
        .await;
}

#[tokio::test]
async fn a_token_is_one_players_for_one_sign_in_of_theirs() {
    let forge = Forge::new().await;
    let other = forge.node.guest().await;
    let others_family = forge.node.family(&other).await;
    forge
        .refuses([
            ("nobody", forge.claiming(json!({"sub": null}))),
            ("an empty player", forge.claiming(json!({"sub": ""}))),
            ("another sort of id", forge.claiming(json!({"sub": GameId::new()}))),
            ("a number", forge.claiming(json!({"sub": 1}))),
            ("a player that is not the sign-in's", forge.claiming(json!({"sub": other.player.id}))),
            ("an unknown player", forge.claiming(json!({"sub": PlayerId::new()}))),
            ("no sign-in", forge.claiming(json!({"sid": null}))),
            ("an unknown sign-in", forge.claiming(json!({"sid": FamilyId::new()}))),
            ("another's sign-in", forge.claiming(json!({"sid": others_family}))),
            ("no id of its own", forge.claiming(json!({"jti": null}))),
            ("a refresh token", other.refresh_token.expose().to_owned()),
        ])
        .await;
}

#[tokio::test]
async fn a_token_has_exactly_one_form() {
    let forge = Forge::new().await;
    let good = forge.claiming(json!({}));
    let [header, claims, signature] = <[&str; 3]>::try_from(good.split('.').collect::<Vec<_>>()).unwrap();
    let twice = forge.claims.to_string().replacen('{', &format!("{{\"sub\":\"{}\",", PlayerId::new()), 1);
    let raw = |claims: &str| sign_text(&forge.ours, &format!("{header}.{}", encode(claims)));
    forge
        .refuses([
            ("no signature", format!("{header}.{claims}.")),
            ("two parts", format!("{header}.{claims}")),
            ("four parts", format!("{good}.{signature}")),
            ("five empty parts", "....".to_owned()),
            ("dots", "..".to_owned()),
            ("a word", "token".to_owned()),
            ("cut short", good[..good.len() - 1].to_owned()),
            ("cut in half", good[..good.len() / 2].to_owned()),
            ("padded", format!("{good}==")),
            ("quoted", format!("\"{good}\"")),
            ("another token's signature", format!("{header}.{}.{signature}", encode(twice.as_bytes()))),
            ("a claim twice", raw(&twice)),
            ("claims that are a list", raw("[]")),
            ("claims that are no JSON", raw("sub=me")),
            ("no claims", raw("")),
            ("oversized, though ours signed", forge.claiming(json!({"note": "x".repeat(MAX_TOKEN_LENGTH)}))),
        ])
        .await;
}

#[tokio::test]
async fn a_token_with_any_one_character_changed_is_refused() {
    let forge = Forge::new().await;
    let good = forge.claiming(json!({}));
    for at in 0..good.len() {
        let other = if &good[at..=at] == "A" { "B" } else { "A" };
        let token = format!("{}{other}{}", &good[..at], &good[at + 1..]);
        assert!(is_bad(&forge.node.identity.authenticate(&bearer(&token)).await), "character {at}");
    }
}
