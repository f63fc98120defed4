//! Validation rule OverlappingFieldsCanBeMerged (GraphQL specification, 5.3.2), complete.
//!
//! Fields with the same response name in the same place are merged into one value. So they must have the same shape
//! (type and nullability, [`Check::shapes`]). Unless their parents are two different object types, which no value can
//! have both, they must also be the same field with the same arguments ([`Check::merge`]). The library's rule of that
//! name compares names and arguments within one selection set only; this one runs after it, on documents that are
//! otherwise valid.
//!
//! Clients are not trusted, so the work is bounded. The specification compares all pairs, again for each pair of
//! parents. Here fields are grouped by response name, and everything selected below a group is checked as one set.
//! [`Check::shapes`] checks each field once. [`Check::merge`] adds each field once, and compares it with the fields of
//! its group. For `n` fields these take `n` steps and at most `n²` steps, no matter how deeply the document nests. The
//! guard has bounded `n`, with all fragments expanded.

use async_graphql::parser::types::{
    DocumentOperations, ExecutableDocument, Field, InlineFragment, OperationType, Selection, SelectionSet,
    TypeCondition,
};
use async_graphql::registry::{MetaType, MetaTypeName, Registry};
use async_graphql::{Name, Positioned, ServerError, Value};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::convert::Infallible;

/// The largest number of conflicts to report: each is a sentence in the answer.
const MOST_CONFLICTS: usize = 10;

/// The result of checking a document.
#[derive(Debug)]
pub struct Checked {
    pub conflicts: Vec<ServerError>,
    /// The number of checks of a field.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests hold the work to its bound"))]
    pub steps: usize,
}

/// Finds fields that can't be merged. Skips fields and types that are not in the schema: other rules refuse them.
pub fn check(document: &ExecutableDocument, registry: &Registry) -> Checked {
    let mut expansion = Expansion { document, registry, fields: Vec::new(), questions: Questions::default() };
    let roots = document.operations.iter().filter_map(|(_, operation)| {
        let root = match operation.node.ty {
            OperationType::Query => Some(&registry.query_type),
            OperationType::Mutation => registry.mutation_type.as_ref(),
            OperationType::Subscription => registry.subscription_type.as_ref(),
        };
        Some(expansion.expand(&operation.node.selection_set.node, root?))
    });
    let roots: Vec<_> = roots.collect();
    let mut check = Check { registry, fields: &expansion.fields, conflicts: Vec::new(), steps: 0 };
    for root in &roots {
        check.shapes(root);
        check.merge(root, &[]);
    }
    Checked { conflicts: check.conflicts, steps: check.steps }
}

/// Adds the type condition of the surrounding fragment to inline fragments that have none. The library's rule would
/// treat two of those as fragments on the same type, and refuse fields that can be merged.
pub fn state_conditions(document: &mut ExecutableDocument) {
    let operations: Vec<_> = match &mut document.operations {
        DocumentOperations::Single(only) => vec![only],
        DocumentOperations::Multiple(named) => named.values_mut().collect(),
    };
    for operation in operations {
        state_conditions_within(&mut operation.node.selection_set.node, None);
    }
    for fragment in document.fragments.values_mut() {
        let condition = fragment.node.type_condition.clone();
        state_conditions_within(&mut fragment.node.selection_set.node, Some(&condition));
    }
}

fn state_conditions_within(set: &mut SelectionSet, around: Option<&Positioned<TypeCondition>>) {
    for selection in &mut set.items {
        match &mut selection.node {
            Selection::Field(field) => state_conditions_within(&mut field.node.selection_set.node, None),
            Selection::InlineFragment(fragment) => {
                let InlineFragment { type_condition, selection_set, .. } = &mut fragment.node;
                if type_condition.is_none() {
                    *type_condition = around.cloned();
                }
                state_conditions_within(&mut selection_set.node, type_condition.as_ref());
            }
            Selection::FragmentSpread(_) => {}
        }
    }
}

/// A selected field; one for each place where its fragments are spread.
struct Selected<'a> {
    field: &'a Positioned<Field>,
    /// Number of its name and arguments: equal if both are equal.
    question: usize,
    /// The type that the field is selected on.
    parent: &'a str,
    /// Whether that type is an interface or a union, which values of several object types have.
    is_of_abstract: bool,
    /// The type of the field's value.
    ty: &'a str,
    /// The fields selected on that value.
    below: Vec<usize>,
}

/// Expands the fragments of a document.
struct Expansion<'a> {
    document: &'a ExecutableDocument,
    registry: &'a Registry,
    /// All selected fields of the document.
    fields: Vec<Selected<'a>>,
    questions: Questions,
}

impl<'a> Expansion<'a> {
    /// The fields that a selection set expands to.
    fn expand(&mut self, set: &'a SelectionSet, parent: &'a str) -> Vec<usize> {
        let mut expanded = Vec::new();
        self.expand_into(set, parent, &mut HashSet::new(), &mut expanded);
        expanded
    }

    fn expand_into(
        &mut self,
        set: &'a SelectionSet,
        parent: &'a str,
        spread_before: &mut HashSet<&'a str>,
        expanded: &mut Vec<usize>,
    ) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => expanded.extend(self.select(field, parent)),
                Selection::InlineFragment(fragment) => {
                    let condition = fragment.node.type_condition.as_ref();
                    let parent = condition.map_or(parent, |condition| condition.node.on.node.as_str());
                    self.expand_into(&fragment.node.selection_set.node, parent, spread_before, expanded);
                }
                Selection::FragmentSpread(spread) => {
                    let name = &spread.node.fragment_name.node;
                    // Spreading a fragment again would add the same fields.
                    if let Some(fragment) = self.document.fragments.get(name)
                        && spread_before.insert(name.as_str())
                    {
                        let parent = fragment.node.type_condition.node.on.node.as_str();
                        self.expand_into(&fragment.node.selection_set.node, parent, spread_before, expanded);
                    }
                }
            }
        }
    }

    fn select(&mut self, field: &'a Positioned<Field>, parent: &'a str) -> Option<usize> {
        let of = self.registry.types.get(parent)?;
        let ty = match field.node.name.node.as_str() {
            "__typename" => "String!",
            name => &of.field_by_name(name)?.ty,
        };
        let below = self.expand(&field.node.selection_set.node, MetaTypeName::concrete_typename(ty));
        let question = self.questions.number(field);
        self.fields.push(Selected { field, question, parent, is_of_abstract: of.is_abstract(), ty, below });
        Some(self.fields.len() - 1)
    }
}

/// Assigns numbers to fields with their arguments, so that long arguments are formatted once and not for each
/// comparison.
#[derive(Default)]
struct Questions {
    by_field: HashMap<*const Positioned<Field>, usize>,
    by_text: HashMap<String, usize>,
}

impl Questions {
    fn number(&mut self, field: &Positioned<Field>) -> usize {
        if let Some(&number) = self.by_field.get(&std::ptr::from_ref(field)) {
            return number;
        }
        let next = self.by_text.len();
        let number = *self.by_text.entry(question(&field.node)).or_insert(next);
        self.by_field.insert(field, number);
        number
    }
}

/// A field's name and arguments as text. The order of arguments and of fields of input objects is not significant.
fn question(field: &Field) -> String {
    let mut arguments: Vec<_> = field
        .arguments
        .iter()
        .map(|(name, value)| {
            // Enum values can't begin with `$`, so this can't be confused with one.
            let spelled = |variable: Name| Ok::<_, Infallible>(Value::Enum(Name::new(format!("${variable}"))));
            let Ok(value) = value.node.clone().into_const_with(spelled);
            format!("{}:{}", name.node, sorted(value))
        })
        .collect();
    arguments.sort_unstable();
    format!("{}({})", field.name.node, arguments.join(","))
}

fn sorted(value: Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.into_iter().map(sorted).collect()),
        Value::Object(fields) => {
            let fields: BTreeMap<_, _> = fields.into_iter().map(|(name, value)| (name, sorted(value))).collect();
            Value::Object(fields.into_iter().collect())
        }
        leaf => leaf,
    }
}

/// Fields with the same response name.
#[derive(Default)]
struct Group<'a> {
    new: Fields<'a>,
    old: Fields<'a>,
}

/// Fields by the types that they are selected on. No value has two object types.
#[derive(Default)]
struct Fields<'a> {
    of_abstract: Vec<&'a Selected<'a>>,
    of_object: BTreeMap<&'a str, Vec<&'a Selected<'a>>>,
}

impl<'a> Fields<'a> {
    fn add(&mut self, field: &'a Selected<'a>) {
        if field.is_of_abstract {
            self.of_abstract.push(field);
        } else {
            self.of_object.entry(field.parent).or_default().push(field);
        }
    }

    fn all(&self) -> impl Iterator<Item = &'a Selected<'a>> + Clone {
        self.of_abstract.iter().chain(self.of_object.values().flatten()).copied()
    }

    /// The fields that a value of an object type can have.
    fn of(&self, object: &str) -> impl Iterator<Item = &'a Selected<'a>> + Clone {
        self.of_abstract.iter().chain(self.of_object.get(object).into_iter().flatten()).copied()
    }
}

struct Check<'a> {
    registry: &'a Registry,
    fields: &'a [Selected<'a>],
    conflicts: Vec<ServerError>,
    steps: usize,
}

impl<'a> Check<'a> {
    /// Checks that all fields with the same response name have the same shape, also below them.
    fn shapes(&mut self, set: &[usize]) {
        self.steps += set.len();
        let mut groups: BTreeMap<&str, Vec<&'a Selected<'a>>> = BTreeMap::new();
        for field in self.get(set) {
            groups.entry(response_name(field)).or_default().push(field);
        }
        for group in groups.values() {
            let first = group[0];
            match group.iter().find(|other| !self.have_one_shape(first.ty, other.ty)) {
                Some(other) => {
                    let why = format!("they return conflicting types \"{}\" and \"{}\"", first.ty, other.ty);
                    self.report(first, other, &why);
                }
                None => self.shapes(&below(group.iter().copied())),
            }
        }
    }

    /// Checks that fields which can be merged are the same field with the same arguments, also below them. Compares new
    /// fields with each other and with old ones, but not old ones with each other: those were compared before, or need
    /// not be.
    fn merge(&mut self, new: &[usize], old: &[usize]) {
        self.steps += new.len() + old.len();
        let mut groups: BTreeMap<&str, Group<'a>> = BTreeMap::new();
        for field in self.get(new) {
            groups.entry(response_name(field)).or_default().new.add(field);
        }
        for field in self.get(old) {
            if let Some(group) = groups.get_mut(response_name(field)) {
                group.old.add(field);
            }
        }
        for Group { new, old } in groups.values() {
            // Each new field is new in one of these calls and old in the others, so there are at most as many calls as
            // fields.
            self.merge_group(&new.of_abstract, old.all());
            for (object, fields) in &new.of_object {
                self.merge_group(fields, new.of_abstract.iter().copied().chain(old.of(object)));
            }
        }
    }

    fn merge_group(&mut self, new: &[&'a Selected<'a>], old: impl Iterator<Item = &'a Selected<'a>> + Clone) {
        let Some(&first) = new.first() else { return };
        match new.iter().copied().chain(old.clone()).find(|other| other.question != first.question) {
            Some(other) => {
                let (one, two) = (&first.field.node.name.node, &other.field.node.name.node);
                let why = if one == two {
                    "they have differing arguments".to_owned()
                } else {
                    format!("\"{one}\" and \"{two}\" are different fields")
                };
                self.report(first, other, &why);
            }
            None => {
                let new = below(new.iter().copied());
                if !new.is_empty() {
                    self.merge(&new, &below(old));
                }
            }
        }
    }

    fn get<'s>(&self, set: &'s [usize]) -> impl Iterator<Item = &'a Selected<'a>> + use<'a, 's> {
        let fields = self.fields;
        set.iter().map(move |&number| &fields[number])
    }

    /// Whether values of both types have the same shape: the same lists and nullability, and the same leaf type or
    /// composite types on both sides.
    fn have_one_shape(&self, one: &str, other: &str) -> bool {
        use MetaTypeName::{List, Named, NonNull};
        match (MetaTypeName::create(one), MetaTypeName::create(other)) {
            (NonNull(one), NonNull(other)) | (List(one), List(other)) => self.have_one_shape(one, other),
            (Named(one), Named(other)) => one == other || self.is_composite(one) && self.is_composite(other),
            _ => false,
        }
    }

    fn is_composite(&self, name: &str) -> bool {
        self.registry.types.get(name).is_some_and(MetaType::is_composite)
    }

    /// Reports a conflict with the message of the library's own rule.
    fn report(&mut self, one: &Selected<'_>, other: &Selected<'_>, why: &str) {
        if self.conflicts.len() < MOST_CONFLICTS {
            let name = response_name(one);
            let advice = "Use different aliases on the fields to fetch both if this was intentional.";
            let mut conflict = ServerError::new(format!("Fields \"{name}\" conflict because {why}. {advice}"), None);
            conflict.locations = vec![one.field.pos, other.field.pos];
            self.conflicts.push(conflict);
        }
    }
}

fn response_name<'a>(field: &Selected<'a>) -> &'a str {
    field.field.node.response_key().node.as_str()
}

/// Everything selected below these fields.
fn below<'a>(fields: impl Iterator<Item = &'a Selected<'a>>) -> Vec<usize> {
    fields.flat_map(|field| field.below.iter().copied()).collect()
}

#[cfg(test)]
mod tests;
