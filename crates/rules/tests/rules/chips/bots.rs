//! The bot and the greedy player: what they know, and that they play whole games.

use super::{NOW, begin, draw, start};
use crate::kit::table::seed;
use ludotheque_rules::bots::{Knowledge, Rating};
use ludotheque_rules::capabilities::{Bot, Greedy};
use ludotheque_rules::chips::{Chips, Move, Options, Phase, State};
use ludotheque_rules::{Dice, Eyes, Rules, Seat, Turn};

/// The legal moves of the seat, with their ratings.
fn rate(state: &State, seat: Seat, effort: u32) -> Vec<(Move, Rating)> {
    let knowledge = Knowledge::<Chips>::new(state, seat, NOW);
    let moves = knowledge.legal();
    let ratings = Chips::rate(&knowledge, &moves, effort, &mut Dice::new(seed(7)));
    assert_eq!(ratings.len(), moves.len(), "one rating for each move");
    assert!(ratings.iter().all(|rating| (0..=1_000_000).contains(rating)), "{ratings:?}");
    moves.into_iter().zip(ratings).collect()
}

fn best(rated: &[(Move, Rating)]) -> Move {
    rated.iter().max_by_key(|(_, rating)| *rating).expect("a move").0
}

/// Plays a game to its end: the first seat by the bot, the second by the greedy player, the others at random.
fn play(options: &Options, seats: u8) {
    let mut dice = Dice::new(seed(seats.into()));
    let mut state = begin(options, seats, 5).state;
    while let Turn::Waiting(waiting) = Chips::turn(&state) {
        let seat = waiting[dice.index(waiting.len())];
        let knowledge = Knowledge::<Chips>::new(&state, seat, NOW);
        let moves = knowledge.legal();
        let mv = match seat {
            Seat(0) => best(&rate(&state, seat, 1)),
            Seat(1) => moves[Chips::pick(&knowledge, &moves)],
            _ => moves[dice.index(moves.len())],
        };
        state = Chips::play(&state, seat, &mv, NOW, &mut dice).expect("a legal move").state;
    }
}

#[test]
fn the_bot_and_the_greedy_player_play_whole_games_of_any_size() {
    (2..=5).for_each(|seats| play(&Options::default(), seats));
}

#[test]
fn they_play_games_to_any_number_of_tokens() {
    for (target, seats) in [(1, 2), (1, 5), (9, 2), (7, 3)] {
        play(&Options { target_tokens: Some(target), first_dealer: Some(Seat(1)) }, seats);
    }
    rate(&begin(&Options { target_tokens: Some(20), first_dealer: None }, 4, 1).state, Seat(0), 1);
}

#[test]
fn they_know_nothing_that_their_seat_does_not_see() {
    let mut state = start(3);
    let mut dice = Dice::new(seed(3));
    while state.phase != Phase::Bet {
        let seat = state.choosing().last().expect("a seat that chooses");
        let mv = Chips::legal(&state, seat, NOW)[0];
        state = Chips::play(&state, seat, &mv, NOW, &mut dice).expect("a legal move").state;
        if state.choosing().count() != 1 {
            continue;
        }
        let other = Chips::resample(&state, Eyes::Seat(Seat(0)), &mut dice);
        assert_ne!(state, other, "other hands are dealt again");
        assert_eq!(rate(&state, Seat(0), 2), rate(&other, Seat(0), 2));
        let pick = |state| {
            let knowledge = Knowledge::<Chips>::new(state, Seat(0), NOW);
            Chips::pick(&knowledge, &knowledge.legal())
        };
        assert_eq!(pick(&state), pick(&other));
    }
}

#[test]
fn a_jackpot_that_is_certain_wins_the_game_and_against_it_nothing_is_worth_less() {
    let position = draw(
        "
        boards OOOOO OBBB PPP, then BV
        seat 0: 0 tokens, bets jackpot-p-n each-p against none-v
        seat 1: 2 tokens, bets last-o last-p against each-n
        ",
    );
    let rated = rate(&position.state, Seat(0), 4);
    let lowest = rated.iter().map(|(_, rating)| *rating).min();
    for (mv, rating) in &rated {
        let is_against = mv.to_string().ends_with("against jackpot-p-n");
        assert_eq!(Some(*rating), if is_against { lowest } else { Some(1_000_000) }, "{mv}");
    }
}

#[test]
fn a_bet_that_scores_more_than_any_other_can_is_a_certain_round() {
    let position = draw(
        "
        target 1
        boards NNNNN NNPP POO, then BV
        seat 0: 0 tokens, bets combo-7n combo-3p against last-n
        seat 1: 0 tokens, bets last-o last-p against each-n
        ",
    );
    let (mv, rating) = rate(&position.state, Seat(0), 8).into_iter().max_by_key(|(_, rating)| *rating).expect("a bet");
    assert_eq!(mv.to_string(), "bet combo-3p combo-7n against last-n");
    assert!(rating > 950_000, "{rating}");
}

#[test]
fn the_same_bet_is_worth_more_to_a_player_who_has_more_tokens() {
    let value = |tokens| {
        let position = draw(&format!(
            "
            boards NNNOO OBBV VPN, then BV
            seat 0: {tokens} tokens, bets rainbow-1 each-n against last-p
            seat 1: 1 tokens, bets last-o none-v against each-o
            seat 2: 0 tokens, bets combo-7n none-p against last-b
            "
        ));
        rate(&position.state, Seat(0), 8).into_iter().map(|(_, rating)| rating).max()
    };
    assert!((1..=3).all(|tokens| value(tokens) > value(tokens - 1)));
}
