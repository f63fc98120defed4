//! Serializer for values that clients sent. `async_graphql`'s own serializer treats an object with the reserved field
//! of `serde_json` as raw JSON and parses its text, so that clients could inject JSON.

use async_graphql::Value;
use serde::{Serialize, Serializer};

/// Serializes a value literally.
pub struct Plain<'a>(pub &'a Value);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::List(items) => serializer.collect_seq(items.iter().map(Plain)),
            Value::Object(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name.as_str(), Plain(value))))
            }
            other => other.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_stays_a_text_whatever_its_field_is_called() {
        let sent = json!({"list": [{"$serde_json::private::RawValue": "{\"a\": 1}"}, 2.5, null], "text": "x"});
        let value = Value::from_json(sent.clone()).unwrap();
        assert_eq!(serde_json::to_value(Plain(&value)).unwrap(), sent);
        assert_eq!(serde_json::to_string(&Plain(&value)).unwrap(), sent.to_string());
        assert_ne!(serde_json::to_value(&value).unwrap(), sent, "the library's own way needs no other any more");
    }
}
