//! The schemas of all bodies, written by one generator: those of the service, and those of every kind in the catalogue.

use super::unions;
use crate::games::schema::{described, of_kind, pascal};
use crate::players::fields::FieldRule;
use crate::rules::any::{AnyRules, Part};
use schemars::{Schema, SchemaGenerator, generate::SchemaSettings, transform::ReplaceBoolSchemas};
use serde_json::{Map, Value, json};

/// The id of a kind; a server may be set to offer fewer of them.
pub fn any_kind(_: &mut SchemaGenerator) -> Schema {
    let kinds: Vec<_> = described().names().collect();
    from_json(json!({"type": "string", "enum": kinds}))
}

/// The same where a parameter takes it.
pub struct KindName;

impl utoipa::PartialSchema for KindName {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        let kinds: Vec<_> = described().names().collect();
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .enum_values(Some(kinds))
            .into()
    }
}

impl utoipa::ToSchema for KindName {}

/// A kind, as an example.
pub fn example_kind() -> Value {
    described().names().next().into()
}

/// A game to be made, as an example.
pub fn example_game() -> Value {
    let first = described().newest_of_all().next().map(AnyRules::info);
    json!({"kind": first.map(|info| info.kind), "seats": first.map(|info| *info.seats.start())})
}

pub fn any_options(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::any(Part::Options))
}

pub fn any_options_or_none(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::or_null(&unions::any(Part::Options)))
}

pub fn any_view(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::or_null(&unions::any(Part::View)))
}

pub fn any_move(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::any(Part::Move))
}

pub fn any_move_or_none(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::or_null(&unions::any(Part::Move)))
}

pub fn any_effect(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::or_null(&unions::any(Part::Effect)))
}

pub fn any_choice(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::any(Part::Choice))
}

pub fn any_choice_or_none(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::or_null(&unions::any(Part::Choice)))
}

pub fn any_aside(_: &mut SchemaGenerator) -> Schema {
    from_json(unions::any(Part::Aside))
}

/// A body that is a part of some kind has the examples that the kinds give of it.
pub fn examples_of_kinds(part: Part) -> impl Fn(&mut Schema) {
    move |schema| {
        let kinds = described().newest_of_all().filter_map(|rules| of_kind(rules, part)["examples"].as_array());
        schema.insert("examples".to_owned(), kinds.flatten().cloned().collect());
    }
}

pub fn any_events(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<crate::games::TableEventView>();
    from_json(json!({"type": "array", "items": unions::any(Part::Event)}))
}

/// A text of this shape.
pub fn text(shape: &'static FieldRule) -> impl Fn(&mut Schema) {
    move |schema| {
        schema.insert("minLength".to_owned(), (*shape.length.start()).into());
        schema.insert("maxLength".to_owned(), (*shape.length.end()).into());
        if !shape.pattern.is_empty() {
            schema.insert("pattern".to_owned(), shape.pattern.into());
        }
    }
}

/// Of an object's fields, exactly one is given. Said by `if` and not by `oneOf`, so that generators of clients go on
/// seeing one object with its fields.
pub fn exactly_one(fields: &'static [&str]) -> impl Fn(&mut Schema) {
    move |schema| {
        let (last, others) = fields.split_last().expect("some fields");
        let all = others.iter().enumerate().rev().fold(given(&[last]), |rest, (place, field)| {
            let further = &fields[place + 1..];
            either_case(&given(&[field]), &left_out(further), &titled(rest, &further.join(" or ")))
        });
        extend(schema, all);
    }
}

/// Of an object's fields, this one is given, or all of those.
pub fn either(one: &'static str, others: &'static [&str]) -> impl Fn(&mut Schema) {
    move |schema| extend(schema, either_case(&given(&[one]), &left_out(others), &given(others)))
}

/// Of an object's fields, these two are given together.
pub fn both_or_none(one: &'static str, other: &'static str) -> impl Fn(&mut Schema) {
    let neither = format!("neither {one} nor {other}");
    move |schema| {
        let both = titled(given(&[one]), &format!("{one} and {other}"));
        extend(schema, either_case(&both, &given(&[other]), &titled(left_out(&[other]), &neither)));
    }
}

/// Pages of documentation show both cases, each under the title of its condition.
fn either_case(condition: &Value, then: &Value, otherwise: &Value) -> Value {
    json!({"if": condition, "then": then, "else": otherwise})
}

fn titled(mut schema: Value, title: &str) -> Value {
    schema["title"] = title.into();
    schema
}

/// A field may be left out, and the document does not say for what: not all generators know an object as a default.
pub fn no_default(field: &'static str) -> impl Fn(&mut Schema) {
    move |schema| {
        let field = schema.pointer_mut(&format!("/properties/{field}")).and_then(Value::as_object_mut);
        field.and_then(|field| field.remove("default"));
    }
}

fn given(fields: &[&str]) -> Value {
    let not_null = |field: &&str| ((*field).to_owned(), json!({"not": {"type": "null"}}));
    let given = json!({"required": fields, "properties": fields.iter().map(not_null).collect::<Map<_, _>>()});
    titled(given, &fields.join(" and "))
}

/// None of the fields is given. Said by `not`: pages would mix `"type": "null"` into what they show of the field.
fn left_out(fields: &[&str]) -> Value {
    let left_out = |field: &&str| json!({"not": given(&[field])});
    match fields {
        [field] => left_out(field),
        _ => json!({"allOf": fields.iter().map(left_out).collect::<Vec<_>>()}),
    }
}

fn extend(schema: &mut Schema, rule: Value) {
    if let Value::Object(rule) = rule {
        schema.ensure_object().extend(rule);
    }
}

/// All parts of all kinds as OpenAPI components: `MyKindView`, `MyKindMove`, and what they are made of. What is the same
/// in the service's own components (`Seat`) is not repeated.
pub fn components_of_kinds(shared: &Map<String, Value>) -> Map<String, Value> {
    let mut components = Map::new();
    for rules in described().newest_of_all() {
        let prefix = pascal(rules.info().slug);
        for part in Part::ALL {
            let Value::Object(mut schema) = of_kind(rules, part).clone() else { continue };
            if schema.get("type").is_some_and(|ty| ty == "null") {
                continue;
            }
            let definitions = schema.remove("$defs");
            let definitions = definitions.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
            let is_shared = |name: &str| shared.get(name).is_some_and(|schema| Some(schema) == definitions.get(name));
            let component = |name: &str| {
                if name.starts_with(&prefix) || is_shared(name) { name.to_owned() } else { format!("{prefix}{name}") }
            };
            let named = definitions.iter().filter(|(name, _)| !is_shared(name));
            let named = named.map(|(name, schema)| (component(name), schema.clone()));
            for (name, mut schema) in named.chain([(format!("{prefix}{part:?}"), Value::Object(schema))]) {
                point_to_components(&mut schema, &component);
                components.entry(name).or_insert(schema);
            }
        }
    }
    components
}

/// The generator for the bodies that the service reads.
pub fn of_requests() -> SchemaGenerator {
    openapi_settings().into_generator()
}

/// The generator for the bodies that the service writes, in which every field that may be null is there all the same.
pub fn of_answers() -> SchemaGenerator {
    openapi_settings().for_serialize().into_generator()
}

fn openapi_settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        // Generators of clients know `{}` for anything, and not all of them `true`.
        let mut replace = ReplaceBoolSchemas::default();
        replace.skip_additional_properties = true;
        settings.transforms.push(Box::new(replace));
    })
}

/// References to a kind's own definitions become references to its components.
fn point_to_components(schema: &mut Value, component: &impl Fn(&str) -> String) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                match value {
                    Value::String(target) if key == "$ref" => {
                        if let Some(name) = target.strip_prefix("#/$defs/") {
                            *target = format!("{}{}", unions::COMPONENTS, component(name));
                        }
                    }
                    value => point_to_components(value, component),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point_to_components(item, component)),
        _ => {}
    }
}

fn from_json(schema: Value) -> Schema {
    schema.try_into().expect("an object is a schema")
}
