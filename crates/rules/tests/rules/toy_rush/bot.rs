//! The bot: what it sees, what it prefers, and that it plays every game to its end.

use super::{NOW, begin, start};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Rules, Seat, Turn,
    bots::{Knowledge, Rating},
    capabilities::Bot,
    toy_rush::{Move, Objectives, Objects, Options, Phase, State, ToyRush},
};

fn rate(state: &State, seat: Seat, effort: u32, n: u64) -> Vec<Rating> {
    let knowledge = Knowledge::<ToyRush>::new(state, seat, NOW);
    ToyRush::rate(&knowledge, &knowledge.legal(), effort, &mut Dice::new(seed(n)))
}

/// Plays the best-rated move for the seat.
fn follow_bot(state: &State, seat: Seat, effort: u32, n: u64) -> State {
    let ratings = rate(state, seat, effort, n);
    let legal = ToyRush::legal(state, seat, NOW);
    assert_eq!(ratings.len(), legal.len());
    assert!(ratings.iter().all(|rating| (0..=1_000_000).contains(rating)), "{ratings:?}");
    let best = (0..legal.len()).max_by_key(|index| ratings[*index]).expect("the game waits for the seat");
    ToyRush::play(state, seat, &legal[best], NOW, &mut Dice::new(seed(n))).expect("legal").state
}

fn waiting(state: &State) -> Option<Seat> {
    match ToyRush::turn(state) {
        Turn::Waiting(seats) => Some(seats[0]),
        Turn::Over(_) => None,
    }
}

/// A game after this many moves of the bot.
fn middle(moves: u64) -> State {
    (0..moves).fold(start(), |state, n| {
        let seat = waiting(&state).expect("games are longer");
        follow_bot(&state, seat, 4, n)
    })
}

#[test]
fn the_bot_plays_games_with_all_options_to_their_end() {
    let options = [
        Options::default(),
        Options { target_points: 1, ..Options::default() },
        Options { target_points: 80, max_rounds: 12, first_seat: Some(Seat(1)) },
        Options { max_rounds: 1, first_seat: Some(Seat(0)), ..Options::default() },
    ];
    for (options, n) in options.into_iter().zip(0..) {
        let mut state = begin(&options, n).state;
        let mut played = 0;
        while let Some(seat) = waiting(&state) {
            played += 1;
            state = follow_bot(&state, seat, 6, played);
        }
        assert!(played > 4, "{options:?}");
    }
}

#[test]
fn the_bot_rates_the_same_moves_equally_with_equal_dice() {
    let state = middle(2);
    let seat = waiting(&state).expect("not over");
    assert_eq!(rate(&state, seat, 40, 7), rate(&state, seat, 40, 7));
    assert_ne!(rate(&state, seat, 40, 7), rate(&state, seat, 40, 8), "it uses the dice");
}

#[test]
fn cards_that_the_seat_does_not_see_do_not_change_its_ratings() {
    for moves in [1, 12, 30, 45] {
        let state = middle(moves);
        let seat = waiting(&state).expect("not over");
        let other = ToyRush::resample(&state, Eyes::Seat(seat), &mut Dice::new(seed(99)));
        assert_ne!(state, other);
        assert_eq!(rate(&state, seat, 20, 7), rate(&other, seat, 20, 7), "after {moves} moves");
    }
}

#[test]
fn completing_the_objective_that_wins_is_nearly_certain_to_win_and_better_than_nothing() {
    let mut state = middle(2); // both have kept their first objectives
    state.phase = Phase::Ship;
    let hand = state.areas[0].hand;
    state.areas[0].objects = hand.needs();
    state.areas[1].objects = Objects::NONE;
    state.target = hand.points();
    let legal = ToyRush::legal(&state, Seat(0), NOW);
    let all = legal.iter().position(|mv| *mv == Move::Ship { objectives: hand.into() }).expect("they are paid for");
    let nothing = legal.iter().position(|mv| *mv == Move::Ship { objectives: Objectives::NONE.into() });
    let ratings = rate(&state, Seat(0), 60, 1);
    assert!(ratings[all] > 900_000, "{ratings:?}");
    assert!(ratings[all] > ratings[nothing.expect("always possible")], "{ratings:?}");
}

#[test]
fn more_effort_than_worlds_does_not_change_the_number_of_ratings() {
    let state = start();
    for effort in [1, 3, 200] {
        assert_eq!(rate(&state, Seat(0), effort, 1).len(), 3, "of three cards two are kept");
    }
}
