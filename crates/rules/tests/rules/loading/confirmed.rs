//! The variant for confirmed players: also by colour.

use super::{after, draw, lays, refusal, story};
use ludotheque_rules::loading::State;

/// 26 and 35 are yellow, 9 is too; 34 is red, 7 white as 1 is. Seat 2's hand is held out.
fn table(options: &str) -> State {
    draw(&format!(
        "options {options}
         P1 at 0: 1 9 26 34
         P2 at 1: ...
         seat 0: pile 35
         seat 1: pile 39
         seat 2: pile 7"
    ))
}

#[test]
fn a_coloured_card_may_also_be_laid_on_a_top_card_of_its_colour_whatever_its_number() {
    // 39 is yellow too.
    assert_eq!(lays(&table("confirmed"), 0), ["9 on 0", "9 on 1", "26 on 0", "26 on 1"]);
    assert_eq!(story(&after(&table("confirmed"), "0 lay 26 on 0").events), ["0 laid 26 of P1 on 0"]);
}

#[test]
fn white_is_no_colour() {
    assert_eq!(refusal(&table("confirmed"), 0, "lay 1 on 2"), "not-next");
}

#[test]
fn by_colour_an_opponents_pile_costs_a_boost_card_too() {
    let next = after(&table("confirmed"), "0 lay 26 on 1");
    assert_eq!(story(&next.events), ["0 laid 26 of P1 on 1", "boost from 1 to 0"]);
}

#[test]
fn the_variant_is_off_unless_it_is_agreed_on() {
    assert_eq!(lays(&table("passes 5"), 0), [] as [&str; 0]);
    assert_eq!(refusal(&table("passes 5"), 0, "lay 26 on 0"), "too-low");
}

#[test]
fn numbers_still_count_among_confirmed_players() {
    let state =
        draw("options confirmed\nP1 at 0: 8 37\nP2 at 1: ...\nseat 0: pile 35\nseat 1: pile 39\nseat 2: pile 7");
    assert_eq!(lays(&state, 0), ["8 on 2", "37 on 0"]);
}

#[test]
fn two_confirmed_players_lay_by_colour_as_well() {
    let state = draw("options confirmed\nP1 at 0: 26 27\nP2 at 1: 3\nP3 centre: ...\nseat 0: pile 35\nseat 1: pile 39");
    assert_eq!(lays(&state, 0), ["26 on 0", "26 on 1"]);
}
