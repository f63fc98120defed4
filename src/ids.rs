//! Typed ids: opaque to clients, time-ordered (UUIDv7), and spelled the same in REST, GraphQL and the log.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// A text that is no id of the expected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an id of this type")]
pub struct NotAnId;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// The prefix of every id of this type.
            pub const PREFIX: &'static str = $prefix;

            /// Generates an id that sorts after all earlier ones.
            #[allow(clippy::new_without_default, reason = "two new ids differ, a default would not")]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }

            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }

            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// Hands over the text. Without a formatter, which takes several times as long: an answer has a dozen ids.
            fn with_text<T>(&self, write: impl FnOnce(&str) -> T) -> T {
                let mut text = [0; $prefix.len() + 32];
                let (prefix, digits) = text.split_at_mut($prefix.len());
                prefix.copy_from_slice($prefix.as_bytes());
                self.0.simple().encode_lower(digits);
                write(str::from_utf8(&text).expect("letters and digits"))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.with_text(|text| f.write_str(text))
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            /// Accepts only the spelling that `Display` writes, so that ids can be compared as text.
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let digits = text.strip_prefix($prefix).ok_or(NotAnId)?;
                let plain = digits.len() == 32 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
                if plain { Uuid::try_parse(digits).map(Self).map_err(|_| NotAnId) } else { Err(NotAnId) }
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    "pattern": concat!("^", $prefix, "[0-9a-f]{32}$"),
                    "x-graphql": "ID",
                })
            }
        }

        /// Serializes as prefixed text in JSON and as 16 plain bytes in the store.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    self.with_text(|text| serializer.serialize_str(text))
                } else {
                    self.as_bytes().serialize(serializer)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
                } else {
                    <[u8; 16]>::deserialize(deserializer).map(Self::from_bytes)
                }
            }
        }
    };
}

id!(
    /// A game.
    GameId,
    "game_"
);
id!(
    /// A player's account.
    PlayerId,
    "player_"
);
id!(
    /// A sign-in (refresh token family): its successive refresh tokens and the access tokens issued with them.
    FamilyId,
    "session_"
);

/// A player that is a program. Its id is made of what it is, so that it needs no account: ids of accounts begin with the
/// time of their creation, those of bots with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotPlayer {
    /// The version of the kind's bot.
    pub version: u8,
    /// How strong it plays, from 1.
    pub level: u8,
    /// Tells the bots of one game apart, from 0.
    pub number: u8,
}

/// The first bytes of every bot's id: time 0, and the version and variant of a UUIDv7.
const BOT: [u8; 13] = [0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, b'b', b'o', b't'];

/// The names of bots, by number; the same in all languages. As many as the largest table has seats.
const BOT_NAMES: [&str; 7] =
    ["Robot Pixel", "Robot Domino", "Robot Kubo", "Robot Tilt", "Robot Zippy", "Robot Mika", "Robot Bolt"];

impl BotPlayer {
    /// Stands for all bots in the index of games that wait for a player.
    pub const ANY: PlayerId = BotPlayer { version: 0, level: 0, number: 0 }.id();

    /// The id of this player.
    pub const fn id(self) -> PlayerId {
        let (mut bytes, mut at) = ([0; 16], 0);
        while at < BOT.len() {
            bytes[at] = BOT[at];
            at += 1;
        }
        [bytes[13], bytes[14], bytes[15]] = [self.version, self.level, self.number];
        PlayerId(Uuid::from_bytes(bytes))
    }

    /// The bot with this id; `None` for a person.
    pub fn of(id: PlayerId) -> Option<Self> {
        let [version, level, number] = *id.as_bytes().strip_prefix(&BOT)?.first_chunk()?;
        (id != Self::ANY).then_some(Self { version, level, number })
    }

    /// The name that everybody sees.
    pub fn name(self) -> &'static str {
        BOT_NAMES[usize::from(self.number) % BOT_NAMES.len()]
    }
}

impl PlayerId {
    /// Whether the player is a program.
    pub fn is_bot(self) -> bool {
        BotPlayer::of(self).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_known_by_its_id_and_nobody_else_is() {
        let bot = BotPlayer { version: 1, level: 3, number: 2 };
        assert_eq!((BotPlayer::of(bot.id()), bot.id().is_bot(), bot.name()), (Some(bot), true, "Robot Kubo"));
        assert_eq!(bot.id().to_string(), "player_0000000000007000800062 6f74010302".replace(' ', ""));
        assert_eq!((BotPlayer::of(BotPlayer::ANY), BotPlayer::of(PlayerId::new())), (None, None));
    }

    #[test]
    fn an_id_is_read_back_from_the_text_it_shows() {
        let id = GameId::new();
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(serde_json::from_str::<GameId>(&format!("\"{id}\"")).expect("an id"), id);
    }

    #[test]
    fn no_other_spelling_is_an_id() {
        let id = GameId::new().to_string();
        for other in [id.to_uppercase(), id.replace("game_", "player_"), id[..36].to_owned(), format!("{id}0")] {
            assert_eq!(other.parse::<GameId>(), Err(NotAnId), "{other}");
        }
    }

    #[test]
    fn later_ids_sort_later() {
        let ids: Vec<_> = (0..100).map(|_| PlayerId::new()).collect();
        assert!(ids.is_sorted());
    }
}
