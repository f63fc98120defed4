//! The OpenAPI document: paths and statuses from the handlers, schemas from the shapes.

use super::{links, schema, unions};
use crate::rules::any::Part;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use utoipa::openapi::{Contact, Info, License, OpenApi, RefOr, schema::Ref};

/// What every 4xx and 5xx looks like.
const PROBLEM: &str = "application/problem+json";

/// Makes a shape usable as a body in `#[utoipa::path]`: a reference to the schema that [`document`] puts in its place.
macro_rules! bodies {
    ($register:ident: $($shape:ty),* $(,)?) => {
        $(
            impl utoipa::PartialSchema for $shape {
                fn schema() -> RefOr<utoipa::openapi::Schema> {
                    RefOr::Ref(Ref::from_schema_name(<$shape as schemars::JsonSchema>::schema_name()))
                }
            }

            impl utoipa::ToSchema for $shape {
                fn name() -> std::borrow::Cow<'static, str> {
                    <$shape as schemars::JsonSchema>::schema_name()
                }
            }
        )*

        fn $register(generator: &mut schemars::SchemaGenerator) {
            $(generator.subschema_for::<$shape>();)*
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
    super::seats::SitBody, super::seats::SetupBody,
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

/// Statuses that an operation may answer with, besides its own: `Problems!(StepProblems: 400, 401)`.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident: $($status:literal $why:literal),*;)*) => {
        $(
            $(#[$doc])*
            pub struct $name;

            impl utoipa::IntoResponses for $name {
                fn responses() -> std::collections::BTreeMap<String, RefOr<utoipa::openapi::Response>> {
                    [$(($status.to_string(), problem($why))),*].into()
                }
            }
        )*
    };
}

problems! {
    /// Of anything that may be read without a token.
    ReadProblems:
        400 "`MALFORMED`: the request can't be read; `field` and `detail` say where and why. `BAD_CURSOR`: a cursor or version is not of this list or game",
        401 "`INVALID_TOKEN`: the token has expired or its sign-in has ended; refresh it, or leave it out",
        404 "`NOT_FOUND`: there is no such thing that you may see",
        429 "`RATE_LIMITED`: too many requests; `Retry-After` tells when to come back",
        503 "`UNAVAILABLE`: the service can't do it now; try again later";
    /// Of anything only a signed-in player may read or do to their own account.
    OwnProblems:
        400 "`MALFORMED`: the request can't be read; `field` and `detail` say where and why",
        401 "`UNAUTHENTICATED`: there is no token. `INVALID_TOKEN`: it has expired or its sign-in has ended; refresh it",
        403 "`NOT_SEATED`: only for players seated at the game",
        404 "`NOT_FOUND`: there is no such thing that you may see",
        409 "`USERNAME_TAKEN`, `NOT_OVER` and others: not as things are; `detail` says why",
        408 "`REQUEST_TIMEOUT`: the body took too long to arrive",
        413 "`PAYLOAD_TOO_LARGE`: the body is too large", 415 "`UNSUPPORTED_MEDIA_TYPE`: the body must be JSON",
        429 "`RATE_LIMITED`: too many requests; `Retry-After` tells when to come back",
        503 "`UNAVAILABLE`: the service can't do it now; try again later";
    /// Of a step of a game.
    StepProblems:
        400 "`MALFORMED`: the request can't be read; `field` and `detail` say where and why",
        401 "`UNAUTHENTICATED`: there is no token. `INVALID_TOKEN`: it has expired or its sign-in has ended; refresh it",
        403 "`NOT_SEATED`, `NOT_HOST`: only for a player seated at the game, or for its host",
        404 "`NOT_FOUND`: there is no such game that you may see, or its kind has no such thing",
        409 "`ILLEGAL_MOVE`, `NOT_YOUR_TURN`, `GAME_OVER`, `VERSION_CONFLICT` and others: not as the game stands; `detail` says why",
        408 "`REQUEST_TIMEOUT`: the body took too long to arrive",
        413 "`PAYLOAD_TOO_LARGE`: the body is too large", 415 "`UNSUPPORTED_MEDIA_TYPE`: the body must be JSON",
        422 "`INVALID_OPTIONS`: the kind can't be played like that. `IDEMPOTENCY_MISMATCH`: the key was used for another request",
        429 "`RATE_LIMITED`: too many requests; `Retry-After` tells when to come back",
        503 "`UNAVAILABLE`: the service can't do it now; try again later, under the same idempotency key";
    /// Of making an account or signing in.
    SignInProblems:
        400 "`MALFORMED`: the request can't be read; `field` and `detail` say where and why",
        401 "`UNAUTHENTICATED`: wrong username or password. `INVALID_TOKEN`: the refresh token was used before, or its sign-in has ended",
        409 "`USERNAME_TAKEN`: the username belongs to somebody else",
        408 "`REQUEST_TIMEOUT`: the body took too long to arrive",
        413 "`PAYLOAD_TOO_LARGE`: the body is too large", 415 "`UNSUPPORTED_MEDIA_TYPE`: the body must be JSON",
        429 "`RATE_LIMITED`: too many requests; `Retry-After` tells when to come back",
        503 "`UNAVAILABLE`: the service can't do it now; try again later";
    /// Of the pages that operators and machines read.
    ServiceProblems:
        400 "`MALFORMED`: the request can't be read; `field` and `detail` say where and why",
        429 "`RATE_LIMITED`: too many requests; `Retry-After` tells when to come back",
        503 "`UNAVAILABLE`: the service can't do it now; try again later";
}

fn problem(why: &str) -> RefOr<utoipa::openapi::Response> {
    use utoipa::openapi::{Content, Response};
    let body = Ref::from_schema_name("Problem");
    Response::builder().description(why).content(PROBLEM, Content::new(Some(body))).build().into()
}

/// How much of the kinds the document describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DocumentProfile {
    /// All of it, as unions.
    #[default]
    Full,
    /// Views, moves, events and options as objects with any fields, for generators of clients that can't cope with unions.
    Plain,
}

/// The document for the paths the handlers describe.
pub fn document(mut paths: OpenApi, profile: DocumentProfile) -> Value {
    paths.info = Info::builder()
        .title("Ludotheque")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .contact(Some(Contact::builder().name(Some("Those who run this server")).build()))
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
    ("players", "Players and their tokens"),
    ("kinds", "What can be played"),
    ("games", "Games, from lobby to replay"),
    ("play", "Legal moves, moves and what came of them"),
    ("service", "Health, keys and documents"),
    ("dev", "For test automation, on a server started with `--dev`"),
];

fn components() -> Map<String, Value> {
    let (mut requests, mut answers) = (schema::of_requests(), schema::of_answers());
    register_requests(&mut requests);
    register_answers(&mut answers);
    let mut schemas = requests.take_definitions(true);
    schemas.append(&mut answers.take_definitions(true));
    let mut of_kinds = schema::components_of_kinds(&schemas);
    schemas.append(&mut of_kinds);
    // A replay is also read back, as plain JSON; what it is written from are the events that everybody gets.
    schemas["ReplayStep"]["properties"]["events"]["items"] = unions::any(Part::Event);
    unions::add(&mut schemas);
    unions::tidy(&mut schemas);
    schemas
}

/// All operations of the document.
fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let items = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    items.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut())
}

/// A parameter that may be left out is never null, and a body that may be left out or null is written as such bodies are
/// elsewhere in the document.
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

/// Puts requests to the real server and its answers, captured by a test, beside the schemas they fit.
fn show_examples(operation: &mut Value) {
    static EXAMPLES: LazyLock<Value> =
        LazyLock::new(|| serde_json::from_str(include_str!("../../openapi/examples.json")).expect("captured as JSON"));
    let captured = operation["operationId"].as_str().map(|id| &EXAMPLES[id]);
    for (of, example) in captured.and_then(Value::as_object).into_iter().flatten() {
        // `request`, `200`, or `200 text/event-stream` where an answer has several forms.
        let (status, media) = of.split_once(' ').unwrap_or((of, ""));
        let place = if of == "request" { "/requestBody/content" } else { &format!("/responses/{status}/content") };
        let forms = operation.pointer_mut(place).and_then(Value::as_object_mut).into_iter().flatten();
        if let Some((_, body)) = forms.into_iter().find(|(name, _)| media.is_empty() || name.as_str() == media) {
            body["example"] = example.clone();
        }
    }
}

/// Leaves out the components of operations that this server does not have.
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

const DESCRIPTION: &str = "Board games, refereed by the server, for any front end. \
    Make a guest, create a game, sit down, start, list your legal moves and send one back.";
