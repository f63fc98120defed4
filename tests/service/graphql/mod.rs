//! The service through GraphQL: the same as through REST, type by type, move by move.

mod again;
mod clashes;
mod drift;
mod examples;
mod hiding;
mod loads;
mod numbers;
mod refusals;
mod santa_rescue;
mod schema;
mod selections;
mod streams;
mod types;
mod whole_games;
