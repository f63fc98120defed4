//! Simulates many games of a kind and prints statistics.

use super::Result;
use super::progress::{bar, report};
use crate::config::Simulation;
use crate::games::fairness;
use crate::rules::any::AnyRules;
use crate::rules::catalog::Catalog;
use crate::rules::dice::Hex;
use crate::rules::simulate::{self, EndlessGame, GameResult, SimulationPlan, Statistics, Strategy};
use serde_json::json;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Instant;

pub fn run(simulation: &Simulation, catalog: Catalog) -> Result<ExitCode> {
    let Simulation { kind, games, threads, seed, .. } = simulation;
    let rules = catalog.newest(kind).ok_or_else(|| {
        let kinds: Vec<_> = catalog.names().collect();
        format!("there is no kind {kind}; the kinds are {}", kinds.join(", "))
    })?;
    let seed = seed.unwrap_or_else(fairness::new_seed);
    let plan = SimulationPlan { rules, players: players(rules, simulation)?, games: *games, seed };
    let statistics = Statistics::of(&plan, &play(&plan, (*threads).into())?);
    let players: Vec<_> = plan.players.iter().map(Strategy::to_string).collect();
    let seed = Hex(&seed.0).to_string();
    if simulation.json {
        let statistics = serde_json::to_value(&statistics)?;
        println!("{:#}", json!({"kind": kind, "players": players, "seed": seed, "statistics": statistics}));
        return Ok(ExitCode::SUCCESS);
    }
    println!("{kind} · {games} games · players {}\n{statistics}", players.join(", "));
    for player in &statistics.players {
        let (strategy, mean, longest) = (player.strategy.to_string(), player.mean_time, player.longest_time);
        println!("time       {strategy:7} {mean} µs a move, {longest} at most");
    }
    println!("seed       {seed}");
    Ok(ExitCode::SUCCESS)
}

/// The player of each seat.
fn players(rules: &dyn AnyRules, simulation: &Simulation) -> Result<Vec<Strategy>> {
    let Simulation { kind, seats, players, .. } = simulation;
    let possible = &rules.info().seats;
    let named = u8::try_from(players.len()).unwrap_or(u8::MAX);
    let seats = seats.unwrap_or(named.max(*possible.start()));
    if !possible.contains(&seats) || named > seats {
        return Err(format!("{kind} has {} to {} seats", possible.start(), possible.end()).into());
    }
    if let Some(strategy) = players.iter().find(|strategy| !strategy.exists_in(rules)) {
        let levels = rules.bot_levels().len();
        let greedy = if rules.has_greedy() { ", greedy" } else { "" };
        return Err(format!("{kind} has no player {strategy}; there are random{greedy} and 1 to {levels}").into());
    }
    let last = *players.last().unwrap_or(&Strategy::Random);
    Ok(players.iter().copied().chain(std::iter::repeat(last)).take(seats.into()).collect())
}

/// Plays all games, in their order; times are in microseconds.
fn play(plan: &SimulationPlan, threads: usize) -> Result<Vec<GameResult>> {
    let (begun, next, done) = (Instant::now(), AtomicU32::new(0), AtomicU32::new(0));
    let clock = || u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let bar = bar("playing games");
    let work = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= plan.games {
                return Ok::<_, EndlessGame>(results);
            }
            results.push((index, simulate::play(plan, index, &clock)?));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            report(&bar, done.into(), Some(plan.games.into()));
        }
    };
    let mut results = Vec::new();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            results.extend(worker.join().expect("rules do not panic")?);
        }
        Ok::<_, EndlessGame>(())
    })?;
    bar.finish_and_clear();
    results.sort_unstable_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
