//! A bar that moves with the time while something is measured.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;

const WIDTH: f64 = 40.0;

/// Shown until dropped.
pub struct Bar(ProgressBar);

impl Bar {
    pub fn new(what: impl Into<String>, expected: Duration) -> Self {
        let seconds = expected.as_secs_f64().max(0.1);
        let bar = move |state: &ProgressState, out: &mut dyn Write| {
            let share = (state.elapsed().as_secs_f64() / seconds).min(1.0);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 40")]
            let done = (share * WIDTH) as usize;
            // A bar that can't be drawn is no reason to stop measuring.
            let _ = write!(out, "{:░<40}", "█".repeat(done));
        };
        let style = ProgressStyle::with_template("{msg:<44} {time} {elapsed}").expect("a template that is not given");
        let progress =
            ProgressBar::new_spinner().with_style(style.with_key("time", bar)).with_message(Into::<String>::into(what));
        progress.enable_steady_tick(Duration::from_millis(250));
        Self(progress)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
