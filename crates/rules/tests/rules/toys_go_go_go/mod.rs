//! The rulebook of Jouets à GO GO GO, sentence by sentence. Shops are drawn in text: a tile is its number with the letters
//! of its half-sides around it, the register is `$$`. `check` lays a tile and compares what it brought.

mod bots;
mod coins;
mod ending;
mod laying;
mod resigning;
mod rewards;
mod setup;
mod tiles;
mod zones;

use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Illegal, Instant, Next, Rules, Seat, Turn,
    toys_go_go_go::{Cell, Event, LaidTile, Move, Options, Register, Shop, State, Tile, ToyType, ToysGoGoGo},
};
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Write, sync::Arc};

const NOW: Instant = Instant(0);

fn tile(number: u8) -> Tile {
    Tile::from_number(number).unwrap_or_else(|| panic!("no tile has the number {number}"))
}

/// A table at the beginning, with the default options.
fn start(seats: u8) -> State {
    begin(&Options::default(), seats, 1).state
}

fn begin(options: &Options, seats: u8, n: u64) -> Next<ToysGoGoGo> {
    ToysGoGoGo::setup(options, seats, NOW, &mut Dice::new(seed(n)))
}

/// Reads a drawn shop and makes sure that it was drawn as its tiles are printed.
fn draw(text: &str) -> Shop {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().expect("a drawing");
    let lines: Vec<_> = lines.iter().map(|line| &line[indent..]).collect();
    let mut names = Vec::new();
    for (row, block) in (0..).zip(lines.chunks(4)) {
        let columns = (0..).zip(1..).take_while(|(_, n)| 4 * n <= block[1].len());
        names.extend(columns.map(|(column, n)| (Cell { row, column }, block[1][4 * n - 3..4 * n - 1].trim())));
    }
    let origin = names.iter().find(|(_, name)| *name == "$$").expect("a shop has a register").0;
    let from_origin = |place: Cell| Cell { row: place.row - origin.row, column: place.column - origin.column };
    let numbered = names
        .iter()
        .filter_map(|(place, name)| Some(LaidTile { tile: name.parse().ok()?, place: from_origin(*place) }));
    let laid: Vec<_> = numbered.collect();
    let mut shops = Register::all().map(|register| build(register, &laid));
    let drawn = lines.join("\n");
    shops.find(|shop| shop.drawing() == drawn).unwrap_or_else(|| panic!("drawn wrong:\n{drawn}"))
}

fn build(register: Register, laid: &[LaidTile]) -> Shop {
    let mut shop = Shop::new(register);
    for laid in laid {
        shop.lay(*laid).unwrap_or_else(|| panic!("{laid:?} lies on another piece"));
    }
    shop
}

/// A table for two: the drawn shop is seat 0's, and its turn. These tiles lie open; the other shop is filled somehow, with
/// no Collection.
fn table(shop: Shop, open: &[u8]) -> State {
    let open: Vec<_> = open.iter().copied().map(tile).collect();
    let used: BTreeSet<_> = shop.laid().iter().map(|laid| laid.tile).chain(open.iter().copied()).collect();
    let mut rest: Vec<_> = Tile::all().filter(|tile| !used.contains(tile)).collect();
    let register = Register::all().find(|register| *register != shop.register).expect("there are four");
    let mut other = Shop::new(register);
    while other.laid().len() < shop.laid().len() {
        let place = other.places(4).iter().next().expect("room for a tile");
        let plain = rest.iter().position(|tile| {
            let mut grown = other.clone();
            grown.lay(LaidTile { tile: *tile, place });
            !ToyType::ALL.into_iter().any(|toy_type| grown.has_collection(toy_type))
        });
        other.lay(LaidTile { tile: rest.remove(plain.expect("a tile that completes nothing")), place });
    }
    let mut state = start(2);
    state.collections = ToyType::ALL.map(|toy_type| shop.has_collection(toy_type).then_some(Seat(0)));
    state.shops = vec![Arc::new(shop), Arc::new(other)];
    (state.first, state.turn, state.open) = (Seat(0), Seat(0), open);
    state.open.extend(rest.drain(..4 - state.open.len()));
    state.stack = rest;
    ToysGoGoGo::invariants(&state).unwrap_or_else(|broken| panic!("{broken}\n{}", ToysGoGoGo::draw(&state)));
    state
}

/// Lays a tile in the drawn shop and compares: the coins and where they come from, then the Collections taken.
#[track_caller]
fn check(shop: &str, mv: &str, expected: &str) {
    let number = mv.split(' ').nth(1).expect("lay TILE at PLACE").parse().expect("a number");
    let next = play(&table(draw(shop), &[number]), 0, mv);
    let mut found = String::new();
    for event in &next.events {
        match event {
            Event::Laid { gains, .. } => {
                write!(found, "{} coins", gains.total()).expect("a String takes everything");
                for (toy_type, coins) in gains.iter() {
                    write!(found, ", {} {coins}", toy_type.id()).expect("a String takes everything");
                }
            }
            Event::CollectionTaken { toy_type, .. } => {
                write!(found, ", takes {}", toy_type.id()).expect("a String takes everything");
            }
            _ => {}
        }
    }
    assert_eq!(found, expected);
}

fn read(notation: &str) -> Move {
    notation.parse().unwrap_or_else(|why| panic!("{notation}: {why}"))
}

/// Plays a move that is legal.
fn play(state: &State, seat: u8, notation: &str) -> Next<ToysGoGoGo> {
    ToysGoGoGo::play(state, Seat(seat), &read(notation), NOW, &mut Dice::new(seed(7)))
        .unwrap_or_else(|why| panic!("{notation}: {why}\n{}", ToysGoGoGo::draw(state)))
}

/// The key of the sentence that refuses a move, which breaks a rule or comes out of turn.
fn refusal(state: &State, seat: u8, notation: &str) -> String {
    let played = ToysGoGoGo::play(state, Seat(seat), &read(notation), NOW, &mut Dice::new(seed(7)));
    let why = played.err().unwrap_or_else(|| panic!("{notation} should be refused"));
    match why {
        Illegal::NotYourTurn(message) => format!("not your turn: {}", message.key),
        Illegal::Rule(message) => message.key.into_owned(),
    }
}

/// The seat whose turn it is lays its first legal tile.
fn lay_any(state: &State) -> Next<ToysGoGoGo> {
    let mv = ToysGoGoGo::legal(state, state.turn, NOW)[0];
    ToysGoGoGo::play(state, state.turn, &mv, NOW, &mut Dice::new(seed(7))).expect("a listed move")
}

/// Lays this many tiles, by the first legal move each.
fn after(tiles: usize, state: State) -> State {
    (0..tiles).fold(state, |state, _| lay_any(&state).state)
}

/// A game played by chance to its end, with all its events.
fn finished(seats: u8, game: u64) -> Next<ToysGoGoGo> {
    let mut chance = Dice::new(seed(game));
    let mut next = begin(&Options::default(), seats, game);
    while let Turn::Waiting(waiting) = ToysGoGoGo::turn(&next.state) {
        let moves = ToysGoGoGo::legal(&next.state, waiting[0], NOW);
        let mv = moves[chance.index(moves.len())];
        let played = ToysGoGoGo::play(&next.state, waiting[0], &mv, NOW, &mut chance).expect("a listed move");
        next.state = played.state;
        next.events.extend(played.events);
    }
    next
}

/// Who won and the places behind, `>` for a better place and `=` for a shared one; or whose turn it is.
fn ending(state: &State) -> String {
    let outcome = match ToysGoGoGo::turn(state) {
        Turn::Waiting(seats) => return format!("turn of {seats:?}"),
        Turn::Over(outcome) => outcome,
    };
    let mut text = format!("{}: ", outcome.reason);
    for (n, standing) in outcome.standings.iter().enumerate() {
        let shared = n > 0 && outcome.standings[n - 1].rank == standing.rank;
        text += match n {
            0 => "",
            _ if shared => " = ",
            _ => " > ",
        };
        write!(text, "{}", standing.seat).expect("a String takes everything");
    }
    let firsts = outcome.standings.iter().filter(|standing| standing.rank == 1).map(|standing| standing.seat);
    assert_eq!(outcome.winners, firsts.collect::<Vec<_>>());
    text
}

/// The moves of a seat, written once more from the rules page: each open tile on each free place edge to edge with the
/// shop, as long as no two pieces are further apart than the square is wide.
pub fn naive_moves(view: &Value, seat: Seat) -> BTreeSet<String> {
    let mut moves = BTreeSet::new();
    if view["turn"] != seat.0 {
        return moves;
    }
    let number = |json: &Value| json.as_i64().expect("a number");
    let pieces = view["seats"][seat.index()]["shop"].as_array().expect("a list");
    let taken: Vec<_> = pieces.iter().map(|piece| (number(&piece["row"]), number(&piece["column"]))).collect();
    for (row, column) in (-9..=9).flat_map(|row| (-9..=9).map(move |column| (row, column))) {
        let apart = |one: i64, other: i64| (one - other).abs();
        let free = !taken.contains(&(row, column));
        let beside = taken.iter().any(|(r, c)| apart(*r, row) + apart(*c, column) == 1);
        let fits = taken.iter().all(|(r, c)| apart(*r, row).max(apart(*c, column)) < number(&view["shopSize"]));
        if free && beside && fits {
            let tiles = view["open"].as_array().expect("a list").iter().map(|tile| number(&tile["tile"]));
            moves.extend(tiles.map(|tile| format!("lay {tile} at {row},{column}")));
        }
    }
    moves
}
