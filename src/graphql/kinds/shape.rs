//! The shapes in which a kind's JSON becomes GraphQL types: objects told apart by a tag, and interfaces over them.
//!
//! Every type below `kinds` is read from the very JSON that REST sends, so GraphQL can show nothing that REST does not.

use async_graphql::indexmap::{IndexMap, IndexSet};
use async_graphql::registry::{MetaField, MetaType, Registry};
use async_graphql::{Context, OutputType, ServerResult, UnionType};
use serde_json::Value;

/// A union whose members all implement an interface.
pub trait Members: UnionType {
    /// Resolves a field of the member that this is. The library does so for fragments only: a field that is selected on the
    /// interface itself is asked of the interface.
    fn resolve_member_field(
        &self,
        ctx: &Context<'_>,
    ) -> impl Future<Output = ServerResult<Option<async_graphql::Value>>> + Send;
}

/// The text under a tag; nothing if there is none, which no reader takes for one of its own.
pub fn tag<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Objects told apart by their `type`, each with its fields, and the union of them.
macro_rules! tagged {
    ($(#[doc = $about:literal])* $union:ident {
        $($(#[doc = $doc:literal])* $tag:literal => $object:ident {
            $($(#[$meta:meta])* $field:ident: $ty:ty),* $(,)?
        }),* $(,)?
    }) => {
        $(
            $(#[doc = $doc])*
            #[derive(serde::Deserialize, async_graphql::SimpleObject)]
            #[serde(rename_all = "camelCase")]
            pub struct $object {
                /// What sort it is, as REST writes it.
                r#type: String,
                $($(#[$meta])* $field: $ty),*
            }
        )*

        $(#[doc = $about])*
        #[derive(async_graphql::Union)]
        #[allow(clippy::enum_variant_names, reason = "a variant is called like the object it holds")]
        pub enum $union {
            $($object($object)),*
        }

        impl $union {
            /// Every `type` there is.
            #[allow(dead_code, reason = "asked where several unions meet")]
            pub const TAGS: &[&str] = &[$($tag),*];
        }

        impl $crate::graphql::kinds::shape::Members for $union {
            async fn resolve_member_field(
                &self,
                ctx: &async_graphql::Context<'_>,
            ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
                match self {
                    $(Self::$object(member) => async_graphql::ContainerType::resolve_field(member, ctx).await),*
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $union {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
                let read = match $crate::graphql::kinds::shape::tag(&value, "type") {
                    $($tag => serde_json::from_value(value).map(Self::$object),)*
                    other => return Err(serde::de::Error::custom(format!("{other:?} is unknown here"))),
                };
                read.map_err(serde::de::Error::custom)
            }
        }
    };
}

/// An interface over the members of several unions, with the field `type`. (The library's own derive would have every
/// member be named in one place.)
macro_rules! interface_over {
    ($(#[doc = $about:literal])* $name:ident { $($variant:ident($union:ty)),* $(,)? }) => {
        $(#[doc = $about])*
        pub enum $name {
            $($variant($union)),*
        }

        impl async_graphql::ContainerType for $name {
            async fn resolve_field(
                &self,
                ctx: &async_graphql::Context<'_>,
            ) -> async_graphql::ServerResult<Option<async_graphql::Value>> {
                use $crate::graphql::kinds::shape::Members;
                match self {
                    $(Self::$variant(member) => member.resolve_member_field(ctx).await),*
                }
            }

            fn collect_all_fields<'a>(
                &'a self,
                ctx: &async_graphql::ContextSelectionSet<'a>,
                fields: &mut async_graphql::resolver_utils::Fields<'a>,
            ) -> async_graphql::ServerResult<()> {
                match self {
                    $(Self::$variant(member) => member.collect_all_fields(ctx, fields)),*
                }
            }
        }

        impl async_graphql::OutputType for $name {
            fn type_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn introspection_type_name(&self) -> std::borrow::Cow<'static, str> {
                match self {
                    $(Self::$variant(member) => member.introspection_type_name()),*
                }
            }

            fn create_type_info(registry: &mut async_graphql::registry::Registry) -> String {
                let kind = async_graphql::registry::MetaTypeId::Interface;
                registry.create_output_type::<Self, _>(kind, |registry| {
                    let mut members = async_graphql::indexmap::IndexSet::new();
                    $($crate::graphql::kinds::shape::add_members::<$union>(registry, &mut members);)*
                    let about = concat!($($about, "\n"),*);
                    $crate::graphql::kinds::shape::interface::<Self>(registry, about, members)
                })
            }

            async fn resolve(
                &self,
                ctx: &async_graphql::ContextSelectionSet<'_>,
                _: &async_graphql::Positioned<async_graphql::parser::types::Field>,
            ) -> async_graphql::ServerResult<async_graphql::Value> {
                async_graphql::resolver_utils::resolve_container(ctx, self).await
            }
        }

        impl async_graphql::InterfaceType for $name {}
    };
}

pub(in crate::graphql) use {interface_over, tagged};

/// Adds the members of a union to those of an interface.
pub fn add_members<U: UnionType>(registry: &mut Registry, members: &mut IndexSet<String>) {
    if let MetaType::Union { possible_types, .. } = registry.create_fake_output_type::<U>() {
        members.extend(possible_types);
    }
}

/// An interface with the one field `type`, which all its members have.
pub fn interface<T: OutputType>(registry: &mut Registry, about: &str, members: IndexSet<String>) -> MetaType {
    let name = T::type_name();
    let mut field = MetaField::new("type", <String as OutputType>::create_type_info(registry));
    field.description = Some("What sort it is, as REST writes it.".to_owned());
    for member in &members {
        registry.add_implements(member, &name);
    }
    let about = about.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    MetaType::Interface {
        name: name.into_owned(),
        description: Some(about),
        fields: IndexMap::from([("type".to_owned(), field)]),
        possible_types: members,
        extends: false,
        keys: None,
        visible: None,
        inaccessible: false,
        tags: Vec::new(),
        rust_typename: Some(std::any::type_name::<T>()),
        directive_invocations: Vec::new(),
        requires_scopes: Vec::new(),
    }
}
