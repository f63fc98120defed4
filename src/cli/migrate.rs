//! Schema migration of the shared database.

use super::Result;
use crate::config::Settings;
use crate::store::Observer;
use crate::store::postgres::{self, Migrated};
use std::process::ExitCode;

pub fn run(settings: &Settings) -> Result<ExitCode> {
    let database = settings.database(Observer::default()).ok_or("name the database with --store postgres://…")?;
    let Migrated { from, to } = tokio::runtime::Runtime::new()?.block_on(postgres::migrate(&database))?;
    match from {
        from if from == to => println!("the tables are already at version {to}"),
        _ => println!("migrated the tables from version {from} to version {to}"),
    }
    Ok(ExitCode::SUCCESS)
}
