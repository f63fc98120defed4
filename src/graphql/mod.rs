//! GraphQL API, served at `/graphql`: the same use cases as REST.
//!
//! One file per topic, merged at the roots below. [`guard`] bounds the work that a document can cause; [`transport`]
//! implements HTTP, WebSocket and server-sent events.
//!
//! The schema does not depend on `App`, so it can be printed without a server. The caller and the language of a request
//! are in [`RequestContext`], which the transport adds to each operation. Queries return null for what does not exist
//! or is hidden from the caller. Mutations return refusals in their payload. Other failures (no token, a store that
//! fails) are GraphQL errors with a `code` of the same closed list.

#![allow(clippy::unused_async, reason = "resolvers must be async, even those that await nothing")]
#![allow(clippy::struct_field_names, reason = "fields have the same names as in REST")]

mod catalogue;
mod error;
mod events;
mod field_cost;
mod field_merge;
mod game_queries;
mod games;
pub mod guard;
mod kinds;
mod lobby;
mod moves;
mod node;
mod payload;
mod plain;
mod play;
mod players;
mod read_set;
mod replay;
mod request_context;
mod scalars;
mod split_subscription;
mod subscriptions;
mod tokens;
mod transport;

pub use request_context::RequestContext;
pub use subscriptions::Subscription;
pub use transport::{AllowList, DocumentsError, Settings, router};

use async_graphql::{ID, MergedObject, SDLExportOptions, SchemaBuilder};

/// Queries. They change nothing; null means that something does not exist or is hidden from the caller. A query that
/// fails is a GraphQL error, with the code in `extensions.code`.
#[derive(MergedObject, Default)]
pub struct Query(
    catalogue::KindQueries,
    players::PlayerQueries,
    game_queries::GameQueries,
    moves::MoveQueries,
    events::EventQueries,
    replay::ReplayQueries,
    node::NodeQueries,
);

/// Mutations. A refusal is returned in `userErrors` of the payload, with a code. A missing token (`UNAUTHENTICATED`),
/// `RATE_LIMITED` and `UNAVAILABLE` are GraphQL errors instead, with the code in `extensions.code`.
#[derive(MergedObject, Default)]
pub struct Mutation(players::PlayerMutations, tokens::TokenMutations, lobby::LobbyMutations, play::PlayMutations);

/// The schema, ready to execute.
pub type Schema = async_graphql::Schema<Query, Mutation, Subscription>;

/// Schema builder: the transport adds its limits and builds the schema.
pub fn schema() -> SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query::default(), Mutation::default(), Subscription)
        .register_input_type::<scalars::Int32>()
        .override_output_type_description::<ID>("Stable, opaque identifier; the same in REST and GraphQL.")
        .override_output_type_description::<game_queries::Games>("A page of games, newest first.")
        .override_output_type_description::<events::Steps>("A page of steps, oldest first.")
}

/// The schema in the schema definition language (SDL), as committed in schema/.
pub fn sdl() -> String {
    let options = SDLExportOptions::new().prefer_single_line_descriptions().include_specified_by();
    let options = options.use_space_ident().indent_width(2);
    schema().finish().sdl_with_options(options)
}
