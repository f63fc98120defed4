//! Serde deserializer for client input. It reads numbers as JSON Schema does (`2.0` is an integer), accepts no list in
//! place of an object, and its errors are [`Fault`]s, which name the field and can be localized. Serde's own errors are
//! in English and name no field.

use super::{Fault, fault::Unexpected};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, Expected, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// JavaScript's `MAX_SAFE_INTEGER`, 2^53 − 1: beyond it, one `f64` may stand for several integers.
const MAX_EXACT: f64 = 9_007_199_254_740_991.0;

/// Deserializes a JSON value.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, Fault> {
    Reader { value, texts: false }.read(PhantomData::<T>)
}

/// Deserializes name-value pairs of strings, as in a query string.
pub fn read_pairs<T: DeserializeOwned>(pairs: impl IntoIterator<Item = (String, String)>) -> Result<T, Fault> {
    let mut fields = Map::new();
    for (name, text) in pairs {
        if fields.insert(name.clone(), Value::String(text)).is_some() {
            return Err(Fault::repeated(name));
        }
    }
    Reader { value: &Value::Object(fields), texts: true }.read(PhantomData::<T>)
}

/// Deserializer of one value.
#[derive(Clone, Copy)]
struct Reader<'de> {
    value: &'de Value,
    /// Whether numbers and booleans are given as strings.
    texts: bool,
}

impl<'de> Reader<'de> {
    /// Reads the value. Serde reads a tagged enum from a buffered copy, where an error loses its path: then the path is
    /// found by searching the input for the offending value.
    fn read<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self).map_err(|fault| fault.found_in(self.value))
    }

    /// Reads a value inside this one.
    fn read_inner<T: DeserializeSeed<'de>>(self, name: &str, value: &'de Value, seed: T) -> Result<T::Value, Fault> {
        Self { value, ..self }.read(seed).map_err(|fault| fault.within(name))
    }

    fn object<V: Visitor<'de>>(self, fields: &'de Map<String, Value>, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_map(Fields { reader: self, left: fields.iter(), value: None })
    }

    fn must_be_object<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            Value::Object(fields) => self.object(fields, visitor),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn unexpected(self, expected: &dyn Expected) -> Fault {
        Fault::wrong_type(Unexpected::of(self.value), expected)
    }

    /// Reads a number; if `texts` is set, also from a string.
    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Value::String(text) = self.value else { return self.deserialize_any(visitor) };
        match (self.texts, text.parse::<u64>(), text.parse::<i64>()) {
            (true, Ok(number), _) => visitor.visit_u64(number),
            (true, _, Ok(number)) => visitor.visit_i64(number),
            _ => Err(self.unexpected(&visitor)),
        }
    }
}

macro_rules! numbers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.number(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visitor.visit_seq(Items { reader: self, left: items.iter().enumerate() }),
            Value::Object(fields) => self.object(fields, visitor),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), _, _) => visitor.visit_u64(number),
                (_, Some(number), _) => visitor.visit_i64(number),
                (_, _, number) => {
                    let number = number.unwrap_or(f64::NAN);
                    let digits = whole(number).unwrap_or_default();
                    match (digits.parse::<u64>(), digits.parse::<i64>()) {
                        (Ok(number), _) => visitor.visit_u64(number),
                        (_, Ok(number)) => visitor.visit_i64(number),
                        _ => visitor.visit_f64(number),
                    }
                }
            },
        }
    }

    numbers! {
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match (self.texts, self.value.as_str()) {
            (true, Some("true")) => visitor.visit_bool(true),
            (true, Some("false")) => visitor.visit_bool(false),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    /// Refuses a JSON array of field values, which serde would accept for a struct although no schema allows it.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.must_be_object(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.must_be_object(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.value {
            Value::String(text) => visitor.visit_enum(StrDeserializer::new(text)),
            Value::Object(fields) => {
                let fields = Fields { reader: self, left: fields.iter(), value: None };
                visitor.visit_enum(MapAccessDeserializer::new(fields))
            }
            _ => Err(self.unexpected(&visitor)),
        }
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct identifier ignored_any
    }
}

/// The digits of a number that is an exact integer.
pub fn whole(number: f64) -> Option<String> {
    (number.fract() == 0.0 && number.abs() <= MAX_EXACT).then(|| format!("{number:.0}"))
}

/// Iterates over the fields of an object.
struct Fields<'de> {
    reader: Reader<'de>,
    left: serde_json::map::Iter<'de>,
    value: Option<(&'de str, &'de Value)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((name, value)) = self.left.next() else { return Ok(None) };
        self.value = Some((name, value));
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (name, value) = self.value.take().ok_or_else(|| Fault::custom("a value before its name"))?;
        self.reader.read_inner(name, value, seed)
    }
}

/// Iterates over the items of a list.
struct Items<'de> {
    reader: Reader<'de>,
    left: std::iter::Enumerate<std::slice::Iter<'de, Value>>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some((index, value)) = self.left.next() else { return Ok(None) };
        let item = Reader { value, ..self.reader }.read(seed);
        item.map(Some).map_err(|fault| fault.within(&index.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Order {
        count: u8,
        #[serde(default)]
        parts: Vec<Part>,
        note: Option<String>,
        colour: Option<Colour>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
    enum Part {
        Wheel { size: u8, spokes: i16 },
        Bell {},
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Colour {
        Red,
        Blue,
    }

    fn fault(value: &Value) -> (&'static str, String) {
        let fault = read::<Order>(value).expect_err("it is wrong");
        (fault.sentence(), fault.field())
    }

    #[test]
    fn a_whole_number_may_be_written_as_a_fraction() {
        let order: Order =
            read(&json!({"count": 2.0, "parts": [{"type": "WHEEL", "size": 1e1, "spokes": -3.0}]})).unwrap();
        assert_eq!(order.count, 2);
        assert_eq!(order.parts, [Part::Wheel { size: 10, spokes: -3 }]);
        let value: Value = read(&json!({"any": [2.0, 2.5, -7.0]})).unwrap();
        assert_eq!(value, json!({"any": [2, 2.5, -7]}));
    }

    #[test]
    fn a_fault_names_its_field_and_what_it_takes() {
        for (value, sentence, field) in [
            (json!({}), "request-field-missing", "count"),
            (json!([2]), "request-field-object", ""),
            (json!({"count": 300}), "request-field-range", "count"),
            (json!({"count": -1}), "request-field-range", "count"),
            (json!({"count": 1e300}), "request-field-range", "count"),
            (json!({"count": 2.5}), "request-field-range", "count"),
            (json!({"count": "2"}), "request-field-range", "count"),
            (json!({"count": null}), "request-field-range", "count"),
            (json!({"count": 1, "note": 7}), "request-field-text", "note"),
            (json!({"count": 1, "size": 7}), "request-field-unknown", "size"),
            (json!({"count": 1, "colour": "GREEN"}), "request-field-value", "colour"),
            (json!({"count": 1, "parts": {}}), "request-field-list", "parts"),
            (json!({"count": 1, "parts": [{"type": "BELL"}, 4]}), "request-field-object", "parts.1"),
            (json!({"count": 1, "parts": [{"type": "HORN"}]}), "request-field-value", "parts.0.type"),
            (json!({"count": 1, "parts": [{"size": 3}]}), "request-field-missing", "parts.0.type"),
            (json!({"count": 1, "parts": [{"type": "WHEEL", "size": 3}]}), "request-field-missing", "parts.0.spokes"),
            (
                json!({"count": 1, "parts": [{"type": "WHEEL", "size": 256, "spokes": 3}]}),
                "request-field-range",
                "parts.0.size",
            ),
            (
                json!({"count": 1, "parts": [{"type": "WHEEL", "size": [], "spokes": 3}]}),
                "request-field-range",
                "parts.0.size",
            ),
        ] {
            assert_eq!(fault(&value), (sentence, field.to_owned()), "{value}");
        }
    }

    #[test]
    fn a_value_that_is_there_more_than_once_is_not_looked_for_to_the_end() {
        // The wrong value is in a tagged enum, and another field contains 20,000 equal values, deeply nested. The
        // search for its path must stop at the second match.
        let deep = (0..100).fold(json!(vec![json!(-1); 20_000]), |inner, _| json!([inner]));
        let part = json!({"type": "WHEEL", "size": -1, "spokes": 3, "zone": deep});
        let (sentence, field) = fault(&json!({"count": 1, "parts": [part]}));
        assert_eq!(sentence, "request-field-range");
        assert_eq!(field, "parts.0");
    }

    #[test]
    fn a_query_string_is_read_by_the_same_rules() {
        let pairs = |pairs: &[(&str, &str)]| {
            let pairs: Vec<_> = pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
            read_pairs::<Order>(pairs).map_err(|fault| (fault.sentence(), fault.field()))
        };
        assert_eq!(
            pairs(&[("count", "2"), ("note", "3")]).map(|order| (order.count, order.note)),
            Ok((2, Some("3".into())))
        );
        assert_eq!(pairs(&[("count", "two")]), Err(("request-field-range", "count".to_owned())));
        assert_eq!(pairs(&[("count", "-2")]), Err(("request-field-range", "count".to_owned())));
        assert_eq!(pairs(&[("count", "2"), ("count", "2")]), Err(("request-field-repeated", "count".to_owned())));
        assert_eq!(pairs(&[("count", "2"), ("colour", "X")]), Err(("request-field-value", "colour".to_owned())));
    }
}
