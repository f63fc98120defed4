//! Players and their tokens, from registering to signing out.

#![allow(clippy::unwrap_used, reason = "a test that meets an error has failed")]

mod accounts;
mod forged;
mod memory;
mod support;
mod tokens;
