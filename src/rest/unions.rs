//! Unions in the OpenAPI document. Each union over all kinds is a component, named as in GraphQL (`Move`, `GameView`),
//! and so is each branch of every union (`MyKindBetMove`), with its name as its title. Otherwise documentation pages
//! and client generators would invent names such as "case 1".

use crate::games::schema::{described, list_enum_values, of_kind, pascal, without_null_defaults};
use crate::rules::any::Part;
use serde_json::{Map, Value, json};

/// Prefix of a reference to a schema.
pub const COMPONENTS: &str = "#/components/schemas/";

/// Annotation of a field that holds a part of a kind; its value is the name of the union.
const ANNOTATION: &str = "x-graphql";

/// The field that discriminates the branches of a union.
const TAG: &str = "type";

/// Each part of a kind, with the name and the description of the union over all kinds.
const UNIONS: [(Part, &str, &str); 8] = [
    (Part::Options, "GameOptions", "The options of a game. `kind` is the kind that they belong to."),
    (Part::View, "GameView", "The state of a game as the caller sees it. `kind` is the kind of the game."),
    (
        Part::Move,
        "Move",
        "A move of the game's kind, as an object. `type` is the type of the move; two kinds may use the same `type`.",
    ),
    (
        Part::Event,
        "GameEvent",
        "A change of the game: one that every game can have, or one of the game's kind. `type` is the type of the event; \
         two kinds may use the same `type`.",
    ),
    (
        Part::Effect,
        "MoveEffect",
        "What a move would do, in kinds that tell it in advance. It belongs to the game's kind.",
    ),
    (Part::Choice, "SeatChoice", "What a seat chose in the lobby. It belongs to the game's kind."),
    (Part::Aside, "SeatAside", "Something that a seat does besides its moves. `type` is the type of the aside."),
    (Part::Preparation, "Preparation", "Data that was computed before the start. It belongs to the game's kind."),
];

pub fn reference(name: &str) -> Value {
    json!({"$ref": format!("{COMPONENTS}{name}")})
}

pub fn or_null(reference: &Value) -> Value {
    json!({"anyOf": [reference, {"type": "null"}]})
}

/// A part of any kind.
pub fn any(part: Part) -> Value {
    match &branches(part)[..] {
        [] => json!({}),
        [only] => reference(only),
        _ => reference(name(part)),
    }
}

fn name(part: Part) -> &'static str {
    UNIONS.iter().find(|(of, ..)| *of == part).map(|(_, name, _)| *name).expect("every part is listed")
}

/// The components of a part, one per kind that has it.
fn branches(part: Part) -> Vec<String> {
    let has_part = |schema: &Value| schema.is_object() && schema["type"] != "null";
    let kinds = described().newest_of_all().filter(|rules| has_part(of_kind(*rules, part)));
    let mut branches: Vec<_> = kinds.map(|rules| format!("{}{part:?}", pascal(rules.info().slug))).collect();
    if part == Part::Event {
        branches.insert(0, "TableEvent".to_owned());
    }
    branches
}

/// Adds the unions that have several branches.
pub fn add(schemas: &mut Map<String, Value>) {
    for (part, name, description) in UNIONS {
        let branches = branches(part);
        if branches.len() > 1 {
            let branches: Vec<_> = branches.iter().map(|branch| reference(branch)).collect();
            let union = json!({"title": name, "description": description, "anyOf": branches});
            schemas.insert(name.to_owned(), union);
        }
    }
}

/// Makes each branch of each union a component, and rewrites schemas to keywords that most client generators support.
pub fn tidy(schemas: &mut Map<String, Value>) {
    for schema in schemas.values_mut() {
        list_enum_values(schema);
        without_null_defaults(schema);
        resolve_annotations(schema);
    }
    let kinds: Vec<_> = described().newest_of_all().map(|rules| pascal(rules.info().slug)).collect();
    let mut named = Map::new();
    for (name, schema) in schemas.iter_mut() {
        let Some(Value::Array(branches)) = schema.get_mut("oneOf") else { continue };
        for branch in branches.iter_mut().filter(|branch| branch["properties"][TAG]["const"].is_string()) {
            let tag = branch["properties"][TAG]["const"].as_str().unwrap_or_default();
            let title = branch["title"].as_str().map_or_else(|| branch_name(name, tag, &kinds), str::to_owned);
            let schema = std::mem::replace(branch, reference(&title));
            named.insert(title, schema);
        }
    }
    schemas.append(&mut named);
}

/// Replaces references to components that are only aliases, which client generators would turn into a second type.
pub fn resolve_aliases(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object().into_iter().flatten();
    let aliases = schemas.filter(|(_, schema)| schema["$ref"].is_string());
    let aliases: Vec<_> = aliases.map(|(name, schema)| (reference(name), json!({"$ref": schema["$ref"]}))).collect();
    for (alias, target) in aliases {
        point_to(document, &alias, &target);
    }
}

/// Sets the title of each branch of a union to its component's name.
pub fn title_branches(document: &mut Value) {
    let mut branches = Vec::new();
    list_branches(document, &mut branches);
    for name in branches {
        document["components"]["schemas"][&name]["title"] = name.as_str().into();
    }
}

/// Turns unions, and everything else that belongs to a kind, into objects with any fields, for client generators that
/// do not support unions. Not even the tag is described: once some fields are, OpenAPI Generator's Rust client drops
/// all the others.
pub fn open(document: &mut Value) {
    for (part, name, description) in UNIONS {
        if let [only] = &branches(part)[..] {
            point_to(document, &reference(only), &reference(name));
        }
        let described = format!("{description} `GET /v1/kinds/{{kind}}` describes the fields.");
        document["components"]["schemas"][name] = any_object(name, &described);
    }
    let schemas = document["components"]["schemas"].as_object_mut().into_iter().flatten();
    for (name, schema) in schemas.filter(|(_, schema)| schema.get("oneOf").is_some()) {
        *schema = any_object(name, schema["description"].as_str().unwrap_or_default());
    }
}

fn any_object(title: &str, description: &str) -> Value {
    json!({"title": title, "description": description, "type": "object", "additionalProperties": true})
}

fn point_to(part: &mut Value, from: &Value, to: &Value) {
    match part {
        Value::Object(fields) => {
            if fields.get("$ref").is_some_and(|target| *target == from["$ref"]) {
                fields.insert("$ref".to_owned(), to["$ref"].clone());
            }
            fields.values_mut().for_each(|value| point_to(value, from, to));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point_to(item, from, to)),
        _ => {}
    }
}

/// `MyKindMove` and `BET` as `MyKindBetMove`, `ReplayAction` and `BEGIN` as `BeginAction`: as in GraphQL.
fn branch_name(union: &str, tag: &str, kinds: &[String]) -> String {
    let kind = kinds.iter().find(|kind| union.starts_with(kind.as_str())).map_or("", String::as_str);
    let last_word = union.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
    let noun = if kind.is_empty() { &union[last_word..] } else { &union[kind.len()..] };
    format!("{kind}{}{noun}", pascal(tag))
}

/// Collects the components that are branches of a union, at any depth.
fn list_branches(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for union in ["oneOf", "anyOf"] {
                let branches = fields.get(union).and_then(Value::as_array).into_iter().flatten();
                let names = branches.filter_map(|branch| branch["$ref"].as_str()?.strip_prefix(COMPONENTS));
                found.extend(names.map(str::to_owned));
            }
            fields.values().for_each(|value| list_branches(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| list_branches(item, found)),
        _ => {}
    }
}

/// Makes fields that are annotated with the name of a union refer to it, and removes the annotations.
fn resolve_annotations(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(annotated)) = fields.remove(ANNOTATION)
                && let Some((part, ..)) = UNIONS.iter().find(|(_, name, _)| *name == annotated)
                && let Value::Object(reference) = any(*part)
            {
                fields.extend(reference);
            }
            fields.values_mut().for_each(resolve_annotations);
        }
        Value::Array(items) => items.iter_mut().for_each(resolve_annotations),
        _ => {}
    }
}
