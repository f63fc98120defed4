//! What an operation costs its client: the price of each root field, which loads or writes something, the work of what
//! its fields load besides, and a point for every field that is written, times the length of the lists it is in.

use super::Graphql;
use super::answer::Answer;
use super::operation::{Operation, panicked};
use super::refusal::{Protocol, Refusal, coercion};
use crate::graphql::asking::Asking;
use crate::graphql::weight::Weight;
use crate::quota::prices;
use async_graphql::Response;
use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// What an operation costs, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Its root fields.
    root: u32,
    /// All that it writes, and what that takes to load.
    fields: u32,
}

impl Price {
    /// Carrying it out once. Looking it up is work too.
    pub fn of_operation(self) -> u32 {
        self.root.saturating_add(self.fields).max(prices::DOCUMENT)
    }

    /// One event of a subscription: it was opened and looked up before.
    pub fn of_event(self) -> u32 {
        self.fields.saturating_add(prices::STREAMED_EVENT)
    }
}

impl Graphql {
    /// Validates an operation, charges its client, and tells the price; or tells why it is not executed.
    pub(super) async fn charge(&self, operation: &Operation, asking: &Arc<Asking>) -> Result<Price, Answer> {
        let price = match operation.price {
            Some(price) => price,
            // Boxed, because it is large and requests that were appraised before skip it.
            None => Box::pin(self.appraise(operation, asking)).await?,
        };
        asking.charge(price.of_operation()).map_err(|refusal| refused(&refusal, asking))?;
        Ok(price)
    }

    async fn appraise(&self, operation: &Operation, asking: &Arc<Asking>) -> Result<Price, Answer> {
        let charged = asking.charge_unseen(operation.validation_points());
        charged.map_err(|refusal| refused(&refusal, asking))?;
        let (request, validated) = operation.to_validation(asking);
        let stopped = AssertUnwindSafe(self.validating.execute(request)).catch_unwind().await;
        let Ok(response) = stopped else { return Err(panicked(asking)) };
        let Some(Weight { complexity, work }) = validated.weight() else { return Err(invalid(response, asking)) };
        if complexity as usize > self.settings.complexity {
            return Err(refused(&Refusal::exceeds("complexity", self.settings.complexity), asking));
        }
        let root = root_points(operation.document(), &operation.definition().selection_set.node);
        let price = Price { root, fields: complexity.saturating_add(work) };
        self.familiar.found_valid(operation.mark, price);
        Ok(price)
    }
}

fn refused(refusal: &Refusal, asking: &Asking) -> Answer {
    Answer::refused(refusal, asking.unread_app(), asking.language)
}

fn invalid(response: Response, asking: &Asking) -> Answer {
    let coded = response.errors.into_iter().map(|error| {
        let refusal = match coercion(&error.message) {
            Some(message) => Refusal::protocol(Protocol::ValidationFailed, message),
            None => Refusal::worded(Protocol::ValidationFailed, error.message),
        };
        let rendered = refusal.render(asking.unread_app(), asking.language);
        async_graphql::ServerError { locations: error.locations, ..rendered }
    });
    Answer::invalid(coded.collect())
}

/// The price of all root fields, aliases and fragments included. The guard has bounded how many there are and how deep.
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
