//! JSON Schemas of a kind, completed with what every kind has.

use super::options::TableOptions;
use crate::rules::any::{AnyRules, Part, with_kind};
use crate::rules::catalog::Catalog;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

/// Keyword that holds the descriptions of an enum's values, in the order of the values.
pub const ENUM_DESCRIPTIONS: &str = "x-enum-descriptions";

/// Direction of a value. Written values have every field; values that are read may omit fields with a default.
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

/// The catalogue that descriptions and types of the API are made from.
///
/// It is a global variable because async-graphql, schemars and utoipa obtain schemas through static functions without
/// arguments. Everything else receives its [`Catalog`] as a value.
static DESCRIBED: OnceLock<Catalog> = OnceLock::new();

/// Sets the catalogue.
///
/// # Panics
/// If another catalogue is set already: a process serves one catalogue.
pub fn describe(catalog: Catalog) {
    let described = *DESCRIBED.get_or_init(|| catalog);
    assert!(described == catalog, "this process already describes {described:?}; it can't describe {catalog:?} too");
}

/// The catalogue that was set; the built-in one by default.
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

    /// A type of the service with the definitions it refers to.
    pub fn of_type<T: JsonSchema>(contract: Contract) -> (Value, Map<String, Value>) {
        let mut generator = contract.generator();
        let mut root = T::json_schema(&mut generator).to_value();
        let mut named = generator.take_definitions(true);
        named.values_mut().chain([&mut root]).for_each(list_enum_values);
        (root, named)
    }
}

/// One part of a kind as a self-contained schema, for clients that know no game. Computed once and never freed: the
/// number is bounded by the catalogue.
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

/// schemars writes an enum with descriptions as `oneOf` of constants. Client generators handle `enum` better.
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

/// An optional field need not list null as its default, and client generators fail on it.
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

/// Replaces a `oneOf` that has one variant by this variant, because tools fail on it.
fn unwrap_the_only_one(schema: &mut Value) {
    let Some(all) = schema.as_object_mut() else { return };
    let only = match all.get("oneOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([Value::Object(only)]) => only.clone(),
        _ => return,
    };
    all.remove("oneOf");
    for (key, value) in only {
        // The description of the choice moves to its only variant.
        all.entry(key).or_insert(value);
    }
}

/// Adds the options of every game to those of a kind.
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

/// `MyKind` from `my_kind`, `MY_KIND` or `myKind`.
pub fn pascal(name: &str) -> String {
    let is_shouted = !name.contains(|c: char| c.is_ascii_lowercase());
    let words = name.split(['_', '-']).filter(|word| !word.is_empty());
    let rest = |word: &str| if is_shouted { word[1..].to_lowercase() } else { word[1..].to_owned() };
    words.map(|word| word[..1].to_uppercase() + &rest(word)).collect()
}

/// `myKind` from `my_kind` or `MY_KIND`.
pub fn camel(name: &str) -> String {
    let pascal = pascal(name);
    pascal[..1].to_lowercase() + &pascal[1..]
}
