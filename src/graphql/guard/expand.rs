//! Computes the size of a document with its fragments expanded, without expanding them: visits every selection once and
//! sums up every fragment once, without recursion. Neither an exponential nor a deep chain of fragments can exhaust
//! time or stack.

use super::values::{count, variable_uses};
use super::{Why, Work};
use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};
use std::collections::HashMap;

/// Size of a selection with all its fragments expanded. Sums saturate.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExpandedSize {
    pub nodes: usize,
    pub depth: usize,
    pub aliases: usize,
    pub directives: usize,
    pub introspects: bool,
    pub variable_uses: usize,
    pub default_values: usize,
}

impl ExpandedSize {
    /// Adds the size of something that is nested `deeper` levels below.
    fn add(&mut self, other: &ExpandedSize, deeper: usize) {
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.depth = self.depth.max(other.depth.saturating_add(deeper));
        self.aliases = self.aliases.saturating_add(other.aliases);
        self.directives = self.directives.saturating_add(other.directives);
        self.introspects |= other.introspects;
        self.variable_uses = self.variable_uses.saturating_add(other.variable_uses);
        self.default_values = self.default_values.saturating_add(other.default_values);
    }

    fn raise_to(&mut self, other: &ExpandedSize) {
        self.nodes = self.nodes.max(other.nodes);
        self.depth = self.depth.max(other.depth);
        self.aliases = self.aliases.max(other.aliases);
        self.directives = self.directives.max(other.directives);
        self.introspects |= other.introspects;
        self.variable_uses = self.variable_uses.max(other.variable_uses);
    }
}

/// A definition's own selections, and the fragments that it spreads with their depth.
struct Own<'a> {
    size: ExpandedSize,
    spreads: Vec<(&'a str, usize)>,
}

/// State of a fragment: being summed up, or done.
enum Summed {
    Begun,
    Done(ExpandedSize),
}

/// Sums up all operations of a document. Fragments that no operation uses count too: validation refuses them, but only
/// after visiting them.
pub fn expand(document: &ExecutableDocument, work: &mut Work) -> Result<ExpandedSize, Why> {
    let mut fragments = Fragments { document, summed: HashMap::new() };
    for name in document.fragments.keys() {
        fragments.sum_up(name.as_str(), work)?;
    }
    let mut total = ExpandedSize::default();
    for (_, operation) in document.operations.iter() {
        let operation = &operation.node;
        let variables = operation.variable_definitions.iter().map(|variable| variable.node.directives.len());
        let mut own = Own::of(&operation.selection_set.node, work);
        own.size.directives += operation.directives.len() + variables.sum::<usize>();
        let defaults =
            operation.variable_definitions.iter().filter_map(|variable| variable.node.default_value.as_ref());
        own.size.default_values = defaults.map(|value| count(&value.node)).sum();
        total.add(&fragments.total(&own), 0);
    }
    // Unused fragments count too.
    for fragment in fragments.summed.values() {
        if let Summed::Done(size) = fragment {
            total.raise_to(size);
        }
    }
    Ok(total)
}

struct Fragments<'a> {
    document: &'a ExecutableDocument,
    summed: HashMap<&'a str, Summed>,
}

impl<'a> Fragments<'a> {
    /// Sums up a fragment, after all fragments that it spreads.
    fn sum_up(&mut self, name: &'a str, work: &mut Work) -> Result<(), Why> {
        let mut path: Vec<(&'a str, Own<'a>, usize)> = Vec::new();
        path.extend(self.begin(name, work)?);
        while let Some((name, own, looked_at)) = path.last_mut() {
            if let Some(&(spread, _)) = own.spreads.get(*looked_at) {
                *looked_at += 1;
                let next = self.begin(spread, work)?;
                path.extend(next);
            } else {
                let total = self.total(own);
                self.summed.insert(*name, Summed::Done(total));
                path.pop();
            }
        }
        Ok(())
    }

    /// Starts a fragment, unless it is done already or does not exist.
    fn begin(&mut self, name: &'a str, work: &mut Work) -> Result<Option<(&'a str, Own<'a>, usize)>, Why> {
        match self.summed.get(name) {
            Some(Summed::Done(_)) => return Ok(None),
            Some(Summed::Begun) => return Err(Why::Cycle(name.to_owned())),
            None => {}
        }
        let Some(fragment) = self.document.fragments.get(name) else { return Ok(None) };
        self.summed.insert(name, Summed::Begun);
        let mut own = Own::of(&fragment.node.selection_set.node, work);
        own.size.directives += fragment.node.directives.len();
        Ok(Some((name, own, 0)))
    }

    fn total(&self, own: &Own<'_>) -> ExpandedSize {
        let mut total = own.size;
        for (spread, deep) in &own.spreads {
            if let Some(Summed::Done(size)) = self.summed.get(spread) {
                total.add(size, *deep);
            }
        }
        total
    }
}

impl<'a> Own<'a> {
    fn of(set: &'a SelectionSet, work: &mut Work) -> Self {
        let mut own = Self { size: ExpandedSize::default(), spreads: Vec::new() };
        let mut sets = vec![(set, 1)];
        while let Some((set, depth)) = sets.pop() {
            own.size.depth = own.size.depth.max(depth);
            for selection in &set.items {
                work.visited += 1;
                own.size.nodes += 1;
                own.size.directives += selection.node.directives().len();
                own.size.variable_uses += variable_uses(&selection.node);
                let inner = match &selection.node {
                    Selection::Field(field) => {
                        own.size.aliases += usize::from(field.node.alias.is_some());
                        own.size.introspects |= ["__schema", "__type"].contains(&field.node.name.node.as_str());
                        &field.node.selection_set.node
                    }
                    Selection::InlineFragment(fragment) => &fragment.node.selection_set.node,
                    Selection::FragmentSpread(spread) => {
                        own.spreads.push((spread.node.fragment_name.node.as_str(), depth));
                        continue;
                    }
                };
                if !inner.items.is_empty() {
                    sets.push((inner, depth + 1));
                }
            }
        }
        own
    }
}
