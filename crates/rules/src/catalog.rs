//! The only list of kinds.

use super::any::{Adapter, AnyRules};
use super::chips::Chips;
use super::loading::Loading;
use super::santa_rescue::SantaRescue;
use super::toy_rush::ToyRush;
use super::toys_go_go_go::ToysGoGoGo;

/// Every kind this build can referee, with the [capabilities](super::capabilities) it has beyond its rules. A game keeps the rules version it started with, so an old version stays in this
/// list beside its successor for as long as one of its games does.
static KINDS: &[&dyn AnyRules] = &[
    &Adapter::<Chips>::new(),
    &Adapter::<Loading>::new().resigning(),
    &Adapter::<SantaRescue>::new().choosing().preparing().with_asides().scheduled().as_team(),
    &Adapter::<ToyRush>::new().with_greedy_player(),
    &Adapter::<ToysGoGoGo>::new(),
];

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

/// The kinds of which new games can be made: all there are, or some of them. Games that run already go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer(Option<Vec<&'static str>>);

impl Offer {
    /// Only these kinds.
    pub fn only(kinds: impl IntoIterator<Item = &'static str>) -> Self {
        Self(Some(kinds.into_iter().collect()))
    }

    /// The newest rules of a kind, if it is offered.
    pub fn newest(&self, kind: &str) -> Option<&'static dyn AnyRules> {
        newest(kind).filter(|_| self.has(kind))
    }

    /// Every kind offered, each with its newest rules.
    pub fn newest_of_all(&self) -> impl Iterator<Item = &'static dyn AnyRules> {
        newest_of_all().filter(|rules| self.has(rules.info().kind))
    }

    fn has(&self, kind: &str) -> bool {
        self.0.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }
}

/// The rules that a game was started with.
pub fn of_version(kind: &str, rules_version: u32) -> Option<&'static dyn AnyRules> {
    all().find(|rules| rules.info().kind == kind && rules.info().rules_version == rules_version)
}
