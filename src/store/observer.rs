//! Somebody who is told of every commit: metrics, outside the stores.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a commit took.
#[derive(Clone, Copy, Debug)]
pub struct Commit {
    /// How many writes it carried.
    pub writes: usize,
    /// How long the disk, or the database, took to have it.
    pub flush: Duration,
}

/// Somebody who is told of every commit, or nobody. Called by whoever commits: it should be quick.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<dyn Fn(Commit) + Send + Sync>>);

impl Observer {
    pub fn new(observe: impl Fn(Commit) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(observe)))
    }

    pub(super) fn tell(&self, commit: Commit) {
        if let Some(observe) = &self.0 {
            observe(commit);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Observer" } else { "nobody" })
    }
}
