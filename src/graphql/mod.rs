//! GraphQL, `/graphql`: the second face of the use cases. One file per topic, merged at the roots below; [`guard`] refuses
//! what would take too long to look at, and [`transport`] is how questions and answers travel: HTTP, WebSocket and
//! server-sent events.
//!
//! The schema knows no `App`: it can be printed without a server. What a request brings along (who asks, in which
//! language) is in [`RequestContext`], which a transport puts beside each operation. Queries answer null for what does not exist
//! or may not be known; mutations say in their payload why they were refused; what goes wrong otherwise (no token, a
//! store that fails) is a GraphQL error with a `code` of the same closed list.

#![allow(clippy::unused_async, reason = "resolvers are async, whether they wait for anything or not")]
#![allow(clippy::struct_field_names, reason = "a field is called as REST calls it, whatever its type is called")]

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

/// What can be asked.
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

/// What can be done.
#[derive(MergedObject, Default)]
pub struct Mutation(players::PlayerMutations, tokens::TokenMutations, lobby::LobbyMutations, play::PlayMutations);

/// The schema, ready to execute.
pub type Schema = async_graphql::Schema<Query, Mutation, Subscription>;

/// The schema; a transport adds its limits and finishes it.
pub fn schema() -> SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query::default(), Mutation::default(), Subscription)
        .register_input_type::<scalars::Int32>()
        .override_output_type_description::<ID>(
            "Names a thing for good, the same on every face. Opaque: compare, never read.",
        )
        .override_output_type_description::<game_queries::Games>("A page of games, newest first.")
        .override_output_type_description::<events::Steps>("A page of steps, oldest first.")
}

/// The schema in the schema definition language, as committed in schema/.
pub fn sdl() -> String {
    let options = SDLExportOptions::new().prefer_single_line_descriptions().include_specified_by();
    let options = options.use_space_ident().indent_width(2);
    schema().finish().sdl_with_options(options)
}
