//! JSON in which no object has a field twice. The parser would keep the last of them, and others keep the first: whoever
//! checks a request before us would see another one than we do.

use crate::rules::Fault;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;

/// Why a text can't be read.
#[derive(Debug)]
pub enum BadJson {
    /// It is no JSON.
    Syntax(serde_json::Error),
    /// An object in it has a field twice.
    Repeated(Fault),
}

/// Reads a text.
pub fn parse(text: &[u8]) -> Result<Value, BadJson> {
    let repeated = RefCell::new(None);
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let read = Strict(&repeated).deserialize(&mut deserializer).and_then(|value| {
        deserializer.end()?;
        Ok(value)
    });
    read.map_err(|error| match repeated.take() {
        Some(name) => BadJson::Repeated(Fault::repeated(name)),
        None => BadJson::Syntax(error),
    })
}

/// Reads a value, and notes a field that is there twice.
#[derive(Clone, Copy)]
struct Strict<'a>(&'a RefCell<Option<String>>);

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
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                *self.0.borrow_mut() = Some(name);
                return Err(A::Error::custom("a field is there twice"));
            }
            let value = fields.next_value_seed(self)?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_there_once() {
        let text = br#"{"a": [1, -2, 2.5, "b", null, true, {"a": {}}], "b": {}}"#;
        assert_eq!(parse(text).ok(), serde_json::from_slice(text).ok());
        for text in [r#"{"a": 1, "a": 1}"#, r#"[{"b": {"a": 1, "b": 2, "a": 3}}]"#] {
            assert!(matches!(parse(text.as_bytes()), Err(BadJson::Repeated(fault)) if fault.field() == "a"), "{text}");
        }
        for text in ["", "{", "{}{}", "nope", &"[".repeat(5000)] {
            assert!(matches!(parse(text.as_bytes()), Err(BadJson::Syntax(_))));
        }
    }
}
