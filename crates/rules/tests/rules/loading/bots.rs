//! Bots: the rule of the greedy one, and moves that the other one has to find.

use super::{NOW, draw};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Seat,
    bots::Knowledge,
    capabilities::{Bot, Greedy},
    loading::{Loading, State},
};

/// The move of the greedy bot.
fn greedy(state: &State, seat: u8) -> String {
    let knowledge = Knowledge::<Loading>::new(state, Seat(seat), NOW);
    let moves = knowledge.legal();
    moves[Loading::pick(&knowledge, &moves)].to_string()
}

/// The move that the strongest level rates highest, and its rating.
fn best(state: &State, seat: u8) -> (String, i32) {
    let knowledge = Knowledge::<Loading>::new(state, Seat(seat), NOW);
    let moves = knowledge.legal();
    let effort = Loading::LEVELS.last().expect("there are levels").effort;
    let ratings = Loading::rate(&knowledge, &moves, effort, &mut Dice::new(seed(1)));
    let best = (0..moves.len()).max_by_key(|index| ratings[*index]).expect("the seat has a move");
    (moves[best].to_string(), ratings[best])
}

/// Three players; seat 0 holds a packet and has this pile.
fn table(cards: &str, seat: &str) -> State {
    draw(&format!(
        "P1 at 0: {cards}
         P2 at 1: 1 ...
         seat 0: {seat}
         seat 1: pile 40
         seat 2: pile 4 13"
    ))
}

#[test]
fn the_greedy_bot_lays_the_lowest_card_above_its_top() {
    assert_eq!(greedy(&table("5 8 14 30", "pile 3 7"), 0), "lay 8 on 0");
    assert_eq!(greedy(&table("5 8 14 30", "pile"), 0), "lay 5 on 0");
}

#[test]
fn the_greedy_bot_takes_a_boost_if_no_card_fits_its_own_pile() {
    assert_eq!(greedy(&table("5 8 14 30", "pile 33"), 0), "lay 14 on 2");
    let without_boosts = draw(
        "P1 at 0: 5 8 14 30
         P2 at 1: 1 ...
         seat 0: pile 33, boosts 2
         seat 1: pile 40
         seat 2: pile 4 13, boosts 0",
    );
    assert_eq!(greedy(&without_boosts, 0), "give P1");
}

#[test]
fn the_greedy_bot_gives_on_what_it_has_laid_from_or_what_holds_nothing_for_it() {
    assert_eq!(greedy(&table("5 8 30", "pile 3 7, laid"), 0), "give P1");
    assert_eq!(greedy(&table("5 8 30", "pile 33"), 0), "give P1");
}

#[test]
fn the_greedy_bot_stops_with_the_dearest_card_when_its_pile_has_12_cards() {
    let pile = "pile 2 3 6 7 9 10 11 12 15 16 17";
    assert_eq!(greedy(&table("5 30", pile), 0), "lay 30 on 0");
    assert_eq!(greedy(&table("5 30", &format!("{pile} 18")), 0), "stop 3+ with P1");
}

#[test]
fn the_greedy_bot_stops_when_this_packet_holds_nothing_for_it_and_the_next_ones_promise_nothing() {
    assert_eq!(greedy(&table("5 8 30", "pile 33, received 1"), 0), "give P1");
    assert_eq!(greedy(&table("5 8 30", "pile 33, received 2"), 0), "stop 3+ with P1");
    assert_eq!(greedy(&table("5 8 30", "pile 64"), 0), "stop 3+ with P1");
}

#[test]
fn with_two_players_the_greedy_bot_swaps() {
    let state = draw(
        "P1 at 0: 6 21
         P2 at 1: 9 61
         P3 centre: 23 ...
         seat 0: pile 4 30
         seat 1: pile 40",
    );
    assert_eq!(greedy(&state, 0), "swap P1");
}

#[test]
fn the_greedy_bot_calls_the_end_only_if_nobody_has_more_bars() {
    let shout = |pile: &str| {
        draw(&format!(
            "options shout
             P1 at 0:
             P2 at 1: 1 ...
             seat 0: {pile}
             seat 1: pile 40
             seat 2: pile 4 13"
        ))
    };
    let armed = |pile| State { armed: Some(ludotheque_rules::loading::Reason::Empty), ..shout(pile) };
    assert_eq!(greedy(&armed("pile 33 34"), 0), "stop-call");
    assert_eq!(greedy(&armed("pile 3"), 0), "give P1");
}

#[test]
fn the_bot_ends_the_game_when_that_wins() {
    let state = draw(
        "P1 at 0: 5 14 20
         P2 out: 1 ...
         seat 0: pile 8 19 30
         seat 1: pile 40
         seat 2: pile 4 13, stop 3+",
    );
    let (mv, rating) = best(&state, 0);
    assert_eq!(mv, "stop 2+ with P1");
    assert!(rating > 900_000, "{rating}");
}
