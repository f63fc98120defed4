//! The JSON Schemas of a kind, complete with what is the same at every table.

use super::options::TableOptions;
use crate::rules::any::{AnyRules, Part, with_kind};
use crate::rules::catalog::Catalog;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

/// Where the descriptions of an enum's values are, in the order of the values.
pub const ENUM_DESCRIPTIONS: &str = "x-enum-descriptions";

/// Which way values travel. What the service writes has every field; what it reads may leave out those with a default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    Request,
    Response,
}

impl Contract {
    fn generator(self) -> SchemaGenerator {
        let settings = SchemaSettings::draft2020_12();
        match self {
            Self::Request => settings.into_generator(),
            Self::Response => settings.for_serialize().into_generator(),
        }
    }
}

/// The kinds that the API's descriptions and types are made of.
///
/// A variable of the process, because async-graphql, schemars and utoipa ask types for their schemas, and read values of them,
/// by functions that nothing can be passed to. Everything else is handed its [`Catalog`].
static DESCRIBED: OnceLock<Catalog> = OnceLock::new();

/// Makes a catalogue the one that is described.
///
/// # Panics
/// If another one is already: a process serves one catalogue.
pub fn describe(catalog: Catalog) {
    let described = *DESCRIBED.get_or_init(|| catalog);
    assert!(described == catalog, "this process already describes {described:?}; it can't describe {catalog:?} too");
}

/// The catalogue that is described: the built-in one, unless another was given before anybody asked.
pub fn described() -> Catalog {
    *DESCRIBED.get_or_init(Catalog::default)
}

/// Schemas that refer to each other by `#/$defs/…`.
pub struct Definitions {
    pub parts: Vec<(Part, Value)>,
    pub named: Map<String, Value>,
}

impl Definitions {
    /// All parts of a kind.
    pub fn of_kind(rules: &dyn AnyRules, contract: Contract) -> Self {
        let mut generator = contract.generator();
        let mut parts = Part::ALL.map(|part| (part, part_of(rules, part, contract, &mut generator)));
        let mut named = generator.take_definitions(true);
        named.values_mut().chain(parts.iter_mut().map(|(_, schema)| schema)).for_each(list_enum_values);
        Self { parts: parts.into(), named }
    }

    /// A type of the service, and the definitions it refers to.
    pub fn of_type<T: JsonSchema>(contract: Contract) -> (Value, Map<String, Value>) {
        let mut generator = contract.generator();
        let mut root = T::json_schema(&mut generator).to_value();
        let mut named = generator.take_definitions(true);
        named.values_mut().chain([&mut root]).for_each(list_enum_values);
        (root, named)
    }
}

/// One part of a kind, complete in itself: what a client is shown that knows no game. Made once and never freed: there are
/// as many as the catalogue has kinds.
pub fn of_kind(rules: &dyn AnyRules, part: Part) -> &'static Value {
    static MADE: Mutex<BTreeMap<(&str, u32, Part), &'static Value>> = Mutex::new(BTreeMap::new());
    let info = rules.info();
    let mut made = MADE.lock().expect("making a schema does not panic");
    made.entry((info.kind, info.rules_version, part)).or_insert_with(|| Box::leak(Box::new(make(rules, part))))
}

fn make(rules: &dyn AnyRules, part: Part) -> Value {
    let contract = match part {
        Part::Options | Part::Move | Part::Choice | Part::Aside => Contract::Request,
        Part::View | Part::Event | Part::Effect | Part::Preparation => Contract::Response,
    };
    let mut generator = contract.generator();
    let mut schema = part_of(rules, part, contract, &mut generator);
    let mut definitions = generator.take_definitions(true);
    definitions.values_mut().chain([&mut schema]).for_each(|schema| {
        list_enum_values(schema);
        unwrap_the_only_one(schema);
        without_null_defaults(schema);
    });
    if let (Value::Object(schema), false) = (&mut schema, definitions.is_empty()) {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

fn part_of(rules: &dyn AnyRules, part: Part, contract: Contract, generator: &mut SchemaGenerator) -> Value {
    let schema = rules.schema(part, generator);
    if part != Part::Options {
        return schema.to_value();
    }
    let mut schema = with_kind(schema, rules.info().kind, contract == Contract::Response).to_value();
    add_options_of_every_table(&mut schema, contract);
    schema
}

/// An enum whose values are described is a choice of constants to schemars. Generators of clients know `enum` better.
pub fn list_enum_values(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    let Some(choices) = fields.get("oneOf").and_then(Value::as_array) else { return };
    if !choices.iter().all(|choice| choice["const"].is_string()) {
        return;
    }
    let values = choices.iter().map(|choice| choice["const"].clone()).collect();
    let descriptions = choices.iter().map(|choice| choice["description"].clone()).collect();
    fields.remove("oneOf");
    fields.insert("type".to_owned(), "string".into());
    fields.insert("enum".to_owned(), values);
    fields.insert(ENUM_DESCRIPTIONS.to_owned(), descriptions);
}

/// A field that is null if left out may be left out: it need not say so, and generators of clients stumble over it.
pub fn without_null_defaults(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("default").is_some_and(Value::is_null) {
                fields.remove("default");
            }
            fields.values_mut().for_each(without_null_defaults);
        }
        Value::Array(items) => items.iter_mut().for_each(without_null_defaults),
        _ => {}
    }
}

/// A choice of one thing is that thing: tools stumble over an enum that has one variant yet.
fn unwrap_the_only_one(schema: &mut Value) {
    let Some(all) = schema.as_object_mut() else { return };
    let only = match all.get("oneOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([Value::Object(only)]) => only.clone(),
        _ => return,
    };
    all.remove("oneOf");
    for (key, value) in only {
        // What is said of the choice as a whole is said of the only one.
        all.entry(key).or_insert(value);
    }
}

/// A game's options are its kind's and those of every table together.
fn add_options_of_every_table(kind: &mut Value, contract: Contract) {
    let table = TableOptions::json_schema(&mut contract.generator()).to_value();
    let Some(kind) = kind.as_object_mut() else { return };
    for list in ["properties", "required"] {
        match (kind.get_mut(list), &table[list]) {
            (Some(Value::Object(kind)), Value::Object(table)) => kind.extend(table.clone()),
            (Some(Value::Array(kind)), Value::Array(table)) => kind.extend(table.clone()),
            _ => {}
        }
    }
}

/// `my_kind` and `MY_KIND` as `MyKind`; `myKind` too.
pub fn pascal(name: &str) -> String {
    let is_shouted = !name.contains(|c: char| c.is_ascii_lowercase());
    let words = name.split(['_', '-']).filter(|word| !word.is_empty());
    let rest = |word: &str| if is_shouted { word[1..].to_lowercase() } else { word[1..].to_owned() };
    words.map(|word| word[..1].to_uppercase() + &rest(word)).collect()
}

/// `my_kind` and `MY_KIND` as `myKind`.
pub fn camel(name: &str) -> String {
    let pascal = pascal(name);
    pascal[..1].to_lowercase() + &pascal[1..]
}
