//! Tells a document that the schema does not understand from one that failed while it was carried out: both come back
//! from the library as errors without data, and only the first may be answered without the key `data`.

use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::{ServerError, ValidationResult, async_trait::async_trait};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a request was found valid, now or before; part of its data.
#[derive(Default)]
pub struct Validity(AtomicBool);

impl From<bool> for Validity {
    fn from(known: bool) -> Self {
        Self(AtomicBool::new(known))
    }
}

impl Validity {
    pub fn holds(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Notes what the validation found.
pub struct NoteValidity;

impl ExtensionFactory for NoteValidity {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait]
impl Extension for NoteValidity {
    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        let result = next.run(ctx).await;
        if let (Ok(_), Some(validity)) = (&result, ctx.data_opt::<Arc<Validity>>()) {
            validity.0.store(true, Ordering::Relaxed);
        }
        result
    }
}
