//! Every setting: a flag, an environment variable, a sentence.

mod commands;

pub use commands::{CliCommand, Face, IssuersAction, KeyAction, SimulatedPlayers, Simulation};

use crate::auth::{self, IssuersError, KeyError, Keys, Secret};
use crate::edge::client_address::{Proxies, ProxyHeader};
use crate::edge::connection_limits::ConnectionLimits;
use crate::edge::cors::Origins;
use crate::edge::metrics::Metrics;
use crate::games::Caps;
use crate::graphql::guard::DocumentLimits;
use crate::graphql::{AllowList, DocumentsError};
use crate::rules::catalog::{Catalog, Offer};
use crate::store::{Observer, postgres, sled};
use crate::{app, edge, graphql};
use clap::builder::PossibleValue;
use clap::{ArgAction, Parser, ValueEnum};
use ipnet::IpNet;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::num::TryFromIntError;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Board games, refereed by the server, for any front end.
#[derive(Debug, Parser)]
#[command(version, after_help = "Alone, or with `serve`, it starts the server.")]
pub struct Cli {
    #[command(flatten)]
    pub settings: Settings,
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// What can be set.
#[derive(Clone, Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Settings {
    /// Where to listen
    #[arg(long, env = "LUDOTHEQUE_LISTEN", default_value = "127.0.0.1:8080", global = true)]
    pub listen: SocketAddr,

    /// Where to listen for what is the operator's: /metrics and the like. It can be reached nowhere else then; without it,
    /// they are served with the rest
    #[arg(long, env = "LUDOTHEQUE_ADMIN_LISTEN", global = true)]
    pub admin_listen: Option<SocketAddr>,

    /// Connections served at a time; more wait to be accepted
    #[arg(long, env = "LUDOTHEQUE_MAX_CONNECTIONS", default_value_t = 20_000, global = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,

    /// Connections that one address may have at a time; 0 for as many as it likes. Proxies that are trusted may have any
    /// number
    #[arg(long, env = "LUDOTHEQUE_ADDRESS_CONNECTIONS", default_value_t = 1_000, global = true)]
    pub address_connections: u32,

    /// Networks of proxies, with commas between: whose word on a caller's address is taken. `10.0.0.0/8,fd00::/8`
    #[arg(long, env = "LUDOTHEQUE_TRUSTED_PROXIES", global = true, value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,

    /// The header in which those proxies tell it
    #[arg(long, env = "LUDOTHEQUE_PROXY_HEADER", default_value = "x-forwarded-for", global = true)]
    pub proxy_header: ProxyHeader,

    /// Units of work per second that one player may ask for; twice as many at once. An ordinary read costs 1, a move 3;
    /// docs/limits.md has all prices. 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_PLAYER_RATE", default_value_t = 50, global = true)]
    pub player_rate: u32,

    /// Units of work per second that one address may ask for; twice as many at once. 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_ADDRESS_RATE", default_value_t = 500, global = true)]
    pub address_rate: u32,

    /// Players, guests included, that may be made from one address in an hour; 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_ADDRESS_PLAYERS_PER_HOUR", default_value_t = 200, global = true)]
    pub address_players_per_hour: u32,

    /// Games that may be made from one address in an hour; 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_ADDRESS_GAMES_PER_HOUR", default_value_t = 600, global = true)]
    pub address_games_per_hour: u32,

    /// Lobbies that one player may host at a time; 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_PLAYER_LOBBIES", default_value_t = 10, global = true)]
    pub player_lobbies: u32,

    /// Games that are not over that one player may be in; 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_PLAYER_GAMES", default_value_t = 200, global = true)]
    pub player_games: u32,

    /// Origins of front ends that browsers let call, with commas between: `https://play.example.org`. `*` for any,
    /// nothing for none
    #[arg(long, env = "LUDOTHEQUE_CORS_ORIGINS", default_value = "*", global = true, value_delimiter = ',')]
    pub cors_origins: Vec<String>,

    /// Whether GraphQL tells its schema to whoever asks
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_INTROSPECTION", default_value_t = true, global = true,
          action = ArgAction::Set)]
    pub graphql_introspection: bool,

    /// Whether GraphQL answers a misspelt name with those that there are
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_SUGGESTIONS", default_value_t = true, global = true, action = ArgAction::Set)]
    pub graphql_suggestions: bool,

    /// The only GraphQL documents that are carried out: a JSON file of documents by their SHA-256, or a folder of files
    /// that end in .graphql. Any, if not set
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_DOCUMENTS", global = true)]
    pub graphql_documents: Option<PathBuf>,

    /// Bytes that a GraphQL document may have
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_DOCUMENT_BYTES", default_value_t = 32 * 1024, global = true)]
    pub graphql_document_bytes: usize,

    /// Fields and fragments that a GraphQL document, or a batch of them, may have once all fragments are expanded
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_NODES", default_value_t = 2_000, global = true)]
    pub graphql_nodes: usize,

    /// How deep a GraphQL document may go
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_DEPTH", default_value_t = 24, global = true,
          value_parser = clap::value_parser!(u8).range(1..=64))]
    pub graphql_depth: u8,

    /// Aliases that a GraphQL document may have
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_ALIASES", default_value_t = 100, global = true)]
    pub graphql_aliases: usize,

    /// What a GraphQL document may cost: a field costs 1, a list as much as all its items
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_COMPLEXITY", default_value_t = 5_000, global = true)]
    pub graphql_complexity: usize,

    /// Requests that a GraphQL batch may have; 0 for no batches
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_BATCH", default_value_t = 10, global = true)]
    pub graphql_batch: usize,

    /// GraphQL operations that may go on at a time on one WebSocket
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_OPERATIONS", default_value_t = 100, global = true)]
    pub graphql_operations: usize,

    /// Kinds of which new games can be made, with commas between. All, if not set; games that run already go on
    #[arg(long, env = "LUDOTHEQUE_KINDS", global = true, value_delimiter = ',')]
    pub kinds: Vec<String>,

    /// The folder everything is kept in: games, players and signing keys. On a local disk
    #[arg(long, env = "LUDOTHEQUE_DATA", default_value = "data", global = true)]
    pub data: PathBuf,

    /// A PostgreSQL database to keep games, players and signing keys in, instead of the data folder, so that several nodes
    /// can share them: `postgres://user:password@db.example.org/name?sslmode=require`; of several hosts, with commas
    /// between, the one that can be written to
    #[arg(long, env = "LUDOTHEQUE_STORE", hide_env_values = true, global = true, value_name = "URL",
          value_parser = database)]
    pub store: Option<Secret>,

    /// Connections to that database, but for one more that listens
    #[arg(long, env = "LUDOTHEQUE_STORE_CONNECTIONS", default_value_t = 16, global = true,
          value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub store_connections: u32,

    /// How long that database may take to answer, in seconds, before requests are refused with 503
    #[arg(long, env = "LUDOTHEQUE_STORE_TIMEOUT_SECONDS", default_value_t = 5, global = true,
          value_parser = clap::value_parser!(u64).range(1..=60))]
    pub store_timeout_seconds: u64,

    /// Leave that database's tables as they are: they are brought up to date by `ludotheque migrate` alone
    #[arg(long, env = "LUDOTHEQUE_NO_MIGRATE", global = true)]
    pub no_migrate: bool,

    /// Memory for the store's pages, in MiB
    #[arg(long, env = "LUDOTHEQUE_CACHE_MIB", default_value_t = 64, global = true)]
    pub cache_mib: u64,

    /// Writes that may wait for the disk, or the database, before further ones are refused with 503
    #[arg(long, env = "LUDOTHEQUE_QUEUE", default_value_t = 4096, global = true)]
    pub queue: usize,

    /// Days that games are kept after they are over; 0 for ever
    #[arg(long, env = "LUDOTHEQUE_KEEP_FINISHED_DAYS", default_value_t = 0, global = true)]
    pub keep_finished_days: u32,

    /// Days to keep lobbies that were abandoned before they became a game; 0 keeps them for ever
    #[arg(long, env = "LUDOTHEQUE_KEEP_ABANDONED_LOBBIES_DAYS", default_value_t = 7, global = true)]
    pub keep_abandoned_lobbies_days: u32,

    /// Days to keep guests who are members of no game; 0 keeps them for ever
    #[arg(long, env = "LUDOTHEQUE_KEEP_IDLE_GUESTS_DAYS", default_value_t = 7, global = true)]
    pub keep_idle_guests_days: u32,

    /// Free space on the disk, in MiB, below which the server refuses to write, with 503; 0 to write as long as it goes
    #[arg(long, env = "LUDOTHEQUE_MIN_FREE_MIB", default_value_t = 64, global = true)]
    pub min_free_mib: u64,

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

    /// Days that a refresh token is good for when it is not used; each use gives a new one, which is good for as long
    #[arg(long, env = "LUDOTHEQUE_REFRESH_TOKEN_DAYS", default_value_t = 30, global = true,
          value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub refresh_token_days: u32,

    /// Keys to sign access tokens with, instead of those in the data folder: Ed25519 in PKCS#8 form, each as base64 or as
    /// the path of a file that only the owner can read. The first signs, all verify
    #[arg(long, env = "LUDOTHEQUE_SIGNING_KEY", value_delimiter = ',', hide_env_values = true, global = true,
          value_parser = secret)]
    pub signing_key: Vec<Secret>,

    /// A JSON file that lists other issuers whose tokens are believed: `issuer`, `audience`, `algorithms`, and `jwksUrl`
    /// or `jwksFile`; `ludotheque issuers check` says what it makes of a token
    #[arg(long, env = "LUDOTHEQUE_ISSUERS", global = true)]
    pub issuers: Option<PathBuf>,

    /// For test automation, never for players: takes seeds, moves the clock of games, loads replays, and believes tokens
    /// made by `ludotheque token`
    #[arg(long, env = "LUDOTHEQUE_DEV", global = true)]
    pub dev: bool,

    /// What to log: `error`, `warn`, `info`, `debug`, or a filter such as `info,ludotheque=debug`. Libraries log no more
    /// than `info`, because some of them print what passes through them
    #[arg(long, env = "LUDOTHEQUE_LOG", default_value = "info", global = true)]
    pub log: String,

    /// How to log
    #[arg(long, env = "LUDOTHEQUE_LOG_FORMAT", default_value = "human", global = true)]
    pub log_format: LogFormat,

    /// Where to send traces, by OTLP over plain HTTP: `http://127.0.0.1:4318/v1/traces`
    #[cfg(feature = "otlp")]
    #[arg(long, env = "LUDOTHEQUE_OTLP_ENDPOINT", global = true)]
    pub otlp_endpoint: Option<String>,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people
    Human,
    /// JSON, one object a line
    Json,
}

impl Settings {
    pub fn store(&self) -> sled::Settings {
        sled::Settings {
            cache_capacity: self.cache_mib.saturating_mul(1 << 20),
            queue_capacity: self.queue,
            ..sled::Settings::default()
        }
    }

    /// How many bytes are to stay free on the disk.
    pub fn least_free(&self) -> u64 {
        self.min_free_mib.saturating_mul(1 << 20)
    }

    /// The database, if it is to be kept in one.
    pub fn database(&self, observer: Observer) -> Option<postgres::Settings> {
        let url = self.store.as_ref()?.expose();
        Some(postgres::Settings {
            connections: usize::try_from(self.store_connections).unwrap_or(usize::MAX),
            timeout: Duration::from_secs(self.store_timeout_seconds),
            queue_capacity: self.queue,
            observer,
            ..postgres::Settings::new(url)
        })
    }

    /// Where a running server takes the calls of its operator, from this machine and this user only.
    pub fn admin_socket(&self) -> PathBuf {
        self.data.join("admin.sock")
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
            refresh_lifetime: Duration::from_hours(24 * u64::from(self.refresh_token_days)),
            dev: self.dev,
            issuers: issuers.unwrap_or_default(),
        })
    }

    /// The signing keys: those that are given, or else those in the data folder.
    pub fn keys(&self) -> Result<Keys, KeyError> {
        if self.signing_key.is_empty() { Keys::open(&self.data) } else { Keys::given(&self.signing_key) }
    }

    /// Everything about the service, but where it listens and what it keeps.
    pub fn app(&self, catalog: Catalog, metrics: Arc<Metrics>) -> Result<app::Settings, String> {
        Ok(app::Settings {
            tokens: self.tokens().map_err(|error| error.to_string())?,
            edge: edge::Settings {
                player_rate: self.player_rate,
                address_rate: self.address_rate,
                proxies: Proxies { networks: self.trusted_proxies.clone(), header: self.proxy_header },
                origins: Origins::read(&self.cors_origins)?,
                admin_apart: self.admin_listen.is_some(),
                metrics,
            },
            graphql: self.graphql().map_err(|error| error.to_string())?,
            offer: self.offer(catalog)?,
            caps: Caps {
                hosted_lobbies: self.player_lobbies,
                open_games: self.player_games,
                created_per_hour: self.address_games_per_hour,
            },
            registrations_per_hour: self.address_players_per_hour,
            keep_over: days(self.keep_finished_days),
            keep_abandoned_lobbies: days(self.keep_abandoned_lobbies_days),
            keep_idle_guests: days(self.keep_idle_guests_days),
            notifier: None,
        })
    }

    fn offer(&self, catalog: Catalog) -> Result<Offer, String> {
        let kinds = self.kinds.iter().map(|name| kind(catalog, name)).collect::<Result<Vec<_>, _>>()?;
        let offer = Offer::from(catalog);
        Ok(if kinds.is_empty() { offer } else { offer.only(kinds) })
    }

    /// How many connections there may be.
    pub fn room(&self) -> Result<ConnectionLimits, TryFromIntError> {
        let (connections, of_one_address) = (self.max_connections.try_into()?, self.address_connections.try_into()?);
        Ok(ConnectionLimits { connections, of_one_address })
    }

    fn graphql(&self) -> Result<graphql::Settings, DocumentsError> {
        Ok(graphql::Settings {
            introspection: self.graphql_introspection,
            suggestions: self.graphql_suggestions,
            limits: DocumentLimits {
                bytes: self.graphql_document_bytes,
                nodes: self.graphql_nodes,
                depth: self.graphql_depth.into(),
                aliases: self.graphql_aliases,
                ..DocumentLimits::default()
            },
            complexity: self.graphql_complexity,
            batch: self.graphql_batch,
            operations: self.graphql_operations,
            documents: self.graphql_documents.as_deref().map(AllowList::read).transpose()?,
            ..graphql::Settings::default()
        })
    }

    /// The store of a server: told of every commit, and not written to the disk's last byte.
    pub fn served_store(&self, metrics: Arc<Metrics>) -> sled::Settings {
        sled::Settings { min_free_bytes: self.least_free(), observer: observer(metrics), ..self.store() }
    }
}

/// How long something is kept; for ever, if it is 0 days.
fn days(days: u32) -> Option<Duration> {
    (days > 0).then(|| Duration::from_hours(24 * u64::from(days)))
}

/// Counts every commit.
pub fn observer(metrics: Arc<Metrics>) -> Observer {
    Observer::new(move |commit| metrics.count_commit(commit.writes, commit.flush))
}

impl ValueEnum for ProxyHeader {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::XForwardedFor, Self::Forwarded]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::XForwardedFor => PossibleValue::new("x-forwarded-for").help("What most of them write"),
            Self::Forwarded => PossibleValue::new("forwarded").help("RFC 7239"),
        })
    }
}

/// A network, or one address.
fn network(text: &str) -> Result<IpNet, String> {
    let address = |_| text.trim().parse::<IpAddr>().map(IpNet::from);
    text.trim().parse().or_else(address).map_err(|_| "write it as 10.0.0.0/8 or 192.0.2.1".to_owned())
}

/// A kind that there is.
pub fn kind(catalog: Catalog, text: &str) -> Result<&'static str, String> {
    let known = || catalog.names().collect::<Vec<_>>().join(", ");
    catalog.newest(text.trim()).map(|rules| rules.info().kind).ok_or_else(|| format!("there is {}", known()))
}

/// The address of a database. It may hold a password, so it is kept like one.
fn database(text: &str) -> Result<Secret, String> {
    let known = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    if known {
        Ok(Secret::new(text))
    } else {
        Err("write it as postgres://user:password@db.example.org/name".to_owned())
    }
}

#[allow(clippy::unnecessary_wraps, reason = "what clap asks for")]
fn secret(text: &str) -> Result<Secret, Infallible> {
    Ok(Secret::new(text))
}
