//! Prometheus metrics. Label values come from known lists (routes, methods, statuses, kinds, codes) and never from what
//! a client sends, so the number of series is bounded.

use super::log::UNMATCHED;
use crate::codes::Code;
use crate::games::ports::Usage;
use axum::extract::{MatchedPath, Request};
use axum::http::StatusCode;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

/// Media type of [`Metrics::render`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Every method that has a route, and the label of all others.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OTHER"];

/// Bound of the cache of counters, in pairs of route and method; there are fewer than half as many.
const MAX_CACHED_ROUTES: usize = 1024;

/// The service's counters.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    latency: Family<RouteLabels, Histogram>,
    /// Cache of `requests` and `latency` by the address of the route in memory: a lookup by labels allocates a string
    /// and hashes it twice for every request.
    cached: RwLock<HashMap<(usize, usize), RouteCounters>>,
    moves: Family<MoveLabels, Counter>,
    commit_writes: Histogram,
    commit_flush: Histogram,
    operations: Family<OperationLabels, Counter>,
    swept: Family<SweptLabels, Counter>,
    streams: Gauge,
    sockets: Gauge,
    store_bytes: Gauge,
    store_live: Gauge<f64, AtomicU64>,
    disk_free: Gauge,
    connections: Gauge,
    connections_idle: Gauge,
    clock_ahead: Gauge<f64, AtomicU64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    method: &'static str,
    route: String,
}

/// The counters of one route and method.
struct RouteCounters {
    /// Keeps the route's address in memory valid.
    _path: Option<MatchedPath>,
    latency: Option<Histogram>,
    /// By status.
    requests: Vec<(StatusCode, Counter)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct MoveLabels {
    kind: &'static str,
    outcome: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabels {
    sort: &'static str,
    transport: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SweptLabels {
    what: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("ludotheque"),
            requests: Family::default(),
            // From 0.25 ms to 8 s.
            latency: Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.00025, 2.0, 16))),
            cached: RwLock::default(),
            moves: Family::default(),
            commit_writes: Histogram::new(exponential_buckets(1.0, 2.0, 9)),
            commit_flush: Histogram::new(exponential_buckets(0.0001, 2.0, 16)),
            operations: Family::default(),
            swept: Family::default(),
            streams: Gauge::default(),
            sockets: Gauge::default(),
            store_bytes: Gauge::default(),
            store_live: Gauge::default(),
            disk_free: Gauge::default(),
            connections: Gauge::default(),
            connections_idle: Gauge::default(),
            clock_ahead: Gauge::default(),
        };
        metrics.register();
        metrics
    }
}

impl Metrics {
    fn register(&mut self) {
        let Self { registry, .. } = self;
        registry.register("requests", "Requests answered", self.requests.clone());
        let until = "Time until the response started";
        registry.register_with_unit("request_duration", until, Unit::Seconds, self.latency.clone());
        let moves = "Moves sent, by kind and outcome: ACCEPTED, or the code of the refusal";
        registry.register("moves", moves, self.moves.clone());
        registry.register("commit_writes", "Writes per commit", self.commit_writes.clone());
        let flush = "Time to make a commit durable";
        registry.register_with_unit("commit_flush", flush, Unit::Seconds, self.commit_flush.clone());
        let operations = "GraphQL operations executed, by sort (query, mutation, subscription) and transport";
        registry.register("graphql_operations", operations, self.operations.clone());
        let swept = "Rows removed by housekeeping: games, lobbies, guests, commands, sign-ins, revocations";
        registry.register("swept", swept, self.swept.clone());
        registry.register("streams", "Open live streams", self.streams.clone());
        registry.register("sockets", "Open WebSockets", self.sockets.clone());
        registry.register_with_unit("store_size", "Size of the store on disk", Unit::Bytes, self.store_bytes.clone());
        let live = "Share of the store that is live data, from 0 to 1; `ludotheque compact` frees the rest";
        registry.register("store_live_ratio", live, self.store_live.clone());
        let free = "Free space on the store's disk";
        registry.register_with_unit("disk_free", free, Unit::Bytes, self.disk_free.clone());
        let open = "Connections to the shared database";
        registry.register("store_connections", open, self.connections.clone());
        let idle = "Idle connections to the shared database; if 0 for long, increase --store-connections";
        registry.register("store_connections_idle", idle, self.connections_idle.clone());
        let ahead = "How far this node's clock is ahead of the shared database's; negative if behind";
        registry.register_with_unit("clock_ahead", ahead, Unit::Seconds, self.clock_ahead.clone());
        let started: Gauge<f64, AtomicU64> = Gauge::default();
        started.set(jiff::Timestamp::now().as_duration().as_secs_f64());
        registry.register_with_unit("start_time", "When the process started", Unit::Seconds, started);
        registry.register("build", "Version of the program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
    }

    /// Counts an answered request.
    pub fn count_request(&self, info: RequestInfo, status: StatusCode, took: Duration) {
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
        let counted = cached.get(&info.key()).is_some_and(|counters| counters.count(status, took));
        drop(cached);
        if !counted {
            self.count_by_labels(info, status, took);
        }
    }

    /// Counts the first request of a route with this status, and caches its counters.
    fn count_by_labels(&self, info: RequestInfo, status: StatusCode, took: Duration) {
        let (key, method, route) = (info.key(), METHODS[info.method], info.route().to_owned());
        let labels = RouteLabels { method, route: route.clone() };
        // Unmatched requests do no work, so their latency says nothing.
        let latency = (route != UNMATCHED).then(|| self.latency.get_or_create_owned(&labels));
        let requests = self.requests.get_or_create_owned(&RequestLabels { method, route, status: status.as_u16() });
        let first = RouteCounters { _path: info.path, latency, requests: vec![(status, requests.clone())] };
        first.count(status, took);
        let mut cached = self.cached.write().unwrap_or_else(PoisonError::into_inner);
        let has_room = cached.len() < MAX_CACHED_ROUTES;
        match cached.get_mut(&key) {
            Some(known) if !known.has(status) => known.requests.push((status, requests)),
            None if has_room => {
                cached.insert(key, first);
            }
            _ => {}
        }
    }

    /// Counts a move: its kind, if the game was found, and the code of its refusal, if it was refused.
    pub fn count_move(&self, kind: Option<&'static str>, refused: Option<Code>) {
        let outcome = refused.map_or_else(|| "ACCEPTED".to_owned(), Code::name);
        self.moves.get_or_create(&MoveLabels { kind: kind.unwrap_or("UNKNOWN"), outcome }).inc();
    }

    /// Counts a commit.
    pub fn count_commit(&self, writes: usize, flush: Duration) {
        self.commit_writes.observe(f64::from(u32::try_from(writes).unwrap_or(u32::MAX)));
        self.commit_flush.observe(flush.as_secs_f64());
    }

    /// Counts a GraphQL operation. `sort` is `query`, `mutation` or `subscription`.
    pub fn count_operation(&self, sort: &'static str, transport: &'static str) {
        self.operations.get_or_create(&OperationLabels { sort, transport }).inc();
    }

    /// Counts rows that housekeeping removed.
    pub fn count_swept(&self, what: &'static str, rows: usize) {
        self.swept.get_or_create(&SweptLabels { what }).inc_by(rows as u64);
    }

    /// Counts an open stream until the guard is dropped.
    pub fn count_stream(&self) -> GaugeGuard {
        GaugeGuard::new(&self.streams)
    }

    /// Counts an open WebSocket until the guard is dropped.
    pub fn count_socket(&self) -> GaugeGuard {
        GaugeGuard::new(&self.sockets)
    }

    /// How far this node's clock is ahead of the shared store's, in milliseconds.
    pub fn note_clock(&self, ahead: i64) {
        let seconds = Duration::from_millis(ahead.unsigned_abs()).as_secs_f64();
        self.clock_ahead.set(if ahead < 0 { -seconds } else { seconds });
    }

    /// All metrics in the OpenMetrics text format.
    pub fn render(&self, usage: Usage) -> Result<String, fmt::Error> {
        for (gauge, bytes) in [(&self.store_bytes, usage.bytes), (&self.disk_free, usage.free)] {
            if let Some(bytes) = bytes {
                gauge.set(i64::try_from(bytes).unwrap_or(i64::MAX));
            }
        }
        if let Some((open, idle)) = usage.connections {
            self.connections.set(i64::try_from(open).unwrap_or(i64::MAX));
            self.connections_idle.set(i64::try_from(idle).unwrap_or(i64::MAX));
        }
        if let Some(live) = usage.live {
            self.store_live.set(live);
        }
        let mut page = String::new();
        text::encode(&mut page, &self.registry)?;
        Ok(page)
    }
}

/// Counted in a gauge until dropped.
pub struct GaugeGuard(Gauge);

impl GaugeGuard {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl RouteCounters {
    /// Counts a request; false if it is the first with this status.
    fn count(&self, status: StatusCode, took: Duration) -> bool {
        let Some((_, requests)) = self.requests.iter().find(|(known, _)| *known == status) else { return false };
        requests.inc();
        if let Some(latency) = &self.latency {
            latency.observe(took.as_secs_f64());
        }
        true
    }

    fn has(&self, status: StatusCode) -> bool {
        self.requests.iter().any(|(known, _)| *known == status)
    }
}

/// The labels of a request, kept until it is answered.
pub struct RequestInfo {
    /// Index in [`METHODS`].
    method: usize,
    /// `None` if no route matched.
    path: Option<MatchedPath>,
}

impl RequestInfo {
    pub fn of(request: &Request) -> Self {
        let method = METHODS.iter().position(|method| *method == request.method().as_str());
        let method = method.unwrap_or(METHODS.len() - 1);
        Self { method, path: request.extensions().get().cloned() }
    }

    fn route(&self) -> &str {
        self.path.as_ref().map_or(UNMATCHED, MatchedPath::as_str)
    }

    /// The address of the route in memory, and the method.
    fn key(&self) -> (usize, usize) {
        (self.path.as_ref().map_or(0, |path| path.as_str().as_ptr().addr()), self.method)
    }
}
