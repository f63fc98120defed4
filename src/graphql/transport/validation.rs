//! Validation as a separate step. The library validates a document right before it executes it; the price must be known
//! in between.

use super::document_cache::Parsed;
use crate::graphql::field_cost::Weight;
use crate::graphql::field_merge;
use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::{ServerError, ValidationResult, async_trait::async_trait};
use std::sync::{Arc, OnceLock};

/// A document and, if it is valid, its cost; part of its request's data.
pub struct Validated {
    document: Arc<Parsed>,
    weight: OnceLock<Weight>,
}

impl Validated {
    pub fn new(document: Arc<Parsed>) -> Self {
        Self { document, weight: OnceLock::new() }
    }

    /// `None` if the document is not valid.
    pub fn weight(&self) -> Option<Weight> {
        self.weight.get().copied()
    }
}

/// Stores the result of validation and prevents execution. Adds a rule that the library implements only in part: see
/// [`field_merge`].
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
            // Only set here, so it can't be set already.
            let _ = validated.weight.set(result.complexity.into());
        }
        Err(Vec::new())
    }
}
