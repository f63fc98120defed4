//! The exact chance of every objective, over all ways to draw 14 of the 25 chips one after the other.
//!
//! Draws that leave the same chips out and end with the same flavour are counted together. With k of a flavour's n chips
//! out there are C(n, k) ways for it, and any of the 14 chips is as likely to be the last one as any other.

use super::card;
use ludotheque_rules::chips::{Card, Counts, Flavour};

const DRAWN: u8 = 14;

fn binomial(n: u8, k: u8) -> u128 {
    (0..k.into()).fold(1, |ways, i| ways * (u128::from(n) - i) / (i + 1))
}

/// Every combination of 14 drawn chips, with the number of ways to draw it.
fn hands() -> Vec<(Vec<Flavour>, u128)> {
    let mut hands = vec![(Vec::new(), 1)];
    for flavour in Flavour::ALL {
        let add = |(chips, ways): (Vec<Flavour>, u128)| {
            (0..=flavour.chips()).map(move |k| {
                let chips = chips.iter().copied().chain((0..k).map(|_| flavour)).collect();
                (chips, ways * binomial(flavour.chips(), k))
            })
        };
        hands = hands.into_iter().flat_map(add).collect();
    }
    hands.retain(|(chips, _): &(Vec<_>, _)| chips.len() == usize::from(DRAWN));
    hands
}

/// The share of cases in which the card is met; a case is a set of chips and the last one drawn.
fn cases(card: Card) -> u128 {
    let cases = hands().into_iter().map(|(chips, ways)| {
        let out = Counts::of(&chips);
        ways * chips.iter().filter(|last| card.face().objective.met(out, **last)).count() as u128
    });
    cases.sum()
}

fn all_cases() -> u128 {
    binomial(25, DRAWN) * u128::from(DRAWN)
}

/// In tenths of a percent, rounded to the nearest.
fn tenths(met: u128) -> u128 {
    (2 * 1000 * met + all_cases()) / (2 * all_cases())
}

#[test]
fn all_ways_to_draw_14_of_25_are_counted() {
    assert_eq!(hands().into_iter().map(|(_, ways)| ways).sum::<u128>(), binomial(25, 14));
    assert_eq!(binomial(25, 14), 4_457_400);
}

#[test]
fn every_objective_is_met_as_often_as_the_rules_page_says() {
    let page = "
        rainbow-1 89.1, rainbow-2 34.8,
        combo-3n-3o 69.5, combo-3o-2b 70.3, combo-2b-2v 70.5, combo-3p 15.8, combo-4v 7.9, combo-5b 3.8, combo-6o 1.7,
        combo-7n 0.7,
        equal-o-n 20.5, equal-b-o 22.1, equal-v-b 24.0, equal-p-v 26.7, equal-v-o 19.5, equal-v-n 14.7, equal-p-o 14.6,
        last-n 28.0, last-o 24.0, last-b 20.0, last-v 16.0, last-p 12.0,
        none-p 7.2, none-v 2.6,
        more-o-n 28.2, more-b-o 26.5, more-v-b 24.4, more-p-v 21.6, more-b-n 17.7, more-p-b 12.7,
        jackpot-p-n 3.5";
    let chances: Vec<_> =
        page.split(',').map(|figure| figure.trim().split_once(' ').expect("a card and a figure")).collect();
    assert_eq!(chances.len(), 36 - 5, "all cards but the five that are worth something for each chip");
    for (slug, figure) in chances {
        let tenths = tenths(cases(card(slug)));
        assert_eq!(format!("{}.{}", tenths / 10, tenths % 10), figure, "{slug}");
    }
}

#[test]
fn each_is_met_unless_all_14_chips_are_of_other_flavours() {
    for (slug, flavour) in ["each-n", "each-o", "each-b", "each-v", "each-p"].into_iter().zip(Flavour::ALL) {
        let without = binomial(25 - flavour.chips(), DRAWN) * u128::from(DRAWN);
        assert_eq!(cases(card(slug)), all_cases() - without, "{slug}");
    }
}

#[test]
fn the_last_chip_is_of_a_flavour_as_often_as_any_chip_is() {
    for (slug, flavour) in ["last-n", "last-o", "last-b", "last-v", "last-p"].into_iter().zip(Flavour::ALL) {
        assert_eq!(cases(card(slug)) * 25, all_cases() * u128::from(flavour.chips()), "{slug}");
    }
}
