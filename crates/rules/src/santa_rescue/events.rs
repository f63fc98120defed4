//! Events of À la rescousse du Père Noël: [`Event`] is stored, [`EventView`] is what one viewer may see of it.

use super::powers::Power;
use super::row::{Row, RowView};
use super::solver::{Play, Puzzle};
use super::state::{Ending, Hint};
use super::types::Elf;
use super::view::{HintView, PlayView, SheetView};
use crate::{Eyes, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A stored event. Old games keep these bytes, so add new variants at the end.
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

/// An event as one viewer sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
#[schemars(rename = "SantaRescueEvent")]
pub enum EventView {
    /// The campaign began, and the four elves were dealt to the seats.
    Dealt {
        /// The first day of the campaign.
        first_day: u8,
        /// The last day of the campaign.
        last_day: u8,
        /// The seat that holds each elf, in the order of their numbers.
        holders: [Seat; Elf::COUNT],
    },
    /// A day opened: its sheet is public, and the drafts are cleared.
    DayOpened {
        /// The printed sheet of the day.
        sheet: SheetView,
    },
    /// A seat played a power, which wrote a new row.
    Played {
        /// The seat that played it.
        seat: Seat,
        /// The power as it was played.
        play: PlayView,
        /// The row it led to.
        new_row: RowView,
    },
    /// A seat wished to give the day up.
    Wished {
        /// The seat that wishes it.
        seat: Seat,
    },
    /// A seat withdrew its wish to give the day up.
    Withdrawn {
        /// The seat that withdrew its wish.
        seat: Seat,
    },
    /// A day ended, solved or not.
    DayEnded {
        /// The number of the day, from 1 to 24.
        day: u8,
        /// How it ended.
        result: Ending,
        /// The boots that the team won with it.
        boots: u8,
    },
    /// The second power of an elf was unlocked.
    PowerUnlocked {
        /// The number of the elf, from 1 to 4.
        elf: Elf,
        /// The power that it got.
        power: Power,
    },
    /// The campaign ended with its last day.
    CampaignOver {
        /// The boots won in the campaign.
        boots: u32,
        /// The boots that could have been won.
        boots_on_offer: u32,
        /// The stage of the path that the team reached, from 1 to 8.
        stage: u8,
    },
    /// A seat took over an elf of a player who resigned.
    ElfTakenOver {
        /// The number of the elf, from 1 to 4.
        elf: Elf,
        /// The seat that holds it now.
        seat: Seat,
    },
    /// A seat overwrote a draft column. Spectators do not see this event, except in the replay.
    Drafted {
        /// The seat that overwrote it.
        seat: Seat,
        /// The column: 1 or 2.
        column: u8,
        /// The new rows of the column.
        rows: Vec<RowView>,
    },
    /// A seat named an elf.
    Named {
        /// The seat that named it.
        seat: Seat,
        /// The number of the elf, from 1 to 4.
        elf: Elf,
        /// The new name.
        name: String,
    },
    /// A seat asked for a hint, which reduced the day's reward by one boot.
    Hinted {
        /// The seat that asked.
        seat: Seat,
        /// The hint for the current row.
        hint: HintView,
        /// The boots that the team still gets for solving the day.
        reward: u8,
    },
}

/// Converts a stored event for a viewer. Only the team sees drafts; everything else is public.
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
