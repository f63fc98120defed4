//! What a game is made of: its steps, in order. Everything else about a game can be worked out from them.

use crate::ids::PlayerId;
use crate::rules::any::{AnyEvent, AnyMove};
use crate::rules::{Instant, Outcome, Seat, Seed};
use base64::{Engine, prelude::BASE64_STANDARD};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// One accepted write to a game. Each adds exactly 1 to its version, whatever it sets off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub version: u64,
    /// The later of the clock and the step before.
    pub at: Instant,
    /// Who did it; nobody when the service itself did.
    pub by: Option<PlayerId>,
    /// The seat of whoever did it, if seated.
    pub seat: Option<Seat>,
    pub action: Action,
    pub events: Vec<Event>,
}

/// What was done: with the seed, enough to work out all the rest again.
///
/// Stored for ever: new variants go to the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    Create(Box<Creation>),
    /// On a seat of choice, or the lowest free one.
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
    /// Let in by the invite code of an unlisted game.
    Enter,
    Start,
    Play {
        mv: KindMove,
    },
    Resign {
        seats: Vec<Seat>,
    },
    /// Resigns the seats that let their time pass, by the clock of builds that wrote this. [`Action::TimeOutSeats`]
    /// replaces it.
    TimeOut,
    /// A player whose account is deleted leaves: stands up, or resigns.
    Depart,
    /// By the service itself: nobody came to the lobby for too long.
    Expire,
    /// What the kind lets a seat choose in the lobby.
    Choose {
        choice: Text,
    },
    /// A start with what was worked out for it beforehand.
    Begin {
        prepared: Text,
    },
    /// Something beside the moves: a note, a name, a question.
    Aside {
        aside: String,
    },
    /// Resigns these seats, all of which let their time pass.
    TimeOutSeats {
        seats: Vec<Seat>,
    },
    /// A rematch is made. Each seat in `held` waits for the player of the game before, who has not asked for it yet.
    Rematch {
        creation: Box<Creation>,
        held: Vec<Option<PlayerId>>,
    },
}

impl Action {
    /// How the game was set up and which seats were held, if this made it.
    pub fn creation(&self) -> Option<(&Creation, &[Option<PlayerId>])> {
        match self {
            Self::Create(creation) => Some((creation, &[])),
            Self::Rematch { creation, held } => Some((creation, held)),
            _ => None,
        }
    }
}

/// How a game was set up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Creation {
    pub kind: String,
    pub rules_version: u32,
    pub options: Text,
    /// Who sits where from the start: the host, or nobody. Rematches of earlier builds seated everybody.
    pub seats: Vec<Option<PlayerId>>,
    pub visibility: Visibility,
    /// For an unlisted game: what lets people in.
    pub invite: Option<String>,
    pub seed: Seed,
}

/// Who may find a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Visibility {
    /// Listed, and readable by anybody.
    #[default]
    Public,
    /// Known only to those seated or invited; to all others it does not exist.
    Unlisted,
}

/// JSON kept as text, because the store's encoding only takes what it knows the shape of.
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

/// One thing a step changed. Stored with all its secrets; what a viewer is told is made from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Table(TableEvent),
    Rules(KindEvent),
}

/// An event of the kind, which only its rules can read. It stays typed until the store encodes it.
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

/// A move of the kind: typed where it was read from a request, its notation where it comes from the store or a replay.
#[derive(Clone, Debug)]
pub enum KindMove {
    Typed(AnyMove),
    Notation(String),
}

impl KindMove {
    /// The notation, which is what is stored and shown.
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

/// Bytes that only the rules of the kind can read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque(pub Vec<u8>);

/// Base64 in exports, plain bytes in the store.
impl Serialize for Opaque {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&BASE64_STANDARD.encode(&self.0))
        } else {
            // The same in the store's encoding as a list of bytes, and written at once.
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

/// What happens at every table, whatever is played on it. All of it is public.
///
/// Stored for ever: new variants go to the end.
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
    /// `late` when the seat's time had passed.
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
    /// The seat is held for a player, who has not taken it yet.
    Invited {
        seat: Seat,
        player: PlayerId,
    },
    /// The seat is held for nobody any more.
    Released {
        seat: Seat,
    },
}
