//! What can happen at every table, whatever is played on it.

use super::shape::tagged;
use super::{GameOptions, SeatChoice};
use crate::graphql::games::Outcome;
use async_graphql::ID;

tagged! {
    /// One thing that happened at the table as such. All of it is public.
    TableEvent {
        /// The game was made.
        "CREATED" => GameCreatedEvent {},
        /// A player sat down.
        "SAT_DOWN" => PlayerSatDownEvent {
            /// Where.
            seat: i32,
            /// Who.
            player_id: ID,
        },
        /// A player stood up.
        "STOOD_UP" => PlayerStoodUpEvent {
            /// The seat that is free now.
            seat: i32,
        },
        /// The host removed a player.
        "REMOVED" => PlayerRemovedEvent {
            /// The seat that is free now.
            seat: i32,
        },
        /// Somebody else is the host.
        "HOST_CHANGED" => HostChangedEvent {
            /// The new host.
            host_id: ID,
        },
        /// The host changed the lobby.
        "CONFIGURED" => GameConfiguredEvent {
            /// How many seats there are now.
            seats: i32,
            /// What is agreed now.
            options: GameOptions,
        },
        /// A player was let in by the invite code.
        "ENTERED" => PlayerEnteredEvent {
            /// Who.
            player_id: ID,
        },
        /// The game began.
        "STARTED" => GameStartedEvent {},
        /// A seat gave up, or was given up for being late.
        "RESIGNED" => SeatResignedEvent {
            /// Which one.
            seat: i32,
            /// Whether its time had passed.
            late: bool,
        },
        /// The game is over.
        "FINISHED" => GameFinishedEvent {
            /// How it ended.
            outcome: Outcome,
        },
        /// The game was given up by everybody.
        "ABANDONED" => GameAbandonedEvent {},
        /// A seat chose something in the lobby, as the kind lets it.
        "CHOSEN" => SeatChosenEvent {
            /// Who chose.
            seat: i32,
            /// What is chosen now.
            choice: SeatChoice,
        },
        /// A seat is held for a player, who takes it by sitting down or by asking for the rematch too.
        "INVITED" => PlayerInvitedEvent {
            /// The seat.
            seat: i32,
            /// For whom.
            player_id: ID,
        },
        /// A seat is held for nobody any more: the player declined or left for good, or the host released it.
        "RELEASED" => SeatReleasedEvent {
            /// The seat.
            seat: i32,
        },
    }
}

impl TableEvent {
    /// Whether an event of this `type` is one of every table's.
    pub fn has(tag: &str) -> bool {
        Self::TAGS.contains(&tag)
    }
}
