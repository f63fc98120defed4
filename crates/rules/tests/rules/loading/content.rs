//! The cards: as many of each as the rules page says.

use super::card;
use ludotheque_rules::loading::{Card, Colour, Stop, boost_bars};

fn count(holds: impl Fn(Card) -> bool) -> usize {
    Card::all().filter(|card| holds(*card)).count()
}

#[test]
fn there_are_65_progression_cards_numbered_from_1_one_each() {
    assert!(Card::all().map(Card::number).eq(1..=65));
    assert!(Card::all().all(|card| card.face().number == card.number()));
    for id in ["0", "66", "01", "+1", "x"] {
        assert_eq!(Card::from_id(id), None);
    }
}

#[test]
fn there_are_35_cards_with_1_bar_23_with_2_6_with_3_and_one_with_4() {
    assert_eq!([1, 2, 3, 4].map(|bars| count(|card| card.bars() == bars)), [35, 23, 6, 1]);
}

#[test]
fn there_are_25_white_cards_and_10_of_each_colour() {
    assert_eq!(Colour::ALL.map(|colour| count(|card| card.colour() == colour)), [25, 10, 10, 10, 10]);
}

#[test]
fn colours_are_spread_over_the_whole_range() {
    for colour in Colour::ALL {
        for third in [1..=21, 22..=43, 44..=65] {
            let here = count(|card| card.colour() == colour && third.contains(&card.number()));
            assert!(here >= 2, "{colour:?} in {third:?}: {here}");
        }
    }
}

#[test]
fn cards_26_and_35_are_of_one_colour() {
    assert_eq!(card("26").colour(), card("35").colour());
    assert_ne!(card("26").colour(), Colour::White);
}

#[test]
fn a_boost_card_has_3_bars() {
    assert_eq!(boost_bars(), 3);
}

#[test]
fn stop_cards_2_to_6_are_worth_1_3_2_2_1() {
    assert_eq!(Stop::ALL.map(|stop| (stop.id(), stop.bars())), [("2+", 1), ("3+", 3), ("4+", 2), ("5+", 2), ("6+", 1)]);
}
