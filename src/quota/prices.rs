//! Price list: the cost of each operation, in REST and GraphQL.
//!
//! One unit is about the work of one ordinary read, 50 µs of a core; a point is a hundredth of a unit. Budgets are in
//! units per second. A price depends only on the operation and its arguments, so it is known before the work is done.
//! The prices come from the measurements in docs/performance.md, rounded up. Passwords, preparations, old positions and
//! replays also have fair queues of their own ([`FairQueue`](super::FairQueue)), so their prices need not cover all of
//! their cost.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Points in a unit.
pub const UNIT: u32 = 100;

/// An operation: its route in REST and its root field in GraphQL, one of which may be empty, and its price in units.
type Row = (&'static str, &'static str, u32);

/// All operations of REST and GraphQL. Tests fail if one is missing.
pub const PRICES: &[Row] = &[
    ("GET /v1/kinds", "kinds", 1),
    ("GET /v1/kinds/{kind}", "kind", 1),
    ("POST /v1/players", "createPlayer", 10),
    ("GET /v1/players/me", "me", 1),
    ("PATCH /v1/players/me", "updatePlayer", 10),
    ("DELETE /v1/players/me", "deletePlayer", 20),
    ("POST /v1/tokens", "signIn", 10),
    ("", "refreshTokens", 5),
    ("DELETE /v1/tokens/current", "signOut", 3),
    ("POST /v1/games", "createGame", 5),
    ("GET /v1/games", "games", 1),
    ("GET /v1/games/{id}", "game", 1),
    ("PATCH /v1/games/{id}", "updateGame", 3),
    ("GET /v1/games/{id}/replay", "replay", 5),
    ("POST /v1/games/{id}/rematch", "createRematch", 5),
    ("POST /v1/games/{id}/seats", "sitDown", 3),
    ("DELETE /v1/games/{id}/seats/me", "standUp", 3),
    ("DELETE /v1/games/{id}/seats/{seat}", "removePlayer", 3),
    ("PUT /v1/games/{id}/seats/me/setup", "chooseSetup", 3),
    ("POST /v1/games/{id}/start", "startGame", 5),
    ("POST /v1/invites/{code}", "acceptInvite", 3),
    ("GET /v1/games/{id}/legal-moves", "legalMoves", 1),
    ("POST /v1/games/{id}/moves", "playMove", 3),
    ("POST /v1/games/{id}/preview", "preview", 3),
    ("POST /v1/games/{id}/resignation", "resignGame", 3),
    ("POST /v1/games/{id}/timeouts", "callTimeouts", 3),
    ("POST /v1/games/{id}/asides", "makeAside", 5),
    ("GET /v1/games/{id}/events", "events", 1),
    ("", "gameEvents", 2),
    ("", "myGames", 5),
    ("", "node", 1),
    ("", "nodes", 1),
    ("", "__schema", 20),
    ("", "__type", 2),
    ("", "__typename", 0),
    ("GET /livez", "", 1),
    ("GET /readyz", "", 3),
    ("GET /.well-known/jwks.json", "", 1),
    ("GET /openapi.json", "", 2),
    ("GET /metrics", "", 10),
];

/// Price of a route that is not listed: one that does not exist, or that only `--dev` has.
const UNLISTED: u32 = 1;

/// A file of a web page, in points: a page consists of two dozen.
pub const PAGE_FILE: u32 = 5;

/// A CORS preflight request, in points.
pub const PREFLIGHT: u32 = 20;

/// Handling a GraphQL document, in points; its operations cost extra.
pub const DOCUMENT: u32 = UNIT;

/// Parsing and validating a document that is not cached, in points, by its length in bytes: 2 units per KiB, as
/// measured for documents of 100 aliases. [`DOCUMENT`] is included.
pub fn of_new_document(bytes: usize) -> u32 {
    of_items(bytes, 2 * UNIT) / 1024
}

/// Validating variables that are not cached, in points: every use of a variable copies its values, at some 70 ns per
/// value.
pub fn of_copied_values(copies: usize) -> u32 {
    u32::try_from(copies / 4).unwrap_or(u32::MAX)
}

/// A WebSocket control frame, in points: each PING causes a write.
pub const CONTROL_FRAME: u32 = UNIT / 16;

/// Data received over a WebSocket, in points per KiB. Frames that never complete a message take 6 bytes and almost no
/// work each.
pub const SOCKET_KIB: u32 = UNIT;

/// An earlier position of a game, in points: it decodes a snapshot and folds up to 127 steps.
pub const OLD_POSITION: u32 = 4 * UNIT;

/// An event on an open stream, in points.
pub const STREAMED_EVENT: u32 = 20;

/// Reading one game of a list, in points.
pub const LISTED_GAME: u32 = UNIT / 4;

/// Serialising one step of a page of events, or of a replay, in points.
pub const LISTED_STEP: u32 = 2;

/// The legal moves of a game as a part of another operation, in points: as much as the operation of their own, because
/// all of them are described, however few are requested.
pub const LEGAL_MOVES: u32 = UNIT;

/// The view of a game in GraphQL, in points: parsed from JSON unless it is cached.
pub const VIEW: u32 = UNIT / 4;

/// The JSON Schemas of a kind in GraphQL, in points: tens of kilobytes, converted to GraphQL values.
pub const SCHEMAS: u32 = 3 * UNIT;

/// The price of `count` items, in points.
pub fn of_items(count: usize, each: u32) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).saturating_mul(each)
}

/// The price of a route in points, by its method and path pattern.
pub fn of_route(method: &str, path: &str) -> u32 {
    /// Path length, path and method. The length comes first because most paths differ in it, which saves comparing
    /// texts.
    type Route = (usize, &'static str, &'static str);
    /// Sorted by route.
    static ROUTES: LazyLock<Vec<(Route, u32)>> = LazyLock::new(|| {
        let listed = PRICES.iter().filter_map(|(route, _, units)| Some((route.split_once(' ')?, units * UNIT)));
        let mut routes: Vec<_> = listed.map(|((method, path), points)| ((path.len(), path, method), points)).collect();
        routes.sort_unstable();
        routes
    });
    // The handler of GET also answers HEAD.
    let method = if method == "HEAD" { "GET" } else { method };
    let found = ROUTES.binary_search_by(|(route, _)| route.cmp(&(path.len(), path, method)));
    found.map_or(UNLISTED * UNIT, |at| ROUTES[at].1)
}

/// The price of a root field in points; an unlisted field costs as much as the most expensive one.
pub fn of_root_field(name: &str) -> u32 {
    static FIELDS: LazyLock<HashMap<&str, u32>> =
        LazyLock::new(|| PRICES.iter().map(|(_, field, units)| (*field, units * UNIT)).collect());
    let highest = || PRICES.iter().map(|(.., units)| units * UNIT).max().unwrap_or(UNIT);
    FIELDS.get(name).copied().unwrap_or_else(highest)
}
