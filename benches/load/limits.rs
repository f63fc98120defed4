//! What the disk alone gives: one writer who waits for it every time, and many who share a sync.

use super::Result;
use super::progress::Bar;
use super::times::Times;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// The most writes that share a sync, as in our store.
const BATCH: usize = 256;

/// One writer, one fdatasync for each write.
pub fn one_writer(file: &Path, bytes: usize, duration: Duration) -> Result<Times> {
    let _bar = Bar::new("one writer, one fdatasync each", duration);
    let (mut file, record) = (File::create(file)?, vec![7; bytes]);
    Times::of(duration, || {
        file.write_all(&record)?;
        Ok(file.sync_data()?)
    })
}

/// Many writers, each waiting for its write to be on the disk; whatever waits is written and synced together.
pub fn group_commit(file: &Path, bytes: usize, writers: usize, duration: Duration) -> Result<Times> {
    let _bar = Bar::new(format!("group commit, {writers} writers"), duration);
    let file = File::create(file)?;
    let (queue, queued) = mpsc::sync_channel(BATCH);
    let committer = thread::spawn(move || commit(file, &queued));
    let start = Instant::now();
    let writing: Vec<_> = (0..writers)
        .map(|_| {
            let queue = queue.clone();
            thread::spawn(move || write(&queue, bytes, duration))
        })
        .collect();
    drop(queue);
    let mut each = Vec::new();
    for writer in writing {
        each.extend(writer.join().map_err(|_| "a writer panicked")??);
    }
    committer.join().map_err(|_| "the committer panicked")??;
    Ok(Times::new(each, start.elapsed()))
}

/// A write that waits, and who waits for it.
type Waiting = (Vec<u8>, SyncSender<()>);

fn write(queue: &SyncSender<Waiting>, bytes: usize, duration: Duration) -> Result<Vec<Duration>> {
    let (done, is_done) = mpsc::sync_channel(1);
    let (start, mut each) = (Instant::now(), Vec::new());
    while start.elapsed() < duration {
        let before = Instant::now();
        queue.send((vec![7; bytes], done.clone())).map_err(|_| "nobody commits")?;
        is_done.recv()?;
        each.push(before.elapsed());
    }
    Ok(each)
}

fn commit(mut file: File, queued: &Receiver<Waiting>) -> Result<()> {
    while let Ok(first) = queued.recv() {
        let batch: Vec<_> = std::iter::once(first).chain(queued.try_iter()).take(BATCH).collect();
        file.write_all(&batch.iter().flat_map(|(bytes, _)| bytes).copied().collect::<Vec<_>>())?;
        file.sync_data()?;
        for (_, done) in batch {
            // A writer whose time is over has left.
            let _ = done.send(());
        }
    }
    Ok(())
}
