//! Validation of display names, usernames and passwords.

use super::PlayerError;
use crate::auth::Secret;
use crate::rules::Message;
use crate::rules::visible::has_visible;
use std::ops::RangeInclusive;

/// Rules of a field, published to clients: its length in characters, and a regular expression for the rest.
pub struct FieldRule {
    pub length: RangeInclusive<u16>,
    pub pattern: &'static str,
}

/// The pattern expresses `disturbs` and `has_visible`: no disturbing character, and at least one visible one. It stops
/// at U+FFFF, because regular expressions write what is beyond in different ways.
pub const DISPLAY_NAME: FieldRule = FieldRule {
    length: 1..=40,
    pattern: concat!(
        r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*",
        r"[^\u0000-\u001f\u007f-\u009f\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f",
        r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc]",
        r"[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$",
    ),
};
pub const USERNAME: FieldRule = FieldRule { length: 3..=30, pattern: "^[A-Za-z0-9_.-]*$" };
/// The upper bound keeps hashing cheap. Length is what makes a password strong, so no rule requires digits or capitals.
pub const PASSWORD: FieldRule = FieldRule { length: 8..=256, pattern: "" };

/// Validates a display name and trims it.
pub(super) fn display_name(text: &str) -> Result<String, PlayerError> {
    const FIELD: &str = "displayName";
    let name = text.trim();
    // An invisible name is as good as none.
    if !has_visible(name) || !DISPLAY_NAME.has_length(name) {
        return Err(PlayerError::invalid(FIELD, DISPLAY_NAME.length_message("player-display-name-length")));
    }
    if name.chars().any(disturbs) {
        return Err(PlayerError::invalid(FIELD, Message::new("player-display-name-characters")));
    }
    Ok(name.to_owned())
}

pub(super) fn username(text: &str) -> Result<String, PlayerError> {
    const FIELD: &str = "username";
    if !USERNAME.has_length(text) {
        return Err(PlayerError::invalid(FIELD, USERNAME.length_message("player-username-length")));
    }
    if !text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-')) {
        return Err(PlayerError::invalid(FIELD, Message::new("player-username-characters")));
    }
    Ok(text.to_owned())
}

pub(super) fn new_password(password: &Secret) -> Result<(), PlayerError> {
    if PASSWORD.has_length(password.expose()) {
        Ok(())
    } else {
        Err(PlayerError::invalid("password", PASSWORD.length_message("player-password-length")))
    }
}

impl FieldRule {
    fn has_length(&self, text: &str) -> bool {
        u16::try_from(text.chars().count()).is_ok_and(|length| self.length.contains(&length))
    }

    fn length_message(&self, key: &'static str) -> Message {
        Message::new(key).with("min", i64::from(*self.length.start())).with("max", i64::from(*self.length.end()))
    }
}

/// Whether a character breaks lines, or changes the direction of the text around it.
fn disturbs(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key<T>(result: Result<T, PlayerError>) -> Option<String> {
        match result {
            Ok(_) => None,
            Err(error) => error.message().map(|message| message.key.into_owned()),
        }
    }

    #[test]
    fn the_patterns_that_clients_are_told_say_what_is_checked() {
        let validator =
            |shape: &FieldRule| jsonschema::validator_for(&serde_json::json!({"pattern": shape.pattern})).unwrap();
        let (names, usernames) = (validator(&DISPLAY_NAME), validator(&USERNAME));
        for c in (0..0x1_0000).filter_map(char::from_u32) {
            // Blanks around a name are taken off, so a character is judged in the middle of one.
            let (alone, within) = (c.to_string(), format!("x{c}x"));
            assert_eq!(names.is_valid(&within.clone().into()), display_name(&within).is_ok(), "{within:?}");
            assert_eq!(names.is_valid(&alone.clone().into()), display_name(&alone).is_ok(), "{alone:?}");
            assert_eq!(usernames.is_valid(&within.clone().into()), username(&within).is_ok(), "{within:?}");
        }
    }

    #[test]
    fn a_display_name_is_taken_without_the_blanks_around_it() {
        assert_eq!(display_name("  Zoë \u{1F469}\u{200D}\u{1F680}\t").unwrap(), "Zoë \u{1F469}\u{200D}\u{1F680}");
        assert_eq!(display_name(&"é".repeat(40)).unwrap().chars().count(), 40);
    }

    #[test]
    fn a_display_name_must_be_seen_and_must_not_be_endless() {
        let unseen =
            ["\u{3164}", "\u{2800}\u{2800}", "\u{E0041}\u{E007F}", "\u{115F} \u{FFA0}", "\u{202E}", "\u{FE0F}"];
        for name in ["", "   ", "\u{200B}", "\u{2060} \u{200D}", &"é".repeat(41)].iter().chain(&unseen) {
            assert_eq!(key(display_name(name)).as_deref(), Some("player-display-name-length"), "{name:?}");
        }
    }

    #[test]
    fn a_display_name_must_not_disturb_the_text_around_it() {
        for name in ["a\nb", "a\0b", "a\u{202E}b", "\u{2067}b", "a\u{2028}b", "a\u{85}b"] {
            assert_eq!(key(display_name(name)).as_deref(), Some("player-display-name-characters"), "{name:?}");
        }
    }

    #[test]
    fn a_username_is_plain_and_of_a_sensible_length() {
        for name in ["bob", "A.b-c_9", &"x".repeat(30)] {
            assert_eq!(username(name).unwrap(), name);
        }
        for name in ["", "ab", &"x".repeat(31)] {
            assert_eq!(key(username(name)).as_deref(), Some("player-username-length"), "{name:?}");
        }
        for name in [" bob", "bob ", "bö b", "zoë", "a@b.c", "bob\n"] {
            assert_eq!(key(username(name)).as_deref(), Some("player-username-characters"), "{name:?}");
        }
    }

    #[test]
    fn a_password_is_long_enough_in_characters_and_may_hold_any() {
        for password in ["12345678", "pass word\u{0}", &"é".repeat(256)] {
            new_password(&Secret::new(password)).unwrap();
        }
        for password in ["", "1234567", "ééééééé", &"x".repeat(257)] {
            let refused = key(new_password(&Secret::new(password)));
            assert_eq!(refused.as_deref(), Some("player-password-length"), "{password:?}");
        }
    }
}
