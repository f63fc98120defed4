//! What an operation costs its client: the price of each root field, which loads or writes something, and a point for
//! every field that is written, times the length of the lists it is in.

use super::Graphql;
use super::answer::Answer;
use super::operation::{Operation, panicked};
use super::refusal::{Protocol, Refusal, coercion};
use super::validation::Validated;
use crate::graphql::asking::Asking;
use crate::quota::prices;
use async_graphql::Response;
use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

impl Graphql {
    /// Validates an operation, charges its client, and tells the price in points; or tells why it is not executed.
    pub(super) async fn charge(&self, operation: &Operation, asking: &Arc<Asking>) -> Result<u32, Answer> {
        let points = match operation.points {
            Some(points) => points,
            // Boxed, because it is large and requests that were appraised before skip it.
            None => Box::pin(self.appraise(operation, asking)).await?,
        };
        asking.charge(points).map_err(|refusal| Answer::refused(&refusal, asking.unread_app(), asking.language))?;
        Ok(points)
    }

    async fn appraise(&self, operation: &Operation, asking: &Arc<Asking>) -> Result<u32, Answer> {
        let charged = asking.charge_new_document(operation.bytes()).map_err(Refusal::from);
        charged.map_err(|refusal| Answer::refused(&refusal, asking.unread_app(), asking.language))?;
        let validated = Arc::new(Validated::default());
        let request = operation.to_request(asking).data(validated.clone());
        let stopped = AssertUnwindSafe(self.validating.execute(request)).catch_unwind().await;
        let Ok(response) = stopped else { return Err(panicked(asking)) };
        let Some(complexity) = validated.complexity() else { return Err(self.invalid(response, asking)) };
        let root = root_points(operation.document(), &operation.definition().selection_set.node);
        // Looking it up is work too.
        let points = root.saturating_add(u32::try_from(complexity).unwrap_or(u32::MAX)).max(prices::DOCUMENT);
        self.familiar.found_valid(operation.mark, points);
        Ok(points)
    }

    fn invalid(&self, response: Response, asking: &Asking) -> Answer {
        let refusal = |error: &async_graphql::ServerError| match error.message.as_str() {
            "Query is too complex." => Refusal::exceeds("complexity", self.settings.complexity),
            text => match coercion(text) {
                Some(message) => Refusal::protocol(Protocol::ValidationFailed, message),
                None => Refusal::worded(Protocol::ValidationFailed, text),
            },
        };
        let coded = response.errors.into_iter().map(|error| {
            let rendered = refusal(&error).render(asking.unread_app(), asking.language);
            async_graphql::ServerError { locations: error.locations, ..rendered }
        });
        Answer::invalid(coded.collect())
    }
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
