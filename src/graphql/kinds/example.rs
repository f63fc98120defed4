//! Example documents: the operations of a whole game, generated from the type tables of its kind.

use super::Position;
use super::types::{Field, INPUT, OUTPUT, Target, TypeId, TypeShape};
use crate::games::schema::{camel, of_kind, pascal};
use crate::rules::any::{AnyRules, Part};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The number of levels of objects to select below a view or an event. The built-in kinds have no more.
const DEPTH: usize = 5;

/// Operations that are the same for all kinds.
const OF_EVERY_KIND: &str = r"mutation SitDown($gameId: ID!) {
  sitDown(input: { gameId: $gameId }) {
    game { id version status }
    userErrors { code message }
  }
}

mutation StartGame($gameId: ID!) {
  startGame(input: { gameId: $gameId }) {
    game { id version status }
    userErrors { code message }
  }
}

query LegalMoves($gameId: ID!) {
  legalMoves(gameId: $gameId) {
    version
    moves { id label }
  }
}

mutation PlayMove($gameId: ID!, $moveId: String!) {
  playMove(input: { gameId: $gameId, id: $moveId }) {
    version
    userErrors { code message }
  }
}
";

/// A document with the operations of a game: create it, sit down, start, list moves, play one, read the game, follow
/// it.
pub fn document(rules: &dyn AnyRules) -> String {
    let kind = rules.info().kind;
    let root = |kind, part| OUTPUT.root(kind, Position::Of(part));
    let selected = |roots: &[Option<TypeId>]| {
        let objects: Vec<_> = roots.iter().flatten().flat_map(|root| OUTPUT.objects(*root)).collect();
        selection(kind, &objects, true, DEPTH)
    };
    let view = block("view", selected(&[root(kind, Part::View)]));
    let outcome = "outcome { winners reason }".to_owned();
    let game = ["version", "status", "waitingFor"].map(str::to_owned).into_iter().chain(view).chain([outcome]);
    let look = block("query LookAtGame($gameId: ID!)", block("game(id: $gameId)", game.collect()));
    let events = block("events", selected(&[root("", Part::Event), root(kind, Part::Event)]));
    let step = ["version", "at", "seat"].map(str::to_owned).into_iter().chain(events).collect();
    let watch = block(
        "subscription WatchGame($gameId: ID!, $after: Int = 0)",
        block("gameEvents(gameId: $gameId, after: $after)", step),
    );
    format!("{}\n{OF_EVERY_KIND}\n{}\n\n{}\n", creation(rules), look.join("\n"), watch.join("\n"))
}

/// Creates a game for two, if the kind allows it. Options with a default are written out, as a starting point for
/// changes.
fn creation(rules: &dyn AnyRules) -> String {
    let info = rules.info();
    let mut input =
        vec![format!("kind: {}", info.kind), format!("seats: {}", 2.clamp(*info.seats.start(), *info.seats.end()))];
    let options = options(rules);
    if !options.is_empty() {
        input.push(format!("options: {{ {}: {{ {} }} }}", camel(info.slug), options.join(", ")));
    }
    format!(
        "mutation CreateGame {{\n  createGame(input: {{\n    {}\n  }}) {{\n    \
         game {{ id version }}\n    userErrors {{ code message }}\n  }}\n}}\n",
        input.join("\n    ")
    )
}

fn options(rules: &dyn AnyRules) -> Vec<String> {
    let Some(root) = INPUT.root(rules.info().kind, Position::Of(Part::Options)) else { return Vec::new() };
    let TypeShape::Object(fields) = &INPUT[root].shape else { return Vec::new() };
    let schema = of_kind(rules, Part::Options);
    let given = fields.iter().filter_map(|(name, field)| {
        let default = &schema["properties"][name]["default"];
        Some(format!("{name}: {}", literal(field, default)?))
    });
    given.collect()
}

/// A plain value in GraphQL's syntax; `None` for null, objects and lists.
fn literal(field: &Field, value: &Json) -> Option<String> {
    match (field.target, value) {
        (Target::Enum(_), Json::String(value)) => Some(value.clone()),
        (Target::Leaf, Json::Bool(_) | Json::Number(_) | Json::String(_)) => Some(value.to_string()),
        _ => None,
    }
}

/// The selection of a value that is one of these objects, line by line. If two objects have a field of the same name
/// with different types, the second gets an alias, because GraphQL can't merge them.
fn selection(kind: &'static str, objects: &[TypeId], is_abstract: bool, depth: usize) -> Vec<String> {
    let mut lines = if is_abstract { vec!["__typename".to_owned()] } else { Vec::new() };
    let mut taken = BTreeMap::new();
    for object in objects {
        let ty = &OUTPUT[*object];
        let TypeShape::Object(fields) = &ty.shape else { continue };
        let mut selected = Vec::new();
        for (name, field) in fields {
            let is_taken = *taken.entry(name).or_insert((&field.ty, field.target)) != (&field.ty, field.target);
            let alias = || format!("{}{}: {name}", camel(&ty.name), pascal(name));
            let key = if is_taken { alias() } else { name.clone() };
            let (below, is_abstract) = match field.target {
                Target::Leaf | Target::Enum(_) => {
                    selected.push(key);
                    continue;
                }
                Target::Type(below) => (Some(below), matches!(OUTPUT[below].shape, TypeShape::Union(_))),
                Target::OfKind(position) => (OUTPUT.root(kind, position), true),
            };
            if let (Some(below), Some(depth)) = (below, depth.checked_sub(1)) {
                let objects: Vec<_> = OUTPUT.objects(below).collect();
                selected.extend(block(&key, selection(kind, &objects, is_abstract, depth)));
            }
        }
        lines.extend(if is_abstract { block(&format!("... on {}", ty.name), selected) } else { selected });
    }
    lines
}

/// A block in braces; nothing if it is empty, which GraphQL does not allow.
fn block(head: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    let inside = lines.into_iter().map(|line| format!("  {line}"));
    [format!("{head} {{")].into_iter().chain(inside).chain(["}".to_owned()]).collect()
}
