//! Checks a token against the file of trusted issuers. It needs no store, so the server may be running.

use super::Result;
use crate::auth::{Check, MAX_TOKEN_LENGTH, Now, Rejection, check_token, real_time};
use crate::config::Settings;
use std::io::{self, Read};
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// Input that is read at most: more than a token with its `Bearer` prefix.
const LONGEST_INPUT: u64 = 4 * MAX_TOKEN_LENGTH as u64;

/// Reads a token and prints the result of each check. The token itself is never printed.
pub fn check(settings: &Settings) -> Result<ExitCode> {
    if settings.issuers.is_none() {
        return Err("name the file of issuers with --issuers".into());
    }
    let trusted = settings.tokens()?.issuers;
    let mut input = String::new();
    io::stdin().lock().take(LONGEST_INPUT).read_to_string(&mut input)?;
    let token = input.trim();
    let token = token.strip_prefix("Bearer ").unwrap_or(token).trim();
    if token.is_empty() {
        return Err("no token came on standard input".into());
    }
    let now: Now = Arc::new(real_time);
    let checked = Runtime::new()?.block_on(check_token(&trusted, token, &now))?;
    let failed = checked.err();
    for check in Check::ALL {
        println!("{}", line(check, failed.as_ref()));
    }
    if failed.is_none() {
        println!("A server with these settings accepts it, unless it was signed out or its account was deleted.");
    }
    Ok(if failed.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The result of one check, given the first that failed.
fn line(check: Check, failed: Option<&Rejection>) -> String {
    let sentence = check.sentence();
    match failed {
        Some(rejection) if rejection.check == check => format!("no            {sentence}: {rejection}"),
        Some(rejection) if rejection.check < check => format!("not looked at {sentence}"),
        _ => format!("yes           {sentence}"),
    }
}
