//! The program with the built-in kinds: reads the command line and does what it says.

use ludotheque::cli::{Program, puzzles};
use ludotheque::rules::catalog;
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A request makes and drops hundreds of small things: the system's allocator takes a fifth of its time for that.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    Program::new(catalog::BUILT_IN).with(puzzles::COMMANDS).main()
}
