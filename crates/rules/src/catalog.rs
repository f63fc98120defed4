//! The list of kinds: [`BUILT_IN`] has those of this crate, and a program may add its own.

use super::any::{Adapter, AnyRules};
use super::chips::Chips;
use super::loading::Loading;
use super::santa_rescue::SantaRescue;
use super::toy_rush::ToyRush;
use super::toys_go_go_go::ToysGoGoGo;
use std::fmt;

/// The kinds of this crate, each with the [capabilities](super::capabilities) it has beyond its rules. A game keeps the
/// rules version it started with, so an old version stays in this list beside its successor for as long as one of its games
/// does.
pub const BUILT_IN: Catalog = Catalog(&[
    &Adapter::<Chips>::new(),
    &Adapter::<Loading>::new().resigning(),
    &Adapter::<SantaRescue>::new().choosing().preparing().with_asides().scheduled().as_team(),
    &Adapter::<ToyRush>::new().with_greedy_player(),
    &Adapter::<ToysGoGoGo>::new(),
]);

/// The kinds that a program can referee. A list that lives as long as the program, so that it is cheap to pass on.
#[derive(Clone, Copy)]
pub struct Catalog(&'static [&'static dyn AnyRules]);

impl Catalog {
    /// No kinds at all, to begin another list with.
    pub const EMPTY: Self = Self(&[]);

    /// The same list with one kind more. It is made once, at the start of a program, and never freed.
    ///
    /// # Panics
    /// If the list has these rules already, or another kind with the same slug: slugs name types and texts.
    pub fn with<R: AnyRules + 'static>(self, rules: R) -> Self {
        let new = rules.info();
        for info in self.all().map(AnyRules::info) {
            assert!(
                if info.kind == new.kind { info.rules_version != new.rules_version } else { info.slug != new.slug },
                "{} and its rules version {} are in the catalogue already",
                new.kind,
                new.rules_version
            );
        }
        let rules: &'static dyn AnyRules = Box::leak(Box::new(rules));
        Self(self.0.iter().copied().chain([rules]).collect::<Vec<_>>().leak())
    }

    /// All kinds, in the order they are shown.
    pub fn all(self) -> impl Iterator<Item = &'static dyn AnyRules> {
        self.0.iter().copied()
    }

    /// All kinds, each with its newest rules.
    pub fn newest_of_all(self) -> impl Iterator<Item = &'static dyn AnyRules> {
        self.all().filter(move |rules| {
            let info = rules.info();
            self.newest(info.kind).is_some_and(|newest| newest.info().rules_version == info.rules_version)
        })
    }

    /// The names of all kinds.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.newest_of_all().map(|rules| rules.info().kind)
    }

    /// The newest rules of a kind.
    pub fn newest(self, kind: &str) -> Option<&'static dyn AnyRules> {
        self.all().filter(|rules| rules.info().kind == kind).max_by_key(|rules| rules.info().rules_version)
    }

    /// The rules that a game was started with.
    pub fn of_version(self, kind: &str, rules_version: u32) -> Option<&'static dyn AnyRules> {
        self.all().find(|rules| rules.info().kind == kind && rules.info().rules_version == rules_version)
    }
}

/// The kinds of this crate.
impl Default for Catalog {
    fn default() -> Self {
        BUILT_IN
    }
}

/// Two lists are equal if they have the same rules, in the same order.
impl PartialEq for Catalog {
    fn eq(&self, other: &Self) -> bool {
        let rules = |catalog: &Self| catalog.0.iter().map(|rules| (rules.info().kind, rules.info().rules_version));
        rules(self).eq(rules(other))
    }
}

impl Eq for Catalog {}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// The kinds of which new games can be made: all of a catalogue, or some of them. Games that run already go on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    pub catalog: Catalog,
    only: Option<Vec<&'static str>>,
}

/// All of the catalogue.
impl From<Catalog> for Offer {
    fn from(catalog: Catalog) -> Self {
        Self { catalog, only: None }
    }
}

impl Offer {
    /// Only these kinds.
    pub fn only(self, kinds: impl IntoIterator<Item = &'static str>) -> Self {
        Self { only: Some(kinds.into_iter().collect()), ..self }
    }

    /// The newest rules of a kind, if it is offered.
    pub fn newest(&self, kind: &str) -> Option<&'static dyn AnyRules> {
        self.catalog.newest(kind).filter(|_| self.has(kind))
    }

    /// Every kind offered, each with its newest rules.
    pub fn newest_of_all(&self) -> impl Iterator<Item = &'static dyn AnyRules> {
        self.catalog.newest_of_all().filter(|rules| self.has(rules.info().kind))
    }

    fn has(&self, kind: &str) -> bool {
        self.only.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }
}
