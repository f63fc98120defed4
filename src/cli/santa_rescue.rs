//! Puzzles of À la rescousse du Père Noël: their solutions, and campaigns of one's own.

use super::progress::{bar, report};
use crate::config::{Campaigns, Solve};
use crate::rules::santa_rescue::sheets::{self, Campaign, DAYS};
use crate::rules::santa_rescue::solver::{Play, Powers, Puzzle, solve};
use crate::rules::santa_rescue::{critic, generator};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Prints all solutions of a day, each as its sheet would be filled in.
pub fn print_solutions(Solve { day, seed }: &Solve) -> ExitCode {
    let campaign = match seed {
        Some(seed) => make(*seed),
        None => Campaign::built_in(),
    };
    let (puzzle, powers) = (campaign.puzzle(*day), sheets::powers_on(*day));
    let solved = solve(puzzle, &powers);
    for (nth, plays) in (1..).zip(&solved.solutions) {
        println!("{nth}\n{}\n", filled_in(puzzle, &powers, plays));
    }
    let (wins, orders) = (solved.solutions.len(), solved.orders().len());
    println!("day {day}: {wins} of {} play-outs win, in {orders} orders of powers", solved.play_outs);
    if let Some(shortest) = &solved.shortest {
        println!("the required row can lie there after {} powers", shortest.len());
    }
    ExitCode::SUCCESS
}

fn filled_in(Puzzle { start, goal }: Puzzle, powers: &Powers, plays: &[Play]) -> String {
    let mut row = start;
    let mut lines = vec![format!("      {start}")];
    for play in plays {
        let power = powers[play.elf.index()][play.slot as usize].expect("a solution uses what is unlocked");
        row = power.apply(row, play.target).expect("a solution can be played");
        lines.push(format!("      {row}   {play}: {power}"));
    }
    lines.push(format!("K.O.  {goal}"));
    lines.join("\n")
}

/// Prints a campaign as a file of content, or checks many of them.
pub fn print_campaign(Campaigns { seed, check }: &Campaigns) -> ExitCode {
    let Some(count) = *check else {
        print!("{}", make(*seed).content());
        return ExitCode::SUCCESS;
    };
    let bar = bar("checking campaigns");
    let mut bad = 0;
    for (done, seed) in (1..).zip((*seed..=u32::MAX).take(count as usize)) {
        for fault in critic::faults(&make(seed)) {
            bar.suspend(|| println!("seed {seed}: {fault}"));
            bad += 1;
        }
        report(&bar, done, Some(count.into()));
    }
    bar.finish_and_clear();
    println!(
        "{count} campaigns checked: {}",
        if bad == 0 { "all are good".to_owned() } else { format!("{bad} faults") }
    );
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn make(seed: u32) -> Campaign {
    let bar = bar("making puzzles");
    let made = generator::generate(generator::seed_of(seed), |days| {
        report(&bar, days.into(), Some(DAYS.into()));
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    made.expect("nobody called it off")
}
