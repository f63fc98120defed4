//! Selection plan: the fields of a value to write, computed from its selection sets.

use super::select::Walk;
use super::types::{Target, TypeId, TypeShape};
use async_graphql::parser::types::{Directive, Selection, SelectionSet};
use async_graphql::{Positioned, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// Merged selection sets of values of one type. Computed once for all values of a list.
pub struct SelectionPlan<'a> {
    pub ty: TypeId,
    sets: Vec<&'a SelectionSet>,
    /// The fields to write, for each object type that a value can have.
    fields: RefCell<Vec<(TypeId, Rc<[Planned<'a>]>)>>,
}

pub struct Planned<'a> {
    /// The key in the response: the alias, or else the name.
    pub key: &'a str,
    pub name: &'a str,
    /// The selection of the value; `None` for a leaf.
    pub plan: Option<SelectionPlan<'a>>,
    /// Whether no other selected field of the object has the same name.
    pub is_only: bool,
}

impl<'a> SelectionPlan<'a> {
    pub fn new(ty: TypeId, selected: &'a SelectionSet) -> Self {
        Self { ty, sets: vec![selected], fields: RefCell::default() }
    }

    /// The fields of an object to write, in the order of their first selection.
    pub fn fields(&self, object: TypeId, walk: &Walk<'a>) -> Rc<[Planned<'a>]> {
        let known = self.fields.borrow().iter().find(|(of, _)| *of == object).map(|(_, fields)| fields.clone());
        known.unwrap_or_else(|| {
            let mut collected = Vec::new();
            self.sets.iter().for_each(|set| collect(set, object, walk, &mut collected));
            mark_repeated(&mut collected);
            let fields: Rc<[_]> = collected.into();
            self.fields.borrow_mut().push((object, fields.clone()));
            fields
        })
    }
}

/// Marks fields that are selected several times. The guard has bounded the number of aliases.
fn mark_repeated(fields: &mut [Planned<'_>]) {
    for index in 1..fields.len() {
        let (before, [field, ..]) = fields.split_at_mut(index) else { return };
        for other in before.iter_mut().filter(|other| other.name == field.name) {
            (other.is_only, field.is_only) = (false, false);
        }
    }
}

/// Adds the fields that a selection set selects on an object type. Fields with the same key are merged.
fn collect<'a>(set: &'a SelectionSet, object: TypeId, walk: &Walk<'a>, fields: &mut Vec<Planned<'a>>) {
    for selection in set.items.iter().filter(|selection| !walk.excludes(selection.node.directives())) {
        let (condition, set) = match &selection.node {
            Selection::Field(field) => {
                let (key, selected) = (field.node.response_key().node.as_str(), &field.node.selection_set.node);
                match fields.iter_mut().find(|planned| planned.key == key) {
                    Some(Planned { plan, .. }) => plan.iter_mut().for_each(|plan| plan.sets.push(selected)),
                    None => {
                        let name = field.node.name.node.as_str();
                        let plan = walk.below(object, name).map(|ty| SelectionPlan::new(ty, selected));
                        fields.push(Planned { key, name, plan, is_only: true });
                    }
                }
                continue;
            }
            Selection::InlineFragment(fragment) => (&fragment.node.type_condition, &fragment.node.selection_set),
            Selection::FragmentSpread(spread) => match walk.fragments.get(&spread.node.fragment_name.node) {
                Some(fragment) => (&Some(fragment.node.type_condition.clone()), &fragment.node.selection_set),
                None => continue,
            },
        };
        if condition.as_ref().is_none_or(|condition| walk.is_of_type(object, condition.node.on.node.as_str())) {
            collect(&set.node, object, walk, fields);
        }
    }
}

impl Walk<'_> {
    /// Whether `@skip` or `@include` excludes a selection.
    fn excludes(&self, directives: &[Positioned<Directive>]) -> bool {
        directives.iter().any(|directive| {
            let condition = || {
                let condition = directive.node.get_argument("if")?.node.clone();
                condition.into_const_with(|name| self.variables.get(&name).cloned().ok_or(())).ok()
            };
            let is_true = || condition() == Some(Value::Boolean(true));
            match directive.node.name.node.as_str() {
                "skip" => is_true(),
                "include" => !is_true(),
                _ => false,
            }
        })
    }

    fn is_of_type(&self, object: TypeId, condition: &str) -> bool {
        let ty = &self.types[object];
        ty.name == condition || ty.supertypes.iter().any(|supertype| supertype == condition)
    }

    /// The type of a field's value; `None` for a leaf.
    fn below(&self, object: TypeId, field: &str) -> Option<TypeId> {
        let TypeShape::Object(fields) = &self.types[object].shape else { return None };
        match fields.get(field)?.target {
            Target::Leaf | Target::Enum(_) => None,
            Target::Type(ty) => Some(ty),
            Target::OfKind(position) => self.types.root(self.kind, position),
        }
    }
}
