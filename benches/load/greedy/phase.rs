//! One phase of an attack: the others' times, and the server's memory, processor time and disk meanwhile.

use super::super::Result;
use super::super::process::{Server, memory_of};
use super::super::progress::Bar;
use super::super::times::Summary;
use super::others::Others;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the server's memory is looked at.
const SAMPLING: Duration = Duration::from_millis(100);
/// What `st_blocks` counts in, on every Linux.
const BLOCK: u64 = 512;

pub struct Phase {
    pub length: Duration,
    pub table: Summary,
    /// Requests at the table that were answered.
    pub answered: u64,
    pub companion: Option<Summary>,
    /// The most resident memory of the server, in bytes.
    pub memory: f64,
    /// Seconds that the server's processors worked.
    pub cpu: f64,
    /// Bytes that the data folder grew by.
    pub disk: f64,
}

impl Phase {
    /// Processor time on top of what the others take when they are alone.
    pub fn cpu_beyond(&self, quiet: &Self) -> f64 {
        self.cpu - quiet.cpu / quiet.length.as_secs_f64() * self.length.as_secs_f64()
    }
}

/// What is observed in every phase.
pub struct Observed<'a> {
    pub server: &'a Server,
    pub others: &'a Others,
    pub data: &'a Path,
}

impl Observed<'_> {
    pub fn wait(&self, what: &str, duration: Duration) -> Result<Phase> {
        let _bar = Bar::new(what, duration);
        let wait = || {
            std::thread::sleep(duration);
            Ok(())
        };
        Ok(self.during(wait)?.1)
    }

    pub fn during<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<(T, Phase)> {
        // Whatever was measured before belongs to no phase.
        let _before = self.others.take();
        let (disk, start) = (size_of(self.data), Instant::now());
        let memory = MemorySampler::start(self.server.process.id());
        let (done, cpu) = self.server.cpu_of(work)?;
        let (length, (table, companion)) = (start.elapsed(), self.others.take());
        let phase = Phase {
            length,
            table: table.times,
            answered: table.answered,
            companion: companion.map(|served| served.times),
            memory: memory.stop()?,
            cpu,
            disk: size_of(self.data) - disk,
        };
        Ok((done, phase))
    }
}

/// Looks at the resident memory of a process until stopped, and keeps the maximum.
struct MemorySampler {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<f64>>,
}

impl MemorySampler {
    fn start(process: u32) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut most = memory_of(process)?;
            while !stopped.load(Ordering::Relaxed) {
                std::thread::sleep(SAMPLING);
                most = memory_of(process)?.max(most);
            }
            Ok(most)
        });
        Self { stop, thread }
    }

    fn stop(self) -> Result<f64> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| "the memory could not be sampled")?
    }
}

/// Bytes on disk of everything in a folder. Files that vanish meanwhile count nothing.
fn size_of(folder: &Path) -> f64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => size_of(&entry.path()),
        Ok(about) => (about.blocks() * BLOCK) as f64,
        Err(_) => 0.0,
    });
    sizes.sum()
}
