//! Care of the data: export, import, compact.

use super::Result;
use super::progress::{bar, report};
use crate::clock::SystemClock;
use crate::config::Settings;
use crate::games::ports::Clock;
use crate::store::Observer;
use crate::store::lines::End;
use crate::store::postgres::{self, PostgresStore};
use crate::store::sled::{self, SledStore};
use indicatif::HumanBytes;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Runtime;

pub fn export(settings: &Settings, file: &Path) -> Result<ExitCode> {
    let end = if file == Path::new("-") {
        write_out(settings, BufWriter::new(io::stdout().lock()))?
    } else {
        write_file(settings, file)?
    };
    eprintln!("exported {}", counts(&end));
    Ok(ExitCode::SUCCESS)
}

/// Writes everything to a new file, which is on the disk when this returns.
pub fn write_file(settings: &Settings, file: &Path) -> Result<End> {
    let mut out = BufWriter::new(File::create_new(file).map_err(|error| at(file, &error))?);
    let end = write_out(settings, &mut out)?;
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok(end)
}

fn write_out(settings: &Settings, out: impl Write) -> Result<End> {
    let bar = bar("exporting games");
    let progress = |done, total| report(&bar, done, total);
    let now = SystemClock.now();
    let end = match settings.database(Observer::default()) {
        Some(database) => Runtime::new()?.block_on(async {
            let store = PostgresStore::open(&database).await?;
            Ok::<_, Box<dyn Error>>(store.export(out, now, &progress).await?)
        })?,
        None => existing(settings)?.export(out, now, &progress)?,
    };
    bar.finish_and_clear();
    Ok(end)
}

pub fn import(settings: &Settings, file: &Path) -> Result<ExitCode> {
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).map_err(|error| at(file, &error))?))
    };
    let bar = bar("importing lines");
    let progress = |done, total| report(&bar, done, total);
    let end = match settings.database(Observer::default()) {
        Some(database) => Runtime::new()?.block_on(async {
            postgres::migrate(&database).await?;
            let store = PostgresStore::open(&database).await?;
            Ok::<_, Box<dyn Error>>(store.import(input, &progress).await?)
        })?,
        None => SledStore::open(&settings.store_folder(), &settings.store())?.import(input, &progress)?,
    };
    bar.finish_and_clear();
    eprintln!("imported {}", counts(&end));
    Ok(ExitCode::SUCCESS)
}

pub fn compact(settings: &Settings) -> Result<ExitCode> {
    if settings.store.is_some() {
        return Err("a database looks after its own disk: there is nothing to compact".into());
    }
    let bar = bar("copying games");
    let progress = |done, total| report(&bar, done, total);
    let compacted = sled::compact(&existing_folder(settings)?, &settings.store(), SystemClock.now(), &progress)?;
    bar.finish_and_clear();
    eprintln!("the store took {} and takes {} now", HumanBytes(compacted.before), HumanBytes(compacted.after));
    Ok(ExitCode::SUCCESS)
}

/// The store, but never a new one: a mistyped folder is no empty store.
fn existing(settings: &Settings) -> Result<Arc<SledStore>> {
    Ok(SledStore::open(&existing_folder(settings)?, &settings.store())?)
}

pub fn existing_folder(settings: &Settings) -> Result<std::path::PathBuf> {
    let folder = settings.store_folder();
    if folder.is_dir() { Ok(folder) } else { Err(format!("there is no store in {}", settings.data.display()).into()) }
}

fn counts(end: &End) -> String {
    format!("{} games with {} steps, {} players, {} sign-ins", end.games, end.steps, end.players, end.families)
}

fn at(file: &Path, error: &io::Error) -> String {
    format!("{}: {error}", file.display())
}
