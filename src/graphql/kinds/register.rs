//! Registration of the types of all kinds in the static schema, from the type tables.

use super::types::{Field, INPUT, OUTPUT, TAG, Type, TypeId, TypeShape};
use super::{Chosen, KindId, Position};
use crate::games::schema::{camel, described};
use crate::graphql::scalars::DateTime;
use crate::rules::any::Part;
use async_graphql::indexmap::{IndexMap, IndexSet};
use async_graphql::registry::{
    EnumBuilder, InputObjectBuilder, MetaEnumValue, MetaField, MetaInputValue, MetaType, ObjectBuilder, Registry,
};
use async_graphql::{InputType, Json, OutputType};
use serde_json::Value;

/// Registers all types of responses.
pub fn output_types(registry: &mut Registry) {
    let any_view = Position::Of(Part::View).type_name();
    if registry.types.contains_key(any_view) {
        return;
    }
    KindId::register(registry);
    <DateTime as OutputType>::create_type_info(registry);
    <Json<Value> as OutputType>::create_type_info(registry);
    for position in Position::OF_RESPONSES {
        registry.types.insert(position.type_name().to_owned(), abstract_type(position));
    }
    let is_referred_to = |name: &str| {
        let named = |field: &Field| field.ty.trim_matches(['[', ']', '!']) == name;
        OUTPUT.all().any(|ty| matches!(&ty.shape, TypeShape::Object(fields) if fields.values().any(named)))
    };
    for ty in OUTPUT.all() {
        match &ty.shape {
            TypeShape::Object(fields) => {
                let fields = fields.iter().map(|(name, field)| (name.clone(), output_field(name, field))).collect();
                let object = ObjectBuilder::new(&ty.name, fields).description(Some(ty.description.clone())).build();
                registry.types.insert(ty.name.clone(), object);
            }
            TypeShape::Union(variants) if is_referred_to(&ty.name) => {
                let members = variants.iter().map(|(_, variant)| OUTPUT[*variant].name.clone()).collect();
                registry.types.insert(ty.name.clone(), union(&ty.name, &ty.description, members));
            }
            TypeShape::Union(_) => {}
            TypeShape::Enum(values) => register_enum(registry, ty, values),
        }
        for supertype in &ty.supertypes {
            if matches!(registry.types.get(supertype), Some(MetaType::Interface { .. })) {
                registry.add_implements(&ty.name, supertype);
            }
        }
    }
}

/// Registers the input type of a position, with one field for each kind, and all types below it.
pub fn input_types(registry: &mut Registry, position: Position, name: &str) {
    if registry.types.contains_key(name) {
        return;
    }
    let mut fields = IndexMap::new();
    for rules in described().newest_of_all() {
        let info = rules.info();
        let Some(root) = INPUT.root(info.kind, position) else { continue };
        register_input(registry, root);
        let mut field = MetaInputValue::new(camel(info.slug), &INPUT[root].name);
        field.description = Some(format!("For games of the kind `{}`.", info.kind));
        fields.insert(field.name.clone(), field);
    }
    let about = Some(position.about_input().to_owned());
    let input = InputObjectBuilder::new(name, fields).description(about).oneof(true).build();
    registry.types.insert(name.to_owned(), input);
}

fn register_input(registry: &mut Registry, id: TypeId) {
    let ty = &INPUT[id];
    if registry.types.contains_key(&ty.name) {
        return;
    }
    let described = |mut field: MetaInputValue, description: &str| {
        field.description = Some(description.to_owned());
        (field.name.clone(), field)
    };
    let (fields, is_one_of): (IndexMap<_, _>, _) = match &ty.shape {
        TypeShape::Object(fields) => {
            let fields = fields.iter();
            (
                fields
                    .map(|(name, field)| described(MetaInputValue::new(name, &field.ty), &field.description))
                    .collect(),
                false,
            )
        }
        TypeShape::Union(variants) => {
            let variants = variants.iter().map(|(tag, variant)| {
                let object = &INPUT[*variant];
                let is_empty = matches!(&object.shape, TypeShape::Object(fields) if fields.is_empty());
                let ty = if is_empty { <Chosen as InputType>::type_name().into_owned() } else { object.name.clone() };
                described(MetaInputValue::new(camel(tag), ty), &object.description)
            });
            (variants.collect(), true)
        }
        TypeShape::Enum(values) => return register_enum(registry, ty, values),
    };
    let input = InputObjectBuilder::new(&ty.name, fields).description(Some(ty.description.clone()));
    registry.types.insert(ty.name.clone(), input.oneof(is_one_of).build());
    <Chosen as InputType>::create_type_info(registry);
    for below in INPUT.below(id) {
        register_input(registry, below);
    }
}

fn register_enum(registry: &mut Registry, ty: &Type, values: &[(String, String)]) {
    let values = values.iter().map(|(name, description)| {
        let mut value = MetaEnumValue::new(name);
        value.description = Some(description.clone());
        (name.clone(), value)
    });
    let values = EnumBuilder::new(&ty.name, values.collect()).description(Some(ty.description.clone()));
    registry.types.entry(ty.name.clone()).or_insert_with(|| values.build());
}

fn output_field(name: &str, Field { ty, description, .. }: &Field) -> MetaField {
    let mut field = MetaField::new(name, ty);
    field.description = Some(description.clone());
    field
}

/// An interface if all types in the position have a field in common, else a union.
fn abstract_type(position: Position) -> MetaType {
    let roots = OUTPUT.roots(position).flat_map(|(_, root)| OUTPUT.objects(root));
    let members: IndexSet<_> = roots.map(|object| OUTPUT[object].name.clone()).collect();
    let common: &[(&str, &str, &str)] = match position {
        Position::Of(Part::View) => &[("kind", "KindId!", "The kind of the game.")],
        Position::Of(Part::Options) => &[
            ("kind", "KindId!", "The kind of the game."),
            ("moveSeconds", "Int!", "Seconds that a seat has for a move; 0 for no limit."),
        ],
        Position::Of(Part::Move) => &[(TAG, "String!", "The move's type, spelled as in REST, for example `LAY`.")],
        Position::Of(Part::Event) => &[(TAG, "String!", "The event's type, spelled as in REST, for example `CHOSE`.")],
        Position::Action => &[(TAG, "String!", "The action's type, spelled as in REST, for example `PLAY`.")],
        Position::Of(_) | Position::Outcome => return union(position.type_name(), position.about(), members),
    };
    let fields = common.iter().map(|(name, ty, about)| {
        let mut field = MetaField::new(*name, *ty);
        field.description = Some((*about).to_owned());
        ((*name).to_owned(), field)
    });
    MetaType::Interface {
        name: position.type_name().to_owned(),
        description: Some(position.about().to_owned()),
        fields: fields.collect(),
        possible_types: members,
        extends: false,
        keys: None,
        visible: None,
        inaccessible: false,
        tags: Vec::new(),
        rust_typename: None,
        directive_invocations: Vec::new(),
        requires_scopes: Vec::new(),
    }
}

fn union(name: &str, description: &str, possible_types: IndexSet<String>) -> MetaType {
    MetaType::Union {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        possible_types,
        visible: None,
        inaccessible: false,
        tags: Vec::new(),
        rust_typename: None,
        directive_invocations: Vec::new(),
    }
}
