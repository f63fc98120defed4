//! Sealed Noughts: noughts and crosses in which each mark goes to the higher of two secret bids. README.md has the
//! rules. [`state`] has the state and the move, [`view`] what each viewer sees; this file implements [`Rules`] with
//! them.

pub mod state;
pub mod view;

use ludotheque::rules::any::Adapter;
use ludotheque::rules::catalog::{BUILT_IN, Catalog};
use ludotheque::rules::{Dice, Eyes, Foreseen, Illegal, Info, Instant, Message, Next, Rules, Seat, Sentences, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use state::{Cell, Event, MARKS, Move, State};
use view::{EventView, SeatView, View};

/// The built-in kinds and this one.
pub fn catalog() -> Catalog {
    BUILT_IN.with(Adapter::<SealedNoughts>::new())
}

/// The rules of Sealed Noughts.
pub struct SealedNoughts;

/// Options of a game of Sealed Noughts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The number of coins that each seat starts with.
    #[schemars(range(min = 1, max = 20))]
    pub coins: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self { coins: 10 }
    }
}

impl Rules for SealedNoughts {
    const INFO: Info = Info {
        kind: "SEALED_NOUGHTS",
        slug: "sealed_noughts",
        rules_version: 1,
        seats: 2..=2,
        hidden: true,
        simultaneous: true,
        minutes: 5..=10,
        sentences: Sentences { en: include_str!("../content/en.ftl"), fr: include_str!("../content/fr.ftl") },
    };

    type Options = Options;
    type State = State;
    type Move = Move;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Effect = ();

    fn check_options(options: &Options, _seats: u8) -> Result<(), Illegal> {
        if (1..=20).contains(&options.coins) { Ok(()) } else { Err(Illegal::Rule(message("refusal-coins"))) }
    }

    fn setup(options: &Options, _seats: u8, _now: Instant, dice: &mut Dice) -> Next<Self> {
        Next { state: State::new(options.coins, dice), events: Vec::new() }
    }

    fn turn(state: &State) -> Turn {
        state.outcome().map_or_else(|| Turn::Waiting(state.bidding()), Turn::Over)
    }

    fn legal(state: &State, seat: Seat, _now: Instant) -> Vec<Move> {
        let coins = 0..=state.purses[seat.index()];
        let all = (0..9).flat_map(|cell| coins.clone().map(move |coins| Move::Bid { cell, coins }));
        all.filter(|mv| state.judge(seat, *mv).is_ok()).collect()
    }

    fn play(state: &State, seat: Seat, mv: &Move, now: Instant, dice: &mut Dice) -> Result<Next<Self>, Illegal> {
        let Foreseen { mut state, mut events, complete } = Self::preview(state, seat, mv, now)?;
        if !complete {
            events.push(state.unseal(dice));
        }
        Ok(Next { state, events })
    }

    /// The last bid reveals both, so its preview stops before that. Everyone sees who has bid, so stopping there leaks
    /// nothing.
    fn preview(state: &State, seat: Seat, mv: &Move, _now: Instant) -> Result<Foreseen<Self>, Illegal> {
        let bid = state.judge(seat, *mv)?;
        let mut state = state.clone();
        state.bids[seat.index()] = Some(bid);
        let complete = !state.bidding().is_empty();
        Ok(Foreseen { state, events: vec![Event::Bid { seat, bid }], complete })
    }

    fn resign(state: &State, seats: &[Seat], _now: Instant, _dice: &mut Dice) -> Next<Self> {
        let mut state = state.clone();
        Self::mark_resigned(&mut state, seats);
        Next { state, events: Vec::new() }
    }

    fn mark_resigned(state: &mut State, seats: &[Seat]) {
        state.resigned = [Seat(0), Seat(1)].map(|seat| state.resigned[seat.index()] || seats.contains(&seat));
    }

    fn view(state: &State, eyes: Eyes) -> View {
        let seat = |seat: Seat| SeatView {
            mark: MARKS[seat.index()],
            purse: state.purses[seat.index()],
            has_bid: state.bids[seat.index()].is_some(),
            bid: state.bids[seat.index()].filter(|_| eyes.see(seat)).map(Move::from),
            resigned: state.resigned[seat.index()],
        };
        let last = state.last.map(|bids| bids.map(Move::from));
        View { cells: state.cells, seats: [Seat(0), Seat(1)].map(seat), last }
    }

    fn tell(event: &Event, eyes: Eyes) -> Option<EventView> {
        Some(match *event {
            Event::Bid { seat, bid } => EventView::Bid { seat, bid: eyes.see(seat).then(|| bid.into()) },
            Event::Unsealed { bids, winner } => EventView::Unsealed { bids: bids.map(Move::from), winner },
        })
    }

    fn label(Move::Bid { cell, coins }: &Move) -> Message {
        message("move-bid").with("coins", *coins).with("row", cell / 3 + 1).with("column", cell % 3 + 1)
    }

    fn glossary() -> Vec<(String, Message)> {
        let cells = ["FREE", "STONE", "NOUGHT", "CROSS"].map(|id| (id, "cell"));
        let reasons = ["LINE", "COINS", "RESIGNED"].map(|id| (id, "reason"));
        let named = |(id, what): (&str, &str)| (id.to_owned(), message(&format!("{what}-{}", id.to_lowercase())));
        cells.into_iter().chain(reasons).map(named).collect()
    }

    fn invariants(state: &State) -> Result<(), String> {
        let stones = state.cells.iter().filter(|cell| **cell == Cell::Stone).count();
        let is_whole = stones == 1 && state.purses.iter().sum::<u8>() == 2 * state.coins;
        if is_whole { Ok(()) } else { Err("there is one stone, and no coin is lost".to_owned()) }
    }

    /// Redraws the secret bids that the viewer can't know: any bid that its seat could make.
    fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
        let mut state = state.clone();
        let free: Vec<_> = (0..9).filter(|cell| state.cells[usize::from(*cell)] == Cell::Free).collect();
        for seat in Seat::all(2).filter(|seat| !eyes.see(*seat)) {
            if let Some((cell, coins)) = &mut state.bids[seat.index()] {
                *cell = free[dice.index(free.len())];
                *coins = u8::try_from(dice.below(u32::from(state.purses[seat.index()]) + 1)).expect("a purse");
            }
        }
        state
    }
}

/// A sentence of `content/`, by its key without the slug.
fn message(key: &str) -> Message {
    Message::new(format!("{}-{key}", SealedNoughts::INFO.slug))
}
