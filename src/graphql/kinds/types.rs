//! Type table: the GraphQL types of all kinds, derived from their JSON Schemas.
//!
//! An object becomes an object type, an enum of strings an enum type, and a union tagged by `type` an object type for
//! each variant. Nullability follows the schema. Names are those of the OpenAPI document: the name of the kind, then
//! the name of the definition. What JSON Schema can't express is an annotation of the Rust type or field: `x-graphql`
//! names the GraphQL type, for example `ID` or `GameOptions`.

use super::Position;
use crate::games::schema::{Contract, Definitions, ENUM_DESCRIPTIONS, described, pascal};
use crate::games::{TableEventView, replay::ReplayAction};
use crate::rules::Outcome;
use crate::rules::any::Part;
use async_graphql::indexmap::IndexMap;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The annotation that names a GraphQL type.
const ANNOTATION: &str = "x-graphql";
/// The field that tells the variants of a union apart.
pub const TAG: &str = "type";

/// The types of responses.
pub static OUTPUT: LazyLock<Types> = LazyLock::new(|| {
    let mut types = Types::of_kinds(Contract::Response);
    types.add_service::<Outcome>(Position::Outcome, "Outcome");
    types.add_service::<TableEventView>(Position::Of(Part::Event), "TableEvent");
    types.add_service::<ReplayAction>(Position::Action, "Action");
    types.add_supertypes();
    types
});

/// The types of arguments.
pub static INPUT: LazyLock<Types> = LazyLock::new(|| Types::of_kinds(Contract::Request));

/// The types of responses or of arguments.
#[derive(Default)]
pub struct Types {
    types: Vec<Type>,
    /// The type in each position of each kind; those of the service itself under the kind `""`.
    roots: BTreeMap<(&'static str, Position), TypeId>,
}

/// Index of a type in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeId(usize);

pub struct Type {
    pub name: String,
    pub description: String,
    pub shape: TypeShape,
    /// The interfaces and unions that an object belongs to.
    pub supertypes: Vec<String>,
}

pub enum TypeShape {
    Object(IndexMap<String, Field>),
    /// The variants by their tag, each an object.
    Union(Vec<(String, TypeId)>),
    /// Values and their descriptions.
    Enum(Vec<(String, String)>),
}

pub struct Field {
    pub description: String,
    /// The type in SDL: `[MyKindSeat!]!`.
    pub ty: String,
    /// The type of the field's value.
    pub target: Target,
}

/// The type of a field's value, without lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A scalar.
    Leaf,
    Enum(TypeId),
    /// An object or a union.
    Type(TypeId),
    /// The type that the game's kind has in this position.
    OfKind(Position),
}

impl Types {
    fn of_kinds(contract: Contract) -> Self {
        let mut types = Self::default();
        for rules in described().newest_of_all() {
            let info = rules.info();
            let Definitions { parts, named } = Definitions::of_kind(rules, contract);
            let prefix = pascal(info.slug);
            let mut reader = Reader::new(&mut types, &prefix, named, contract);
            for (part, schema) in parts {
                if let Target::Type(root) = reader.read(&schema, &format!("{prefix}{part:?}")).target {
                    reader.types.roots.insert((info.kind, Position::Of(part)), root);
                }
            }
        }
        types
    }

    /// Adds a union that is the same for all kinds.
    fn add_service<T: schemars::JsonSchema>(&mut self, position: Position, name: &str) {
        let (schema, named) = Definitions::of_type::<T>(Contract::Response);
        if let Target::Type(root) = Reader::new(self, "", named, Contract::Response).read(&schema, name).target {
            self.roots.insert(("", position), root);
        }
    }

    fn add_supertypes(&mut self) {
        let mut supertypes = Vec::new();
        for ((_, position), root) in &self.roots {
            supertypes.extend(self.objects(*root).map(|object| (object, position.type_name().to_owned())));
        }
        for (index, ty) in self.types.iter().enumerate() {
            if matches!(ty.shape, TypeShape::Union(_)) {
                supertypes.extend(self.objects(TypeId(index)).map(|object| (object, ty.name.clone())));
            }
        }
        for (TypeId(object), supertype) in supertypes {
            self.types[object].supertypes.push(supertype);
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.types.iter().any(|ty| ty.name == name)
    }

    /// The type of a kind in a position, if it has one.
    pub fn root(&self, kind: &'static str, position: Position) -> Option<TypeId> {
        self.roots.get(&(kind, position)).copied()
    }

    /// The kinds that have a type in a position, in the order of the catalogue.
    pub fn roots(&self, position: Position) -> impl Iterator<Item = (&'static str, TypeId)> {
        let at =
            move |((kind, of), root): (&(&'static str, Position), &TypeId)| (*of == position).then_some((*kind, *root));
        self.roots.iter().filter_map(at)
    }

    /// The variant of a union that has this tag.
    pub fn variant(&self, union: TypeId, tag: &Value) -> Option<TypeId> {
        let TypeShape::Union(variants) = &self[union].shape else { return None };
        variants.iter().find(|(known, _)| tag == known).map(|(_, variant)| *variant)
    }

    /// The types of an object's fields or a union's variants.
    pub fn below(&self, id: TypeId) -> Vec<TypeId> {
        match &self[id].shape {
            TypeShape::Object(fields) => {
                let below = fields.values().filter_map(|field| match field.target {
                    Target::Enum(ty) | Target::Type(ty) => Some(ty),
                    Target::Leaf | Target::OfKind(_) => None,
                });
                below.collect()
            }
            TypeShape::Union(variants) => variants.iter().map(|(_, variant)| *variant).collect(),
            TypeShape::Enum(_) => Vec::new(),
        }
    }

    /// The object types that a value of this type can have.
    pub fn objects(&self, id: TypeId) -> impl Iterator<Item = TypeId> {
        let variants = match &self[id].shape {
            TypeShape::Union(variants) => variants.iter().map(|(_, variant)| *variant).collect(),
            _ => vec![id],
        };
        variants.into_iter()
    }

    pub fn all(&self) -> impl Iterator<Item = &Type> {
        self.types.iter()
    }
}

impl std::ops::Index<TypeId> for Types {
    type Output = Type;

    fn index(&self, TypeId(index): TypeId) -> &Type {
        &self.types[index]
    }
}

/// Reads the schemas of one kind, or of one type of the service, into a type table.
struct Reader<'t> {
    types: &'t mut Types,
    prefix: &'t str,
    named: Map<String, Value>,
    contract: Contract,
    /// The slots of definitions that were read.
    known: BTreeMap<String, Slot>,
}

/// The type of a field or list item.
#[derive(Clone)]
struct Slot {
    /// The type without `!`.
    ty: String,
    is_nullable: bool,
    target: Target,
}

impl Slot {
    fn leaf(ty: &str) -> Self {
        Self { ty: ty.to_owned(), is_nullable: false, target: Target::Leaf }
    }

    fn or_null(self, is_nullable: bool) -> Self {
        Self { is_nullable: self.is_nullable || is_nullable, ..self }
    }

    fn sdl(&self) -> String {
        if self.is_nullable { self.ty.clone() } else { format!("{}!", self.ty) }
    }
}

impl<'t> Reader<'t> {
    fn new(types: &'t mut Types, prefix: &'t str, named: Map<String, Value>, contract: Contract) -> Self {
        Self { types, prefix, named, contract, known: BTreeMap::new() }
    }

    /// Reads the type of a schema. `name` is the name for a type without one.
    fn read(&mut self, schema: &Value, name: &str) -> Slot {
        if let Some(annotated) = schema[ANNOTATION].as_str() {
            let target = Position::of_type_name(annotated).map_or(Target::Leaf, Target::OfKind);
            let slot = Slot { ty: annotated.to_owned(), is_nullable: false, target };
            return slot.or_null(has_type(schema, "null"));
        }
        if let Some(definition) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            return self.read_definition(definition);
        }
        if let Some([one, Value::Object(null)]) = schema["anyOf"].as_array().map(Vec::as_slice)
            && null.get("type").is_some_and(|ty| ty == "null")
        {
            return self.read(one, name).or_null(true);
        }
        if let Some(variants) = schema["oneOf"].as_array() {
            return self.read_union(variants, schema, name);
        }
        let is_nullable = has_type(schema, "null");
        let slot = if has_type(schema, "array") {
            let item = self.read(&schema["items"], name);
            Slot { ty: format!("[{}]", item.sdl()), is_nullable: false, target: item.target }
        } else if schema["properties"].is_object() {
            self.read_object(schema, name, None)
        } else if let Some(values) = schema["enum"].as_array() {
            self.read_enum(values, schema, name)
        } else {
            Slot::leaf(scalar(schema))
        };
        slot.or_null(is_nullable)
    }

    fn read_definition(&mut self, definition: &str) -> Slot {
        if let Some(known) = self.known.get(definition) {
            return known.clone();
        }
        let name = if definition.starts_with(self.prefix) {
            definition.to_owned()
        } else {
            format!("{}{definition}", self.prefix)
        };
        let schema = self.named[definition].clone();
        let slot = self.read(&schema, &name);
        self.known.insert(definition.to_owned(), slot.clone());
        slot
    }

    fn read_object(&mut self, schema: &Value, name: &str, tag: Option<&str>) -> Slot {
        let (mut fields, required) =
            (IndexMap::new(), schema["required"].as_array().map(Vec::as_slice).unwrap_or_default());
        let mut properties: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
        // Only this list has the order of declaration.
        properties.sort_by_key(|(field, _)| required.iter().position(|one| one == *field).unwrap_or(required.len()));
        for (field, of) in properties {
            let is_tag = tag.is_some() && field == TAG;
            let is_given = is_tag || of[ANNOTATION] == "KindId";
            if is_given && self.contract == Contract::Request {
                continue;
            }
            let slot = self.read(of, &format!("{name}{}", pascal(field)));
            let is_required = required.iter().any(|one| one == field);
            let description = match tag {
                Some(tag) if is_tag => format!("The type, spelled as in REST: `{tag}`."),
                _ => self.description(of),
            };
            let ty = slot.clone().or_null(!is_required).sdl();
            fields.insert(field.clone(), Field { description, ty, target: slot.target });
        }
        self.add(name, self.description(schema), TypeShape::Object(fields))
    }

    fn read_union(&mut self, variants: &[Value], schema: &Value, name: &str) -> Slot {
        let suffix = name.strip_prefix(self.prefix).unwrap_or(name);
        let variants = variants.iter().map(|variant| {
            let tag = variant["properties"][TAG]["const"].as_str().expect("a union is tagged by `type`").to_owned();
            let named = format!("{}{}{suffix}", self.prefix, pascal(&tag));
            let named = variant["title"].as_str().map_or(named, str::to_owned);
            match self.read_object(variant, &named, Some(&tag)).target {
                Target::Type(object) => (tag, object),
                _ => unreachable!("an object is a type of its own"),
            }
        });
        let variants = variants.collect();
        self.add(name, self.description(schema), TypeShape::Union(variants))
    }

    /// Reads an enum of strings. If they are not valid enum values, it becomes an `ID`.
    fn read_enum(&mut self, values: &[Value], schema: &Value, name: &str) -> Slot {
        let values: Vec<_> = values.iter().filter_map(Value::as_str).collect();
        if !values.iter().all(|value| is_enum_value(value)) {
            return Slot::leaf("ID");
        }
        let described = |index: usize| schema[ENUM_DESCRIPTIONS][index].as_str().unwrap_or_default().to_owned();
        let values = values.iter().enumerate().map(|(index, value)| ((*value).to_owned(), described(index)));
        let shape = TypeShape::Enum(values.collect());
        let slot = self.add(name, self.description(schema), shape);
        match slot.target {
            Target::Type(ty) => Slot { target: Target::Enum(ty), ..slot },
            _ => slot,
        }
    }

    /// Adds a type, unless it exists. Types of requests get the suffix `Input`, except enums.
    fn add(&mut self, name: &str, description: String, shape: TypeShape) -> Slot {
        let is_input = self.contract == Contract::Request && !matches!(shape, TypeShape::Enum(_));
        let name = if is_input { format!("{name}Input") } else { name.to_owned() };
        let known = self.types.types.iter().position(|ty| ty.name == name);
        let index = known.unwrap_or_else(|| {
            self.types.types.push(Type { name: name.clone(), description, shape, supertypes: Vec::new() });
            self.types.types.len() - 1
        });
        Slot { ty: name, is_nullable: false, target: Target::Type(TypeId(index)) }
    }

    /// The description of a schema, or of the definition that it refers to.
    fn description(&self, schema: &Value) -> String {
        let refers = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
        let own = schema["description"].as_str();
        let of_definition = || refers.and_then(|definition| self.named[definition]["description"].as_str());
        own.or_else(of_definition).unwrap_or_default().to_owned()
    }
}

/// Whether a schema allows this JSON type.
fn has_type(schema: &Value, wanted: &str) -> bool {
    match &schema["type"] {
        Value::String(ty) => ty == wanted,
        Value::Array(types) => types.iter().any(|ty| ty == wanted),
        _ => false,
    }
}

/// The scalar type of a schema; `JSON` if its shape is not known.
fn scalar(schema: &Value) -> &'static str {
    let is = |ty| has_type(schema, ty);
    match () {
        () if is("integer") => "Int",
        () if is("number") => "Float",
        () if is("boolean") => "Boolean",
        () if is("string") && schema["format"] == "date-time" => "DateTime",
        () if is("string") => "String",
        () => "JSON",
    }
}

fn is_enum_value(text: &str) -> bool {
    let is_upper = |c: char| c.is_ascii_uppercase() || c == '_';
    text.starts_with(is_upper) && text.chars().all(|c| is_upper(c) || c.is_ascii_digit())
}
