//! Steps: the event log of a game, from which everything else about it is derived.

use crate::ids::PlayerId;
use crate::rules::any::{AnyEvent, AnyMove};
use crate::rules::{Instant, Outcome, Seat, Seed};
use base64::{Engine, prelude::BASE64_STANDARD};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// One accepted write to a game. It increases the version by exactly 1, whatever it triggers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub version: u64,
    /// The time of the clock, but never earlier than the previous step.
    pub at: Instant,
    /// The player who acted; none if the service did.
    pub by: Option<PlayerId>,
    /// The seat of that player, if seated.
    pub seat: Option<Seat>,
    pub action: Action,
    pub events: Vec<Event>,
}

/// The action of a step. Together with the seed it determines the resulting state.
///
/// Stored permanently: add new variants at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    Create(Box<Creation>),
    /// Takes the requested seat, or the lowest free one.
    Sit {
        seat: Option<Seat>,
    },
    Stand,
    Remove {
        seat: Seat,
    },
    Configure {
        seats: u8,
        options: Text,
    },
    /// Admitted by the invite code of an unlisted game.
    Enter,
    Start,
    Play {
        mv: KindMove,
    },
    Resign {
        seats: Vec<Seat>,
    },
    /// Resigns the seats that were late by the clocks of the builds that wrote it. Replaced by
    /// [`Action::TimeOutSeats`].
    TimeOut,
    /// A player whose account was deleted stands up or resigns.
    Depart,
    /// By the service: the lobby was idle for too long.
    Expire,
    /// A choice in the lobby.
    Choose {
        choice: Text,
    },
    /// A start with its preparation.
    Begin {
        prepared: Text,
    },
    /// An aside: a note, a name, a question.
    Aside {
        aside: String,
    },
    /// Resigns these seats, which have exceeded their time.
    TimeOutSeats {
        seats: Vec<Seat>,
    },
    /// Creates a rematch. `held` has the player of the earlier game for whom each seat is held.
    Rematch {
        creation: Box<Creation>,
        held: Vec<Option<PlayerId>>,
    },
    /// The host seats a bot: on this seat, or the lowest free one.
    AddBot {
        seat: Option<Seat>,
        level: u8,
        version: u8,
    },
    /// A bot plays a move, chosen by what its seat knew at version `seen`.
    BotPlay {
        seat: Seat,
        mv: KindMove,
        seen: u64,
    },
}

impl Action {
    /// The set-up and the held seats, if this action created the game.
    pub fn creation(&self) -> Option<(&Creation, &[Option<PlayerId>])> {
        match self {
            Self::Create(creation) => Some((creation, &[])),
            Self::Rematch { creation, held } => Some((creation, held)),
            _ => None,
        }
    }
}

/// Set-up of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Creation {
    pub kind: String,
    pub rules_version: u32,
    pub options: Text,
    /// The players seated from the start: the host, or nobody. Rematches by earlier builds seated everybody.
    pub seats: Vec<Option<PlayerId>>,
    pub visibility: Visibility,
    /// The invite code of an unlisted game.
    pub invite: Option<String>,
    pub seed: Seed,
}

/// Who can find a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Visibility {
    /// Listed, and everyone can read it.
    #[default]
    Public,
    /// Only its members can see it: the host, the seated players, players for whom a seat is held, and players who have
    /// accepted its invite. For all others it does not exist.
    Unlisted,
}

/// JSON stored as text, because the store's encoding needs types with a known layout.
#[derive(Clone, Debug, PartialEq)]
pub struct Text(pub serde_json::Value);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { self.0.serialize(serializer) } else { serializer.collect_str(&self.0) }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            serde_json::Value::deserialize(deserializer).map(Text)
        } else {
            serde_json::from_str(&String::deserialize(deserializer)?).map(Text).map_err(D::Error::custom)
        }
    }
}

/// A change made by a step. Stored with all secrets; views of it are made for each viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Table(TableEvent),
    Rules(KindEvent),
}

/// An event of the kind, typed until the store encodes it.
#[derive(Clone, Debug, PartialEq)]
pub struct KindEvent(pub AnyEvent);

impl Serialize for KindEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Opaque(self.0.bytes().into_owned()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KindEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Opaque::deserialize(deserializer).map(|Opaque(bytes)| Self(AnyEvent::encoded(bytes)))
    }
}

/// A move of the kind: typed if it comes from a request, otherwise the notation from the store or a replay.
#[derive(Clone, Debug)]
pub enum KindMove {
    Typed(AnyMove),
    Notation(String),
}

impl KindMove {
    /// The notation, which is stored and shown.
    pub fn id(&self) -> &str {
        match self {
            Self::Typed(mv) => &mv.id,
            Self::Notation(id) => id,
        }
    }
}

impl PartialEq for KindMove {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl From<&str> for KindMove {
    fn from(id: &str) -> Self {
        Self::Notation(id.to_owned())
    }
}

impl Serialize for KindMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for KindMove {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::Notation)
    }
}

/// Bytes that only the rules of the kind can decode.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque(pub Vec<u8>);

/// Base64 in exports, raw bytes in the store.
impl Serialize for Opaque {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&BASE64_STANDARD.encode(&self.0))
        } else {
            // The same encoding as a list of bytes, written in one call.
            serializer.serialize_bytes(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Opaque {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            BASE64_STANDARD.decode(String::deserialize(deserializer)?).map(Opaque).map_err(D::Error::custom)
        } else {
            Vec::deserialize(deserializer).map(Opaque)
        }
    }
}

/// Events that every kind has. All of them are public.
///
/// Stored permanently: add new variants at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TableEvent {
    Created,
    SatDown {
        seat: Seat,
        player: PlayerId,
    },
    StoodUp {
        seat: Seat,
    },
    Removed {
        seat: Seat,
    },
    HostChanged {
        host: PlayerId,
    },
    Configured {
        seats: u8,
        options: Text,
    },
    Entered {
        player: PlayerId,
    },
    Started,
    /// `late` if the seat exceeded its time.
    Resigned {
        seat: Seat,
        late: bool,
    },
    Finished {
        outcome: Outcome,
    },
    Abandoned,
    Chosen {
        seat: Seat,
        choice: Text,
    },
    /// The seat is held for a player.
    Invited {
        seat: Seat,
        player: PlayerId,
    },
    /// The seat is no longer held.
    Released {
        seat: Seat,
    },
}
