//! Components: design criteria of the tiles and registers, checked on the data file.

#[path = "../../../examples/toys_go_go_go_tiles.rs"]
#[allow(dead_code, reason = "its `main` is for the program")]
mod generator;

use ludotheque_rules::toys_go_go_go::{Border, Cell, LaidTile, Register, Tile, TileFace, Toy, ToyType};
use std::collections::{BTreeMap, BTreeSet};

fn face() -> impl Iterator<Item = &'static TileFace> {
    Tile::all().map(Tile::face)
}

/// The types of a tile's toys.
fn types(tile: &TileFace) -> [ToyType; 3] {
    tile.toys.map(Toy::toy_type)
}

/// The tiles of each choice of three types.
fn choices() -> BTreeMap<[ToyType; 3], Vec<&'static TileFace>> {
    let mut choices = BTreeMap::<_, Vec<_>>::new();
    face().for_each(|tile| choices.entry(types(tile)).or_default().push(tile));
    choices
}

fn counts<T: Ord>(items: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    items.for_each(|item| *counts.entry(item).or_default() += 1);
    counts
}

fn letters(border: Border) -> String {
    border.colours().map(ToyType::letter).into_iter().collect()
}

/// How many half-sides each colour has, in order around the tile, beginning with some colour's first half-side.
fn runs(border: Border) -> Vec<(ToyType, usize)> {
    let colours = border.colours();
    let first = (0..8).find(|half| colours[*half] != colours[(half + 7) % 8]).expect("more than one colour");
    let mut runs: Vec<(ToyType, usize)> = Vec::new();
    for colour in (0..8).map(|n| colours[(first + n) % 8]) {
        match runs.last_mut() {
            Some((last, run)) if *last == colour => *run += 1,
            _ => runs.push((colour, 1)),
        }
    }
    runs
}

#[test]
fn there_are_64_toy_tiles_and_4_cash_registers() {
    assert_eq!((Tile::all().len(), Register::all().len()), (64, 4));
    assert_eq!(Tile::all().map(Tile::number).collect::<Vec<_>>(), (1..=64).collect::<Vec<_>>());
}

#[test]
fn there_are_20_toys_five_of_each_of_4_types() {
    assert_eq!((Toy::ALL.len(), ToyType::ALL.len()), (20, 4));
    let toys = ToyType::ALL.map(|toy_type| toy_type.toys().map(Toy::id).collect::<Vec<_>>().join(" "));
    assert_eq!(
        toys,
        [
            "BEAR UNICORN CAT RABBIT DOG",
            "PRINCESS NURSE BALLERINA ROBOT MERMAID",
            "TRAIN CAR CRANE FIRE_ENGINE ROCKET",
            "BALL ROLLER_SKATES RACKETS TRICYCLE FLAMINGO_RING",
        ]
    );
}

#[test]
fn a_tile_shows_3_toys_of_3_different_types_each_in_its_own_colour_zone() {
    for tile in face() {
        let toys = types(tile);
        assert!(toys.is_sorted_by(|one, next| one < next), "{toys:?} are different and in order");
        assert_eq!(tile.border.colours().into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(toys));
    }
}

#[test]
fn there_are_16_tiles_for_each_of_the_4_ways_to_choose_3_types() {
    assert_eq!(choices().values().map(Vec::len).collect::<Vec<_>>(), [16; 4]);
}

#[test]
fn each_type_is_on_48_tiles_its_five_toys_as_evenly_as_possible() {
    let counts = counts(face().flat_map(|tile| tile.toys));
    for toy_type in ToyType::ALL {
        let mut even: Vec<_> = toy_type.toys().map(|toy| counts[&toy]).collect();
        even.sort_unstable();
        assert_eq!(even, [9, 9, 10, 10, 10]);
    }
}

#[test]
fn a_choice_has_three_of_each_toy_and_a_fourth_of_one_which_is_another_one_in_each_choice() {
    let mut fourths = BTreeSet::new();
    for tiles in choices().values() {
        let counts = counts(tiles.iter().flat_map(|tile| tile.toys));
        let many: Vec<_> = counts.iter().filter(|(_, count)| **count == 4).map(|(toy, _)| *toy).collect();
        assert_eq!(counts.values().filter(|count| **count == 3).count(), 12);
        assert_eq!(many.len(), 3);
        assert!(many.into_iter().all(|toy| fourths.insert(toy)), "a different one in each choice");
    }
    assert_eq!(fourths.len(), 12);
}

#[test]
fn a_border_is_eight_half_sides_clockwise_from_the_top_left_corner() {
    let place = Cell { row: 0, column: 1 };
    let shop = super::build(Register::all().next().expect("four"), &[LaidTile { tile: super::tile(34), place }]);
    assert_eq!(letters(super::tile(34).face().border), "SVVVVPPS");
    let right_half: Vec<_> = shop.drawing().lines().map(|line| line[4..].to_owned()).collect();
    assert_eq!(right_half, [" SV", "S34V", "P  V", " PV"]);
}

#[test]
fn each_zone_holds_one_run_of_2_to_4_neighbouring_half_sides() {
    for tile in face() {
        let runs = runs(tile.border);
        assert_eq!(runs.len(), 3, "{} has a zone in two parts", letters(tile.border));
        assert!(runs.iter().all(|(_, run)| (2..=4).contains(run)));
    }
}

#[test]
fn no_two_tiles_have_the_same_toys_nor_the_same_border() {
    assert_eq!(face().map(|tile| tile.toys).collect::<BTreeSet<_>>().len(), 64);
    assert_eq!(face().map(|tile| letters(tile.border)).collect::<BTreeSet<_>>().len(), 64);
}

#[test]
fn every_colour_lies_on_each_half_side_of_exactly_16_tiles() {
    let counts = counts(face().flat_map(|tile| tile.border.iter().collect::<Vec<_>>()));
    assert_eq!(counts.len(), 8 * 4);
    assert!(counts.values().all(|count| *count == 16), "{counts:?}");
}

/// The runs, beginning with the colour that is there most, or least, and the half-side they begin on.
fn ring(border: Border, begins: usize) -> Option<Vec<(ToyType, usize)>> {
    let mut runs = runs(border);
    let first = runs.iter().position(|(_, run)| *run == begins)?;
    runs.rotate_left(first);
    Some(runs)
}

#[test]
fn a_choice_has_all_rotations_of_a_4_2_2_ring_and_of_a_2_3_3_ring_in_the_opposite_sense() {
    let mut most = BTreeSet::new();
    for tiles in choices().values() {
        let (fours, threes): (Vec<&TileFace>, Vec<&TileFace>) =
            tiles.iter().copied().partition(|tile| ring(tile.border, 4).is_some());
        assert_eq!((fours.len(), threes.len()), (8, 8), "with different borders, so all rotations");
        let [big, one, other] = ring(fours[0].border, 4).expect("just found")[..] else { panic!("three colours") };
        assert_eq!((one.1, other.1), (2, 2));
        assert!(fours.iter().all(|tile| ring(tile.border, 4) == ring(fours[0].border, 4)));
        let opposite = vec![(big.0, 2), (other.0, 3), (one.0, 3)];
        assert!(threes.iter().all(|tile| ring(tile.border, 2).as_ref() == Some(&opposite)));
        assert!(most.insert(big.0), "each colour has the 4 in exactly one choice");
    }
}

#[test]
fn a_register_shows_all_four_colours_two_half_sides_each_around_its_corners() {
    for (register, expected) in Register::all().zip(["PDVS", "DPSV", "VSPD", "SVDP"]) {
        let colours = register.border().colours().map(ToyType::letter);
        let [nl, nr, et, eb, sr, sl, wb, wt] = colours;
        assert_eq!((wt, nr, eb, sl), (nl, et, sr, wb), "a colour goes around its corner");
        assert_eq!([nl, nr, sr, sl].into_iter().collect::<String>(), expected);
        assert!(colours.chunks(2).all(|side| side[0] != side[1]), "each side shows two colours");
    }
}

#[test]
fn the_data_file_is_what_its_generator_makes() {
    let file = include_str!("../../../content/toys_go_go_go/tiles.json");
    assert_eq!(generator::content(), file, "`cargo run --example toys_go_go_go_tiles` makes it");
}
