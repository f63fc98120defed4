//! State of a campaign: the holders of the elves, the open day with its sheet, and the finished days.
//!
//! [`State::invariants`] lists what holds in every state.

use super::events::Event;
use super::row::Row;
use super::score;
use super::sheets::{self, Campaign};
use super::solver::{self, Play};
use super::types::{Elf, Elves};
use super::view;
use crate::{Instant, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt::Write, sync::Arc};

/// The number of draft columns of a sheet.
pub const DRAFTS: usize = 2;
/// The maximum number of rows of a draft: one for each elf.
pub const DRAFT_ROWS: usize = Elf::COUNT;

/// A campaign with its secrets: the sheets of days not yet open and, for spectators, the drafts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub campaign: Campaign,
    /// The moment at which each of the 24 days opens; `None` if each day opens when the one before ends.
    pub calendar: Option<Arc<[Instant]>>,
    pub first_day: u8,
    pub last_day: u8,
    /// Whether players may ask for hints.
    pub hints: bool,
    /// The elves in the order of their numbers.
    pub elves: [ElfState; Elf::COUNT],
    /// Whether each seat has resigned.
    pub resigned: Vec<bool>,
    /// The day that is open or opens next; one more than the last day when the campaign is over.
    pub day: u8,
    /// The open day; `None` between two days.
    pub today: Option<OpenDay>,
    /// The finished days, in order. Behind an `Arc`, because every move copies the state.
    pub past: Vec<Arc<PastDay>>,
}

/// The holder and name of an elf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Held")]
pub struct ElfState {
    pub holder: Seat,
    pub name: Option<Arc<str>>,
}

/// The open day with what is written on its sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Today")]
pub struct OpenDay {
    pub plays: Vec<Play>,
    /// The row after each play.
    pub rows: Vec<Row>,
    /// The seats that wish to give the day up, in order.
    pub wishes: Vec<Seat>,
    /// The number of hints asked for.
    pub hints: u8,
    /// The hint for the current row, if somebody asked for one.
    pub hint: Option<Hint>,
    pub drafts: [Vec<Row>; DRAFTS],
}

/// The answer to a request for a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hint {
    Next(Play),
    /// No solution is left.
    Lost,
}

/// A finished day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Past")]
pub struct PastDay {
    pub day: u8,
    pub plays: Vec<Play>,
    pub rows: Vec<Row>,
    pub result: Ending,
    /// The boots the team won with it.
    pub boots: u8,
}

/// How a day ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Ending {
    /// All four elves were played, and the last row is the goal.
    Won,
    /// All four elves were played, but the last row is not the goal.
    Missed,
    /// None of the remaining elves had a power that could be played.
    Stuck,
    /// All players wished to give up.
    GivenUp,
}

impl Ending {
    pub const ALL: [Ending; 4] = [Ending::Won, Ending::Missed, Ending::Stuck, Ending::GivenUp];

    pub const fn id(self) -> &'static str {
        match self {
            Ending::Won => "WON",
            Ending::Missed => "MISSED",
            Ending::Stuck => "STUCK",
            Ending::GivenUp => "GIVEN_UP",
        }
    }
}

impl OpenDay {
    pub fn unspent(&self) -> Elves {
        self.plays.iter().fold(Elves::ALL, |unspent, play| unspent.without(play.elf))
    }
}

impl State {
    pub fn is_over(&self) -> bool {
        self.day > self.last_day
    }

    /// The seats that have not resigned.
    pub fn active(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..).map(Seat).zip(&self.resigned).filter(|(_, resigned)| !**resigned).map(|(seat, _)| seat)
    }

    pub fn is_active(&self, seat: Seat) -> bool {
        self.resigned.get(seat.index()).is_some_and(|resigned| !resigned)
    }

    pub fn holder(&self, elf: Elf) -> Seat {
        self.elves[elf.index()].holder
    }

    /// The row that the next power is played on.
    pub fn row(&self, today: &OpenDay) -> Row {
        today.rows.last().copied().unwrap_or_else(|| self.campaign.puzzle(self.day).start)
    }

    /// Every play of the elves not yet played that are held by the seats `hands` accepts, with the row it leads to.
    pub fn ways(&self, today: &OpenDay, hands: impl Fn(Seat) -> bool) -> Vec<(Play, Row)> {
        let held = today.unspent().iter().filter(|elf| hands(self.holder(*elf)));
        let held = held.fold(Elves::default(), Elves::with);
        solver::ways(self.row(today), &sheets::powers_on(self.day), held).collect()
    }

    /// The seats the game waits for: those that hold an elf not yet played with a playable power. Between two days any
    /// seat may open the next one, but not before it is due ([`State::opens_at`]).
    pub(super) fn awaited(&self) -> Vec<Seat> {
        let Some(today) = &self.today else { return self.active().collect() };
        let (row, powers) = (self.row(today), sheets::powers_on(self.day));
        let playable = |elf: &Elf| solver::ways(row, &powers, Elves::default().with(*elf)).next().is_some();
        let able: Vec<_> = today.unspent().iter().filter(playable).map(|elf| self.holder(elf)).collect();
        self.active().filter(|seat| able.contains(seat)).collect()
    }

    /// The moment at which the next day opens; `None` if a day is open, or if the next one may open at any time.
    pub fn opens_at(&self) -> Option<Instant> {
        let between = self.today.is_none() && !self.is_over();
        self.calendar.as_ref().filter(|_| between).map(|moments| moments[usize::from(self.day - 1)])
    }

    /// Whether the next day may open now.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.today.is_none() && !self.is_over() && self.opens_at().is_none_or(|opens| opens <= now)
    }

    /// Opens the day, with empty drafts.
    pub(super) fn open(&mut self, events: &mut Vec<Event>) {
        self.today = Some(OpenDay::default());
        events.push(Event::DayOpened { day: self.day, puzzle: self.campaign.puzzle(self.day) });
    }

    /// Plays a power of an elf and clears all wishes to give up. The day may end with it.
    pub(super) fn play(&mut self, seat: Seat, play: Play, row: Row, events: &mut Vec<Event>) {
        let Some(today) = &mut self.today else { return };
        today.plays.push(play);
        today.rows.push(row);
        today.wishes.clear();
        today.hint = None;
        let all_played = today.unspent().is_empty();
        events.push(Event::Played { seat, play, row });
        let goal = self.campaign.puzzle(self.day).goal;
        match all_played {
            true if row == goal => self.end(Ending::Won, events),
            true => self.end(Ending::Missed, events),
            // The day is lost at once if none of the remaining elves has a playable power.
            false if self.awaited().is_empty() => self.end(Ending::Stuck, events),
            false => {}
        }
    }

    /// Records a seat's wish to give up. Once every seat still in play wishes so, the day is lost.
    pub(super) fn wish(&mut self, seat: Seat, events: &mut Vec<Event>) {
        let everybody: Vec<_> = self.active().collect();
        let Some(today) = &mut self.today else { return };
        today.wishes.push(seat);
        today.wishes.sort_unstable();
        let all_wish = today.wishes == everybody;
        events.push(Event::Wished { seat });
        if all_wish {
            self.end(Ending::GivenUp, events);
        }
    }

    pub(super) fn withdraw(&mut self, seat: Seat, events: &mut Vec<Event>) {
        if let Some(today) = &mut self.today {
            today.wishes.retain(|wishing| *wishing != seat);
            events.push(Event::Withdrawn { seat });
        }
    }

    /// Ends the day, unlocks its power, and moves on to the next day without opening it.
    fn end(&mut self, result: Ending, events: &mut Vec<Event>) {
        let Some(today) = self.today.take() else { return };
        let day = self.day;
        let boots = if result == Ending::Won { score::reward(day, today.hints) } else { 0 };
        self.past.push(Arc::new(PastDay { day, plays: today.plays, rows: today.rows, result, boots }));
        self.day += 1;
        events.push(Event::DayEnded { day, result, boots });
        if let Some((elf, power)) = sheets::unlocked_after(day) {
            events.push(Event::PowerUnlocked { elf, power });
        }
        if self.is_over() {
            let (boots, on_offer) = (score::boots(self), score::on_offer(self));
            events.push(Event::CampaignOver { boots, on_offer, stage: score::stage(boots, on_offer) });
        }
    }

    /// Resigns the seats. Each of their elves goes to the remaining seat with the fewest elves, the lowest on ties. All
    /// wishes to give up are cleared.
    pub(super) fn resign(&mut self, seats: &[Seat], events: &mut Vec<Event>) {
        for seat in seats {
            self.resigned[seat.index()] = true;
        }
        for elf in Elf::ALL.into_iter().filter(|elf| seats.contains(&self.holder(*elf))).collect::<Vec<_>>() {
            let held = |seat: &Seat| self.elves.iter().filter(|held| held.holder == *seat).count();
            if let Some(to) = self.active().min_by_key(held) {
                self.elves[elf.index()].holder = to;
                events.push(Event::ElfTakenOver { elf, seat: to });
            }
        }
        if let Some(today) = &mut self.today {
            today.wishes.clear();
        }
    }

    /// Draws the state as text, with its secrets.
    pub(super) fn drawing(&self) -> String {
        let mut text = String::new();
        let mut line = |rest: String| writeln!(text, "{rest}").expect("a String takes everything");
        let boots = format!("{} of {} boots", score::boots(self), score::on_offer(self));
        match &self.today {
            None if self.is_over() => line(format!("Over · {boots} · stage {}", score::stage_of(self))),
            None => line(format!("Day {} is not open · {boots}", self.day)),
            Some(today) => {
                let puzzle = self.campaign.puzzle(self.day);
                line(format!("Day {} · {boots}", self.day));
                line(format!("   {}", puzzle.start));
                for (play, row) in today.plays.iter().zip(&today.rows) {
                    line(format!("   {row}  {play}"));
                }
                line(format!("KO {}", puzzle.goal));
                for (column, draft) in (1..).zip(&today.drafts).filter(|(_, draft)| !draft.is_empty()) {
                    line(format!("Draft {column}  {draft:?}"));
                }
                if !today.wishes.is_empty() {
                    line(format!("Wish to give up: {:?}", today.wishes));
                }
            }
        }
        for (elf, held) in Elf::ALL.into_iter().zip(&self.elves) {
            let spent = self.today.as_ref().is_some_and(|today| !today.unspent().has(elf));
            let name = held.name.as_deref().unwrap_or("-");
            line(format!("Elf {elf} ({name}) of seat {}{}", held.holder, if spent { ", spent" } else { "" }));
        }
        let closed = self.campaign.puzzles().filter(|(day, _)| !view::is_opened(self, *day));
        let closed: Vec<_> = closed.map(|(day, puzzle)| format!("{day} {} {}", puzzle.start, puzzle.goal)).collect();
        line(format!("Closed: {}", closed.join(", ")));
        text.trim_end().to_owned()
    }

    /// Checks what must hold between two steps; the error names what does not.
    pub(super) fn invariants(&self) -> Result<(), String> {
        let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
        check(self.elves.iter().all(|held| self.is_active(held.holder)), "every elf is held by somebody in play")?;
        let seats = u8::try_from(self.resigned.len()).unwrap_or(u8::MAX);
        let empty = |seat| self.is_active(seat) && !self.elves.iter().any(|held| held.holder == seat);
        check(!Seat::all(seats).any(empty), "every player holds an elf")?;
        let days: Vec<_> = self.past.iter().map(|past| past.day).collect();
        check(days == (self.first_day..self.day).collect::<Vec<_>>(), "days are played in order")?;
        // Finished days never change, so checking the last one is enough.
        if let Some(past) = self.past.last() {
            let right = self.follows(past.day, &past.plays, &past.rows);
            check(right, "every row of a finished day follows from the one before")?;
            let goal = self.campaign.puzzle(past.day).goal;
            let won = past.plays.len() == Elf::COUNT && past.rows.last() == Some(&goal);
            check((past.result == Ending::Won) == won, "a day is won by all four elves and the required row")?;
            check(past.boots == 0 || won, "only a day that is won brings boots")?;
        }
        let Some(today) = &self.today else { return Ok(()) };
        check(!self.is_over(), "no day is open when all is over")?;
        check(today.plays.len() < Elf::COUNT, "a day ends with the fourth power")?;
        check(self.follows(self.day, &today.plays, &today.rows), "every row follows from the one before")?;
        check(!self.awaited().is_empty(), "somebody has a power to play")?;
        let wishing: Vec<_> = self.active().filter(|seat| today.wishes.contains(seat)).collect();
        check(wishing == today.wishes, "those who wish to give up are in play")?;
        check(wishing.len() < self.active().count(), "a day that all wish to give up is over")?;
        let length = self.campaign.puzzle(self.day).start.length();
        let fits = |draft: &Vec<Row>| draft.len() <= DRAFT_ROWS && draft.iter().all(|row| row.length() == length);
        check(today.drafts.iter().all(fits), "drafts have at most four rows of the day's length")
    }

    /// Whether the plays lead to these rows, each by an elf and power available on that day.
    fn follows(&self, day: u8, plays: &[Play], rows: &[Row]) -> bool {
        let (mut row, mut unspent) = (self.campaign.puzzle(day).start, Elves::ALL);
        plays.len() == rows.len()
            && plays.iter().zip(rows).all(|(play, next)| {
                let power = sheets::powers_of(play.elf, day)[play.slot as usize];
                let right =
                    unspent.has(play.elf) && power.is_some_and(|power| power.apply(row, play.target) == Ok(*next));
                (row, unspent) = (*next, unspent.without(play.elf));
                right
            })
    }
}
