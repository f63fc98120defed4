//! The 24 sheets and the four cards: what `content/santa_rescue/campaign.json` has of them, and what a campaign of one's
//! own replaces, which is the puzzles.

use super::powers::Power;
use super::row::Row;
use super::solver::{Powers, Puzzle};
use super::types::{Elf, Slot};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

/// How many days there are in a calendar.
pub const DAYS: u8 = 24;

/// What is printed on a day's sheet, but for its puzzle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printed {
    day: u8,
    /// The monster's id; texts have its name and what there is to tell of it.
    pub monster: String,
    /// What winning the day is worth.
    pub boots: u8,
    start: Row,
    goal: Row,
}

/// What is printed on an elf's card.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Card {
    pub powers: [Power; 2],
    /// The day at whose end the second power is unlocked.
    pub unlocked_after: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    elves: Vec<Card>,
    days: Vec<Printed>,
}

struct InTheBox {
    cards: [Card; Elf::COUNT],
    sheets: [Printed; DAYS as usize],
    campaign: Campaign,
}

static BOX: LazyLock<InTheBox> = LazyLock::new(|| {
    let Contents { elves, days } = serde_json::from_str(include_str!("../../content/santa_rescue/campaign.json"))
        .expect("the campaign ships with the program");
    assert!(days.iter().zip(1..).all(|(sheet, due)| sheet.day == due), "sheets are in the order of their days");
    let campaign = Campaign::new(days.iter().map(|sheet| Puzzle { start: sheet.start, goal: sheet.goal }).collect());
    InTheBox {
        cards: elves.try_into().expect("there are 4 elves"),
        sheets: days.try_into().expect("there are 24 sheets"),
        campaign: campaign.expect("there are 24 puzzles"),
    }
});

/// An elf's card.
pub fn card(elf: Elf) -> &'static Card {
    &BOX.cards[elf.index()]
}

/// A day's sheet, without its puzzle.
pub fn printed(day: u8) -> &'static Printed {
    &BOX.sheets[usize::from(day - 1)]
}

/// Every sheet, in the order of the days.
pub fn all_printed() -> impl Iterator<Item = &'static Printed> {
    BOX.sheets.iter()
}

/// The elf whose second power is unlocked at the end of a day, and the power.
pub fn unlocked_after(day: u8) -> Option<(Elf, Power)> {
    let elf = Elf::ALL.into_iter().find(|elf| card(*elf).unlocked_after == day)?;
    Some((elf, card(elf).powers[Slot::Second as usize]))
}

/// What an elf can do on a day.
pub fn powers_of(elf: Elf, day: u8) -> [Option<Power>; 2] {
    let Card { powers: [first, second], unlocked_after } = card(elf);
    [Some(*first), (*unlocked_after < day).then_some(*second)]
}

/// What all elves can do on a day.
pub fn powers_on(day: u8) -> Powers {
    Elf::ALL.map(|elf| powers_of(elf, day))
}

/// How many symbols the rows of a day have.
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
    /// Ours.
    pub fn built_in() -> Self {
        BOX.campaign.clone()
    }

    /// One puzzle for each day.
    pub fn new(puzzles: Vec<Puzzle>) -> Option<Self> {
        (puzzles.len() == usize::from(DAYS)).then(|| Self(puzzles.into()))
    }

    pub fn puzzle(&self, day: u8) -> Puzzle {
        self.0[usize::from(day - 1)]
    }

    pub fn puzzles(&self) -> impl Iterator<Item = (u8, Puzzle)> {
        (1..).zip(self.0.iter().copied())
    }

    /// The campaign as a file of content.
    pub fn content(&self) -> String {
        let card = |elf: Elf| {
            let Card { powers: [first, second], unlocked_after } = card(elf);
            format!(r#"    {{"powers": ["{first}", "{second}"], "unlockedAfter": {unlocked_after}}}"#)
        };
        let day = |(day, Puzzle { start, goal }): (u8, Puzzle)| {
            let Printed { monster, boots, .. } = printed(day);
            let sheet = format!(r#""day": {day}, "monster": "{monster}", "boots": {boots}"#);
            format!(r#"    {{{sheet}, "start": "{start}", "goal": "{goal}"}}"#)
        };
        let cards = Elf::ALL.map(card).join(",\n");
        let days = self.puzzles().map(day).collect::<Vec<_>>().join(",\n");
        format!("{{\n  \"elves\": [\n{cards}\n  ],\n  \"days\": [\n{days}\n  ]\n}}\n")
    }
}
