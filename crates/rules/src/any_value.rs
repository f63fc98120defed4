//! Type-erased values: [`AnyValue`] for everything sent to clients, [`AnyEvent`] for stored events.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::{any::Any, borrow::Cow, fmt, sync::Arc};

/// A view, event, move or effect of any kind, ready to be serialized. Cheap to clone.
#[derive(Clone)]
pub struct AnyValue(Arc<dyn SerializeValue>);

/// Object-safe serialization. `to_json` serializes with the concrete type, which is faster than `erased_serde`: that
/// takes several virtual calls for each field.
trait SerializeValue: erased_serde::Serialize + Send + Sync {
    fn to_json(&self) -> String;
}

impl<T: Serialize + Send + Sync> SerializeValue for T {
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

    /// As raw JSON inside a larger document. Only for serializers of `serde_json`.
    pub fn raw_json(&self) -> RawJson {
        RawJson(self.to_json())
    }
}

/// JSON text that `serde_json` copies verbatim. Unlike `serde_json`'s own `RawValue`, it is not parsed first.
pub struct RawJson(String);

/// The struct name by which `serde_json` recognises raw JSON.
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

/// A view with the field `kind`, so that clients can tell kinds apart.
#[derive(serde::Serialize)]
pub(super) struct WithKind<T> {
    pub kind: &'static str,
    #[serde(flatten)]
    pub value: T,
}

/// A type-erased event with all its secrets: typed if a step has just created it, encoded if it comes from the store.
#[derive(Clone)]
pub struct AnyEvent(pub(super) EventForm);

/// The two representations of an event.
#[derive(Clone)]
pub(super) enum EventForm {
    Typed { event: Arc<dyn Any + Send + Sync>, encode: fn(&dyn Any) -> Vec<u8> },
    Encoded(Vec<u8>),
}

impl AnyEvent {
    /// An event from its stored bytes.
    pub fn encoded(bytes: Vec<u8>) -> Self {
        Self(EventForm::Encoded(bytes))
    }

    /// The event's stored bytes.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match &self.0 {
            EventForm::Typed { event, encode } => encode(&**event).into(),
            EventForm::Encoded(bytes) => bytes.into(),
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
        let value = AnyValue::new(WithKind { kind: "CHIPS", value: json!({"a": [1, null, "\"\u{1}é"], "b": {}}) });
        let text = serde_json::to_string(&value).expect("plain data");
        assert_eq!(value.to_json(), text);
        assert_eq!(serde_json::to_string(&[value.raw_json()]).expect("plain data"), format!("[{text}]"));
        let parsed = serde_json::to_value(value.raw_json()).expect("plain data");
        assert_eq!(parsed, serde_json::to_value(&value).expect("plain data"));
    }
}
