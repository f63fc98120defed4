//! Small changes to what is sound: most of what is found hides close to it.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// One change: what to do, where, where else, and with what.
#[derive(Clone, Debug)]
pub struct Change {
    what: u8,
    at: Index,
    other: Index,
    text: String,
}

/// Some changes.
pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    let text = prop_oneof![
        "[ -~]{0,4}",
        ".{0,3}",
        prop::sample::select(
            &["-1", "0", "255", "256", "4294967296", "18446744073709551616", "9e999", "null", "\u{0}"][..]
        )
        .prop_map(str::to_owned),
    ];
    let change = (0..8_u8, any::<Index>(), any::<Index>(), text);
    vec(change.prop_map(|(what, at, other, text)| Change { what, at, other, text }), 1..4)
}

/// A text with changes to its characters and its words.
pub fn text(sound: &str, changes: &[Change]) -> String {
    changes.iter().fold(sound.to_owned(), |text, change| {
        let mut chars: Vec<char> = text.chars().collect();
        let mut words: Vec<&str> = text.split(' ').collect();
        let (at, word, other) =
            (change.at.index(chars.len() + 1), change.at.index(words.len()), change.other.index(words.len()));
        match change.what {
            0 if at < chars.len() => {
                chars.remove(at);
            }
            1 => {
                chars.splice(at..at, change.text.chars());
            }
            2 => chars.truncate(at),
            3 => return text.to_uppercase(),
            4 => {
                words.swap(word, other);
                return words.join(" ");
            }
            5 => {
                words.insert(word, words[other]);
                return words.join(" ");
            }
            6 => {
                words.remove(word);
                return words.join(" ");
            }
            _ => {
                words[word] = &change.text;
                return words.join(" ");
            }
        }
        chars.into_iter().collect()
    })
}

/// JSON with changes to its values, fields and items.
pub fn json(sound: &Value, changes: &[Change]) -> Value {
    let mut value = sound.clone();
    for change in changes {
        let count = nodes(&value);
        let donor = nth(&mut value.clone(), change.other.index(count)).clone();
        let node = nth(&mut value, change.at.index(count));
        match (change.what, &mut *node) {
            (0, Value::Object(fields)) if !fields.is_empty() => {
                let name = fields.keys().nth(change.other.index(fields.len())).expect("one of them").clone();
                fields.remove(&name);
            }
            (0 | 1, Value::Array(items)) if !items.is_empty() => {
                items.remove(change.other.index(items.len()));
            }
            (1, Value::Object(fields)) => {
                fields.insert(change.text.clone(), json!(1));
            }
            (2, Value::Array(items)) if !items.is_empty() => {
                let copy = items[change.other.index(items.len())].clone();
                items.push(copy);
            }
            (3, Value::Number(number)) => *node = json!(number.as_i64().unwrap_or(0).wrapping_add(1)),
            (4, Value::Number(number)) => *node = json!(number.as_i64().unwrap_or(0).wrapping_neg()),
            (3 | 4, Value::String(text)) => text.push_str(&change.text),
            (5, _) => *node = serde_json::from_str(&change.text).unwrap_or(Value::Null),
            (6, _) => *node = json!(change.text),
            _ => *node = donor,
        }
    }
    value
}

/// How many values there are, with all that is within.
fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Object(fields) => fields.values().map(nodes).sum(),
        Value::Array(items) => items.iter().map(nodes).sum(),
        _ => 0,
    }
}

/// One of them, counted from the outside in.
fn nth(value: &mut Value, n: usize) -> &mut Value {
    if n == 0 {
        return value;
    }
    let mut left = n - 1;
    let within: Vec<&mut Value> = match value {
        Value::Object(fields) => fields.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    for inner in within {
        let count = nodes(inner);
        if left < count {
            return nth(inner, left);
        }
        left -= count;
    }
    unreachable!("the index is below the number of values")
}

/// Bytes with changes to some of them.
pub fn bytes(sound: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for change in changes {
        if bytes.is_empty() {
            bytes.push(change.what);
        }
        let (at, other) = (change.at.index(bytes.len()), change.other.index(bytes.len()));
        match change.what {
            0 => {
                bytes.remove(at);
            }
            1 => {
                bytes.splice(at..at, change.text.bytes());
            }
            2 => bytes.truncate(at),
            3 => bytes.swap(at, other),
            4 => bytes[at] = bytes[at].wrapping_add(1),
            _ => bytes[at] ^= 1 << (other % 8),
        }
    }
    bytes
}
