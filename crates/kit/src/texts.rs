//! Text tests: every sentence of a kind exists in every language, with all its arguments.

use crate::table::{every_position, seed};
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use ludotheque_rules::{Arg, Dice, Illegal, Message, Seat, any::AnyRules, catalog::Catalog};
use std::collections::BTreeSet;

/// The texts of one kind in one language.
pub struct Texts {
    pub file: String,
    bundle: FluentBundle<FluentResource>,
    keys: BTreeSet<String>,
}

impl Texts {
    fn read(slug: &str, language: &str, source: &str) -> Self {
        let file = format!("{slug}/{language}.ftl");
        let keys = source.lines().filter_map(|line| line.split_once(" ="));
        let keys = keys.map(|(key, _)| key.to_owned()).filter(|key| !key.starts_with([' ', '#'])).collect();
        let mut bundle = FluentBundle::new(vec![language.parse().expect("a language")]);
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(_, why)| panic!("{file}: {why:?}"));
        bundle.add_resource(resource).unwrap_or_else(|why| panic!("{file}: {why:?}"));
        Self { file, bundle, keys }
    }

    /// The sentence in this language.
    ///
    /// # Panics
    /// If the language lacks it, or an argument is missing.
    pub fn say(&self, message: &Message) -> String {
        let mut args = FluentArgs::new();
        for (name, arg) in &message.args {
            args.set(*name, self.fill(arg));
        }
        let key = &message.key;
        let found = self.bundle.get_message(key).and_then(|message| message.value());
        let pattern = found.unwrap_or_else(|| panic!("{} has no {key}", self.file));
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(&args), &mut errors);
        assert!(errors.is_empty(), "{}: {key}: {errors:?}", self.file);
        text.into_owned()
    }

    fn fill(&self, arg: &Arg) -> FluentValue<'static> {
        match arg {
            Arg::Number(number) => FluentValue::from(*number),
            Arg::Text(text) => FluentValue::from(text.clone()),
            Arg::Message(message) => FluentValue::from(self.say(message)),
            Arg::List(items) => {
                FluentValue::from(items.iter().map(|item| self.say(item)).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// The kind's texts in English and in French.
pub fn languages(rules: &dyn AnyRules) -> [Texts; 2] {
    let info = rules.info();
    [("en", info.sentences.en), ("fr", info.sentences.fr)]
        .map(|(language, text)| Texts::read(info.slug, language, text))
}

pub fn all_languages_have_the_same_keys_with_the_kinds_prefix(catalog: Catalog) {
    for rules in catalog.all() {
        let languages = languages(rules);
        for texts in &languages {
            assert_eq!(texts.keys, languages[0].keys, "{} and {}", texts.file, languages[0].file);
            let prefix = format!("{}-", rules.info().slug);
            assert_eq!(texts.keys.iter().find(|key| !key.starts_with(&prefix)), None, "{}", texts.file);
        }
    }
}

pub fn names_summaries_and_glossaries_are_said_in_every_language(catalog: Catalog) {
    for rules in catalog.all() {
        for texts in languages(rules) {
            texts.say(&Message::new(format!("{}-name", rules.info().slug)));
            let summary = texts.say(&Message::new(format!("{}-summary", rules.info().slug)));
            assert!(
                summary.lines().count() >= 5,
                "{}: a summary of the rules must have at least five lines",
                texts.file
            );
            let glossary = rules.glossary();
            let ids: BTreeSet<_> = glossary.iter().map(|(id, _)| id).collect();
            assert_eq!(ids.len(), glossary.len(), "no id is listed twice");
            let names: BTreeSet<_> = glossary.iter().map(|(_, name)| texts.say(name)).collect();
            assert_eq!(names.len(), glossary.len(), "{}: two pieces have the same name", texts.file);
        }
    }
}

pub fn labels_and_refusals_are_said_in_every_language_and_labels_differ(catalog: Catalog) {
    let kinds: Vec<_> = catalog.all().map(|rules| (rules.info().kind, languages(rules))).collect();
    let mut chance = Dice::new(seed(8_000));
    every_position(catalog, 1, |table, _| {
        let (_, languages) =
            kinds.iter().find(|(kind, _)| *kind == table.rules.info().kind).expect("every kind was collected above");
        for texts in languages {
            for seat in table.all_seats() {
                let label = |mv| texts.say(&table.rules.describe(&table.state, seat, mv).label);
                let labels: Vec<_> = table.legal(seat).iter().map(label).collect();
                let different: BTreeSet<_> = labels.iter().collect();
                assert_eq!(different.len(), labels.len(), "{}: two moves read alike", texts.file);
                let moves_of_any_seat =
                    table.legal(Seat(u8::try_from(chance.below(table.seats.into())).expect("a seat")));
                for mv in &moves_of_any_seat {
                    let mut dice = table.dice.clone();
                    if let Err(why) = table.rules.play(&table.state, seat, mv, table.now, &mut dice) {
                        let (Illegal::NotYourTurn(why) | Illegal::Rule(why)) = why;
                        assert!(texts.say(&why).ends_with('.'), "a refusal is a sentence");
                    }
                }
            }
        }
    });
}
