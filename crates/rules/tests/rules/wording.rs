//! Texts of the built-in kinds, beyond what the kit checks for every kind.

use crate::kit::{table::every_position, texts::languages};
use ludotheque_rules::{Arg, catalog};

#[test]
fn labels_count_seats_from_one_and_no_space_reads_like_a_number_of_things() {
    let kinds: Vec<_> = catalog::BUILT_IN.all().map(|rules| (rules.info().kind, languages(rules))).collect();
    let mut counted = 0;
    every_position(catalog::BUILT_IN, 1, |table, _| {
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
