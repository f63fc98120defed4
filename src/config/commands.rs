//! The commands and their arguments.

use crate::ids::PlayerId;
use crate::rules::Seed;
use crate::rules::simulate::Strategy;
use clap::{Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum CliCommand {
    /// Start the server (the default command)
    Serve,
    /// Play a replay again and report differences. Without a file, check every value and every game in the store:
    /// without --store, stop the server first
    Verify {
        /// A replay, as returned by `GET /v1/games/{id}/replay`
        replay: Option<PathBuf>,
    },
    /// Write everything except the signing keys to a file, as JSON lines. Without --store, stop the server first
    Export {
        /// The file to write, which must not exist; `-` for standard output
        file: PathBuf,
    },
    /// Read an export into an empty store. Stop the server first
    Import {
        /// The file to read; `-` for standard input
        file: PathBuf,
    },
    /// Migrate the tables of the database (`--store`). Servers also do this at start, unless --no-migrate is set
    Migrate,
    /// Back up everything except the signing keys, from the running server on this data folder or from the database
    /// (`--store`)
    Backup {
        /// The file to write, which must not exist
        file: PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        overwrite: bool,
    },
    /// Read a backup or an export into an empty store (the same as `import`). Stop the server first
    Restore {
        /// The file to read; `-` for standard input
        file: PathBuf,
    },
    /// Rewrite the embedded store without old versions of its data, to free disk space. The server must be stopped
    Compact,
    /// Check whether the server on --listen is ready; exit code 0 if so
    Health,
    /// Manage the keys that sign access tokens. A running server picks up changes within seconds
    Keys {
        #[command(subcommand)]
        action: KeyAction,
    },
    /// Manage the trusted token issuers (`--issuers`)
    Issuers {
        #[command(subcommand)]
        action: IssuersAction,
    },
    /// Print an access token for test automation. Needs `--dev`, and only servers with `--dev` accept the token
    Token {
        /// The player's id
        #[arg(required_unless_present = "name")]
        player: Option<PlayerId>,
        /// A name instead of an id. The first use of a token creates a player for the name; later tokens with this name
        /// are for the same player
        #[arg(long, conflicts_with = "player", value_parser = clap::builder::NonEmptyStringValueParser::new())]
        name: Option<String>,
        /// The token's lifetime, in minutes
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=10_080))]
        minutes: u64,
    },
    /// Play many games of a kind and print statistics: length, winners, scores
    Simulate(Simulation),
    /// Print a description of the API
    Schema {
        #[arg(value_enum)]
        description: ApiDescription,
    },
    /// Print shell completions for all commands and settings
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write one manual page per command to a folder
    Man {
        /// The folder, which must exist
        folder: PathBuf,
    },
}

/// Commands for the signing keys.
#[derive(Clone, Debug, Subcommand)]
pub enum KeyAction {
    /// List the keys, newest first
    List,
    /// Make a new signing key. Running servers sign with it within 20 seconds; tokens signed by older keys stay valid
    Rotate,
    /// Remove an old key. Tokens signed by it are refused from then on
    Remove {
        /// The key's id, as `list` prints it
        kid: String,
    },
}

/// Commands for trusted issuers.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum IssuersAction {
    /// Read a token on standard input and print the result of each check; exit code 0 if all pass
    Check,
}

/// Arguments of `simulate`.
#[derive(Clone, Debug, clap::Args)]
pub struct Simulation {
    /// The kind of game, as named by `/v1/kinds`
    pub kind: String,
    /// Number of games
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Number of seats; by default as many as there are players, but no fewer than the kind allows
    #[arg(long)]
    pub seats: Option<u8>,
    /// How the players choose their moves, comma-separated: `random`, `greedy`, or the level of a bot, from 1. The last one
    /// stands for all further players. They change seats from game to game
    #[arg(long, value_delimiter = ',', default_value = "random")]
    pub players: Vec<Strategy>,
    /// Threads that play; the result does not depend on their number
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Random seed, as 64 hexadecimal digits; the same seed gives the same games. Random if not set
    #[arg(long)]
    pub seed: Option<Seed>,
    /// Print the statistics as JSON
    #[arg(long)]
    pub json: bool,
}

/// The descriptions of the API.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ApiDescription {
    /// OpenAPI 3.1, as served at /openapi.json
    Openapi,
    /// OpenAPI without unions, for client generators that do not support them
    OpenapiPlain,
    /// The GraphQL schema, in the schema definition language (SDL)
    Graphql,
}
