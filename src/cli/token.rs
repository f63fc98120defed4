//! Access tokens for test automation. They need no store, so the server may be running.

use super::Result;
use super::keys::{Existing, existing};
use crate::auth::{AccessTokens, real_time};
use crate::config::Settings;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Prints a token for a player's id or a name.
pub fn print(settings: &Settings, whose: Option<String>, minutes: u64) -> Result<ExitCode> {
    if !settings.dev {
        return Err("tokens need --dev, and only servers with --dev accept them".into());
    }
    let sub = whose.ok_or("name a player's id, or use --name")?;
    let Existing { keys, runtime: _alive } = existing(settings)?;
    let tokens = AccessTokens::new(Arc::new(keys), settings.tokens()?, Arc::new(real_time));
    println!("{}", tokens.issue_dev(sub, Duration::from_mins(minutes)).expose());
    Ok(ExitCode::SUCCESS)
}
