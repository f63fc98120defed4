//! Every sentence a kind can say has words in every language, and no gap stays open.

use crate::kit::{every_position, seed};
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use ludotheque_rules::{Arg, Dice, Message, Seat, any::AnyRules, catalog};
use std::{collections::BTreeSet, fs, path::Path};

/// The texts of one kind in one language.
struct Texts {
    file: String,
    bundle: FluentBundle<FluentResource>,
    keys: BTreeSet<String>,
}

impl Texts {
    fn read(path: &Path) -> Self {
        let file = path.display().to_string();
        let source = fs::read_to_string(path).unwrap_or_else(|why| panic!("{file}: {why}"));
        let keys = source.lines().filter_map(|line| line.split_once(" ="));
        let keys = keys.map(|(key, _)| key.to_owned()).filter(|key| !key.starts_with([' ', '#'])).collect();
        let language = path.file_stem().and_then(|stem| stem.to_str()).expect("en.ftl").parse().expect("a language");
        let mut bundle = FluentBundle::new(vec![language]);
        let resource = FluentResource::try_new(source).unwrap_or_else(|(_, why)| panic!("{file}: {why:?}"));
        bundle.add_resource(resource).unwrap_or_else(|why| panic!("{file}: {why:?}"));
        Self { file, bundle, keys }
    }

    fn say(&self, message: &Message) -> String {
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

/// English, and every other language the kind has words in.
fn languages(rules: &dyn AnyRules) -> Vec<Texts> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("content").join(rules.info().slug);
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect("a kind has content").map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ftl"));
    files.sort();
    assert!(files.iter().any(|file| file.ends_with("en.ftl")), "{} has no English texts", folder.display());
    files.iter().map(|file| Texts::read(file)).collect()
}

#[test]
fn all_languages_have_the_same_keys_with_the_kinds_prefix() {
    for rules in catalog::BUILT_IN.all() {
        let languages = languages(rules);
        for texts in &languages {
            assert_eq!(texts.keys, languages[0].keys, "{} and {}", texts.file, languages[0].file);
            let prefix = format!("{}-", rules.info().slug);
            assert_eq!(texts.keys.iter().find(|key| !key.starts_with(&prefix)), None, "{}", texts.file);
        }
    }
}

#[test]
fn names_summaries_and_glossaries_are_said_in_every_language() {
    for rules in catalog::BUILT_IN.all() {
        for texts in languages(rules) {
            texts.say(&Message::new(format!("{}-name", rules.info().slug)));
            let summary = texts.say(&Message::new(format!("{}-summary", rules.info().slug)));
            assert!(summary.lines().count() >= 5, "{} sums the rules up in a few lines", texts.file);
            let glossary = rules.glossary();
            let ids: BTreeSet<_> = glossary.iter().map(|(id, _)| id).collect();
            assert_eq!(ids.len(), glossary.len(), "an id has one name");
            let names: BTreeSet<_> = glossary.iter().map(|(_, name)| texts.say(name)).collect();
            assert_eq!(names.len(), glossary.len(), "{}: two pieces have the same name", texts.file);
        }
    }
}

#[test]
fn labels_and_refusals_are_said_in_every_language_and_labels_differ() {
    let kinds: Vec<_> = catalog::BUILT_IN.all().map(|rules| (rules.info().kind, languages(rules))).collect();
    let mut chance = Dice::new(seed(8_000));
    every_position(1, |table, _| {
        let (_, languages) = kinds.iter().find(|(kind, _)| *kind == table.rules.info().kind).expect("listed");
        for texts in languages {
            for seat in table.all_seats() {
                let label = |mv| texts.say(&table.rules.describe(&table.state, seat, mv).label);
                let labels: Vec<_> = table.legal(seat).iter().map(label).collect();
                let different: BTreeSet<_> = labels.iter().collect();
                assert_eq!(different.len(), labels.len(), "{}: two moves read alike", texts.file);
                let borrowed = table.legal(Seat(u8::try_from(chance.below(table.seats.into())).expect("a seat")));
                for mv in &borrowed {
                    let mut dice = table.dice.clone();
                    if let Err(why) = table.rules.play(&table.state, seat, mv, table.now, &mut dice) {
                        let (ludotheque_rules::Illegal::NotYourTurn(why) | ludotheque_rules::Illegal::Rule(why)) = why;
                        assert!(texts.say(&why).ends_with('.'), "a refusal is a sentence");
                    }
                }
            }
        }
    });
}

#[test]
fn labels_count_seats_from_one_and_no_space_reads_like_a_number_of_things() {
    let kinds: Vec<_> = catalog::BUILT_IN.all().map(|rules| (rules.info().kind, languages(rules))).collect();
    let mut counted = 0;
    every_position(1, |table, _| {
        let (_, languages) = kinds.iter().find(|(kind, _)| *kind == table.rules.info().kind).expect("listed");
        for (seat, mv) in table.all_seats().flat_map(|seat| table.legal(seat).into_iter().map(move |mv| (seat, mv))) {
            let shown = table.rules.describe(&table.state, seat, &mv);
            let json: serde_json::Value = serde_json::to_value(&shown.mv).expect("JSON");
            for (_, arg) in shown.label.args.iter().filter(|(name, _)| *name == "seat") {
                let of_program = json.get("pile").or(json.get("seat")).and_then(serde_json::Value::as_i64);
                assert_eq!(*arg, Arg::Number(of_program.expect("a seat") + 1), "{json}");
                counted += 1;
            }
            for texts in languages {
                let label = texts.say(&shown.label);
                let places = [" on ", " sur "].iter().filter_map(|word| Some(label.split_once(word)?.1));
                for place in places {
                    assert!(!place.starts_with(|first: char| first.is_ascii_digit()), "{}: {label}", texts.file);
                }
            }
        }
    });
    assert!(counted > 100, "LOADING names seats: {counted}");
}

#[test]
fn summaries_tell_how_ties_are_broken_and_every_way_to_end() {
    for (slug, en, fr) in [
        (
            "toy_rush",
            ["stays where it is", "can be completed any more", "40 rounds"],
            ["reste où il est", "plus aucun objectif", "40 manches"],
        ),
        (
            "chips",
            ["nobody is second", "equal scores win 1 each", "one more round"],
            ["personne n’est deuxième", "à égalité, chacun en gagne 1", "une manche de plus"],
        ),
    ] {
        let rules = catalog::BUILT_IN.all().find(|rules| rules.info().slug == slug).expect("a kind");
        for (texts, told) in languages(rules).iter().zip([en, fr]) {
            let summary = texts.say(&rules.info().summary());
            for words in told {
                assert!(summary.contains(words), "{}: {words}", texts.file);
            }
        }
    }
}
