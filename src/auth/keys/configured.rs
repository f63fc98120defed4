//! Signing keys from the environment: base64 of an Ed25519 key in PKCS#8 form, or the path of a file with one.
//!
//! Nodes that share keys this way must agree on their ids too, so an id is derived from its key (RFC 7638).

use super::folder::read_file;
use super::{Key, KeyError};
use crate::auth::Secret;
use base64::{Engine, prelude::BASE64_STANDARD};
use jsonwebtoken::jwk::ThumbprintHash;
use std::path::Path;

/// Reads the key with this number, counted from 1. The error does not quote a text that is neither a key nor a path: it
/// may be a key with a typing mistake.
pub(super) fn read(number: usize, given: &Secret) -> Result<Key, KeyError> {
    let text = given.expose().trim();
    if let Some(key) = BASE64_STANDARD.decode(text).ok().and_then(|pkcs8| with_thumbprint(&pkcs8)) {
        return Ok(key);
    }
    let path = Path::new(text);
    if !path.is_file() {
        return Err(KeyError::NotGiven(number));
    }
    let pkcs8 = from_pem(read_file(path)?);
    with_thumbprint(&pkcs8).ok_or_else(|| KeyError::NotAKey { path: path.to_owned() })
}

fn with_thumbprint(pkcs8: &[u8]) -> Option<Key> {
    let kid = Key::new(String::new(), pkcs8)?.jwk().thumbprint(ThumbprintHash::SHA256).ok()?;
    Key::new(kid, pkcs8)
}

/// The DER content of a PEM file, as `openssl genpkey` writes it; the file unchanged if it is not PEM.
fn from_pem(file: Vec<u8>) -> Vec<u8> {
    let unframed = |text: &str| {
        let body =
            text.trim().strip_prefix("-----BEGIN PRIVATE KEY-----")?.strip_suffix("-----END PRIVATE KEY-----")?;
        BASE64_STANDARD.decode(body.split_ascii_whitespace().collect::<String>()).ok()
    };
    str::from_utf8(&file).ok().and_then(unframed).unwrap_or(file)
}
