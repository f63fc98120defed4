//! What one viewer may see of a step.

use super::game::Game;
use super::options::with_kind;
use super::step::{Event, Step, TableEvent, Text};
use crate::games::ports::StoreError;
use crate::ids::PlayerId;
use crate::rules::any::{AnyRules, AnyValue};
use crate::rules::{Eyes, Instant, Outcome, Seat};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A step as one viewer sees it. Version, time and seat are public even if the viewer may see none of its events.
#[derive(Clone, Debug, Serialize)]
pub struct StepView {
    pub version: u64,
    pub at: Instant,
    pub seat: Option<Seat>,
    pub events: Vec<EventView>,
    #[serde(skip)]
    text: OnceLock<Box<str>>,
}

impl StepView {
    /// The step as JSON, serialised once for all viewers with the same eyes.
    pub fn json(&self) -> &str {
        self.text.get_or_init(|| serde_json::to_string(self).expect("a step is plain data").into())
    }
}

/// A durable step with its views, rendered once per pair of eyes.
pub(in crate::games) struct RenderedStep {
    pub step: Arc<Step>,
    told: Mutex<Vec<(Eyes, Arc<StepView>)>>,
}

impl From<Arc<Step>> for RenderedStep {
    fn from(step: Arc<Step>) -> Self {
        Self { step, told: Mutex::default() }
    }
}

impl RenderedStep {
    pub fn tell(&self, game: &Game, eyes: Eyes) -> Result<Arc<StepView>, StoreError> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, entry)) = told.iter().find(|(known, _)| *known == eyes) {
            return Ok(entry.clone());
        }
        let entry = Arc::new(game.tell(&self.step, eyes)?);
        told.push((eyes, entry.clone()));
        Ok(entry)
    }
}

/// An event as one viewer sees it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum EventView {
    Table(TableEventView),
    Rules(AnyValue),
}

/// An event that can happen in every game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TableEvent")]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub enum TableEventView {
    /// The game was created.
    #[schemars(title = "GameCreatedEvent")]
    Created,
    /// A player sat down.
    #[schemars(title = "PlayerSatDownEvent")]
    SatDown {
        /// The seat that is taken now.
        seat: Seat,
        /// The id of the player who sat down.
        player_id: PlayerId,
    },
    /// A player stood up.
    #[schemars(title = "PlayerStoodUpEvent")]
    StoodUp {
        /// The seat that is free now.
        seat: Seat,
    },
    /// The host removed a player.
    #[schemars(title = "PlayerRemovedEvent")]
    Removed {
        /// The seat that is free now.
        seat: Seat,
    },
    /// Another player is the host.
    #[schemars(title = "HostChangedEvent")]
    HostChanged {
        /// The id of the new host.
        host_id: PlayerId,
    },
    /// The host changed the number of seats or the options.
    #[schemars(title = "GameConfiguredEvent")]
    Configured {
        /// The number of seats.
        seats: u8,
        /// All options.
        #[schemars(extend("x-graphql" = "GameOptions"))]
        options: Value,
    },
    /// A player used the invite code.
    #[schemars(title = "PlayerEnteredEvent")]
    Entered {
        /// The id of the player who entered.
        player_id: PlayerId,
    },
    /// The game began: its table was set up.
    #[schemars(title = "GameStartedEvent")]
    Started,
    /// A seat resigned.
    #[schemars(title = "SeatResignedEvent")]
    Resigned {
        /// The seat that resigned.
        seat: Seat,
        /// Whether the seat was made to resign, because it had run out of time or because of a rule of the kind.
        late: bool,
    },
    /// The game is over.
    #[schemars(title = "GameFinishedEvent")]
    Finished {
        /// Who won, the standings, and why the game ended.
        outcome: Outcome,
    },
    /// The game was abandoned: all players left or resigned, or the lobby was idle for 24 hours.
    #[schemars(title = "GameAbandonedEvent")]
    Abandoned,
    /// A seat made its choice in the lobby, in kinds that have one.
    #[schemars(title = "SeatChosenEvent")]
    Chosen {
        /// The seat that chose.
        seat: Seat,
        /// What it chose.
        #[schemars(extend("x-graphql" = "SeatChoice"))]
        choice: Value,
    },
    /// A seat is held for a player, who takes it by sitting down or by asking for the rematch too.
    #[schemars(title = "PlayerInvitedEvent")]
    Invited {
        /// The seat that is held.
        seat: Seat,
        /// The id of the player it is held for.
        player_id: PlayerId,
    },
    /// A seat is no longer held: the player declined or left for good, or the host released it.
    #[schemars(title = "SeatReleasedEvent")]
    Released {
        /// The seat that is free now.
        seat: Seat,
    },
}

impl TableEventView {
    fn of(event: &TableEvent, rules: &dyn AnyRules) -> Self {
        match event.clone() {
            TableEvent::Created => Self::Created,
            TableEvent::SatDown { seat, player } => Self::SatDown { seat, player_id: player },
            TableEvent::StoodUp { seat } => Self::StoodUp { seat },
            TableEvent::Removed { seat } => Self::Removed { seat },
            TableEvent::HostChanged { host } => Self::HostChanged { host_id: host },
            TableEvent::Configured { seats, options: Text(options) } => {
                Self::Configured { seats, options: with_kind(options, rules) }
            }
            TableEvent::Entered { player } => Self::Entered { player_id: player },
            TableEvent::Started => Self::Started,
            TableEvent::Resigned { seat, late } => Self::Resigned { seat, late },
            TableEvent::Finished { outcome } => Self::Finished { outcome },
            TableEvent::Abandoned => Self::Abandoned,
            TableEvent::Chosen { seat, choice: Text(choice) } => Self::Chosen { seat, choice },
            TableEvent::Invited { seat, player } => Self::Invited { seat, player_id: player },
            TableEvent::Released { seat } => Self::Released { seat },
        }
    }
}

impl Game {
    /// A step of this game as these eyes see it.
    pub fn tell(&self, step: &Step, eyes: Eyes) -> Result<StepView, StoreError> {
        let events = tell_all(self.rules, &step.events, eyes)?;
        Ok(StepView { version: step.version, at: step.at, seat: step.seat, events, text: OnceLock::new() })
    }
}

/// The events that these eyes may see, in order.
pub(in crate::games) fn tell_all(
    rules: &dyn AnyRules,
    events: &[Event],
    eyes: Eyes,
) -> Result<Vec<EventView>, StoreError> {
    let told = events.iter().filter_map(|event| match event {
        Event::Table(event) => Some(Ok(EventView::Table(TableEventView::of(event, rules)))),
        Event::Rules(event) => rules.tell(&event.0, eyes).map(|told| told.map(EventView::Rules)).transpose(),
    });
    told.collect::<Result<_, _>>().map_err(|error| StoreError::Corrupt(error.to_string()))
}
