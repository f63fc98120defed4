//! What came of a flood, as its process counts it and prints it when it is stopped.

use hyper::StatusCode;
use serde::{Deserialize, Serialize};
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

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { statuses, codes, frames, bytes, broken } = self;
        write!(f, "{} answers", statuses.values().sum::<u64>())?;
        statuses.iter().try_for_each(|(status, count)| write!(f, ", {status}: {count}"))?;
        codes.iter().try_for_each(|(code, count)| write!(f, ", {code}: {count}"))?;
        if *frames > 0 {
            write!(f, "; {frames} frames sent")?;
        }
        write!(f, "; {:.1} MB read; {broken} connections broken off", *bytes as f64 / 1e6)
    }
}
