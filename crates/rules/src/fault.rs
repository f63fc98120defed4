//! Faults: why something that a client sent can't be read, as a [`Message`] in any language, with the field at fault.

use super::Message;
use super::reader::whole;
use serde::de::{self, Expected};
use serde_json::Value;
use std::fmt;

/// Numbers that every JSON library holds without rounding.
const SAFE: i64 = 9_007_199_254_740_991;

/// Why something can't be read.
#[derive(Clone, Debug)]
pub struct Fault {
    what: What,
    /// The way to the field, from the innermost name outwards.
    path: Vec<String>,
    /// What was found there, until it is known where that is.
    found: Option<Unexpected>,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Missing,
    Unknown(Vec<String>),
    Repeated,
    Takes(Sort),
    /// A value of a closed list.
    TakesOneOf(Vec<String>),
}

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Whole(i64, i64),
    Number,
    Text,
    Boolean,
    List,
    Object,
    /// What only the description of the API can say.
    Described,
}

/// A value that was not expected.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unexpected {
    /// As it is written without a fraction, where it has none.
    Number(String),
    Scalar(Value),
    List,
    Object,
}

impl Fault {
    pub(super) fn wrong_type(found: Unexpected, expected: &dyn Expected) -> Self {
        Self { found: Some(found), ..Self::new(What::Takes(Sort::named(&expected.to_string()))) }
    }

    /// A field that is there twice.
    pub fn repeated(name: String) -> Self {
        Self { path: vec![name], ..Self::new(What::Repeated) }
    }

    /// A value that must be a JSON object and is none.
    pub fn not_an_object() -> Self {
        Self::new(What::Takes(Sort::Object))
    }

    /// A whole number beyond what the field takes.
    pub fn out_of_range(field: &str, least: usize, most: usize) -> Self {
        let bound = |number: usize| i64::try_from(number).map_or(SAFE, |number| number.min(SAFE));
        Self::new(What::Takes(Sort::Whole(bound(least), bound(most)))).within(field)
    }

    /// A number that does not fit into 32 bits.
    pub fn int(field: &str) -> Self {
        Self::new(What::Takes(Sort::named("i32"))).within(field)
    }

    /// A value that is none of a closed list.
    pub fn none_of(field: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        Self::new(What::TakesOneOf(known.into_iter().map(str::to_owned).collect())).within(field)
    }

    fn new(what: What) -> Self {
        Self { what, path: Vec::new(), found: None }
    }

    /// The same fault, of a field within another.
    #[must_use]
    pub fn within(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self.found = None;
        self
    }

    /// The same fault where one more field is known.
    #[must_use]
    pub fn also_known(mut self, name: &str) -> Self {
        if let (What::Unknown(known), 1) = (&mut self.what, self.path.len()) {
            known.push(name.to_owned());
        }
        self
    }

    /// Looks in an object for the value at fault. Serde reads the variants of a tagged enum from a copy that has lost their
    /// place; a value that is there once must be it.
    pub(super) fn found_in(mut self, object: &Value) -> Self {
        let Some(found) = self.found.take() else { return self };
        let mut search = Search { wanted: &found, path: Vec::new(), first: None };
        if search.is_unique(object) {
            self.path = search.first.unwrap_or_default();
        }
        self
    }

    /// The field, from the outermost name on: `options.moveSeconds`, `moves.0.id`. Empty if it is all that was sent.
    pub fn field(&self) -> String {
        let names: Vec<_> = self.path.iter().rev().map(String::as_str).collect();
        names.join(".")
    }

    /// The key of the sentence.
    pub fn sentence(&self) -> &'static str {
        match &self.what {
            What::Missing => "request-field-missing",
            What::Unknown(_) => "request-field-unknown",
            What::Repeated => "request-field-repeated",
            What::TakesOneOf(_) => "request-field-value",
            What::Takes(sort) => match sort {
                Sort::Whole(..) => "request-field-range",
                Sort::Number => "request-field-number",
                Sort::Text => "request-field-text",
                Sort::Boolean => "request-field-boolean",
                Sort::List => "request-field-list",
                Sort::Object => "request-field-object",
                Sort::Described => "request-field-described",
            },
        }
    }

    /// What is wrong, and what the field takes instead.
    pub fn message(&self) -> Message {
        let message = Message::new(self.sentence());
        let message = match &self.path[..] {
            [] => message.with("field", Message::new("request-whole")),
            _ => message.with("field", self.field()),
        };
        match &self.what {
            What::Unknown(known) | What::TakesOneOf(known) => message.with("known", names(known)),
            What::Takes(Sort::Whole(least, most)) => message.with("least", *least).with("most", *most),
            _ => message,
        }
    }
}

/// Names of the API, which are the same in every language.
pub fn names(names: &[impl AsRef<str>]) -> Vec<Message> {
    names.iter().map(|name| Message::new("request-name").with("name", name.as_ref())).collect()
}

/// Looks for a value within another.
struct Search<'a> {
    wanted: &'a Unexpected,
    /// The way to where the search is.
    path: Vec<Step<'a>>,
    /// Where it was found first, from the innermost name outwards.
    first: Option<Vec<String>>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Field(&'a str),
    Item(usize),
}

impl<'a> Search<'a> {
    /// Whether the value is there at most once. It stops at the second place: a client may send many, and memory for all
    /// of them would be many times what was sent.
    fn is_unique(&mut self, value: &'a Value) -> bool {
        if !self.path.is_empty() && Unexpected::of(value) == *self.wanted {
            if self.first.is_some() {
                return false;
            }
            self.first = Some(self.path.iter().rev().map(Step::to_string).collect());
        }
        match value {
            Value::Array(items) => items.iter().enumerate().all(|(index, item)| self.enter(Step::Item(index), item)),
            Value::Object(fields) => fields.iter().all(|(name, field)| self.enter(Step::Field(name), field)),
            _ => true,
        }
    }

    fn enter(&mut self, step: Step<'a>, value: &'a Value) -> bool {
        self.path.push(step);
        let unique = self.is_unique(value);
        self.path.pop();
        unique
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Field(name) => f.write_str(name),
            Step::Item(index) => write!(f, "{index}"),
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

    fn told(unexpected: de::Unexpected<'_>) -> Option<Self> {
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

impl Sort {
    /// What serde's visitors say that they expect.
    fn named(expected: &str) -> Self {
        match expected {
            "u8" => Self::Whole(0, u8::MAX.into()),
            "u16" => Self::Whole(0, u16::MAX.into()),
            "u32" => Self::Whole(0, u32::MAX.into()),
            "u64" | "usize" => Self::Whole(0, SAFE),
            "i8" => Self::Whole(i8::MIN.into(), i8::MAX.into()),
            "i16" => Self::Whole(i16::MIN.into(), i16::MAX.into()),
            "i32" => Self::Whole(i32::MIN.into(), i32::MAX.into()),
            "i64" | "isize" => Self::Whole(-SAFE, SAFE),
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
    /// A text of a library, or of a type's own: for developers, and in English.
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::new(What::Takes(Sort::Described))
    }

    fn invalid_type(unexpected: de::Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self { found: Unexpected::told(unexpected), ..Self::new(What::Takes(Sort::named(&expected.to_string()))) }
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        match Sort::named(&expected.to_string()) {
            Sort::List => Self::new(What::Takes(Sort::Described)),
            sort => Self::new(What::Takes(sort)),
        }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.iter().map(|name| (*name).to_owned()).collect();
        Self { found: Some(Unexpected::Scalar(variant.into())), ..Self::new(What::TakesOneOf(known)) }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let known = expected.iter().map(|name| (*name).to_owned()).collect();
        Self::new(What::Unknown(known)).within(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(What::Missing).within(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::repeated(field.to_owned())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = self.field();
        let wrong = if self.what == What::Repeated { "is there twice" } else { "is not as described" };
        write!(f, "{} {wrong}", if field.is_empty() { "it" } else { &field })
    }
}

impl std::error::Error for Fault {}
