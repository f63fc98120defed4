//! Field names mean one thing: wherever a document may select fields of several types at one place, a name has the same
//! type and nullability in all of them. So a document can select every field of every event without an alias.
//!
//! GraphQL merges what is selected under one name, also below it (`view { … seats { … } }` merges the seats of all kinds),
//! and refuses the document if the types differ. The clashes are worked out from the committed schema, for all types
//! that can meet, before any client meets them.

use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{BaseType, FieldDefinition, Type, TypeKind, TypeSystemDefinition};
use async_graphql::{Name, Positioned};
use std::collections::{BTreeMap, BTreeSet};

/// Names that clash and stay: an action of a replay is written as the hash chain binds it (docs/fairness.md), so its
/// names are those of every game that was played. A document gives them aliases.
const BOUND_BY_THE_CHAIN: [&str; 2] = ["ReplayAction.seat", "ReplayAction.seats"];

/// Object types and interfaces with their fields, and what an abstract type may be.
#[derive(Default)]
struct Schema {
    fields: BTreeMap<String, BTreeMap<String, Type>>,
    members: BTreeMap<String, BTreeSet<String>>,
}

impl Schema {
    fn read(sdl: &str) -> Self {
        let mut schema = Self::default();
        for definition in parse_schema(sdl).expect("the schema can be read").definitions {
            let TypeSystemDefinition::Type(ty) = definition else { continue };
            let name = ty.node.name.node.to_string();
            match ty.node.kind {
                TypeKind::Object(object) => schema.add(&name, &object.fields, &object.implements),
                TypeKind::Interface(interface) => {
                    schema.members.entry(name.clone()).or_default();
                    schema.add(&name, &interface.fields, &interface.implements);
                }
                TypeKind::Union(union) => {
                    let members = union.members.iter().map(|member| member.node.to_string());
                    schema.members.entry(name).or_default().extend(members);
                }
                TypeKind::Scalar | TypeKind::Enum(_) | TypeKind::InputObject(_) => {}
            }
        }
        schema
    }

    fn add(&mut self, name: &str, fields: &[Positioned<FieldDefinition>], implements: &[Positioned<Name>]) {
        let fields = fields.iter().map(|field| (field.node.name.node.to_string(), field.node.ty.node.clone()));
        self.fields.insert(name.to_owned(), fields.collect());
        for interface in implements {
            self.members.entry(interface.node.to_string()).or_default().insert(name.to_owned());
        }
    }

    fn is_composite(&self, name: &str) -> bool {
        self.fields.contains_key(name) || self.members.contains_key(name)
    }

    /// All types whose fields can be selected where any of these types is due.
    fn selectable(&self, types: &BTreeSet<String>) -> BTreeSet<String> {
        let members = types.iter().filter_map(|name| self.members.get(name)).flatten();
        types.iter().chain(members).cloned().collect()
    }

    /// Whether values of both types look alike: the same lists and nulls, and the same leaf or no leaf at all.
    fn look_alike(&self, one: &Type, other: &Type) -> bool {
        one.nullable == other.nullable
            && match (&one.base, &other.base) {
                (BaseType::List(one), BaseType::List(other)) => self.look_alike(one, other),
                (BaseType::Named(one), BaseType::Named(other)) => {
                    one == other || self.is_composite(one) && self.is_composite(other)
                }
                _ => false,
            }
    }

    /// The clashes of all types that can meet, each where it is met first. `path` is how one gets to where these types are
    /// due.
    fn clashes(&self, path: &str, types: &BTreeSet<String>, seen: &mut BTreeSet<BTreeSet<String>>) -> Vec<String> {
        let types = self.selectable(types);
        if !seen.insert(types.clone()) {
            return Vec::new();
        }
        let mut by_name: BTreeMap<&str, Vec<(&str, &Type)>> = BTreeMap::new();
        for (parent, fields) in types.iter().filter_map(|name| self.fields.get_key_value(name)) {
            for (field, ty) in fields {
                by_name.entry(field).or_default().push((parent, ty));
            }
        }
        let mut clashes = Vec::new();
        for (name, found) in by_name {
            let path = format!("{path}.{name}");
            let (first, ty) = found[0];
            if let Some((other, unlike)) = found.iter().find(|(_, other)| !self.look_alike(ty, other)) {
                clashes.push(format!("{path}: {first} says {ty}, {other} says {unlike}"));
            }
            let leads_to = found.iter().map(|(_, ty)| innermost(ty)).filter(|name| self.is_composite(name));
            let leads_to: BTreeSet<_> = leads_to.map(ToString::to_string).collect();
            clashes.extend(self.clashes(&path, &leads_to, seen));
        }
        clashes
    }

    fn all_clashes(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        // Abstract types first: so a clash goes by their name, and not by a path that leads to them.
        let starts = self.members.keys().chain(self.fields.keys());
        starts.flat_map(|name| self.clashes(name, &BTreeSet::from([name.clone()]), &mut seen)).collect()
    }
}

fn innermost(ty: &Type) -> &Name {
    match &ty.base {
        BaseType::Named(name) => name,
        BaseType::List(inner) => innermost(inner),
    }
}

#[test]
fn no_two_types_that_can_meet_give_one_name_different_types() {
    let clashes = Schema::read(&ludotheque::graphql::sdl()).all_clashes();
    let is_bound = |clash: &&String| BOUND_BY_THE_CHAIN.iter().any(|name| clash.starts_with(&format!("{name}: ")));
    let (bound, free): (Vec<_>, Vec<_>) = clashes.iter().partition(is_bound);
    assert!(free.is_empty(), "rename one of the two in the rules' own types (view.rs, events.rs):\n{free:#?}");
    assert_eq!(bound.len(), BOUND_BY_THE_CHAIN.len(), "an exception that is none any more: {bound:?}");
}

#[test]
fn clashes_of_every_sort_are_found() {
    let clashes = |members: &str| {
        let sdl = format!(
            "type Query {{ it: It }} interface It {{ id: ID! }} {members} enum E {{ ONE }} type T {{ a: Int }}"
        );
        Schema::read(&sdl).all_clashes()
    };
    let two = |one: &str, other: &str| {
        clashes(&format!("type A implements It {{ id: ID! {one} }} type B implements It {{ id: ID! {other} }}"))
    };
    assert_eq!(two("x: Int!", "x: Int!"), [""; 0]);
    assert_eq!(two("x: Int!", "x: Int"), ["It.x: A says Int!, B says Int"], "nullability");
    assert_eq!(two("x: [Int]", "x: Int").len(), 1, "a list and none");
    assert_eq!(two("x: [Int!]", "x: [Int]").len(), 1, "nullability within a list");
    assert_eq!(two("x: Int", "x: E").len(), 1, "two leaves");
    assert_eq!(two("x: T", "x: E").len(), 1, "a leaf and an object");
    let nested = "type U { a: String } union V = T | U";
    assert_eq!(two("x: T", "x: It"), [""; 0], "objects without a name in common");
    assert_eq!(clashes(&format!("{nested} type A implements It {{ id: ID! x: T }}")).len(), 1, "members of a union");
    let below = "type A implements It { id: ID! x: T } type B implements It { id: ID! x: U } type U { a: String }";
    assert_eq!(clashes(below), ["It.x.a: T says Int, U says String"], "below a name in common");
}
