//! One stream of steps, served to whoever listens, and the word that there is a new one.

mod announce;
mod lasting;
mod sse;

pub use announce::LocalNotifier;
pub use lasting::{ended, still_in};
pub use sse::{event_stream, farewell, keep_alive, over};
