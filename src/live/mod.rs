//! One stream of steps, served to whoever listens, and the word that there is a new one.

mod announce;
mod listening;
mod sse;
mod welcome;

pub use announce::LocalNotifier;
pub use listening::{Charge, Tells, listen};
pub use sse::event_stream;
pub use welcome::{ended, still_in};
