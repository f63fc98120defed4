//! Values of any kind behind one type: what is shown ([`AnyValue`]) and what happened ([`AnyEvent`]).

use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::{any::Any, borrow::Cow, fmt, sync::Arc};

/// A view, event, move or effect of some kind, ready to be serialised. Cheap to clone.
#[derive(Clone)]
pub struct AnyValue(Arc<dyn Shown>);

/// A value that any serialiser can write, and that writes itself as JSON text: there its type is known, so that not every
/// field takes several calls through pointers.
trait Shown: erased_serde::Serialize + Send + Sync {
    fn to_json(&self) -> String;
}

impl<T: Serialize + Send + Sync> Shown for T {
    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("views, events and moves are plain data")
    }
}

impl AnyValue {
    pub fn new(value: impl Serialize + Send + Sync + 'static) -> Self {
        Self(Arc::new(value))
    }

    /// As JSON text.
    pub fn to_json(&self) -> String {
        (*self.0).to_json()
    }

    /// As a part of a larger JSON text. Only for serialisers of `serde_json`.
    pub fn raw_json(&self) -> RawJson {
        RawJson(self.to_json())
    }
}

/// JSON text that `serde_json` writes as it is. Its own `RawValue` would parse it first.
pub struct RawJson(String);

/// The name under which `serde_json` knows raw JSON.
const RAW_JSON: &str = "$serde_json::private::RawValue";

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(RAW_JSON, 1)?;
        raw.serialize_field(RAW_JSON, &self.0)?;
        raw.end()
    }
}

impl Serialize for AnyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&*self.0, serializer)
    }
}

impl fmt::Debug for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

/// A view or options with the kind they are of, so that clients can tell them apart.
#[derive(serde::Serialize)]
pub(super) struct Tagged<T> {
    pub kind: &'static str,
    #[serde(flatten)]
    pub value: T,
}

/// An event of some kind, with all its secrets: typed if a step has just made it, encoded if it comes from the store.
#[derive(Clone)]
pub struct AnyEvent(pub(super) Form);

/// How an event is held.
#[derive(Clone)]
pub(super) enum Form {
    Typed { event: Arc<dyn Any + Send + Sync>, encode: fn(&dyn Any) -> Vec<u8> },
    Encoded(Vec<u8>),
}

impl AnyEvent {
    /// As the store has it.
    pub fn encoded(bytes: Vec<u8>) -> Self {
        Self(Form::Encoded(bytes))
    }

    /// As the store keeps it.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match &self.0 {
            Form::Typed { event, encode } => encode(&**event).into(),
            Form::Encoded(bytes) => bytes.into(),
        }
    }
}

impl PartialEq for AnyEvent {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl fmt::Debug for AnyEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyEvent(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_the_same_json_however_it_is_written() {
        let value = AnyValue::new(Tagged { kind: "CHIPS", value: json!({"a": [1, null, "\"\u{1}é"], "b": {}}) });
        let text = serde_json::to_string(&value).expect("plain data");
        assert_eq!(value.to_json(), text);
        assert_eq!(serde_json::to_string(&[value.raw_json()]).expect("plain data"), format!("[{text}]"));
        let parsed = serde_json::to_value(value.raw_json()).expect("plain data");
        assert_eq!(parsed, serde_json::to_value(&value).expect("plain data"));
    }
}
