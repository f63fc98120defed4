//! Secret strings: passwords and tokens, kept out of logs and answers.

use serde::Deserialize;
use std::fmt;

/// A password or a token. It has no `Display` and no `Serialize`, and its `Debug` hides the text, so that a log or an
/// answer contains it only where the code calls `expose`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_but_never_printed() {
        let secret: Secret = serde_json::from_str("\"open sesame\"").expect("a text");
        assert_eq!(secret.expose(), "open sesame");
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "Secret(…) Some(Secret(…))");
    }
}
