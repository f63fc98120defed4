//! Validation as a step of its own: the library validates a document right before it executes it, and we want to know in
//! between whether the schema understands the document, and what it costs.

use super::document_cache::Parsed;
use crate::graphql::field_cost::Weight;
use crate::graphql::field_merge;
use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::{ServerError, ValidationResult, async_trait::async_trait};
use std::sync::{Arc, OnceLock};

/// A document, and its weight once it was found valid; part of its request's data.
pub struct Validated {
    document: Arc<Parsed>,
    weight: OnceLock<Weight>,
}

impl Validated {
    pub fn new(document: Arc<Parsed>) -> Self {
        Self { document, weight: OnceLock::new() }
    }

    /// None if the document was not found valid.
    pub fn weight(&self) -> Option<Weight> {
        self.weight.get().copied()
    }
}

/// Notes what the validation found, and keeps the document from being executed. Adds the rule that the library has in
/// part only: see [`field_merge`].
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
            let merged = field_merge::check(&validated.document.passed.document, &ctx.schema_env.registry);
            if !merged.conflicts.is_empty() {
                return Err(merged.conflicts);
            }
            // Nobody else sets it.
            let _ = validated.weight.set(result.complexity.into());
        }
        Err(Vec::new())
    }
}
