//! Before the first round: who is first, what is drawn, what is kept.

use super::{after, begin, deck_by_the_past, line, moves, refusal, refusal_key, start, story, view, waiting};
use ludotheque_rules::{
    Illegal, Rules, Seat,
    any::{Adapter, AnyRules},
    toy_rush::{Objectives, Options, Phase, State, ToyRush},
};
use serde_json::json;
use std::collections::BTreeSet;

/// The moves that keep all but the last of the three cards drawn.
fn keeps(state: &State) -> [String; 2] {
    [0, 1].map(|seat| moves(state, seat)[0].clone())
}

#[test]
fn the_first_player_is_drawn_by_lot_unless_named() {
    let by_lot: BTreeSet<_> = (0..30).map(|n| begin(&Options::default(), n).state.token).collect();
    assert_eq!(by_lot.len(), 2);
    for seat in [Seat(0), Seat(1)] {
        let options = Options { first_seat: Some(seat), ..Options::default() };
        assert!((0..10).all(|n| begin(&options, n).state.token == seat));
    }
}

#[test]
fn the_first_player_draws_the_top_3_objectives_then_the_other_player_the_next_3() {
    for first in [0, 1] {
        let state = begin(&Options { first_seat: Some(Seat(first)), ..Options::default() }, 3).state;
        let shuffled = &state.history.shuffled;
        let drawn = |seat: u8| state.areas[usize::from(seat)].drawn;
        assert_eq!(drawn(first), shuffled[..3].iter().copied().collect());
        assert_eq!(drawn(1 - first), shuffled[3..6].iter().copied().collect());
        assert_eq!(state.deck, shuffled[6..]);
    }
}

#[test]
fn both_choose_at_the_same_time() {
    let state = start();
    assert_eq!((waiting(&state), state.phase), (vec![0, 1], Phase::Keep));
    assert_eq!((moves(&state, 0).len(), moves(&state, 1).len()), (3, 3), "any two of three");
    let [one, other] = keeps(&state);
    let either_way = [after(&state, &format!("0 {one}; 1 {other}")), after(&state, &format!("1 {other}; 0 {one}"))];
    assert_eq!(either_way[0].state, either_way[1].state);
}

#[test]
fn what_is_kept_is_sealed_until_both_have_chosen() {
    let state = start();
    let next = after(&state, &format!("1 {}", keeps(&state)[1]));
    assert_eq!(waiting(&next.state), [0]);
    assert_eq!(next.state.deck, state.deck);
    let seen = &view(&next.state, 0).seats[1];
    assert_eq!((seen.chosen, seen.choice, seen.drawn_size, seen.hand_size), (true, None, 3, 0));
    assert_eq!(view(&next.state, 1).seats[1].choice.map(Objectives::len), Some(2));
    let again = refusal(&next.state, 1, &keeps(&state)[1]);
    assert!(matches!(again, Illegal::NotYourTurn(message) if message.key == "toy_rush-refusal-chosen"));
}

#[test]
fn the_third_objective_goes_under_the_deck_the_first_players_first() {
    for first in [0, 1] {
        let state = begin(&Options { first_seat: Some(Seat(first)), ..Options::default() }, 5).state;
        let [one, other] = keeps(&state);
        let third = |seat: u8| state.areas[usize::from(seat)].drawn.iter().last().expect("three");
        let next = after(&state, &format!("1 {other}; 0 {one}")).state;
        assert_eq!(next.deck[..12], state.deck);
        assert_eq!(next.deck[12..], [third(first), third(1 - first)]);
        assert_eq!(next.deck, deck_by_the_past(&next));
        assert!(next.areas.iter().all(|area| area.hand.len() == 2 && area.drawn.is_empty()));
    }
}

#[test]
fn each_player_starts_with_2_elves_in_the_stock_and_10_in_the_reserve() {
    let state = start();
    assert!(state.areas.iter().all(|area| (area.stock, area.reserve) == (2, 10)));
}

#[test]
fn the_first_round_starts_when_both_have_chosen() {
    let state = start();
    let [one, other] = keeps(&state);
    let next = after(&state, &format!("0 {one}; 1 {other}"));
    assert_eq!((state.round, next.state.round, next.state.phase), (0, 1, Phase::Place));
    assert_eq!(story(&next.events).last().map(String::as_str), Some("round 1, 0 first"));
    assert_eq!(waiting(&next.state), [0]);
    assert_eq!(line(&next.state, "Piles"), "6 pink 6 blue 6 yellow 5 dots 5 stripes 6 train 5 teddy 4 horse 5 box");
}

#[test]
fn another_number_of_objectives_or_one_that_was_not_drawn_is_refused() {
    let state = start();
    let drawn: Vec<_> = state.areas[0].drawn.iter().collect();
    let foreign = state.areas[1].drawn.iter().next().expect("three");
    let deep = state.deck[5];
    for (notation, key) in [
        (format!("keep {}", drawn[0]), "keep-count"),
        ("keep none".to_owned(), "keep-count"),
        (format!("keep {},{},{}", drawn[0], drawn[1], drawn[2]), "keep-count"),
        (format!("keep {},{}", drawn[0], drawn[0]), "named-twice"),
        (format!("keep {},{foreign}", drawn[0]), "not-drawn"),
        (format!("keep {},{deep}", drawn[0]), "not-drawn"),
        ("place 1 x1".to_owned(), "keep-due"),
        ("ship none".to_owned(), "keep-due"),
    ] {
        assert_eq!(refusal_key(&state, 0, &notation), key, "{notation}");
    }
}

#[test]
fn options_have_their_limits_and_defaults() {
    let rules = Adapter::<ToyRush>::new();
    let filled = rules.read_options(&json!({}), 2).expect("no option is needed");
    assert_eq!(filled, json!({"targetPoints": 17, "firstSeat": null, "maxRounds": 40}));
    for wrong in [
        json!({"targetPoints": 0}),
        json!({"targetPoints": 81}),
        json!({"targetPoints": null}),
        json!({"maxRounds": 0}),
        json!({"maxRounds": 201}),
        json!({"firstSeat": 2}),
        json!({"first_seat": 0}),
    ] {
        assert!(rules.read_options(&wrong, 2).is_err(), "{wrong}");
    }
    for right in
        [json!({"targetPoints": 1, "maxRounds": 200}), json!({"targetPoints": 80, "maxRounds": 1, "firstSeat": 1})]
    {
        assert!(rules.read_options(&right, 2).is_ok(), "{right}");
    }
    assert_eq!(ToyRush::INFO.seats, 2..=2);
}
