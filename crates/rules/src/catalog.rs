//! Catalog of kinds: [`BUILT_IN`] lists those of this crate, and a program may add others.

use super::any::{Adapter, AnyRules};
use super::chips::Chips;
use super::loading::Loading;
use super::santa_rescue::SantaRescue;
use super::toy_rush::ToyRush;
use super::toys_go_go_go::ToysGoGoGo;
use std::fmt;

/// The kinds of this crate, each with its [capabilities](super::capabilities). A game keeps the rules version it
/// started with, so an old version stays in this list as long as any of its games may exist.
pub const BUILT_IN: Catalog = Catalog(&[
    &Adapter::<Chips>::new().with_greedy_player().with_bot(),
    &Adapter::<Loading>::new().resigning(),
    &Adapter::<SantaRescue>::new().choosing().preparing().with_asides().scheduled().as_team(),
    &Adapter::<ToyRush>::new().with_greedy_player(),
    &Adapter::<ToysGoGoGo>::new(),
]);

/// The list of kinds that a program supports. It is a `'static` slice, so it is cheap to copy.
#[derive(Clone, Copy)]
pub struct Catalog(&'static [&'static dyn AnyRules]);

impl Catalog {
    /// An empty catalog, to build one without the built-in kinds.
    pub const EMPTY: Self = Self(&[]);

    /// Adds a kind. The new list is leaked, so call this only at the start of a program.
    ///
    /// # Panics
    /// If the catalog already has these rules, or another kind with the same slug: slugs are prefixes of type names and
    /// text keys.
    pub fn with<R: AnyRules + 'static>(self, rules: R) -> Self {
        let new = rules.info();
        for info in self.all().map(AnyRules::info) {
            assert!(
                if info.kind == new.kind { info.rules_version != new.rules_version } else { info.slug != new.slug },
                "{} and its rules version {} are in the catalog already",
                new.kind,
                new.rules_version
            );
        }
        let rules: &'static dyn AnyRules = Box::leak(Box::new(rules));
        Self(self.0.iter().copied().chain([rules]).collect::<Vec<_>>().leak())
    }

    /// All rules, in display order; a kind may have several versions.
    pub fn all(self) -> impl Iterator<Item = &'static dyn AnyRules> {
        self.0.iter().copied()
    }

    /// Every kind with its newest rules.
    pub fn newest_of_all(self) -> impl Iterator<Item = &'static dyn AnyRules> {
        self.all().filter(move |rules| {
            let info = rules.info();
            self.newest(info.kind).is_some_and(|newest| newest.info().rules_version == info.rules_version)
        })
    }

    /// The ids of all kinds.
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

/// The built-in kinds.
impl Default for Catalog {
    fn default() -> Self {
        BUILT_IN
    }
}

/// Two catalogs are equal if they list the same rules in the same order.
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

/// The kinds that new games may be created of: all of a catalog, or some. Existing games of other kinds continue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    pub catalog: Catalog,
    only: Option<Vec<&'static str>>,
}

/// Offers every kind of the catalog.
impl From<Catalog> for Offer {
    fn from(catalog: Catalog) -> Self {
        Self { catalog, only: None }
    }
}

impl Offer {
    /// Offers only these kinds.
    pub fn only(self, kinds: impl IntoIterator<Item = &'static str>) -> Self {
        Self { only: Some(kinds.into_iter().collect()), ..self }
    }

    /// The newest rules of a kind, if it is offered.
    pub fn newest(&self, kind: &str) -> Option<&'static dyn AnyRules> {
        self.catalog.newest(kind).filter(|_| self.has(kind))
    }

    /// Every offered kind with its newest rules.
    pub fn newest_of_all(&self) -> impl Iterator<Item = &'static dyn AnyRules> {
        self.catalog.newest_of_all().filter(|rules| self.has(rules.info().kind))
    }

    fn has(&self, kind: &str) -> bool {
        self.only.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }
}
