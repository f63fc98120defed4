//! Selecting serializer: writes the selected fields of a typed value as JSON text.
//!
//! The library resolves a response field by field, each as a future. A view has hundreds of fields, all in memory
//! already, so it is written in one synchronous walk over the selection set. The walk supports aliases, fragments with
//! type conditions, `__typename`, `@skip` and `@include`. The library has validated the document before, against the
//! types of [`Types`].

use super::plan::{Planned, SelectionPlan};
use super::types::{TAG, TypeId, TypeShape, Types};
use async_graphql::parser::types::{FragmentDefinition, SelectionSet};
use async_graphql::{Name, Positioned, Variables};
use serde::ser::{
    Error as _, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct,
};
use serde::{Serialize, Serializer};
use serde_json::Error;
use std::collections::HashMap;
use std::rc::Rc;

const TYPENAME: &str = "__typename";

/// The environment of a walk.
pub struct Walk<'a> {
    pub types: &'a Types,
    /// The kind of the game, for fields whose type depends on it.
    pub kind: &'static str,
    pub fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    pub variables: &'a Variables,
}

impl<'a> Walk<'a> {
    /// Writes the selected fields of a value of this type as JSON text.
    pub fn write(
        &self,
        value: &(impl Serialize + ?Sized),
        ty: TypeId,
        selected: &'a SelectionSet,
    ) -> Result<String, Error> {
        let mut out = Vec::with_capacity(1024);
        write(&mut out, value, self, Some(&SelectionPlan::new(ty, selected)))?;
        String::from_utf8(out).map_err(Error::custom)
    }
}

/// Writes a value: a leaf as a whole, of an object or a list of objects the selected fields.
fn write<'a>(
    out: &mut Vec<u8>,
    value: &(impl Serialize + ?Sized),
    walk: &Walk<'a>,
    plan: Option<&SelectionPlan<'a>>,
) -> Result<(), Error> {
    match plan {
        None => serde_json::to_writer(out, value),
        Some(plan) => value.serialize(Selecting { out, walk, plan }),
    }
}

/// Writes an object, a list of them, or null.
struct Selecting<'w, 'a> {
    out: &'w mut Vec<u8>,
    walk: &'w Walk<'a>,
    plan: &'w SelectionPlan<'a>,
}

impl<'w, 'a> Selecting<'w, 'a> {
    fn begin_list(self) -> List<'w, 'a> {
        self.out.push(b'[');
        List(self)
    }

    fn begin_object(self) -> Object<'w, 'a> {
        let Self { out, walk, plan } = self;
        let (start, fields, spans) = (out.len(), Rc::from([]), Vec::new());
        out.push(b'{');
        let mut object =
            Object { out, walk, plan, object: None, fields, start, spans, in_order: 0, key: String::new() };
        if let TypeShape::Object(_) = walk.types[plan.ty].shape {
            object.set_type(plan.ty);
        }
        object
    }
}

/// Implements methods of the serializer for values that are not objects.
macro_rules! refuse {
    ($($method:ident($($ty:ty),*)),* $(,)?) => {
        $(fn $method(self, $(_: $ty),*) -> Result<Self::Ok, Error> {
            Err(Error::custom("a plain value where the schema has an object"))
        })*
    };
}

impl<'w, 'a> Serializer for Selecting<'w, 'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = List<'w, 'a>;
    type SerializeTuple = List<'w, 'a>;
    type SerializeTupleStruct = List<'w, 'a>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Object<'w, 'a>;
    type SerializeStruct = Object<'w, 'a>;
    type SerializeStructVariant = Impossible<(), Error>;

    refuse! {
        serialize_bool(bool), serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64),
        serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64), serialize_f32(f32),
        serialize_f64(f64), serialize_char(char), serialize_str(&str), serialize_bytes(&[u8]),
        serialize_unit_struct(&'static str), serialize_unit_variant(&'static str, u32, &'static str),
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        write(self.out, value, self.walk, Some(self.plan))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        write(self.out, value, self.walk, Some(self.plan))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        Err(Error::custom("a variant that is not tagged by `type`"))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Ok(self.begin_list())
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Ok(self.begin_list())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Ok(self.begin_list())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(Error::custom("a variant that is not tagged by `type`"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Ok(self.begin_object())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        Ok(self.begin_object())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(Error::custom("a variant that is not tagged by `type`"))
    }
}

/// Writes the items of a list.
struct List<'w, 'a>(Selecting<'w, 'a>);

impl List<'_, '_> {
    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        let Selecting { out, walk, plan, .. } = &mut self.0;
        if out.last() != Some(&b'[') {
            out.push(b',');
        }
        write(out, value, walk, Some(plan))
    }

    fn end(self) {
        self.0.out.push(b']');
    }
}

/// Implements serde's traits for lists, which differ in the name of a method.
macro_rules! list {
    ($($trait:ident $method:ident),*) => {
        $(impl $trait for List<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value)
            }

            fn end(self) -> Result<(), Error> {
                List::end(self);
                Ok(())
            }
        })*
    };
}

list!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field);

/// Writes the selected fields of an object, in the order of their selection.
struct Object<'w, 'a> {
    out: &'w mut Vec<u8>,
    walk: &'w Walk<'a>,
    plan: &'w SelectionPlan<'a>,
    /// The type of the object; for a union it is known after its tag.
    object: Option<TypeId>,
    fields: Rc<[Planned<'a>]>,
    /// Where the object begins in `out`.
    start: usize,
    /// The range of each field in `out`, with its key and a trailing comma.
    spans: Vec<Option<(usize, usize)>>,
    /// The number of fields at the front that were written in order.
    in_order: usize,
    /// The key of the next value of a map.
    key: String,
}

impl Object<'_, '_> {
    fn set_type(&mut self, object: TypeId) {
        self.fields = self.plan.fields(object, self.walk);
        self.spans = vec![None; self.fields.len()];
        self.object = Some(object);
    }

    /// Finds the variant of a union by its first field: serde writes the tag first.
    fn find_variant(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        let tag = if name == TAG { serde_json::to_value(value)? } else { serde_json::Value::Null };
        let variant = self.walk.types.variant(self.plan.ty, &tag);
        self.set_type(variant.ok_or_else(|| Error::custom("a variant that the schema does not have"))?);
        Ok(())
    }

    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        if self.object.is_none() {
            self.find_variant(name, value)?;
        }
        let (fields, walk) = (self.fields.clone(), self.walk);
        // Fast path: clients mostly select fields in the order of the schema.
        if let Some(field) = fields.get(self.in_order).filter(|field| field.is_only && field.name == name) {
            return self.write_entry(self.in_order, |out| write(out, value, walk, field.plan.as_ref()));
        }
        for (index, field) in fields.iter().enumerate().filter(|(_, field)| field.name == name) {
            self.write_typename_before(index)?;
            self.write_entry(index, |out| write(out, value, walk, field.plan.as_ref()))?;
        }
        Ok(())
    }

    /// Writes `__typename` where it is next in order.
    fn write_typename_before(&mut self, index: usize) -> Result<(), Error> {
        while self.in_order < index && self.fields[self.in_order].name == TYPENAME {
            self.write_typename(self.in_order)?;
        }
        Ok(())
    }

    fn write_typename(&mut self, index: usize) -> Result<(), Error> {
        let name = self.object.map(|object| self.walk.types[object].name.as_str());
        self.write_entry(index, |out| serde_json::to_writer(out, &name))
    }

    fn write_entry(
        &mut self,
        index: usize,
        value: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let begins = self.out.len();
        // Names and aliases contain no character that JSON escapes.
        self.out.push(b'"');
        self.out.extend_from_slice(self.fields[index].key.as_bytes());
        self.out.extend_from_slice(b"\":");
        value(self.out)?;
        self.out.push(b',');
        self.spans[index] = Some((begins, self.out.len()));
        self.in_order += usize::from(self.in_order == index);
        Ok(())
    }

    fn end(mut self) -> Result<(), Error> {
        if self.object.is_none() {
            return Err(Error::custom("a variant without a tag"));
        }
        self.write_typename_before(self.fields.len())?;
        if self.in_order < self.fields.len() {
            self.reorder()?;
        }
        if self.out.last() == Some(&b',') {
            self.out.pop();
        }
        self.out.push(b'}');
        Ok(())
    }

    /// Rewrites the object in the order of the selection. A field that the value left out is null.
    fn reorder(&mut self) -> Result<(), Error> {
        let from = self.start + 1;
        let written = self.out.split_off(from);
        let spans = self.spans.clone();
        for (index, span) in spans.into_iter().enumerate() {
            match span {
                Some((begins, ends)) => self.out.extend_from_slice(&written[begins - from..ends - from]),
                None if self.fields[index].name == TYPENAME => self.write_typename(index)?,
                None => self.write_entry(index, |out| serde_json::to_writer(out, &()))?,
            }
        }
        Ok(())
    }
}

impl SerializeStruct for Object<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.field(key, value)
    }

    fn end(self) -> Result<(), Error> {
        Object::end(self)
    }
}

impl SerializeMap for Object<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        match serde_json::to_value(key)? {
            serde_json::Value::String(key) => self.key = key,
            _ => return Err(Error::custom("a key that is not a string")),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::take(&mut self.key);
        self.field(&key, value)
    }

    fn end(self) -> Result<(), Error> {
        Object::end(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::super::types::OUTPUT;
    use super::*;
    use crate::games::TableEventView;
    use crate::rules::any::Part;
    use crate::rules::{Outcome, Seat, Standing};
    use async_graphql::parser::parse_query;
    use async_graphql::parser::types::{DocumentOperations, Selection};

    /// The fields of a value that a document selects.
    fn select(position: Position, value: &impl Serialize, document: &str) -> Result<String, Error> {
        let document = parse_query(document).expect("a document");
        let DocumentOperations::Single(operation) = &document.operations else { panic!("one operation") };
        let Selection::Field(field) = &operation.node.selection_set.node.items[0].node else { panic!("one field") };
        let variables = Variables::from_json(serde_json::json!({"yes": true, "no": false}));
        let walk = Walk { types: &OUTPUT, kind: "CHIPS", fragments: &document.fragments, variables: &variables };
        let ty = OUTPUT.root("", position).expect("a type of the service");
        walk.write(value, ty, &field.node.selection_set.node)
    }

    fn outcome() -> Outcome {
        let standing = |seat, rank, score| Standing { seat: Seat(seat), rank, score };
        let standings = vec![standing(1, 1, 4), standing(0, 2, 2)];
        Outcome { winners: vec![Seat(1)], standings, reason: "TOKENS".into(), stage: None }
    }

    #[test]
    fn fields_come_in_the_order_of_their_selection_whatever_the_order_of_the_value() {
        let all = "{ o { winners standings { seat rank score } reason stage } }";
        let expected = r#"{"winners":[1],"standings":[{"seat":1,"rank":1,"score":4},{"seat":0,"rank":2,"score":2}],"reason":"TOKENS","stage":null}"#;
        assert_eq!(select(Position::Outcome, &outcome(), all).unwrap(), expected);
        let backwards = "{ o { stage why: reason __typename standings { score place: rank } winners } }";
        let expected = r#"{"stage":null,"why":"TOKENS","__typename":"Outcome","standings":[{"score":4,"place":1},{"score":2,"place":2}],"winners":[1]}"#;
        assert_eq!(select(Position::Outcome, &outcome(), backwards).unwrap(), expected);
        let names = "{ o { a: __typename winners b: __typename } }";
        let expected = r#"{"a":"Outcome","winners":[1],"b":"Outcome"}"#;
        assert_eq!(select(Position::Outcome, &outcome(), names).unwrap(), expected);
    }

    #[test]
    fn what_skip_and_include_leave_out_is_not_written() {
        let document = "query($yes: Boolean!, $no: Boolean!) { o { winners @skip(if: $yes) reason @include(if: $yes)
            stage @include(if: $no) ... @include(if: $no) { winners } ... @skip(if: $no) { two: stage }
            three: stage @skip(if: false) @include(if: false) ...more @skip(if: true) } }
            fragment more on Outcome { winners }";
        let expected = r#"{"reason":"TOKENS","two":null}"#;
        assert_eq!(select(Position::Outcome, &outcome(), document).unwrap(), expected);
    }

    #[test]
    fn selections_of_the_same_field_add_up() {
        let twice = "{ o { standings { seat } ...more standings { seat score } } } fragment more on Outcome { standings { rank } }";
        let expected = r#"{"standings":[{"seat":1,"rank":1,"score":4},{"seat":0,"rank":2,"score":2}]}"#;
        assert_eq!(select(Position::Outcome, &outcome(), twice).unwrap(), expected);
    }

    #[test]
    fn fragments_apply_to_the_type_itself_its_interface_and_no_other() {
        let event = TableEventView::Resigned { seat: Seat(2), late: true };
        let document =
            "{ e { ... on GameStartedEvent { no: type } ... on GameEvent { type ... on SeatResignedEvent { late } }
            ...spread ... { any: type } } } fragment spread on SeatResignedEvent { seat name: __typename }";
        let expected = r#"{"type":"RESIGNED","late":true,"seat":2,"name":"SeatResignedEvent","any":"RESIGNED"}"#;
        let event_position = Position::Of(Part::Event);
        assert_eq!(select(event_position, &event, document).unwrap(), expected);
        assert_eq!(
            select(event_position, &TableEventView::Started, "{ e { ... on HostChangedEvent { hostId } } }").unwrap(),
            "{}"
        );
    }

    #[test]
    fn lists_and_null_are_written_as_such() {
        let events = Some([TableEventView::Created, TableEventView::StoodUp { seat: Seat(0) }]);
        let document = "{ e { type ... on PlayerStoodUpEvent { seat } } }";
        let position = Position::Of(Part::Event);
        assert_eq!(
            select(position, &events, document).unwrap(),
            r#"[{"type":"CREATED"},{"type":"STOOD_UP","seat":0}]"#
        );
        assert_eq!(select(position, &None::<TableEventView>, document).unwrap(), "null");
        assert_eq!(select(position, &[(); 0], document).unwrap(), "[]");
    }

    #[test]
    fn a_value_that_does_not_fit_its_type_is_an_error() {
        let position = Position::Of(Part::Event);
        for value in
            [serde_json::json!({"type": "NONE"}), serde_json::json!({"seat": 1}), serde_json::json!({}), 7.into()]
        {
            assert!(select(position, &value, "{ e { type } }").is_err(), "{value}");
        }
    }
}
