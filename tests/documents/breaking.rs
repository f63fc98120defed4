//! The schema only grows: what was released stays, unless the changelog names what went.
//!
//! `schema/released.graphql` is the schema of the last release; a release copies `schema/schema.graphql` over it.

use async_graphql::Positioned;
use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{InputValueDefinition, ServiceDocument, TypeKind, TypeSystemDefinition};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a client can rely on, each under its coordinate: `Game`, `Game.view`, `Query.game(id:)`, `GameStatus.ACTIVE`.
type Promises = BTreeMap<String, Promise>;

#[derive(Clone, Debug, PartialEq)]
enum Promise {
    /// A type of a sort, a value of an enum, a member of a union or an interface.
    There(String),
    /// A field that gives a type.
    Gives(String),
    /// An argument, or a field of an input, that takes a type.
    Takes { ty: String, required: bool },
}

fn promises(sdl: &str) -> Promises {
    let document: ServiceDocument = parse_schema(sdl).expect("a schema");
    let mut promises = Promises::new();
    for definition in document.definitions {
        let TypeSystemDefinition::Type(ty) = definition else { continue };
        let name = ty.node.name.node.to_string();
        let mut promise = |path: String, promise| assert!(promises.insert(path.clone(), promise).is_none(), "{path}");
        let sort = |sort: &str| Promise::There(sort.to_owned());
        match ty.node.kind {
            TypeKind::Scalar => promise(name, sort("scalar")),
            TypeKind::Object(_) | TypeKind::Interface(_) => {
                let (fields, implements) = match ty.node.kind {
                    TypeKind::Object(object) => (object.fields, object.implements),
                    TypeKind::Interface(interface) => (interface.fields, interface.implements),
                    _ => unreachable!("matched above"),
                };
                for interface in implements {
                    promise(format!("{name} implements {}", interface.node), sort("member"));
                }
                for field in fields {
                    let path = format!("{name}.{}", field.node.name.node);
                    for argument in field.node.arguments {
                        promise(format!("{path}({}:)", argument.node.name.node), takes(&argument));
                    }
                    promise(path, Promise::Gives(field.node.ty.node.to_string()));
                }
                promise(name, sort("composite"));
            }
            TypeKind::Union(union) => {
                for member in union.members {
                    promise(format!("{name} has {}", member.node), sort("member"));
                }
                promise(name, sort("union"));
            }
            TypeKind::Enum(values) => {
                for value in values.values {
                    promise(format!("{name}.{}", value.node.value.node), sort("value"));
                }
                promise(name, sort("enum"));
            }
            TypeKind::InputObject(input) => {
                for field in input.fields {
                    promise(format!("{name}.{}", field.node.name.node), takes(&field));
                }
                promise(name, sort("input"));
            }
        }
    }
    promises
}

fn takes(value: &Positioned<InputValueDefinition>) -> Promise {
    let ty = value.node.ty.node.to_string();
    let required = ty.ends_with('!') && value.node.default_value.is_none();
    Promise::Takes { ty, required }
}

/// The coordinates of what a client of the old schema can no longer rely on.
fn broken(old: &Promises, new: &Promises) -> Vec<String> {
    let kept = |path: &String, promise: &Promise| match (promise, new.get(path)) {
        (Promise::There(before), Some(Promise::There(now))) => before == now,
        // What gives may promise more: never null.
        (Promise::Gives(before), Some(Promise::Gives(now))) => before == now || format!("{before}!") == *now,
        // What takes may ask for less: no longer required.
        (Promise::Takes { ty: before, required: was }, Some(Promise::Takes { ty: now, required: is })) => {
            (before == now || *before == format!("{now}!")) && (*was || !is)
        }
        _ => false,
    };
    let gone = old.iter().filter(|(path, promise)| !kept(path, promise)).map(|(path, _)| path.clone());
    // Something new that must be given, where it need not be given before.
    let demanded = new.iter().filter(|(path, promise)| {
        let owner = path
            .split(['('])
            .next()
            .filter(|owner| owner != path)
            .or_else(|| path.rsplit_once('.').map(|(owner, _)| owner));
        matches!(promise, Promise::Takes { required: true, .. })
            && !old.contains_key(*path)
            && owner.is_some_and(|owner| old.contains_key(owner))
    });
    gone.chain(demanded.map(|(path, _)| path.clone())).collect()
}

fn file(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn nothing_that_was_released_is_gone_unless_the_changelog_names_it() {
    let broken = broken(&promises(&file("schema/released.graphql")), &promises(&ludotheque::graphql::sdl()));
    let changelog = file("CHANGELOG.md");
    let unnamed: Vec<_> = broken.iter().filter(|path| !changelog.contains(&format!("`{path}`"))).collect();
    assert!(
        unnamed.is_empty(),
        "clients rely on these; keep them, or name each in CHANGELOG.md in backticks: {unnamed:#?}"
    );
}

#[test]
fn what_breaks_a_client_is_found_and_what_does_not_is_let_through() {
    let old = "type Query { a(x: Int, y: Int!): Int  b: [A!] } interface I { i: Int } type A implements I { i: Int }
        enum E { ONE TWO } input In { p: Int! q: Int } union U = A | Query scalar S";
    let breaks = |new: &str| broken(&promises(old), &promises(new));
    let with = |from: &str, to: &str| breaks(&old.replace(from, to));
    assert_eq!(breaks(old), [] as [&str; 0]);
    for (from, to, found) in [
        ("b: [A!]", "", "Query.b"),
        ("b: [A!]", "b: [A]", "Query.b"),
        ("a(x: Int, y: Int!): Int", "a(x: Int, y: Int!): String", "Query.a"),
        ("x: Int, ", "", "Query.a(x:)"),
        ("x: Int,", "x: Int!,", "Query.a(x:)"),
        ("x: Int,", "x: Int, z: Int!,", "Query.a(z:)"),
        ("ONE TWO", "ONE", "E.TWO"),
        ("q: Int }", "q: Int r: Int! }", "In.r"),
        ("q: Int }", "q: String }", "In.q"),
        ("A | Query", "A", "U has Query"),
        ("A implements I", "A", "A implements I"),
        ("scalar S", "", "S"),
        ("scalar S", "enum S { A }", "S"),
    ] {
        assert_eq!(with(from, to), [found], "{from} → {to}");
    }
    for (from, to) in [
        ("b: [A!]", "b: [A!]! c: Int"),
        ("y: Int!", "y: Int"),
        ("x: Int,", "x: Int, z: Int, w: Int! = 1,"),
        ("ONE TWO", "ONE TWO THREE"),
        ("p: Int!", "p: Int r: [Int!]"),
        ("A | Query", "A | Query | B"),
        ("scalar S", "scalar S scalar T"),
    ] {
        let new = old.replace(from, to).replace("| B", "");
        assert_eq!(breaks(&new), [] as [&str; 0], "{from} → {to}");
    }
}
