//! Every setting: a flag, an environment variable, a sentence.

use crate::auth;
use crate::rules::Seed;
use crate::simulate::Players;
use crate::store::sled;
use clap::{Parser, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Board games, refereed by the server, for any front end.
#[derive(Debug, Parser)]
#[command(version, about, after_help = "Alone, or with `serve`, it starts the server.")]
pub struct Cli {
    #[command(flatten)]
    pub settings: Settings,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What can be set.
#[derive(Clone, Debug, clap::Args)]
pub struct Settings {
    /// Where to listen
    #[arg(long, env = "LUDOTHEQUE_LISTEN", default_value = "127.0.0.1:8080", global = true)]
    pub listen: SocketAddr,

    /// The folder everything is kept in: games, players and signing keys. On a local disk
    #[arg(long, env = "LUDOTHEQUE_DATA", default_value = "data", global = true)]
    pub data: PathBuf,

    /// Memory for the store's pages, in MiB
    #[arg(long, env = "LUDOTHEQUE_CACHE_MIB", default_value_t = 128, global = true)]
    pub cache_mib: u64,

    /// Writes that may wait for the disk before further ones are refused with 503
    #[arg(long, env = "LUDOTHEQUE_QUEUE", default_value_t = 4096, global = true)]
    pub queue: usize,

    /// Who access tokens say they are from
    #[arg(long, env = "LUDOTHEQUE_ISSUER", default_value = "ludotheque", global = true)]
    pub issuer: String,

    /// Whom access tokens say they are for
    #[arg(long, env = "LUDOTHEQUE_AUDIENCE", default_value = "ludotheque", global = true)]
    pub audience: String,

    /// How long an access token is good, in seconds
    #[arg(long, env = "LUDOTHEQUE_TOKEN_SECONDS", default_value_t = 900, global = true,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub token_seconds: u64,

    /// What to log: `error`, `warn`, `info`, `debug`, or a filter such as `info,ludotheque=debug`
    #[arg(long, env = "LUDOTHEQUE_LOG", default_value = "info", global = true)]
    pub log: String,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Start the server (what happens without a command)
    Serve,
    /// Play a replay again, or everything in the store, and say what differs
    Verify {
        /// A replay as `GET /v1/games/{id}/replay` answers it; without one, the store in the data folder
        replay: Option<PathBuf>,
    },
    /// Write everything but the signing keys to a file, as JSON lines
    Export {
        /// The file to write; `-` for standard output
        file: PathBuf,
    },
    /// Read an export into an empty store
    Import {
        /// The file to read; `-` for standard input
        file: PathBuf,
    },
    /// Give back the disk space that old versions of the data take. The server must be stopped
    Compact,
    /// Play many games of a kind and print their figures: length, winners, scores
    Simulate(Simulation),
    /// Print the API's description
    Schema {
        #[arg(value_enum)]
        face: Face,
    },
}

/// Which games to play.
#[derive(Clone, Debug, clap::Args)]
pub struct Simulation {
    /// The kind, as `/v1/kinds` calls it: `TOY_RUSH`
    pub kind: String,
    /// How many games
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// How many seats; the fewest that the kind allows unless said otherwise
    #[arg(long)]
    pub seats: Option<u8>,
    /// How everybody plays
    #[arg(long, value_enum, default_value_t = Players::Random)]
    pub players: Players,
    /// Where all chance comes from, as 64 hexadecimal digits; the same seed gives the same figures
    #[arg(long)]
    pub seed: Option<Seed>,
}

/// Which description to print.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Face {
    /// OpenAPI 3.1, as served at /openapi.json
    Openapi,
}

impl Settings {
    pub fn store(&self) -> sled::Settings {
        sled::Settings {
            cache_capacity: self.cache_mib.saturating_mul(1 << 20),
            queue_capacity: self.queue,
            ..sled::Settings::default()
        }
    }

    /// The store's own folder within the data.
    pub fn store_folder(&self) -> PathBuf {
        self.data.join("store")
    }

    pub fn tokens(&self) -> auth::Settings {
        auth::Settings {
            issuer: self.issuer.clone(),
            audience: self.audience.clone(),
            lifetime: Duration::from_secs(self.token_seconds),
        }
    }
}
