//! The table as each pair of eyes sees it: the sheets of opened days, never of later ones; drafts only for the team.

use super::powers::Power;
use super::row::{Row, RowView};
use super::score;
use super::sheets::{self, Campaign};
use super::solver::{Play, Puzzle};
use super::state::{Ending, Hint, Past, State, Today};
use super::types::{Elf, Slot};
use crate::{Dice, Eyes, Instant, Seat};
use schemars::JsonSchema;
use serde::Serialize;

/// The table.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueView")]
pub struct View {
    /// The first day of the campaign.
    pub first_day: u8,
    /// The last one.
    pub last_day: u8,
    /// The day that is open, or opens next; one beyond the last when all is over.
    pub day: u8,
    /// When the next day opens, if it is not open yet and goes by the calendar. From then on anybody may open it.
    pub opens_at: Option<Instant>,
    /// The sheet of the day that is open.
    pub today: Option<TodayView>,
    /// Every finished day, in order.
    pub days: Vec<DayView>,
    /// The four elves, in the order of their numbers.
    pub elves: Vec<ElfView>,
    /// The boots won so far.
    pub boots: u32,
    /// The boots on offer in the whole campaign.
    pub boots_on_offer: u32,
    /// The stage of the path reached so far, from 1 to 8.
    pub stage: u8,
    /// What the team is called at that stage; the glossary has it in words.
    #[schemars(extend("x-graphql" = "ID"))]
    pub stage_name: String,
    /// Whether hints may be asked for.
    pub hints: bool,
    /// Every seat, in order.
    pub seats: Vec<SeatView>,
}

/// What is printed on a day's sheet.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueSheet")]
pub struct SheetView {
    /// The day in December.
    pub day: u8,
    /// The monster to beat; the glossary has its name.
    #[schemars(extend("x-graphql" = "ID"))]
    pub monster: String,
    /// What there is to tell of it, likewise.
    #[schemars(extend("x-graphql" = "ID"))]
    pub about: String,
    /// The starting row.
    pub start: RowView,
    /// The required row.
    pub goal: RowView,
    /// What winning is worth.
    pub boots: u8,
    /// What is unlocked at the end of the day, won or lost.
    pub unlocks: Option<UnlockView>,
}

/// A second power that a day unlocks.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueUnlock")]
pub struct UnlockView {
    /// The elf that gets it.
    pub elf: Elf,
    /// The power.
    pub power: Power,
}

/// The sheet that is being filled in.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueToday")]
pub struct TodayView {
    /// What is printed on it.
    pub sheet: SheetView,
    /// The powers played so far, with the rows they led to.
    pub written: Vec<WrittenView>,
    /// The row as it stands.
    pub row: RowView,
    /// The boots that winning still brings: each hint took one.
    pub reward: u8,
    /// What was said about the row as it stands, if somebody asked.
    pub hint: Option<HintView>,
    /// The two draft columns of the team; nothing for onlookers.
    pub drafts: Option<Vec<Vec<RowView>>>,
}

/// A finished day.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueDay")]
pub struct DayView {
    /// What is printed on its sheet.
    pub sheet: SheetView,
    /// The powers played, with the rows they led to.
    pub written: Vec<WrittenView>,
    /// How it ended.
    pub result: Ending,
    /// The boots it brought.
    pub boots: u8,
}

/// A line of a sheet.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueWritten")]
pub struct WrittenView {
    /// The power played.
    pub play: PlayView,
    /// The row it led to.
    pub row: RowView,
}

/// A power as it was played.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescuePlay")]
pub struct PlayView {
    /// The elf.
    pub elf: Elf,
    /// Which of its powers.
    pub power: Slot,
    /// The place it was aimed at, counted from 0 at the left, if it is one that is aimed.
    pub target: Option<u8>,
}

/// What a hint says.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueHint")]
pub struct HintView {
    /// The next play of a winning line; nothing if none is left.
    pub play: Option<PlayView>,
}

/// An elf.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueElf")]
pub struct ElfView {
    /// Its number.
    pub elf: Elf,
    /// What its holder calls it.
    pub name: Option<String>,
    /// Who holds it.
    pub holder: Seat,
    /// Its powers: the first, and the second once it is unlocked.
    pub powers: Vec<Power>,
    /// Whether it was played today.
    pub spent: bool,
}

/// A seat.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueSeat")]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// Whether the seat has given up.
    pub resigned: bool,
    /// Whether the seat wishes to give the day up.
    pub wishes_to_give_up: bool,
}

impl SheetView {
    pub(super) fn new(day: u8, Puzzle { start, goal }: Puzzle) -> Self {
        let printed = sheets::printed(day);
        Self {
            day,
            monster: printed.monster.clone(),
            about: about(&printed.monster),
            start: RowView(start),
            goal: RowView(goal),
            boots: printed.boots,
            unlocks: sheets::unlocked_after(day).map(|(elf, power)| UnlockView { elf, power }),
        }
    }
}

/// The id of what there is to tell of a monster.
pub(super) fn about(monster: &str) -> String {
    format!("{monster}_ABOUT")
}

/// The id of a stage's name.
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

fn view_today(state: &State, today: &Today, eyes: Eyes) -> TodayView {
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

fn view_day(state: &State, past: &Past) -> DayView {
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

/// Whether the day's sheet has come to light.
pub(super) fn is_opened(state: &State, day: u8) -> bool {
    let last = if state.today.is_some() { state.day } else { state.day - 1 };
    (state.first_day..=last).contains(&day)
}

/// Draws the sheets of days not yet open again, and, for onlookers, the drafts.
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
