//! Counts values, and uses of variables. A value nests no deeper than its parser lets it, so these may recurse.

use async_graphql::Value;
use async_graphql::parser::types::Selection;
use std::convert::Infallible;

/// The values in a variable, or in a constant of a document, itself included.
pub fn count(value: &Value) -> usize {
    1 + match value {
        Value::List(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// How often a selection uses a variable, in its arguments and those of its directives, without what is selected of it.
pub fn variable_uses(selection: &Selection) -> usize {
    let own = match selection {
        Selection::Field(field) => &field.node.arguments[..],
        Selection::FragmentSpread(_) | Selection::InlineFragment(_) => &[],
    };
    let of_directives = selection.directives().iter().flat_map(|directive| &directive.node.arguments);
    let mut uses = 0;
    for (_, value) in own.iter().chain(of_directives) {
        // The library has no name for values that may have variables in them, only this to go through one.
        let Ok(_) = value.node.clone().into_const_with(|_| {
            uses += 1;
            Ok::<_, Infallible>(Value::Null)
        });
    }
    uses
}
