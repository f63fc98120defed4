//! Kinds: what can be played, described so that a client that knows no game can play it.

use super::Rest;
use super::error::ApiError;
use super::json_response;
use super::language::PreferredLanguage;
use super::openapi::ReadProblems;
use super::schema;
use crate::app::App;
use crate::edge::asset::Asset;
use crate::games::schema::of_kind;
use crate::rules::any::{AnyRules, Part};
use crate::texts::Language;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn router() -> OpenApiRouter<Rest> {
    OpenApiRouter::new().routes(routes!(list_kinds)).routes(routes!(get_kind))
}

/// A kind in a list.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "KindSummary")]
#[serde(rename_all = "camelCase")]
pub struct KindSummaryBody {
    /// The kind's id: send it as `kind` to create a game.
    kind: &'static str,
    /// The kind's name, in the caller's language.
    name: String,
    /// How it is played, in short.
    summary: String,
    /// How many can play.
    seats: RangeBody,
    /// How long a game takes at a real table.
    minutes: RangeBody,
    /// Whether some of the state is hidden from somebody.
    hidden: bool,
    /// Whether several seats may be waited for at once.
    simultaneous: bool,
    /// The version of the rules that new games are played by.
    rules_version: u32,
}

/// From least to most.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Range")]
pub struct RangeBody {
    least: u8,
    most: u8,
}

/// All kinds.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Kinds")]
pub struct KindsBody {
    items: Vec<KindSummaryBody>,
}

/// A kind with its JSON Schemas.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Kind")]
#[serde(rename_all = "camelCase")]
pub struct KindBody {
    #[serde(flatten)]
    summary: KindSummaryBody,
    schemas: SchemasBody,
    /// The names of the pieces that views and events mention by id.
    glossary: BTreeMap<String, String>,
}

/// JSON Schemas (2020-12) of a kind's options, views, moves, events, effects of moves, choices in the lobby and asides.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Schemas")]
#[serde(rename_all = "camelCase")]
pub struct SchemasBody {
    /// What can be agreed when a game is created.
    options: &'static Value,
    /// What a seat or a spectator sees of the table.
    view: &'static Value,
    /// A move, spelled out.
    r#move: &'static Value,
    /// What a step changed.
    event: &'static Value,
    /// What a move would bring; only `null` fits in kinds that do not tell.
    effect: &'static Value,
    /// What a seat may choose in the lobby (`PUT …/seats/me/setup`); `false` if nothing.
    choice: &'static Value,
    /// What a seat may do beside its moves (`POST …/asides`); `false` if nothing.
    aside: &'static Value,
}

/// The kinds as they are answered, each rendered once for each language.
#[derive(Default)]
pub struct KindPages(Mutex<HashMap<KindsKey, Arc<Asset>>>);

/// A kind, or the list of all of them, in a language.
type KindsKey = (Option<&'static str>, Language);

impl KindPages {
    fn get(&self, page: KindsKey, render: impl FnOnce() -> Vec<u8>) -> Arc<Asset> {
        let mut pages = self.0.lock().expect("rendering does not panic");
        pages.entry(page).or_insert_with(|| Arc::new(Asset::json(render()))).clone()
    }
}

fn summary(app: &App, rules: &dyn AnyRules, language: Language) -> KindSummaryBody {
    let info = rules.info();
    KindSummaryBody {
        kind: info.kind,
        name: app.texts.render(&info.name(), language),
        summary: app.texts.render(&info.summary(), language),
        seats: RangeBody { least: *info.seats.start(), most: *info.seats.end() },
        minutes: RangeBody { least: *info.minutes.start(), most: *info.minutes.end() },
        hidden: info.hidden,
        simultaneous: info.simultaneous,
        rules_version: info.rules_version,
    }
}

/// List the kinds
///
/// What can be played: the newest rules of each kind, with its name and a summary in the language of `Accept-Language`.
/// Send the `ETag` back as `If-None-Match` to get 304 instead of an answer you have.
#[utoipa::path(
    get, path = "/v1/kinds", operation_id = "list_kinds", tag = "kinds", security(()),
    params(("if-none-match" = Option<String>, Header, description = "The `ETag` of the answer that you have")),
    responses(
        (status = 200, description = "All kinds", body = KindsBody, headers(("etag" = String))),
        (status = 304, description = "Not modified: the answer that you have still holds"),
        ReadProblems,
    ),
)]
async fn list_kinds(
    State(Rest { app, kind_pages, .. }): State<Rest>,
    PreferredLanguage(language): PreferredLanguage,
    asked: HeaderMap,
) -> Response {
    let page = kind_pages.get((None, language), || {
        let newest = app.games.offer.newest_of_all();
        json_response::write(&KindsBody { items: newest.map(|rules| summary(&app, rules, language)).collect() })
    });
    page.answer(&asked).await
}

/// Get a kind
///
/// With the JSON Schemas of its options, views, moves and events, and the names of its pieces: enough for a client that
/// knows no game to show one and to play it. Fails with `NOT_FOUND` if the server does not offer the kind. Send the `ETag`
/// back as `If-None-Match` to get 304 instead of an answer you have.
#[utoipa::path(
    get, path = "/v1/kinds/{kind}", operation_id = "get_kind", tag = "kinds", security(()),
    params(
        ("kind" = String, Path, description = "The kind's id", example = schema::example_kind),
        ("if-none-match" = Option<String>, Header, description = "The `ETag` of the answer that you have"),
    ),
    responses(
        (status = 200, description = "The kind", body = KindBody, headers(("etag" = String))),
        (status = 304, description = "Not modified: the answer that you have still holds"),
        ReadProblems,
    ),
)]
async fn get_kind(
    State(Rest { app, kind_pages, .. }): State<Rest>,
    PreferredLanguage(language): PreferredLanguage,
    Path(kind): Path<String>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let rules = app.games.newest_rules(&kind)?;
    let page =
        kind_pages.get((Some(rules.info().kind), language), || json_response::write(&body(&app, rules, language)));
    Ok(page.answer(&asked).await)
}

fn body(app: &App, rules: &dyn AnyRules, language: Language) -> KindBody {
    let glossary = rules.glossary().into_iter().map(|(id, name)| (id, app.texts.render(&name, language)));
    KindBody {
        summary: summary(app, rules, language),
        schemas: SchemasBody {
            options: of_kind(rules, Part::Options),
            view: of_kind(rules, Part::View),
            r#move: of_kind(rules, Part::Move),
            event: of_kind(rules, Part::Event),
            effect: of_kind(rules, Part::Effect),
            choice: of_kind(rules, Part::Choice),
            aside: of_kind(rules, Part::Aside),
        },
        glossary: glossary.collect(),
    }
}
