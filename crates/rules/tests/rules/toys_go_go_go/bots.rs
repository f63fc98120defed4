//! The bots of Jouets à GO GO GO.

use super::*;
use ludotheque_rules::bots::{Knowledge, Rating};
use ludotheque_rules::capabilities::{Bot, Greedy};
use std::cmp::Reverse;

/// The move that the greedy bot picks, and the coins of all moves.
fn greedy(state: &State) -> (Move, Vec<(Move, u32)>) {
    let moves = ToysGoGoGo::legal(state, state.turn, NOW);
    let picked = moves[ToysGoGoGo::pick(&Knowledge::new(state, state.turn, NOW), &moves)];
    let coins = |mv: &Move| ToysGoGoGo::effect(state, state.turn, mv).expect("a legal move has an effect").coins;
    (picked, moves.iter().map(|mv| (*mv, coins(mv))).collect())
}

#[test]
fn the_greedy_bot_lays_the_tile_that_earns_the_most_coins_and_of_equal_ones_the_first_by_notation() {
    let mut ties_out_of_list_order = 0;
    for tiles in 0..20 {
        let state = after(tiles, start(2));
        let (picked, coins) = greedy(&state);
        let most = coins.iter().map(|(_, coins)| *coins).max().expect("a legal move");
        let mut best: Vec<_> = coins.iter().filter(|(_, coins)| *coins == most).map(|(mv, _)| mv.to_string()).collect();
        ties_out_of_list_order += u8::from(!best.is_sorted());
        best.sort();
        assert_eq!(picked.to_string(), best[0], "{}", ToysGoGoGo::draw(&state));
    }
    assert!(ties_out_of_list_order > 0);
}

const LITTLE_EFFORT: u32 = 300;

/// The legal moves with their ratings.
fn rated(state: &State, effort: u32, dice: &mut Dice) -> Vec<(Move, Rating)> {
    let moves = ToysGoGoGo::legal(state, state.turn, NOW);
    let ratings = ToysGoGoGo::rate(&Knowledge::new(state, state.turn, NOW), &moves, effort, dice);
    assert_eq!(ratings.len(), moves.len());
    moves.into_iter().zip(ratings).collect()
}

/// The move that is rated highest.
fn best(state: &State, effort: u32, dice: &mut Dice) -> Move {
    let rated = rated(state, effort, dice);
    rated.into_iter().min_by_key(|(_, rating)| Reverse(*rating)).expect("a legal move").0
}

#[test]
fn the_bot_plays_whole_games_at_every_table_and_rates_every_move_as_a_chance_to_win() {
    for (seats, shop_size) in [(2, 3), (3, 3), (4, 3), (2, 4), (3, 4), (4, 4)] {
        let options = Options { shop_size, ..Options::default() };
        let (mut state, mut dice) = (begin(&options, seats, 5).state, Dice::new(seed(5)));
        while let Turn::Waiting(waiting) = ToysGoGoGo::turn(&state) {
            let rated = rated(&state, LITTLE_EFFORT, &mut dice);
            assert!(rated.iter().all(|(_, rating)| (0..=1_000_000).contains(rating)), "{rated:?}");
            let (mv, _) = rated.into_iter().max_by_key(|(_, rating)| *rating).expect("a legal move");
            state = ToysGoGoGo::play(&state, waiting[0], &mv, NOW, &mut dice).expect("a listed move").state;
        }
    }
}

#[test]
fn the_bot_plays_on_when_another_seat_has_resigned() {
    let state = ToysGoGoGo::resign(&after(7, start(3)), &[Seat(2)], NOW, &mut Dice::new(seed(1))).state;
    let rated = rated(&state, LITTLE_EFFORT, &mut Dice::new(seed(1)));
    assert_eq!(rated.len(), ToysGoGoGo::legal(&state, state.turn, NOW).len());
}

#[test]
fn ratings_depend_on_the_dice_but_not_on_the_order_of_the_stack() {
    let state = after(6, start(2));
    let mut restacked = state.clone();
    restacked.stack.reverse();
    let ratings = rated(&state, 2_000, &mut Dice::new(seed(1)));
    assert_eq!(ratings, rated(&restacked, 2_000, &mut Dice::new(seed(1))));
    assert_ne!(ratings, rated(&state, 2_000, &mut Dice::new(seed(2))));
}

#[test]
fn the_bot_wins_with_the_last_tile_if_any_move_does() {
    let mut decisive = 0;
    for game in 0..12 {
        let (mut state, mut dice) = (begin(&Options::default(), 2, game).state, Dice::new(seed(game)));
        for _ in 1..30 {
            let (mv, _) = greedy(&state);
            state = ToysGoGoGo::play(&state, state.turn, &mv, NOW, &mut dice).expect("a listed move").state;
        }
        let seat = state.turn;
        let mut wins = |mv: &Move| {
            let end = ToysGoGoGo::play(&state, seat, mv, NOW, &mut dice).expect("a listed move").state;
            let Turn::Over(outcome) = ToysGoGoGo::turn(&end) else { panic!("that was the last tile") };
            outcome.winners == [seat]
        };
        let moves = ToysGoGoGo::legal(&state, seat, NOW);
        let winning = moves.iter().filter(|mv| wins(mv)).count();
        let picked = best(&state, 2_000, &mut Dice::new(seed(game)));
        assert!(winning == 0 || wins(&picked), "{picked}\n{}", ToysGoGoGo::draw(&state));
        decisive += u8::from(0 < winning && winning < moves.len());
    }
    assert!(decisive > 0, "the last tile decides none of the games");
}

#[test]
fn the_bot_beats_the_greedy_bot() {
    let mut lead = 0;
    for game in 0..6 {
        let (mut state, mut dice) = (begin(&Options::default(), 2, game).state, Dice::new(seed(game)));
        let bot = Seat(u8::from(game % 2 == 0));
        while let Turn::Waiting(waiting) = ToysGoGoGo::turn(&state) {
            let mv = if waiting[0] == bot { best(&state, 1_500, &mut dice) } else { greedy(&state).0 };
            state = ToysGoGoGo::play(&state, waiting[0], &mv, NOW, &mut dice).expect("a listed move").state;
        }
        let coins = |seat: Seat| i64::from(state.shops[seat.index()].coins);
        lead += coins(bot) - coins(Seat(1 - bot.0));
    }
    assert!(lead > 0, "{lead} coins behind");
}
