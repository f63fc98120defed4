//! Players and their tokens, from registering to signing out.

mod accounts;
mod belonging;
mod command_line;
mod forged;
mod given_up;
mod issuers;
mod node;
mod over_http;
mod refreshing;
mod store;
mod tokens;
