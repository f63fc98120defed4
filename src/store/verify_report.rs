//! Verification report, for both stores.

use super::tree::Tree;
use crate::games::ports::{Head, StoreError};
use crate::games::step::Step;
use crate::ids::GameId;
use std::fmt;

/// The most findings that are listed.
const MAX_FINDINGS: usize = 1000;

#[derive(Clone, Debug, Default)]
pub struct Verified {
    pub counts: VerifiedCounts,
    /// What is wrong; at most 1000 findings.
    pub findings: Vec<String>,
    /// How many more findings there were.
    pub omitted: u64,
}

/// How many values were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifiedCounts {
    pub games: u64,
    pub steps: u64,
    pub snapshots: u64,
    pub commands: u64,
    pub rows: u64,
    pub players: u64,
    pub families: u64,
    pub revocations: u64,
    pub invites: u64,
}

impl Verified {
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    pub(super) fn add_finding(&mut self, finding: impl fmt::Display) {
        if self.findings.len() < MAX_FINDINGS { self.findings.push(finding.to_string()) } else { self.omitted += 1 }
    }

    /// The value; an error becomes a finding.
    pub(super) fn check<T>(&mut self, result: Result<T, StoreError>) -> Option<T> {
        result.map_err(|error| self.add_finding(error)).ok()
    }

    pub(super) fn expect(&mut self, holds: bool, tree: Tree, key: &[u8], otherwise: impl fmt::Display) {
        if !holds {
            self.add_finding(format_args!("{}: {otherwise}", tree.storage_key(key)));
        }
    }
}

/// Verifies a game beyond what the store can check, for example by its rules.
pub type Judge<'a> = &'a mut (dyn FnMut(GameId, &Head, &[Step]) -> Result<(), String> + Send);
