//! Strict JSON parser for requests: refuses an object that has the same field twice, or one of `serde_json`'s own.
//!
//! `serde_json` keeps the last of two, other parsers the first; and it takes the text in a field that it reserves for
//! itself for JSON, wherever a `Value` is read or written. With either, a gateway that checks a request before us could see
//! another request than we do.

use crate::rules::{Fault, Message};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;

/// Field names that begin with this carry something else than what a client wrote, such as raw JSON as a text.
const RESERVED: &str = "$serde_json::private::";

/// Why a text can't be read.
#[derive(Debug)]
pub enum BadJson {
    /// It is no JSON.
    Syntax(serde_json::Error),
    /// An object in it has a field twice, or a reserved one.
    Field(Fault),
}

impl BadJson {
    /// What is wrong, in any language.
    pub fn message(&self) -> Message {
        match self {
            BadJson::Syntax(error) => syntax(error),
            BadJson::Field(fault) => fault.message(),
        }
    }
}

impl fmt::Display for BadJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadJson::Syntax(error) => error.fmt(f),
            BadJson::Field(fault) => fault.fmt(f),
        }
    }
}

/// Why a text is no JSON.
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

/// Parses a text.
pub fn parse(text: &[u8]) -> Result<Value, BadJson> {
    let repeated = RefCell::new(None::<Fault>);
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let read = Strict(&repeated).deserialize(&mut deserializer).and_then(|value| {
        deserializer.end()?;
        Ok(value)
    });
    read.map_err(|error| match repeated.take() {
        Some(fault) => BadJson::Field(fault),
        None => BadJson::Syntax(error),
    })
}

/// Reads a value, and notes a field that makes it unfit.
#[derive(Clone, Copy)]
struct Strict<'a>(&'a RefCell<Option<Fault>>);

impl Strict<'_> {
    /// Puts the fault, if there is one, within the field or item in which it was found.
    fn place<T, E>(self, read: Result<T, E>, name: &dyn fmt::Display) -> Result<T, E> {
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
        while let Some(item) = self.place(items.next_element_seed(self), &list.len())? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if name.starts_with(RESERVED) {
                self.0.replace(Some(Fault::custom("a reserved field")));
                return Err(A::Error::custom("a field is reserved"));
            }
            match object.entry(name) {
                Entry::Occupied(entry) => {
                    self.0.replace(Some(Fault::repeated(entry.key().clone())));
                    return Err(A::Error::custom("a field is there twice"));
                }
                Entry::Vacant(entry) => {
                    let value = self.place(fields.next_value_seed(self), entry.key())?;
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
    fn a_field_is_there_once() {
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
