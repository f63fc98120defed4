//! The command line: one file per command, or per family of them.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command speaks to whoever typed it")]

mod backup;
mod data;
mod health;
mod issuers;
mod keys;
mod log;
mod migrate;
mod progress;
mod santa_rescue;
mod schema;
mod serve;
mod simulate;
mod token;
mod verify;

use crate::config::{Cli, Command, Content, IssuersAction};
use crate::store::private;
use std::error::Error;
use std::process::ExitCode;

/// Whatever goes wrong is told in one sentence; there is nothing to recover.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Does what the command line says.
pub fn run(cli: &Cli) -> ExitCode {
    private::by_default();
    let settings = &cli.settings;
    let done = match cli.command.as_ref().unwrap_or(&Command::Serve) {
        Command::Serve => serve::serve(settings),
        Command::Verify { replay: Some(file) } => verify::replay(file),
        Command::Verify { replay: None } => verify::store(settings),
        Command::Export { file } => data::export(settings, file),
        Command::Backup { file, overwrite } => backup::backup(settings, file, *overwrite),
        Command::Import { file } | Command::Restore { file } => data::import(settings, file),
        Command::Compact => data::compact(settings),
        Command::Migrate => migrate::run(settings),
        Command::Health => health::ask(settings),
        Command::Keys { action } => keys::run(settings, action),
        Command::Issuers { action: IssuersAction::Check } => issuers::check(settings),
        Command::Token { player, name, minutes } => {
            token::print(settings, player.map(|id| id.to_string()).or(name.clone()), *minutes)
        }
        Command::Simulate(simulation) => simulate::run(simulation),
        Command::Solve(day) => Ok(santa_rescue::print_solutions(day)),
        Command::Content { of: Content::SantaRescue(campaigns) } => Ok(santa_rescue::print_campaign(campaigns)),
        Command::Schema { face } => schema::print(*face),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("ludotheque: {error}");
            ExitCode::FAILURE
        }
    }
}
