//! One stream of steps, served to whoever listens, and the word that there is a new one.

mod local_notifier;
mod session_lifetime;
mod sse_stream;
mod step_stream;

pub use local_notifier::LocalNotifier;
pub use session_lifetime::{ended, still_in};
pub use sse_stream::{Charge, Tells, listen};
pub use step_stream::event_stream;
