//! Every setting: a flag, an environment variable, a sentence.

use crate::auth::{self, IssuersError, KeyError, Keys, Secret};
use crate::ids::PlayerId;
use crate::store::sled;
use clap::{Parser, Subcommand};
use std::convert::Infallible;
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

    /// Keys to sign access tokens with, instead of those in the data folder: Ed25519 in PKCS#8 form, each as base64 or as
    /// the path of a file that only the owner can read. The first signs, all verify
    #[arg(long, env = "LUDOTHEQUE_SIGNING_KEY", value_delimiter = ',', hide_env_values = true, global = true,
          value_parser = secret)]
    pub signing_key: Vec<Secret>,

    /// A JSON file that lists other issuers whose tokens are believed: `issuer`, `audience`, `algorithms`, and `jwksUrl`
    /// or `jwksFile`
    #[arg(long, env = "LUDOTHEQUE_ISSUERS", global = true)]
    pub issuers: Option<PathBuf>,

    /// For test automation, never for players: believe tokens made by `ludotheque token`
    #[arg(long, env = "LUDOTHEQUE_DEV", global = true)]
    pub dev: bool,

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
    /// Look after the keys that access tokens are signed with; a running server notices within seconds
    Keys {
        #[command(subcommand)]
        action: KeyAction,
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
    /// Print the API's description
    Schema {
        #[arg(value_enum)]
        face: Face,
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

    pub fn tokens(&self) -> Result<auth::Settings, IssuersError> {
        let issuers = self.issuers.as_deref().map(|file| auth::read_issuers(file, &self.issuer)).transpose()?;
        Ok(auth::Settings {
            issuer: self.issuer.clone(),
            audience: self.audience.clone(),
            lifetime: Duration::from_secs(self.token_seconds),
            dev: self.dev,
            issuers: issuers.unwrap_or_default(),
        })
    }

    /// The signing keys: those that are given, or else those in the data folder.
    pub fn keys(&self) -> Result<Keys, KeyError> {
        if self.signing_key.is_empty() { Keys::open(&self.data) } else { Keys::given(&self.signing_key) }
    }
}

#[allow(clippy::unnecessary_wraps, reason = "what clap asks for")]
fn secret(text: &str) -> Result<Secret, Infallible> {
    Ok(Secret::new(text))
}
