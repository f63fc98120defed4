//! What happens at the table: as it is stored, and as each pair of eyes is told of it.

use super::powers::Power;
use super::row::{Row, RowView};
use super::solver::{Play, Puzzle};
use super::state::{Ending, Hint};
use super::types::Elf;
use super::view::{HintView, PlayView, SheetView};
use crate::{Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that happened. Stored for ever: new variants go to the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Dealt { first_day: u8, last_day: u8, holders: [Seat; Elf::COUNT] },
    DayOpened { day: u8, puzzle: Puzzle },
    Played { seat: Seat, play: Play, row: Row },
    Wished { seat: Seat },
    Withdrawn { seat: Seat },
    DayEnded { day: u8, result: Ending, boots: u8 },
    PowerUnlocked { elf: Elf, power: Power },
    CampaignOver { boots: u32, on_offer: u32, stage: u8 },
    ElfTakenOver { elf: Elf, seat: Seat },
    Drafted { seat: Seat, column: u8, rows: Vec<Row> },
    Named { seat: Seat, elf: Elf, name: String },
    Hinted { seat: Seat, hint: Hint, reward: u8 },
}

/// One thing that happened, as somebody is told of it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "SantaRescueEvent")]
pub enum EventView {
    /// The campaign begins: all four elves are in somebody's hands.
    Dealt {
        /// The first day of the campaign.
        first_day: u8,
        /// The last one.
        last_day: u8,
        /// Who holds each elf, in the order of their numbers.
        holders: [Seat; Elf::COUNT],
    },
    /// A day opened: its sheet can be seen, and the drafts are clean.
    DayOpened {
        /// What is printed on it.
        sheet: SheetView,
    },
    /// A power was played, and a new row written.
    Played {
        /// Who played it.
        seat: Seat,
        /// The power.
        play: PlayView,
        /// The row it wrote.
        new_row: RowView,
    },
    /// A seat wishes to give the day up.
    Wished {
        /// Who wishes it.
        seat: Seat,
    },
    /// A seat took its wish back.
    Withdrawn {
        /// Who did.
        seat: Seat,
    },
    /// A day is over.
    DayEnded {
        /// The day.
        day: u8,
        /// How it ended.
        result: Ending,
        /// The boots it brought.
        boots: u8,
    },
    /// An elf has a second power from now on.
    PowerUnlocked {
        /// The elf.
        elf: Elf,
        /// Its second power.
        power: Power,
    },
    /// The last day is over.
    CampaignOver {
        /// The boots won.
        boots: u32,
        /// The boots that were on offer.
        boots_on_offer: u32,
        /// The stage of the path that they lead to, from 1 to 8.
        stage: u8,
    },
    /// Somebody took over an elf of a player who left.
    ElfTakenOver {
        /// The elf.
        elf: Elf,
        /// Who holds it now.
        seat: Seat,
    },
    /// A draft column was overwritten.
    Drafted {
        /// Who did it.
        seat: Seat,
        /// Which of the two columns.
        column: u8,
        /// What it says now.
        rows: Vec<RowView>,
    },
    /// An elf got a name.
    Named {
        /// Who named it.
        seat: Seat,
        /// The elf.
        elf: Elf,
        /// What it is called from now on.
        name: String,
    },
    /// A hint was asked for, which took a boot off the day's reward.
    Hinted {
        /// Who asked.
        seat: Seat,
        /// What it says.
        hint: HintView,
        /// The boots that the day is still worth.
        reward: u8,
    },
}

/// Drafts are the team's own; all the rest is told to everybody.
pub(super) fn tell(event: &Event, eyes: Eyes) -> Option<EventView> {
    Some(match event {
        &Event::Dealt { first_day, last_day, holders } => EventView::Dealt { first_day, last_day, holders },
        &Event::DayOpened { day, puzzle } => EventView::DayOpened { sheet: SheetView::new(day, puzzle) },
        &Event::Played { seat, play, row } => EventView::Played { seat, play: play.into(), new_row: RowView(row) },
        &Event::Wished { seat } => EventView::Wished { seat },
        &Event::Withdrawn { seat } => EventView::Withdrawn { seat },
        &Event::DayEnded { day, result, boots } => EventView::DayEnded { day, result, boots },
        &Event::PowerUnlocked { elf, power } => EventView::PowerUnlocked { elf, power },
        &Event::CampaignOver { boots, on_offer, stage } => {
            EventView::CampaignOver { boots, boots_on_offer: on_offer, stage }
        }
        &Event::ElfTakenOver { elf, seat } => EventView::ElfTakenOver { elf, seat },
        Event::Drafted { .. } if eyes == Eyes::Spectator => return None,
        Event::Drafted { seat, column, rows } => {
            EventView::Drafted { seat: *seat, column: *column, rows: rows.iter().copied().map(RowView).collect() }
        }
        Event::Named { seat, elf, name } => EventView::Named { seat: *seat, elf: *elf, name: name.clone() },
        &Event::Hinted { seat, hint, reward } => EventView::Hinted { seat, hint: hint.into(), reward },
    })
}
