//! Visibility: the sheets of days not yet open are hidden from every viewer, in views, events and previews.

use super::{begin, give_up};
use crate::kit::table::seed;
use ludotheque_rules::santa_rescue::{Options, SantaRescue, State, sheets};
use ludotheque_rules::{Dice, Eyes, Rules, Seat};
use std::collections::BTreeSet;

fn all_eyes() -> [Eyes; 4] {
    [Eyes::Seat(Seat(0)), Eyes::Seat(Seat(1)), Eyes::Spectator, Eyes::Replay]
}

fn shown(state: &State, eyes: Eyes) -> String {
    serde_json::to_string(&SantaRescue::view(state, eyes)).expect("plain data")
}

#[test]
fn a_monster_is_seen_when_its_day_opens_and_not_before() {
    let mut state = begin(&Options::default(), 2).state;
    for day in 1..=24 {
        for eyes in all_eyes() {
            let text = shown(&state, eyes);
            for (other, sheet) in (1..).zip(sheets::all_sheets()) {
                let seen = text.contains(&format!("\"{}\"", sheet.monster));
                assert_eq!(seen, other <= day, "{} on day {day}, to {eyes:?}", sheet.monster);
            }
        }
        state = give_up(&state);
    }
}

#[test]
fn no_view_depends_on_a_sheet_that_is_not_open_even_when_the_replay_is_read() {
    let mut state = begin(&Options::default(), 2).state;
    let mut dice = Dice::new(seed(1));
    for _ in 0..24 {
        let other = SantaRescue::resample(&state, Eyes::Seat(Seat(0)), &mut dice);
        for eyes in all_eyes() {
            assert_eq!(shown(&other, eyes), shown(&state, eyes));
        }
        state = give_up(&state);
    }
}

#[test]
fn the_glossary_does_not_tell_on_which_day_a_monster_comes() {
    let monsters: BTreeSet<_> = sheets::all_sheets().map(|sheet| sheet.monster.clone()).collect();
    let glossary = SantaRescue::glossary();
    let listed: Vec<_> = glossary.iter().map(|(id, _)| id).filter(|id| monsters.contains(*id)).collect();
    assert_eq!(listed.len(), 24);
    assert!(listed.is_sorted(), "by their names, not by their days");
}

#[test]
fn what_the_schemas_say_of_monsters_and_rows_is_no_list_of_sheets() {
    let mut generator = schemars::SchemaGenerator::default();
    let view = <ludotheque_rules::santa_rescue::View as schemars::JsonSchema>::json_schema(&mut generator);
    let schema = format!("{} {:?}", view.to_value(), generator.take_definitions(true));
    assert!(!sheets::all_sheets().any(|sheet| schema.contains(&sheet.monster)));
}
