//! Where sentences come from: the service's own in content/service, and those that each kind brings along.

use super::Language;
use crate::rules::{Sentences, any::AnyRules, catalog::Catalog};

/// The sentences of the service itself, or of one kind.
#[derive(Clone, Copy, Debug)]
pub struct TextFolder {
    /// The prefix of a kind's keys.
    pub name: &'static str,
    pub sentences: Sentences,
}

impl TextFolder {
    pub fn text(&self, language: Language) -> &'static str {
        match language {
            Language::En => self.sentences.en,
            Language::Fr => self.sentences.fr,
        }
    }
}

const SERVICE: TextFolder = TextFolder {
    name: "service",
    sentences: Sentences {
        en: include_str!("../../content/service/en.ftl"),
        fr: include_str!("../../content/service/fr.ftl"),
    },
};

/// Everything that can be said about the service and these kinds.
pub fn all(catalog: Catalog) -> Vec<TextFolder> {
    let kinds = catalog.newest_of_all().map(AnyRules::info);
    [SERVICE].into_iter().chain(kinds.map(|info| TextFolder { name: info.slug, sentences: info.sentences })).collect()
}
