//! Response bodies that several resources share.

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

/// A player, as everyone sees them.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "PlayerName")]
#[serde(rename_all = "camelCase")]
pub struct PlayerBody {
    /// The player's id; the same in REST and GraphQL.
    pub id: PlayerId,
    /// The player's name. For a deleted account it is "a former player", in the language of `Accept-Language`.
    pub display_name: Arc<str>,
}

/// One seat of a game.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SeatOfGame")]
#[serde(rename_all = "camelCase")]
pub struct SeatBody {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// The player on the seat; null while it is free.
    pub player: Option<PlayerBody>,
    /// The bot that plays on the seat; null if a person does, or nobody. `player` has its name.
    pub bot: Option<SeatBotBody>,
    /// The player for whom the seat is held in the lobby of a rematch; null if nobody. The player takes it with
    /// `POST …/rematch` or `POST …/seats`.
    pub invited: Option<PlayerBody>,
    /// Whether the player resigned. The player keeps the seat, but it makes no more moves.
    pub resigned: bool,
    /// What the seat chose in the lobby; null if nothing, or if the kind has no such choice.
    #[schemars(schema_with = "schema::any_choice_or_none")]
    pub choice: Option<Value>,
}

/// A bot on a seat: a player that is a program.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SeatBot")]
#[serde(rename_all = "camelCase")]
pub struct SeatBotBody {
    /// How strong it plays, from 1.
    pub level: u8,
}

/// Proof that the random numbers were fixed before the game and that no step was changed afterwards.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Fairness")]
#[serde(rename_all = "camelCase")]
pub struct FairnessBody {
    /// Commitment to the seed, shown from the creation of the game on: hex SHA-256 of `ludotheque/1`, a zero byte, the
    /// game's id, a zero byte and the 32 seed bytes.
    pub commitment: Arc<str>,
    /// The seed of all random numbers of the game, in hex; null until the game is over.
    pub seed: Option<Seed>,
    /// Hash chain over all steps up to this version: hex HMAC-SHA-256 under a key derived from the seed. The replay of
    /// the game must lead to the same value; docs/fairness.md in the server's repository describes how to compute it.
    pub chain: String,
}

/// A game without its `view`, as in a list.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GameSummary")]
#[serde(rename_all = "camelCase")]
pub struct SummaryBody {
    /// The game's id; the same in REST and GraphQL.
    pub id: GameId,
    /// The id of the game's kind.
    pub kind: &'static str,
    /// Whether the game is in its lobby, active, finished or abandoned.
    pub status: Status,
    /// The number of steps so far. Every step increases it by one.
    pub version: u64,
    /// The options of the game.
    #[schemars(schema_with = "schema::any_options")]
    pub options: Value,
    /// Who can find the game.
    pub visibility: Visibility,
    /// The code that lets others into an unlisted game (`POST /v1/invites/{code}`). Left out unless you are a member of
    /// the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invite_code: Option<String>,
    /// The host, who can change the lobby and start the game: the player who created it, or who took over when the host
    /// left.
    pub host: PlayerBody,
    /// All seats, in order.
    pub seats: Vec<SeatBody>,
    /// Your seat; null if you have none.
    pub you: Option<Seat>,
    /// The seats whose turn it is; empty if no seat can move.
    pub waiting_for: Vec<Seat>,
    /// When the next seat in `waitingFor` runs out of time; null if no seat can move, or if the game has no time limit.
    pub deadline: Option<Instant>,
    /// The result; null until the game is over.
    pub outcome: Option<Outcome>,
    /// Proof that the random numbers were fixed before the game and that no step was changed afterwards.
    pub fairness: FairnessBody,
    /// The version of the rules; a game keeps the one that it was created with.
    pub rules_version: u32,
    /// When the game was created.
    pub created_at: Instant,
    /// When the last step was taken.
    pub updated_at: Instant,
}

/// A game with its `view`, as the caller sees it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Game")]
#[serde(rename_all = "camelCase")]
pub struct GameBody {
    #[serde(flatten)]
    pub summary: SummaryBody,
    /// The state of the game as you see it, without what is hidden from you; null before the start.
    #[schemars(schema_with = "schema::any_view")]
    #[serde(serialize_with = "as_json")]
    pub view: Option<AnyValue>,
}

/// Writes a view as raw JSON, without building a JSON value first.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn as_json<S: Serializer>(view: &Option<AnyValue>, serializer: S) -> Result<S::Ok, S::Error> {
    view.as_ref().map(AnyValue::raw_json).serialize(serializer)
}

/// A move that your seat may play now.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LegalMove")]
#[serde(rename_all = "camelCase")]
pub struct LegalMoveBody {
    /// The move's notation. Send it as `id` to play the move.
    pub id: String,
    /// The move in words, in the language of `Accept-Language`.
    pub label: Arc<str>,
    /// The move as an object.
    #[schemars(schema_with = "schema::any_move")]
    pub r#move: AnyValue,
    /// What the move would do; null in kinds whose schema `effect` allows only `null`.
    #[schemars(schema_with = "schema::any_effect")]
    pub effect: Option<AnyValue>,
}

/// One step of a game, with the events that the caller may see.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Step")]
#[serde(rename_all = "camelCase")]
pub struct StepBody {
    /// The version of the game after the step.
    pub version: u64,
    /// When the step was taken.
    pub at: Instant,
    /// The seat that acted; null if none did.
    pub seat: Option<Seat>,
    /// The events that you may see; empty if you may see none of them.
    #[schemars(schema_with = "schema::any_events")]
    pub events: Vec<EventView>,
}

/// The game as the viewer sees it.
pub async fn game(app: &App, game: &Game, viewer: Option<PlayerId>, language: Language) -> Result<GameBody, ApiError> {
    let names = Names::of(app, named_players(game), language).await?;
    Ok(with_names(game, viewer, game.eyes(viewer), &names))
}

/// The game with names that are already loaded, seen through `eyes`, which may be those of an earlier version.
pub fn with_names(game: &Game, viewer: Option<PlayerId>, eyes: Eyes, names: &Names<'_>) -> GameBody {
    GameBody { summary: summary(game, viewer, eyes, names), view: game.view(eyes) }
}

/// Display names of players. Deleted players get a placeholder in the reader's language.
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

    /// The revisions of the names, for ETags.
    pub fn revisions(&self) -> impl Iterator<Item = (PlayerId, u32)> + '_ {
        self.known.iter().map(|profile| (profile.id, profile.revision))
    }
}

/// The players whose names a game contains.
pub fn named_players(game: &Game) -> impl Iterator<Item = PlayerId> + '_ {
    game.seated().chain(game.holds()).map(|(_, player)| player).chain([game.host])
}

pub fn summary(game: &Game, viewer: Option<PlayerId>, eyes: Eyes, names: &Names<'_>) -> SummaryBody {
    let info = game.rules.info();
    let name = |id: PlayerId| names.name(id);
    let seats = Seat::all(game.size()).map(|seat| SeatBody {
        seat,
        player: game.seats[seat.index()].map(name),
        bot: game.bot_on(seat).map(|bot| SeatBotBody { level: bot.level }),
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

/// The bodies of some of a seat's legal moves.
pub fn legal_moves(app: &App, game: &Game, seat: Seat, moves: &[AnyMove], language: Language) -> Vec<LegalMoveBody> {
    let bodies = game.describe(seat, moves).map(|mv| LegalMoveBody {
        id: mv.id,
        label: app.texts.label(&mv.label, language),
        r#move: mv.mv,
        effect: mv.effect,
    });
    bodies.collect()
}
