//! Commands of SANTA_RESCUE: solve its puzzles, and generate campaigns.

use super::progress::{bar, report};
use super::{KindCommands, Result};
use crate::rules::santa_rescue::sheets::{self, Campaign, DAYS};
use crate::rules::santa_rescue::solver::{Play, Powers, Puzzle, solve};
use crate::rules::santa_rescue::{criteria, generator};
use clap::{FromArgMatches, Subcommand};
use std::ops::ControlFlow;
use std::process::ExitCode;

/// Adds them to a [`Program`](super::Program).
pub const COMMANDS: KindCommands =
    KindCommands { add: Command::augment_subcommands, has: Command::has_subcommand, run: |given| run(given) };

/// The commands.
#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Print all solutions of a day of SANTA_RESCUE, as filled-in sheets
    Solve(Solve),
    /// Generate content for a kind
    Content {
        #[command(subcommand)]
        of: Content,
    },
}

/// Arguments of `solve`.
#[derive(Clone, Debug, clap::Args)]
struct Solve {
    /// The day, from 1 to 24
    #[arg(value_parser = clap::value_parser!(u8).range(1..=24))]
    day: u8,
    /// Number of a generated campaign, as in the option `campaignSeed`; the built-in campaign if not set
    #[arg(long)]
    seed: Option<u32>,
}

/// Kinds of content.
#[derive(Clone, Debug, Subcommand)]
enum Content {
    /// Print a generated campaign of 24 puzzles
    SantaRescue(Campaigns),
}

/// Arguments of `content santa-rescue`.
#[derive(Clone, Debug, clap::Args)]
struct Campaigns {
    /// Number of the campaign, as in the option `campaignSeed`
    #[arg(long)]
    seed: u32,
    /// Do not print; check this many campaigns, the first with the number --seed
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    check: Option<u32>,
}

fn run(given: &clap::ArgMatches) -> Result<ExitCode> {
    Ok(match Command::from_arg_matches(given)? {
        Command::Solve(day) => print_solutions(&day),
        Command::Content { of: Content::SantaRescue(campaigns) } => print_campaign(&campaigns),
    })
}

/// Prints all solutions of a day, each as a filled-in sheet.
fn print_solutions(Solve { day, seed }: &Solve) -> ExitCode {
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

/// Prints a campaign as a content file, or checks several.
fn print_campaign(Campaigns { seed, check }: &Campaigns) -> ExitCode {
    let Some(count) = *check else {
        print!("{}", make(*seed).content());
        return ExitCode::SUCCESS;
    };
    let bar = bar("checking campaigns");
    let mut bad = 0;
    for (done, seed) in (1..).zip((*seed..=u32::MAX).take(count as usize)) {
        for fault in criteria::faults(&make(seed)) {
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
    made.expect("never cancelled")
}
