//! Progress bars of long commands, on standard error, hidden unless it is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for the progress reports of a store.
pub fn bar(doing: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} {eta}");
    ProgressBar::new(0).with_style(style.expect("the template is valid")).with_message(doing)
}

/// Moves the bar. The total may become known only during the work.
pub fn report(bar: &ProgressBar, done: u64, total: Option<u64>) {
    bar.set_length(total.unwrap_or(done));
    bar.set_position(done);
}
