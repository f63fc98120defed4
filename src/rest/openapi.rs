//! OpenAPI document: paths and statuses from the handlers, schemas from the body types.

use super::{links, schema, unions};
use crate::rules::any::Part;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use utoipa::openapi::{Contact, Info, License, OpenApi, RefOr, schema::Ref};

/// Makes types usable as bodies in `#[utoipa::path]`, as references to the schemas that [`document`] adds.
macro_rules! bodies {
    ($register:ident: $($body:ty),* $(,)?) => {
        $(
            impl utoipa::PartialSchema for $body {
                fn schema() -> RefOr<utoipa::openapi::Schema> {
                    RefOr::Ref(Ref::from_schema_name(<$body as schemars::JsonSchema>::schema_name()))
                }
            }

            impl utoipa::ToSchema for $body {
                fn name() -> std::borrow::Cow<'static, str> {
                    <$body as schemars::JsonSchema>::schema_name()
                }
            }
        )*

        fn $register(generator: &mut schemars::SchemaGenerator) {
            $(generator.subschema_for::<$body>();)*
        }
    };
}

bodies! {
    register_requests:
    super::games::CreateBody, super::games::ChangesBody,
    super::moves::PlayBody, super::moves::PreviewBody,
    super::players::RegisterBody, super::players::ProfileChangesBody,
    super::asides::AsideBody,
    super::dev::AdvanceBody, super::dev::RestageBody,
    super::seats::SitBody, super::seats::SetupBody, super::seats::StartBody,
    super::tokens::SignInBody,
}

bodies! {
    register_answers:
    super::dev::ClockBody,
    super::error::ProblemBody,
    super::events::PageBody,
    super::games::GamesBody,
    super::kinds::KindBody, super::kinds::KindsBody,
    super::moves::LegalMovesBody, super::moves::PlayedBody, super::moves::PreviewedBody,
    super::players::ProfileBody,
    super::bodies::GameBody, super::bodies::StepBody,
    super::tokens::TokensBody,
    crate::games::ports::Status,
    crate::games::replay::Replay,
    crate::ids::GameId,
}

/// How the document describes the data of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DocumentProfile {
    /// In full, as unions.
    #[default]
    Full,
    /// As objects with any fields, for client generators that do not support unions.
    Plain,
}

/// Completes the document that describes the handlers' paths.
pub fn document(mut paths: OpenApi, profile: DocumentProfile) -> Value {
    paths.info = Info::builder()
        .title("Ludotheque")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .contact(Some(Contact::builder().name(Some("The operator of this server")).build()))
        .license(Some(License::builder().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build()))
        .build();
    let mut document = serde_json::to_value(paths).expect("OpenAPI is plain data");
    document["components"] = json!({
        "schemas": components(),
        "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
    });
    operations(&mut document).for_each(|operation| {
        drop_nulls(operation);
        show_examples(operation);
    });
    unions::resolve_aliases(&mut document);
    unions::title_branches(&mut document);
    if profile == DocumentProfile::Plain {
        unions::open(&mut document);
    }
    drop_unused_components(&mut document);
    links::add(&mut document);
    document["servers"] = json!([{"url": "/"}]);
    let used: Vec<_> = operations(&mut document).map(|operation| operation["tags"][0].clone()).collect();
    let tags = TAGS.iter().filter(|(name, _)| used.iter().any(|tag| tag == name));
    document["tags"] = tags.map(|(name, description)| json!({"name": name, "description": description})).collect();
    document
}

/// The groups of operations, in the order of the reference page.
const TAGS: [(&str, &str); 6] = [
    ("players", "Players, sign-in and tokens"),
    ("kinds", "The games that can be played"),
    ("games", "Games, from lobby to replay"),
    ("play", "Legal moves, moves and events"),
    ("service", "Health, keys and documents"),
    ("dev", "Test automation, on a server started with `--dev`"),
];

fn components() -> Map<String, Value> {
    let (mut requests, mut answers) = (schema::of_requests(), schema::of_answers());
    register_requests(&mut requests);
    register_answers(&mut answers);
    let mut schemas = requests.take_definitions(true);
    schemas.append(&mut answers.take_definitions(true));
    let mut of_kinds = schema::components_of_kinds(&schemas);
    schemas.append(&mut of_kinds);
    // A replay is also read back, where its events are plain JSON; describe them as the events that a server writes.
    schemas["ReplayStep"]["properties"]["events"]["items"] = unions::any(Part::Event);
    unions::add(&mut schemas);
    unions::tidy(&mut schemas);
    schemas
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let items = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    items.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut())
}

/// Makes optional parameters non-nullable, and describes optional bodies with `anyOf` like the rest of the document.
fn drop_nulls(operation: &mut Value) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        if let Some(types) = parameter.pointer_mut("/schema/type")
            && let Some([one, _]) = types.as_array().map(Vec::as_slice)
        {
            *types = one.clone();
        }
    }
    if let Some(schema) = operation.pointer_mut("/requestBody/content/application~1json/schema")
        && let Some(one) = schema["oneOf"].as_array().and_then(|all| all.iter().find(|one| one["$ref"].is_string()))
    {
        *schema = unions::or_null(one);
    }
}

/// Adds examples: requests to a real server and its responses, captured by a test.
fn show_examples(operation: &mut Value) {
    static EXAMPLES: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(include_str!("../../openapi/examples.json")).expect("captured as JSON"));
    let captured = operation["operationId"].as_str().map(|id| &EXAMPLES[id]);
    for (of, example) in captured.and_then(Value::as_object).into_iter().flatten() {
        // `request`, `200`, or `200 text/event-stream` if the response has several media types.
        let (status, media) = of.split_once(' ').unwrap_or((of, ""));
        let place = if of == "request" { "/requestBody/content" } else { &format!("/responses/{status}/content") };
        let forms = operation.pointer_mut(place).and_then(Value::as_object_mut).into_iter().flatten();
        if let Some((_, body)) = forms.into_iter().find(|(name, _)| media.is_empty() || name.as_str() == media) {
            body["example"] = example.clone();
        }
    }
}

/// Removes the components of operations that this server does not have.
fn drop_unused_components(document: &mut Value) {
    let mut used = BTreeSet::new();
    let mut found = references(&document["paths"]);
    while let Some(name) = found.pop() {
        if used.insert(name.clone()) {
            found.extend(references(&document["components"]["schemas"][name]));
        }
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| used.contains(name));
    }
}

/// The components that a part of the document refers to.
fn references(part: &Value) -> Vec<String> {
    match part {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(|target| target.as_str()?.strip_prefix(unions::COMPONENTS));
            name.map(str::to_owned).into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

const DESCRIPTION: &str = "Board games, refereed by the server, for any front end.\n\n\
    To play: register a guest (`POST /v1/players`) and send its `accessToken` as `Authorization: Bearer …`. Create a \
    game, which gives you seat 0; others join it by taking a seat. Once every seat is taken, start it as its host. \
    List your legal moves, play one by its `id`, and follow the events to see what the others do.\n\n\
    A kind is what is played (`GET /v1/kinds` lists all); a game is one sitting at it. Every change of a game is a \
    step, which increases its `version` by one.\n\n\
    Refused requests get a problem (RFC 9457): programs read `code`, people read `detail`, in the language of \
    `Accept-Language` (English or French). The `RateLimit` header says how much of your rate limit is left.";
