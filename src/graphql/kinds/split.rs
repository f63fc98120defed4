//! Splits a document into the part that the library executes and the selections of kinds' values.
//!
//! The library copies a document for each execution and visits all of it. Most fields are those of kinds' values, which
//! [`select`](super::select) writes without the library. So their selections are removed once, when the document is
//! parsed, and looked up later by the position of their field.

use super::Position;
use super::types::OUTPUT;
use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    BaseType, DocumentOperations, ExecutableDocument, FragmentDefinition, Selection, SelectionSet, Type, TypeKind,
    TypeSystemDefinition,
};
use async_graphql::{Name, Pos, Positioned};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A document in two parts.
#[derive(Debug)]
pub struct Split {
    /// The document for the library, without selections of kinds' values.
    pub document: ExecutableDocument,
    selections: HashMap<Pos, Selected>,
    /// The original fragments.
    pub fragments: HashMap<Name, Positioned<FragmentDefinition>>,
}

/// The selection of a value.
#[derive(Debug)]
pub struct Selected {
    pub set: SelectionSet,
    /// Whether another field can have the same key in the same object, so that the library has to merge both values.
    pub may_be_merged: bool,
}

impl Split {
    pub fn new(whole: &ExecutableDocument) -> Self {
        let (mut document, mut selections) = (whole.clone(), HashMap::new());
        for fragment in document.fragments.values_mut() {
            let is_root = ROOTS.contains(&fragment.node.type_condition.node.on.node.as_str());
            take_out(&mut fragment.node.selection_set.node, is_root, &mut selections);
        }
        let operations = match &mut document.operations {
            DocumentOperations::Single(one) => vec![one],
            DocumentOperations::Multiple(several) => several.values_mut().collect(),
        };
        for operation in operations {
            take_out(&mut operation.node.selection_set.node, true, &mut selections);
        }
        let mut paths = Paths { whole, fields: HashMap::new(), merged: HashSet::new() };
        for (_, operation) in whole.operations.iter() {
            paths.fields.clear();
            paths.visit(&operation.node.selection_set.node, &mut Vec::new());
        }
        for place in paths.merged {
            selections.entry(place).and_modify(|selected| selected.may_be_merged = true);
        }
        Self { document, selections, fragments: whole.fragments.clone() }
    }

    /// The selection of a field whose value a kind defines.
    pub fn selected(&self, field: Pos) -> Option<&Selected> {
        self.selections.get(&field)
    }
}

fn take_out(set: &mut SelectionSet, is_root: bool, selections: &mut HashMap<Pos, Selected>) {
    for selection in &mut set.items {
        match &mut selection.node {
            Selection::Field(field) if !is_root && OF_KINDS.contains(field.node.name.node.as_str()) => {
                let set = std::mem::take(&mut field.node.selection_set.node);
                selections.insert(field.pos, Selected { set, may_be_merged: false });
            }
            Selection::Field(field) => take_out(&mut field.node.selection_set.node, false, selections),
            Selection::InlineFragment(fragment) => take_out(&mut fragment.node.selection_set.node, is_root, selections),
            Selection::FragmentSpread(_) => {}
        }
    }
}

/// Finds fields of kinds' values that have the same path in the response. The guard has bounded the size of expanded
/// fragments.
struct Paths<'a> {
    whole: &'a ExecutableDocument,
    fields: HashMap<Vec<&'a str>, Pos>,
    merged: HashSet<Pos>,
}

impl<'a> Paths<'a> {
    fn visit(&mut self, set: &'a SelectionSet, path: &mut Vec<&'a str>) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => {
                    path.push(field.node.response_key().node.as_str());
                    if path.len() > 1 && OF_KINDS.contains(field.node.name.node.as_str()) {
                        self.found(path, field.pos);
                    } else {
                        self.visit(&field.node.selection_set.node, path);
                    }
                    path.pop();
                }
                Selection::InlineFragment(fragment) => self.visit(&fragment.node.selection_set.node, path),
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.whole.fragments.get(&spread.node.fragment_name.node) {
                        self.visit(&fragment.node.selection_set.node, path);
                    }
                }
            }
        }
    }

    fn found(&mut self, path: &[&'a str], field: Pos) {
        match self.fields.entry(path.to_vec()) {
            Entry::Vacant(first) => {
                first.insert(field);
            }
            Entry::Occupied(first) if *first.get() != field => self.merged.extend([*first.get(), field]),
            Entry::Occupied(_) => {}
        }
    }
}

/// Root types: none of their fields is a value of a kind.
const ROOTS: [&str; 3] = ["Query", "Mutation", "Subscription"];

/// Names of the fields with values of kinds. A field of this name has such a value in every type of the service in
/// which it has selections.
static OF_KINDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let schema = parse_schema(crate::graphql::sdl()).expect("our own schema is well-formed");
    let types: HashMap<_, _> = schema
        .definitions
        .iter()
        .filter_map(|definition| match definition {
            TypeSystemDefinition::Type(ty) => Some((ty.node.name.node.as_str(), &ty.node.kind)),
            _ => None,
        })
        .collect();
    let fields =
        types.iter().filter(|(name, _)| !OUTPUT.has(name) && !ROOTS.contains(name)).flat_map(|(_, kind)| match kind {
            TypeKind::Object(object) => &object.fields[..],
            TypeKind::Interface(interface) => &interface.fields[..],
            _ => &[],
        });
    let (mut of_kinds, mut others) = (HashSet::new(), HashSet::new());
    for field in fields {
        let ty = base(&field.node.ty.node);
        let has_selections =
            matches!(types.get(ty), Some(TypeKind::Object(_) | TypeKind::Interface(_) | TypeKind::Union(_)));
        if is_position(ty) {
            of_kinds.insert(field.node.name.node.to_string());
        } else if has_selections {
            others.insert(field.node.name.node.to_string());
        }
    }
    of_kinds.retain(|name| !others.contains(name));
    of_kinds
});

fn is_position(ty: &str) -> bool {
    Position::OF_RESPONSES.into_iter().chain([Position::Outcome]).any(|position| position.type_name() == ty)
}

/// The name of a type, without its lists.
fn base(ty: &Type) -> &str {
    match &ty.base {
        BaseType::Named(name) => name,
        BaseType::List(item) => base(item),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_graphql::parser::parse_query;

    #[test]
    fn fields_of_kinds_are_known_by_their_names() {
        let mut names: Vec<_> = OF_KINDS.iter().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["action", "choice", "effect", "events", "move", "options", "outcome", "view"]);
    }

    #[test]
    fn the_library_is_left_with_the_fields_of_the_service() {
        let text = "query($id: ID!) { events(gameId: $id) { nodes { version events { type } } } ...Rest }
            fragment Rest on Query { game(id: $id) { id view { ... on ChipsView { round ...More } } } }
            fragment More on ChipsView { seats { tokens } }";
        let whole = parse_query(text).unwrap();
        let split = Split::new(&whole);
        let left = |set: &SelectionSet| count(set);
        let DocumentOperations::Single(operation) = &split.document.operations else { panic!("one operation") };
        assert_eq!(left(&operation.node.selection_set.node), 4, "events, nodes, version, events");
        assert_eq!(left(&split.document.fragments["Rest"].node.selection_set.node), 3, "game, id, view");
        assert_eq!(split.selections.len(), 2);
        assert!(split.selections.values().all(|selected| !selected.may_be_merged && !selected.set.items.is_empty()));
    }

    fn count(set: &SelectionSet) -> usize {
        let fields = set.items.iter().map(|selection| match &selection.node {
            Selection::Field(field) => 1 + count(&field.node.selection_set.node),
            Selection::InlineFragment(fragment) => count(&fragment.node.selection_set.node),
            Selection::FragmentSpread(_) => 0,
        });
        fields.sum()
    }

    #[test]
    fn only_what_leads_to_the_same_place_may_be_merged() {
        let merged = |text: &str| {
            let split = Split::new(&parse_query(text).unwrap());
            split.selections.values().filter(|selected| selected.may_be_merged).count()
        };
        assert_eq!(merged("{ a: game { view { kind } } b: game { view { kind } one: view { kind } } }"), 0);
        assert_eq!(merged("{ game { view { kind } ... { view { __typename } } } }"), 2);
        assert_eq!(merged("{ game { ...f ...f } } fragment f on Game { view { kind } }"), 0, "it is the same field");
        assert_eq!(merged("{ game { ...f } game { view { kind } } } fragment f on Game { view { kind } }"), 2);
        assert_eq!(merged("query A { game { view { kind } } } query B { game { view { kind } } }"), 0);
    }
}
