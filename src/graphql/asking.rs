//! Who asks, and in which language: what every resolver is handed.

use crate::app::App;
use crate::auth::Caller;
use crate::texts::Language;
use std::sync::Arc;

/// One per HTTP request, shared by the items of a batch, or per operation on a socket.
pub struct Asking {
    pub app: Arc<App>,
    pub caller: Option<Caller>,
    pub language: Language,
}

impl Asking {
    pub fn new(app: Arc<App>, caller: Option<Caller>, language: Language) -> Arc<Self> {
        Arc::new(Self { app, caller, language })
    }
}
