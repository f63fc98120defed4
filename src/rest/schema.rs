//! JSON Schemas in the OpenAPI document: those of the service's bodies, and those of every kind in the catalog.

use super::unions;
use crate::games::schema::{described, of_kind, pascal};
use crate::players::fields::FieldRule;
use crate::rules::any::{AnyRules, Part};
use schemars::{Schema, SchemaGenerator, generate::SchemaSettings, transform::ReplaceBoolSchemas};
use serde_json::{Map, Value, json};

/// The id of a kind. Lists all kinds, though a server may be configured to offer fewer.
pub fn any_kind(_: &mut SchemaGenerator) -> Schema {
    let kinds: Vec<_> = described().names().collect();
    from_json(json!({"type": "string", "enum": kinds}))
}

/// The id of a kind, as a query parameter.
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

pub fn example_kind() -> Value {
    described().names().next().into()
}

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

/// Sets the examples of a body whose content depends on the kind: all examples of this part, of every kind.
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

/// Adds the length and pattern of a text field.
pub fn text(shape: &'static FieldRule) -> impl Fn(&mut Schema) {
    move |schema| {
        schema.insert("minLength".to_owned(), (*shape.length.start()).into());
        schema.insert("maxLength".to_owned(), (*shape.length.end()).into());
        if !shape.pattern.is_empty() {
            schema.insert("pattern".to_owned(), shape.pattern.into());
        }
    }
}

/// Requires exactly one of the fields. With `if`, not `oneOf`: client generators still see one object with its fields.
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

/// Requires either this field or all of the others.
pub fn either(one: &'static str, others: &'static [&str]) -> impl Fn(&mut Schema) {
    move |schema| extend(schema, either_case(&given(&[one]), &left_out(others), &given(others)))
}

/// Requires both fields or none of them.
pub fn both_or_none(one: &'static str, other: &'static str) -> impl Fn(&mut Schema) {
    let neither = format!("neither {one} nor {other}");
    move |schema| {
        let both = titled(given(&[one]), &format!("{one} and {other}"));
        extend(schema, either_case(&both, &given(&[other]), &titled(left_out(&[other]), &neither)));
    }
}

/// An if-then-else schema. Documentation pages show both cases: one under the title of `condition`, the other under
/// that of `otherwise`.
fn either_case(condition: &Value, then: &Value, otherwise: &Value) -> Value {
    json!({"if": condition, "then": then, "else": otherwise})
}

fn titled(mut schema: Value, title: &str) -> Value {
    schema["title"] = title.into();
    schema
}

/// Removes the default of a field: some client generators do not support an object as a default.
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

/// Forbids the fields. Uses `not` instead of `"type": "null"`, which documentation pages would show as a type of the
/// field.
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

/// All parts of all kinds as OpenAPI components: `MyKindView`, `MyKindMove` and the types in them. Types that equal a
/// component of the service, such as `Seat`, are not repeated.
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

/// The generator for request bodies.
pub fn of_requests() -> SchemaGenerator {
    openapi_settings().into_generator()
}

/// The generator for response bodies, in which nullable fields are required.
pub fn of_answers() -> SchemaGenerator {
    openapi_settings().for_serialize().into_generator()
}

fn openapi_settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        // Every client generator supports `{}` as the schema of any value; not all of them support `true`.
        let mut replace = ReplaceBoolSchemas::default();
        replace.skip_additional_properties = true;
        settings.transforms.push(Box::new(replace));
    })
}

/// Turns references to a kind's own definitions into references to its components.
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
