//! Zones, compared with a naive algorithm written from the rulebook alone: a walk from half-side to half-side.

use super::{build, tile};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice,
    toys_go_go_go::{Cell, Cells, LaidTile, Register, Shop, Tile, ToyType},
};
use std::collections::{BTreeMap, BTreeSet};

/// The half-sides in the order of a border.
const HALF_SIDES: [&str; 8] = ["N-left", "N-right", "E-top", "E-bottom", "S-right", "S-left", "W-bottom", "W-top"];
/// Those that touch, with the step from the first piece to the second.
const TOUCH: [(&str, &str, (i8, i8)); 4] = [
    ("E-top", "W-top", (0, 1)),
    ("E-bottom", "W-bottom", (0, 1)),
    ("S-left", "N-left", (1, 0)),
    ("S-right", "N-right", (1, 0)),
];

/// A half-side of a piece that lies somewhere.
type Spot = (Cell, &'static str);

/// What a piece shows on each half-side, and whether it holds toys.
type Pieces = BTreeMap<Cell, ([ToyType; 8], bool)>;

fn pieces(shop: &Shop) -> Pieces {
    let register = (Cell { row: 0, column: 0 }, (shop.register.border().colours(), false));
    let laid = shop.laid().iter().map(|laid| (laid.place, (laid.tile.face().border.colours(), true)));
    laid.chain([register]).collect()
}

fn colour(pieces: &Pieces, (place, half_side): Spot) -> Option<ToyType> {
    let nth = HALF_SIDES.iter().position(|name| *name == half_side).expect("a half-side");
    pieces.get(&place).map(|(colours, _)| colours[nth])
}

/// The half-side that touches this one.
fn opposite((place, half_side): Spot) -> Spot {
    let there = |(row, column), sign: i8| Cell { row: place.row + sign * row, column: place.column + sign * column };
    let touches = TOUCH.iter().find_map(|(one, other, step)| {
        let forth = (*one == half_side).then(|| (there(*step, 1), *other));
        forth.or_else(|| (*other == half_side).then(|| (there(*step, -1), *one)))
    });
    touches.expect("every half-side touches one")
}

/// The coins of each colour of the piece at a place: nothing if it touches nothing of its colour, else all toys that can
/// be reached, from half-side to half-side and within a piece.
fn naive_gains(pieces: &Pieces, place: Cell) -> BTreeMap<ToyType, u8> {
    let mut gains = BTreeMap::new();
    for wanted in ToyType::ALL {
        let own =
            |place| HALF_SIDES.map(|half| (place, half)).into_iter().filter(|s| colour(pieces, *s) == Some(wanted));
        let touches = own(place).any(|spot| colour(pieces, opposite(spot)) == Some(wanted));
        let (mut seen, mut todo) = (BTreeSet::new(), own(place).collect::<Vec<_>>());
        while let Some(spot) = todo.pop() {
            if colour(pieces, spot) == Some(wanted) && seen.insert(spot) {
                todo.push(opposite(spot));
                todo.extend(own(spot.0));
            }
        }
        let reached: BTreeSet<_> = seen.into_iter().map(|(place, _)| place).collect();
        if touches {
            let toys = reached.iter().filter(|place| pieces[place].1).count();
            gains.insert(wanted, u8::try_from(toys).expect("few toys"));
        }
    }
    gains
}

fn cell(place: Cell) -> Cells {
    Cells::at(place).expect("a place that a shop reaches")
}

/// The tile that was picked blindly, or of a few the one that earns most there: else zones would rarely grow.
fn pick(shop: &Shop, tiles: &mut Vec<Tile>, dice: &mut Dice) -> LaidTile {
    let places: Vec<_> = shop.places(4).iter().collect();
    let tries = (0..[1, 12][dice.index(2)]).map(|_| (tiles[dice.index(tiles.len())], places[dice.index(places.len())]));
    let coins = |(tile, place): &(Tile, Cell)| shop.gains(*tile, cell(*place)).total();
    let (tile, place) = tries.max_by_key(coins).expect("one try or more");
    tiles.retain(|other| *other != tile);
    LaidTile { tile, place }
}

#[test]
fn zones_agree_with_a_naive_walk_on_10_000_random_shops() {
    let mut dice = Dice::new(seed(1));
    let (mut shops, mut earned, mut large) = (0, 0, 0);
    while shops < 10_000 {
        let mut tiles: Vec<_> = Tile::all().collect();
        let mut shop = Shop::new(Register::all().nth(dice.index(4)).expect("there are four"));
        while !shop.is_full(4) {
            let laid = pick(&shop, &mut tiles, &mut dice);
            let gains: BTreeMap<_, _> = shop.gains(laid.tile, cell(laid.place)).iter().collect();
            shop.lay(laid).expect("a free place");
            assert_eq!(gains, naive_gains(&pieces(&shop), laid.place), "{laid:?}\n{}", shop.drawing());
            shops += 1;
            earned += usize::from(!gains.is_empty());
            large += usize::from(gains.values().any(|coins| *coins > 4));
        }
    }
    assert!(earned > 5_000 && large > 300, "too little happened to show anything: {earned}, {large}");
}

#[test]
fn half_sides_touch_as_the_page_says_and_two_zones_of_a_colour_that_touch_are_one() {
    let register = Register::all().next().expect("there are four");
    let mut touching = 0;
    for (one, other) in Tile::all().flat_map(|one| Tile::all().map(move |other| (one, other))) {
        // Far enough from the register that it does not matter.
        let first = LaidTile { tile: one, place: Cell { row: -2, column: -2 } };
        for (row, column) in [(-2, -1), (-2, -3), (-1, -2), (-3, -2)] {
            let shop = build(register, &[first]);
            let place = Cell { row, column };
            let mut both = pieces(&shop);
            both.insert(place, (other.face().border.colours(), true));
            let gains: BTreeMap<_, _> = shop.gains(other, cell(place)).iter().collect();
            assert_eq!(gains, naive_gains(&both, place), "{one} and {other}");
            assert!(gains.values().all(|coins| *coins == 2), "the new toy and that of the other tile");
            touching += gains.len();
        }
    }
    assert!(touching > 1_000);
}

#[test]
fn a_shop_reads_back_from_the_store_with_its_zones() {
    let laid = |number, row, column| LaidTile { tile: tile(number), place: Cell { row, column } };
    let shop =
        build(Register::all().nth(2).expect("there are four"), &[laid(3, 1, 0), laid(60, 1, 1), laid(12, -1, 0)]);
    let bytes = postcard::to_stdvec(&shop).expect("plain data");
    assert_eq!(postcard::from_bytes::<Shop>(&bytes).expect("just written"), shop);
}

#[test]
fn a_shop_with_two_pieces_in_one_place_is_not_read_from_the_store() {
    let register = serde_json::json!(0);
    for places in [[(0, 0), (0, 1)], [(0, 1), (0, 1)], [(0, 1), (0, 4)]] {
        let laid: Vec<_> = (1..)
            .zip(places)
            .map(|(tile, (row, column))| serde_json::json!({"tile": tile, "place": {"row": row, "column": column}}))
            .collect();
        let json = serde_json::json!({"register": register, "laid": laid, "coins": 0, "resigned": false});
        assert!(serde_json::from_value::<Shop>(json).is_err(), "{places:?}");
    }
}
