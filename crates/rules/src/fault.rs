//! Validation errors: which field of a client's input can't be read and why, as a [`Message`] that can be localized.

use super::Message;
use super::reader::whole;
use serde::de::{self, Expected};
use serde_json::Value;
use std::fmt;

/// The largest integer that every JSON library represents exactly: 2^53 − 1.
const MAX_SAFE_INTEGER: i64 = 9_007_199_254_740_991;

/// A validation error of a client's input.
#[derive(Clone, Debug)]
pub struct Fault {
    problem: Problem,
    /// The path to the field, innermost name first.
    path: Vec<String>,
    /// The offending value, as long as its path is not known yet.
    found: Option<Unexpected>,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Missing,
    Unknown(Vec<String>),
    Repeated,
    Takes(ExpectedType),
    /// A value of a closed list.
    TakesOneOf(Vec<String>),
}

/// Problem a field accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpectedType {
    Whole(i64, i64),
    Number,
    Text,
    Boolean,
    List,
    Object,
    /// Too specific for a sentence: see the description of the API.
    Described,
}

/// The offending value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unexpected {
    /// In decimal; whole numbers without a fraction.
    Number(String),
    Scalar(Value),
    List,
    Object,
}

impl Fault {
    pub(super) fn wrong_type(found: Unexpected, expected: &dyn Expected) -> Self {
        Self { found: Some(found), ..Self::new(Problem::Takes(ExpectedType::named(&expected.to_string()))) }
    }

    /// A field that occurs twice.
    pub fn repeated(name: String) -> Self {
        Self { path: vec![name], ..Self::new(Problem::Repeated) }
    }

    /// A value that must be a JSON object but is not.
    pub fn not_an_object() -> Self {
        Self::new(Problem::Takes(ExpectedType::Object))
    }

    /// An integer outside the range of the field.
    pub fn out_of_range(field: &str, least: usize, most: usize) -> Self {
        let bound =
            |number: usize| i64::try_from(number).map_or(MAX_SAFE_INTEGER, |number| number.min(MAX_SAFE_INTEGER));
        Self::new(Problem::Takes(ExpectedType::Whole(bound(least), bound(most)))).within(field)
    }

    /// A number that does not fit into 32 bits.
    pub fn int(field: &str) -> Self {
        Self::new(Problem::Takes(ExpectedType::named("i32"))).within(field)
    }

    /// A value that is not in a closed list.
    pub fn none_of(field: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        Self::new(Problem::TakesOneOf(known.into_iter().map(str::to_owned).collect())).within(field)
    }

    fn new(problem: Problem) -> Self {
        Self { problem, path: Vec::new(), found: None }
    }

    /// Prepends the name of the enclosing field to the path.
    #[must_use]
    pub fn within(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self.found = None;
        self
    }

    /// Adds a name to the fields that an unknown-field error at the top level lists as known.
    #[must_use]
    pub fn also_known(mut self, name: &str) -> Self {
        if let (Problem::Unknown(known), 1) = (&mut self.problem, self.path.len()) {
            known.push(name.to_owned());
        }
        self
    }

    /// Locates the offending value in the input. Serde reads the variants of a tagged enum from a buffered copy, where
    /// the path is lost; if the value occurs only once in the input, that must be the place.
    pub(super) fn found_in(mut self, object: &Value) -> Self {
        let Some(found) = self.found.take() else { return self };
        let mut search = ValueSearch { wanted: &found, path: Vec::new(), first: None };
        if search.is_unique(object) {
            self.path = search.first.unwrap_or_default();
        }
        self
    }

    /// The path of the field: `options.moveSeconds`, `moves.0.id`. Empty if the input as a whole is at fault.
    pub fn field(&self) -> String {
        let names: Vec<_> = self.path.iter().rev().map(String::as_str).collect();
        names.join(".")
    }

    /// The key of the message.
    pub fn sentence(&self) -> &'static str {
        match &self.problem {
            Problem::Missing => "request-field-missing",
            Problem::Unknown(_) => "request-field-unknown",
            Problem::Repeated => "request-field-repeated",
            Problem::TakesOneOf(_) => "request-field-value",
            Problem::Takes(expected) => match expected {
                ExpectedType::Whole(..) => "request-field-range",
                ExpectedType::Number => "request-field-number",
                ExpectedType::Text => "request-field-text",
                ExpectedType::Boolean => "request-field-boolean",
                ExpectedType::List => "request-field-list",
                ExpectedType::Object => "request-field-object",
                ExpectedType::Described => "request-field-described",
            },
        }
    }

    /// What is wrong, and what the field accepts.
    pub fn message(&self) -> Message {
        let message = Message::new(self.sentence());
        let message = match &self.path[..] {
            [] => message.with("field", Message::new("request-whole")),
            _ => message.with("field", self.field()),
        };
        match &self.problem {
            Problem::Unknown(known) | Problem::TakesOneOf(known) => message.with("known", names(known)),
            Problem::Takes(ExpectedType::Whole(least, most)) => message.with("least", *least).with("most", *most),
            _ => message,
        }
    }
}

/// Names of the API as messages; they are the same in every language.
pub fn names(names: &[impl AsRef<str>]) -> Vec<Message> {
    names.iter().map(|name| Message::new("request-name").with("name", name.as_ref())).collect()
}

/// Searches a value inside another.
struct ValueSearch<'a> {
    wanted: &'a Unexpected,
    /// The current path of the search.
    path: Vec<PathSegment<'a>>,
    /// The path of the first match, innermost name first.
    first: Option<Vec<String>>,
}

#[derive(Clone, Copy)]
enum PathSegment<'a> {
    Field(&'a str),
    Item(usize),
}

impl<'a> ValueSearch<'a> {
    /// Whether the value occurs at most once. The search stops at the second match, so that input with many matches
    /// does not cost time or memory.
    fn is_unique(&mut self, value: &'a Value) -> bool {
        if !self.path.is_empty() && Unexpected::of(value) == *self.wanted {
            if self.first.is_some() {
                return false;
            }
            self.first = Some(self.path.iter().rev().map(PathSegment::to_string).collect());
        }
        match value {
            Value::Array(items) => {
                items.iter().enumerate().all(|(index, item)| self.enter(PathSegment::Item(index), item))
            }
            Value::Object(fields) => fields.iter().all(|(name, field)| self.enter(PathSegment::Field(name), field)),
            _ => true,
        }
    }

    fn enter(&mut self, step: PathSegment<'a>, value: &'a Value) -> bool {
        self.path.push(step);
        let unique = self.is_unique(value);
        self.path.pop();
        unique
    }
}

impl fmt::Display for PathSegment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathSegment::Field(name) => f.write_str(name),
            PathSegment::Item(index) => write!(f, "{index}"),
        }
    }
}

impl Unexpected {
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
            Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
                Some(number) => Self::fraction(number),
                None => Self::Number(number.to_string()),
            },
            other => Self::Scalar(other.clone()),
        }
    }

    fn fraction(number: f64) -> Self {
        Self::Number(whole(number).unwrap_or_else(|| number.to_string()))
    }

    fn from_serde(unexpected: de::Unexpected<'_>) -> Option<Self> {
        Some(match unexpected {
            de::Unexpected::Bool(value) => Self::Scalar(value.into()),
            de::Unexpected::Unsigned(number) => Self::Number(number.to_string()),
            de::Unexpected::Signed(number) => Self::Number(number.to_string()),
            de::Unexpected::Float(number) => Self::fraction(number),
            de::Unexpected::Str(text) => Self::Scalar(text.into()),
            de::Unexpected::Unit | de::Unexpected::Option => Self::Scalar(Value::Null),
            de::Unexpected::Seq => Self::List,
            de::Unexpected::Map => Self::Object,
            _ => return None,
        })
    }
}

impl ExpectedType {
    /// Parses the description that serde's visitors give of what they expect.
    fn named(expected: &str) -> Self {
        match expected {
            "u8" => Self::Whole(0, u8::MAX.into()),
            "u16" => Self::Whole(0, u16::MAX.into()),
            "u32" => Self::Whole(0, u32::MAX.into()),
            "u64" | "usize" => Self::Whole(0, MAX_SAFE_INTEGER),
            "i8" => Self::Whole(i8::MIN.into(), i8::MAX.into()),
            "i16" => Self::Whole(i16::MIN.into(), i16::MAX.into()),
            "i32" => Self::Whole(i32::MIN.into(), i32::MAX.into()),
            "i64" | "isize" => Self::Whole(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER),
            "f32" | "f64" => Self::Number,
            "a boolean" => Self::Boolean,
            "a string" | "a borrowed string" | "variant identifier" => Self::Text,
            _ if expected.starts_with("enum ") => Self::Text,
            "a map" => Self::Object,
            _ if expected.starts_with("struct ") || expected.contains("tagged enum") => Self::Object,
            _ if expected.starts_with("a sequence") || expected.starts_with("an array") => Self::List,
            _ if expected.starts_with("tuple") || expected.starts_with("a tuple") => Self::List,
            _ => Self::Described,
        }
    }
}

impl de::Error for Fault {
    /// Drops the text: it comes from a library or a type, is in English, and is meant for developers.
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::new(Problem::Takes(ExpectedType::Described))
    }

    fn invalid_type(unexpected: de::Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self {
            found: Unexpected::from_serde(unexpected),
            ..Self::new(Problem::Takes(ExpectedType::named(&expected.to_string())))
        }
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        match ExpectedType::named(&expected.to_string()) {
            ExpectedType::List => Self::new(Problem::Takes(ExpectedType::Described)),
            expected_type => Self::new(Problem::Takes(expected_type)),
        }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.iter().map(|name| (*name).to_owned()).collect();
        Self { found: Some(Unexpected::Scalar(variant.into())), ..Self::new(Problem::TakesOneOf(known)) }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.iter().map(|name| (*name).to_owned()).collect();
        Self::new(Problem::Unknown(known)).within(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Problem::Missing).within(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::repeated(field.to_owned())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field();
        let wrong = if self.problem == Problem::Repeated { "appears twice" } else { "has the wrong shape" };
        write!(f, "{} {wrong}", if field.is_empty() { "it" } else { &field })
    }
}

impl std::error::Error for Fault {}
