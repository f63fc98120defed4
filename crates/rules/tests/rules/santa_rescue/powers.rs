//! The powers: those the rulebook shows, each with its "can't be played", and the rest of the language.

use super::row;
use ludotheque_rules::santa_rescue::{Power, Unplayable, sheets};

/// Plays a power, aimed at a place or not, and compares.
#[track_caller]
fn check(power: &str, before: &str, target: impl Into<Option<u8>>, after: Result<&str, Unplayable>) {
    let power: Power = power.parse().unwrap_or_else(|why| panic!("{power}: {why}"));
    assert_eq!(power.apply(row(before), target.into()), after.map(row));
}

/// Every way to play a power, as `PLACE ROW`.
fn ways(power: &str, before: &str) -> Vec<String> {
    let power: Power = power.parse().expect("a power");
    let write = |(target, row): (Option<u8>, _)| target.map_or(format!("{row}"), |place| format!("{place} {row}"));
    power.ways(row(before)).map(write).collect()
}

#[test]
fn one_heart_becomes_a_star_and_keeps_its_colour() {
    check("change heart star", "bhHss", 1, Ok("bsHss"));
    check("change heart star", "bhHss", 2, Ok("bhSss"));
    check("change heart star", "bhHss", 0, Err(Unplayable::OtherShape));
    assert_eq!(ways("change heart star", "bhHss"), ["1 bsHss", "2 bhSss"], "the player chooses which");
    assert_eq!(ways("change heart star", "bsSmc"), [""; 0], "no heart, nothing to play");
}

#[test]
fn a_bell_is_copied_onto_a_neighbour_of_the_same_colour() {
    check("copy bell", "hbHgB", 0, Ok("bbHgB"));
    check("copy bell", "hbHgB", 2, Err(Unplayable::NoSource));
    check("copy bell", "hbHgB", 3, Err(Unplayable::NoSource));
    check("copy bell", "hcHgS", 0, Err(Unplayable::NoSource));
    check("copy bell", "bbsgS", 0, Err(Unplayable::NoEffect));
}

#[test]
fn two_possible_sources_are_one_way_to_play_a_copy() {
    assert_eq!(ways("copy bell", "bhbSG"), ["1 bbbSG"]);
}

#[test]
fn two_neighbours_of_the_same_colour_change_places() {
    check("swap colour", "bhSGm", 0, Ok("hbSGm"));
    check("swap colour", "bhSGm", 2, Ok("bhGSm"));
    check("swap colour", "bhSGm", 1, Err(Unplayable::NotAlike));
    check("swap colour", "bbSGm", 0, Err(Unplayable::NoEffect));
}

#[test]
fn neighbours_are_side_by_side_and_the_ends_are_no_neighbours() {
    check("swap colour", "bHSGm", 4, Err(Unplayable::Outside));
    check("copy bell", "bHSGm", 4, Err(Unplayable::NoSource));
    check("swap any", "bhsgm", 4, Err(Unplayable::Outside));
}

#[test]
fn the_ends_change_places_if_of_the_same_shape() {
    check("swap-ends shape", "bhsgB", None, Ok("Bhsgb"));
    check("swap-ends shape", "bhsgG", None, Err(Unplayable::NotAlike));
    check("swap-ends shape", "bhsgb", None, Err(Unplayable::NoEffect));
}

#[test]
fn all_white_hearts_turn_black() {
    check("turn white heart", "hHhsb", None, Ok("HHHsb"));
    check("turn white heart", "HHssb", None, Err(Unplayable::NoEffect));
}

#[test]
fn all_stars_are_inverted_white_to_black_and_black_to_white() {
    check("invert-all star", "sSsHb", None, Ok("SsSHb"));
    check("invert-all star", "bhmcg", None, Err(Unplayable::NoEffect));
}

#[test]
fn all_white_symbols_become_gifts_and_stay_white() {
    check("change-all white gift", "hSmcB", None, Ok("gSggB"));
    check("change-all white gift", "HSGgB", None, Err(Unplayable::NoEffect));
}

#[test]
fn the_power_of_our_own_changes_one_cloud_into_a_heart() {
    check("change cloud heart", "cCbhs", 1, Ok("cHbhs"));
    check("change cloud heart", "cCbhs", 2, Err(Unplayable::OtherShape));
}

#[test]
fn the_rest_of_the_language_does_what_it_says() {
    check("change-all star moon", "sSbhg", None, Ok("mMbhg"));
    check("change-all black star moon", "sSbhg", None, Ok("sMbhg"));
    check("swap any", "bHsgm", 0, Ok("Hbsgm"));
    check("swap shape", "bBsgm", 0, Ok("Bbsgm"));
    check("swap shape", "bHsgm", 0, Err(Unplayable::NotAlike));
    check("swap-ends any", "bHsgM", None, Ok("MHsgb"));
    check("swap-ends colour", "bHsgm", None, Ok("mHsgb"));
    check("swap-ends colour", "bHsgM", None, Err(Unplayable::NotAlike));
    check("turn black gift", "GgGhs", None, Ok("ggghs"));
    check("invert", "bHsgm", 1, Ok("bhsgm"));
    assert_eq!(ways("invert", "bH"), ["0 BH", "1 bh"]);
}

#[test]
fn all_can_not_be_partial_so_such_powers_take_no_target() {
    for power in ["invert-all star", "turn white heart", "change-all white gift", "swap-ends shape"] {
        check(power, "shbgS", 0, Err(Unplayable::Aimed));
    }
}

#[test]
fn a_power_that_is_aimed_needs_a_place_of_the_row() {
    for power in ["change heart star", "copy bell", "swap colour", "invert"] {
        check(power, "hbsgm", None, Err(Unplayable::Aimless));
        check(power, "hbsgm", 5, Err(Unplayable::Outside));
        check(power, "hbsgm", 255, Err(Unplayable::Outside));
    }
}

#[test]
fn the_elves_have_the_powers_of_the_page() {
    let cards: Vec<_> = ludotheque_rules::santa_rescue::Elf::ALL
        .map(|elf| {
            let card = sheets::card(elf);
            format!("{} / {} after {}", card.powers[0], card.powers[1], card.unlocked_after)
        })
        .into();
    assert_eq!(
        cards,
        [
            "invert-all star / turn white heart after 3",
            "change heart star / swap-ends shape after 7",
            "copy bell / change-all white gift after 15",
            "swap colour / change cloud heart after 11",
        ]
    );
}

#[test]
fn a_power_reads_back_from_its_line_and_nothing_else_is_one() {
    for line in [
        "change heart star",
        "change-all white gift",
        "change-all black star moon",
        "copy bell",
        "swap any",
        "swap-ends colour",
        "turn black moon",
        "invert-all cloud",
        "invert",
    ] {
        assert_eq!(line.parse::<Power>().expect("a power").to_string(), line);
    }
    for line in [
        "",
        "change heart",
        "change heart white",
        "turn heart",
        "swap",
        "invert heart",
        "invert-all white",
        "copy  bell",
        "COPY bell",
    ] {
        assert!(line.parse::<Power>().is_err(), "{line}");
    }
}
