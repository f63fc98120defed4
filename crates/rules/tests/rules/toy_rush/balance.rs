//! Whether the 18 objectives make for games of the right length in which beginning is no great advantage. Seeded, so it
//! finds the same every time.

use crate::kit::table::seed;
use ludotheque_rules::catalog;
use ludotheque_rules::simulate::{Figures, Plan, run};

fn figures(greedy: bool, games: u32) -> Figures {
    let rules = catalog::BUILT_IN.newest("TOY_RUSH").expect("in the catalogue");
    run(&Plan { rules, seats: 2, games, greedy, seed: seed(1) }, |_| {}).expect("games end")
}

#[test]
fn greedy_games_take_5_to_9_rounds_and_whoever_begins_wins_40_to_60_percent_of_them() {
    let figures = figures(true, 500);
    let rounds = figures.rounds.as_ref().expect("the view counts rounds");
    assert!((5..=9).contains(&rounds.median()), "{figures}");
    assert!(rounds.within(5..=9) >= 495, "nearly all of them\n{figures}");
    let wins = figures.opener_wins().expect("somebody begins");
    assert!((40.0..=60.0).contains(&wins), "{figures}");
    assert!(figures.reasons["TARGET"] >= 495, "they are played to the target\n{figures}");
}

#[test]
fn games_played_by_chance_end_too_and_greed_is_faster() {
    let chance = figures(false, 100);
    assert_eq!(chance.wins.iter().sum::<u32>(), 100, "every game has one winner");
    let [slow, fast] = [&chance, &figures(true, 50)].map(|figures| figures.moves.median());
    assert!(fast < slow, "{fast} moves, by chance {slow}");
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    assert_eq!(figures(true, 5), figures(true, 5));
}
