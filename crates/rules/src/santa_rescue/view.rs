//! Views of À la rescousse du Père Noël: everyone sees the sheets of opened days, nobody those of later days; only the
//! team sees drafts.

use super::powers::Power;
use super::row::{Row, RowView};
use super::score;
use super::sheets::{self, Campaign};
use super::solver::{Play, Puzzle};
use super::state::{Ending, Hint, OpenDay, PastDay, State};
use super::types::{Elf, PowerSlot};
use crate::{Dice, Eyes, Instant, Seat};
use schemars::JsonSchema;
use serde::Serialize;

/// A campaign as one viewer sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueView")]
pub struct View {
    /// The first day of the campaign.
    pub first_day: u8,
    /// The last day of the campaign.
    pub last_day: u8,
    /// The day that is open or opens next; one more than `lastDay` when the campaign is over.
    pub day: u8,
    /// With the `ADVENT` calendar, the moment from which any player may open the next day; null while a day is open.
    pub opens_at: Option<Instant>,
    /// The day that is open; null between two days.
    pub today: Option<TodayView>,
    /// The finished days, in order.
    pub days: Vec<DayView>,
    /// The four elves, in the order of their numbers.
    pub elves: Vec<ElfView>,
    /// The boots won so far.
    pub boots: u32,
    /// The boots that can be won in the whole campaign.
    pub boots_on_offer: u32,
    /// The stage of the path reached so far, from 1 to 8.
    pub stage: u8,
    /// The id of the team's title at that stage; the glossary has its name.
    #[schemars(extend("x-graphql" = "ID"))]
    pub stage_name: String,
    /// Whether players may ask for hints.
    pub hints: bool,
    /// Every seat, in seat order.
    pub seats: Vec<SeatView>,
}

/// The printed sheet of a day.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueSheet")]
pub struct SheetView {
    /// The number of the day, from 1 to 24.
    pub day: u8,
    /// The id of the monster to beat; the glossary has its name.
    #[schemars(extend("x-graphql" = "ID"))]
    pub monster: String,
    /// The id of the monster's description; the glossary has the text.
    #[schemars(extend("x-graphql" = "ID"))]
    pub about: String,
    /// The starting row.
    pub start: RowView,
    /// The goal row.
    pub goal: RowView,
    /// The boots for winning the day.
    pub boots: u8,
    /// The power unlocked at the end of the day, whether it is won or lost; null if there is none.
    pub unlocks: Option<UnlockView>,
}

/// A second power that the end of a day unlocks.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueUnlock")]
pub struct UnlockView {
    /// The elf that gets it.
    pub elf: Elf,
    /// The power that it gets.
    pub power: Power,
}

/// The open day.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueToday")]
pub struct TodayView {
    /// Its printed sheet.
    pub sheet: SheetView,
    /// The powers played so far, with the rows they led to.
    pub written: Vec<WrittenView>,
    /// The current row.
    pub row: RowView,
    /// The boots that the team still gets for winning the day: each hint costs one.
    pub reward: u8,
    /// The hint for the current row; null if nobody asked for one.
    pub hint: Option<HintView>,
    /// The two draft columns of the team; null for spectators.
    pub drafts: Option<Vec<Vec<RowView>>>,
}

/// A finished day.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueDay")]
pub struct DayView {
    /// Its printed sheet.
    pub sheet: SheetView,
    /// The powers played, with the rows they led to.
    pub written: Vec<WrittenView>,
    /// How it ended.
    pub result: Ending,
    /// The boots the team won with it.
    pub boots: u8,
}

/// One line of a sheet: a power played and the row it led to.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueWritten")]
pub struct WrittenView {
    /// The power as it was played.
    pub play: PlayView,
    /// The row it led to.
    pub row: RowView,
}

/// A power as it was played.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescuePlay")]
pub struct PlayView {
    /// The number of the elf, from 1 to 4.
    pub elf: Elf,
    /// Which of its powers: 1 or 2.
    pub power: PowerSlot,
    /// The place it was aimed at, counted from 0 at the left; null for a power without a target.
    pub target: Option<u8>,
}

/// The answer to a request for a hint.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueHint")]
pub struct HintView {
    /// The next power to play in a solution; null if no solution is left.
    pub play: Option<PlayView>,
}

/// An elf: its holder, its name and its powers.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueElf")]
pub struct ElfView {
    /// Its number.
    pub elf: Elf,
    /// The name its holder gave it; null if it has none.
    pub name: Option<String>,
    /// The seat that holds it.
    pub holder: Seat,
    /// The ids of its powers: the first, and the second once it is unlocked. The glossary has them in words.
    pub powers: Vec<Power>,
    /// Whether it was already played on the open day.
    pub spent: bool,
}

/// A seat, and whether it wishes to give the day up.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueSeat")]
pub struct SeatView {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// Whether the seat has resigned.
    pub resigned: bool,
    /// Whether the seat wishes to give the day up.
    pub wishes_to_give_up: bool,
}

impl SheetView {
    pub(super) fn new(day: u8, Puzzle { start, goal }: Puzzle) -> Self {
        let sheet = sheets::sheet(day);
        Self {
            day,
            monster: sheet.monster.clone(),
            about: about(&sheet.monster),
            start: RowView(start),
            goal: RowView(goal),
            boots: sheet.boots,
            unlocks: sheets::unlocked_after(day).map(|(elf, power)| UnlockView { elf, power }),
        }
    }
}

/// The id of a monster's description.
pub(super) fn about(monster: &str) -> String {
    format!("{monster}_ABOUT")
}

/// The id of the team's title at a stage.
pub(super) fn stage_name(stage: u8) -> String {
    format!("STAGE_{stage}")
}

impl From<Play> for PlayView {
    fn from(Play { elf, slot, target }: Play) -> Self {
        Self { elf, power: slot, target }
    }
}

impl From<Hint> for HintView {
    fn from(hint: Hint) -> Self {
        match hint {
            Hint::Next(play) => Self { play: Some(play.into()) },
            Hint::Lost => Self { play: None },
        }
    }
}

pub(super) fn view(state: &State, eyes: Eyes) -> View {
    let reached = score::stage_of(state);
    View {
        first_day: state.first_day,
        last_day: state.last_day,
        day: state.day,
        opens_at: state.opens_at(),
        today: state.today.as_ref().map(|today| view_today(state, today, eyes)),
        days: state.past.iter().map(|past| view_day(state, past)).collect(),
        elves: Elf::ALL.map(|elf| view_elf(state, elf)).into(),
        boots: score::boots(state),
        boots_on_offer: score::on_offer(state),
        stage: reached,
        stage_name: stage_name(reached),
        hints: state.hints,
        seats: (0..).map(Seat).zip(&state.resigned).map(|(seat, resigned)| view_seat(state, seat, *resigned)).collect(),
    }
}

fn view_today(state: &State, today: &OpenDay, eyes: Eyes) -> TodayView {
    let rows = |draft: &Vec<Row>| draft.iter().copied().map(RowView).collect();
    TodayView {
        sheet: SheetView::new(state.day, state.campaign.puzzle(state.day)),
        written: view_written(&today.plays, &today.rows),
        row: RowView(state.row(today)),
        reward: score::reward(state.day, today.hints),
        hint: today.hint.map(HintView::from),
        drafts: (eyes != Eyes::Spectator).then(|| today.drafts.iter().map(rows).collect()),
    }
}

fn view_day(state: &State, past: &PastDay) -> DayView {
    DayView {
        sheet: SheetView::new(past.day, state.campaign.puzzle(past.day)),
        written: view_written(&past.plays, &past.rows),
        result: past.result,
        boots: past.boots,
    }
}

fn view_written(plays: &[Play], rows: &[Row]) -> Vec<WrittenView> {
    let lines = plays.iter().zip(rows);
    lines.map(|(play, row)| WrittenView { play: (*play).into(), row: RowView(*row) }).collect()
}

fn view_elf(state: &State, elf: Elf) -> ElfView {
    let held = &state.elves[elf.index()];
    ElfView {
        elf,
        name: held.name.as_deref().map(str::to_owned),
        holder: held.holder,
        powers: sheets::powers_of(elf, state.day).into_iter().flatten().collect(),
        spent: state.today.as_ref().is_some_and(|today| !today.unspent().has(elf)),
    }
}

fn view_seat(state: &State, seat: Seat, resigned: bool) -> SeatView {
    let wishes = state.today.as_ref().is_some_and(|today| today.wishes.contains(&seat));
    SeatView { seat, resigned, wishes_to_give_up: wishes }
}

/// Whether the day's sheet has been opened.
pub(super) fn is_opened(state: &State, day: u8) -> bool {
    let last = if state.today.is_some() { state.day } else { state.day - 1 };
    (state.first_day..=last).contains(&day)
}

/// Redraws everything the viewer can't know: the sheets of days not yet open and, for spectators, the drafts.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    if eyes == Eyes::Replay {
        return state;
    }
    let puzzles = state.campaign.puzzles().map(|(day, puzzle)| {
        let length = sheets::row_length(day);
        if is_opened(&state, day) {
            puzzle
        } else {
            Puzzle { start: Row::draw(length, dice), goal: Row::draw(length, dice) }
        }
    });
    state.campaign = Campaign::new(puzzles.collect()).expect("a puzzle for each day, as before");
    let length = sheets::row_length(state.day);
    if let (Some(today), Eyes::Spectator) = (&mut state.today, eyes) {
        for draft in &mut today.drafts {
            *draft = (0..dice.index(5)).map(|_| Row::draw(length, dice)).collect();
        }
    }
    state
}
