//! The whole of a game that is over.

use super::asking::Asking;
use super::error::{failed, refuse, untold};
use super::games::{GameStatus, Outcome, Visibility};
use super::kinds::shape::{interface_over, tagged};
use super::kinds::{GameEvent, GameOptions, KindId, Preparation, SeatChoice, Untold, with_kind};
use super::listing::{items, page_size};
use super::node::game_id;
use super::scalars::{DateTime, int, seat};
use super::weight::work;
use crate::codes::Code;
use crate::games::GameError;
use crate::games::replay::{ReplayReader, ReplayStep as WholeStep};
use crate::quota::prices;
use crate::rules::dice::Hex;
use async_graphql::{ComplexObject, Context, ID, Object, Result, SimpleObject};

/// Everything there was: set-up, seed, every step with its time, every event with nothing left out.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct Replay {
    /// The game's id.
    game_id: ID,
    /// What was played.
    kind: KindId,
    /// By which rules.
    rules_version: u32,
    /// How it ended: finished or abandoned.
    status: GameStatus,
    /// All of the game's chance, in hex.
    seed: String,
    /// What was promised of the seed when the game was made.
    commitment: String,
    /// Binds every step: its version, time, player, seat and action. Hex HMAC-SHA-256; docs/fairness.md says how it is
    /// computed.
    chain: String,
    /// Who won; null if it was abandoned.
    outcome: Option<Outcome>,
    #[graphql(skip)]
    reader: ReplayReader,
}

/// How many steps there are at once, if nothing is said, and at most.
const STEPS: usize = 100;
const MOST_STEPS: usize = 1000;

#[ComplexObject]
impl Replay {
    /// The steps after a version, in order. Ask again after the last version of one page to get the next.
    #[graphql(complexity = "1 + items(first, STEPS, MOST_STEPS) * (work(prices::LISTED_STEP) + child_complexity)")]
    async fn steps(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many, 1 to 1000; 100, if left out.")] first: Option<i32>,
        #[graphql(desc = "Only steps after this version; from the first on, if left out.")] after: Option<String>,
    ) -> Result<Vec<ReplayStep>> {
        let asking = Asking::of(ctx)?;
        let limit = page_size(asking, first, STEPS, MOST_STEPS)?;
        let after = after.as_deref().map_or(Ok(0), str::parse).map_err(|_| refuse(asking, Code::BadCursor))?;
        let steps = self.reader.steps(after, limit).await.map_err(|error| failed(asking, error))?;
        let steps = steps.into_iter().map(|step| ReplayStep::of(self.kind, step));
        steps.collect::<Result<_, _>>().map_err(|error| untold(asking, &error))
    }
}

/// One step of a replay.
#[derive(SimpleObject)]
pub struct ReplayStep {
    /// The game's version after it.
    version: i32,
    /// When it was taken.
    at: DateTime,
    /// Who took it; null when the service itself did.
    player_id: Option<ID>,
    /// The seat of whoever took it, if seated.
    seat: Option<i32>,
    /// What was done.
    action: ReplayAction,
    /// What changed.
    #[graphql(complexity = "1 + 3 * child_complexity")]
    events: Vec<GameEvent>,
}

tagged! {
    /// What was done in a step.
    AnyAction {
        /// The game was made.
        "CREATE" => CreateAction {
            /// What was agreed.
            options: GameOptions,
            /// Who sat where from the start, by id.
            seats: Vec<Option<ID>>,
            /// Who could find it.
            visibility: Visibility,
            /// In a rematch: for whom each seat was held, by id; null in all other games.
            invited: Option<Vec<Option<ID>>>,
        },
        /// Somebody sat down.
        "SIT" => SitAction {
            /// The seat that was asked for; null for the lowest free one.
            seat: Option<i32>,
        },
        /// Somebody stood up.
        "STAND" => StandAction {},
        /// The host removed somebody.
        "REMOVE" => RemoveAction {
            /// From which seat.
            seat: i32,
        },
        /// The host changed the lobby.
        "CONFIGURE" => ConfigureAction {
            /// How many seats there were from then on.
            seats: i32,
            /// What was agreed from then on, with all that was left out filled in.
            options: GameOptions,
        },
        /// Somebody was let in by the invite code.
        "ENTER" => EnterAction {},
        /// The host began the game.
        "START" => StartAction {},
        /// A move was played.
        "PLAY" => PlayAction {
            /// The move's notation.
            id: ID,
        },
        /// Seats gave up.
        "RESIGN" => ResignAction {
            /// Which ones.
            seats: Vec<i32>,
        },
        /// Those who were late were given up.
        "TIME_OUT" => TimeOutAction {
            /// Which ones; null in games that were played before this was noted.
            seats: Option<Vec<i32>>,
        },
        /// Somebody whose account was deleted left.
        "DEPART" => DepartAction {},
        /// Nobody came to the lobby for too long.
        "EXPIRE" => ExpireAction {},
        /// A seat chose something in the lobby.
        "CHOOSE" => ChooseAction {
            /// What was chosen.
            choice: SeatChoice,
        },
        /// The host began the game, with what was worked out for it beforehand.
        "BEGIN" => BeginAction {
            /// What was worked out; what never came to light is left out.
            prepared: Preparation,
            /// Of each item shown as null in a list of `prepared`, in order: hex SHA-256 of the canonical JSON of what was
            /// there; null if there is no such item.
            left_out: Option<Vec<String>>,
        },
        /// A seat did something beside its moves.
        "ASIDE" => AsideAction {
            /// As the kind writes it.
            aside: String,
        },
    }
}

interface_over! {
    /// What was done in a step.
    ReplayAction { Any(AnyAction) }
}

impl Replay {
    fn of(reader: ReplayReader) -> Result<Self, Untold> {
        let whole = reader.head();
        let kind = KindId::of(&whole.kind)?;
        Ok(Self {
            game_id: whole.id.into(),
            kind,
            rules_version: whole.rules_version,
            status: whole.status.into(),
            seed: Hex(&whole.seed.0).to_string(),
            commitment: whole.commitment,
            chain: whole.chain,
            outcome: whole.outcome.as_ref().map(Outcome::from),
            reader,
        })
    }
}

impl ReplayStep {
    fn of(kind: KindId, step: WholeStep) -> Result<Self, Untold> {
        Ok(Self {
            version: int(step.version),
            at: DateTime(step.at),
            player_id: step.player_id.map(Into::into),
            seat: step.seat.map(seat),
            action: ReplayAction::read(kind, &step)?,
            events: step.events.into_iter().map(|event| GameEvent::read(kind, event)).collect::<Result<_, _>>()?,
        })
    }
}

impl ReplayAction {
    fn read(kind: KindId, step: &WholeStep) -> Result<Self, Untold> {
        let mut action = serde_json::to_value(&step.action).expect("actions are plain data");
        if let Some(options) = action.get_mut("options") {
            // A host may have said some options only; the event has all of them.
            let whole = step.events.iter().find_map(|event| event.get("options"));
            *options = with_kind(whole.cloned().unwrap_or_else(|| options.take()), kind);
        }
        let read = serde_json::from_value(action).map(Self::Any);
        read.map_err(|why| Untold::new("an action", kind, &why))
    }
}

/// What can be asked of games that are over.
#[derive(Default)]
pub struct ReplayQueries;

#[Object]
impl ReplayQueries {
    /// All of a game that is over; null if there is no such game.
    async fn replay(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Of which game.")] game_id: ID,
    ) -> Option<Result<Replay>> {
        replay(ctx, &game_id).await.transpose()
    }
}

async fn replay(ctx: &Context<'_>, id: &ID) -> Result<Option<Replay>> {
    let asking = Asking::of(ctx)?;
    let Some(id) = game_id(id) else { return Ok(None) };
    match asking.app().games.replay(id, &asking.client()).await {
        Ok(reader) => Replay::of(reader).map(Some).map_err(|error| untold(asking, &error)),
        Err(GameError::NotFound) => Ok(None),
        Err(error) => Err(failed(asking, error)),
    }
}
