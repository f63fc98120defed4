//! Progress bars for long work, on standard error, and only for people.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that a store's progress reports move.
pub fn bar(doing: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} {eta}");
    ProgressBar::new(0).with_style(style.expect("the template is valid")).with_message(doing)
}

/// Moves the bar; how much there is may only become known on the way.
pub fn report(bar: &ProgressBar, done: u64, total: Option<u64>) {
    bar.set_length(total.unwrap_or(done));
    bar.set_position(done);
}
