//! What came of a flood, as its process counts it and prints it when it is stopped.

use super::super::client::Answer;
use hyper::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Codes are looked for in the beginning of an answer only: the rest of a long one has data.
const LOOKED_AT: usize = 16 * 1024;
const CODE: &[u8] = b"\"code\":\"";
/// There are some thirty codes; a defect must not fill the memory.
const MOST_CODES: usize = 64;

/// Counts from many tasks.
#[derive(Default)]
pub struct Counts(Mutex<Totals>);

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Answers, by status.
    statuses: BTreeMap<u16, u64>,
    /// Refusals, by their code; several in an answer of GraphQL.
    codes: BTreeMap<String, u64>,
    /// Each sort of requests, and whether one of them got through.
    sorts: BTreeMap<String, bool>,
    /// Frames sent, where the attack is not made of requests.
    frames: u64,
    /// Bytes of bodies read.
    bytes: u64,
    /// Connections that were cut off, refused or given up.
    broken: u64,
}

impl Counts {
    pub fn answer(&self, status: StatusCode, body: &[u8]) {
        self.change(|totals| {
            *totals.statuses.entry(status.as_u16()).or_default() += 1;
            totals.bytes += body.len() as u64;
            let looked_at = &body[..body.len().min(LOOKED_AT)];
            for code in codes(looked_at) {
                if totals.codes.contains_key(code) || totals.codes.len() < MOST_CODES {
                    *totals.codes.entry(code.to_owned()).or_default() += 1;
                }
            }
        });
    }

    /// Notes a request of some sort. Once one of them got through, answers are not looked at any more.
    pub fn attempt(&self, sort: &str, answer: &Answer) {
        let totals = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if totals().sorts.get(sort) != Some(&true) {
            // Without the lock: a long answer takes a while to read.
            let got_through = got_through(answer);
            *totals().sorts.entry(sort.to_owned()).or_default() |= got_through;
        }
    }

    pub fn frames(&self, count: u64) {
        self.change(|totals| totals.frames += count);
    }

    pub fn bytes(&self, count: u64) {
        self.change(|totals| totals.bytes += count);
    }

    pub fn broken(&self) {
        self.change(|totals| totals.broken += 1);
    }

    pub fn reset(&self) {
        self.change(|totals| *totals = Totals::default());
    }

    pub fn totals(&self) -> Totals {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut Totals)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Whether what was asked for was done, and not refused unread. A wrong password was looked at too.
fn got_through(answer: &Answer) -> bool {
    let served = answer.status.is_success() || answer.status == StatusCode::UNAUTHORIZED;
    // What is no JSON is a document that was compressed.
    served && serde_json::from_slice(&answer.body).map_or(true, |body| has_data(&body))
}

/// Whether one field at least was answered, of a document of GraphQL or of a batch of them. All else has what it says.
fn has_data(body: &Value) -> bool {
    match body {
        Value::Array(items) => items.iter().any(has_data),
        body => match (&body["data"], &body["errors"]) {
            (Value::Object(fields), _) => fields.values().any(|field| !field.is_null()),
            (_, errors) => errors.is_null(),
        },
    }
}

/// The codes of the refusals in an answer.
fn codes(body: &[u8]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = body;
    while let Some(at) = rest.windows(CODE.len()).position(|window| window == CODE) {
        rest = &rest[at + CODE.len()..];
        let end = rest.iter().position(|byte| *byte == b'"').unwrap_or(rest.len());
        found.extend(std::str::from_utf8(&rest[..end]).ok());
    }
    found
}

impl Totals {
    /// The sorts of requests that never got through: nothing is known of what they would have done.
    pub fn hollow(&self) -> Vec<&str> {
        self.sorts.iter().filter(|(_, got_through)| !**got_through).map(|(sort, _)| sort.as_str()).collect()
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { statuses, codes, frames, bytes, broken, .. } = self;
        write!(f, "{} answers", statuses.values().sum::<u64>())?;
        statuses.iter().try_for_each(|(status, count)| write!(f, ", {status}: {count}"))?;
        codes.iter().try_for_each(|(code, count)| write!(f, ", {code}: {count}"))?;
        if *frames > 0 {
            write!(f, "; {frames} frames sent")?;
        }
        write!(f, "; {:.1} MB read; {broken} connections broken off", *bytes as f64 / 1e6)
    }
}
