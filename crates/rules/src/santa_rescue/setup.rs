//! Setup of a campaign: choices in the lobby, preparations that need help from outside the rules, and the initial
//! state.

use super::generator;
use super::sheets::{Campaign, DAYS, row_length};
use super::solver::Puzzle;
use super::state::{ElfState, State};
use super::types::{Elf, Elves};
use super::view::is_opened;
use super::{Options, SantaRescue};
use crate::{Illegal, Instant, Lobby, Message, Outside, Seat, Unprepared};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::ops::ControlFlow;

/// The month of the calendar.
const DECEMBER: i8 = 12;

/// When the days of a campaign open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Calendar {
    /// Each day opens when the one before ends.
    #[default]
    Free,
    /// Day N opens at midnight on N December.
    Advent,
}

/// What a seat chooses in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SantaRescueChoice", example = json!({"elves": [1, 3]}))]
pub struct Choice {
    /// The elves that you want to hold. Leave it empty to take what the others leave.
    pub elves: Vec<Elf>,
}

/// What is computed before the start of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(rename = "SantaRescuePreparation")]
pub struct Preparation {
    /// The moment at which each of the 24 days opens; null without the `ADVENT` calendar.
    opens_at: Option<Vec<Instant>>,
    /// The puzzle of each of the 24 days; null in a campaign with the built-in puzzles. In a replay, days that were
    /// never opened are null.
    puzzles: Option<Vec<Option<Puzzle>>>,
}

impl Preparation {
    /// Drops data of the wrong length or shape. Replays are untrusted input, so this may not fail.
    fn without_misfits(mut self) -> Self {
        self.opens_at.take_if(|moments| moments.len() != usize::from(DAYS));
        self.puzzles.take_if(|puzzles| puzzles.len() != usize::from(DAYS));
        for (day, puzzle) in (1..).zip(self.puzzles.iter_mut().flatten()) {
            puzzle.take_if(|Puzzle { start, goal }| [start, goal].iter().any(|row| row.length() != row_length(day)));
        }
        self
    }

    /// `None` if there was nothing to prepare.
    fn unless_empty(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }
}

/// Checks a choice: nobody else chose these elves, and enough are left for every other seat to hold one.
pub(super) fn choose(seats: u8, others: &[Choice], mut choice: Choice) -> Result<Choice, Illegal> {
    let refused = |message| Err(Illegal::Rule(message));
    choice.elves.sort_unstable();
    choice.elves.dedup();
    let others: Vec<_> = others.iter().map(chosen).collect();
    if let Some(elf) = choice.elves.iter().find(|elf| others.iter().any(|other| other.has(**elf))) {
        return refused(Message::new("santa_rescue-refusal-chosen").with("elf", elf.number()));
    }
    let counts = others.iter().map(|elves| elves.iter().count()).filter(|count| *count > 0);
    let (choosers, taken) = counts.fold((0, 0), |(choosers, taken), count| (choosers + 1, taken + count));
    // Leave an elf for every other seat that has not chosen yet.
    let left = usize::from(seats) - 1 - choosers;
    if taken + choice.elves.len() + left > Elf::COUNT {
        return refused(Message::new("santa_rescue-refusal-too-many-elves"));
    }
    Ok(choice)
}

fn chosen(choice: &Choice) -> Elves {
    choice.elves.iter().copied().fold(Elves::default(), Elves::with)
}

/// Deals all four elves: first as they were chosen, then to seats without elves, then to the seats in turn.
fn deal(choices: impl Iterator<Item = Option<Choice>>, seats: u8) -> [Seat; Elf::COUNT] {
    let mut holders = [None; Elf::COUNT];
    for (seat, choice) in Seat::all(seats).zip(choices) {
        for elf in choice.iter().flat_map(|choice| chosen(choice).iter()) {
            holders[elf.index()].get_or_insert(seat);
        }
    }
    let without: Vec<_> = Seat::all(seats).filter(|seat| !holders.contains(&Some(*seat))).collect();
    let mut next = without.into_iter().chain(Seat::all(seats).cycle());
    holders.map(|holder| holder.or_else(|| next.next()).unwrap_or(Seat(0)))
}

/// Computes the moments of the calendar and the puzzles of a custom campaign.
pub(super) fn prepare(
    options: &Options,
    created: Instant,
    outside: &dyn Outside,
) -> Result<Option<Preparation>, Unprepared> {
    let mut prepared = Preparation::default();
    if options.calendar == Calendar::Advent {
        let zone = options.time_zone.as_str();
        let midnight = |year, day: u8| outside.midnight(zone, year, DECEMBER, i8::try_from(day).ok()?);
        let year = options.year.or_else(|| outside.year(zone, created));
        let moments: Option<Vec<_>> = year.and_then(|year| (1..=DAYS).map(|day| midnight(year, day)).collect());
        let unknown = || Unprepared::Options(Message::new("santa_rescue-refusal-calendar"));
        prepared.opens_at = Some(moments.ok_or_else(unknown)?);
    }
    if let Some(number) = options.campaign_seed {
        let patience = |_| if outside.is_out_of_time() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let campaign = generator::generate(generator::seed_of(number), patience).ok_or(Unprepared::OutOfTime)?;
        prepared.puzzles = Some(campaign.puzzles().map(|(_, puzzle)| Some(puzzle)).collect());
    }
    Ok(prepared.unless_empty())
}

/// The preparation without the puzzles of days that were never opened.
pub(super) fn reveal(prepared: Preparation, state: &State) -> Option<Preparation> {
    let mut prepared = prepared.without_misfits();
    for (day, puzzle) in (1..).zip(prepared.puzzles.iter_mut().flatten()) {
        puzzle.take_if(|_| !is_opened(state, day));
    }
    prepared.unless_empty()
}

/// The state before the first day is opened.
pub(super) fn table(options: &Options, lobby: &Lobby<'_>, seats: u8) -> State {
    let prepared = lobby.preparation_of::<SantaRescue>().unwrap_or_default();
    let Preparation { opens_at, puzzles } = prepared.without_misfits();
    let mut own = puzzles.into_iter().flatten();
    // Where a replay lacks a puzzle, use the built-in one.
    let ours = Campaign::built_in();
    let campaign = ours.puzzles().map(|(_, ours)| own.next().flatten().unwrap_or(ours));
    State {
        campaign: Campaign::new(campaign.collect()).expect("a puzzle for each day"),
        calendar: opens_at.map(Into::into),
        first_day: options.first_day,
        last_day: options.last_day,
        hints: options.hints,
        elves: deal(lobby.choices_of::<SantaRescue>(), seats).map(|holder| ElfState { holder, name: None }),
        resigned: vec![false; usize::from(seats)],
        day: options.first_day,
        today: None,
        past: Vec::new(),
    }
}
