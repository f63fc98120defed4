//! The program: reads the command line and does what it says.

use clap::Parser;
use ludotheque::{cli, config::Cli};
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A request makes and drops hundreds of small things: the system's allocator takes a fifth of its time for that.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run(&Cli::parse())
}
