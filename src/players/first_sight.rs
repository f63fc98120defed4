//! Just-in-time provisioning: creates a player when a user of another issuer is first seen.

use super::fields;
use super::ports::{Player, Subject};
use crate::rules::Instant;

impl Player {
    /// A player for a user seen for the first time, under the name in the token if it is an acceptable display name.
    /// Else the name is "Ludo" and four characters, which works in any language; the player can change it.
    pub(crate) fn newcomer(subject: Subject, name: Option<&str>, now: Instant) -> Self {
        let mut player = Self { subject: Some(subject), ..Self::new(String::new(), now) };
        player.display_name = name.and_then(|name| fields::display_name(name).ok()).unwrap_or_else(|| {
            let id = player.id.to_string();
            format!("Ludo {}", &id[id.len() - 4..])
        });
        player
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: Option<&str>) -> String {
        let subject = Subject { issuer: "https://backend.example".to_owned(), sub: "7".to_owned() };
        Player::newcomer(subject, name, Instant(0)).display_name
    }

    #[test]
    fn a_newcomer_keeps_a_name_that_we_would_accept() {
        assert_eq!(named(Some(" Zoë ")), "Zoë");
    }

    #[test]
    fn a_newcomer_without_such_a_name_gets_one() {
        for name in [None, Some(""), Some("a\u{202E}b"), Some(&*"x".repeat(41))] {
            let given = named(name);
            assert!(given.starts_with("Ludo ") && given.len() == 9, "{given}");
            assert!(fields::display_name(&given).is_ok());
        }
    }
}
