//! The program: reads the command line and does what it says.

use clap::Parser;
use ludotheque::{cli, config::Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(&Cli::parse())
}
