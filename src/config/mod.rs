//! Settings of the server, as command-line flags and environment variables, and the commands.

mod commands;

pub use commands::{ApiDescription, CliCommand, IssuersAction, KeyAction, Simulation};

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
use std::num::{NonZero, TryFromIntError};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

/// Board games, refereed by the server, for any front end.
#[derive(Debug, Parser)]
#[command(version, after_help = "Without a command, it starts the server.")]
pub struct Cli {
    #[command(flatten)]
    pub settings: Settings,
    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// The settings.
#[derive(Clone, Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Settings {
    /// Address and port to listen on, for the API and the web pages
    #[arg(long, env = "LUDOTHEQUE_LISTEN", default_value = "127.0.0.1:8080", global = true)]
    pub listen: SocketAddr,

    /// Separate address for operator endpoints such as /metrics. If unset, they are served on --listen
    #[arg(long, env = "LUDOTHEQUE_ADMIN_LISTEN", global = true)]
    pub admin_listen: Option<SocketAddr>,

    /// Connections served at a time; more wait to be accepted
    #[arg(long, env = "LUDOTHEQUE_MAX_CONNECTIONS", default_value_t = 20_000, global = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,

    /// Connections of one address at a time; more are closed. 0 disables the limit. It does not apply to trusted
    /// proxies
    #[arg(long, env = "LUDOTHEQUE_ADDRESS_CONNECTIONS", default_value_t = 1_000, global = true)]
    pub address_connections: u32,

    /// Networks of reverse proxies whose proxy header is trusted, comma-separated: `10.0.0.0/8,fd00::/8`
    #[arg(long, env = "LUDOTHEQUE_TRUSTED_PROXIES", global = true, value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,

    /// The header in which trusted proxies (--trusted-proxies) pass the client's address
    #[arg(long, env = "LUDOTHEQUE_PROXY_HEADER", default_value = "x-forwarded-for", global = true)]
    pub proxy_header: ProxyHeader,

    /// Token bucket of a player: refilled with this many units of work per second, and holds twice as many. An ordinary
    /// read costs 1, a move 3; docs/limits.md lists all prices. 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_PLAYER_RATE", default_value_t = 50, global = true)]
    pub player_rate: u32,

    /// Token bucket of an IP address (an IPv6 /64 counts as one): refilled with this many units of work per second, and
    /// holds twice as many. 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_ADDRESS_RATE", default_value_t = 500, global = true)]
    pub address_rate: u32,

    /// Players, guests included, that one address may create per hour; 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_ADDRESS_PLAYERS_PER_HOUR", default_value_t = 200, global = true)]
    pub address_players_per_hour: u32,

    /// Games that one address may create per hour; 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_ADDRESS_GAMES_PER_HOUR", default_value_t = 600, global = true)]
    pub address_games_per_hour: u32,

    /// Lobbies that one player may host at a time; 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_PLAYER_LOBBIES", default_value_t = 10, global = true)]
    pub player_lobbies: u32,

    /// Unfinished games that one player may be in; 0 disables the limit
    #[arg(long, env = "LUDOTHEQUE_PLAYER_GAMES", default_value_t = 200, global = true)]
    pub player_games: u32,

    /// Origins whose pages may call the API from a browser, comma-separated: `https://play.example.org`. `*` for any,
    /// empty for none
    #[arg(long, env = "LUDOTHEQUE_CORS_ORIGINS", default_value = "*", global = true, value_delimiter = ',')]
    pub cors_origins: Vec<String>,

    /// Whether clients may query the GraphQL schema
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_INTROSPECTION", default_value_t = true, global = true,
          action = ArgAction::Set)]
    pub graphql_introspection: bool,

    /// Whether GraphQL errors about misspelt names suggest existing ones
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_SUGGESTIONS", default_value_t = true, global = true, action = ArgAction::Set)]
    pub graphql_suggestions: bool,

    /// Allow-list of GraphQL documents: a JSON file that maps SHA-256 to document, or a folder of .graphql files. All
    /// others are refused. If unset, any document is allowed
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_DOCUMENTS", global = true)]
    pub graphql_documents: Option<PathBuf>,

    /// Maximum length of a GraphQL document, in bytes
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_DOCUMENT_BYTES", default_value_t = 32 * 1024, global = true)]
    pub graphql_document_bytes: usize,

    /// Maximum number of fields and fragments in a GraphQL document, or in a whole batch, after all fragments are
    /// expanded
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_NODES", default_value_t = 2_000, global = true)]
    pub graphql_nodes: usize,

    /// Maximum depth of nested selections in a GraphQL document
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_DEPTH", default_value_t = 24, global = true,
          value_parser = clap::value_parser!(u8).range(1..=64))]
    pub graphql_depth: u8,

    /// Maximum number of aliases in a GraphQL document
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_ALIASES", default_value_t = 100, global = true)]
    pub graphql_aliases: usize,

    /// Maximum complexity of a GraphQL document: the number of its fields, where a field in a list counts once per item
    /// that the list may have
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_COMPLEXITY", default_value_t = 5_000, global = true)]
    pub graphql_complexity: usize,

    /// Maximum number of requests in a GraphQL batch; 0 refuses batches
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_BATCH", default_value_t = 10, global = true)]
    pub graphql_batch: usize,

    /// Maximum number of concurrent GraphQL operations on one WebSocket
    #[arg(long, env = "LUDOTHEQUE_GRAPHQL_OPERATIONS", default_value_t = 100, global = true)]
    pub graphql_operations: usize,

    /// Kinds of which new games may be created, comma-separated. All if unset; existing games of other kinds go on
    #[arg(long, env = "LUDOTHEQUE_KINDS", global = true, value_delimiter = ',')]
    pub kinds: Vec<String>,

    /// Threads that compute the moves of bots; 0 means that there are no bots. One less than the processors if unset, but
    /// at least one
    #[arg(long, env = "LUDOTHEQUE_BOT_THREADS", global = true)]
    pub bot_threads: Option<usize>,

    /// Data folder: games, players and signing keys. Use a local disk
    #[arg(long, env = "LUDOTHEQUE_DATA", default_value = "data", global = true)]
    pub data: PathBuf,

    /// URL of a PostgreSQL database that is used instead of the data folder, so that several nodes can share it:
    /// `postgres://user:password@db.example.org/name?sslmode=require`. Of several comma-separated hosts, the writable
    /// one is used
    #[arg(long, env = "LUDOTHEQUE_STORE", hide_env_values = true, global = true, value_name = "URL",
          value_parser = database)]
    pub store: Option<Secret>,

    /// Size of the connection pool of the database; one more connection listens for notifications
    #[arg(long, env = "LUDOTHEQUE_STORE_CONNECTIONS", default_value_t = 16, global = true,
          value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub store_connections: u32,

    /// How long the database may take to answer, in seconds, before a request is refused with 503
    #[arg(long, env = "LUDOTHEQUE_STORE_TIMEOUT_SECONDS", default_value_t = 5, global = true,
          value_parser = clap::value_parser!(u64).range(1..=60))]
    pub store_timeout_seconds: u64,

    /// Do not migrate the database at start; `ludotheque migrate` does it
    #[arg(long, env = "LUDOTHEQUE_NO_MIGRATE", global = true)]
    pub no_migrate: bool,

    /// Page cache of the embedded store, in MiB
    #[arg(long, env = "LUDOTHEQUE_CACHE_MIB", default_value_t = 64, global = true)]
    pub cache_mib: u64,

    /// Writes that may wait for the disk or the database; further ones are refused with 503
    #[arg(long, env = "LUDOTHEQUE_QUEUE", default_value_t = 4096, global = true)]
    pub queue: usize,

    /// Days after their end, finished or abandoned, when games are removed, replays included; 0 keeps them for ever
    #[arg(long, env = "LUDOTHEQUE_KEEP_FINISHED_DAYS", default_value_t = 0, global = true)]
    pub keep_finished_days: u32,

    /// Days after which abandoned lobbies are removed (a lobby is abandoned after 24 idle hours); 0 keeps them for ever
    #[arg(long, env = "LUDOTHEQUE_KEEP_ABANDONED_LOBBIES_DAYS", default_value_t = 7, global = true)]
    pub keep_abandoned_lobbies_days: u32,

    /// Days after their registration when guests are removed if they are members of no game; 0 keeps them for ever
    #[arg(long, env = "LUDOTHEQUE_KEEP_IDLE_GUESTS_DAYS", default_value_t = 7, global = true)]
    pub keep_idle_guests_days: u32,

    /// Free disk space, in MiB, below which writes are refused with 503; 0 disables the check
    #[arg(long, env = "LUDOTHEQUE_MIN_FREE_MIB", default_value_t = 64, global = true)]
    pub min_free_mib: u64,

    /// `iss` claim of the access tokens that this server signs
    #[arg(long, env = "LUDOTHEQUE_ISSUER", default_value = "ludotheque", global = true)]
    pub issuer: String,

    /// `aud` claim of the access tokens that this server signs
    #[arg(long, env = "LUDOTHEQUE_AUDIENCE", default_value = "ludotheque", global = true)]
    pub audience: String,

    /// Lifetime of an access token, in seconds
    #[arg(long, env = "LUDOTHEQUE_TOKEN_SECONDS", default_value_t = 900, global = true,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub token_seconds: u64,

    /// Lifetime of an unused refresh token, in days; every refresh returns a new one with a full lifetime
    #[arg(long, env = "LUDOTHEQUE_REFRESH_TOKEN_DAYS", default_value_t = 30, global = true,
          value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub refresh_token_days: u32,

    /// Keys that sign access tokens, instead of those in the data folder: Ed25519 in PKCS#8 form, comma-separated, each
    /// as base64 or as the path of a file that only its owner can read. The first signs, all verify
    #[arg(long, env = "LUDOTHEQUE_SIGNING_KEY", value_delimiter = ',', hide_env_values = true, global = true,
          value_parser = secret)]
    pub signing_key: Vec<Secret>,

    /// JSON file of other token issuers to trust: `issuer`, `audience`, `algorithms`, and `jwksUrl` or `jwksFile`.
    /// `ludotheque issuers check` tests a token against it
    #[arg(long, env = "LUDOTHEQUE_ISSUERS", global = true)]
    pub issuers: Option<PathBuf>,

    /// Test automation, never for a public server: clients may set seeds, advance the clock of games, resume replays,
    /// and use the tokens of `ludotheque token`
    #[arg(long, env = "LUDOTHEQUE_DEV", global = true)]
    pub dev: bool,

    /// Log level: `error`, `warn`, `info`, `debug`, or a filter such as `info,ludotheque=debug`. Libraries never log in
    /// more detail than `info`, because some then print tokens and passwords
    #[arg(long, env = "LUDOTHEQUE_LOG", default_value = "info", global = true)]
    pub log: String,

    /// Format of the log
    #[arg(long, env = "LUDOTHEQUE_LOG_FORMAT", default_value = "human", global = true)]
    pub log_format: LogFormat,

    /// URL of an OpenTelemetry collector to send traces to, by OTLP over plain HTTP: `http://127.0.0.1:4318/v1/traces`
    #[cfg(feature = "otlp")]
    #[arg(long, env = "LUDOTHEQUE_OTLP_ENDPOINT", global = true)]
    pub otlp_endpoint: Option<String>,
}

/// Formats of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Readable lines
    Human,
    /// One JSON object per line
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

    /// Free disk space below which writes are refused.
    pub fn min_free_bytes(&self) -> u64 {
        self.min_free_mib.saturating_mul(1 << 20)
    }

    /// The database, if `--store` is set.
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

    /// The socket on which a running server accepts commands, from the same user on this machine.
    pub fn admin_socket(&self) -> PathBuf {
        self.data.join("admin.sock")
    }

    /// The folder of the embedded store.
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

    /// The signing keys: those of `--signing-key`, or else those in the data folder.
    pub fn keys(&self) -> Result<Keys, KeyError> {
        if self.signing_key.is_empty() { Keys::open(&self.data) } else { Keys::given(&self.signing_key) }
    }

    /// The settings of the service, except listeners and storage.
    pub fn app(&self, catalog: Catalog, metrics: Arc<Metrics>) -> Result<app::Settings, String> {
        Ok(app::Settings {
            tokens: self.tokens().map_err(|error| error.to_string())?,
            edge: edge::Settings {
                player_rate: self.player_rate,
                address_rate: self.address_rate,
                proxies: Proxies { networks: self.trusted_proxies.clone(), header: self.proxy_header },
                origins: Origins::read(&self.cors_origins)?,
                separate_admin: self.admin_listen.is_some(),
                metrics,
            },
            graphql: self.graphql().map_err(|error| error.to_string())?,
            offer: self.offer(catalog)?,
            caps: Caps {
                hosted_lobbies: self.player_lobbies,
                open_games: self.player_games,
                created_per_hour: self.address_games_per_hour,
            },
            bot_threads: self.bot_threads.unwrap_or_else(spare_cores),
            registrations_per_hour: self.address_players_per_hour,
            keep_finished: days(self.keep_finished_days),
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

    /// Connection limits of the public listener.
    pub fn connection_limits(&self) -> Result<ConnectionLimits, TryFromIntError> {
        let (connections, per_address) = (self.max_connections.try_into()?, self.address_connections.try_into()?);
        Ok(ConnectionLimits { connections, per_address })
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

    /// The embedded store of a server: observed by the metrics, and read-only while the disk is nearly full.
    pub fn served_store(&self, metrics: Arc<Metrics>) -> sled::Settings {
        sled::Settings { min_free_bytes: self.min_free_bytes(), observer: observer(metrics), ..self.store() }
    }
}

/// All processors but one, which stays free for requests.
fn spare_cores() -> usize {
    available_parallelism().map_or(1, |cores| NonZero::get(cores).saturating_sub(1).max(1))
}

/// A retention time; `None` keeps for ever.
fn days(days: u32) -> Option<Duration> {
    (days > 0).then(|| Duration::from_hours(24 * u64::from(days)))
}

/// Counts every commit in the metrics.
pub fn observer(metrics: Arc<Metrics>) -> Observer {
    Observer::new(move |commit| metrics.count_commit(commit.writes, commit.flush))
}

impl ValueEnum for ProxyHeader {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::XForwardedFor, Self::Forwarded]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::XForwardedFor => {
                PossibleValue::new("x-forwarded-for").help("X-Forwarded-For, which most proxies write")
            }
            Self::Forwarded => PossibleValue::new("forwarded").help("Forwarded (RFC 7239)"),
        })
    }
}

/// Parses a network, or one address.
fn network(text: &str) -> Result<IpNet, String> {
    let address = |_| text.trim().parse::<IpAddr>().map(IpNet::from);
    text.trim().parse().or_else(address).map_err(|_| "write it as 10.0.0.0/8 or 192.0.2.1".to_owned())
}

/// Parses the name of a kind in the catalogue.
pub fn kind(catalog: Catalog, text: &str) -> Result<&'static str, String> {
    let known = || catalog.names().collect::<Vec<_>>().join(", ");
    catalog.newest(text.trim()).map(|rules| rules.info().kind).ok_or_else(|| format!("the kinds are {}", known()))
}

/// Parses the URL of a database. It may contain a password, so it is a secret.
fn database(text: &str) -> Result<Secret, String> {
    let known = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    if known {
        Ok(Secret::new(text))
    } else {
        Err("write it as postgres://user:password@db.example.org/name".to_owned())
    }
}

#[allow(clippy::unnecessary_wraps, reason = "the signature that clap requires")]
fn secret(text: &str) -> Result<Secret, Infallible> {
    Ok(Secret::new(text))
}
