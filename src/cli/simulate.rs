//! Playing many games of a kind, for their figures.

use super::Result;
use super::progress::{bar, report};
use crate::config::{SimulatedPlayers, Simulation};
use crate::games::fairness;
use crate::rules::catalog::Catalog;
use crate::rules::dice::Hex;
use crate::rules::simulate::{self, Plan};
use std::process::ExitCode;

pub fn run(simulation: &Simulation, catalog: Catalog) -> Result<ExitCode> {
    let Simulation { kind, games, seats, players, seed } = simulation;
    let rules = catalog.newest(kind).ok_or_else(|| {
        let kinds: Vec<_> = catalog.names().collect();
        format!("there is no kind {kind}; there are {}", kinds.join(", "))
    })?;
    let possible = &rules.info().seats;
    let seats = seats.unwrap_or(*possible.start());
    if !possible.contains(&seats) {
        return Err(format!("{kind} is played at {} to {} seats", possible.start(), possible.end()).into());
    }
    let players = match players {
        SimulatedPlayers::Greedy if !rules.has_greedy() => {
            eprintln!("nobody has taught {kind} a greedy player yet: it is played by chance");
            SimulatedPlayers::Random
        }
        players => *players,
    };
    let seed = seed.unwrap_or_else(fairness::new_seed);
    let bar = bar("playing games");
    let plan = Plan { rules, seats, games: *games, greedy: players == SimulatedPlayers::Greedy, seed };
    let figures = simulate::run(&plan, |done| report(&bar, done.into(), Some((*games).into())))?;
    bar.finish_and_clear();
    let how = if players == SimulatedPlayers::Greedy { "greedy players" } else { "by chance" };
    println!("{kind} · {seats} seats · {games} games · {how}\n{figures}\nseed       {}", Hex(&seed.0));
    Ok(ExitCode::SUCCESS)
}
