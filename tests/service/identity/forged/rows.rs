//! The table: every token that nobody should believe, most of them signed with a real key. What is refused here is refused
//! for what it says, not for a signature that happens to be wrong.

use super::forge::Forge;
use crate::jwt::{changed, encode, message, sign_hmac};
use aws_lc_rs::signature::KeyPair;
use ludotheque::auth::MAX_TOKEN_LENGTH;
use ludotheque::ids::{FamilyId, GameId, PlayerId};
use serde_json::{Value, json};

/// What is wrong with a token, and the token.
pub(crate) type Row = (String, String);

/// Forgeries with anybody's key.
pub(crate) fn with_any_key(forge: &Forge) -> Vec<Row> {
    let rows = [algorithm(forge), embedded_keys(forge), key_names(forge), headers(forge), claims(forge), times(forge)];
    let rows = rows.into_iter().flatten().chain(forms(forge));
    rows.map(|(name, token)| (format!("{}: {name}", forge.of), token)).collect()
}

/// Forgeries that only our own key can be used for. What we sign has one form, which is stricter than JWT's.
pub(crate) fn with_our_key(forge: &Forge, other: PlayerId, others_family: &str) -> Vec<Row> {
    let (claiming, headed) = (|change| forge.claiming(change), |change| forge.headed(change));
    named([
        ("a plain JWT", headed(json!({"typ": "JWT"}))),
        ("no type", headed(json!({"typ": null}))),
        ("anything else in the header", headed(json!({"admin": true}))),
        ("several audiences", claiming(json!({"aud": ["ludotheque", "another service"]}))),
        ("no beginning", claiming(json!({"nbf": null}))),
        ("another sort of id", claiming(json!({"sub": GameId::new()}))),
        ("a player that is not the sign-in's", claiming(json!({"sub": other}))),
        ("an unknown player", claiming(json!({"sub": PlayerId::new()}))),
        ("no sign-in", claiming(json!({"sid": null}))),
        ("an unknown sign-in", claiming(json!({"sid": FamilyId::new()}))),
        ("another's sign-in", claiming(json!({"sid": others_family}))),
        ("no id of its own", claiming(json!({"jti": null}))),
    ])
}

/// Forgeries that only a backend's key can be used for.
pub(crate) fn with_a_backends_key(forge: &Forge, our_kid: &str) -> Vec<Row> {
    let claiming = |change| forge.claiming(change);
    named([
        ("one of our keys named", forge.headed(json!({"kid": our_kid}))),
        ("ourselves as the issuer", claiming(json!({"iss": "ludotheque"}))),
        ("our own tokens' audience", claiming(json!({"aud": "ludotheque"}))),
        ("issued in the future", claiming(json!({"iat": forge.now + 60}))),
        ("time of issue as text", claiming(json!({"iat": forge.now.to_string()}))),
        ("an endless name", claiming(json!({"sub": "x".repeat(256)}))),
    ])
}

fn named<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) -> Vec<Row> {
    rows.into_iter().map(|(name, token)| (name.to_owned(), token)).collect()
}

/// The algorithm is the key's and never the token's.
fn algorithm(forge: &Forge) -> Vec<Row> {
    let none = |alg: &str| format!("{}.", message(&changed(&forge.header, json!({"alg": alg})), &forge.claims));
    let hs256 = changed(&forge.header, json!({"alg": "HS256"}));
    let public = forge.key.public_key().as_ref();
    let secret = |secret: &[u8]| sign_hmac(secret, &hs256, &forge.claims);
    named([
        ("none, unsigned", none("none")),
        ("none in other letters", none("nOnE")),
        ("none, yet signed", forge.headed(json!({"alg": "none"}))),
        ("no algorithm", forge.headed(json!({"alg": null}))),
        ("HS256 with the public key's bytes", secret(public)),
        ("HS256 with the public key's text", secret(encode(public).as_bytes())),
        ("HS256 with the published key", secret(forge.published.to_string().as_bytes())),
        ("HS256 with an empty key", secret(b"")),
        ("HS256 said, EdDSA done", forge.headed(json!({"alg": "HS256"}))),
        ("ES256 said, EdDSA done", forge.headed(json!({"alg": "ES256"}))),
        ("RS256 said, EdDSA done", forge.headed(json!({"alg": "RS256"}))),
        ("EdDSA said, HS256 done", sign_hmac(public, &forge.header, &forge.claims)),
    ])
}

/// The key is one that is trusted, and never one that the token brings along.
fn embedded_keys(forge: &Forge) -> Vec<Row> {
    let x = encode(forge.theirs.public_key());
    let jwk = json!({"kty": "OKP", "crv": "Ed25519", "x": x, "kid": forge.kid()});
    let (theirs, signed) = (|change| forge.headed_by_others(change), |change| forge.headed(change));
    named([
        ("another's signature", theirs(json!({}))),
        ("another's key embedded", theirs(json!({"jwk": jwk}))),
        ("another's key embedded, the real one not named", theirs(json!({"jwk": jwk, "kid": null}))),
        ("another's key by address", theirs(json!({"jku": "https://evil.example/jwks.json"}))),
        ("another's certificate by address", theirs(json!({"x5u": "https://evil.example/cert.pem"}))),
        ("another's certificate", theirs(json!({"x5c": ["AAAA"]}))),
        ("a key embedded, though the real one signed", signed(json!({"jwk": forge.published}))),
        ("a key by address, though the real one signed", signed(json!({"jku": "https://backend.example/jwks.json"}))),
    ])
}

/// A key is found by its exact name.
fn key_names(forge: &Forge) -> Vec<Row> {
    let kid = forge.kid();
    let names = [
        json!(null),
        json!(""),
        json!("0198c0ffee"),
        json!(kid.to_uppercase() + "X"),
        json!(kid[..kid.len() - 1]),
        json!(format!("{kid} ")),
        json!(format!("{kid}\0")),
        json!(format!("{kid}.pk8")),
        json!(format!("../keys/{kid}")),
        json!("/dev/null"),
        json!(format!("{kid}' OR '1'='1")),
        json!("*"),
        json!(1),
        json!([kid]),
        json!({"kid": kid}),
    ];
    names.into_iter().map(|name| (format!("a key called {name}"), forge.headed(json!({"kid": name})))).collect()
}

/// A header is an access token's and nothing more.
fn headers(forge: &Forge) -> Vec<Row> {
    let headed = |change| forge.headed(change);
    named([
        ("another sort of token", headed(json!({"typ": "logout+jwt"}))),
        ("one for developers", headed(json!({"typ": "dev+jwt"}))),
        ("a nested token", headed(json!({"cty": "JWT"}))),
        ("a critical extension", headed(json!({"crit": ["exp"]}))),
        ("an unencoded payload", headed(json!({"crit": ["b64"], "b64": false}))),
        ("compressed", headed(json!({"zip": "DEF"}))),
        ("encrypted", headed(json!({"enc": "A128GCM"}))),
    ])
}

/// A token is from somebody who is trusted, for us, about somebody.
fn claims(forge: &Forge) -> Vec<Row> {
    let claiming = |change| forge.claiming(change);
    let iss = forge.claims["iss"].as_str().expect("an issuer");
    named([
        ("an issuer nobody trusts", claiming(json!({"iss": "https://evil.example"}))),
        ("an issuer that begins alike", claiming(json!({"iss": format!("{iss}.evil.example")}))),
        ("a slash too many", claiming(json!({"iss": format!("{iss}/")}))),
        ("other capitals", claiming(json!({"iss": iss.to_uppercase()}))),
        ("no issuer", claiming(json!({"iss": null}))),
        ("an empty issuer", claiming(json!({"iss": ""}))),
        ("several issuers", claiming(json!({"iss": [iss, "https://evil.example"]}))),
        ("another audience", claiming(json!({"aud": "another service"}))),
        ("no audience", claiming(json!({"aud": null}))),
        ("an empty list of audiences", claiming(json!({"aud": []}))),
        ("a number for an audience", claiming(json!({"aud": 1}))),
        ("nobody", claiming(json!({"sub": null}))),
        ("an empty name", claiming(json!({"sub": ""}))),
        ("a number for a name", claiming(json!({"sub": 1}))),
        ("several names", claiming(json!({"sub": [forge.claims["sub"], "bob"]}))),
    ])
}

/// A token is good for its time only, and that is short.
fn times(forge: &Forge) -> Vec<Row> {
    let (now, claiming) = (forge.now, |change| forge.claiming(change));
    named([
        ("expired", claiming(json!({"exp": now - 10}))),
        ("never expires", claiming(json!({"exp": null}))),
        ("expiry as text", claiming(json!({"exp": (now + 600).to_string()}))),
        ("expiry as a fraction", claiming(json!({"exp": 4_102_444_800.5}))),
        ("expiry below zero", claiming(json!({"exp": -1}))),
        ("expiry in the far future", claiming(json!({"exp": now + 100 * 365 * 86_400}))),
        ("expiry a little beyond a day", claiming(json!({"exp": now + 86_400 + 30}))),
        ("expiry beyond milliseconds", claiming(json!({"exp": i64::MAX}))),
        ("expiry beyond all calendars", claiming(json!({"exp": u64::MAX}))),
        ("not yet", claiming(json!({"nbf": now + 60}))),
        ("beginning in the far future", claiming(json!({"nbf": now + 100 * 365 * 86_400}))),
        ("beginning as text", claiming(json!({"nbf": (now - 1).to_string()}))),
        ("beginning beyond all calendars", claiming(json!({"nbf": u64::MAX}))),
        ("no time of issue", claiming(json!({"iat": null}))),
    ])
}

/// A token has exactly one form.
fn forms(forge: &Forge) -> Vec<Row> {
    let good = forge.genuine();
    let [header, claims, signature] = <[&str; 3]>::try_from(good.split('.').collect::<Vec<_>>()).unwrap();
    let twice = |claim: &str| forge.claims.to_string().replacen('{', &format!("{{{claim},"), 1);
    let another = twice(&format!(r#""sub":"{}""#, PlayerId::new()));
    let general = json!({"protected": header, "payload": claims, "signature": signature});
    named([
        ("no signature", format!("{header}.{claims}.")),
        ("two parts", format!("{header}.{claims}")),
        ("four parts", format!("{good}.{signature}")),
        ("dots", "..".to_owned()),
        ("five empty parts", "....".to_owned()),
        ("a word", "token".to_owned()),
        ("cut short", good[..good.len() - 1].to_owned()),
        ("cut in half", good[..good.len() / 2].to_owned()),
        ("padded", format!("{good}==")),
        ("quoted", format!("\"{good}\"")),
        ("as JSON", general.to_string()),
        ("another token's signature", format!("{header}.{}.{signature}", encode(&another))),
        ("a subject twice", forge.saying(&another)),
        ("an issuer twice", forge.saying(&twice(r#""iss":"https://evil.example""#))),
        ("claims that are a list", forge.saying("[]")),
        ("claims that are no JSON", forge.saying("sub=me")),
        ("no claims", forge.saying("")),
        ("oversized", forge.claiming(json!({"note": "x".repeat(MAX_TOKEN_LENGTH)}))),
    ])
}

/// What is no forgery, though it is not what we would have written: believed of a backend.
pub(crate) fn believed_of_a_backend(forge: &Forge) -> Vec<Row> {
    let (claiming, headed) = (|change| forge.claiming(change), |change: Value| forge.headed(change));
    named([
        ("no type", headed(json!({"typ": null}))),
        ("an access token", headed(json!({"typ": "at+jwt"}))),
        ("an access token, in full", headed(json!({"typ": "application/AT+JWT"}))),
        ("a certificate's fingerprint, which nobody looks at", headed(json!({"x5t": "AAAA"}))),
        ("one audience of several", claiming(json!({"aud": ["another service", forge.claims["aud"]]}))),
        ("a beginning", claiming(json!({"nbf": forge.now}))),
        ("a whole day", claiming(json!({"exp": forge.now + 86_400}))),
    ])
}
