//! Arguments whose type differs between kinds, converted to the JSON that REST accepts.

use super::types::{Field, INPUT, TAG, Target, TypeId, TypeShape};
use super::{Position, register};
use crate::games::schema::{camel, described};
use crate::graphql::plain::Plain;
use crate::rules::any::Part;
use async_graphql::registry::Registry;
use async_graphql::{InputType, InputValueError, InputValueResult, Value};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::marker::PhantomData;

/// A value for one kind: `{myKind: {…}}`.
pub struct KindInput<P> {
    pub kind: &'static str,
    /// The value as JSON, as REST accepts it.
    pub json: Json,
    position: PhantomData<P>,
}

/// A position of arguments.
pub trait Sent: Send + Sync {
    const POSITION: Position;
    const NAME: &'static str;
}

macro_rules! inputs {
    ($($marker:ident, $alias:ident = $part:ident;)*) => {
        $(
            #[doc(hidden)]
            pub struct $marker;

            impl Sent for $marker {
                const POSITION: Position = Position::Of(Part::$part);
                const NAME: &'static str = stringify!($alias);
            }

            pub type $alias = KindInput<$marker>;
        )*
    };
}

inputs! {
    SentOptions, GameOptionsInput = Options;
    SentMove, GameMoveInput = Move;
    SentChoice, SeatChoiceInput = Choice;
    SentAside, AsideInput = Aside;
}

impl<P: Sent> InputType for KindInput<P> {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        P::NAME.into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        register::input_types(registry, P::POSITION, P::NAME);
        Self::qualified_type_name()
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        let (name, value) = only_entry(value.unwrap_or_default())?;
        let rules = described().newest_of_all().find(|rules| camel(rules.info().slug) == name);
        let kind = rules.map(|rules| rules.info().kind);
        let root = kind.and_then(|kind| Some((kind, INPUT.root(kind, P::POSITION)?)));
        let (kind, ty) = root.ok_or_else(|| InputValueError::custom(format!("there is no kind {name}")))?;
        let json = read(ty, value).map_err(InputValueError::custom)?;
        Ok(Self { kind, json, position: PhantomData })
    }

    fn to_value(&self) -> Value {
        Value::from_json(self.json.clone()).unwrap_or_default()
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

/// The entry of an object with exactly one.
fn only_entry<T>(value: Value) -> Result<(String, Value), InputValueError<T>>
where
    InputValueError<T>: Sized,
    T: InputType,
{
    match value {
        Value::Object(fields) if fields.len() == 1 => {
            let (name, value) = fields.into_iter().next().expect("one entry");
            Ok((name.to_string(), value))
        }
        other => Err(InputValueError::expected_type(other)),
    }
}

/// Converts a value of an input type to JSON.
fn read(ty: TypeId, value: Value) -> Result<Json, String> {
    match &INPUT[ty].shape {
        TypeShape::Object(fields) => {
            let Value::Object(mut given) = value else { return Err("an object is expected".to_owned()) };
            let mut read = Map::new();
            for (name, field) in fields {
                match given.swap_remove(name.as_str()) {
                    None | Some(Value::Null) if field.ty.ends_with('!') => return Err(format!("`{name}` is missing")),
                    // A missing field takes its default.
                    None | Some(Value::Null) => {}
                    Some(value) => drop(read.insert(name.clone(), read_field(&field.ty, field, value)?)),
                }
            }
            Ok(Json::Object(read))
        }
        TypeShape::Union(variants) => {
            let Value::Object(given) = value else { return Err("an object is expected".to_owned()) };
            let Some((name, value)) = given.into_iter().next() else { return Err("one field must be set".to_owned()) };
            let variant = variants.iter().find(|(tag, _)| camel(tag) == name.as_str());
            let (tag, variant) = variant.ok_or_else(|| format!("there is no `{name}`"))?;
            let mut read = match value {
                // A choice without details, which is the enum value `YES`.
                Value::Enum(_) | Value::String(_) => Map::new(),
                value => match read(*variant, value)? {
                    Json::Object(fields) => fields,
                    _ => Map::new(),
                },
            };
            read.insert(TAG.to_owned(), tag.as_str().into());
            Ok(Json::Object(read))
        }
        TypeShape::Enum(_) => plain(&value),
    }
}

/// Converts a field's value to JSON. As in the specification, a single value in place of a list is a list of one.
fn read_field(ty: &str, field: &Field, value: Value) -> Result<Json, String> {
    let item = ty.strip_suffix('!').unwrap_or(ty).strip_prefix('[').and_then(|ty| ty.strip_suffix(']'));
    match (item, field.target, value) {
        (_, _, Value::Null) => Ok(Json::Null),
        (Some(item), _, Value::List(values)) => {
            values.into_iter().map(|value| read_field(item, field, value)).collect()
        }
        (Some(item), _, value) => Ok(Json::Array(vec![read_field(item, field, value)?])),
        (None, Target::Type(ty), value) => read(ty, value),
        (None, _, value) => plain(&value),
    }
}

fn plain(value: &Value) -> Result<Json, String> {
    serde_json::to_value(Plain(value)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_graphql::value;
    use serde_json::json;

    #[test]
    fn a_move_becomes_the_json_that_rest_is_sent() {
        let read = |value| GameMoveInput::parse(Some(value)).map(|input| (input.kind, input.json)).ok();
        let lay = value!({"loading": {"lay": {"card": "9", "pile": 0}}});
        assert_eq!(read(lay), Some(("LOADING", json!({"type": "LAY", "card": "9", "pile": 0}))));
        let charge =
            Value::Object([(async_graphql::Name::new("charge"), Value::Enum(async_graphql::Name::new("YES")))].into());
        let charge = Value::Object([(async_graphql::Name::new("loading"), charge)].into());
        assert_eq!(read(charge), Some(("LOADING", json!({"type": "CHARGE"}))));
        let one = value!({"chips": {"discard": {"cards": "last-n"}}});
        assert_eq!(read(one), Some(("CHIPS", json!({"type": "DISCARD", "cards": ["last-n"]}))), "a list of one");
        let left_out = value!({"loading": {"give": {"packet": null}}});
        assert_eq!(read(left_out), Some(("LOADING", json!({"type": "GIVE"}))), "null is as if it were left out");
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for value in [
            value!({}),
            value!(7),
            value!({"no_game": {}}),
            value!({"loading": {}}),
            value!({"loading": {"fly": {}}}),
            value!({"loading": {"lay": {"card": "9"}}}),
            value!({"loading": {"lay": {"card": "9", "pile": null}}}),
            value!({"loading": {"charge": "YES"}, "chips": {}}),
        ] {
            assert!(GameMoveInput::parse(Some(value.clone())).is_err(), "{value}");
        }
        assert!(GameMoveInput::parse(None).is_err());
    }
}
