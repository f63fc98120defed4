//! `rules`: the rules alone, on one core: random games, listing the moves and playing one of them, again and again.

use super::progress::Bar;
use super::report::{Goal, Report};
use super::{Bench, Result};
use ludotheque::rules::chips::Chips;
use ludotheque::rules::loading::Loading;
use ludotheque::rules::santa_rescue::SantaRescue;
use ludotheque::rules::toy_rush::ToyRush;
use ludotheque::rules::toys_go_go_go::ToysGoGoGo;
use ludotheque::rules::{Dice, Instant, Rules, Seed, Turn};
use std::time::{self, Duration};

const NOW: Instant = Instant(0);
/// What the slowest kind should do a second, and all of them on average.
const LEAST: f64 = 60_000.0;
const MEAN: f64 = 300_000.0;

/// A kind, and how it is measured.
type Kind = (&'static str, fn(Duration) -> Result<f64>);

pub fn run(bench: &Bench, report: &mut Report) -> Result<()> {
    let kinds: [Kind; 5] =
        [kind::<Chips>(), kind::<Loading>(), kind::<SantaRescue>(), kind::<ToyRush>(), kind::<ToysGoGoGo>()];
    let mut all = 0.0;
    for (name, play) in kinds {
        let bar = Bar::new(format!("random games of {name}"), bench.seconds);
        let per_second = play(bench.seconds)?;
        drop(bar);
        all += per_second;
        report.state(&format!("random moves of {name}"), "/s", per_second, Some(Goal::AtLeast(LEAST)));
    }
    report.state("random moves, mean of the kinds", "/s", all / kinds.len() as f64, Some(Goal::AtLeast(MEAN)));
    Ok(())
}

fn kind<R: Rules>() -> Kind {
    (R::INFO.kind, play::<R>)
}

/// Moves a second over whole games, their set-up included, with every number of seats in turn.
fn play<R: Rules>(duration: Duration) -> Result<f64> {
    let start = time::Instant::now();
    let mut moves = 0_u32;
    for (game, seats) in (0_u64..).zip(R::INFO.seats.cycle()) {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&game.to_le_bytes());
        let mut dice = Dice::new(Seed(seed));
        let mut state = R::setup(&R::Options::default(), seats, NOW, &mut dice).state;
        while let Turn::Waiting(waiting) = R::turn(&state) {
            let seat = waiting[dice.index(waiting.len())];
            let legal = R::legal(&state, seat, NOW);
            let mv = legal.get(dice.index(legal.len())).ok_or("nothing to play")?;
            state = R::play(&state, seat, mv, NOW, &mut dice).map_err(|_| "a listed move was refused")?.state;
            moves += 1;
            // Looked at now and then, since it takes about as long as a move; some games are long.
            if moves.is_multiple_of(1024) && start.elapsed() >= duration {
                return Ok(f64::from(moves) / start.elapsed().as_secs_f64());
            }
        }
    }
    Err("there are more games than numbers".into())
}
