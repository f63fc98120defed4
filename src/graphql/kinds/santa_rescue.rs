//! À la rescousse du Père Noël.

use super::shape::tagged;
use super::{Chosen, KindId};
use crate::graphql::scalars::DateTime;
use async_graphql::{Enum, ID, InputObject, OneofObject, SimpleObject};
use serde::{Deserialize, Serialize};

pub use self::{
    SantaRescueEvent as Event, SantaRescueMove as Move, SantaRescueMoveInput as MoveInput,
    SantaRescueOptions as Options, SantaRescueOptionsInput as OptionsInput, SantaRescueView as View,
};

/// Symbols from left to right.
type Row = Vec<SantaRescueSymbol>;

/// One symbol of a row: a shape in a colour.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SantaRescueSymbol {
    /// A white bell.
    WhiteBell,
    /// A white heart.
    WhiteHeart,
    /// A white star.
    WhiteStar,
    /// A white moon.
    WhiteMoon,
    /// A white cloud.
    WhiteCloud,
    /// A white gift.
    WhiteGift,
    /// A black bell.
    BlackBell,
    /// A black heart.
    BlackHeart,
    /// A black star.
    BlackStar,
    /// A black moon.
    BlackMoon,
    /// A black cloud.
    BlackCloud,
    /// A black gift.
    BlackGift,
}

/// Which calendar a campaign goes by.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SantaRescueCalendar {
    /// The next day opens when the last one ends.
    Free,
    /// Day N opens on N December.
    Advent,
}

/// How a day ended.
#[derive(Clone, Copy, Enum, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SantaRescueResult {
    /// All four elves were played, and the last row is the required one.
    Won,
    /// All four elves were played, and the last row is another one.
    Missed,
    /// No unspent elf had a power that could be played.
    Stuck,
    /// Everybody wished to give it up.
    GivenUp,
}

/// What was agreed before a campaign.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct SantaRescueOptions {
    /// What is played.
    pub kind: KindId,
    /// Seconds that a seat may take for a move; 0 for as long as it likes.
    pub move_seconds: i32,
    /// When days open.
    calendar: SantaRescueCalendar,
    /// The year of an `ADVENT` calendar; null for that of the game's creation.
    year: Option<i32>,
    /// Where it is midnight when a day of an `ADVENT` calendar opens: a name of the IANA database, `Europe/Paris`.
    time_zone: String,
    /// The first day.
    first_day: i32,
    /// The last day.
    last_day: i32,
    /// Whether hints may be asked for; each takes a boot off the day's reward.
    hints: bool,
    /// The number that the 24 puzzles were made from; null for those in the box.
    campaign_seed: Option<i32>,
}

/// What to agree before a campaign.
#[derive(InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SantaRescueOptionsInput {
    /// Seconds that a seat may take for a move; 0, or nothing, for as long as it likes.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_seconds: Option<i32>,
    /// When days open; `FREE` unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    calendar: Option<SantaRescueCalendar>,
    /// The year of an `ADVENT` calendar; that of the game's creation unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    year: Option<i32>,
    /// Where it is midnight when a day of an `ADVENT` calendar opens: a name of the IANA database, `Europe/Paris`; `UTC`
    /// unless said otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone: Option<String>,
    /// The first day of a shorter campaign; the powers of earlier days are already unlocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_day: Option<i32>,
    /// The last day of a shorter campaign.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_day: Option<i32>,
    /// Whether hints may be asked for; not unless said otherwise. Each takes a boot off the day's reward.
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<bool>,
    /// A number of one's own, not below 0, makes 24 other puzzles, the same for everybody who takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign_seed: Option<i32>,
}

/// The elves that a seat would like to hold.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueChoice {
    /// Their numbers, from 1 to 4.
    elves: Vec<i32>,
}

/// The elves to hold.
#[derive(InputObject, Serialize)]
pub struct SantaRescueChoiceInput {
    /// Their numbers, from 1 to 4; none to leave it to the others.
    elves: Vec<i32>,
}

/// What was worked out before a campaign began.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct SantaRescuePreparation {
    /// When each of the 24 days opens, in a campaign that goes by the calendar.
    opens_at: Option<Vec<DateTime>>,
    /// The puzzles of a campaign of one's own, for days 1 to 24; null for those that never came to light.
    puzzles: Option<Vec<Option<SantaRescuePuzzle>>>,
}

/// A puzzle in letters, one a symbol: small for white, capital for black.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescuePuzzle {
    /// The starting row.
    start: String,
    /// The required row.
    goal: String,
}

/// A campaign as one pair of eyes sees it.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct SantaRescueView {
    /// What is played.
    pub kind: KindId,
    /// The first day of the campaign.
    first_day: i32,
    /// The last one.
    last_day: i32,
    /// The day that is open, or opens next; one beyond the last when all is over.
    day: i32,
    /// When the next day opens, if it is not open yet and goes by the calendar. From then on anybody may open it.
    opens_at: Option<DateTime>,
    /// The sheet of the day that is open.
    today: Option<SantaRescueToday>,
    /// Every finished day, in order.
    days: Vec<SantaRescueDay>,
    /// The four elves, in the order of their numbers.
    elves: Vec<SantaRescueElf>,
    /// The boots won so far.
    boots: i32,
    /// The boots on offer in the whole campaign.
    boots_on_offer: i32,
    /// The stage of the path reached so far, from 1 to 8.
    stage: i32,
    /// What the team is called at that stage; the glossary has it in words.
    stage_name: ID,
    /// Whether hints may be asked for.
    hints: bool,
    /// Every seat, in order.
    seats: Vec<SantaRescueSeat>,
}

/// What is printed on a day's sheet.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueSheet {
    /// The day in December.
    day: i32,
    /// The monster to beat; the glossary has its name.
    monster: ID,
    /// What there is to tell of it, likewise.
    about: ID,
    /// The starting row.
    start: Row,
    /// The required row.
    goal: Row,
    /// What winning is worth.
    boots: i32,
    /// What is unlocked at the end of the day, won or lost.
    unlocks: Option<SantaRescueUnlock>,
}

/// A second power that a day unlocks.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueUnlock {
    /// The elf that gets it.
    elf: i32,
    /// The power; the glossary has it in words.
    power: ID,
}

/// The sheet that is being filled in.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueToday {
    /// What is printed on it.
    sheet: SantaRescueSheet,
    /// The powers played so far, with the rows they led to.
    written: Vec<SantaRescueWritten>,
    /// The row as it stands.
    row: Row,
    /// The boots that winning still brings: each hint took one.
    reward: i32,
    /// What was said about the row as it stands, if somebody asked.
    hint: Option<SantaRescueHint>,
    /// The two draft columns of the team; null for onlookers.
    drafts: Option<Vec<Vec<Row>>>,
}

/// A finished day.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueDay {
    /// What is printed on its sheet.
    sheet: SantaRescueSheet,
    /// The powers played, with the rows they led to.
    written: Vec<SantaRescueWritten>,
    /// How it ended.
    result: SantaRescueResult,
    /// The boots it brought.
    boots: i32,
}

/// A line of a sheet.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueWritten {
    /// The power played.
    play: SantaRescuePlay,
    /// The row it led to.
    row: Row,
}

/// A power as it was played.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescuePlay {
    /// The elf.
    elf: i32,
    /// Which of its powers: 1 or 2.
    power: i32,
    /// The place it was aimed at, counted from 0 at the left, if it is one that is aimed.
    target: Option<i32>,
}

/// What a hint says.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueHint {
    /// The next play of a winning line; null if none is left.
    play: Option<SantaRescuePlay>,
}

/// An elf.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueElf {
    /// Its number.
    elf: i32,
    /// What its holder calls it.
    name: Option<String>,
    /// Who holds it.
    holder: i32,
    /// Its powers: the first, and the second once it is unlocked. The glossary has them in words.
    powers: Vec<ID>,
    /// Whether it was played today.
    spent: bool,
}

/// A seat of the team.
#[derive(Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct SantaRescueSeat {
    /// The seat.
    seat: i32,
    /// Whether the seat has given up.
    resigned: bool,
    /// Whether the seat wishes to give the day up.
    wishes_to_give_up: bool,
}

tagged! {
    /// What a seat does in À la rescousse du Père Noël.
    SantaRescueMove {
        /// Play a power of an elf that the seat holds.
        "PLAY" => SantaRescuePlayMove {
            /// The elf.
            elf: i32,
            /// Which of its powers: 1 or 2.
            power: i32,
            /// The place it is aimed at, counted from 0 at the left; a swap of neighbours is named by the left one. Null for
            /// a power that needs no target.
            target: Option<i32>,
        },
        /// Wish to give the day up; it is lost once everybody does.
        "WISH" => SantaRescueWishMove {},
        /// Take the wish back.
        "WITHDRAW" => SantaRescueWithdrawMove {},
        /// Open the day's sheet, once its day has come.
        "OPEN" => SantaRescueOpenMove {},
    }
}

/// What to do in À la rescousse du Père Noël.
#[derive(OneofObject, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SantaRescueMoveInput {
    /// Play a power of an elf that the seat holds.
    Play(SantaRescuePlayInput),
    /// Wish to give the day up; it is lost once everybody does.
    Wish(Chosen),
    /// Take the wish back.
    Withdraw(Chosen),
    /// Open the day's sheet, once its day has come.
    Open(Chosen),
}

/// Which power to play where.
#[derive(InputObject, Serialize)]
pub struct SantaRescuePlayInput {
    /// The elf.
    elf: i32,
    /// Which of its powers: 1 or 2.
    power: i32,
    /// The place it is aimed at, counted from 0 at the left; a swap of neighbours is named by the left one. Nothing for a
    /// power that needs no target.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<i32>,
}

/// What playing a power would bring.
#[derive(Deserialize, SimpleObject)]
pub struct SantaRescueEffect {
    /// The row the power would lead to.
    row: Row,
}

tagged! {
    /// One thing that happened in a campaign, as one pair of eyes is told of it.
    SantaRescueEvent {
        /// The campaign begins: all four elves are in somebody's hands.
        "DEALT" => SantaRescueDealtEvent {
            /// The first day of the campaign.
            first_day: i32,
            /// The last one.
            last_day: i32,
            /// Who holds each elf, in the order of their numbers.
            holders: Vec<i32>,
        },
        /// A day opened: its sheet can be seen, and the drafts are clean.
        "DAY_OPENED" => SantaRescueDayOpenedEvent {
            /// What is printed on it.
            sheet: SantaRescueSheet,
        },
        /// A power was played, and a new row written.
        "PLAYED" => SantaRescuePlayedEvent {
            /// Who played it.
            seat: i32,
            /// The power.
            play: SantaRescuePlay,
            /// The new row.
            row: Row,
        },
        /// A seat wishes to give the day up.
        "WISHED" => SantaRescueWishedEvent {
            /// Who wishes it.
            seat: i32,
        },
        /// A seat took its wish back.
        "WITHDRAWN" => SantaRescueWithdrawnEvent {
            /// Who did.
            seat: i32,
        },
        /// A day is over.
        "DAY_ENDED" => SantaRescueDayEndedEvent {
            /// The day.
            day: i32,
            /// How it ended.
            result: SantaRescueResult,
            /// The boots it brought.
            boots: i32,
        },
        /// An elf has a second power from now on.
        "POWER_UNLOCKED" => SantaRescuePowerUnlockedEvent {
            /// The elf.
            elf: i32,
            /// Its second power; the glossary has it in words.
            power: ID,
        },
        /// The last day is over.
        "CAMPAIGN_OVER" => SantaRescueCampaignOverEvent {
            /// The boots won.
            boots: i32,
            /// The boots that were on offer.
            boots_on_offer: i32,
            /// The stage of the path that they lead to, from 1 to 8.
            stage: i32,
        },
        /// Somebody took over an elf of a player who left.
        "ELF_TAKEN_OVER" => SantaRescueElfTakenOverEvent {
            /// The elf.
            elf: i32,
            /// Who holds it now.
            seat: i32,
        },
        /// A draft column was overwritten.
        "DRAFTED" => SantaRescueDraftedEvent {
            /// Who did it.
            seat: i32,
            /// Which of the two columns.
            column: i32,
            /// What it says now.
            rows: Vec<Row>,
        },
        /// An elf got a name.
        "NAMED" => SantaRescueNamedEvent {
            /// Who named it.
            seat: i32,
            /// The elf.
            elf: i32,
            /// What it is called from now on.
            name: String,
        },
        /// A hint was asked for, which took a boot off the day's reward.
        "HINTED" => SantaRescueHintedEvent {
            /// Who asked.
            seat: i32,
            /// What it says.
            hint: SantaRescueHint,
            /// The boots that the day is still worth.
            reward: i32,
        },
    }
}
