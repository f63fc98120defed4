//! What the tests share: the whole service within the test, and those who call it.

mod client;
mod events;
mod server;
mod socket;

pub use client::{Answer, Player};
pub use events::Events;
pub use server::Server;
pub use socket::Socket;

use std::time::Duration;

/// Far longer than anything takes; only there so that a defect ends a test.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// The largest document that most clients ever send: what GraphiQL asks when it opens.
pub const INTROSPECTION: &str = include_str!("introspection.graphql");

/// A document with fragments that each spread the next so many times.
pub fn fragments(count: usize, spreads: usize) -> String {
    let fragment = |number| {
        let next = format!(" ...f{}", number + 1).repeat(spreads);
        format!(" fragment f{number} on Query {{{next} }}")
    };
    let all: String = (0..count).map(fragment).collect();
    format!("{{ ...f0 }}{all} fragment f{count} on Query {{ __typename }}")
}
