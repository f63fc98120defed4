//! Every command, with what it takes.

use crate::ids::PlayerId;
use crate::rules::Seed;
use clap::{Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum CliCommand {
    /// Start the server (what happens without a command)
    Serve,
    /// Play a replay again, or everything in the store, and say what differs
    Verify {
        /// A replay as `GET /v1/games/{id}/replay` answers it; without one, the store
        replay: Option<PathBuf>,
    },
    /// Write everything but the signing keys to a file, as JSON lines
    Export {
        /// The file to write, which must not exist; `-` for standard output
        file: PathBuf,
    },
    /// Read an export into an empty store
    Import {
        /// The file to read; `-` for standard input
        file: PathBuf,
    },
    /// Bring the tables of the database (`--store`) up to date. Servers do it when they start, unless told not to
    Migrate,
    /// Write a backup of the running server on this data folder, or of the database: everything but the signing keys
    Backup {
        /// The file to write, which must not exist
        file: PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        overwrite: bool,
    },
    /// Read a backup or an export into an empty store (the same as `import`)
    Restore {
        /// The file to read; `-` for standard input
        file: PathBuf,
    },
    /// Give back the disk space that old versions of the data take. The server must be stopped
    Compact,
    /// Ask the server that listens on the same address whether it can serve; exit code 0 if so
    Health,
    /// Look after the keys that access tokens are signed with; a running server notices within seconds
    Keys {
        #[command(subcommand)]
        action: KeyAction,
    },
    /// Look after the other issuers whose tokens are believed (`--issuers`)
    Issuers {
        #[command(subcommand)]
        action: IssuersAction,
    },
    /// Print an access token for test automation, for servers with `--dev`. The server may be running
    Token {
        /// The player whose token it is
        #[arg(required_unless_present = "name")]
        player: Option<PlayerId>,
        /// Somebody who becomes a player when the token is first used, and is the same player ever after
        #[arg(long, conflicts_with = "player", value_parser = clap::builder::NonEmptyStringValueParser::new())]
        name: Option<String>,
        /// How long it is good
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=10_080))]
        minutes: u64,
    },
    /// Play many games of a kind and print their figures: length, winners, scores
    Simulate(Simulation),
    /// Print the API's description
    Schema {
        #[arg(value_enum)]
        face: Face,
    },
    /// Print the completions of all commands and settings for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the manual pages, one for each command, to a folder
    Man {
        /// The folder, which must exist
        folder: PathBuf,
    },
}

/// What to do with the signing keys.
#[derive(Clone, Debug, Subcommand)]
pub enum KeyAction {
    /// List them, newest first
    List,
    /// Make a new one, which signs from now on; what older ones signed stays good
    Rotate,
    /// Remove an old one: what it signed is good no more
    Remove {
        /// Its id, as `list` shows it
        kid: String,
    },
}

/// What to do with other issuers.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum IssuersAction {
    /// Read a token on standard input and say, step by step, what of it holds and what does not; exit code 0 if all does
    Check,
}

/// Which games to play.
#[derive(Clone, Debug, clap::Args)]
pub struct Simulation {
    /// The kind, as `/v1/kinds` calls it
    pub kind: String,
    /// How many games
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// How many seats; the fewest that the kind allows unless said otherwise
    #[arg(long)]
    pub seats: Option<u8>,
    /// How everybody plays
    #[arg(long, value_enum, default_value_t = SimulatedPlayers::Random)]
    pub players: SimulatedPlayers,
    /// Where all chance comes from, as 64 hexadecimal digits; the same seed gives the same figures
    #[arg(long)]
    pub seed: Option<Seed>,
}

/// Which description to print.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Face {
    /// OpenAPI 3.1, as served at /openapi.json
    Openapi,
    /// The same in its plain profile, for generators of clients that can't cope with unions
    OpenapiPlain,
    /// The GraphQL schema, as served at /graphql
    Graphql,
}

/// How everybody plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SimulatedPlayers {
    /// Any legal move, each as likely
    Random,
    /// The move that looks best at the moment, for kinds that have such a player
    Greedy,
}
