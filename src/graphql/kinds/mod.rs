//! What differs from kind to kind: views, moves, events, options, effects, each a type of its own behind an interface.
//!
//! A kind is a file here and a line in `kinds!`, and a line in each of the unions below it that the kind has something for
//! (effects of moves, choices in the lobby, preparations). `tests/graphql/drift.rs` shows that
//! whatever REST tells of it, GraphQL tells too.

pub mod shape;
mod table;

pub use santa_rescue::SantaRescueSymbol;
pub use table::TableEvent;

use crate::rules::any::Json;
use async_graphql::{Enum, Interface, OneofObject, Union};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, value::RawValue};
use shape::{interface_over, tag};

/// Declares every kind: its name in Rust, its file, its id.
macro_rules! kinds {
    ($($kind:ident: $file:ident = $id:literal),* $(,)?) => {
        $(mod $file;)*

        /// What can be played.
        #[derive(Clone, Copy, Debug, Enum, PartialEq, Eq, Serialize, Deserialize)]
        pub enum KindId {
            $(
                #[doc = concat!("The kind `", $id, "`.")]
                #[graphql(name = $id)]
                #[serde(rename = $id)]
                $kind
            ),*
        }

        impl KindId {
            /// As the catalogue has it.
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$kind => $id),*
                }
            }
        }

        /// The table as one pair of eyes sees it. What those may not see is null.
        #[derive(Interface)]
        #[graphql(field(name = "kind", ty = "&KindId", desc = "What is played."))]
        #[allow(clippy::large_enum_variant, reason = "there is one at a time, and it is told at once")]
        pub enum GameView {
            $($kind($file::View)),*
        }

        impl GameView {
            fn of(kind: KindId, value: Value) -> Result<Self, serde_json::Error> {
                match kind {
                    $(KindId::$kind => serde_json::from_value(value).map(Self::$kind)),*
                }
            }
        }

        /// What was agreed before a game.
        #[derive(Interface)]
        #[graphql(
            field(name = "kind", ty = "&KindId", desc = "What is played."),
            field(name = "move_seconds", ty = "&i32", desc = "Seconds that a seat may take for a move; 0 for as long as it likes.")
        )]
        pub enum GameOptions {
            $($kind($file::Options)),*
        }

        impl<'de> Deserialize<'de> for GameOptions {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = Value::deserialize(deserializer)?;
                let read = match tag(&value, "kind") {
                    $($id => serde_json::from_value(value).map(Self::$kind),)*
                    other => return Err(D::Error::custom(format!("no options of {other:?} are known"))),
                };
                read.map_err(D::Error::custom)
            }
        }

        interface_over! {
            /// What a seat may do, or did.
            Move { $($kind($file::Move)),* }
        }

        interface_over! {
            /// One thing that happened, as one viewer is told of it: at the table as such, or by the rules of a kind.
            GameEvent { Table(TableEvent), $($kind($file::Event)),* }
        }

        /// Options, by kind. What is left out takes its default.
        #[derive(OneofObject)]
        pub enum GameOptionsInput {
            $(
                #[doc = concat!("For the kind `", $id, "`.")]
                $kind($file::OptionsInput)
            ),*
        }

        impl GameOptionsInput {
            /// The kind they are for, and the JSON that REST would have been sent.
            pub fn read(&self) -> (KindId, Value) {
                match self {
                    $(Self::$kind(options) => (KindId::$kind, json(options))),*
                }
            }
        }

        /// A move, by kind.
        #[derive(OneofObject)]
        pub enum GameMoveInput {
            $(
                #[doc = concat!("Of the kind `", $id, "`.")]
                $kind($file::MoveInput)
            ),*
        }

        impl GameMoveInput {
            /// The JSON that REST would have been sent.
            pub fn read(&self) -> Value {
                match self {
                    $(Self::$kind(mv) => json(mv)),*
                }
            }
        }

        impl Move {
            fn of(kind: KindId, value: Value) -> Result<Self, serde_json::Error> {
                match kind {
                    $(KindId::$kind => serde_json::from_value(value).map(Self::$kind)),*
                }
            }
        }

        impl GameEvent {
            fn of(kind: KindId, value: Value) -> Result<Self, serde_json::Error> {
                match kind {
                    $(KindId::$kind => serde_json::from_value(value).map(Self::$kind)),*
                }
            }
        }
    };
}

kinds! {
    Chips: chips = "CHIPS",
    Loading: loading = "LOADING",
    SantaRescue: santa_rescue = "SANTA_RESCUE",
    ToyRush: toy_rush = "TOY_RUSH",
    ToysGoGoGo: toys_go_go_go = "TOYS_GO_GO_GO",
}

/// What a listed move would bring, in kinds where all is open.
#[derive(Union)]
pub enum MoveEffect {
    SantaRescue(santa_rescue::SantaRescueEffect),
    ToysGoGoGo(toys_go_go_go::ToysGoGoGoEffect),
}

/// What a seat chose in the lobby, in kinds that let it.
#[derive(Deserialize, Union)]
#[serde(untagged)]
pub enum SeatChoice {
    SantaRescue(santa_rescue::SantaRescueChoice),
}

/// What to choose in the lobby, by kind.
#[derive(OneofObject, Serialize)]
#[serde(untagged)]
pub enum SeatChoiceInput {
    /// For the kind `SANTA_RESCUE`.
    SantaRescue(santa_rescue::SantaRescueChoiceInput),
}

/// What was worked out before a game began, in kinds that take it.
#[derive(Deserialize, Union)]
#[serde(untagged)]
pub enum Preparation {
    SantaRescue(santa_rescue::SantaRescuePreparation),
}

/// A choice that says all there is to say.
#[derive(Clone, Copy, Enum, PartialEq, Eq)]
pub enum Chosen {
    /// That is what is chosen.
    Yes,
}

/// As REST has it: a move with no more than its `type`.
impl Serialize for Chosen {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(std::iter::empty::<(&str, &str)>())
    }
}

/// JSON of ours that a type here can't read. `tests/graphql/drift.rs` is there so that it never happens.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{what} of {kind} can't be told: {why}")]
pub struct Untold {
    what: &'static str,
    kind: String,
    why: String,
}

impl KindId {
    /// The kind that the catalogue knows by this id.
    pub fn of(kind: &str) -> Result<Self, Untold> {
        read("the kind", kind, Value::from(kind))
    }
}

impl GameView {
    pub fn read(kind: KindId, view: &RawValue) -> Result<Self, Untold> {
        let view = serde_json::from_str(view.get()).unwrap_or_default();
        Self::of(kind, with_kind(view, kind)).map_err(|why| Untold::new("a view", kind, &why))
    }
}

impl GameOptions {
    pub fn read(kind: KindId, options: &Value) -> Result<Self, Untold> {
        read("the options", kind.id(), with_kind(options.clone(), kind))
    }
}

impl Move {
    pub fn read(kind: KindId, mv: &Json) -> Result<Self, Untold> {
        let value = serde_json::from_str(mv.get()).unwrap_or_default();
        Self::of(kind, value).map_err(|why| Untold::new("a move", kind, &why))
    }
}

impl GameEvent {
    pub fn read(kind: KindId, mut event: Value) -> Result<Self, Untold> {
        let told = if TableEvent::has(tag(&event, "type")) {
            if let Some(options) = event.get_mut("options") {
                *options = with_kind(options.take(), kind);
            }
            serde_json::from_value(event).map(Self::Table)
        } else {
            Self::of(kind, event)
        };
        told.map_err(|why| Untold::new("an event", kind, &why))
    }
}

impl SeatChoice {
    pub fn read(kind: KindId, choice: &Value) -> Result<Self, Untold> {
        read("a choice", kind.id(), choice.clone())
    }
}

impl MoveEffect {
    pub fn read(kind: KindId, effect: &Json) -> Result<Self, Untold> {
        let read = match kind {
            KindId::SantaRescue => serde_json::from_str(effect.get()).map(Self::SantaRescue),
            KindId::ToysGoGoGo => serde_json::from_str(effect.get()).map(Self::ToysGoGoGo),
            other => Err(serde_json::Error::custom(format!("moves of {} have none", other.id()))),
        };
        read.map_err(|why| Untold::new("an effect", kind, &why))
    }
}

impl Untold {
    pub fn new(what: &'static str, kind: KindId, why: &serde_json::Error) -> Self {
        Self { what, kind: kind.id().to_owned(), why: why.to_string() }
    }
}

/// Options and views do not say of which kind they are; the game does.
pub fn with_kind(mut value: Value, kind: KindId) -> Value {
    if let Value::Object(fields) = &mut value {
        fields.insert("kind".to_owned(), kind.id().into());
    }
    value
}

fn read<T: DeserializeOwned>(what: &'static str, kind: &str, value: Value) -> Result<T, Untold> {
    serde_json::from_value(value).map_err(|why| Untold { what, kind: kind.to_owned(), why: why.to_string() })
}

/// The JSON that REST would have been sent.
pub fn json(input: &impl Serialize) -> Value {
    serde_json::to_value(input).expect("inputs are plain data")
}
