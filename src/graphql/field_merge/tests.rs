//! Compares the rule with a literal implementation of the specification, and bounds its work on hostile documents.

use super::*;
use async_graphql::indexmap::{IndexMap, IndexSet};
use async_graphql::parser::parse_query;
use async_graphql::registry::{MetaField, ObjectBuilder};
use proptest::prelude::*;
use std::iter::repeat_n;

const OBJECTS: usize = 10;

/// An interface `It` that refers to itself, and ten object types that implement it. Their `own` fields differ.
fn registry() -> Registry {
    let fields = |own: Option<&str>| {
        let common = [("it", "It"), ("n", "Int!"), ("m", "Int!"), ("s", "String"), ("many", "[It!]!")];
        let fields = common.into_iter().chain(own.map(|ty| ("own", ty)));
        fields.map(|(name, ty)| (name.to_owned(), MetaField::new(name, ty))).collect::<IndexMap<_, _>>()
    };
    let mut registry = Registry { query_type: "Query".to_owned(), ..Registry::default() };
    let own = ["Int!", "Int!", "Int", "String", "[Int!]", "It", "O0", "[It!]!"];
    for (number, own) in (0..OBJECTS).zip(own.into_iter().cycle()) {
        let name = format!("O{number}");
        registry.types.insert(name.clone(), ObjectBuilder::new(&name, fields(Some(own))).build());
    }
    registry.types.insert("Query".to_owned(), ObjectBuilder::new("Query", fields(None)).build());
    let interface = MetaType::Interface {
        name: "It".to_owned(),
        description: None,
        fields: fields(None),
        possible_types: IndexSet::new(),
        extends: false,
        keys: None,
        visible: None,
        inaccessible: false,
        tags: Vec::new(),
        rust_typename: None,
        directive_invocations: Vec::new(),
        requires_scopes: Vec::new(),
    };
    registry.types.insert("It".to_owned(), interface);
    registry
}

fn checked(document: &str) -> Checked {
    check(&parse_query(document).expect("a document"), &registry())
}

#[track_caller]
fn conflict(document: &str) -> String {
    match &checked(document).conflicts[..] {
        [only] => only.message.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_conflict_says_what_differs_where_and_what_to_do() {
    let types = conflict("{ it { ... on O0 { own } ... on O2 { own } } }");
    assert_eq!(
        types,
        "Fields \"own\" conflict because they return conflicting types \"Int!\" and \"Int\". Use different aliases on the \
         fields to fetch both if this was intentional."
    );
    let names = conflict("{ it { x: n ... on O0 { x: m } } }");
    assert!(names.starts_with("Fields \"x\" conflict because \"m\" and \"n\" are different fields."), "{names}");
    let arguments = conflict("{ it(a: 1) { n } it(a: 2) { n } }");
    assert!(arguments.starts_with("Fields \"it\" conflict because they have differing arguments."), "{arguments}");
    let Checked { conflicts, .. } = checked("{ it {\n ... on O0 { own }\n ... on O2 { own } } }");
    assert_eq!(conflicts[0].locations.iter().map(|at| at.line).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn at_most_ten_conflicts_are_reported() {
    let conflicts = (0..50).fold(String::new(), |text, number| text + &format!("x{number}: n x{number}: m "));
    assert_eq!(checked(&format!("{{ {conflicts} }}")).conflicts.len(), MOST_CONFLICTS);
}

#[test]
fn arguments_are_compared_by_what_they_say() {
    let same =
        |one: &str, other: &str| checked(&format!("{{ it({one}) {{ n }} it({other}) {{ n }} }}")).conflicts.is_empty();
    assert!(same("a: 1, b: 2", "b: 2, a: 1"));
    assert!(same("a: {b: 1, c: [2, {d: 3, e: 4}]}", "a: {c: [2, {e: 4, d: 3}], b: 1}"));
    assert!(!same("a: [1, 2]", "a: [2, 1]"));
    assert!(same("a: $v", "a: $v") && !same("a: $v", "a: $w") && !same("a: $v", "a: v"));
    assert!(!same("a: \"v\"", "a: v") && !same("a: 1", "a: 1.0") && !same("a: null", "b: null"));
}

#[test]
fn what_is_not_in_the_schema_is_left_to_other_rules() {
    assert!(checked("{ x: nothing x: n ...nowhere ... on Nobody { x: m } }").conflicts.is_empty());
}

#[test]
fn inline_fragments_say_the_type_that_is_around_them() {
    let mut document = parse_query(
        "{ ... { n } ... on O0 { ... { n ... { it { ... { n } } } } } } fragment f on O1 { ... @skip(if: true) { n } }",
    )
    .unwrap();
    state_conditions(&mut document);
    let stated = |set: &SelectionSet| match &set.items[..] {
        [.., last] => match &last.node {
            Selection::InlineFragment(fragment) => {
                let condition = fragment.node.type_condition.as_ref();
                (condition.map(|on| on.node.on.node.to_string()), fragment.node.selection_set.node.clone())
            }
            other => panic!("{other:?}"),
        },
        [] => panic!("nothing is selected"),
    };
    let (_, operation) = document.operations.iter().next().unwrap();
    let root = &operation.node.selection_set.node;
    let Selection::InlineFragment(first) = &root.items[0].node else { panic!("{root:?}") };
    assert!(first.node.type_condition.is_none(), "nothing is around it");
    let (outer, within) = stated(root);
    let (inner, within) = stated(&within);
    let (innermost, within) = stated(&within);
    assert_eq!([outer, inner, innermost], [(); 3].map(|()| Some("O0".to_owned())));
    let Selection::Field(it) = &within.items[0].node else { panic!("{within:?}") };
    assert_eq!(stated(&it.node.selection_set.node).0, None, "below a field it is of another type");
    let fragment = document.fragments.values().next().unwrap();
    assert_eq!(stated(&fragment.node.selection_set.node).0.as_deref(), Some("O1"));
}

/// At each level the interface refers to itself, and each object type adds a chain that reaches to the bottom. An
/// algorithm that checks the fields of each object type together with those of the interface, level by level, meets a
/// new set for each path through the types: ten to the power of the depth.
fn all_ways_through_the_types(depth: usize, objects: usize) -> String {
    if depth == 0 {
        return "n".to_owned();
    }
    let chain = format!("{}n{}", "it { ".repeat(depth), " }".repeat(depth));
    let chains = (0..objects).fold(String::new(), |text, number| text + &format!(" ... on O{number} {{ {chain} }}"));
    format!("it {{ {} }}{chains}", all_ways_through_the_types(depth - 1, objects))
}

#[test]
fn not_all_ways_through_the_types_are_gone() {
    let document = format!("{{ it {{ {} }} }}", all_ways_through_the_types(10, OBJECTS));
    let Checked { conflicts, steps } = checked(&document);
    assert!(conflicts.is_empty(), "{conflicts:?}");
    let fields = document.matches("it {").count() + document.matches("n }").count();
    assert!(steps < 40 * fields, "{steps} steps for {fields} fields");
}

#[test]
fn a_thousand_fields_of_one_name_are_compared_with_one_and_not_with_each_other() {
    let document = format!("{{ {} }}", repeat_n("it { it { n } }", 600).collect::<String>());
    assert_eq!(checked(&document).steps, 2 * 3 * 600);
    let spread = format!("{{ {} }} fragment f on Query {{ it {{ n }} }}", "it { n } ...f ".repeat(600));
    assert_eq!(checked(&spread).steps, 2 * 2 * 601, "a fragment brings its fields once");
}

/// Many paths through the types, and many fields of the interface at their end: each path is compared with all of them.
/// Our own schema has no interface that refers to itself, so nothing there comes close.
#[test]
fn many_ways_that_meet_many_fields_stay_below_the_square() {
    let ways = |count: usize, inner: &str| {
        (0..count).fold(String::new(), |text, number| text + &format!("... on O{number} {{ it {{ {inner} }} }} "))
    };
    let own = ways(OBJECTS, &ways(OBJECTS, &ways(4, "n")));
    let common = format!("it {{ it {{ it {{ {} }} }} }}", "n ".repeat(1_000));
    let Checked { conflicts, steps } = checked(&format!("{{ it {{ {common} {own} }} }}"));
    assert!(conflicts.is_empty(), "{conflicts:?}");
    let fields = 1 + 3 + 1_000 + 10 + 100 + 400 + 400;
    assert!(steps < fields * fields / 8, "{steps} steps for {fields} fields");
}

/// A literal implementation of the specification: compares all pairs, without a bound.
struct Pairs<'a>(Check<'a>);

impl Pairs<'_> {
    fn same_name(&self, set: &[usize]) -> Vec<(usize, usize)> {
        let name = |number: usize| response_name(&self.0.fields[number]);
        let pairs = set.iter().enumerate().flat_map(|(at, &one)| set[at + 1..].iter().map(move |&other| (one, other)));
        pairs.filter(|&(one, other)| name(one) == name(other)).collect()
    }

    fn below(&self, one: usize, other: usize) -> Vec<usize> {
        [&self.0.fields[one].below[..], &self.0.fields[other].below].concat()
    }

    fn can_merge(&self, set: &[usize]) -> bool {
        self.same_name(set).into_iter().all(|(one, other)| {
            let (a, b) = (&self.0.fields[one], &self.0.fields[other]);
            let exclude_each_other = a.parent != b.parent && !a.is_of_abstract && !b.is_of_abstract;
            self.have_one_response_shape(one, other)
                && (exclude_each_other || a.question == b.question && self.can_merge(&self.below(one, other)))
        })
    }

    fn have_one_response_shape(&self, one: usize, other: usize) -> bool {
        self.0.have_one_shape(self.0.fields[one].ty, self.0.fields[other].ty)
            && self.same_name(&self.below(one, other)).into_iter().all(|(a, b)| self.have_one_response_shape(a, b))
    }
}

fn can_merge_by_pairs(document: &ExecutableDocument, registry: &Registry) -> bool {
    let mut expansion = Expansion { document, registry, fields: Vec::new(), questions: Questions::default() };
    let (_, operation) = document.operations.iter().next().expect("an operation");
    let root = expansion.expand(&operation.node.selection_set.node, "Query");
    let pairs = Pairs(Check { registry, fields: &expansion.fields, conflicts: Vec::new(), steps: 0 });
    pairs.can_merge(&root) && expansion.fields.iter().all(|field| pairs.can_merge(&field.below))
}

/// Selections that often share a response name, on types that often differ.
fn selections() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["n", "m", "s", "x: n", "x: m", "x: s", "own", "x: own", "__typename", "...f"]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
        let set = prop::collection::vec(inner, 1..4).prop_map(|set| set.join(" "));
        let before = prop::sample::select(vec![
            "it",
            "it(a: 1)",
            "it(a: 2)",
            "x: it",
            "many",
            "own",
            "y: own",
            "...",
            "... on It",
            "... on O0",
            "... on O1",
            "... on O2",
            "... on O5",
            "... on O6",
            "... on O7",
        ]);
        (before, set).prop_map(|(before, set)| format!("{before} {{ {set} }}"))
    })
}

proptest! {
    #[test]
    fn it_agrees_with_the_specification(
        set in prop::collection::vec(selections(), 1..5),
        fragment in prop::sample::select(vec!["It { x: n }", "O0 { own x: m }", "O2 { own it { x: s } }", "It { it { n } }"]),
    ) {
        let document = format!("{{ it {{ {} }} }} fragment f on {fragment}", set.join(" "));
        let (document, registry) = (parse_query(document).expect("a document"), registry());
        let by_pairs = can_merge_by_pairs(&document, &registry);
        prop_assert_eq!(check(&document, &registry).conflicts.is_empty(), by_pairs);
    }
}
