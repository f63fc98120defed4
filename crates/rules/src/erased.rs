//! Values of any kind behind one type: what is shown ([`AnyValue`]) and what happened ([`AnyEvent`]).

use serde::Serialize;
use std::{any::Any, borrow::Cow, fmt, sync::Arc};

/// A view, event, move or effect of some kind, ready to be serialised. Cheap to clone.
#[derive(Clone)]
pub struct AnyValue(Arc<dyn erased_serde::Serialize + Send + Sync>);

impl AnyValue {
    pub fn new(value: impl Serialize + Send + Sync + 'static) -> Self {
        Self(Arc::new(value))
    }

    /// As JSON text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("views, events and moves are plain data")
    }
}

impl Serialize for AnyValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&*self.0, serializer)
    }
}

impl fmt::Debug for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

/// A view or options with the kind they are of, so that clients can tell them apart.
#[derive(Serialize)]
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
