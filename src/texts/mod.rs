//! Localisation: renders [`Message`]s with Fluent.

mod files;
mod language;

pub use files::{TextFolder, all as all_folders};
pub use language::Language;

use crate::rules::{Arg, Message, catalog::Catalog};
use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use moka::sync::Cache;
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

type Bundle = FluentBundle<FluentResource>;

/// The texts of the service and of every kind.
pub struct Texts {
    /// In the order of [`Language::ALL`].
    bundles: [Bundle; Language::ALL.len()],
    /// Cache of rendered labels, in the same order.
    labels: [Cache<Message, Arc<str>>; Language::ALL.len()],
    /// The warnings already logged, so that each is logged once.
    warned: Mutex<HashSet<String>>,
}

/// Capacity of each label cache: a few megabytes at most.
const CACHED_LABELS: u64 = 10_000;

impl Texts {
    /// The texts of the service and of these kinds.
    pub fn new(catalog: Catalog) -> Self {
        Self::of(&files::all(catalog))
    }

    fn of(folders: &[TextFolder]) -> Self {
        Self {
            bundles: Language::ALL.map(|language| bundle(language, folders)),
            labels: Language::ALL.map(|_| Cache::new(CACHED_LABELS)),
            warned: Mutex::default(),
        }
    }

    /// Like [`render`](Self::render), with a cache: the labels of moves recur all the time.
    pub fn label(&self, message: &Message, language: Language) -> Arc<str> {
        let labels = &self.labels[language as usize];
        labels.get_with_by_ref(message, || self.render(message, language).into())
    }

    /// The text in a language, else in English, else its key.
    pub fn render(&self, message: &Message, language: Language) -> String {
        let mut languages = vec![language, Language::default()];
        languages.dedup();
        for language in languages {
            if let Some(text) = self.try_render(message, language) {
                return text;
            }
            self.warn_once(format!("no text for {} in {language}", message.key));
        }
        message.key.clone().into_owned()
    }

    fn try_render(&self, message: &Message, language: Language) -> Option<String> {
        let bundle = &self.bundles[language as usize];
        let pattern = bundle.get_message(&message.key)?.value()?;
        let args: FluentArgs = message.args.iter().map(|(name, arg)| (*name, self.value(arg, language))).collect();
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(&args), &mut errors).into_owned();
        for error in errors {
            self.warn_once(format!("{} in {language}: {error}", message.key));
        }
        Some(text)
    }

    fn value<'a>(&self, arg: &'a Arg, language: Language) -> FluentValue<'a> {
        match arg {
            Arg::Number(number) => (*number).into(),
            Arg::Text(text) => text.as_str().into(),
            Arg::Message(message) => self.render(message, language).into(),
            Arg::List(messages) => self.list(messages, language).into(),
        }
    }

    /// Joins a list in the language's own way: "a, b and c".
    fn list(&self, messages: &[Message], language: Language) -> String {
        let mut items = messages.iter().map(|message| self.render(message, language));
        let Some(first) = items.next() else { return String::new() };
        let last = messages.len() - 1;
        (1..).zip(items).fold(first, |rest, (index, item)| {
            let key = if index == last { "list-and" } else { "list-comma" };
            self.render(&Message::new(key).with("rest", rest).with("item", item), language)
        })
    }

    fn warn_once(&self, warning: String) {
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if !warned.contains(&warning) {
            tracing::warn!("{warning}");
            warned.insert(warning);
        }
    }
}

fn bundle(language: Language, folders: &[TextFolder]) -> Bundle {
    let mut bundle = FluentBundle::new_concurrent(vec![language.tag().parse().expect("our tags are well formed")]);
    // Isolation marks would protect against right-to-left names, but they show up in consoles and break comparisons.
    bundle.set_use_isolating(false);
    for folder in folders {
        let resource = FluentResource::try_new(folder.text(language).to_owned());
        let resource =
            resource.unwrap_or_else(|(_, errors)| panic!("content/{}/{language}.ftl: {errors:?}", folder.name));
        bundle.add_resource(resource).expect("no key is in two folders");
    }
    bundle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Sentences;

    const FOLDER: TextFolder = TextFolder { name: "test", sentences: SENTENCES };

    const SENTENCES: Sentences = Sentences {
        en: "hat = a hat\nscarf = a scarf\ncoat = a coat\ngives = { $who } gives { $what }.\n\
             coins = { $count ->\n    [one] one coin\n   *[other] { $count } coins\n}\n\
             list-comma = { $rest }, { $item }\nlist-and = { $rest } and { $item }\n",
        fr: "hat = un chapeau\nscarf = une écharpe\ngives = { $who } donne { $what }.\n\
             coins = { $count ->\n    [one] { $count } pièce\n   *[other] { $count } pièces\n}\n\
             list-comma = { $rest }, { $item }\nlist-and = { $rest } et { $item }\n",
    };

    fn check(message: &Message, en: &str, fr: &str) {
        let texts = Texts::of(&[FOLDER]);
        assert_eq!(texts.render(message, Language::En), en);
        assert_eq!(texts.render(message, Language::Fr), fr);
    }

    fn gives(what: impl Into<Arg>) -> Message {
        Message::new("gives").with("who", "Zoë").with("what", what)
    }

    #[test]
    fn arguments_are_inserted_without_isolation_marks() {
        check(&gives(Message::new("hat")), "Zoë gives a hat.", "Zoë donne un chapeau.");
    }

    #[test]
    fn numbers_are_plain_and_follow_the_plural_rules() {
        let coins = |count: i64| Message::new("coins").with("count", count);
        check(&coins(0), "0 coins", "0 pièce");
        check(&coins(1), "one coin", "1 pièce");
        check(&coins(1_234_567), "1234567 coins", "1234567 pièces");
        check(&coins(-3), "-3 coins", "-3 pièces");
    }

    #[test]
    fn lists_end_with_an_and() {
        let list = |keys: &[&'static str]| gives(keys.iter().copied().map(Message::new).collect::<Vec<_>>());
        check(&list(&[]), "Zoë gives .", "Zoë donne .");
        check(&list(&["hat"]), "Zoë gives a hat.", "Zoë donne un chapeau.");
        check(&list(&["hat", "scarf"]), "Zoë gives a hat and a scarf.", "Zoë donne un chapeau et une écharpe.");
        check(
            &list(&["hat", "scarf", "hat"]),
            "Zoë gives a hat, a scarf and a hat.",
            "Zoë donne un chapeau, une écharpe et un chapeau.",
        );
    }

    #[test]
    fn markup_in_an_argument_is_not_interpreted() {
        check(&gives("{ hat }"), "Zoë gives { hat }.", "Zoë donne { hat }.");
    }

    #[test]
    fn a_missing_text_is_english_then_its_key_and_is_logged_once() {
        check(&Message::new("coat"), "a coat", "a coat");
        check(&Message::new("glove"), "glove", "glove");
        let texts = Texts::of(&[FOLDER]);
        for _ in 0..3 {
            texts.render(&Message::new("coat"), Language::Fr);
        }
        assert_eq!(texts.warned.lock().unwrap().len(), 1);
    }
}
