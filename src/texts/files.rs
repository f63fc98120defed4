//! Fluent files: the service's in content/service, and those that each kind brings.

use super::Language;
use crate::rules::{Sentences, any::AnyRules, catalog::Catalog};

/// The texts of the service, or of one kind, in all languages.
#[derive(Clone, Copy, Debug)]
pub struct TextFolder {
    /// `service`, or the prefix of the kind's keys.
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

/// The texts of the service and of these kinds.
pub fn all(catalog: Catalog) -> Vec<TextFolder> {
    let kinds = catalog.newest_of_all().map(AnyRules::info);
    [SERVICE].into_iter().chain(kinds.map(|info| TextFolder { name: info.slug, sentences: info.sentences })).collect()
}
