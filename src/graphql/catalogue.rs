//! Catalogue of kinds: their names, sizes, schemas and examples, so that a generic client can play any of them.

use super::field_cost::work;
use super::kinds::{KindId, example};
use super::request_context::RequestContext;
use crate::games::schema::of_kind;
use crate::quota::prices;
use crate::rules::any::{AnyRules, Part};
use async_graphql::{Context, Json, Object, Result, SimpleObject};
use serde_json::Value;
use std::ops::RangeInclusive;

pub struct Kind(pub &'static dyn AnyRules);

/// A range of numbers; both ends are included.
#[derive(SimpleObject)]
pub struct Range {
    /// The smallest number.
    least: i32,
    /// The largest number.
    most: i32,
}

/// The display name of a piece that views and events refer to by its id.
#[derive(SimpleObject)]
pub struct GlossaryEntry {
    /// The id, as used in views, moves and events.
    term: String,
    /// The display name, in the language of the request.
    name: String,
}

/// JSON Schemas (2020-12) of the values in REST; the GraphQL types have the same shapes.
#[derive(SimpleObject)]
pub struct KindSchemas {
    /// Schema of the options.
    options: Json<&'static Value>,
    /// Schema of a view.
    view: Json<&'static Value>,
    /// Schema of a move.
    r#move: Json<&'static Value>,
    /// Schema of an event.
    event: Json<&'static Value>,
    /// Schema of the effect of a move.
    effect: Json<&'static Value>,
    /// Schema of what a seat can choose in the lobby; `false` if the kind has no such choice.
    choice: Json<&'static Value>,
    /// Schema of what a seat can do besides its moves (`makeAside`); `false` if the kind has no asides.
    aside: Json<&'static Value>,
}

impl From<&RangeInclusive<u8>> for Range {
    fn from(range: &RangeInclusive<u8>) -> Self {
        Self { least: (*range.start()).into(), most: (*range.end()).into() }
    }
}

/// A kind of game: what can be played, and by which rules.
#[Object]
impl Kind {
    /// The kind's id.
    async fn id(&self) -> KindId {
        KindId::of(self.0)
    }

    /// The display name, in the language of the request.
    async fn name(&self, ctx: &Context<'_>) -> Result<String> {
        Ok(RequestContext::of(ctx)?.say(&self.0.info().name()))
    }

    /// A short description of the game, in the language of the request.
    async fn summary(&self, ctx: &Context<'_>) -> Result<String> {
        Ok(RequestContext::of(ctx)?.say(&self.0.info().summary()))
    }

    /// The smallest and the largest number of players.
    async fn seats(&self) -> Range {
        (&self.0.info().seats).into()
    }

    /// How long a game takes at a real table, in minutes.
    async fn minutes(&self) -> Range {
        (&self.0.info().minutes).into()
    }

    /// Whether some players can't see parts of the state, for example the cards of others.
    async fn hidden(&self) -> bool {
        self.0.info().hidden
    }

    /// Whether a game can wait for several seats at the same time.
    async fn simultaneous(&self) -> bool {
        self.0.info().simultaneous
    }

    /// The version of the rules. A game keeps the version that it was created with.
    async fn rules_version(&self) -> u32 {
        self.0.info().rules_version
    }

    /// The number of levels that bots of this kind have: 5, or 1 where they all play alike.
    async fn bot_levels(&self) -> u32 {
        u32::try_from(self.0.bot_levels().len()).unwrap_or(u32::MAX)
    }

    /// The display names of the pieces that views, moves and events refer to by id.
    #[graphql(complexity = "1 + 20 * child_complexity")]
    async fn glossary(&self, ctx: &Context<'_>) -> Result<Vec<GlossaryEntry>> {
        let context = RequestContext::of(ctx)?;
        let entries = self.0.glossary().into_iter();
        Ok(entries.map(|(term, name)| GlossaryEntry { term, name: context.say(&name) }).collect())
    }

    /// A GraphQL document with the operations of a whole game: create it, sit down, start, list the legal moves, play
    /// one, read the game and follow it. Send one operation at a time, by its `operationName`.
    #[graphql(complexity = "1 + work(prices::SCHEMAS)")]
    async fn example(&self) -> String {
        example::document(self.0)
    }

    /// The JSON Schemas of the kind's options, views, moves, events, effects, choices in the lobby and asides.
    #[graphql(complexity = "1 + work(prices::SCHEMAS) + 20 * child_complexity")]
    async fn schemas(&self) -> KindSchemas {
        let schema = |part| Json(of_kind(self.0, part));
        KindSchemas {
            options: schema(Part::Options),
            view: schema(Part::View),
            r#move: schema(Part::Move),
            event: schema(Part::Event),
            effect: schema(Part::Effect),
            choice: schema(Part::Choice),
            aside: schema(Part::Aside),
        }
    }
}

#[derive(Default)]
pub struct KindQueries;

#[Object]
impl KindQueries {
    /// List all kinds that this server offers.
    #[graphql(complexity = "5 * child_complexity")]
    async fn kinds(&self, ctx: &Context<'_>) -> Result<Vec<Kind>> {
        Ok(RequestContext::of(ctx)?.app().games.offer.newest_of_all().map(Kind).collect())
    }

    /// Get one kind; null if this server does not offer it.
    async fn kind(&self, ctx: &Context<'_>, #[graphql(desc = "The kind's id.")] id: KindId) -> Option<Result<Kind>> {
        let found = RequestContext::of(ctx).map(|context| context.app().games.offer.newest(id.0).map(Kind));
        found.transpose()
    }
}
