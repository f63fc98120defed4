//! Price of an operation: the price of each root field, the work of what its fields load, and one point for every field
//! that is written, times the lengths of the lists that contain it.

use super::Graphql;
use super::operation::{Operation, panicked};
use super::request_error::{Protocol, RequestError, coercion};
use super::response::Answer;
use crate::graphql::field_cost::Weight;
use crate::graphql::request_context::RequestContext;
use crate::quota::prices;
use async_graphql::Response;
use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// The price of an operation, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The root fields.
    root: u32,
    /// The fields that are written, and the work of loading them.
    fields: u32,
}

impl Price {
    /// The price of executing the operation once. Finding its document has a price too.
    pub fn of_operation(self) -> u32 {
        self.root.saturating_add(self.fields).max(prices::DOCUMENT)
    }

    /// The price of one event of a subscription. Opening it was charged before.
    pub fn of_event(self) -> u32 {
        self.fields.saturating_add(prices::STREAMED_EVENT)
    }
}

impl Graphql {
    /// Validates an operation and charges the client for it. Returns the price, or the refusal as an answer.
    pub(super) async fn charge(&self, operation: &Operation, context: &Arc<RequestContext>) -> Result<Price, Answer> {
        let price = match operation.price {
            Some(price) => price,
            // Boxed: see docs/performance.md.
            None => Box::pin(self.appraise(operation, context)).await?,
        };
        context.charge(price.of_operation()).map_err(|refusal| refused(&refusal, context))?;
        Ok(price)
    }

    async fn appraise(&self, operation: &Operation, context: &Arc<RequestContext>) -> Result<Price, Answer> {
        let charged = context.charge_new_document(operation.validation_points());
        charged.map_err(|refusal| refused(&refusal, context))?;
        let (request, validated) = operation.to_validation(context);
        let stopped = AssertUnwindSafe(self.validating.execute(request)).catch_unwind().await;
        let Ok(response) = stopped else { return Err(panicked(context)) };
        let Some(Weight { complexity, work }) = validated.weight() else { return Err(invalid(response, context)) };
        if complexity as usize > self.settings.complexity {
            return Err(refused(&RequestError::exceeds("complexity", self.settings.complexity), context));
        }
        let root = root_points(operation.document(), &operation.definition().selection_set.node);
        let price = Price { root, fields: complexity.saturating_add(work) };
        self.document_cache.insert_price(operation.hash, price);
        Ok(price)
    }
}

fn refused(refusal: &RequestError, context: &RequestContext) -> Answer {
    Answer::refused(refusal, context.untracked_app(), context.language)
}

fn invalid(response: Response, context: &RequestContext) -> Answer {
    let coded = response.errors.into_iter().map(|error| {
        let refusal = match coercion(&error.message) {
            Some(message) => RequestError::protocol(Protocol::ValidationFailed, message),
            None => RequestError::worded(Protocol::ValidationFailed, error.message),
        };
        let rendered = refusal.render(context.untracked_app(), context.language);
        async_graphql::ServerError { locations: error.locations, ..rendered }
    });
    Answer::invalid(coded.collect())
}

/// The price of all root fields, including aliases and fragments. The guard has bounded their number and depth.
fn root_points(document: &ExecutableDocument, set: &SelectionSet) -> u32 {
    let points = set.items.iter().map(|selection| match &selection.node {
        Selection::Field(field) => prices::of_root_field(field.node.name.node.as_str()),
        Selection::InlineFragment(fragment) => root_points(document, &fragment.node.selection_set.node),
        Selection::FragmentSpread(spread) => {
            let fragment = document.fragments.get(&spread.node.fragment_name.node);
            fragment.map_or(0, |fragment| root_points(document, &fragment.node.selection_set.node))
        }
    });
    points.fold(0, u32::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_graphql::parser::parse_query;

    fn points(query: &str) -> u32 {
        let document = parse_query(query).unwrap();
        let (_, operation) = document.operations.iter().next().unwrap();
        root_points(&document, &operation.node.selection_set.node)
    }

    #[test]
    fn a_hundred_aliases_cost_a_hundred_times_as_much() {
        let one = points("mutation { createGame { version } }");
        let aliases: Vec<_> = (0..100).map(|number| format!("a{number}: createGame {{ version }}")).collect();
        assert_eq!(points(&format!("mutation {{ {} }}", aliases.join(" "))), 100 * one);
        assert_eq!(one, 5 * prices::UNIT);
    }

    #[test]
    fn fragments_hide_nothing() {
        let plain = points("{ a: me { id } b: me { id } games { nodes { id } } }");
        let spread =
            points("{ ...twice ... { games { nodes { id } } } } fragment twice on Query { a: me { id } b: me { id } }");
        assert_eq!(plain, spread);
    }
}
