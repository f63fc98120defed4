//! The bots of Jouets à GO GO GO.

use super::*;
use ludotheque_rules::{bots::Knowledge, capabilities::Greedy};

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
