//! The program with the built-in kinds.

use ludotheque::cli::{Program, puzzles};
use ludotheque::rules::catalog;
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A request makes hundreds of small allocations; with the system's allocator they take a fifth of its time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    Program::new(catalog::BUILT_IN).with(puzzles::COMMANDS).main()
}
