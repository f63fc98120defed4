//! Care of the data: export, import, compact.

use super::Result;
use super::progress::{bar, report};
use crate::clock::SystemClock;
use crate::config::Settings;
use crate::games::ports::Clock;
use crate::store::lines::End;
use crate::store::sled::{self, SledStore};
use indicatif::HumanBytes;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

pub fn export(settings: &Settings, file: &Path) -> Result<ExitCode> {
    let store = existing(settings)?;
    let bar = bar("exporting games");
    let progress = |done, total| report(&bar, done, total);
    let now = SystemClock.now();
    let end = if file == Path::new("-") {
        store.export(BufWriter::new(io::stdout().lock()), now, &progress)?
    } else {
        let mut out = BufWriter::new(File::create_new(file).map_err(|error| at(file, &error))?);
        let end = store.export(&mut out, now, &progress)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        end
    };
    bar.finish_and_clear();
    eprintln!("exported {}", counts(&end));
    Ok(ExitCode::SUCCESS)
}

pub fn import(settings: &Settings, file: &Path) -> Result<ExitCode> {
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).map_err(|error| at(file, &error))?))
    };
    let store = SledStore::open(&settings.store_folder(), &settings.store())?;
    let bar = bar("importing lines");
    let end = store.import(input, &|done, total| report(&bar, done, total))?;
    bar.finish_and_clear();
    eprintln!("imported {}", counts(&end));
    Ok(ExitCode::SUCCESS)
}

pub fn compact(settings: &Settings) -> Result<ExitCode> {
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
