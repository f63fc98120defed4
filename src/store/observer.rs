//! Commit observer: reports every commit to metrics, which live outside the stores.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct Commit {
    /// How many writes shared it.
    pub writes: usize,
    /// How long the disk or the database took.
    pub flush: Duration,
}

/// Optional callback for every commit. It runs on the thread that commits, so it must be quick.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<dyn Fn(Commit) + Send + Sync>>);

impl Observer {
    pub fn new(observe: impl Fn(Commit) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(observe)))
    }

    pub(super) fn notify(&self, commit: Commit) {
        if let Some(observe) = &self.0 {
            observe(commit);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Observer" } else { "no observer" })
    }
}
