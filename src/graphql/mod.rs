//! GraphQL, `/graphql`: the second face of the use cases.
//!
//! [`schema`] is what can be asked, [`asking`] who asks it; [`guard`] refuses what would take too long to look at, and
//! [`transport`] is how questions and answers travel: HTTP, WebSocket and server-sent events.

pub mod asking;
pub mod guard;
mod schema;
mod transport;

pub use schema::{Mutation, Query, Subscription};
pub use transport::{DocumentsError, Listed, Settings, router};

use async_graphql::SchemaBuilder;

/// What can be asked.
pub type Schema = async_graphql::Schema<Query, Mutation, Subscription>;

/// The schema, without limits.
pub fn schema() -> SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query, Mutation, Subscription)
}
