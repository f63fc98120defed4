//! The only list of kinds.

use super::any::{Adapter, AnyRules};
use super::chips::Chips;
use super::toy_rush::ToyRush;

/// Every kind this build can referee. A game keeps the rules version it started with, so an old version stays in this
/// list beside its successor for as long as one of its games does.
static KINDS: &[&dyn AnyRules] = &[&Adapter::<Chips>::new(), &Adapter::<ToyRush>::new()];

/// All kinds, in the order they are shown.
pub fn all() -> impl Iterator<Item = &'static dyn AnyRules> {
    KINDS.iter().copied()
}

/// All kinds, each with its newest rules.
pub fn newest_of_all() -> impl Iterator<Item = &'static dyn AnyRules> {
    all().filter(|rules| {
        let info = rules.info();
        newest(info.kind).is_some_and(|newest| newest.info().rules_version == info.rules_version)
    })
}

/// The newest rules of a kind.
pub fn newest(kind: &str) -> Option<&'static dyn AnyRules> {
    all().filter(|rules| rules.info().kind == kind).max_by_key(|rules| rules.info().rules_version)
}

/// The rules that a game was started with.
pub fn of_version(kind: &str, rules_version: u32) -> Option<&'static dyn AnyRules> {
    all().find(|rules| rules.info().kind == kind && rules.info().rules_version == rules_version)
}
