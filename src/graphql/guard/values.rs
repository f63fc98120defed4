//! Counts values and uses of variables. Recursion is safe: the parser has bounded the nesting.

use async_graphql::Value;
use async_graphql::parser::types::Selection;
use std::convert::Infallible;

/// The number of values in a variable or constant, including itself.
pub fn count(value: &Value) -> usize {
    1 + match value {
        Value::List(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// The number of variables used in the arguments of a selection and its directives, without those below it.
pub fn variable_uses(selection: &Selection) -> usize {
    let own = match selection {
        Selection::Field(field) => &field.node.arguments[..],
        Selection::FragmentSpread(_) | Selection::InlineFragment(_) => &[],
    };
    let of_directives = selection.directives().iter().flat_map(|directive| &directive.node.arguments);
    let mut uses = 0;
    for (_, value) in own.iter().chain(of_directives) {
        // The library does not export the type of values with variables; this conversion visits them all.
        let Ok(_) = value.node.clone().into_const_with(|_| {
            uses += 1;
            Ok::<_, Infallible>(Value::Null)
        });
    }
    uses
}
