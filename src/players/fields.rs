//! What a name, a username and a password must look like.

use super::PlayerError;
use crate::auth::Secret;
use crate::rules::Message;
use std::ops::RangeInclusive;

const DISPLAY_NAME_LENGTH: RangeInclusive<u8> = 1..=40;
const USERNAME_LENGTH: RangeInclusive<u8> = 3..=30;
/// In characters. The upper bound keeps hashing cheap; no rule asks for digits or capitals, length is what counts.
const PASSWORD_LENGTH: RangeInclusive<i64> = 8..=256;

/// The name others see, without the blanks around it.
pub(super) fn display_name(text: &str) -> Result<String, PlayerError> {
    const FIELD: &str = "displayName";
    let name = text.trim();
    // One that can't be seen is as good as none.
    let visible = name.chars().any(|c| !c.is_whitespace() && !is_invisible(c));
    if !visible || !has_length(name, &DISPLAY_NAME_LENGTH) {
        return Err(PlayerError::invalid(FIELD, length("player-display-name-length", &DISPLAY_NAME_LENGTH)));
    }
    if name.chars().any(disturbs) {
        return Err(PlayerError::invalid(FIELD, Message::new("player-display-name-characters")));
    }
    Ok(name.to_owned())
}

pub(super) fn username(text: &str) -> Result<String, PlayerError> {
    const FIELD: &str = "username";
    if !has_length(text, &USERNAME_LENGTH) {
        return Err(PlayerError::invalid(FIELD, length("player-username-length", &USERNAME_LENGTH)));
    }
    if !text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-')) {
        return Err(PlayerError::invalid(FIELD, Message::new("player-username-characters")));
    }
    Ok(text.to_owned())
}

pub(super) fn new_password(password: &Secret) -> Result<(), PlayerError> {
    if has_length(password.expose(), &PASSWORD_LENGTH) {
        Ok(())
    } else {
        Err(PlayerError::invalid("password", length("player-password-length", &PASSWORD_LENGTH)))
    }
}

fn has_length<N: Copy + Into<i64>>(text: &str, range: &RangeInclusive<N>) -> bool {
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    ((*range.start()).into()..=(*range.end()).into()).contains(&length)
}

fn length<N: Copy + Into<i64>>(key: &'static str, range: &RangeInclusive<N>) -> Message {
    Message::new(key).with("min", (*range.start()).into()).with("max", (*range.end()).into())
}

/// Whether a character breaks lines, or turns the text around it the other way.
fn disturbs(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Joiners and marks without a shape of their own: fine inside a name, but they don't make one.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
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
    fn a_display_name_is_taken_without_the_blanks_around_it() {
        assert_eq!(display_name("  Zoë \u{1F469}\u{200D}\u{1F680}\t").unwrap(), "Zoë \u{1F469}\u{200D}\u{1F680}");
        assert_eq!(display_name(&"é".repeat(40)).unwrap().chars().count(), 40);
    }

    #[test]
    fn a_display_name_must_be_seen_and_must_not_be_endless() {
        for name in ["", "   ", "\u{200B}", "\u{2060} \u{200D}", &"é".repeat(41)] {
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
