//! GraphQL types of kinds: views, moves, events, options and other values whose type differs between kinds.
//!
//! Their types are derived from the JSON Schemas of the kinds ([`types`]) and registered in the static schema
//! ([`register`]). Their values are written in one walk over the selection set ([`select`]), outside the library's
//! executor ([`split`]). So this code depends on no particular kind, and GraphQL returns the same values as REST.

pub mod example;
mod input;
mod plan;
mod register;
mod select;
mod split;
mod types;

pub use input::{AsideInput, GameMoveInput, GameOptionsInput, SeatChoiceInput};
pub use split::Split;

use crate::codes::Code;
use crate::games::{EventView, schema::described};
use crate::rules::any::{AnyRules, Part};
use async_graphql::parser::types::Field;
use async_graphql::registry::{EnumBuilder, MetaEnumValue, Registry};
use async_graphql::{
    ContextSelectionSet, Enum, InputType, InputValueError, InputValueResult, Name, OutputType, Positioned, ServerError,
    ServerResult, Value,
};
use select::Walk;
use serde::ser::{Error as _, SerializeStruct};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use split::Selected;
use std::borrow::{Borrow, Cow};
use std::marker::PhantomData;
use std::sync::Arc;
use types::{OUTPUT, TAG, TypeId};

/// A place in the API that has values of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    Of(Part),
    /// The action of a step in a replay.
    Action,
    /// How a game ended.
    Outcome,
}

impl Position {
    const OF_RESPONSES: [Self; 8] = [
        Self::Of(Part::View),
        Self::Of(Part::Options),
        Self::Of(Part::Move),
        Self::Of(Part::Event),
        Self::Of(Part::Effect),
        Self::Of(Part::Choice),
        Self::Of(Part::Preparation),
        Self::Action,
    ];

    /// The interface or union of all types in this position.
    fn type_name(self) -> &'static str {
        match self {
            Self::Of(Part::View) => "GameView",
            Self::Of(Part::Options) => "GameOptions",
            Self::Of(Part::Move) => "Move",
            Self::Of(Part::Event) => "GameEvent",
            Self::Of(Part::Effect) => "MoveEffect",
            Self::Of(Part::Choice) => "SeatChoice",
            Self::Of(Part::Preparation) => "Preparation",
            Self::Of(Part::Aside) => "Aside",
            Self::Action => "ReplayAction",
            Self::Outcome => "Outcome",
        }
    }

    fn of_type_name(name: &str) -> Option<Self> {
        Self::OF_RESPONSES.into_iter().find(|position| position.type_name() == name)
    }

    fn about(self) -> &'static str {
        match self {
            Self::Of(Part::View) => "The state of a game as the viewer sees it. Hidden values are null.",
            Self::Of(Part::Options) => "The options of a game.",
            Self::Of(Part::Move) => "A move of a seat.",
            Self::Of(Part::Event) => {
                "An event, as far as the viewer can see it: one that every game can have, or one of the game's kind."
            }
            Self::Of(Part::Effect) => "What a legal move would do, in kinds that tell it in advance.",
            Self::Of(Part::Choice) => "What a seat chose in the lobby, in kinds with such a choice.",
            Self::Of(Part::Preparation) => "Data that was computed before the game began, in kinds that need it.",
            Self::Of(Part::Aside) => "An aside: something that a seat can do besides its moves.",
            Self::Action => "The action of a step.",
            Self::Outcome => "How a game ended.",
        }
    }

    fn about_input(self) -> &'static str {
        match self {
            Self::Of(Part::Options) => {
                "Options. Set the field of the game's kind; an option that is left out takes its default."
            }
            Self::Of(Part::Move) => "A move. Set the field of the game's kind.",
            Self::Of(Part::Choice) => "A choice in the lobby. Set the field of the game's kind.",
            Self::Of(Part::Aside) => {
                "An aside: something that a seat does besides its moves. Set the field of the game's kind."
            }
            other => other.about(),
        }
    }
}

/// A position as a Rust type, so that each position has a GraphQL type of its own.
pub trait At: Send + Sync {
    const POSITION: Position;
}

macro_rules! positions {
    ($($marker:ident, $alias:ident = $position:expr;)*) => {
        $(
            #[doc(hidden)]
            pub struct $marker;

            impl At for $marker {
                const POSITION: Position = $position;
            }

            pub type $alias = KindValue<$marker>;
        )*
    };
}

positions! {
    AtView, GameView = Position::Of(Part::View);
    AtOptions, GameOptions = Position::Of(Part::Options);
    AtMove, Move = Position::Of(Part::Move);
    AtEvent, GameEvent = Position::Of(Part::Event);
    AtEffect, MoveEffect = Position::Of(Part::Effect);
    AtChoice, SeatChoice = Position::Of(Part::Choice);
    AtAction, ReplayAction = Position::Action;
    AtOutcome, Outcome = Position::Outcome;
}

/// A value whose selected fields are written by [`select`].
pub struct KindValue<P> {
    kind: &'static str,
    /// `None` if the kind's schema has no object in this position.
    ty: Option<TypeId>,
    value: Box<dyn erased_serde::Serialize + Send + Sync>,
    position: PhantomData<P>,
}

impl<P: At> KindValue<P> {
    /// A value that the kind defines.
    pub fn of_kind(rules: &dyn AnyRules, value: impl Serialize + Send + Sync + 'static) -> Self {
        let kind = rules.info().kind;
        Self { kind, ty: OUTPUT.root(kind, P::POSITION), value: Box::new(value), position: PhantomData }
    }

    /// A value that is the same for all kinds, in a game of this kind.
    pub fn of_service(rules: &dyn AnyRules, value: impl Serialize + Send + Sync + 'static) -> Self {
        let kind = rules.info().kind;
        Self { kind, ty: OUTPUT.root("", P::POSITION), value: Box::new(value), position: PhantomData }
    }
}

impl GameEvent {
    pub fn of_view(rules: &dyn AnyRules, view: &EventView) -> Self {
        match view {
            EventView::Rules(event) => Self::of_kind(rules, event.clone()),
            EventView::Table(event) => Self::of_service(rules, event.clone()),
        }
    }

    /// An event of a replay, which is already JSON.
    pub fn replayed(rules: &dyn AnyRules, event: Json) -> Self {
        let is_of_service =
            OUTPUT.root("", AtEvent::POSITION).is_some_and(|all| OUTPUT.variant(all, &event[TAG]).is_some());
        if is_of_service { Self::of_service(rules, TagFirst(event)) } else { Self::of_kind(rules, TagFirst(event)) }
    }
}

impl<P: At> OutputType for KindValue<P> {
    fn type_name() -> Cow<'static, str> {
        P::POSITION.type_name().into()
    }

    fn introspection_type_name(&self) -> Cow<'static, str> {
        self.ty.map_or_else(Self::type_name, |ty| OUTPUT[ty].name.as_str().into())
    }

    fn create_type_info(registry: &mut Registry) -> String {
        register::output_types(registry);
        Self::qualified_type_name()
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        let split = ctx.data_opt::<Arc<Split>>().map(|split| &**split);
        let selected = split.and_then(|split| split.selected(field.pos));
        let walk = Walk {
            types: &OUTPUT,
            kind: self.kind,
            fragments: split.map_or(&ctx.query_env.fragments, |split| &split.fragments),
            variables: &ctx.query_env.variables,
        };
        let text = match self.ty {
            Some(ty) => walk.write(&*self.value, ty, selected.map_or(&ctx.item.node, |selected| &selected.set)),
            None => Err(serde_json::Error::custom("the kind has no such type")),
        };
        let value = text.and_then(|text| match selected {
            Some(Selected { may_be_merged: false, .. }) => Ok(raw_json(text)),
            _ => serde_json::from_str(&text),
        });
        value.map_err(|error| {
            tracing::error!(kind = self.kind, %error, "a value does not fit its GraphQL type");
            let mut failed = ServerError::new("the value can't be serialized", Some(field.pos));
            failed.extensions.get_or_insert_default().set("code", Code::Unavailable.name());
            failed
        })
    }
}

/// The name by which `serde_json` and the library recognise raw JSON.
const RAW_JSON: &str = "$serde_json::private::RawValue";

/// JSON text that is copied into the response. The library can't merge it with another value.
fn raw_json(text: String) -> Value {
    Value::Object([(Name::new(RAW_JSON), Value::String(text))].into_iter().collect())
}

/// Serializer for the data of a response. The library's own copies raw JSON and parses it again.
pub struct Data<'a>(pub &'a Value);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(fields) => match fields.get(RAW_JSON) {
                Some(Value::String(text)) if fields.len() == 1 => {
                    let mut raw = serializer.serialize_struct(RAW_JSON, 1)?;
                    raw.serialize_field(RAW_JSON, text)?;
                    raw.end()
                }
                _ => serializer.collect_map(fields.iter().map(|(name, value)| (name, Data(value)))),
            },
            Value::List(items) => serializer.collect_seq(items.iter().map(Data)),
            leaf => leaf.serialize(serializer),
        }
    }
}

/// Serializes the tag of every object first, as serde does for enums.
struct TagFirst<V>(V);

impl<V: Borrow<Json>> Serialize for TagFirst<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.borrow() {
            Json::Array(items) => serializer.collect_seq(items.iter().map(TagFirst)),
            Json::Object(fields) => {
                let tag = fields.get_key_value(TAG).into_iter();
                let fields = tag.chain(fields.iter().filter(|(name, _)| *name != TAG));
                serializer.collect_map(fields.map(|(name, value)| (name, TagFirst(value))))
            }
            plain => plain.serialize(serializer),
        }
    }
}

/// The enum `KindId`: the ids of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindId(pub &'static str);

impl KindId {
    pub fn of(rules: &dyn AnyRules) -> Self {
        Self(rules.info().kind)
    }

    fn register(registry: &mut Registry) -> String {
        let values = described().newest_of_all().map(|rules| {
            let info = rules.info();
            let (least, most) = (info.seats.start(), info.seats.end());
            let players = if least == most { most.to_string() } else { format!("{least} to {most}") };
            let contents = format!("`kind(id: {})` has its name, a summary of its rules and its schemas.", info.kind);
            let mut value = MetaEnumValue::new(info.kind);
            value.description = Some(format!("For {players} players. {contents}"));
            (value.name.clone(), value)
        });
        let kinds = EnumBuilder::new("KindId", values.collect()).description(Some("The kinds of games.".to_owned()));
        registry.types.entry("KindId".to_owned()).or_insert_with(|| kinds.build());
        <Self as InputType>::qualified_type_name()
    }
}

impl OutputType for KindId {
    fn type_name() -> Cow<'static, str> {
        "KindId".into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Self::register(registry)
    }

    async fn resolve(&self, _: &ContextSelectionSet<'_>, _: &Positioned<Field>) -> ServerResult<Value> {
        Ok(Value::Enum(Name::new(self.0)))
    }
}

impl InputType for KindId {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        "KindId".into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Self::register(registry)
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        let value = value.unwrap_or_default();
        let name = match &value {
            Value::Enum(name) => name.as_str(),
            Value::String(name) => name,
            _ => return Err(InputValueError::expected_type(value)),
        };
        let known = described().newest(name).map(KindId::of);
        known.ok_or_else(|| InputValueError::custom(format!("there is no kind {name}")))
    }

    fn to_value(&self) -> Value {
        Value::Enum(Name::new(self.0))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

/// The value of a `@oneOf` field that needs no details, for example `charge: YES`.
#[derive(Clone, Copy, Enum, PartialEq, Eq)]
pub enum Chosen {
    /// Choose this one.
    Yes,
}
