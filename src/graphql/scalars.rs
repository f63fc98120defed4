//! Scalars, and how the numbers of the use cases become ones that every client can hold.

use crate::rules::{Instant, Seat};
use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::Deserialize;

/// A moment.
#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
pub struct DateTime(pub Instant);

/// A moment, as RFC 3339 text in UTC: `2026-02-03T10:20:30.000Z`.
#[Scalar(specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339")]
impl ScalarType for DateTime {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => Ok(serde_json::from_value(text.as_str().into())?),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// A count or a version as an `Int`, which is what JavaScript holds without rounding.
pub fn int(number: u64) -> i32 {
    i32::try_from(number).expect("no game has two thousand million steps")
}

/// A seat's number.
pub fn seat(seat: Seat) -> i32 {
    seat.0.into()
}

/// Seats by number.
pub fn seats(all: impl IntoIterator<Item = Seat>) -> Vec<i32> {
    all.into_iter().map(seat).collect()
}
