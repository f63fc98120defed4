//! Legal moves of a seat, and the preview of moves.

use super::error::{UserError, graphql_error};
use super::events::game_events;
use super::kinds::{GameEvent, GameMoveInput, GameView, Move, MoveEffect};
use super::node::game_id;
use super::payload::StepResult;
use super::request_context::RequestContext;
use super::scalars::{int, seat};
use crate::codes::Code;
use crate::games::{Foresight, Game, GameError, MoveInput, Obstacle};
use crate::refusal::Refusal;
use crate::rules::Seat;
use async_graphql::{Context, ID, Object, OneofObject, Result, SimpleObject};

/// The legal moves of a seat.
#[derive(SimpleObject)]
pub struct LegalMoves {
    /// The current version of the game.
    version: i32,
    /// The number of the seat.
    seat: i32,
    /// The moves; empty while it is not the seat's turn.
    #[graphql(complexity = "1 + 20 * child_complexity")]
    pub moves: Vec<LegalMove>,
}

/// A move that the seat may play now.
#[derive(SimpleObject)]
pub struct LegalMove {
    /// The move's notation. Send it as `id` to play the move.
    id: ID,
    /// The move in words, in the language of the request.
    label: String,
    /// The move with all its fields.
    r#move: Move,
    /// What the move would do; null in kinds without a type in `MoveEffect`.
    effect: Option<MoveEffect>,
}

impl LegalMoves {
    pub fn of(context: &RequestContext, game: &Game, own: Seat) -> Self {
        let moves = game.legal_moves(own, context.app().games.now(game));
        let moves = game.describe(own, &moves).map(|mv| LegalMove {
            id: mv.id.into(),
            label: context.texts().label(&mv.label, context.language).to_string(),
            r#move: Move::of_kind(game.rules, mv.mv),
            effect: mv.effect.map(|effect| MoveEffect::of_kind(game.rules, effect)),
        });
        Self { version: int(game.version), seat: seat(own), moves: moves.collect() }
    }
}

/// A move: the `id` of a legal move, or the move with all its fields.
#[derive(OneofObject)]
pub enum MoveChoiceInput {
    /// The id of a legal move.
    Id(String),
    /// The move with all its fields.
    Move(GameMoveInput),
}

impl From<&MoveChoiceInput> for MoveInput {
    fn from(choice: &MoveChoiceInput) -> Self {
        match choice {
            MoveChoiceInput::Id(id) => Self::Id(id.clone()),
            MoveChoiceInput::Move(mv) => Self::Typed(mv.json.clone()),
        }
    }
}

/// The result of a series of moves, as far as the caller can know it.
#[derive(Default, SimpleObject)]
pub struct PreviewPayload {
    /// Whether the events are complete. If false, the preview stops before the first event that depends on chance or
    /// hidden information, or before a move that is not legal. Null after a refusal.
    complete: Option<bool>,
    /// The move of the series that is not legal, and the reason; null if there is none. If the first move is not legal,
    /// that is a user error instead.
    obstacle: Option<PreviewObstacle>,
    /// The events that the moves would cause; null after a refusal.
    #[graphql(complexity = "1 + 10 * child_complexity")]
    events: Option<Vec<GameEvent>>,
    /// The table as the caller would see it after the moves; null after a refusal.
    view: Option<GameView>,
    /// The current version of the game.
    version: Option<i32>,
    /// The legal moves of the seat, after a refusal with `ILLEGAL_MOVE` or `NOT_YOUR_TURN`.
    #[graphql(complexity = "1 + 20 * child_complexity")]
    legal_moves: Option<Vec<LegalMove>>,
    /// Why the preview was refused; empty if it was accepted.
    user_errors: Vec<UserError>,
}

/// The move at which a series stops.
#[derive(SimpleObject)]
pub struct PreviewObstacle {
    /// The position of the move in the series, counted from 0.
    step: i32,
    /// The error code that playing the move would fail with.
    code: Code,
    /// Why the move is not legal, in the language of the request.
    detail: String,
}

impl PreviewObstacle {
    fn of(context: &RequestContext, Obstacle { step, error }: Obstacle) -> Self {
        let refusal = Refusal::from(error);
        let detail = refusal.detail(context.texts(), context.language);
        Self { step: int(step as u64), code: refusal.code, detail }
    }
}

#[derive(Default)]
pub struct MoveQueries;

#[Object]
impl MoveQueries {
    /// List the legal moves of the caller's seat; null if there is no such game. Fails with `NOT_SEATED` if the caller
    /// is not seated at the game.
    async fn legal_moves(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game's id.")] game_id: ID,
    ) -> Option<Result<LegalMoves>> {
        legal_moves(ctx, &game_id).await.transpose()
    }

    /// Preview up to four moves in a row without playing them. Returns the events and the view that they would lead to,
    /// as far as the caller can know. If the first move is not legal, the preview is refused just as `playMove` would
    /// be.
    #[graphql(complexity = "10 + child_complexity")]
    async fn preview(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The game's id.")] game_id: ID,
        #[graphql(desc = "The moves in order, up to 4.")] moves: Vec<MoveChoiceInput>,
    ) -> Option<Result<PreviewPayload>> {
        Some(preview(ctx, &game_id, &moves).await)
    }
}

async fn legal_moves(ctx: &Context<'_>, id: &ID) -> Result<Option<LegalMoves>> {
    let context = RequestContext::of(ctx)?;
    let player = context.signed_in()?.player;
    let Some(id) = game_id(id) else { return Ok(None) };
    let Some(game) = context.game(id).await? else { return Ok(None) };
    let seat = game.seat_of(player).ok_or_else(|| graphql_error(context, GameError::NotSeated))?;
    Ok(Some(LegalMoves::of(context, &game, seat)))
}

async fn preview(ctx: &Context<'_>, id: &ID, moves: &[MoveChoiceInput]) -> Result<PreviewPayload> {
    let context = RequestContext::of(ctx)?;
    let call = match context.call(None)? {
        Ok(call) => call,
        Err(error) => return Ok(StepResult::refused_at_once(context, error)?.into()),
    };
    let Some(id) = game_id(id) else { return Ok(StepResult::refused_at_once(context, GameError::NotFound)?.into()) };
    let moves: Vec<_> = moves.iter().map(MoveInput::from).collect();
    let foresight = context.app().games.preview(id, &call, &moves).await;
    let Foresight { game, complete, obstacle, events, view } = match foresight {
        Ok(foresight) => foresight,
        Err(refused) => return Ok(StepResult::new(context, Err(refused))?.into()),
    };
    Ok(PreviewPayload {
        complete: Some(complete),
        obstacle: obstacle.map(|obstacle| PreviewObstacle::of(context, obstacle)),
        events: Some(game_events(game.rules, &events)),
        view: Some(GameView::of_kind(game.rules, view)),
        version: Some(int(game.version)),
        ..PreviewPayload::default()
    })
}

/// A refused preview.
impl From<StepResult> for PreviewPayload {
    fn from(StepResult { version, legal_moves, user_errors, .. }: StepResult) -> Self {
        Self { version, legal_moves, user_errors, ..Self::default() }
    }
}
