//! Live updates: announcements of new versions within a node, server-sent events, and the session expiry of streams.

mod local_notifier;
mod session_lifetime;
mod sse_stream;
mod step_stream;

pub use local_notifier::LocalNotifier;
pub use session_lifetime::{ended, is_still_signed_in};
pub use sse_stream::{Charge, SessionRecheck, sse_response};
pub use step_stream::event_stream;
