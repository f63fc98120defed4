//! Jouets à GO GO GO (Evgeny Nikitin; Lifestyle Boardgames): 2–4 players build toy shops whose colours run on from tile
//! to tile.
//!
//! A turn: take one of 4 open tiles and put it, never turned, edge to edge with your shop, which starts as a cash
//! register and must always fit 4×4. Each colour zone of the tile that touches a zone of its colour earns a coin per toy
//! in the whole zone. The first to have all five toys of a type takes its Collection. A new tile is opened. When all
//! shops are full, the most frequent single toy of each type wins a Showcase (all tied win one). Each reward is worth 5
//! coins at the end, and most coins win.
//!
//! Our rulings where the rules are silent:
//! - Zones are defined by the colours at the edges of tiles. A tile or register has at most one zone of a colour, so a
//!   zone is the set of pieces it extends over.
//! - A player who resigns is skipped; the open tiles stay. Collections stay taken and still count, but that player wins
//!   no Showcase.
//! - Seats that resigned share the last rank, however many coins they had.
//! - If fewer than two players are left, the game is over at once: shops are not full, so there are no Showcases, but
//!   Collections are paid.
//! - A preview stops before the new tile is opened, so it shows three open tiles and the same seat's turn.

mod bot;
mod cells;
mod events;
mod greedy;
mod moves;
mod score;
mod shop;
mod state;
mod types;
mod view;
mod zones;

pub use cells::{Cell, Cells};
pub use events::{Event, EventView, GainView};
pub use moves::{Effect, Move, MoveParseError};
pub use score::{BANKNOTE, REWARD, Reason};
pub use shop::{LaidTile, Shop};
pub use state::{OPEN, State};
pub use types::{Border, Register, Tile, TileFace, TileParseError, Toy, ToyType};
pub use view::{PieceView, RewardsView, SeatView, StockView, TileView, ToyCount, View, ZoneView};
pub use zones::{Gains, Zones};

use crate::bots::{Knowledge, Level, Rating};
use crate::capabilities::{Bot, Greedy};
use crate::types::sentences;
use crate::{Dice, Eyes, Foreseen, Illegal, Info, Instant, Message, Next, Rules, Seat, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The rules of Jouets à GO GO GO.
pub struct ToysGoGoGo;

/// The allowed range of `shop_size`.
const SIZES: RangeInclusive<u8> = 3..=4;

/// Options of a game of Jouets à GO GO GO.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(rename = "ToysGoGoGoOptions")]
pub struct Options {
    /// The seat that goes first. Drawn at random if omitted.
    pub first_seat: Option<Seat>,
    /// The number of tiles along each side of a full shop: 4, the default, or 3 for a short game.
    #[schemars(range(min = *SIZES.start(), max = *SIZES.end()))]
    pub shop_size: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { first_seat: None, shop_size: 4 }
    }
}

/// The Fluent key of something that has an id.
fn key(what: &str, id: &str) -> String {
    format!("toys_go_go_go-{what}-{}", id.to_lowercase().replace('_', "-"))
}

impl Rules for ToysGoGoGo {
    const INFO: Info = Info {
        kind: "TOYS_GO_GO_GO",
        slug: "toys_go_go_go",
        rules_version: 1,
        seats: 2..=4,
        hidden: true,
        simultaneous: false,
        minutes: 15..=30,
        sentences: sentences!("toys_go_go_go"),
    };

    type Options = Options;
    type State = State;
    type Move = Move;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Effect = Effect;

    fn check_options(options: &Options, seats: u8) -> Result<(), Illegal> {
        let refused = |message| Err(Illegal::Rule(message));
        match options {
            Options { shop_size, .. } if !SIZES.contains(shop_size) => refused(
                Message::new("toys_go_go_go-refusal-shop-size")
                    .with("least", *SIZES.start())
                    .with("most", *SIZES.end()),
            ),
            Options { first_seat: Some(first), .. } if first.0 >= seats => {
                refused(Message::new("toys_go_go_go-refusal-first-seat").with("last", seats - 1))
            }
            _ => Ok(()),
        }
    }

    fn setup(options: &Options, seats: u8, _now: Instant, dice: &mut Dice) -> Next<Self> {
        let by_lot = |dice: &mut Dice| Seat(u8::try_from(dice.below(u32::from(seats))).expect("a seat of the table"));
        let first = options.first_seat.unwrap_or_else(|| by_lot(dice));
        let state = State::new(options.shop_size, first, seats, dice);
        let registers = state.shops.iter().map(|shop| shop.register).collect();
        let events = vec![Event::Dealt { first, registers, open: state.open.clone() }];
        Next { state, events }
    }

    fn turn(state: &State) -> Turn {
        match state.ended {
            Some(reason) => Turn::Over(score::outcome(state, reason)),
            None => Turn::Waiting(vec![state.turn]),
        }
    }

    fn legal(state: &State, seat: Seat, _now: Instant) -> Vec<Move> {
        moves::legal(state, seat)
    }

    fn play(state: &State, seat: Seat, mv: &Move, now: Instant, _dice: &mut Dice) -> Result<Next<Self>, Illegal> {
        let Foreseen { mut state, mut events, .. } = Self::preview(state, seat, mv, now)?;
        state.open_next(&mut events);
        Ok(Next { state, events })
    }

    /// Every move opens a hidden tile, so no preview is complete.
    fn preview(state: &State, seat: Seat, mv: &Move, _now: Instant) -> Result<Foreseen<Self>, Illegal> {
        let (laid, gains) = moves::judge(state, seat, *mv)?;
        let (mut state, mut events) = (state.clone(), Vec::new());
        state.lay(seat, laid, gains, &mut events);
        Ok(Foreseen { state, events, complete: false })
    }

    fn resign(state: &State, seats: &[Seat], _now: Instant, _dice: &mut Dice) -> Next<Self> {
        let (mut state, mut events) = (state.clone(), Vec::new());
        state.resign(seats, &mut events);
        Next { state, events }
    }

    fn mark_resigned(state: &mut State, seats: &[Seat]) {
        for seat in seats {
            state.shop_mut(*seat).resigned = true;
        }
    }

    fn view(state: &State, _eyes: Eyes) -> View {
        view::view(state)
    }

    fn tell(event: &Event, _eyes: Eyes) -> Option<EventView> {
        Some(events::tell(event))
    }

    fn effect(state: &State, seat: Seat, mv: &Move) -> Option<Effect> {
        moves::judge(state, seat, *mv).ok().map(|(_, gains)| Effect { coins: gains.total() })
    }

    fn label(mv: &Move) -> Message {
        mv.label()
    }

    fn glossary() -> Vec<(String, Message)> {
        let named = |what: &str, id: &'static str| (id.to_owned(), Message::new(key(what, id)));
        let toys = Toy::ALL.map(|toy| named("toy", toy.id()));
        let types = ToyType::ALL.map(|toy_type| named("type", toy_type.id()));
        let reasons = Reason::ALL.map(|reason| named("reason", reason.id()));
        toys.into_iter().chain(types).chain(reasons).collect()
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

impl Greedy for ToysGoGoGo {
    fn pick(knowledge: &Knowledge<'_, Self>, moves: &[Move]) -> usize {
        greedy::pick(knowledge, moves)
    }
}

impl Bot for ToysGoGoGo {
    const VERSION: u8 = 1;

    const LEVELS: &[Level] = bot::LEVELS;

    fn rate(knowledge: &Knowledge<'_, Self>, moves: &[Move], effort: u32, dice: &mut Dice) -> Vec<Rating> {
        bot::rate(knowledge, moves, effort, dice)
    }
}
