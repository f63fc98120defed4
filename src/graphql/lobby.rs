//! Before play: making a game, sitting down and standing up, the host's rights, starting; and a rematch afterwards.

use super::games::Visibility;
use super::kinds::{GameOptionsInput, KindId, SeatChoiceInput};
use super::node::game_id;
use super::payload::{Stepped, payloads};
use super::request_context::RequestContext;
use super::scalars::byte;
use crate::games::{Accepted, Call, Changes, GameError, NewGame, RejectedStep};
use crate::ids::GameId;
use crate::refusal::Refusal;
use crate::rules::{Message, Seat};
use async_graphql::{Context, ID, InputObject, Object, Result};
use serde_json::{Value, json};

/// What to play, and with whom.
#[derive(InputObject)]
pub struct CreateGameInput {
    /// What to play.
    kind: KindId,
    /// What is agreed, for this kind; what is left out takes its default.
    options: Option<GameOptionsInput>,
    /// How many seats; the fewest the kind allows, if left out.
    seats: Option<i32>,
    /// Who may find it.
    #[graphql(default_with = "Some(Visibility::default())")]
    visibility: Option<Visibility>,
    /// Whether the host takes seat 0.
    #[graphql(default_with = "Some(true)")]
    sit: Option<bool>,
    /// All of the game's chance, 64 hexadecimal digits; only a server started with `--dev` takes it.
    seed: Option<String>,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// What to change in a lobby; what is left out stays.
#[derive(InputObject)]
pub struct UpdateGameInput {
    /// Which game.
    game_id: ID,
    /// How many seats.
    seats: Option<i32>,
    /// What is agreed from now on, all of it: what is left out of it takes its default.
    options: Option<GameOptionsInput>,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// Where to sit.
#[derive(InputObject)]
pub struct SitDownInput {
    /// At which game.
    game_id: ID,
    /// If left out: the seat that is held for the caller, or else the lowest free one.
    seat: Option<i32>,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// What to choose in the lobby.
#[derive(InputObject)]
pub struct ChooseSetupInput {
    /// In which game.
    game_id: ID,
    /// What is chosen, beside what the others chose; the last choice counts.
    choice: SeatChoiceInput,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// Whom to remove.
#[derive(InputObject)]
pub struct RemovePlayerInput {
    /// From which game.
    game_id: ID,
    /// The seat to free.
    seat: i32,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// The door of an unlisted game.
#[derive(InputObject)]
pub struct AcceptInviteInput {
    /// The invite code, as members see it.
    code: String,
    /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
    idempotency_key: Option<String>,
}

/// Inputs that say which game, and nothing more.
macro_rules! of_a_game {
    ($($(#[doc = $about:literal])* $name:ident),* $(,)?) => {
        $(
            $(#[doc = $about])*
            #[derive(async_graphql::InputObject)]
            pub struct $name {
                /// Which game.
                pub game_id: async_graphql::ID,
                /// The same key with the same request is carried out once, and answered the same as far as the caller may still see
    /// it; REST knows the same keys.
                pub idempotency_key: Option<String>,
            }
        )*
    };
}

pub(super) use of_a_game;

of_a_game! {
    /// Where to stand up.
    StandUpInput,
    /// What to start.
    StartGameInput,
    /// What to play again.
    CreateRematchInput,
}

payloads! {
    /// The new game, in its lobby.
    CreateGamePayload,
    /// The changed lobby.
    UpdateGamePayload,
    /// The game one sits at now.
    SitDownPayload,
    /// The game one has left. Whoever leaves an unlisted game without an invitation may not look back at it; this last
    /// look is theirs.
    StandUpPayload,
    /// The game with what is chosen now.
    ChooseSetupPayload,
    /// The game with a free seat.
    RemovePlayerPayload,
    /// The game that has begun.
    StartGamePayload,
    /// The game one may know of now.
    AcceptInvitePayload,
    /// The new game; the caller is seated.
    CreateRematchPayload,
}

/// What can be done before play.
#[derive(Default)]
pub struct LobbyMutations;

#[Object]
impl LobbyMutations {
    /// Makes a game. It opens in its lobby with the caller as host, on seat 0 unless `sit` is false.
    async fn create_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to play, and with whom.")] input: CreateGameInput,
    ) -> Option<Result<CreateGamePayload>> {
        Some(create_game(ctx, input).await.map(Into::into))
    }

    /// Changes the lobby: the host sets the number of seats and the options.
    async fn update_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdateGameInput,
    ) -> Option<Result<UpdateGamePayload>> {
        Some(update_game(ctx, input).await.map(Into::into))
    }

    /// Sits down; `SEAT_TAKEN` where the seat is taken, or held for somebody else.
    async fn sit_down(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Where to sit.")] input: SitDownInput,
    ) -> Option<Result<SitDownPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            let seat = input.seat.map(|seat| byte(seat, "seat")).transpose()?;
            context.app().games.sit(id, call, seat.map(Seat)).await
        });
        Some(step.await.map(Into::into))
    }

    /// Stands up, in the lobby. A leaving host hands over to the lowest seat; a table that everybody left is abandoned. A
    /// player for whom a seat is held declines it.
    async fn stand_up(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Where to stand up.")] input: StandUpInput,
    ) -> Option<Result<StandUpPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.stand(id, call).await
        });
        Some(step.await.map(Into::into))
    }

    /// Chooses in the lobby what the kind lets a seat choose; `NOT_FOUND` in kinds where there is nothing to choose.
    async fn choose_setup(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to choose.")] input: ChooseSetupInput,
    ) -> Option<Result<ChooseSetupPayload>> {
        let choice = input.choice.json;
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.choose(id, call, &choice).await
        });
        Some(step.await.map(Into::into))
    }

    /// Removes a player, or releases a seat that is held for one: by the host, in the lobby.
    async fn remove_player(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Whom to remove.")] input: RemovePlayerInput,
    ) -> Option<Result<RemovePlayerPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.remove(id, call, Seat(byte(input.seat, "seat")?)).await
        });
        Some(step.await.map(Into::into))
    }

    /// Starts the game: by the host, once every seat is taken.
    async fn start_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to start.")] input: StartGameInput,
    ) -> Option<Result<StartGamePayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.start(id, call).await
        });
        Some(step.await.map(Into::into))
    }

    /// Enters an unlisted game by its invite code, for good: as a spectator until seated.
    async fn accept_invite(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The door of an unlisted game.")] input: AcceptInviteInput,
    ) -> Option<Result<AcceptInvitePayload>> {
        Some(accept_invite(ctx, &input).await.map(Into::into))
    }

    /// Plays again: a new game with the same seats, in its lobby. The first player to ask is its host; the seats of the
    /// others are held for them. Everybody who asks takes their seat at the same game. Nobody is seated without asking.
    async fn create_rematch(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to play again.")] input: CreateRematchInput,
    ) -> Option<Result<CreateRematchPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().rematch(id, call, &context.client()).await
        });
        Some(step.await.map(Into::into))
    }
}

/// A step of a game by whoever asks, under a key or not.
pub async fn step(
    ctx: &Context<'_>,
    id: &ID,
    key: Option<&str>,
    take: impl AsyncFnOnce(&RequestContext, GameId, &Call) -> Result<Accepted, RejectedStep>,
) -> Result<Stepped> {
    let context = RequestContext::of(ctx)?;
    match (context.call(key)?, game_id(id)) {
        (Err(error), _) => Stepped::refused_at_once(context, error),
        (_, None) => Stepped::refused_at_once(context, GameError::NotFound),
        (Ok(call), Some(id)) => Stepped::new(context, take(context, id, &call).await),
    }
}

async fn create_game(ctx: &Context<'_>, input: CreateGameInput) -> Result<Stepped> {
    let context = RequestContext::of(ctx)?;
    let call = match context.call(input.idempotency_key.as_deref())? {
        Ok(call) => call,
        Err(error) => return Stepped::refused_at_once(context, error),
    };
    let new = match new_game(input) {
        Ok(new) => new,
        Err(refusal) => return Stepped::refused_at_once(context, refusal),
    };
    Stepped::new(context, context.app().create_game(&call, new, &context.client()).await.map_err(RejectedStep::from))
}

fn new_game(input: CreateGameInput) -> Result<NewGame, Refusal> {
    let CreateGameInput { kind, options, seats, visibility, sit, seed, idempotency_key: _ } = input;
    let seed = seed.as_deref().map(str::parse).transpose();
    Ok(NewGame {
        kind: kind.0.to_owned(),
        options: options.map_or(Ok(json!({})), |options| options_of(kind, &options))?,
        seats: seats.map(|seats| byte(seats, "seats")).transpose()?,
        visibility: visibility.unwrap_or_default().into(),
        sit: sit.unwrap_or(true),
        seed: seed.map_err(|_| Refusal::malformed(Message::new("request-seed")).at("seed"))?,
    })
}

/// Options, if they are those of the kind.
fn options_of(kind: KindId, options: &GameOptionsInput) -> Result<Value, Refusal> {
    let why = || Message::new("request-options-of-another-kind").with("of", options.kind).with("kind", kind.0);
    if options.kind == kind.0 { Ok(options.json.clone()) } else { Err(Refusal::malformed(why()).at("options")) }
}

async fn update_game(ctx: &Context<'_>, input: UpdateGameInput) -> Result<Stepped> {
    let context = RequestContext::of(ctx)?;
    let mut options = None;
    if let Some(given) = &input.options {
        let game = match game_id(&input.game_id) {
            Some(id) if context.caller.is_some() => context.game(id).await?,
            _ => None,
        };
        // Where there is no such game, that is what will be said.
        let kind = game.map(|game| KindId::of(game.rules));
        match kind.map_or_else(|| Ok(given.json.clone()), |kind| options_of(kind, given)) {
            Ok(read) => options = Some(read),
            Err(refusal) => return Stepped::refused_at_once(context, refusal),
        }
    }
    step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
        let seats = input.seats.map(|seats| byte(seats, "seats")).transpose()?;
        let changes = Changes { seats, options };
        context.app().games.configure(id, call, &changes).await
    })
    .await
}

async fn accept_invite(ctx: &Context<'_>, input: &AcceptInviteInput) -> Result<Stepped> {
    let context = RequestContext::of(ctx)?;
    match context.call(input.idempotency_key.as_deref())? {
        Ok(call) => Stepped::new(context, context.app().games.enter(&input.code, &call).await),
        Err(error) => Stepped::refused_at_once(context, error),
    }
}
