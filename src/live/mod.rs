//! One stream of steps, served to whoever listens, and the word that there is a new one.

mod announce;
mod sse;
mod welcome;

pub use announce::LocalNotifier;
pub use sse::{event_stream, farewell, keep_alive};
pub use welcome::{ended, over, still_in};
