//! Verification of one replay, or of the whole store.

use super::Result;
use super::data::existing_folder;
use super::progress::{bar, report};
use crate::config::Settings;
use crate::games::Game;
use crate::games::replay::Replay;
use crate::rules::catalog::Catalog;
use crate::store::Observer;
use crate::store::postgres::PostgresStore;
use crate::store::sled::{self, SledStore};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use tokio::runtime::Runtime;

/// Plays a replay again; fails if anything differs.
pub fn replay(file: &Path, catalog: Catalog) -> Result<ExitCode> {
    let text = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let replay: Replay =
        serde_json::from_slice(&text).map_err(|error| format!("{} is not a replay: {error}", file.display()))?;
    let differences = replay.verify(catalog);
    if differences.is_empty() {
        println!(
            "{} of {}: all {} steps are true to the rules and the seed",
            replay.id,
            replay.kind,
            replay.steps.len()
        );
        return Ok(ExitCode::SUCCESS);
    }
    for difference in &differences {
        println!("{difference}");
    }
    println!("{} of {}: {} differences", replay.id, replay.kind, differences.len());
    Ok(ExitCode::FAILURE)
}

/// Reads every value of the store and plays every game again; fails if anything is wrong.
pub fn store(settings: &Settings, catalog: Catalog) -> Result<ExitCode> {
    let bar = bar("verifying games");
    let progress = |done, total| report(&bar, done, total);
    let verified = match settings.database(Observer::default()) {
        Some(database) => Runtime::new()?.block_on(async {
            let store = PostgresStore::open(&database).await?;
            Ok::<_, Box<dyn Error>>(store.verify(&mut Game::verifier(catalog), &progress).await?)
        })?,
        None => {
            // Without this, opening would fail on the faults that verification reports.
            let store_settings = sled::Settings { check_heads: false, ..settings.store() };
            let store = SledStore::open(&existing_folder(settings)?, &store_settings)?;
            store.verify(&mut Game::verifier(catalog), &progress)
        }
    };
    bar.finish_and_clear();
    for finding in &verified.findings {
        println!("{finding}");
    }
    let counts = &verified.counts;
    println!(
        "{} games with {} steps, {} players, {} sign-ins read: {}",
        counts.games,
        counts.steps,
        counts.players,
        counts.families,
        match verified.findings.len() as u64 + verified.omitted {
            0 => "all is well".to_owned(),
            wrong => format!("{wrong} findings"),
        }
    );
    Ok(if verified.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
