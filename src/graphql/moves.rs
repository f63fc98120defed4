//! Moves: what a seat may do, and what it would do.

use super::error::UserError;
use super::events::tell_all;
use super::kinds::{GameEvent, GameMoveInput, GameView, Move, MoveEffect};
use super::node::game_id;
use super::payload::Stepped;
use super::request_context::RequestContext;
use super::scalars::{int, seat};
use crate::codes::Code;
use crate::games::{Foresight, Game, GameError, MoveInput, Obstacle};
use crate::refusal::Refusal;
use crate::rules::Seat;
use async_graphql::{Context, ID, Object, OneofObject, Result, SimpleObject};

/// What a seat may play now.
#[derive(SimpleObject)]
pub struct LegalMoves {
    /// The version that the game stands at.
    version: i32,
    /// Whose moves they are.
    seat: i32,
    /// Each ready to be sent back; empty when the seat has nothing to do.
    #[graphql(complexity = "1 + 20 * child_complexity")]
    pub moves: Vec<LegalMove>,
}

/// A move that the seat may play now.
#[derive(SimpleObject)]
pub struct LegalMove {
    /// The move's notation: send it back to play the move.
    id: ID,
    /// The move in words, in the reader's language.
    label: String,
    /// The move spelled out.
    r#move: Move,
    /// What it would bring, in kinds where all is open.
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

/// A move: by its id in the list of legal moves, or spelled out.
#[derive(OneofObject)]
pub enum MoveChoiceInput {
    /// The id of a legal move.
    Id(String),
    /// The move itself.
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

/// What a series of moves would do, as far as the caller can know.
#[derive(Default, SimpleObject)]
pub struct PreviewPayload {
    /// Whether that is all of it; else it stops before the first draw, unsealing or newly seen card, or before a move that
    /// can't be played. Null after a refusal.
    complete: Option<bool>,
    /// The move of a series that can't be played, and why. If it is the first, that is a user error instead.
    obstacle: Option<PreviewObstacle>,
    /// What would happen; null after a refusal.
    #[graphql(complexity = "1 + 10 * child_complexity")]
    events: Option<Vec<GameEvent>>,
    /// The table as the caller would see it then; null after a refusal.
    view: Option<GameView>,
    /// The version that the game stands at.
    version: Option<i32>,
    /// What the seat may play instead of a move that was refused.
    #[graphql(complexity = "1 + 20 * child_complexity")]
    legal_moves: Option<Vec<LegalMove>>,
    /// Why it can't be told; empty if it is.
    user_errors: Vec<UserError>,
}

/// Where a series of moves can't go on.
#[derive(SimpleObject)]
pub struct PreviewObstacle {
    /// Which move of the series it is, counted from 0.
    step: i32,
    /// Which refusal it would be, of the closed list.
    code: Code,
    /// Why it can't be played, in the reader's language.
    detail: String,
}

impl PreviewObstacle {
    fn of(context: &RequestContext, Obstacle { step, error }: Obstacle) -> Self {
        let refusal = Refusal::from(error);
        let detail = refusal.detail(context.texts(), context.language);
        Self { step: int(step as u64), code: refusal.code, detail }
    }
}

/// What can be asked about moves.
#[derive(Default)]
pub struct MoveQueries;

#[Object]
impl MoveQueries {
    /// The legal moves of the caller's seat; null if there is no such game.
    async fn legal_moves(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Of which game.")] game_id: ID,
    ) -> Option<Result<LegalMoves>> {
        legal_moves(ctx, &game_id).await.transpose()
    }

    /// What a series of moves would do, without doing it.
    #[graphql(complexity = "10 + child_complexity")]
    async fn preview(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "In which game.")] game_id: ID,
        #[graphql(desc = "One move after the other, up to 4.")] moves: Vec<MoveChoiceInput>,
    ) -> Option<Result<PreviewPayload>> {
        Some(preview(ctx, &game_id, &moves).await)
    }
}

async fn legal_moves(ctx: &Context<'_>, id: &ID) -> Result<Option<LegalMoves>> {
    let context = RequestContext::of(ctx)?;
    let player = context.signed_in()?.player;
    let Some(id) = game_id(id) else { return Ok(None) };
    let Some(game) = context.game(id).await? else { return Ok(None) };
    let seat = game.seat_of(player).ok_or_else(|| super::error::failed(context, GameError::NotSeated))?;
    Ok(Some(LegalMoves::of(context, &game, seat)))
}

async fn preview(ctx: &Context<'_>, id: &ID, moves: &[MoveChoiceInput]) -> Result<PreviewPayload> {
    let context = RequestContext::of(ctx)?;
    let call = match context.call(None)? {
        Ok(call) => call,
        Err(error) => return Ok(Stepped::refused_at_once(context, error)?.into()),
    };
    let Some(id) = game_id(id) else { return Ok(Stepped::refused_at_once(context, GameError::NotFound)?.into()) };
    let moves: Vec<_> = moves.iter().map(MoveInput::from).collect();
    let foresight = context.app().games.preview(id, &call, &moves).await;
    let Foresight { game, complete, obstacle, events, view } = match foresight {
        Ok(foresight) => foresight,
        Err(refused) => return Ok(Stepped::new(context, Err(refused))?.into()),
    };
    Ok(PreviewPayload {
        complete: Some(complete),
        obstacle: obstacle.map(|obstacle| PreviewObstacle::of(context, obstacle)),
        events: Some(tell_all(game.rules, &events)),
        view: Some(GameView::of_kind(game.rules, view)),
        version: Some(int(game.version)),
        ..PreviewPayload::default()
    })
}

/// After a refusal.
impl From<Stepped> for PreviewPayload {
    fn from(Stepped { version, legal_moves, user_errors, .. }: Stepped) -> Self {
        Self { version, legal_moves, user_errors, ..Self::default() }
    }
}
