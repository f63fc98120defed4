//! The shapes that several resources share, as clients see them.

use super::error::ApiError;
use super::schema;
use crate::app::App;
use crate::games::ports::Status;
use crate::games::step::Visibility;
use crate::games::{EventView, Game};
use crate::ids::{GameId, PlayerId};
use crate::players::{PublicProfile, former};
use crate::rules::any::{AnyMove, AnyValue};
use crate::rules::{Eyes, Instant, Outcome, Seat, Seed};
use crate::texts::{Language, Texts};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::sync::Arc;

/// A player, as everybody sees them.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "PlayerName")]
#[serde(rename_all = "camelCase")]
pub struct PlayerBody {
    /// The player's id, for good.
    pub id: PlayerId,
    /// What the player is called now.
    pub display_name: Arc<str>,
}

/// One seat of a game.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SeatOfGame")]
#[serde(rename_all = "camelCase")]
pub struct SeatBody {
    /// The seat's number.
    pub seat: Seat,
    /// Who sits there; null if the seat is free.
    pub player: Option<PlayerBody>,
    /// For whom the seat is held, in the lobby of a rematch: the player takes it by asking for the rematch too, or by
    /// sitting down.
    pub invited: Option<PlayerBody>,
    /// Whether the player gave up; the seat stays, but acts no more.
    pub resigned: bool,
    /// What the seat chose in the lobby, in kinds that let it.
    #[schemars(schema_with = "schema::any_choice_or_none")]
    pub choice: Option<Value>,
}

/// The promise that the dice were not chosen along the way, and that no step is changed afterwards.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Fairness")]
#[serde(rename_all = "camelCase")]
pub struct FairnessBody {
    /// Hex SHA-256 of `ludotheque/1`, a zero byte, the game's id, a zero byte and the 32 seed bytes.
    pub commitment: Arc<str>,
    /// Once the game is over.
    pub seed: Option<Seed>,
    /// Binds every step up to this version: hex HMAC-SHA-256 under a key derived from the seed. The replay of the game
    /// must lead to the same value; docs/fairness.md says how to compute it.
    pub chain: String,
}

/// What everybody who may know of a game sees of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GameSummary")]
#[serde(rename_all = "camelCase")]
pub struct SummaryBody {
    /// The game's id, for good.
    pub id: GameId,
    /// What is played.
    pub kind: &'static str,
    /// Where the game is, from lobby to end.
    pub status: Status,
    /// How many steps the game has had.
    pub version: u64,
    /// What was agreed for the game.
    #[schemars(schema_with = "schema::any_options")]
    pub options: Value,
    /// Who may find the game.
    pub visibility: Visibility,
    /// What lets others into an unlisted game; shown to its members only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invite_code: Option<String>,
    /// Who opened the game, or took over from them.
    pub host: PlayerBody,
    /// All seats, in order.
    pub seats: Vec<SeatBody>,
    /// Your seat; null if you have none.
    pub you: Option<Seat>,
    /// The seats whose move is awaited; none while nobody can move yet.
    pub waiting_for: Vec<Seat>,
    /// When the first of them will be late; null if there are none, or they may take as long as they like.
    pub deadline: Option<Instant>,
    /// Who won; null until the game is over.
    pub outcome: Option<Outcome>,
    /// What proves afterwards that nobody chose the dice.
    pub fairness: FairnessBody,
    /// The version of the rules that the game is played by.
    pub rules_version: u32,
    /// When the game was created.
    pub created_at: Instant,
    /// When the last step was made.
    pub updated_at: Instant,
}

/// A game, and the table as the caller sees it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Game")]
#[serde(rename_all = "camelCase")]
pub struct GameBody {
    #[serde(flatten)]
    pub summary: SummaryBody,
    /// What you may see of the table; null before the start.
    #[schemars(schema_with = "schema::any_view")]
    #[serde(serialize_with = "as_json")]
    pub view: Option<AnyValue>,
}

/// A view, written as JSON text at once.
#[expect(clippy::ref_option, reason = "serde hands over the field")]
fn as_json<S: Serializer>(view: &Option<AnyValue>, serializer: S) -> Result<S::Ok, S::Error> {
    view.as_ref().map(AnyValue::raw_json).serialize(serializer)
}

/// A move that the seat may play now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LegalMove")]
#[serde(rename_all = "camelCase")]
pub struct LegalMoveBody {
    /// The move's notation: send it back to play the move.
    pub id: String,
    /// The move in words.
    pub label: Arc<str>,
    /// The move, spelled out.
    #[schemars(schema_with = "schema::any_move")]
    pub r#move: AnyValue,
    /// What the move would bring, in kinds where all is open.
    #[schemars(schema_with = "schema::any_effect")]
    pub effect: Option<AnyValue>,
}

/// One step of a game, as the caller is told of it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Step")]
#[serde(rename_all = "camelCase")]
pub struct StepBody {
    /// The version that the step made.
    pub version: u64,
    /// When it was made.
    pub at: Instant,
    /// The seat that acted; null if it was nobody seated.
    pub seat: Option<Seat>,
    /// What changed; empty where the caller may see nothing of it.
    #[schemars(schema_with = "schema::any_events")]
    pub events: Vec<EventView>,
}

/// The game as the viewer sees it.
pub async fn game(app: &App, game: &Game, viewer: Option<PlayerId>, language: Language) -> Result<GameBody, ApiError> {
    let names = Names::of(app, people(game), language).await?;
    Ok(with_names(game, viewer, game.eyes(viewer), &names))
}

/// The same for whoever has the names at hand, with eyes that may be of another time.
pub fn with_names(game: &Game, viewer: Option<PlayerId>, eyes: Eyes, names: &Names<'_>) -> GameBody {
    GameBody { summary: summary(game, viewer, eyes, names), view: game.view(eyes) }
}

/// What players are called, in the reader's language where they have no name any more.
pub struct Names<'a> {
    known: Vec<PublicProfile>,
    texts: &'a Texts,
    language: Language,
}

impl<'a> Names<'a> {
    pub async fn of(
        app: &'a App,
        players: impl IntoIterator<Item = PlayerId>,
        language: Language,
    ) -> Result<Self, ApiError> {
        let known = app.players.public_profiles(players).await?;
        Ok(Self { known, texts: &app.texts, language })
    }

    fn name(&self, id: PlayerId) -> PlayerBody {
        let name = PublicProfile::find(&self.known, id).and_then(|profile| profile.display_name.clone());
        PlayerBody { id, display_name: name.unwrap_or_else(|| self.texts.render(&former(), self.language).into()) }
    }

    /// Which names these are, for telling whether a page has changed.
    pub fn revisions(&self) -> impl Iterator<Item = (PlayerId, u32)> + '_ {
        self.known.iter().map(|profile| (profile.id, profile.revision))
    }
}

/// Everybody whose name is shown with a game.
pub fn people(game: &Game) -> impl Iterator<Item = PlayerId> + '_ {
    game.seated().chain(game.holds()).map(|(_, player)| player).chain([game.host])
}

pub fn summary(game: &Game, viewer: Option<PlayerId>, eyes: Eyes, names: &Names<'_>) -> SummaryBody {
    let info = game.rules.info();
    let name = |id: PlayerId| names.name(id);
    let seats = Seat::all(game.size()).map(|seat| SeatBody {
        seat,
        player: game.seats[seat.index()].map(name),
        invited: game.held[seat.index()].map(name),
        resigned: game.resigned.contains(&seat),
        choice: game.chosen(seat).cloned(),
    });
    let you = match eyes {
        Eyes::Seat(seat) => Some(seat),
        Eyes::Spectator | Eyes::Replay => None,
    };
    SummaryBody {
        id: game.id,
        kind: info.kind,
        status: game.status,
        version: game.version,
        options: game.shown_options(),
        visibility: game.visibility,
        invite_code: game.invite.clone().filter(|_| viewer.is_some_and(|player| game.is_member(player))),
        host: name(game.host),
        seats: seats.collect(),
        you,
        waiting_for: game.waiting_for(),
        deadline: game.deadline(),
        outcome: game.outcome.clone(),
        fairness: FairnessBody {
            commitment: game.commitment(),
            seed: game.status.is_over().then_some(game.seed),
            chain: game.chain.to_string(),
        },
        rules_version: info.rules_version,
        created_at: game.created_at,
        updated_at: game.updated_at,
    }
}

/// Some of a seat's legal moves, each ready to be shown and sent back.
pub fn legal_moves(app: &App, game: &Game, seat: Seat, moves: &[AnyMove], language: Language) -> Vec<LegalMoveBody> {
    let shown = game.describe(seat, moves).map(|mv| LegalMoveBody {
        id: mv.id,
        label: app.texts.label(&mv.label, language),
        r#move: mv.mv,
        effect: mv.effect,
    });
    shown.collect()
}
