//! Who wins, and games of chance from beginning to end.

use super::{ending, finished, start};
use ludotheque_rules::{
    Eyes, Rules, Turn,
    toys_go_go_go::{Event, Reason, ToysGoGoGo},
};
use std::sync::Arc;

/// The outcome of a game in which the seats have these coins, rewards included.
fn with_coins(coins: &[u32]) -> String {
    let mut state = start(u8::try_from(coins.len()).expect("few seats"));
    state.ended = Some(Reason::Full);
    for (shop, coins) in state.shops.iter_mut().zip(coins) {
        Arc::make_mut(shop).coins = *coins;
    }
    ending(&state)
}

#[test]
fn most_banknotes_win() {
    assert_eq!(with_coins(&[40, 39, 51]), "FULL: 2 > 0 > 1");
}

#[test]
fn with_equal_banknotes_more_coins_left_over_win() {
    assert_eq!(with_coins(&[43, 47]), "FULL: 1 > 0");
}

#[test]
fn with_equal_banknotes_and_equal_coins_the_victory_is_shared() {
    assert_eq!(with_coins(&[43, 12, 43, 7]), "FULL: 0 = 2 > 1 > 3");
    assert_eq!(with_coins(&[0, 0]), "FULL: 0 = 1");
}

#[test]
fn banknotes_never_run_out() {
    let mut state = start(4);
    for shop in &mut state.shops {
        Arc::make_mut(shop).coins = 1_000;
    }
    let view = ToysGoGoGo::view(&state, Eyes::Spectator);
    assert_eq!(view.seats.iter().map(|seat| seat.banknotes).sum::<u32>(), 400, "the box has 45");
}

#[test]
fn the_score_in_the_standings_is_coins() {
    for game in 0..20 {
        let state = finished(4, game).state;
        let Turn::Over(outcome) = ToysGoGoGo::turn(&state) else { panic!("the game is over") };
        let view = ToysGoGoGo::view(&state, Eyes::Spectator);
        assert_eq!(view.turn, None);
        for standing in outcome.standings {
            assert_eq!(i64::from(standing.score), i64::from(view.seats[standing.seat.index()].coins));
        }
    }
}

#[test]
fn two_thousand_games_of_chance_end_with_full_shops_all_64_tiles_and_the_coins_that_were_told() {
    for game in 0..2_000 {
        let seats = 2 + u8::try_from(game % 3).expect("few");
        let next = finished(seats, game);
        assert_eq!(next.state.ended, Some(Reason::Full));
        ToysGoGoGo::invariants(&next.state).unwrap_or_else(|broken| panic!("{broken}"));
        let mut coins = vec![0; usize::from(seats)];
        for event in &next.events {
            match event {
                Event::Laid { seat, gains, .. } => coins[seat.index()] += gains.total(),
                Event::Paid { seat, coins: paid, .. } => coins[seat.index()] += paid,
                _ => {}
            }
        }
        assert_eq!(next.state.shops.iter().map(|shop| shop.coins).collect::<Vec<_>>(), coins);
        assert!(next.state.shops.iter().all(|shop| shop.laid().len() == 15));
    }
}
