//! Shell completions and manual pages, generated from the command definitions.

use super::Result;
use clap::Command;
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

pub fn print_completions(mut command: Command, shell: Shell) -> Result<ExitCode> {
    let name = command.get_name().to_owned();
    // Into memory first: `generate` panics if its writer fails, for example a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub fn write_pages(command: Command, folder: &Path) -> Result<ExitCode> {
    // `build` copies the global settings to each command, where they can be hidden.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let settings = format!("The settings are in {}(1).", command.get_name());
    let command = command.mut_subcommands(|subcommand| without_settings(subcommand, &settings));
    clap_mangen::generate_to(command, folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Hides the settings, so that only the page of the program lists them.
fn without_settings(command: Command, settings: &str) -> Command {
    command
        .mut_args(|argument| if argument.is_global_set() { argument.hide(true) } else { argument })
        .mut_subcommands(|subcommand| without_settings(subcommand, settings))
        .after_help(settings.to_owned())
}
