//! What reading a whole store found, whichever store it was.

use super::tree::Tree;
use crate::games::ports::{Head, StoreError};
use crate::games::step::Step;
use crate::ids::GameId;
use std::fmt;

/// How many findings are told one by one.
const TOLD: usize = 1000;

/// What a verification found.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    pub counts: VerifiedCounts,
    /// What is wrong, up to a thousand findings.
    pub findings: Vec<String>,
    /// How many more there were.
    pub untold: u64,
}

/// How much was read.
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

    pub(super) fn find(&mut self, finding: impl fmt::Display) {
        if self.findings.len() < TOLD { self.findings.push(finding.to_string()) } else { self.untold += 1 }
    }

    /// The value, or a finding.
    pub(super) fn check<T>(&mut self, result: Result<T, StoreError>) -> Option<T> {
        result.map_err(|error| self.find(error)).ok()
    }

    pub(super) fn expect(&mut self, holds: bool, tree: Tree, key: &[u8], otherwise: impl fmt::Display) {
        if !holds {
            self.find(format_args!("{}: {otherwise}", tree.place(key)));
        }
    }
}

/// Judges a game beyond what the store can: by its rules, for one.
pub type Judge<'a> = &'a mut (dyn FnMut(GameId, &Head, &[Step]) -> Result<(), String> + Send);
