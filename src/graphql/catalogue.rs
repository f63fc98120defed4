//! The catalogue: what can be played, described so that a client that knows no game can play it.

use super::field_cost::work;
use super::kinds::{KindId, example};
use super::request_context::RequestContext;
use crate::games::schema::of_kind;
use crate::quota::prices;
use crate::rules::any::{AnyRules, Part};
use async_graphql::{Context, Json, Object, Result, SimpleObject};
use serde_json::Value;
use std::ops::RangeInclusive;

/// A kind: what is played.
pub struct Kind(pub &'static dyn AnyRules);

/// From least to most.
#[derive(SimpleObject)]
pub struct Range {
    /// The least.
    least: i32,
    /// The most.
    most: i32,
}

/// The name of a piece that views and events mention by its id.
#[derive(SimpleObject)]
pub struct GlossaryEntry {
    /// The id in views, moves and events.
    term: String,
    /// What it is called, in the reader's language.
    name: String,
}

/// JSON Schemas (2020-12) of what REST sends and takes; the types of this schema follow the same shapes.
#[derive(SimpleObject)]
pub struct KindSchemas {
    /// Of the options.
    options: Json<&'static Value>,
    /// Of a view.
    view: Json<&'static Value>,
    /// Of a move.
    r#move: Json<&'static Value>,
    /// Of an event.
    event: Json<&'static Value>,
    /// Of the effect of a move.
    effect: Json<&'static Value>,
    /// Of what a seat may choose in the lobby; false if there is nothing.
    choice: Json<&'static Value>,
    /// Of what a seat may do beside its moves (`makeAside`); false if there is nothing.
    aside: Json<&'static Value>,
}

impl From<&RangeInclusive<u8>> for Range {
    fn from(range: &RangeInclusive<u8>) -> Self {
        Self { least: (*range.start()).into(), most: (*range.end()).into() }
    }
}

/// A kind: what is played.
#[Object]
impl Kind {
    /// Which kind it is.
    async fn id(&self) -> KindId {
        KindId::of(self.0)
    }

    /// What it is called, in the reader's language.
    async fn name(&self, ctx: &Context<'_>) -> Result<String> {
        Ok(RequestContext::of(ctx)?.say(&self.0.info().name()))
    }

    /// How it is played, in short.
    async fn summary(&self, ctx: &Context<'_>) -> Result<String> {
        Ok(RequestContext::of(ctx)?.say(&self.0.info().summary()))
    }

    /// How many can play.
    async fn seats(&self) -> Range {
        (&self.0.info().seats).into()
    }

    /// How long a game takes at a real table, in minutes.
    async fn minutes(&self) -> Range {
        (&self.0.info().minutes).into()
    }

    /// Whether some of the state is hidden from somebody.
    async fn hidden(&self) -> bool {
        self.0.info().hidden
    }

    /// Whether several seats may be waited for at once.
    async fn simultaneous(&self) -> bool {
        self.0.info().simultaneous
    }

    /// Which rules these are; a game keeps those it was made with.
    async fn rules_version(&self) -> u32 {
        self.0.info().rules_version
    }

    /// The names of the pieces that views, moves and events mention by id.
    #[graphql(complexity = "1 + 20 * child_complexity")]
    async fn glossary(&self, ctx: &Context<'_>) -> Result<Vec<GlossaryEntry>> {
        let context = RequestContext::of(ctx)?;
        let entries = self.0.glossary().into_iter();
        Ok(entries.map(|(term, name)| GlossaryEntry { term, name: context.say(&name) }).collect())
    }

    /// A document with the operations that a game of this kind goes through: make it, sit down, start, list moves, play one,
    /// look at it, watch it. Send one of them at a time, by its `operationName`.
    #[graphql(complexity = "1 + work(prices::SCHEMAS)")]
    async fn example(&self) -> String {
        example::document(self.0)
    }

    /// The JSON Schemas of its options, views, moves, events, effects, choices in the lobby and asides.
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

/// What can be asked of the catalogue.
#[derive(Default)]
pub struct KindQueries;

#[Object]
impl KindQueries {
    /// All that can be played.
    #[graphql(complexity = "5 * child_complexity")]
    async fn kinds(&self, ctx: &Context<'_>) -> Result<Vec<Kind>> {
        Ok(RequestContext::of(ctx)?.app().games.offer.newest_of_all().map(Kind).collect())
    }

    /// One kind; null if it is not offered here.
    async fn kind(&self, ctx: &Context<'_>, #[graphql(desc = "Which one.")] id: KindId) -> Option<Result<Kind>> {
        let found = RequestContext::of(ctx).map(|context| context.app().games.offer.newest(id.0).map(Kind));
        found.transpose()
    }
}
