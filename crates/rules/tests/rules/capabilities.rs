//! A kind has the capabilities it is registered with, and no others.

use crate::kit::table::Table;
use ludotheque_rules::any::{AnyRules, Part};
use ludotheque_rules::{Seat, catalog};
use schemars::SchemaGenerator;
use serde_json::{Value, json};

/// Whether the schema of a part accepts anything.
fn has(rules: &dyn AnyRules, part: Part) -> bool {
    rules.schema(part, &mut SchemaGenerator::default()).as_bool() != Some(false)
}

#[test]
fn a_kind_reads_choices_and_asides_exactly_if_it_has_a_schema_of_them() {
    let (mut choosing, mut with_asides) = (0, 0);
    for rules in catalog::BUILT_IN.all() {
        let options = rules.read_options(&json!({}), *rules.info().seats.end()).expect("the default options");
        let reads_choices = rules.read_choice(&options, *rules.info().seats.end(), &[], &json!({})).is_some();
        assert_eq!(reads_choices, has(rules, Part::Choice), "{}", rules.info().kind);
        let reads_asides = rules.read_aside(&json!({})).is_some();
        assert_eq!(reads_asides, has(rules, Part::Aside), "{}", rules.info().kind);
        choosing += u8::from(reads_choices);
        with_asides += u8::from(reads_asides);
    }
    assert_eq!((choosing, with_asides), (1, 1));
}

#[test]
fn a_kind_without_a_capability_behaves_as_if_there_were_nothing_of_the_sort() {
    let rules = catalog::BUILT_IN.newest("CHIPS").expect("a kind");
    let (table, _) = Table::start(rules, 3, 1);
    let options = rules.read_options(&json!({}), 3).expect("the default options");
    assert_eq!((rules.time_zone(&options), rules.waits_from(&table.state)), (None, None));
    assert!(!rules.takes_long_to_prepare(&options) && rules.resigned(&table.state).is_empty());
    assert_eq!(rules.reveal(&json!({"opensAt": []}), &table.state), Value::Null);
    let moves = rules.legal(&table.state, Seat(1), table.now);
    assert_eq!(rules.tries_as(&table.state, Seat(1), &moves[0]), Seat(1));
    let refused = rules.aside(&table.state, Seat(1), "hint", table.now).err().expect("no such aside");
    assert!(refused.to_string().contains("game-no-such-aside"), "{refused}");
    assert!([Part::Choice, Part::Aside, Part::Preparation].iter().all(|part| !has(rules, *part)));
}

/// A kind that implements a trait but is not registered with it would silently lack the capability.
#[test]
fn kinds_are_registered_with_what_they_need() {
    let santa_rescue = catalog::BUILT_IN.newest("SANTA_RESCUE").expect("a kind");
    assert!([Part::Choice, Part::Aside, Part::Preparation].iter().all(|part| has(santa_rescue, *part)));
    let greedy: Vec<_> = catalog::BUILT_IN.newest_of_all().filter(|rules| rules.has_greedy()).collect();
    assert_eq!(greedy.iter().map(|rules| rules.info().kind).collect::<Vec<_>>(), ["CHIPS", "TOY_RUSH"]);
}

#[test]
fn a_kind_without_a_greedy_player_picks_no_move() {
    let without: Vec<_> = catalog::BUILT_IN.newest_of_all().filter(|rules| !rules.has_greedy()).collect();
    assert!(!without.is_empty());
    for rules in without {
        let (table, _) = Table::start(rules, *rules.info().seats.end(), 1);
        let moves = rules.legal(&table.state, Seat(0), table.now);
        assert_eq!(rules.greedy(&table.state, Seat(0), &moves, table.now), None, "{}", rules.info().kind);
    }
}

#[test]
fn a_part_is_listed_once() {
    let mut parts = Part::ALL.to_vec();
    assert!(parts.is_sorted());
    parts.dedup();
    assert_eq!(parts.len(), Part::ALL.len());
}
