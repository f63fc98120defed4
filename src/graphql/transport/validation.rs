//! Validation as a step of its own: the library validates a document right before it executes it, and we want to know in
//! between whether the schema understands the document, and what it costs.

use crate::graphql::weight::Weight;
use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::{ServerError, ValidationResult, async_trait::async_trait};
use std::sync::{Arc, OnceLock};

/// The weight of a document that was found valid; part of its request's data.
#[derive(Debug, Default)]
pub struct Validated(OnceLock<Weight>);

impl Validated {
    /// None if the document was not found valid.
    pub fn weight(&self) -> Option<Weight> {
        self.0.get().copied()
    }
}

/// Notes what the validation found, and keeps the document from being executed.
pub struct StopAfterValidation;

impl ExtensionFactory for StopAfterValidation {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait]
impl Extension for StopAfterValidation {
    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        let result = next.run(ctx).await?;
        if let Some(validated) = ctx.data_opt::<Arc<Validated>>() {
            // Nobody else sets it.
            let _ = validated.0.set(result.complexity.into());
        }
        Err(Vec::new())
    }
}
