//! The eight kinds of objectives, judged on all 14 chips, and the score.

use super::{TWO_BETTING, card, check, chips, draw};
use ludotheque_rules::chips::{BOARDS, Card, Counts, Flavour, Tally};

/// Whether the chips meet the objective.
fn meets(letters: &str, slug: &str) -> bool {
    let chips = chips(letters);
    assert_eq!(chips.len(), 14, "a round has 14 chips");
    assert!(Counts::all().without(Counts::of(&chips)).is_some(), "the bag has fewer chips");
    card(slug).face().objective.met(Counts::of(&chips), *chips.last().expect("14 chips"))
}

/// The tallies of a round drawn in text.
fn tallies(position: &str) -> Vec<Tally> {
    let past = &draw(position).play().state.past;
    past[0].areas.iter().filter_map(|area| area.tally.clone()).collect()
}

#[test]
fn a_bag_holds_25_chips_the_rarer_the_dearer() {
    assert_eq!(Flavour::ALL.map(Flavour::chips), [7, 6, 5, 4, 3]);
    assert_eq!(Counts::all().total(), 25);
    let each = ["each-n", "each-o", "each-b", "each-v", "each-p"].map(|slug| card(slug).face().value);
    assert_eq!(each, [5, 8, 11, 15, 22]);
}

#[test]
fn four_boards_hold_5_4_3_and_2_chips() {
    assert_eq!(BOARDS, [5, 4, 3, 2]);
}

#[test]
fn there_are_36_objectives_of_different_names() {
    let mut slugs: Vec<_> = Card::all().map(Card::slug).collect();
    slugs.sort_unstable();
    slugs.dedup();
    assert_eq!(slugs.len(), 36);
}

#[test]
fn a_rainbow_needs_that_many_chips_of_every_flavour() {
    assert!(meets("NNNNN OOOO BBB VP", "rainbow-1"));
    assert!(!meets("NNNNN OOOO BBB VV", "rainbow-1"));
    assert!(meets("NNNNN OOO BB VV PP", "rainbow-2"));
    assert!(!meets("NNNNN OOO BBB VV P", "rainbow-2"));
}

#[test]
fn a_combo_needs_at_least_what_it_shows_and_more_is_fine() {
    assert!(meets("NNN OOO BBBBB VVV", "combo-3n-3o"));
    assert!(meets("NNNNNNN OOOOOO B", "combo-3n-3o"));
    assert!(!meets("NN OOOO BBBBB VVV", "combo-3n-3o"));
    assert!(!meets("NNNN OO BBBBB VVV", "combo-3n-3o"));
    assert!(meets("NNNNNN OOOOO PPP", "combo-3p"));
    assert!(!meets("NNNNNN OOOOOO PP", "combo-3p"));
}

#[test]
fn equal_needs_as_many_of_one_as_of_the_other() {
    assert!(meets("NNNN OOOO BBB VVV", "equal-o-n"));
    assert!(!meets("NNNNN OOO BBB VVV", "equal-o-n"));
}

#[test]
fn none_of_one_is_as_many_as_none_of_the_other() {
    assert!(meets("NNNNNNN OOOOOO B", "equal-p-v"));
}

#[test]
fn last_looks_at_the_last_chip_drawn_only() {
    assert!(meets("NNNNNN OOOOO BB P", "last-p"));
    assert!(!meets("PNNNNNN OOOOO BB", "last-p"));
}

#[test]
fn none_needs_no_chip_of_the_flavour() {
    assert!(meets("NNNNNN OOOOO BBB", "none-p"));
    assert!(!meets("NNNNNN OOOOO BB P", "none-p"));
}

#[test]
fn each_needs_at_least_one_chip_of_the_flavour() {
    assert!(meets("NNNNNN OOOOO BB P", "each-p"));
    assert!(!meets("NNNNNN OOOOO BBB", "each-p"));
}

#[test]
fn more_is_strictly_more() {
    assert!(meets("NNN OOOO BBBB VVV", "more-o-n"));
    assert!(!meets("NNNN OOOO BBB VVV", "more-o-n"));
    assert!(!meets("NNNNN OOO BBB VVV", "more-o-n"));
}

#[test]
fn the_jackpot_is_met_like_more() {
    assert!(meets("NN OOOO BBBBB PPP", "jackpot-p-n"));
    assert!(!meets("NNN OOO BBBBB PPP", "jackpot-p-n"));
}

#[test]
fn only_one_card_is_a_jackpot() {
    assert_eq!(Card::all().filter(|card| card.slug().starts_with("jackpot")).count(), 1);
}

#[test]
fn each_for_earns_its_value_for_every_chip_and_against_costs_it() {
    let tallies = tallies(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets each-n last-p against each-o
        seat 1: 0 tokens, bets each-v last-o against each-b
        ",
    );
    // 4 plain at 5, less 3 onion at 8; 3 vinegar at 15, less 3 barbecue at 11.
    assert_eq!(tallies.iter().map(|tally| tally.score).collect::<Vec<_>>(), [20 - 24, 45 - 33]);
}

#[test]
fn the_example_of_the_rulebook_is_worth_61() {
    // For: as many vinegar as onion, 70. Against: 3 onion and 2 barbecue, 9.
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets equal-v-o none-p against combo-3o-2b
        seat 1: 0 tokens, bets last-n none-v against last-o
        ",
        "
        seat 0: 61 points, 1 more, has 1
        seat 1: 0 points, 0 more, has 0
        round 2 follows
        ",
    );
}

#[test]
fn what_is_not_met_counts_nothing_on_either_side() {
    let tallies = tallies(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-n none-p against none-v
        seat 1: 0 tokens, bets last-o last-p against last-b
        ",
    );
    assert!(tallies.iter().all(|tally| tally.score == 0 && tally.met.is_empty()));
}

#[test]
fn a_score_can_be_negative() {
    let tallies = tallies(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-n none-p against last-v
        seat 1: 0 tokens, bets last-o last-p against last-b
        ",
    );
    assert_eq!(tallies[0].score, -91);
}

#[test]
fn a_tally_names_the_objectives_that_were_met_on_either_side() {
    let tallies = tallies(TWO_BETTING);
    assert_eq!(tallies[0].met.to_string(), "each-p");
    assert_eq!(tallies[1].met.to_string(), "last-v each-o");
}

#[test]
fn values_are_those_of_the_published_set() {
    let values: Vec<_> = Card::all().map(|card| card.face().value).collect();
    let published = [
        &[1, 42][..],                         // rainbow
        &[4, 9, 16, 120, 140, 160, 180, 200], // combo
        &[25, 30, 35, 40, 70, 100, 110],      // equal
        &[61, 71, 81, 91, 111],               // last
        &[201, 202],                          // none
        &[5, 8, 11, 15, 22],                  // each
        &[45, 50, 55, 60, 80, 90],            // more
        &[0],                                 // jackpot
    ];
    assert_eq!(values, published.concat());
}
