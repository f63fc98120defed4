//! What can be counted, for Prometheus. Labels come from short lists that we know (routes, methods, statuses, kinds,
//! codes), never from what a caller sends, so the number of series is bounded.

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

/// What [`Metrics::render`] writes.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Every method that has a route, and what all others are called.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OTHER"];

/// Routes and methods whose counters are at hand; there are not half as many.
const MOST_AT_HAND: usize = 1024;

/// The service's counters.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    latency: Family<RouteLabels, Histogram>,
    /// Those of `requests` and `latency` that were counted before, by the address of the route in memory: finding them by
    /// their labels takes a text to be made and hashed twice for every request.
    at_hand: RwLock<HashMap<(usize, usize), OfRoute>>,
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
struct OfRoute {
    /// Keeps the route where it is in memory.
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
            // From a quarter of a millisecond to 8 seconds.
            latency: Family::new_with_constructor(|| Histogram::new(exponential_buckets(0.00025, 2.0, 16))),
            at_hand: RwLock::default(),
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
        let until = "Time until an answer began";
        registry.register_with_unit("request_duration", until, Unit::Seconds, self.latency.clone());
        let moves = "Moves sent, by kind and what became of them: ACCEPTED, or the code of the refusal";
        registry.register("moves", moves, self.moves.clone());
        registry.register("commit_writes", "Writes that shared a commit", self.commit_writes.clone());
        let flush = "Time the disk took to have a commit";
        registry.register_with_unit("commit_flush", flush, Unit::Seconds, self.commit_flush.clone());
        let operations = "GraphQL operations carried out, by sort and transport";
        registry.register("graphql_operations", operations, self.operations.clone());
        let swept = "Rows that housekeeping removed, by what they were: games, lobbies, guests, commands, sign-ins, revocations";
        registry.register("swept", swept, self.swept.clone());
        registry.register("streams", "Live streams being served", self.streams.clone());
        registry.register("sockets", "WebSockets that are open", self.sockets.clone());
        registry.register_with_unit("store_size", "Size of the store on disk", Unit::Bytes, self.store_bytes.clone());
        let live = "Share of the store that is live, from 0 to 1; `ludotheque compact` gives the rest back";
        registry.register("store_live_ratio", live, self.store_live.clone());
        let free = "Free space on the store's disk";
        registry.register_with_unit("disk_free", free, Unit::Bytes, self.disk_free.clone());
        let open = "Connections to the database that nodes share";
        registry.register("store_connections", open, self.connections.clone());
        let idle = "Those of them that have nothing to do; none for long means that there are too few";
        registry.register("store_connections_idle", idle, self.connections_idle.clone());
        let ahead = "How far this node's clock is ahead of the shared database's; behind, if negative";
        registry.register_with_unit("clock_ahead", ahead, Unit::Seconds, self.clock_ahead.clone());
        let started: Gauge<f64, AtomicU64> = Gauge::default();
        started.set(jiff::Timestamp::now().as_duration().as_secs_f64());
        registry.register_with_unit("start_time", "When the process started", Unit::Seconds, started);
        registry.register("build", "The version that runs", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
    }

    /// A request was answered, after so long.
    pub fn count_request(&self, asked: RequestInfo, status: StatusCode, took: Duration) {
        let at_hand = self.at_hand.read().unwrap_or_else(PoisonError::into_inner);
        let counted = at_hand.get(&asked.key()).is_some_and(|of_route| of_route.count(status, took));
        drop(at_hand);
        if !counted {
            self.count_by_labels(asked, status, took);
        }
    }

    /// Counts a request the first time that its route is answered with this status, and has its counters at hand from then
    /// on.
    fn count_by_labels(&self, asked: RequestInfo, status: StatusCode, took: Duration) {
        let (key, method, route) = (asked.key(), METHODS[asked.method], asked.route().to_owned());
        let labels = RouteLabels { method, route: route.clone() };
        // Addresses that lead nowhere are answered at once; how fast is of no interest.
        let latency = (route != UNMATCHED).then(|| self.latency.get_or_create_owned(&labels));
        let requests = self.requests.get_or_create_owned(&RequestLabels { method, route, status: status.as_u16() });
        let first = OfRoute { _path: asked.path, latency, requests: vec![(status, requests.clone())] };
        first.count(status, took);
        let mut at_hand = self.at_hand.write().unwrap_or_else(PoisonError::into_inner);
        let has_room = at_hand.len() < MOST_AT_HAND;
        match at_hand.get_mut(&key) {
            Some(known) if !known.has(status) => known.requests.push((status, requests)),
            None if has_room => {
                at_hand.insert(key, first);
            }
            _ => {}
        }
    }

    /// A move was sent: of which kind, if the game could be found, and why it was refused, if it was.
    pub fn count_move(&self, kind: Option<&'static str>, refused: Option<Code>) {
        let outcome = refused.map_or_else(|| "ACCEPTED".to_owned(), Code::name);
        self.moves.get_or_create(&MoveLabels { kind: kind.unwrap_or("UNKNOWN"), outcome }).inc();
    }

    /// A commit carried so many writes, and the disk took so long.
    pub fn count_commit(&self, writes: usize, flush: Duration) {
        self.commit_writes.observe(f64::from(u32::try_from(writes).unwrap_or(u32::MAX)));
        self.commit_flush.observe(flush.as_secs_f64());
    }

    /// An operation was carried out: `query`, `mutation` or `subscription`, over which transport.
    pub fn count_operation(&self, sort: &'static str, transport: &'static str) {
        self.operations.get_or_create(&OperationLabels { sort, transport }).inc();
    }

    /// Housekeeping removed some rows.
    pub fn count_swept(&self, what: &'static str, rows: usize) {
        self.swept.get_or_create(&SweptLabels { what }).inc_by(rows as u64);
    }

    /// Counts a stream for as long as what it answers is kept.
    pub fn count_stream(&self) -> GaugeGuard {
        GaugeGuard::new(&self.streams)
    }

    /// Counts a WebSocket for as long as what it answers is kept.
    pub fn count_socket(&self) -> GaugeGuard {
        GaugeGuard::new(&self.sockets)
    }

    /// How far this node's clock is ahead of the shared store's, in milliseconds.
    pub fn note_clock(&self, ahead: i64) {
        self.clock_ahead.set(Duration::from_millis(ahead.unsigned_abs()).as_secs_f64().copysign(if ahead < 0 {
            -1.0
        } else {
            1.0
        }));
    }

    /// All numbers, as Prometheus reads them.
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

/// Something that is being served, until dropped.
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

impl OfRoute {
    /// Counts a request, unless it is the first with this status.
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

/// What a request asks for, to be counted once it is answered.
pub struct RequestInfo {
    /// Which of [`METHODS`].
    method: usize,
    /// None for an address that leads nowhere.
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
