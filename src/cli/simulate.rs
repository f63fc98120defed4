//! Simulates many games of a kind and prints statistics.

use super::Result;
use super::progress::{bar, report};
use crate::config::{SimulatedPlayers, Simulation};
use crate::games::fairness;
use crate::rules::catalog::Catalog;
use crate::rules::dice::Hex;
use crate::rules::simulate::{self, SimulationPlan};
use std::process::ExitCode;

pub fn run(simulation: &Simulation, catalog: Catalog) -> Result<ExitCode> {
    let Simulation { kind, games, seats, players, seed } = simulation;
    let rules = catalog.newest(kind).ok_or_else(|| {
        let kinds: Vec<_> = catalog.names().collect();
        format!("there is no kind {kind}; the kinds are {}", kinds.join(", "))
    })?;
    let possible = &rules.info().seats;
    let seats = seats.unwrap_or(*possible.start());
    if !possible.contains(&seats) {
        return Err(format!("{kind} has {} to {} seats", possible.start(), possible.end()).into());
    }
    let players = match players {
        SimulatedPlayers::Greedy if !rules.has_greedy() => {
            eprintln!("{kind} has no greedy player: moves are random");
            SimulatedPlayers::Random
        }
        players => *players,
    };
    let seed = seed.unwrap_or_else(fairness::new_seed);
    let bar = bar("playing games");
    let plan = SimulationPlan { rules, seats, games: *games, greedy: players == SimulatedPlayers::Greedy, seed };
    let statistics = simulate::run(&plan, |done| report(&bar, done.into(), Some((*games).into())))?;
    bar.finish_and_clear();
    let how = if players == SimulatedPlayers::Greedy { "greedy players" } else { "random moves" };
    println!("{kind} · {seats} seats · {games} games · {how}\n{statistics}\nseed       {}", Hex(&seed.0));
    Ok(ExitCode::SUCCESS)
}
