//! Scalars, and conversions between the numbers of the API and those of the domain.

use crate::games::GameError;
use crate::rules::{Fault, Instant, Seat};
use async_graphql::registry::{MetaType, Registry};
use async_graphql::{InputType, InputValueError, InputValueResult, Scalar, ScalarType, Value};
use serde::Deserialize;

#[derive(Clone, Copy, Deserialize)]
#[serde(transparent)]
pub struct DateTime(pub Instant);

/// A point in time, as RFC 3339 text in UTC: `2026-02-03T10:20:30.000Z`.
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

/// Checks that a number of an input is within bounds.
pub fn count<T: TryFrom<i32>>(number: i32, field: &str, least: usize, most: usize) -> Result<T, GameError> {
    let fits = usize::try_from(number).is_ok_and(|number| (least..=most).contains(&number));
    let number = T::try_from(number).ok().filter(|_| fits);
    number.ok_or_else(|| Fault::out_of_range(field, least, most).into())
}

/// A number of an input that is stored in a byte: a seat, a number of seats, a column.
pub fn byte(number: i32, field: &str) -> Result<u8, GameError> {
    count(number, field, 0, u8::MAX.into())
}

pub fn version(number: i32, field: &str) -> Result<u64, GameError> {
    let number: u32 = count(number, field, 0, i32::MAX.unsigned_abs() as usize)?;
    Ok(number.into())
}

/// `Int` as in the specification: 32 bits. `async_graphql` accepts any integer until a resolver reads it, and reads up
/// to 2^32-1 into a `u32`.
pub struct Int32(i32);

impl InputType for Int32 {
    type RawValueType = i32;

    fn type_name() -> std::borrow::Cow<'static, str> {
        <i32 as InputType>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        let name = <i32 as InputType>::create_type_info(registry);
        if let Some(MetaType::Scalar { is_valid, .. }) = registry.types.get_mut(&*Self::type_name()) {
            let fits = |value: &Value| matches!(value, Value::Number(number) if number.as_i64().is_some_and(|number| i32::try_from(number).is_ok()));
            *is_valid = Some(std::sync::Arc::new(fits));
        }
        name
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        <i32 as InputType>::parse(value).map(Self).map_err(InputValueError::propagate)
    }

    fn to_value(&self) -> Value {
        InputType::to_value(&self.0)
    }

    fn as_raw_value(&self) -> Option<&i32> {
        Some(&self.0)
    }
}

/// A count or a version as an `Int`, which JavaScript represents exactly.
pub fn int(number: u64) -> i32 {
    i32::try_from(number).expect("no game has two thousand million steps")
}

pub fn seat(seat: Seat) -> i32 {
    seat.0.into()
}

pub fn seats(all: impl IntoIterator<Item = Seat>) -> Vec<i32> {
    all.into_iter().map(seat).collect()
}
