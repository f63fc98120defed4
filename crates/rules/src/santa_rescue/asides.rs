//! Asides of À la rescousse du Père Noël (actions beside moves: overwrite a draft, name an elf, ask for a hint) and
//! their notation: `draft 1 bhsmC,bhSMC`, `draft 2 -`, `name 4 Pip`, `hint`.

use super::events::Event;
use super::moves::in_play;
use super::row::{Row, RowView};
use super::score;
use super::sheets;
use super::solver;
use super::state::{DRAFT_ROWS, DRAFTS, Hint, State};
use super::types::Elf;
use crate::visible::has_visible;
use crate::{Illegal, Message, Seat};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::{fmt, str::FromStr};

/// The maximum length of an elf's name, in characters.
pub const NAME_LENGTH: usize = 30;

/// Something that a player can do at any time, besides the moves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(
    rename = "SantaRescueAside",
    example = json!({"type": "DRAFT", "column": 1, "rows": [["WHITE_BELL", "BLACK_STAR", "WHITE_MOON", "BLACK_GIFT", "WHITE_HEART"]]}),
    example = json!({"type": "NAME", "elf": 4, "name": "Pip"}),
    example = json!({"type": "HINT"}),
)]
pub enum Aside {
    /// Overwrite one of the two draft columns that the team shares.
    Draft {
        /// The column: 1 or 2.
        #[schemars(range(min = 1, max = DRAFTS))]
        column: u8,
        /// The new rows: at most four, each as long as the day's row. An empty list clears the column.
        #[schemars(length(max = DRAFT_ROWS))]
        rows: Vec<RowView>,
    },
    /// Name an elf that you hold.
    Name {
        /// The number of the elf, from 1 to 4.
        elf: Elf,
        /// The new name: 1 to 30 characters, at least one of them visible. Leading and trailing spaces are removed.
        name: String,
    },
    /// Ask for the next power to play in a solution. Refused unless the option `hints` is on. Each hint reduces the
    /// day's reward by one boot.
    Hint {},
}

/// The notation of a draft without rows.
const NO_ROWS: &str = "-";

impl fmt::Display for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aside::Draft { column, rows } if rows.is_empty() => write!(f, "draft {column} {NO_ROWS}"),
            Aside::Draft { column, rows } => {
                let rows: Vec<_> = rows.iter().map(|row| row.0.to_string()).collect();
                write!(f, "draft {column} {}", rows.join(","))
            }
            Aside::Name { elf, name } => write!(f, "name {elf} {name}"),
            Aside::Hint {} => f.write_str("hint"),
        }
    }
}

/// The text is not the notation of an aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsideParseError;

impl FromStr for Aside {
    type Err = AsideParseError;

    fn from_str(line: &str) -> Result<Self, AsideParseError> {
        let mut words = line.splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            (Some("hint"), None, None) => Ok(Aside::Hint {}),
            (Some("draft"), Some(column), Some(rows)) => {
                let rows = rows.split(',').filter(|_| rows != NO_ROWS).map(|row| row.parse().map(RowView));
                let rows = rows.collect::<Result<_, _>>().map_err(|_| AsideParseError)?;
                Ok(Aside::Draft { column: column.parse().map_err(|_| AsideParseError)?, rows })
            }
            (Some("name"), Some(elf), Some(name)) => {
                Ok(Aside::Name { elf: elf.parse().map_err(|()| AsideParseError)?, name: name.to_owned() })
            }
            _ => Err(AsideParseError),
        }
    }
}

/// Refuses invisible names. This is checked when the request is read and not in [`make`], because older games that
/// contain such names must still replay.
pub(super) fn check(aside: Aside) -> Result<Aside, Illegal> {
    match aside {
        Aside::Name { name, .. } if !has_visible(&name) => rule(bad_name()),
        Aside::Name { elf, name } => Ok(Aside::Name { elf, name: name.trim().to_owned() }),
        aside => Ok(aside),
    }
}

/// Applies an aside.
pub(super) fn make(state: &mut State, seat: Seat, aside: &Aside, events: &mut Vec<Event>) -> Result<(), Illegal> {
    in_play(state, seat)?;
    match aside {
        Aside::Draft { column, rows } => draft(state, seat, *column, rows.iter().map(|row| row.0).collect(), events),
        Aside::Name { elf, name } => name_elf(state, seat, *elf, name, events),
        Aside::Hint {} => hint(state, seat, events),
    }
}

fn draft(state: &mut State, seat: Seat, column: u8, rows: Vec<Row>, events: &mut Vec<Event>) -> Result<(), Illegal> {
    let length = sheets::row_length(state.day);
    let Some(today) = &mut state.today else { return rule(Message::new("santa_rescue-refusal-between")) };
    let Some(draft) = column.checked_sub(1).and_then(|nth| today.drafts.get_mut(usize::from(nth))) else {
        let columns = i64::try_from(DRAFTS).unwrap_or_default();
        return rule(Message::new("santa_rescue-refusal-no-such-draft").with("columns", columns));
    };
    if rows.len() > DRAFT_ROWS || rows.iter().any(|row| row.length() != length) {
        let most = i64::try_from(DRAFT_ROWS).unwrap_or_default();
        return rule(Message::new("santa_rescue-refusal-draft").with("most", most).with("length", length));
    }
    draft.clone_from(&rows);
    events.push(Event::Drafted { seat, column, rows });
    Ok(())
}

fn name_elf(state: &mut State, seat: Seat, elf: Elf, name: &str, events: &mut Vec<Event>) -> Result<(), Illegal> {
    // Only its holder may name an elf.
    if state.holder(elf) != seat {
        return rule(Message::new("santa_rescue-refusal-not-held").with("elf", elf.number()));
    }
    let odd = |c: char| {
        c.is_control() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}')
    };
    if name.trim() != name || !(1..=NAME_LENGTH).contains(&name.chars().count()) || name.contains(odd) {
        return rule(bad_name());
    }
    state.elves[elf.index()].name = Some(name.into());
    events.push(Event::Named { seat, elf, name: name.to_owned() });
    Ok(())
}

fn bad_name() -> Message {
    Message::new("santa_rescue-refusal-name").with("most", i64::try_from(NAME_LENGTH).unwrap_or_default())
}

/// Gives the next play of the first solution (lowest elf, power, target), or says that there is none. Reduces the reward
/// by one boot.
fn hint(state: &mut State, seat: Seat, events: &mut Vec<Event>) -> Result<(), Illegal> {
    if !state.hints {
        return rule(Message::new("santa_rescue-refusal-no-hints"));
    }
    let day = state.day;
    let Some(mut today) = state.today.clone() else { return rule(Message::new("santa_rescue-refusal-between")) };
    if today.hint.is_some() {
        return rule(Message::new("santa_rescue-refusal-hinted"));
    }
    let (row, goal) = (state.row(&today), state.campaign.puzzle(day).goal);
    let next = solver::next_of_winning_line(row, goal, &sheets::powers_on(day), today.unspent());
    let hint = next.map_or(Hint::Lost, Hint::Next);
    today.hint = Some(hint);
    today.hints = today.hints.saturating_add(1);
    events.push(Event::Hinted { seat, hint, reward: score::reward(day, today.hints) });
    state.today = Some(today);
    Ok(())
}

fn rule<T>(message: Message) -> Result<T, Illegal> {
    Err(Illegal::Rule(message))
}
