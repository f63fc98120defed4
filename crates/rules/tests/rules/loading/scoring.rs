//! Scoring: bars and the ranking.

use super::{after, draw, ending};
use ludotheque_rules::{Rules, Turn, loading::Loading};

#[test]
fn all_bars_on_the_own_pile_plus_boost_cards_plus_stop_card_are_the_score() {
    // 8, 19, 30 and 41 have 3 bars each, 42 has 2: 14 bars. One BOOST card: 3. STOP 4+: 2. Together 19.
    let state = draw(
        "P1 out: 1
         P2 out: 2
         P3 at 2: ...
         seat 0: pile 8 19 30 41 42, stop 4+
         seat 1: pile 6, stop 2+
         seat 2: pile 3
         seat 3: pile 5",
    );
    // Seat 1: 1 + 3 + 1. Seat 2: 1 + 3 + 3. Seat 3: 1 + 3.
    let due = "LAST_STOP: 1. seat 0 with 19, 2. seat 2 with 7, 3. seat 1 with 5, 4. seat 3 with 4";
    assert_eq!(ending(&after(&state, "2 stop 3+").state), due);
}

#[test]
fn boost_cards_count_3_bars_each_also_those_taken() {
    let state = draw("P1 at 0: 21\nP2 at 1: ...\nseat 0: pile 5\nseat 1: pile 20\nseat 2: pile 3");
    // Seat 0: 1 and two BOOST cards. Seat 1: 1 and 2. Seat 2: 1 and one BOOST card.
    let due = "EMPTY: 1. seat 0 with 7, 2. seat 2 with 4, 3. seat 1 with 3";
    assert_eq!(ending(&after(&state, "0 lay 21 on 1").state), due);
}

#[test]
fn equal_bars_are_decided_by_more_progression_cards_in_the_pile() {
    // Seat 0: 8 with 3 bars. Seat 1: 1, 3 and 5 with one each. Seat 2 ends the game with 65.
    let state = draw("P1 at 2: 65\nP2 at 1: ...\nseat 0: pile 8\nseat 1: pile 1 3 5\nseat 2: pile");
    let due = "EMPTY: 1. seat 1 with 6, 2. seat 0 with 6, 3. seat 2 with 4";
    assert_eq!(ending(&after(&state, "2 lay 65 on 2").state), due);
}

#[test]
fn still_equal_the_victory_is_shared() {
    let state = draw("P1 at 2: 65\nP2 at 1: ...\nseat 0: pile 8\nseat 1: pile 19\nseat 2: pile");
    let next = after(&state, "2 lay 65 on 2").state;
    assert_eq!(ending(&next), "EMPTY: 1. seat 0 with 6, 1. seat 1 with 6, 3. seat 2 with 4");
    let Turn::Over(outcome) = Loading::turn(&next) else { panic!("it is over") };
    assert_eq!(outcome.winners.len(), 2);
}

#[test]
fn cards_left_in_packets_count_for_nobody() {
    let state = draw("P1 at 2: 65\nP2 at 1: ...\nseat 0: pile\nseat 1: pile\nseat 2: pile");
    assert_eq!(
        ending(&after(&state, "2 lay 65 on 2").state),
        "EMPTY: 1. seat 2 with 4, 2. seat 0 with 3, 2. seat 1 with 3"
    );
}
