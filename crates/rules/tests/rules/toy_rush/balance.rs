//! Balance: with the 18 objectives, games have the right length, and going first is no great advantage. Seeded, so the
//! result is always the same.

use crate::kit::table::seed;
use ludotheque_rules::catalog;
use ludotheque_rules::simulate::{SimulationPlan, Statistics, Strategy, run};

fn statistics(strategy: Strategy, games: u32) -> Statistics {
    let rules = catalog::BUILT_IN.newest("TOY_RUSH").expect("in the catalog");
    run(&SimulationPlan { rules, players: vec![strategy; 2], games, seed: seed(1) }).expect("games end")
}

#[test]
fn greedy_games_take_5_to_9_rounds_and_the_opening_player_wins_40_to_60_percent_of_them() {
    let statistics = statistics(Strategy::Greedy, 500);
    let rounds = statistics.rounds.as_ref().expect("the view counts rounds");
    assert!((5..=9).contains(&rounds.median()), "{statistics}");
    assert!(rounds.within(5..=9) >= 495, "nearly all of them\n{statistics}");
    assert_eq!(statistics.opener.games, 500, "somebody begins");
    assert!((0.4..=0.6).contains(&statistics.opener.rate()), "{statistics}");
    assert!(statistics.reasons["TARGET"] >= 495, "they are played to the target\n{statistics}");
}

#[test]
fn games_played_by_chance_end_too_and_greed_is_faster() {
    let chance = statistics(Strategy::Random, 100);
    assert!((chance.seats.iter().map(|seat| seat.wins).sum::<f64>() - 100.0).abs() < 1e-9, "every game has one winner");
    let [slow, fast] = [&chance, &statistics(Strategy::Greedy, 50)].map(|statistics| statistics.moves.median());
    assert!(fast < slow, "{fast} moves, by chance {slow}");
}

#[test]
fn the_same_seed_gives_the_same_statistics() {
    assert_eq!(statistics(Strategy::Greedy, 5), statistics(Strategy::Greedy, 5));
}
