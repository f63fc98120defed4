//! The price list: what each operation costs its client, on both faces.
//!
//! One unit is about the work of one ordinary read, 50 µs of a processor; a point is a hundredth of it. Budgets are in
//! units per second. A price is known before the work is done: it follows from the operation and its arguments. What is
//! written here was set by the figures in docs/performance.md and rounded up; passwords, preparations, old positions and
//! replays have queues of their own besides ([`FairQueue`](super::FairQueue)), so their price need not cover it all.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Points in a unit.
pub const UNIT: u32 = 100;

/// An operation: its route in REST, its root field in GraphQL (either may be missing), its price in units.
type Row = (&'static str, &'static str, u32);

/// Every operation of both faces; tests fail when one of them is missing.
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

/// What is in no row: an address that leads nowhere, or a route that only `--dev` has.
const UNLISTED: u32 = 1;

/// A file of the pages, in points: a page is made of two dozen of them.
pub const PAGE_FILE: u32 = 5;

/// What a browser asks before it calls us for a page of somebody else's, in points.
pub const PREFLIGHT: u32 = 20;

/// Looking at a GraphQL document, in points; its operations come on top.
pub const DOCUMENT: u32 = UNIT;

/// Parsing and validating a document that is new, in points, by its length in bytes: 2 units for each KiB, as measured for
/// documents of 100 aliases. What [`DOCUMENT`] pays for is included.
pub fn of_new_document(bytes: usize) -> u32 {
    of_items(bytes, 2 * UNIT) / 1024
}

/// Validating variables that are new, in points: every use of a variable copies its values, at some 70 ns for each.
pub fn of_copied_values(copies: usize) -> u32 {
    u32::try_from(copies / 4).unwrap_or(u32::MAX)
}

/// A WebSocket frame of the protocol's own, in points: each PING is answered by a write.
pub const CONTROL_FRAME: u32 = UNIT / 16;

/// What comes in over a WebSocket, in points for each KiB. Frames that never become a message take 6 bytes, and next to
/// nothing each.
pub const SOCKET_KIB: u32 = UNIT;

/// An older position of a game, in points: a snapshot is decoded, and up to 127 steps are folded.
pub const OLD_POSITION: u32 = 4 * UNIT;

/// One event on a stream that is open, in points.
pub const STREAMED_EVENT: u32 = 20;

/// What it takes to load one game of a list, in points.
pub const LISTED_GAME: u32 = UNIT / 4;

/// Writing one step of a page of events, or of a replay, in points.
pub const LISTED_STEP: u32 = 2;

/// The legal moves of a game within another operation, in points: all of them are described, however few are asked for.
/// As much as the operation that asks for nothing else.
pub const LEGAL_MOVES: u32 = UNIT;

/// The view of a game through GraphQL, in points: read back from JSON unless it was kept.
pub const VIEW: u32 = UNIT / 4;

/// The JSON Schemas of a kind through GraphQL, in points: tens of kilobytes, turned into GraphQL's own values.
pub const SCHEMAS: u32 = 3 * UNIT;

/// What a number of items costs, in points.
pub fn of_items(count: usize, each: u32) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX).saturating_mul(each)
}

/// The price of a route in points, by its method and the pattern of its path.
pub fn of_route(method: &str, path: &str) -> u32 {
    /// Length of the path, path and method: most texts need not be compared, because their lengths differ.
    type Route = (usize, &'static str, &'static str);
    /// Sorted by route.
    static ROUTES: LazyLock<Vec<(Route, u32)>> = LazyLock::new(|| {
        let listed = PRICES.iter().filter_map(|(route, _, units)| Some((route.split_once(' ')?, units * UNIT)));
        let mut routes: Vec<_> = listed.map(|((method, path), points)| ((path.len(), path, method), points)).collect();
        routes.sort_unstable();
        routes
    });
    // A HEAD is answered by the handler of its GET.
    let method = if method == "HEAD" { "GET" } else { method };
    let found = ROUTES.binary_search_by(|(route, _)| route.cmp(&(path.len(), path, method)));
    found.map_or(UNLISTED * UNIT, |at| ROUTES[at].1)
}

/// The price of a root field in points; one that is in no row costs as much as the dearest.
pub fn of_root_field(name: &str) -> u32 {
    static FIELDS: LazyLock<HashMap<&str, u32>> =
        LazyLock::new(|| PRICES.iter().map(|(_, field, units)| (*field, units * UNIT)).collect());
    let dearest = || PRICES.iter().map(|(.., units)| units * UNIT).max().unwrap_or(UNIT);
    FIELDS.get(name).copied().unwrap_or_else(dearest)
}
