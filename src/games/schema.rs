//! The JSON Schemas of a kind, complete with what is the same at every table.

use super::options::TableOptions;
use crate::rules::any::{AnyRules, Part};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// One part of a kind, complete in itself: what a client is shown that knows no game. Made once and never freed: there are
/// as many as the catalogue has kinds.
pub fn of_kind(rules: &dyn AnyRules, part: Part) -> &'static Value {
    static MADE: Mutex<BTreeMap<(&str, u32, Part), &'static Value>> = Mutex::new(BTreeMap::new());
    let info = rules.info();
    let mut made = MADE.lock().expect("making a schema does not panic");
    made.entry((info.kind, info.rules_version, part)).or_insert_with(|| Box::leak(Box::new(make(rules, part))))
}

fn make(rules: &dyn AnyRules, part: Part) -> Value {
    let settings = SchemaSettings::draft2020_12();
    let mut generator = match part {
        Part::Options | Part::Move | Part::Choice | Part::Aside => settings.into_generator(),
        Part::View | Part::Event | Part::Effect | Part::Preparation => settings.for_serialize().into_generator(),
    };
    let mut schema = rules.schema(part, &mut generator).to_value();
    if part == Part::Options {
        add_options_of_every_table(&mut schema);
    }
    let mut definitions = generator.take_definitions(true);
    definitions.values_mut().chain([&mut schema]).for_each(unwrap_the_only_one);
    if let (Value::Object(schema), false) = (&mut schema, definitions.is_empty()) {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
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
fn add_options_of_every_table(kind: &mut Value) {
    let table = TableOptions::json_schema(&mut SchemaGenerator::default()).to_value();
    if let (Some(kind), Some(table)) = (kind["properties"].as_object_mut(), table["properties"].as_object()) {
        kind.extend(table.clone());
    }
}
