//! The OpenAPI document: paths and statuses from the handlers, schemas from the shapes.

use super::{links, schema};
use serde_json::{Value, json};
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
    super::seats::SitBody, super::seats::SetupBody,
    super::tokens::SignInBody,
}

bodies! {
    register_answers:
    super::error::ProblemBody,
    super::events::PageBody,
    super::games::GamesBody,
    super::kinds::KindBody, super::kinds::KindsBody,
    super::moves::LegalMovesBody, super::moves::PlayedBody, super::moves::PreviewedBody,
    super::players::ProfileBody,
    super::shapes::GameBody, super::shapes::StepBody,
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
        400 "`MALFORMED`, `BAD_CURSOR`: the request can't be read", 401 "`INVALID_TOKEN`: the token is no good",
        404 "`NOT_FOUND`: no such thing, or none the caller may know of", 429 "`RATE_LIMITED`: too many requests", 503 "`UNAVAILABLE`: try again later";
    /// Of anything only a signed-in player may read or do to their own account.
    OwnProblems:
        400 "`MALFORMED`: the request can't be read",
        401 "`UNAUTHENTICATED`, `INVALID_TOKEN`: no token, or one that is no good",
        403 "`NOT_SEATED`: only for players seated at the game",
        404 "`NOT_FOUND`: no such thing, or none the caller may know of",
        409 "`USERNAME_TAKEN`, `NOT_OVER` and others: not as things stand",
        408 "`REQUEST_TIMEOUT`: the body took too long to arrive",
        413 "`PAYLOAD_TOO_LARGE`: the body is too large", 415 "`UNSUPPORTED_MEDIA_TYPE`: the body must be JSON",
        429 "`RATE_LIMITED`: too many requests", 503 "`UNAVAILABLE`: try again later";
    /// Of a step of a game.
    StepProblems:
        400 "`MALFORMED`: the request can't be read",
        401 "`UNAUTHENTICATED`, `INVALID_TOKEN`: no token, or one that is no good",
        403 "`NOT_SEATED`, `NOT_HOST`: not this player's to do",
        404 "`NOT_FOUND`: no such game, or none the caller may know of; or nothing of the sort in this kind",
        409 "`ILLEGAL_MOVE`, `NOT_YOUR_TURN`, `GAME_OVER`, `VERSION_CONFLICT` and others: not as the game stands",
        408 "`REQUEST_TIMEOUT`: the body took too long to arrive",
        413 "`PAYLOAD_TOO_LARGE`: the body is too large", 415 "`UNSUPPORTED_MEDIA_TYPE`: the body must be JSON",
        422 "`INVALID_OPTIONS`, `IDEMPOTENCY_MISMATCH`: read, but can't be done",
        429 "`RATE_LIMITED`: too many requests", 503 "`UNAVAILABLE`: try again later";
    /// Of making an account or signing in.
    SignInProblems:
        400 "`MALFORMED`: the request can't be read",
        401 "`UNAUTHENTICATED`, `INVALID_TOKEN`: wrong credentials, or a refresh token that is no good",
        409 "`USERNAME_TAKEN`: the username belongs to somebody else",
        408 "`REQUEST_TIMEOUT`: the body took too long to arrive",
        413 "`PAYLOAD_TOO_LARGE`: the body is too large", 415 "`UNSUPPORTED_MEDIA_TYPE`: the body must be JSON",
        429 "`RATE_LIMITED`: too many requests", 503 "`UNAVAILABLE`: try again later";
    /// Of the pages that operators and machines read.
    ServiceProblems:
        400 "`MALFORMED`: the request can't be read",
        429 "`RATE_LIMITED`: too many requests", 503 "`UNAVAILABLE`: try again later";
}

fn problem(why: &str) -> RefOr<utoipa::openapi::Response> {
    use utoipa::openapi::{Content, Response};
    let body = Ref::from_schema_name("Problem");
    Response::builder().description(why).content(PROBLEM, Content::new(Some(body))).build().into()
}

/// The document for the paths the handlers describe.
pub fn document(mut paths: OpenApi) -> Value {
    paths.info = Info::builder()
        .title("Ludotheque")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .contact(Some(Contact::builder().name(Some("Those who run this server")).build()))
        .license(Some(License::builder().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build()))
        .build();
    let mut document = serde_json::to_value(paths).expect("OpenAPI is plain data");
    let (mut requests, mut answers) = (schema::of_requests(), schema::of_answers());
    register_requests(&mut requests);
    register_answers(&mut answers);
    let mut schemas = requests.take_definitions(true);
    schemas.append(&mut answers.take_definitions(true));
    let mut of_kinds = schema::components_of_kinds(&schemas);
    schemas.append(&mut of_kinds);
    document["components"] = json!({
        "schemas": schemas,
        "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
    });
    show_examples(&mut document);
    links::add(&mut document);
    document["servers"] = json!([{"url": "/"}]);
    document["tags"] = json!([
        {"name": "players", "description": "Players and their tokens"},
        {"name": "kinds", "description": "What can be played"},
        {"name": "games", "description": "Games, from lobby to replay"},
        {"name": "play", "description": "Legal moves, moves and what came of them"},
        {"name": "service", "description": "Health, keys and documents"},
    ]);
    document
}

/// Puts answers of the real server, captured by a test, beside the schemas they fit.
fn show_examples(document: &mut Value) {
    let examples: Value = serde_json::from_str(include_str!("../../openapi/examples.json")).expect("captured as JSON");
    let items = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    for operation in items.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()) {
        let Some(captured) = operation["operationId"].as_str().and_then(|id| examples[id].as_object()) else {
            continue;
        };
        for (status, example) in captured {
            let content = operation["responses"][status]["content"].as_object_mut();
            if let Some(body) = content.and_then(|content| content.values_mut().next()) {
                body["example"] = example.clone();
            }
        }
    }
}

const DESCRIPTION: &str = "Board games, refereed by the server, for any front end. \
    Make a guest, create a game, sit down, start, list your legal moves and send one back.";
