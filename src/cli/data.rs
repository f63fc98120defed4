//! Export, import and compaction of the store.

use super::Result;
use super::progress::{bar, report};
use crate::clock::SystemClock;
use crate::config::Settings;
use crate::games::ports::Clock;
use crate::store::Observer;
use crate::store::export_format::End;
use crate::store::postgres::{self, PostgresStore};
use crate::store::private_files;
use crate::store::sled::{self, Compacted, SledStore};
use indicatif::HumanBytes;
use std::error::Error;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
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

fn write_file(settings: &Settings, file: &Path) -> Result<End> {
    if file.exists() {
        return Err(format!("{} exists already; name another file, or move that one away", file.display()).into());
    }
    let unfinished = UnfinishedFile::create(file)?;
    let end = unfinished.fill(|out| write_out(settings, out))?;
    unfinished.keep()?;
    Ok(end)
}

/// Atomic file creation: the file gets its name once it is complete and on disk; dropped before that, it is removed.
pub struct UnfinishedFile {
    path: PathBuf,
    file: PathBuf,
    /// Locked against other exports and backups.
    out: File,
    is_kept: bool,
}

impl UnfinishedFile {
    /// Overwrites the rest of an earlier attempt, unless its process still writes to it.
    pub fn create(file: &Path) -> Result<UnfinishedFile> {
        let path = file.with_added_extension("unfinished");
        let fault = |error: io::Error| at(&path, &error);
        let out = private_files::open(&path).map_err(fault)?;
        let is_ours = match out.try_lock() {
            Ok(()) => is_called(&out, &path).map_err(fault)?,
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(error)) => return Err(fault(error).into()),
        };
        if !is_ours {
            return Err(format!("{} is being written by another export or backup", file.display()).into());
        }
        out.set_len(0).map_err(fault)?;
        Ok(UnfinishedFile { path, file: file.to_owned(), out, is_kept: false })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the content, and syncs it to disk.
    pub fn fill<T>(&self, write: impl FnOnce(&mut BufWriter<&File>) -> Result<T>) -> Result<T> {
        let mut out = BufWriter::new(&self.out);
        let written = write(&mut out)?;
        out.flush().and_then(|()| self.out.sync_all()).map_err(|error| at(&self.path, &error))?;
        Ok(written)
    }

    /// Gives the file its name.
    pub fn keep(mut self) -> Result<()> {
        fs::rename(&self.path, &self.file).map_err(|error| at(&self.file, &error))?;
        self.is_kept = true;
        let folder = self.file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        Ok(File::open(folder)?.sync_all()?)
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        // Once renamed, a file of the old name belongs to another process.
        if !self.is_kept {
            let _gone = fs::remove_file(&self.path);
        }
    }
}

/// Whether the open file still has this path: the previous holder of the lock may have renamed or removed it.
fn is_called(file: &File, path: &Path) -> io::Result<bool> {
    let opened = file.metadata()?;
    match fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (opened.dev(), opened.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

pub fn write_out(settings: &Settings, out: impl Write) -> Result<End> {
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
        return Err("only the embedded store can be compacted: a database manages its own disk space".into());
    }
    let bar = bar("copying games");
    let progress = |done, total| report(&bar, done, total);
    let store_settings = sled::Settings { min_free_bytes: settings.min_free_bytes(), ..settings.store() };
    let compacted = sled::compact(&existing_folder(settings)?, &store_settings, SystemClock.now(), &progress);
    bar.finish_and_clear();
    let Compacted { before, after } =
        compacted.map_err(|error| format!("the store was not compacted and is unchanged: {error}"))?;
    if after < before {
        eprintln!("the store took {} and takes {} now", HumanBytes(before), HumanBytes(after));
    } else {
        eprintln!(
            "the store takes {}; compacting would not make it smaller, so it was left unchanged",
            HumanBytes(before)
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the store, but never creates one: a mistyped folder is not an empty store.
fn existing(settings: &Settings) -> Result<Arc<SledStore>> {
    Ok(SledStore::open(&existing_folder(settings)?, &settings.store())?)
}

pub fn existing_folder(settings: &Settings) -> Result<PathBuf> {
    let folder = settings.store_folder();
    if SledStore::exists(&folder) {
        Ok(folder)
    } else {
        Err(format!("there is no store in {}", settings.data.display()).into())
    }
}

fn counts(end: &End) -> String {
    format!("{} games with {} steps, {} players, {} sign-ins", end.games, end.steps, end.players, end.families)
}

fn at(file: &Path, error: &io::Error) -> String {
    format!("{}: {error}", file.display())
}
