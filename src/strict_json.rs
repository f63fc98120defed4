//! Strict JSON parser for requests: refuses duplicate fields, and field names that `serde_json` reserves.
//!
//! Of duplicate fields `serde_json` keeps the last, other parsers the first. The text in a reserved field it parses as
//! JSON, wherever a `Value` is read or written. Either way a gateway could check another request than we read.

use crate::rules::{Fault, Message};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;

/// Prefix of the reserved field names, with which `serde_json` marks values such as raw JSON in a text.
const RESERVED: &str = "$serde_json::private::";

/// Why a text can't be parsed.
#[derive(Debug)]
pub enum BadJson {
    /// Invalid JSON.
    Syntax(serde_json::Error),
    /// A duplicate or reserved field.
    Field(Fault),
}

impl BadJson {
    pub fn message(&self) -> Message {
        match self {
            BadJson::Syntax(error) => syntax(error),
            BadJson::Field(fault) => fault.message(),
        }
    }
}

/// For logs and close frames, without the library's text.
impl fmt::Display for BadJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadJson::Syntax(error) => write!(f, "not valid JSON: line {}, column {}", error.line(), error.column()),
            BadJson::Field(fault) => fault.fmt(f),
        }
    }
}

/// Why a text is not JSON.
fn syntax(error: &serde_json::Error) -> Message {
    let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    match error.classify() {
        serde_json::error::Category::Eof if (error.line(), error.column()) == (1, 0) => {
            Message::new("request-json-empty")
        }
        serde_json::error::Category::Eof => Message::new("request-json-cut-short"),
        _ => Message::new("request-json").with("line", number(error.line())).with("column", number(error.column())),
    }
}

pub fn parse(text: &[u8]) -> Result<Value, BadJson> {
    let recorded = RefCell::new(None::<Fault>);
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let read = Strict(&recorded).deserialize(&mut deserializer).and_then(|value| {
        deserializer.end()?;
        Ok(value)
    });
    read.map_err(|error| match recorded.take() {
        Some(fault) => BadJson::Field(fault),
        None => BadJson::Syntax(error),
    })
}

/// Deserialises a value, and records a duplicate or reserved field: errors of serde can't carry a [`Fault`].
#[derive(Clone, Copy)]
struct Strict<'a>(&'a RefCell<Option<Fault>>);

impl Strict<'_> {
    /// Prepends the name of the field or item to the path of the recorded fault.
    fn within<T, E>(self, read: Result<T, E>, name: &dyn fmt::Display) -> Result<T, E> {
        if read.is_err()
            && let Some(fault) = self.0.take()
        {
            self.0.replace(Some(fault.within(&name.to_string())));
        }
        read
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = self.within(items.next_element_seed(self), &list.len())? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if name.starts_with(RESERVED) {
                self.0.replace(Some(Fault::custom("a reserved field")));
                return Err(A::Error::custom("a reserved field"));
            }
            match object.entry(name) {
                Entry::Occupied(entry) => {
                    self.0.replace(Some(Fault::repeated(entry.key().clone())));
                    return Err(A::Error::custom("a duplicate field"));
                }
                Entry::Vacant(entry) => {
                    let value = self.within(fields.next_value_seed(self), entry.key())?;
                    entry.insert(value);
                }
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserved_field_is_refused_where_it_is() {
        for (text, field) in [
            (r#"{"$serde_json::private::RawValue": "1"}"#, ""),
            (r#"{"a": [0, {"b": 1, "$serde_json::private::Number": "1"}]}"#, "a.1"),
            (r#"{"a": {"\u0024serde_json::private::RawValue": "{}"}}"#, "a"),
        ] {
            assert!(matches!(parse(text.as_bytes()), Err(BadJson::Field(fault)) if fault.field() == field), "{text}");
        }
        assert!(parse(br#"{"a": "$serde_json::private::RawValue", "$serde": 1}"#).is_ok());
    }

    #[test]
    fn a_duplicate_field_is_refused_where_it_is() {
        let text = br#"{"a": [1, -2, 2.5, "b", null, true, {"a": {}}], "b": {}}"#;
        assert_eq!(parse(text).ok(), serde_json::from_slice(text).ok());
        for (text, field) in [
            (r#"{"a": 1, "a": 1}"#, "a"),
            (r#"[{}, {"b": {"a": 1, "b": 2, "a": 3}}]"#, "1.b.a"),
            (r#"{"b": [{"a": 1}], "c": {}, "c": nope"#, "c"),
        ] {
            assert!(matches!(parse(text.as_bytes()), Err(BadJson::Field(fault)) if fault.field() == field), "{text}");
        }
        for text in ["", "{", "{}{}", "nope", &"[".repeat(5000)] {
            assert!(matches!(parse(text.as_bytes()), Err(BadJson::Syntax(_))));
        }
    }
}
