//! The rules of README.md, one by one.

use ludotheque::rules::{Dice, Eyes, Illegal, Instant, Rules, Seat, Seed, Turn};
use sealed_noughts::state::{Cell, Move, State};
use sealed_noughts::{Options, SealedNoughts};

const NOW: Instant = Instant(0);
const BOTH: [Seat; 2] = [Seat(0), Seat(1)];

fn dice(seed: u8) -> Dice {
    Dice::new(Seed([seed; 32]))
}

/// A table as it is drawn, row by row: `O` and `X` marks, `#` the stone, `.` free.
fn table(drawing: &str, purses: [u8; 2]) -> State {
    let mut state = State::new(10, &mut dice(1));
    let marks = drawing.chars().filter(|mark| !mark.is_whitespace()).map(|mark| match mark {
        'O' => Cell::Nought,
        'X' => Cell::Cross,
        '#' => Cell::Stone,
        _ => Cell::Free,
    });
    state.cells = marks.collect::<Vec<_>>().try_into().unwrap();
    state.purses = purses;
    state
}

/// Both seats bid: cell and coins.
fn round(state: &State, bids: [(u8, u8); 2], dice: &mut Dice) -> State {
    BOTH.into_iter().zip(bids).fold(state.clone(), |state, (seat, (cell, coins))| {
        SealedNoughts::play(&state, seat, &Move::Bid { cell, coins }, NOW, dice).expect("a legal bid").state
    })
}

fn refusal(state: &State, seat: u8, cell: u8, coins: u8) -> String {
    match SealedNoughts::play(state, Seat(seat), &Move::Bid { cell, coins }, NOW, &mut dice(1)).err() {
        Some(Illegal::Rule(why) | Illegal::NotYourTurn(why)) => why.key.into_owned(),
        None => "none".to_owned(),
    }
}

fn ending(state: &State) -> Option<(Vec<Seat>, String)> {
    match SealedNoughts::turn(state) {
        Turn::Waiting(_) => None,
        Turn::Over(outcome) => Some((outcome.winners, outcome.reason.into_owned())),
    }
}

#[test]
fn rule_1_seat_0_places_noughts_and_seat_1_crosses() {
    let state = table("... .#. ...", [10, 10]);
    assert_eq!(round(&state, [(0, 2), (8, 1)], &mut dice(1)).cells[0], Cell::Nought);
    assert_eq!(round(&state, [(0, 1), (8, 2)], &mut dice(1)).cells[8], Cell::Cross);
}

#[test]
fn rule_2_the_stone_lies_anywhere_takes_no_bid_and_is_in_no_line() {
    let lies = |seed| State::new(10, &mut dice(seed)).cells.iter().position(|cell| *cell == Cell::Stone);
    let mut cells: Vec<_> = (0..200).filter_map(lies).collect();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells, (0..9).collect::<Vec<_>>());
    let state = table("OO# XX. ...", [10, 10]);
    assert_eq!(refusal(&state, 0, 2, 1), "sealed_noughts-refusal-cell");
    assert_eq!(ending(&state), None);
}

#[test]
fn rule_3_each_begins_with_as_many_coins_as_agreed() {
    let coins = |coins| SealedNoughts::setup(&Options { coins }, 2, NOW, &mut dice(1)).state.purses;
    assert_eq!((coins(Options::default().coins), coins(3)), ([10, 10], [3, 3]));
    let allowed = |coins| SealedNoughts::check_options(&Options { coins }, 2).is_ok();
    assert!(allowed(1) && allowed(20) && !allowed(0) && !allowed(21));
}

#[test]
fn rule_4_both_bid_in_secret_once_for_a_free_cell_with_coins_they_have() {
    let state = table("O.. .#. ...", [4, 16]);
    assert_eq!(SealedNoughts::turn(&state), Turn::Waiting(BOTH.to_vec()));
    assert_eq!(SealedNoughts::legal(&state, Seat(0), NOW).len(), 7 * 5, "seven cells, no coin to four");
    assert_eq!(refusal(&state, 0, 1, 5), "sealed_noughts-refusal-purse");
    for taken in [0, 4, 9] {
        assert_eq!(refusal(&state, 0, taken, 0), "sealed_noughts-refusal-cell");
    }
    let bid = SealedNoughts::play(&state, Seat(0), &Move::Bid { cell: 1, coins: 4 }, NOW, &mut dice(1));
    let state = bid.expect("a legal bid").state;
    assert_eq!(refusal(&state, 0, 1, 4), "sealed_noughts-refusal-turn");
    for (eyes, is_seen) in [(Eyes::Seat(Seat(0)), true), (Eyes::Seat(Seat(1)), false), (Eyes::Spectator, false)] {
        let seat = &SealedNoughts::view(&state, eyes).seats[0];
        assert_eq!((seat.has_bid, seat.bid.is_some()), (true, is_seen), "{eyes:?}");
    }
}

#[test]
fn rule_5_the_higher_bid_alone_places_its_mark() {
    let state = round(&table("... .#. ...", [10, 10]), [(0, 3), (0, 4)], &mut dice(1));
    assert_eq!(state.cells, table("X.. .#. ...", [0, 0]).cells);
    let state = round(&state, [(1, 3), (2, 2)], &mut dice(1));
    assert_eq!(state.cells, table("XO. .#. ...", [0, 0]).cells);
}

#[test]
fn rule_6_the_coins_of_the_higher_bid_go_to_the_other_player() {
    assert_eq!(round(&table("... .#. ...", [10, 10]), [(0, 3), (1, 2)], &mut dice(1)).purses, [7, 13]);
    assert_eq!(round(&table("... .#. ...", [0, 20]), [(0, 0), (1, 20)], &mut dice(1)).purses, [20, 0]);
}

#[test]
fn rule_7_equal_bids_are_settled_by_the_toss_of_a_coin() {
    let tossed = |seed| round(&table("... .#. ...", [10, 10]), [(0, 5), (8, 5)], &mut dice(seed)).cells;
    let noughts = (0..100).filter(|seed| tossed(*seed)[0] == Cell::Nought).count();
    assert!((20..80).contains(&noughts), "{noughts} of 100");
    assert!((0..100).all(|seed| (tossed(seed)[0] == Cell::Free) != (tossed(seed)[8] == Cell::Free)), "one of the two");
}

#[test]
fn rule_8_three_marks_in_a_line_win() {
    for drawing in ["OOO XX# ...", "O.X OX# O..", "OX. XO# ..O", "X.O XO# O.."] {
        assert_eq!(ending(&table(drawing, [0, 20])), Some((vec![Seat(0)], "LINE".to_owned())), "{drawing}");
    }
    let state = table("XX. OO# ...", [10, 10]);
    assert_eq!(ending(&state), None);
    assert_eq!(ending(&round(&state, [(8, 0), (2, 1)], &mut dice(1))), Some((vec![Seat(1)], "LINE".to_owned())));
}

#[test]
fn rule_9_on_a_full_board_the_richer_player_wins_or_both() {
    let ended = |purses| ending(&table("OXO OX# XOX", purses)).expect("it is full").0;
    assert_eq!((ended([12, 8]), ended([1, 19]), ended([10, 10])), (vec![Seat(0)], vec![Seat(1)], BOTH.to_vec()));
}

#[test]
fn rule_10_a_player_who_gives_up_loses() {
    let state = table("OO. .#. ...", [20, 0]);
    let left = SealedNoughts::resign(&state, &[Seat(0)], NOW, &mut dice(1)).state;
    assert_eq!(ending(&left), Some((vec![Seat(1)], "RESIGNED".to_owned())));
}
