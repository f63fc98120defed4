//! The 24 sheets and the four elf cards of `content/santa_rescue/campaign.json`, and campaigns, which replace the
//! puzzles on the sheets.

use super::powers::Power;
use super::row::Row;
use super::solver::{Powers, Puzzle};
use super::types::{Elf, PowerSlot};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

/// The number of days in a calendar.
pub const DAYS: u8 = 24;

/// The printed content of a day's sheet, except for its puzzle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    day: u8,
    /// The monster's id; content files have its name and description.
    pub monster: String,
    /// The boots for winning the day.
    pub boots: u8,
    start: Row,
    goal: Row,
}

/// The printed content of an elf's card.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ElfCard {
    pub powers: [Power; 2],
    /// The day at whose end the second power is unlocked.
    pub unlocked_after: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DataFile {
    elves: Vec<ElfCard>,
    days: Vec<Sheet>,
}

struct Content {
    cards: [ElfCard; Elf::COUNT],
    sheets: [Sheet; DAYS as usize],
    campaign: Campaign,
}

static BOX: LazyLock<Content> = LazyLock::new(|| {
    let DataFile { elves, days } = serde_json::from_str(include_str!("../../content/santa_rescue/campaign.json"))
        .expect("the campaign ships with the program");
    assert!(days.iter().zip(1..).all(|(sheet, due)| sheet.day == due), "sheets are in the order of their days");
    let campaign = Campaign::new(days.iter().map(|sheet| Puzzle { start: sheet.start, goal: sheet.goal }).collect());
    Content {
        cards: elves.try_into().expect("there are 4 elves"),
        sheets: days.try_into().expect("there are 24 sheets"),
        campaign: campaign.expect("there are 24 puzzles"),
    }
});

/// An elf's card.
pub fn card(elf: Elf) -> &'static ElfCard {
    &BOX.cards[elf.index()]
}

/// A day's sheet, without its puzzle.
pub fn sheet(day: u8) -> &'static Sheet {
    &BOX.sheets[usize::from(day - 1)]
}

/// Every sheet, in the order of the days.
pub fn all_sheets() -> impl Iterator<Item = &'static Sheet> {
    BOX.sheets.iter()
}

/// The elf whose second power is unlocked at the end of a day, and the power.
pub fn unlocked_after(day: u8) -> Option<(Elf, Power)> {
    let elf = Elf::ALL.into_iter().find(|elf| card(*elf).unlocked_after == day)?;
    Some((elf, card(elf).powers[PowerSlot::Second as usize]))
}

/// The powers of an elf on a day.
pub fn powers_of(elf: Elf, day: u8) -> [Option<Power>; 2] {
    let ElfCard { powers: [first, second], unlocked_after } = card(elf);
    [Some(*first), (*unlocked_after < day).then_some(*second)]
}

/// The powers of all elves on a day.
pub fn powers_on(day: u8) -> Powers {
    Elf::ALL.map(|elf| powers_of(elf, day))
}

/// The number of symbols in the rows of a day.
pub fn row_length(day: u8) -> u8 {
    match day {
        ..=4 => 5,
        5..=10 => 6,
        11..=17 => 7,
        _ => 8,
    }
}

/// The puzzles of all 24 days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Campaign(Arc<[Puzzle]>);

impl Campaign {
    /// The built-in campaign.
    pub fn built_in() -> Self {
        BOX.campaign.clone()
    }

    /// A campaign of one puzzle per day; `None` if there are not 24.
    pub fn new(puzzles: Vec<Puzzle>) -> Option<Self> {
        (puzzles.len() == usize::from(DAYS)).then(|| Self(puzzles.into()))
    }

    pub fn puzzle(&self, day: u8) -> Puzzle {
        self.0[usize::from(day - 1)]
    }

    pub fn puzzles(&self) -> impl Iterator<Item = (u8, Puzzle)> {
        (1..).zip(self.0.iter().copied())
    }

    /// The campaign in the format of the content file.
    pub fn content(&self) -> String {
        let card = |elf: Elf| {
            let ElfCard { powers: [first, second], unlocked_after } = card(elf);
            format!(r#"    {{"powers": ["{first}", "{second}"], "unlockedAfter": {unlocked_after}}}"#)
        };
        let day = |(day, Puzzle { start, goal }): (u8, Puzzle)| {
            let Sheet { monster, boots, .. } = sheet(day);
            let sheet = format!(r#""day": {day}, "monster": "{monster}", "boots": {boots}"#);
            format!(r#"    {{{sheet}, "start": "{start}", "goal": "{goal}"}}"#)
        };
        let cards = Elf::ALL.map(card).join(",\n");
        let days = self.puzzles().map(day).collect::<Vec<_>>().join(",\n");
        format!("{{\n  \"elves\": [\n{cards}\n  ],\n  \"days\": [\n{days}\n  ]\n}}\n")
    }
}
