//! A small part of the service, for the transports to carry.

use super::asking::Asking;
use crate::auth::Caller;
use crate::codes::Code;
use crate::games::step::Visibility;
use crate::games::{Call, GameError, MoveInput, NewGame};
use crate::ids::GameId;
use crate::rules::Message;
use crate::rules::any::AnyRules;
use async_graphql::{
    Context, Enum, Error, ErrorExtensions, ID, InputObject, Object, Result, SimpleObject, Subscription as Subscribes,
};
use futures::{Stream, StreamExt};
use std::sync::Arc;

pub struct Query;
pub struct Mutation;
pub struct Subscription;

#[derive(SimpleObject)]
struct Kind {
    id: ID,
    name: String,
}

#[derive(SimpleObject)]
struct Player {
    id: ID,
    display_name: String,
}

#[derive(SimpleObject)]
struct Game {
    id: ID,
    version: u32,
}

#[derive(SimpleObject)]
struct Step {
    version: u32,
}

#[derive(SimpleObject)]
struct UserError {
    code: String,
    message: String,
}

#[derive(SimpleObject)]
struct PlayMovePayload {
    version: Option<u32>,
    user_errors: Vec<UserError>,
}

#[derive(SimpleObject)]
struct CreateGamePayload {
    game: Option<Game>,
    user_errors: Vec<UserError>,
}

#[derive(Clone, Copy, PartialEq, Eq, Enum)]
enum KindId {
    Chips,
}

#[derive(InputObject)]
struct PlayMoveInput {
    game_id: ID,
    id: String,
}

#[derive(InputObject)]
struct CreateGameInput {
    kind: KindId,
    seats: Option<u8>,
}

fn asking<'a>(ctx: &Context<'a>) -> Result<&'a Arc<Asking>> {
    ctx.data::<Arc<Asking>>()
}

fn coded(code: Code) -> Error {
    Error::new(code.name()).extend_with(|_, extensions| extensions.set("code", code.name()))
}

fn caller(asking: &Asking) -> Result<Caller> {
    asking.caller.ok_or_else(|| coded(Code::Unauthenticated))
}

fn game_id(id: &ID) -> Result<GameId> {
    id.parse().map_err(|_| coded(Code::NotFound))
}

#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
fn refused(error: GameError) -> Error {
    coded(error.code())
}

fn user_error(error: &GameError) -> UserError {
    UserError { code: error.code().name(), message: error.to_string() }
}

fn number(version: u64) -> u32 {
    u32::try_from(version).unwrap_or(u32::MAX)
}

#[Object]
#[allow(clippy::unused_async, reason = "what the library asks for")]
impl Query {
    async fn kinds(&self, ctx: &Context<'_>) -> Result<Vec<Kind>> {
        let asking = asking(ctx)?;
        let name = |slug: &str| asking.app.texts.render(&Message::new(format!("{slug}-name")), asking.language);
        let kinds = asking.app.games.offer.newest_of_all().map(AnyRules::info);
        Ok(kinds.map(|info| Kind { id: info.kind.into(), name: name(info.slug) }).collect())
    }

    async fn me(&self, ctx: &Context<'_>) -> Result<Option<Player>> {
        let asking = asking(ctx)?;
        let Some(caller) = asking.caller else { return Ok(None) };
        let profile = asking.app.players.profile(caller.player).await?;
        Ok(Some(Player { id: profile.id.to_string().into(), display_name: profile.display_name }))
    }

    async fn game(&self, ctx: &Context<'_>, id: ID) -> Result<Option<Game>> {
        let asking = asking(ctx)?;
        let game = asking.app.games.visible(game_id(&id)?, asking.caller.map(|caller| caller.player)).await;
        Ok(Some(game.map(|game| Game { id, version: number(game.version) }).map_err(refused)?))
    }
}

#[Object]
impl Mutation {
    async fn create_game(&self, ctx: &Context<'_>, input: CreateGameInput) -> Result<CreateGamePayload> {
        let asking = asking(ctx)?;
        let call = Call { by: caller(asking)?.player, key: None };
        let KindId::Chips = input.kind;
        let (options, visibility) = (serde_json::Value::Object(serde_json::Map::new()), Visibility::Public);
        let new = NewGame { kind: "CHIPS".into(), options, seats: input.seats, visibility, sit: true, seed: None };
        Ok(match asking.app.games.create(&call, new).await {
            Ok(made) => {
                let game = Game { id: made.game.id.to_string().into(), version: number(made.game.version) };
                CreateGamePayload { game: Some(game), user_errors: Vec::new() }
            }
            Err(error) => CreateGamePayload { game: None, user_errors: vec![user_error(&error)] },
        })
    }

    async fn play_move(&self, ctx: &Context<'_>, input: PlayMoveInput) -> Result<PlayMovePayload> {
        let asking = asking(ctx)?;
        let call = Call { by: caller(asking)?.player, key: None };
        let played = asking.app.games.play(game_id(&input.game_id)?, &call, &MoveInput::Id(input.id), None).await;
        Ok(match played {
            Ok(accepted) => PlayMovePayload { version: Some(number(accepted.step.version)), user_errors: Vec::new() },
            Err(refused) => PlayMovePayload { version: None, user_errors: vec![user_error(&refused.error)] },
        })
    }
}

#[Subscribes]
impl Subscription {
    async fn game_events(
        &self,
        ctx: &Context<'_>,
        game_id: ID,
        after: Option<u32>,
    ) -> Result<impl Stream<Item = Result<Step>> + use<>> {
        let asking = asking(ctx)?;
        let viewer = asking.caller.map(|caller| caller.player);
        let id = self::game_id(&game_id)?;
        let steps = asking.app.games.follow(id, viewer, after.unwrap_or(0).into()).await.map_err(refused)?;
        Ok(steps.map(|step| Ok(Step { version: number(step.map_err(refused)?.version) })))
    }
}
