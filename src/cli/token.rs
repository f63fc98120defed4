//! Tokens for test automation, made without the store, which a running server has to itself.

use super::Result;
use super::keys::{Existing, existing};
use crate::auth::{AccessTokens, real_time};
use crate::config::Settings;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Prints a token for a player's id, or for somebody by name.
pub fn print(settings: &Settings, whose: Option<String>, minutes: u64) -> Result<ExitCode> {
    if !settings.dev {
        return Err("tokens can be made with --dev only, and only servers with --dev believe them".into());
    }
    let sub = whose.ok_or("whose token shall it be?")?;
    let Existing { keys, runtime: _alive } = existing(settings)?;
    let tokens = AccessTokens::new(Arc::new(keys), settings.tokens()?, Arc::new(real_time));
    println!("{}", tokens.issue_dev(sub, Duration::from_mins(minutes)).expose());
    Ok(ExitCode::SUCCESS)
}
