//! Kinds of games, described with JSON Schemas so that a client without knowledge of a game can play it.

use super::Rest;
use super::error::ApiError;
use super::json_response;
use super::language::PreferredLanguage;
use super::problems::{KindProblems, ServiceProblems};
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

/// A kind, without its JSON Schemas.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "KindSummary")]
#[serde(rename_all = "camelCase")]
pub struct KindSummaryBody {
    /// The kind's id: send it as `kind` to create a game.
    kind: &'static str,
    /// The kind's name, in the language of `Accept-Language`.
    name: String,
    /// A short description of the game, in the language of `Accept-Language`.
    summary: String,
    /// The number of players.
    seats: RangeBody,
    /// How long a game takes at a real table, in minutes.
    minutes: RangeBody,
    /// Whether some players can't see parts of the state, for example the cards of others.
    hidden: bool,
    /// Whether a game can wait for several seats at the same time.
    simultaneous: bool,
    /// The version of the rules. A game keeps the version that it was created with.
    rules_version: u32,
    /// The number of levels that bots of this kind have: 5, or 1 where they all play alike.
    bot_levels: u8,
}

/// A range of numbers; both ends are included.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Range")]
pub struct RangeBody {
    /// The smallest number.
    least: u8,
    /// The largest number.
    most: u8,
}

/// All kinds.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Kinds")]
pub struct KindsBody {
    /// The kinds, in the order in which to show them.
    items: Vec<KindSummaryBody>,
}

/// A kind with its JSON Schemas.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Kind")]
#[serde(rename_all = "camelCase")]
pub struct KindBody {
    #[serde(flatten)]
    summary: KindSummaryBody,
    /// The JSON Schemas of the kind's options, views, moves, events, effects, choices in the lobby and asides.
    schemas: SchemasBody,
    /// The display names of the pieces that views, moves and events refer to by id, in the language of
    /// `Accept-Language`.
    glossary: BTreeMap<String, String>,
}

/// JSON Schemas (2020-12) of the kind's data.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Schemas")]
#[serde(rename_all = "camelCase")]
pub struct SchemasBody {
    /// The options to create a game with.
    options: &'static Value,
    /// The table as a seat or a spectator sees it.
    view: &'static Value,
    /// A move as an object.
    r#move: &'static Value,
    /// An event of a step.
    event: &'static Value,
    /// The effect of a legal move; allows only `null` in kinds that do not tell it in advance.
    effect: &'static Value,
    /// The choice of a seat in the lobby (`PUT …/seats/me/setup`); `false` if there is none.
    choice: &'static Value,
    /// An aside (`POST …/asides`); `false` if there are none.
    aside: &'static Value,
}

/// Cache of the responses, each rendered once per language.
#[derive(Default)]
pub struct KindResponses(Mutex<HashMap<KindsKey, Arc<Asset>>>);

/// A kind, or the list of all of them, in a language.
type KindsKey = (Option<&'static str>, Language);

impl KindResponses {
    fn get(&self, key: KindsKey, render: impl FnOnce() -> Vec<u8>) -> Arc<Asset> {
        let mut responses = self.0.lock().expect("rendering does not panic");
        responses.entry(key).or_insert_with(|| Arc::new(Asset::json(render()))).clone()
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
        bot_levels: u8::try_from(rules.bot_levels().len()).unwrap_or(u8::MAX),
    }
}

/// List kinds
///
/// Returns all kinds that the server offers, with their names and summaries in the language of `Accept-Language`. Send
/// the `ETag` back as `If-None-Match` to get 304 while nothing has changed.
#[utoipa::path(
    get, path = "/v1/kinds", operation_id = "list_kinds", tag = "kinds", security(()),
    params(("if-none-match" = Option<String>, Header, description = "The `ETag` of the response that you have")),
    responses(
        (status = 200, description = "All kinds", body = KindsBody, headers(("etag" = String))),
        (status = 304, description = "Not modified: the response that you have is current"),
        ServiceProblems,
    ),
)]
async fn list_kinds(
    State(Rest { app, kinds, .. }): State<Rest>,
    PreferredLanguage(language): PreferredLanguage,
    headers: HeaderMap,
) -> Response {
    let response = kinds.get((None, language), || {
        let newest = app.games.offer.newest_of_all();
        json_response::write(&KindsBody { items: newest.map(|rules| summary(&app, rules, language)).collect() })
    });
    response.answer(&headers).await
}

/// Get a kind
///
/// Returns the JSON Schemas of the kind's options, views, moves and events, and the names of its pieces: enough for a
/// generic client to show a game and to play it. Fails with `NOT_FOUND` if the server does not offer the kind; `detail`
/// lists those that it offers. Send the `ETag` back as `If-None-Match` to get 304 while nothing has changed.
#[utoipa::path(
    get, path = "/v1/kinds/{kind}", operation_id = "get_kind", tag = "kinds", security(()),
    params(
        ("kind" = String, Path, description = "The kind's id", example = schema::example_kind),
        ("if-none-match" = Option<String>, Header, description = "The `ETag` of the response that you have"),
    ),
    responses(
        (status = 200, description = "The kind", body = KindBody, headers(("etag" = String))),
        (status = 304, description = "Not modified: the response that you have is current"),
        KindProblems,
    ),
)]
async fn get_kind(
    State(Rest { app, kinds, .. }): State<Rest>,
    PreferredLanguage(language): PreferredLanguage,
    Path(kind): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let rules = app.games.newest_rules(&kind)?;
    let response =
        kinds.get((Some(rules.info().kind), language), || json_response::write(&body(&app, rules, language)));
    Ok(response.answer(&headers).await)
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
