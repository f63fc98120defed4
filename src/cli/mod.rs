//! Command-line interface: one file per command or group of commands.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "commands print their results")]

mod backup;
mod data;
mod health;
mod issuers;
mod keys;
mod log;
mod manual;
mod migrate;
mod progress;
pub mod puzzles;
mod schema;
mod serve;
mod simulate;
mod token;
mod verify;

use crate::config::{self, Cli, CliCommand, IssuersAction};
use crate::rules::catalog::Catalog;
use crate::store::private_files;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use std::error::Error;
use std::process::ExitCode;

/// An error is printed as one sentence, and ends the program.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A program for a catalogue of kinds: the common commands (`serve`, `verify`, `export`, …), and those that kinds add.
///
/// ```no_run
/// use ludotheque::{cli::Program, rules::catalog};
///
/// fn main() -> std::process::ExitCode {
///     Program::new(catalog::BUILT_IN).main()
/// }
/// ```
pub struct Program {
    catalog: Catalog,
    of_kinds: Vec<KindCommands>,
}

/// Commands that one kind adds. For a type that derives clap's `Subcommand`, `add` is its `augment_subcommands` and
/// `has` its `has_subcommand`; `run` reads it with `from_arg_matches`.
#[derive(Clone, Copy)]
pub struct KindCommands {
    pub add: fn(clap::Command) -> clap::Command,
    pub has: fn(&str) -> bool,
    pub run: fn(&ArgMatches) -> Result<ExitCode>,
}

impl Program {
    pub fn new(catalog: Catalog) -> Self {
        Self { catalog, of_kinds: Vec::new() }
    }

    /// Adds the commands of a kind.
    pub fn with(mut self, commands: KindCommands) -> Self {
        self.of_kinds.push(commands);
        self
    }

    /// Parses the command line and runs the command.
    pub fn main(self) -> ExitCode {
        private_files::set_umask();
        let given = self.command().get_matches();
        let name = given.subcommand_name().unwrap_or_default();
        let done = match self.of_kinds.iter().find(|commands| (commands.has)(name)) {
            Some(commands) => (commands.run)(&given),
            None => run(&Cli::from_arg_matches(&given).unwrap_or_else(|error| error.exit()), &self),
        };
        match done {
            Ok(code) => code,
            Err(error) => {
                eprintln!("ludotheque: {error}");
                ExitCode::FAILURE
            }
        }
    }

    /// All commands and settings. A kind that is missing from the catalogue is a parse error, like any other bad value.
    fn command(&self) -> clap::Command {
        let catalog = self.catalog;
        let known = move |name: &str| config::kind(catalog, name).map(str::to_owned);
        let kinds: Vec<_> = catalog.names().collect();
        let about = format!("Board games, refereed by the server, for any front end: {}", kinds.join(", "));
        let common = Cli::command().mut_arg("kinds", |kinds| kinds.value_parser(known));
        // `about` comes last, because `add` overwrites it.
        self.of_kinds.iter().fold(common, |command, commands| (commands.add)(command)).about(about)
    }
}

/// Runs a common command.
fn run(cli: &Cli, program: &Program) -> Result<ExitCode> {
    let (settings, catalog) = (&cli.settings, program.catalog);
    match cli.command.as_ref().unwrap_or(&CliCommand::Serve) {
        CliCommand::Serve => serve::serve(settings, catalog),
        CliCommand::Verify { replay: Some(file) } => verify::replay(file, catalog),
        CliCommand::Verify { replay: None } => verify::store(settings, catalog),
        CliCommand::Export { file } => data::export(settings, file),
        CliCommand::Backup { file, overwrite } => backup::backup(settings, file, *overwrite),
        CliCommand::Import { file } | CliCommand::Restore { file } => data::import(settings, file),
        CliCommand::Compact => data::compact(settings),
        CliCommand::Migrate => migrate::run(settings),
        CliCommand::Health => health::ask(settings),
        CliCommand::Keys { action } => keys::run(settings, action),
        CliCommand::Issuers { action: IssuersAction::Check } => issuers::check(settings),
        CliCommand::Token { player, name, minutes } => {
            token::print(settings, player.map(|id| id.to_string()).or(name.clone()), *minutes)
        }
        CliCommand::Simulate(simulation) => simulate::run(simulation, catalog),
        CliCommand::Schema { description } => schema::print(*description, catalog),
        CliCommand::Completions { shell } => manual::print_completions(program.command(), *shell),
        CliCommand::Man { folder } => manual::write_pages(program.command(), folder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::catalog::BUILT_IN;

    #[test]
    fn the_help_names_the_kinds_of_the_catalogue() {
        let about = |catalog| {
            let help = Program::new(catalog).with(puzzles::COMMANDS).command().render_long_help().to_string();
            help.split("\n\n").next().unwrap_or_default().replace('\n', " ")
        };
        for kind in BUILT_IN.names() {
            assert!(about(BUILT_IN).contains(kind), "{}", about(BUILT_IN));
            assert!(!about(Catalog::EMPTY).contains(kind), "{}", about(Catalog::EMPTY));
        }
    }
}
