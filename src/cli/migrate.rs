//! Bringing the tables of the shared store up to date.

use super::Result;
use crate::config::Settings;
use crate::store::Observer;
use crate::store::postgres::{self, Migrated};
use std::process::ExitCode;

pub fn run(settings: &Settings) -> Result<ExitCode> {
    let database = settings.database(Observer::default()).ok_or("which database? Say so by --store postgres://…")?;
    let Migrated { from, to } = tokio::runtime::Runtime::new()?.block_on(postgres::migrate(&database))?;
    match from {
        from if from == to => println!("the tables are of version {to} already"),
        _ => println!("the tables were of version {from} and are of version {to} now"),
    }
    Ok(ExitCode::SUCCESS)
}
