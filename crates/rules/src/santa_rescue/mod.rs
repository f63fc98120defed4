//! À la rescousse du Père Noël (Vinca): 1–4 players together against 24 puzzles, one for each day from 1 to 24 December.
//!
//! A sheet has a starting row of symbols and a goal row. Four elves have one power each, and later two; every day each
//! elf is played once, in any order, and each power rewrites the row. The day is won if the row after the fourth power
//! is the goal. Won days bring boots, and boots lead along a path of eight stages to Father Christmas.
//!
//! Our rulings where the rules are silent:
//! - With the `ADVENT` calendar, a day that is due does not open by itself: a view changes only with a step, never just
//!   because time passes. Any player opens the day with the move `open`. If the next day is already due when a day
//!   ends, it opens at once.
//! - A hint is valid until a power is played. Asking again before that would only cost a boot, so it is refused.
//! - Elves that nobody chose go to players without elves first, then to the seats in turn.
//! - A preview stops before a new sheet is opened.
//! - Players who resigned rank after the others, with the team's boots as their score.

mod asides;
mod bot;
pub mod criteria;
mod events;
pub mod generator;
mod greedy;
mod moves;
mod powers;
mod row;
mod score;
mod setup;
pub mod sheets;
pub mod solver;
mod state;
mod types;
mod view;

pub use asides::Aside;
pub use events::{Event, EventView};
pub use moves::{Effect, Move, MoveParseError};
pub use powers::{Power, PowerParseError, SwapCondition, SymbolFilter, Unplayable};
pub use row::{Row, RowParseError, RowView};
pub use score::{CAMPAIGN_OVER, STAGES, stage};
pub use setup::{Calendar, Choice, Preparation};
pub use state::{Ending, Hint, OpenDay, PastDay, State};
pub use types::{Elf, Elves, PowerSlot, Symbol, SymbolColour, SymbolShape};
pub use view::{DayView, ElfView, HintView, PlayView, SeatView, SheetView, TodayView, UnlockView, View, WrittenView};

use crate::bots::{Knowledge, Level, Rating};
use crate::capabilities::{Asides, Bot, Choosing, FromLobby, Greedy, Preparing, Scheduled, Team};
use crate::types::sentences;
use crate::{
    Dice, Eyes, Foreseen, Illegal, Info, Instant, Lobby, Message, Next, Outside, Rules, Seat, Turn, Unprepared,
};
use moves::CheckedMove;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rules of À la rescousse du Père Noël.
pub struct SantaRescue;

/// Options of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[schemars(rename = "SantaRescueOptions")]
pub struct Options {
    /// When the days of the campaign open; by default `FREE`, each after the one before.
    pub calendar: Calendar,
    /// The year of an `ADVENT` calendar. Defaults to the year in which the game is created.
    #[schemars(range(min = 1900, max = 2200))]
    pub year: Option<i16>,
    /// The time zone in which days of an `ADVENT` calendar open at midnight: an IANA name, for example `Europe/Paris`;
    /// by default `UTC`.
    pub time_zone: String,
    /// The first day of the campaign; by default 1. Powers that earlier days unlock are available from the start.
    #[schemars(range(min = 1, max = sheets::DAYS))]
    pub first_day: u8,
    /// The last day of the campaign; by default 24.
    #[schemars(range(min = 1, max = sheets::DAYS))]
    pub last_day: u8,
    /// Whether players may ask for hints; by default they may not. Each hint reduces the day's reward by one boot.
    pub hints: bool,
    /// Generates 24 other puzzles from this number; the same number always gives the same puzzles. Omit it to play the
    /// built-in ones.
    #[schemars(range(max = i32::MAX))]
    pub campaign_seed: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            calendar: Calendar::Free,
            year: None,
            time_zone: "UTC".to_owned(),
            first_day: 1,
            last_day: sheets::DAYS,
            hints: false,
            campaign_seed: None,
        }
    }
}

impl Rules for SantaRescue {
    const INFO: Info = Info {
        kind: "SANTA_RESCUE",
        slug: "santa_rescue",
        rules_version: 1,
        seats: 1..=4,
        hidden: true,
        simultaneous: true,
        minutes: 5..=15,
        sentences: sentences!("santa_rescue"),
    };

    type Options = Options;
    type State = State;
    type Move = Move;
    type Event = Event;
    type View = View;
    type EventView = EventView;
    type Effect = Effect;

    fn check_options(options: &Options, _seats: u8) -> Result<(), Illegal> {
        let days = 1..=sheets::DAYS;
        let refused = |key| Err(Illegal::Rule(Message::new(key).with("last", sheets::DAYS)));
        if !days.contains(&options.first_day) || !days.contains(&options.last_day) {
            return refused("santa_rescue-refusal-days");
        }
        if options.first_day > options.last_day {
            return refused("santa_rescue-refusal-days-order");
        }
        if options.year.is_some_and(|year| !(1900..=2200).contains(&year)) {
            return refused("santa_rescue-refusal-year");
        }
        // Keep to 32-bit integers, which every client supports.
        if options.campaign_seed.is_some_and(|seed| i32::try_from(seed).is_err()) {
            return Err(Illegal::Rule(
                Message::new("santa_rescue-refusal-campaign-seed").with("most", i32::MAX.to_string()),
            ));
        }
        Ok(())
    }

    fn setup(options: &Options, seats: u8, now: Instant, dice: &mut Dice) -> Next<Self> {
        Self::begin(options, &Lobby::default(), seats, now, dice)
    }

    fn turn(state: &State) -> Turn {
        if state.is_over() { Turn::Over(score::outcome(state)) } else { Turn::Waiting(state.awaited()) }
    }

    fn legal(state: &State, seat: Seat, now: Instant) -> Vec<Move> {
        moves::legal(state, seat, now)
    }

    fn play(state: &State, seat: Seat, mv: &Move, now: Instant, _dice: &mut Dice) -> Result<Next<Self>, Illegal> {
        let Foreseen { mut state, mut events, .. } = Self::preview(state, seat, mv, now)?;
        open_if_due(&mut state, now, &mut events);
        Ok(Next { state, events })
    }

    /// The sheets of later days are hidden, so a preview stops where a new day would open.
    fn preview(state: &State, seat: Seat, mv: &Move, now: Instant) -> Result<Foreseen<Self>, Illegal> {
        let judged = moves::judge(state, seat, *mv, now)?;
        let (mut state, mut events) = (state.clone(), Vec::new());
        match judged {
            CheckedMove::Play(play, row) => state.play(seat, play, row, &mut events),
            CheckedMove::Wish => state.wish(seat, &mut events),
            CheckedMove::Withdraw => state.withdraw(seat, &mut events),
            CheckedMove::Open => {}
        }
        let complete = !state.is_due(now);
        Ok(Foreseen { state, events, complete })
    }

    fn resign(state: &State, seats: &[Seat], _now: Instant, _dice: &mut Dice) -> Next<Self> {
        let (mut state, mut events) = (state.clone(), Vec::new());
        state.resign(seats, &mut events);
        Next { state, events }
    }

    fn mark_resigned(state: &mut State, seats: &[Seat]) {
        for seat in seats {
            state.resigned[seat.index()] = true;
        }
    }

    fn view(state: &State, eyes: Eyes) -> View {
        view::view(state, eyes)
    }

    fn tell(event: &Event, eyes: Eyes) -> Option<EventView> {
        events::tell(event, eyes)
    }

    fn effect(state: &State, _seat: Seat, mv: &Move) -> Option<Effect> {
        let (Move::Play { elf, power, target }, Some(today)) = (*mv, &state.today) else { return None };
        let power = sheets::powers_of(elf, state.day)[power as usize]?;
        power.apply(state.row(today), target).ok().map(|row| Effect { row: RowView(row) })
    }

    fn label(mv: &Move) -> Message {
        mv.label()
    }

    /// Lists monsters by id, because the order of the days would tell when each appears.
    fn glossary() -> Vec<(String, Message)> {
        let key =
            |what: &str, id: &str| Message::new(format!("santa_rescue-{what}-{}", id.to_lowercase().replace('_', "-")));
        let mut monsters: Vec<_> = sheets::all_sheets().map(|sheet| sheet.monster.as_str()).collect();
        monsters.sort_unstable();
        let monsters = monsters
            .into_iter()
            .flat_map(|id| [(id.to_owned(), key("monster", id)), (view::about(id), key("about", id))]);
        let symbols = Symbol::all().map(|symbol| (symbol.id().to_owned(), symbol.name()));
        let powers = Elf::ALL.into_iter().flat_map(|elf| sheets::card(elf).powers);
        let powers = powers.map(|power| (power.to_string(), power.label()));
        let results = Ending::ALL.map(|ending| (ending.id().to_owned(), key("result", ending.id())));
        let stages = (1..=STAGES).map(|stage| (view::stage_name(stage), key("stage", &stage.to_string())));
        let reason = (CAMPAIGN_OVER.to_owned(), key("reason", CAMPAIGN_OVER));
        symbols.chain(powers).chain(monsters).chain(results).chain(stages).chain([reason]).collect()
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

impl FromLobby for SantaRescue {
    fn begin(options: &Options, lobby: &Lobby<'_>, seats: u8, now: Instant, _dice: &mut Dice) -> Next<Self> {
        let mut state = setup::table(options, lobby, seats);
        let holders = Elf::ALL.map(|elf| state.holder(elf));
        let mut events = vec![Event::Dealt { first_day: state.first_day, last_day: state.last_day, holders }];
        open_if_due(&mut state, now, &mut events);
        Next { state, events }
    }
}

/// In the lobby, seats choose elves.
impl Choosing for SantaRescue {
    type Choice = Choice;

    fn choose(_options: &Options, seats: u8, others: &[Choice], choice: Choice) -> Result<Choice, Illegal> {
        setup::choose(seats, others, choice)
    }
}

/// Before the start, computes the moments of the calendar and the puzzles of a custom campaign.
impl Preparing for SantaRescue {
    type Preparation = Preparation;

    fn prepare(options: &Options, created: Instant, outside: &dyn Outside) -> Result<Option<Preparation>, Unprepared> {
        setup::prepare(options, created, outside)
    }

    fn takes_long_to_prepare(options: &Options) -> bool {
        options.campaign_seed.is_some()
    }

    fn reveal(prepared: Preparation, state: &State) -> Option<Preparation> {
        setup::reveal(prepared, state)
    }
}

/// Drafts, names and hints are asides.
impl Asides for SantaRescue {
    type Aside = Aside;

    fn check_aside(aside: Aside) -> Result<Aside, Illegal> {
        asides::check(aside)
    }

    fn make_aside(state: &State, seat: Seat, aside: &Aside, _now: Instant) -> Result<Next<Self>, Illegal> {
        let (mut state, mut events) = (state.clone(), Vec::new());
        asides::make(&mut state, seat, aside, &mut events)?;
        Ok(Next { state, events })
    }
}

/// With the `ADVENT` calendar, a day can be opened from a fixed moment on.
impl Scheduled for SantaRescue {
    fn waits_from(state: &State) -> Option<Instant> {
        state.opens_at()
    }

    fn time_zone(options: &Options) -> Option<&str> {
        Some(&options.time_zone)
    }
}

/// The players are a team: any of them may preview a move of any elf.
impl Team for SantaRescue {
    fn tries_as(state: &State, seat: Seat, mv: &Move) -> Seat {
        match mv {
            Move::Play { elf, .. } if state.is_active(seat) => state.holder(*elf),
            _ => seat,
        }
    }
}

impl Greedy for SantaRescue {
    fn pick(knowledge: &Knowledge<'_, Self>, moves: &[Move]) -> usize {
        greedy::pick(knowledge, moves)
    }
}

impl Bot for SantaRescue {
    const VERSION: u8 = 1;
    const LEVELS: &[Level] = bot::LEVELS;

    fn rate(knowledge: &Knowledge<'_, Self>, moves: &[Move], _effort: u32, _dice: &mut Dice) -> Vec<Rating> {
        bot::rate(knowledge, moves)
    }
}

/// Opens the next day if it is due.
fn open_if_due(state: &mut State, now: Instant, events: &mut Vec<Event>) {
    if state.is_due(now) {
        state.open(events);
    }
}
