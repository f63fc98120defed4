//! Mutations of the lobby: create a game, join, leave, choose, start; and the rematch after a game.

use super::games::Visibility;
use super::kinds::{GameOptionsInput, KindId, SeatChoiceInput};
use super::node::game_id;
use super::payload::{StepResult, payloads};
use super::request_context::RequestContext;
use super::scalars::byte;
use crate::games::{Accepted, Call, Changes, GameError, NewGame, RejectedStep};
use crate::ids::GameId;
use crate::refusal::Refusal;
use crate::rules::{Message, Seat};
use async_graphql::{Context, ID, InputObject, Object, Result};
use serde_json::{Value, json};

/// The game to create.
#[derive(InputObject)]
pub struct CreateGameInput {
    /// The kind of the game.
    kind: KindId,
    /// The options, in the field of this kind; an option that is left out takes its default.
    options: Option<GameOptionsInput>,
    /// The number of seats; by default the smallest that the kind allows.
    seats: Option<i32>,
    /// Who can find the game.
    #[graphql(default_with = "Some(Visibility::default())")]
    visibility: Option<Visibility>,
    /// Whether the host takes seat 0 at once.
    #[graphql(default_with = "Some(true)")]
    sit: Option<bool>,
    /// The seed of all random numbers, 64 hexadecimal digits; only accepted by a server started with `--dev`.
    seed: Option<String>,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key to create another game. REST and GraphQL share the keys. Up to 255 visible ASCII characters,
    /// such as a UUID.
    idempotency_key: Option<String>,
}

/// The changes to a lobby. What is left out stays as it is.
#[derive(InputObject)]
pub struct UpdateGameInput {
    /// The game's id.
    game_id: ID,
    /// The number of seats. If it shrinks, the seats with the highest numbers are removed, which must be free.
    seats: Option<i32>,
    /// All options. They replace the old ones: an option that is left out takes its default.
    options: Option<GameOptionsInput>,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key for another request to the same game. REST and GraphQL share the keys. Up to 255 visible
    /// ASCII characters, such as a UUID.
    idempotency_key: Option<String>,
}

/// The seat to take.
#[derive(InputObject)]
pub struct SitDownInput {
    /// The game's id.
    game_id: ID,
    /// The seat's number; by default the seat that is held for the caller, or else the lowest free one.
    seat: Option<i32>,
    /// Give the seat to a bot instead of taking it. Only the host can.
    bot: Option<BotInput>,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key for another request to the same game. REST and GraphQL share the keys. Up to 255 visible
    /// ASCII characters, such as a UUID.
    idempotency_key: Option<String>,
}

/// A bot to play with.
#[derive(InputObject)]
pub struct BotInput {
    /// How strong it plays: from 1, which a child can beat, to the kind's `botLevels`.
    level: i32,
}

/// The game to start.
#[derive(InputObject)]
pub struct StartGameInput {
    /// The game's id.
    game_id: ID,
    /// Give all free seats to bots first. Seats that are held for players stay free.
    bots: Option<BotInput>,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key for another request to the same game. REST and GraphQL share the keys. Up to 255 visible
    /// ASCII characters, such as a UUID.
    idempotency_key: Option<String>,
}

/// The choice to make in the lobby.
#[derive(InputObject)]
pub struct ChooseSetupInput {
    /// The game's id.
    game_id: ID,
    /// The choice, in the field of the game's kind. It replaces an earlier choice of the same seat.
    choice: SeatChoiceInput,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key for another request to the same game. REST and GraphQL share the keys. Up to 255 visible
    /// ASCII characters, such as a UUID.
    idempotency_key: Option<String>,
}

/// The player to remove.
#[derive(InputObject)]
pub struct RemovePlayerInput {
    /// The game's id.
    game_id: ID,
    /// The number of the seat to free.
    seat: i32,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key for another request to the same game. REST and GraphQL share the keys. Up to 255 visible
    /// ASCII characters, such as a UUID.
    idempotency_key: Option<String>,
}

/// The invite to accept.
#[derive(InputObject)]
pub struct AcceptInviteInput {
    /// The game's `inviteCode`, which its members can see.
    code: String,
    /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes nothing and
    /// gets the same answer. A refused mutation does not use up its key. Fails with `IDEMPOTENCY_MISMATCH` if the
    /// caller used the key for another request to the same game. REST and GraphQL share the keys. Up to 255 visible
    /// ASCII characters, such as a UUID.
    idempotency_key: Option<String>,
}

/// Declares inputs that consist of a game's id and an idempotency key.
macro_rules! of_a_game {
    ($($(#[doc = $about:literal])* $name:ident),* $(,)?) => {
        $(
            $(#[doc = $about])*
            #[derive(async_graphql::InputObject)]
            pub struct $name {
                /// The game's id.
                pub game_id: async_graphql::ID,
                /// Makes the mutation safe to repeat: for 24 hours, a repetition with the same key and input changes
                /// nothing and gets the same answer. A refused mutation does not use up its key. Fails with
                /// `IDEMPOTENCY_MISMATCH` if the caller used the key for another request to the same game. REST and
                /// GraphQL share the keys. Up to 255 visible ASCII characters, such as a UUID.
                pub idempotency_key: Option<String>,
            }
        )*
    };
}

pub(super) use of_a_game;

of_a_game! {
    /// The game to leave.
    StandUpInput,
    /// The game to play again.
    CreateRematchInput,
}

payloads! {
    /// The new game, in its lobby.
    CreateGamePayload,
    /// The game with the changes.
    UpdateGamePayload,
    /// The game, in which `you` is the caller's seat.
    SitDownPayload,
    /// The game after the caller left it. If it is unlisted and the caller never accepted its invite, the caller can't
    /// read it from now on.
    StandUpPayload,
    /// The game with the caller's choice.
    ChooseSetupPayload,
    /// The game with the seat freed.
    RemovePlayerPayload,
    /// The started game.
    StartGamePayload,
    /// The game, which the caller can see from now on.
    AcceptInvitePayload,
    /// The new game, in which the caller is seated.
    CreateRematchPayload,
}

#[derive(Default)]
pub struct LobbyMutations;

#[Object]
impl LobbyMutations {
    /// Create a game. It opens in its lobby with the caller as host, on seat 0 unless `sit` is false. Fails with
    /// `INVALID_OPTIONS` if the kind can't be played with these options or this number of seats, with `NOT_FOUND` if
    /// this server does not offer the kind, and with `LIMIT_REACHED` if the caller hosts too many lobbies or is in too
    /// many unfinished games.
    async fn create_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game to create.")] input: CreateGameInput,
    ) -> Option<Result<CreateGamePayload>> {
        Some(create_game(ctx, input).await.map(Into::into))
    }

    /// Change the number of seats or the options of a lobby, as its host. Choices of seats that no longer fit are
    /// cleared. Fails with `NOT_HOST` if the caller is not the host, with `INVALID_OPTIONS` if the kind can't be played
    /// with these options or this number of seats, with `SEAT_TAKEN` if a seat to remove is taken or held, and with
    /// `ALREADY_STARTED` or `GAME_OVER` once the game has left its lobby.
    async fn update_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The fields to change.")] input: UpdateGameInput,
    ) -> Option<Result<UpdateGamePayload>> {
        Some(update_game(ctx, input).await.map(Into::into))
    }

    /// Join a game in its lobby. Fails with `SEAT_TAKEN` if the seat, or every seat, is taken or held for another
    /// player, with `ALREADY_SEATED` if the caller has a seat already, with `LIMIT_REACHED` if the caller is in too
    /// many unfinished games, and with `ALREADY_STARTED` or `GAME_OVER` once the game has left its lobby.
    ///
    /// With `bot`, the host gives a free seat to a bot, which plays by itself as soon as the game has started, and which
    /// `removePlayer` removes from the lobby. Fails with `NOT_HOST` if the caller is not the host, with `INVALID_OPTIONS`
    /// if the kind has no bot of this level, and with `NOT_FOUND` if the server plays no bots.
    async fn sit_down(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game and the seat.")] input: SitDownInput,
    ) -> Option<Result<SitDownPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            let seat = input.seat.map(|seat| byte(seat, "seat")).transpose()?;
            let seat = seat.map(Seat);
            match &input.bot {
                None => context.app().games.sit(id, call, seat).await,
                Some(bot) => context.app().games.add_bot(id, call, byte(bot.level, "bot.level")?, seat).await,
            }
        });
        Some(step.await.map(Into::into))
    }

    /// Leave a lobby, or decline the seat that is held for the caller. If the host leaves, the player on the lowest
    /// seat becomes the host; a game that all players have left is abandoned. Fails with `NOT_SEATED` if the caller has
    /// neither a seat nor one that is held for them, with `ALREADY_STARTED` while the game is being played (use
    /// `resignGame`), and with `GAME_OVER` after its end.
    async fn stand_up(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game to leave.")] input: StandUpInput,
    ) -> Option<Result<StandUpPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.stand(id, call).await
        });
        Some(step.await.map(Into::into))
    }

    /// Set what the caller's seat chooses before the start, in kinds with such a choice: for example which elves to
    /// hold. A new choice replaces the old one. Fails with `NOT_FOUND` in kinds without such a choice, and with
    /// `ILLEGAL_MOVE` if it conflicts with the choices of other seats.
    async fn choose_setup(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The choice to make.")] input: ChooseSetupInput,
    ) -> Option<Result<ChooseSetupPayload>> {
        let choice = input.choice.json;
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.choose(id, call, &choice).await
        });
        Some(step.await.map(Into::into))
    }

    /// Remove a player from a lobby, or release a seat that is held for one, as the host. Fails with `NOT_HOST` if the
    /// caller is not the host, with `NOT_FOUND` if the seat is free already, and with `ALREADY_STARTED` or `GAME_OVER`
    /// once the game has left its lobby.
    async fn remove_player(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The seat to free.")] input: RemovePlayerInput,
    ) -> Option<Result<RemovePlayerPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().games.remove(id, call, Seat(byte(input.seat, "seat")?)).await
        });
        Some(step.await.map(Into::into))
    }

    /// Start the game, as the host, once every seat is taken. With `bots`, bots take the free seats first. Returns the
    /// game with its `view`. Fails with `SEATS_FREE` while a seat is free, with `NOT_HOST` if the caller is not the host,
    /// and with `ALREADY_STARTED` or `GAME_OVER` once the game has left its lobby.
    async fn start_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game to start.")] input: StartGameInput,
    ) -> Option<Result<StartGamePayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            let bots = input.bots.as_ref().map(|bots| byte(bots.level, "bots.level")).transpose()?;
            context.app().games.start(id, call, bots).await
        });
        Some(step.await.map(Into::into))
    }

    /// Accept the invite to an unlisted game. From then on the caller can see it, and join it while it is in its lobby.
    /// Fails with `NOT_FOUND` if no game has this code, with `GAME_OVER` if the game is over, and with `LIMIT_REACHED`
    /// if the caller is in too many unfinished games or too many players have used the code.
    async fn accept_invite(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The invite to accept.")] input: AcceptInviteInput,
    ) -> Option<Result<AcceptInvitePayload>> {
        Some(accept_invite(ctx, &input).await.map(Into::into))
    }

    /// Ask for a rematch: a new game with the same kind, options and seats, in its lobby. The first player to ask
    /// becomes its host; the seats of the others are held for them until they ask too or decline. All of them get the
    /// same new game. Fails with `NOT_OVER` until the old game is over, with `NOT_SEATED` if the caller did not play
    /// it, and with `ALREADY_STARTED` if the new game has started without the caller.
    async fn create_rematch(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game to play again.")] input: CreateRematchInput,
    ) -> Option<Result<CreateRematchPayload>> {
        let step = step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
            context.app().rematch(id, call, &context.client()).await
        });
        Some(step.await.map(Into::into))
    }
}

/// Takes a step of a game for the caller, with an idempotency key or without.
pub async fn step(
    ctx: &Context<'_>,
    id: &ID,
    key: Option<&str>,
    take: impl AsyncFnOnce(&RequestContext, GameId, &Call) -> Result<Accepted, RejectedStep>,
) -> Result<StepResult> {
    let context = RequestContext::of(ctx)?;
    match (context.call(key)?, game_id(id)) {
        (Err(error), _) => StepResult::refused_at_once(context, error),
        (_, None) => StepResult::refused_at_once(context, GameError::NotFound),
        (Ok(call), Some(id)) => StepResult::new(context, take(context, id, &call).await),
    }
}

async fn create_game(ctx: &Context<'_>, input: CreateGameInput) -> Result<StepResult> {
    let context = RequestContext::of(ctx)?;
    let call = match context.call(input.idempotency_key.as_deref())? {
        Ok(call) => call,
        Err(error) => return StepResult::refused_at_once(context, error),
    };
    let new = match new_game(input) {
        Ok(new) => new,
        Err(refusal) => return StepResult::refused_at_once(context, refusal),
    };
    StepResult::new(context, context.app().create_game(&call, new, &context.client()).await.map_err(RejectedStep::from))
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

/// The options, if they are those of the kind.
fn options_of(kind: KindId, options: &GameOptionsInput) -> Result<Value, Refusal> {
    let why = || Message::new("request-options-of-another-kind").with("of", options.kind).with("kind", kind.0);
    if options.kind == kind.0 { Ok(options.json.clone()) } else { Err(Refusal::malformed(why()).at("options")) }
}

async fn update_game(ctx: &Context<'_>, input: UpdateGameInput) -> Result<StepResult> {
    let context = RequestContext::of(ctx)?;
    let mut options = None;
    if let Some(given) = &input.options {
        let game = match game_id(&input.game_id) {
            Some(id) if context.caller.is_some() => context.game(id).await?,
            _ => None,
        };
        // If there is no such game, the step below reports that.
        let kind = game.map(|game| KindId::of(game.rules));
        match kind.map_or_else(|| Ok(given.json.clone()), |kind| options_of(kind, given)) {
            Ok(read) => options = Some(read),
            Err(refusal) => return StepResult::refused_at_once(context, refusal),
        }
    }
    step(ctx, &input.game_id, input.idempotency_key.as_deref(), async |context, id, call| {
        let seats = input.seats.map(|seats| byte(seats, "seats")).transpose()?;
        let changes = Changes { seats, options };
        context.app().games.configure(id, call, &changes).await
    })
    .await
}

async fn accept_invite(ctx: &Context<'_>, input: &AcceptInviteInput) -> Result<StepResult> {
    let context = RequestContext::of(ctx)?;
    match context.call(input.idempotency_key.as_deref())? {
        Ok(call) => StepResult::new(context, context.app().games.enter(&input.code, &call).await),
        Err(error) => StepResult::refused_at_once(context, error),
    }
}
