//! JWTs, made by hand: also those that no library would make.

use aws_lc_rs::{hmac, signature::Ed25519KeyPair};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::Value;

/// The object with some of its fields changed, and those that are `null` taken away.
pub(crate) fn changed(object: &Value, change: Value) -> Value {
    let mut object = object.as_object().expect("an object").clone();
    let Value::Object(change) = change else { panic!("not an object: {change}") };
    for (key, value) in change {
        object.remove(&key);
        if !value.is_null() {
            object.insert(key, value);
        }
    }
    object.into()
}

pub(crate) fn encode(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn message(header: &Value, claims: &Value) -> String {
    format!("{}.{}", encode(header.to_string()), encode(claims.to_string()))
}

pub(crate) fn sign(key: &Ed25519KeyPair, header: &Value, claims: &Value) -> String {
    sign_text(key, &message(header, claims))
}

pub(crate) fn sign_text(key: &Ed25519KeyPair, message: &str) -> String {
    format!("{message}.{}", encode(key.sign(message.as_bytes())))
}

pub(crate) fn sign_hmac(secret: &[u8], header: &Value, claims: &Value) -> String {
    let message = message(header, claims);
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
    format!("{message}.{}", encode(tag))
}
