//! JWKS of an issuer (RFC 7517): each public key is pinned to the algorithms it may be used with (RFC 8725, 3.1).

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;
use std::str::FromStr;

/// The most keys read from a set: more than any issuer has at a time.
const MAX_KEYS: usize = 100;

const RSA: [Algorithm; 6] =
    [Algorithm::RS256, Algorithm::RS384, Algorithm::RS512, Algorithm::PS256, Algorithm::PS384, Algorithm::PS512];

pub(super) struct TrustedKey {
    pub(super) kid: String,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) decoding: DecodingKey,
}

/// Each key is parsed by itself: one of an unknown type does not invalidate the others.
#[derive(Deserialize)]
struct JwkSet {
    keys: Vec<Value>,
}

/// The keys of a set that can verify signatures with one of the allowed algorithms.
pub(super) fn read(set: &[u8], allowed: &[Algorithm]) -> Result<Vec<TrustedKey>, serde_json::Error> {
    let JwkSet { keys } = serde_json::from_slice(set)?;
    let keys = keys.into_iter().take(MAX_KEYS).filter_map(|key| serde_json::from_value(key).ok());
    Ok(keys.filter_map(|key: Jwk| trusted_key(&key, allowed)).collect())
}

fn trusted_key(jwk: &Jwk, allowed: &[Algorithm]) -> Option<TrustedKey> {
    let signs = jwk.common.public_key_use.as_ref().is_none_or(|used| *used == PublicKeyUse::Signature);
    let verifies = jwk.common.key_operations.as_ref().is_none_or(|does| does.contains(&KeyOperations::Verify));
    let named = match &jwk.common.key_algorithm {
        // An `alg` that is no signature algorithm makes the key unusable.
        Some(name) => Some(Algorithm::from_str(&name.to_string()).ok()?),
        None => None,
    };
    let supported = algorithms_of(&jwk.algorithm).iter().copied();
    let algorithms: Vec<_> =
        supported.filter(|one| allowed.contains(one) && named.is_none_or(|named| named == *one)).collect();
    let usable = signs && verifies && !algorithms.is_empty();
    let kid = jwk.common.key_id.clone().filter(|_| usable)?;
    Some(TrustedKey { kid, algorithms, decoding: DecodingKey::from_jwk(jwk).ok()? })
}

/// Algorithms that a key's type supports: a curve has one, RSA several. A shared secret is no public key, so it has
/// none.
fn algorithms_of(parameters: &AlgorithmParameters) -> &'static [Algorithm] {
    match parameters {
        AlgorithmParameters::EllipticCurve(key) => match key.curve {
            EllipticCurve::P256 => &[Algorithm::ES256],
            EllipticCurve::P384 => &[Algorithm::ES384],
            _ => &[],
        },
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => &[Algorithm::EdDSA],
        AlgorithmParameters::RSA(_) => &RSA,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ALL: &[Algorithm] = &[Algorithm::EdDSA, Algorithm::ES256, Algorithm::RS256, Algorithm::PS256];

    fn ed(change: &Value) -> Value {
        let mut key = json!({"kty": "OKP", "crv": "Ed25519", "x": "A".repeat(43), "kid": "1"});
        for (name, value) in change.as_object().unwrap() {
            key[name] = value.clone();
        }
        key
    }

    fn pinned(key: &Value, allowed: &[Algorithm]) -> Option<Vec<Algorithm>> {
        let keys = read(json!({"keys": [key]}).to_string().as_bytes(), allowed).unwrap();
        keys.into_iter().next().map(|key| key.algorithms)
    }

    #[test]
    fn a_key_is_pinned_to_algorithms_that_it_supports_and_names_and_that_are_allowed() {
        let ec = json!({"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "1"});
        let rsa = json!({"kty": "RSA", "n": "AA", "e": "AQAB", "kid": "1"});
        let named = json!({"kty": "RSA", "n": "AA", "e": "AQAB", "kid": "1", "alg": "PS256"});
        assert_eq!(pinned(&ed(&json!({})), ALL), Some(vec![Algorithm::EdDSA]));
        assert_eq!(pinned(&ec, ALL), Some(vec![Algorithm::ES256]));
        assert_eq!(pinned(&rsa, ALL), Some(vec![Algorithm::RS256, Algorithm::PS256]));
        assert_eq!(pinned(&named, ALL), Some(vec![Algorithm::PS256]));
        assert_eq!(pinned(&ec, &[Algorithm::EdDSA]), None);
    }

    #[test]
    fn a_key_that_is_not_for_these_signatures_is_left_out() {
        let unusable = [
            ed(&json!({"use": "enc"})),
            ed(&json!({"key_ops": ["sign"]})),
            ed(&json!({"alg": "RS256"})),
            ed(&json!({"alg": "HS256"})),
            ed(&json!({"alg": "ECDH-ES"})),
            ed(&json!({"kid": null})),
            ed(&json!({"crv": "Ed448"})),
            json!({"kty": "oct", "k": "AAAA", "kid": "1", "alg": "HS256"}),
            json!({"kty": "new", "kid": "1"}),
            json!("no key"),
        ];
        for key in &unusable {
            assert_eq!(pinned(key, ALL), None, "{key}");
        }
        let set = json!({"keys": unusable.iter().cloned().chain([ed(&json!({"kid": "2"}))]).collect::<Vec<_>>()});
        let kept = read(set.to_string().as_bytes(), ALL).unwrap();
        assert_eq!(kept.iter().map(|key| &*key.kid).collect::<Vec<_>>(), ["2"], "and does not spoil the others");
    }

    #[test]
    fn a_text_that_is_not_a_key_set_is_an_error() {
        for text in ["", "[]", "{}", "<html>", r#"{"keys": 1}"#] {
            assert!(read(text.as_bytes(), ALL).is_err(), "{text}");
        }
        assert!(read(br#"{"keys": []}"#, ALL).unwrap().is_empty(), "but an issuer may take all its keys back");
    }
}
