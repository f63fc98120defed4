//! LOADING (Marc Paquien; Lumberjacks Studio): 2–7 players charge their batteries in real time. There are no turns: all
//! players who hold a packet of cards act at once, and the order in which their moves arrive decides every race.
//!
//! 65 numbered cards are cut into packets, one fewer than there are players; the player without a packet calls CHARGE.
//! A holder looks through the packet and may lay one card of it: a higher one on the own pile, or exactly the next
//! number on an opponent's pile, which takes a BOOST card in return. Then the holder gives the packet to the player
//! without one, or throws it away for a STOP card and makes no more moves. When the last STOP card is taken, or a
//! packet is empty, the game is over. Most charge bars win.
//!
//! With two players a third packet lies in the centre, and players swap with it; a STOP card taken with 9 cards or
//! fewer costs one of the best cards. With the option `confirmed`, cards may also be laid by colour.
//!
//! Our rulings where the rules are silent:
//! - Packets have names, in the order they were dealt; GIVE, SWAP and STOP may say which one is meant.
//! - A player who resigned is treated like one who stopped: nobody lays on that pile or takes a BOOST card from it.
//! - A nudge passes the packet on as GIVE or SWAP would, and that counts as receiving one. While the game waits for one
//!   player's CHARGE, a nudge calls it in that player's place. With two players either may call it, so nobody waits for
//!   it.
//! - Nudges are in a row if the seat does nothing at all in between. The third one resigns the seat instead of passing
//!   its packet on: the packet leaves the game, as after any resignation.
//! - If no seat holds a packet, no move is left, so the game ends with NO_MOVE, even where the end has to be called. If
//!   all but one resign, it ends with RESIGNED.
//! - The seat without a packet is drawn at random before the cards are shuffled.

mod actions;
mod bot;
mod events;
mod greedy;
mod legal;
mod moves;
mod score;
mod state;
mod types;
mod view;

pub use events::{Event, EventView};
pub use moves::{Move, MoveParseError};
pub use score::Reason;
pub use state::{Area, Packet, PacketLocation, Phase, SET_ASIDE, State};
pub use types::{Card, CardFace, Colour, PacketId, Stop, boost_bars};
pub use view::{CardView, PacketPlace, PacketView, SeatView, StopView, View};

use crate::bots::{Knowledge, Level, Rating};
use crate::capabilities::{Bot, Greedy, Resigning};
use crate::types::sentences;
use crate::{Dice, Eyes, Foreseen, Illegal, Info, Instant, Message, Next, Rules, Seat, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules of LOADING.
pub struct Loading;

/// The maximum of the option `idle_passes`.
const MOST_PASSES: u8 = 100;
/// The maximum of the option `idle_seconds`: a day.
const MOST_SECONDS: u32 = 86_400;

/// Options of a game of LOADING.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(rename = "LoadingOptions")]
pub struct Options {
    /// The seat that gets no packet and calls CHARGE. Drawn at random if omitted. Refused with two players, where both
    /// get one.
    pub held_out_seat: Option<Seat>,
    /// The variant for experienced players: a coloured card may also be laid on a top card of its colour. Off by
    /// default.
    pub confirmed: bool,
    /// Whether the game ends by itself (`AUTOMATIC`, the default) or a player has to call the end (`SHOUT`).
    pub stop_call: StopCall,
    /// The game ends when each seat still in play has received this many packets since anyone last laid a card or
    /// stopped: up to 100, by default 5; 0 disables the rule.
    #[schemars(range(max = MOST_PASSES))]
    pub idle_passes: u8,
    /// Seconds after which a player who keeps the others waiting may be nudged: up to a day, by default 60; 0 disables
    /// nudges.
    #[schemars(range(max = MOST_SECONDS))]
    pub idle_seconds: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { held_out_seat: None, confirmed: false, stop_call: StopCall::Automatic, idle_passes: 5, idle_seconds: 60 }
    }
}

/// How the game ends once an end condition is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "LoadingStopCall")]
pub enum StopCall {
    /// It ends at once, by itself.
    Automatic,
    /// A player has to call the end with the move `STOP_CALL`.
    Shout,
}

impl StopCall {
    pub const ALL: [StopCall; 2] = [StopCall::Automatic, StopCall::Shout];

    pub const fn id(self) -> &'static str {
        match self {
            StopCall::Automatic => "AUTOMATIC",
            StopCall::Shout => "SHOUT",
        }
    }
}

impl Rules for Loading {
    const INFO: Info = Info {
        kind: "LOADING",
        slug: "loading",
        rules_version: 1,
        seats: 2..=7,
        hidden: true,
        simultaneous: true,
        minutes: 5..=5,
        sentences: sentences!("loading"),
    };

    type Options = Options;
    type State = State;
    type Move = Move;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Effect = ();

    fn check_options(options: &Options, seats: u8) -> Result<(), Illegal> {
        let refused = |message| Err(Illegal::Rule(message));
        match options {
            Options { held_out_seat: Some(_), .. } if seats == 2 => {
                refused(Message::new("loading-refusal-held-out-of-two"))
            }
            Options { held_out_seat: Some(seat), .. } if seat.0 >= seats => {
                refused(Message::new("loading-refusal-held-out").with("last", seats - 1))
            }
            Options { idle_passes, .. } if *idle_passes > MOST_PASSES => {
                refused(Message::new("loading-refusal-idle-passes").with("most", MOST_PASSES))
            }
            Options { idle_seconds, .. } if *idle_seconds > MOST_SECONDS => {
                refused(Message::new("loading-refusal-idle-seconds").with("most", i64::from(MOST_SECONDS)))
            }
            _ => Ok(()),
        }
    }

    fn setup(options: &Options, seats: u8, now: Instant, dice: &mut Dice) -> Next<Self> {
        let by_lot = |dice: &mut Dice| Seat(u8::try_from(dice.below(u32::from(seats))).expect("a seat of the table"));
        let held_out = (seats > 2).then(|| options.held_out_seat.unwrap_or_else(|| by_lot(dice)));
        let mut events = Vec::new();
        let state = State::new(options.clone(), seats, held_out, now, dice, &mut events);
        Next { state, events }
    }

    fn turn(state: &State) -> Turn {
        match state.ended {
            Some(reason) => Turn::Over(score::outcome(state, reason)),
            None => Turn::Waiting(state.waiting().collect()),
        }
    }

    fn legal(state: &State, seat: Seat, now: Instant) -> Vec<Move> {
        legal::legal(state, seat, now)
    }

    /// Uses no dice: the cards are shuffled once, during setup.
    fn play(state: &State, seat: Seat, mv: &Move, now: Instant, _dice: &mut Dice) -> Result<Next<Self>, Illegal> {
        let checked = legal::judge(state, seat, *mv, now)?;
        let (mut state, mut events) = (state.clone(), Vec::new());
        state.act(seat, checked, now, &mut events);
        Ok(Next { state, events })
    }

    /// Stops before the player would see new cards: at CHARGE with two players, at SWAP, and at a nudge that passes a
    /// packet to the player.
    fn preview(state: &State, seat: Seat, mv: &Move, now: Instant) -> Result<Foreseen<Self>, Illegal> {
        let checked = legal::judge(state, seat, *mv, now)?;
        let (mut next, mut events) = (state.clone(), Vec::new());
        next.act(seat, checked, now, &mut events);
        let looks_at = |state: &State| match state.phase {
            Phase::Play => state.packet_of(seat).map(|packet| packet.id),
            Phase::Charge | Phase::Over => None,
        };
        match looks_at(&next) {
            Some(new) if looks_at(state) != Some(new) => {
                Ok(Foreseen { state: state.clone(), events: Vec::new(), complete: false })
            }
            _ => Ok(Foreseen { state: next, events, complete: true }),
        }
    }

    fn resign(state: &State, seats: &[Seat], now: Instant, _dice: &mut Dice) -> Next<Self> {
        let (mut state, mut events) = (state.clone(), Vec::new());
        state.resign(seats, now, &mut events);
        Next { state, events }
    }

    fn mark_resigned(state: &mut State, seats: &[Seat]) {
        for seat in seats {
            state[*seat].resigned = true;
        }
    }

    fn view(state: &State, eyes: Eyes) -> View {
        view::view(state, eyes)
    }

    fn tell(event: &Event, eyes: Eyes) -> Option<EventView> {
        Some(events::tell(event, eyes))
    }

    fn label(mv: &Move) -> Message {
        mv.label()
    }

    fn glossary() -> Vec<(String, Message)> {
        let named = |what: &'static str, id: &'static str| {
            (id.to_owned(), Message::new(format!("loading-{what}-{}", id.to_lowercase().replace('_', "-"))))
        };
        let cards = Card::all().map(|card| (card.to_string(), card.name()));
        let stop_cards = Stop::ALL.map(|stop| (stop.id().to_owned(), stop.name()));
        let packets = PacketId::ALL.map(|packet| (packet.id().to_owned(), packet.name()));
        let colours = Colour::ALL.map(|colour| named("colour", colour.id()));
        let steps = Phase::ALL.map(|phase| named("step", phase.id()));
        let packet_places = PacketPlace::ALL.map(|place| named("place", place.id()));
        let calls = StopCall::ALL.map(|call| named("call", call.id()));
        let reasons = Reason::ALL.map(|reason| named("reason", reason.id()));
        let words = colours.into_iter().chain(steps).chain(packet_places).chain(calls).chain(reasons);
        cards.chain(stop_cards).chain(packets).chain(words).collect()
    }

    fn draw(state: &State) -> String {
        state.drawing()
    }

    fn invariants(state: &State) -> Result<(), String> {
        state.invariants()
    }

    fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
        view::resample(state, eyes, dice)
    }
}

/// The third nudge in a row resigns a seat.
impl Resigning for Loading {
    fn resigned(state: &State) -> Vec<Seat> {
        Seat::all(state.seats()).filter(|seat| state[*seat].resigned).collect()
    }
}

impl Greedy for Loading {
    fn pick(knowledge: &Knowledge<'_, Self>, moves: &[Move]) -> usize {
        greedy::pick(&knowledge.view(), knowledge.seat(), moves)
    }
}

impl Bot for Loading {
    const VERSION: u8 = 1;
    const LEVELS: &[Level] = bot::LEVELS;

    fn rate(knowledge: &Knowledge<'_, Self>, moves: &[Move], effort: u32, dice: &mut Dice) -> Vec<Rating> {
        bot::rate(knowledge, moves, effort, dice)
    }
}
