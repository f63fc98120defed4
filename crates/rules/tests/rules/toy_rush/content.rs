//! Components: the piles, the spaces, and the design criteria of the 18 objectives.

use ludotheque_rules::toy_rush::{ELVES, Object, Objective, Objects, Space};
use std::collections::BTreeSet;

/// What an objective costs, in half elves, because a box takes one elf and a half: there is one a round for two players.
fn half_elves(objective: Objective) -> u32 {
    let cost = |object| match object {
        Object::Pink | Object::Blue | Object::Yellow | Object::Train => 2,
        Object::Box => 3,
        Object::Dots | Object::Stripes | Object::Teddy => 4,
        Object::Horse => 6,
    };
    objective.needs().iter().map(cost).sum()
}

fn how_many(needing: Object) -> usize {
    Objective::all().filter(|card| card.needs()[needing] > 0).count()
}

#[test]
fn the_line_has_9_spaces_from_left_to_right() {
    let ids = Space::ALL.map(Space::id);
    let expected = "PRIMEUR OBJECTIVES BOX_OR_ELF ELVES COLOURS TRAINS PATTERNS TEDDIES HORSES";
    assert_eq!(ids.join(" "), expected);
    assert_eq!(Space::ALL.map(Space::number), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn there_are_48_object_cards_6_of_each_colour_5_of_each_pattern_6_trains_5_teddies_4_horses_5_boxes() {
    assert_eq!(Object::COLOURS.map(Object::cards), [6, 6, 6]);
    assert_eq!(Object::PATTERNS.map(Object::cards), [5, 5]);
    assert_eq!(Object::TOYS.map(Object::cards), [6, 5, 4]);
    assert_eq!(Object::Box.cards(), 5);
    assert_eq!(Objects::all().total(), 48);
}

#[test]
fn each_player_has_12_elves() {
    assert_eq!(ELVES, 12);
    assert!(super::start().areas.iter().all(|area| area.stock + area.reserve == 12));
}

#[test]
fn there_are_18_objectives_each_for_another_child() {
    let children: BTreeSet<_> = Objective::all().map(|card| card.face().child.as_str()).collect();
    assert_eq!(children.len(), 18);
    assert!(children.iter().all(|child| child.chars().all(char::is_alphabetic)), "a first name alone");
}

#[test]
fn no_two_objectives_need_the_same() {
    let needs: BTreeSet<_> = Objective::all().map(Objective::needs).collect();
    assert_eq!(needs.len(), 18);
}

#[test]
fn an_objective_needs_exactly_one_toy_with_a_colour_or_a_pattern_or_both() {
    for card in Objective::all() {
        let count = |objects: &[Object]| objects.iter().map(|&object| card.needs()[object]).sum::<u8>();
        let (toys, looks) = (count(&Object::TOYS), [count(&Object::COLOURS), count(&Object::PATTERNS)]);
        assert_eq!(toys, 1, "{card}");
        assert!([[1, 0], [0, 1], [1, 1]].contains(&looks), "{card}");
        assert!(card.needs()[Object::Box] <= 1, "{card}");
    }
}

#[test]
fn twelve_or_thirteen_objectives_are_boxed() {
    assert!((12..=13).contains(&how_many(Object::Box)));
}

#[test]
fn seven_objectives_are_trains_six_teddies_and_five_horses() {
    assert_eq!(Object::TOYS.map(how_many), [7, 6, 5]);
}

#[test]
fn points_are_the_elves_an_objective_costs_rounded_down() {
    for card in Objective::all() {
        assert_eq!(u32::from(card.face().points), half_elves(card) / 2, "{card}");
    }
}

#[test]
fn points_go_from_2_to_7_and_are_about_80_in_all() {
    let points: BTreeSet<_> = Objective::all().map(|card| card.face().points).collect();
    assert_eq!(points.into_iter().collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
    let all: u32 = Objective::all().map(|card| u32::from(card.face().points)).sum();
    assert!((76..=84).contains(&all), "{all}");
}

#[test]
fn points_follow_the_cost_with_a_rank_correlation_of_at_least_nine_tenths() {
    let costs: Vec<_> = Objective::all().map(half_elves).collect();
    let points: Vec<_> = Objective::all().map(|card| u32::from(card.face().points)).collect();
    let correlation = spearman(&costs, &points);
    assert!((0.9..=1.0).contains(&correlation), "{correlation}");
    let backwards: Vec<_> = points.iter().map(|points| 7 - points).collect();
    assert!(spearman(&costs, &backwards) < -0.9, "the measure can fail");
}

/// Spearman's: Pearson's correlation of the ranks, where equals share the mean of theirs.
fn spearman(one: &[u32], other: &[u32]) -> f64 {
    let ranks = |values: &[u32]| -> Vec<f64> {
        let rank = |value: &u32| {
            let below = values.iter().filter(|other| *other < value).count();
            let equal = values.iter().filter(|other| *other == value).count();
            f64::from(u32::try_from(2 * below + equal + 1).expect("few values")) / 2.0
        };
        values.iter().map(rank).collect()
    };
    let (one, other) = (ranks(one), ranks(other));
    let mean = f64::from(u32::try_from(one.len()).expect("few values") + 1) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt()
}

#[test]
fn no_objective_needs_more_of_a_pile_than_the_pile_has() {
    assert!(Objective::all().all(|card| Objects::all().cover(card.needs())));
}

#[test]
fn every_colour_and_every_pattern_is_in_demand() {
    assert!(Object::COLOURS.into_iter().chain(Object::PATTERNS).all(|object| how_many(object) >= 4));
}

#[test]
fn an_objective_is_called_by_its_number_alone() {
    assert_eq!(Objective::from_id("7").map(Objective::number), Some(7));
    for wrong in ["0", "19", "07", "+7", "-7", "7.0", "", "x", "300"] {
        assert_eq!(Objective::from_id(wrong), None, "{wrong:?}");
    }
    assert!(postcard::from_bytes::<Objective>(&[18]).is_err(), "there are 18");
}
