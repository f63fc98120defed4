//! How long things took.

use super::Result;
use serde::Serialize;
use std::time::{Duration, Instant};

/// How long each of some operations took, in order, and all of them together.
#[derive(Default)]
pub struct Times {
    each: Vec<Duration>,
    all: Duration,
}

/// Their percentiles, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub per_second: f64,
    pub p50: f64,
    pub p99: f64,
    pub p999: f64,
}

impl Times {
    pub fn new(mut each: Vec<Duration>, all: Duration) -> Self {
        each.sort_unstable();
        Self { each, all }
    }

    /// Does something again and again for so long.
    pub fn of(duration: Duration, mut work: impl FnMut() -> Result<()>) -> Result<Self> {
        let start = Instant::now();
        let mut each = Vec::new();
        while start.elapsed() < duration {
            let before = Instant::now();
            work()?;
            each.push(before.elapsed());
        }
        Ok(Self::new(each, start.elapsed()))
    }

    /// Does several things at once, each of which tells how long its operations took.
    pub async fn of_all<F>(tasks: impl IntoIterator<Item = F>) -> Result<Self>
    where
        F: Future<Output = Result<Vec<Duration>>> + Send + 'static,
    {
        let start = Instant::now();
        let running: Vec<_> = tasks.into_iter().map(tokio::spawn).collect();
        let mut each = Vec::new();
        for task in running {
            each.extend(task.await??);
        }
        Ok(Self::new(each, start.elapsed()))
    }

    /// Counts others in, which came after.
    pub fn add(&mut self, others: Self) {
        self.each.extend(others.each);
        self.each.sort_unstable();
        self.all += others.all;
    }

    pub fn count(&self) -> usize {
        self.each.len()
    }

    pub fn summary(&self) -> Summary {
        let [p50, p99, p999] = [500, 990, 999].map(|permille| self.permille(permille));
        Summary { per_second: self.each.len() as f64 / self.all.as_secs_f64(), p50, p99, p999 }
    }

    /// The percentile in thousandths, in milliseconds.
    fn permille(&self, permille: usize) -> f64 {
        let place = (self.each.len() * permille / 1000).min(self.each.len().saturating_sub(1));
        self.each.get(place).map_or(f64::NAN, Duration::as_secs_f64) * 1000.0
    }
}
