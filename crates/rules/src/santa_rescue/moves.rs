//! Moves of À la rescousse du Père Noël: their notation (`elf 3 power 1 at 4`, `elf 1 power 2`, `wish`, `withdraw`,
//! `open`), the list of legal moves, and the check that refuses all others.

use super::row::{Row, RowView};
use super::sheets;
use super::solver::Play;
use super::state::{OpenDay, State};
use super::types::{Elf, PowerSlot};
use crate::{Illegal, Instant, Message, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A move: play a power, wish to give up, or open the next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SantaRescueMove")]
pub enum Move {
    /// Play a power of an elf that you hold.
    Play {
        /// The number of the elf, from 1 to 4.
        elf: Elf,
        /// Which of its powers: 1, or 2 once it is unlocked.
        power: PowerSlot,
        /// The place to aim at, counted from 0 at the left. For a swap of neighbours, the left one. Null for a power
        /// without a target.
        target: Option<u8>,
    },
    /// Wish to give the day up. The day is lost once every player wishes to.
    Wish {},
    /// Withdraw your wish to give the day up.
    Withdraw {},
    /// Open the sheet of the next day, once it is due.
    Open {},
}

/// The effect of a legal move.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SantaRescueEffect")]
pub struct Effect {
    /// The row that the power would lead to.
    pub row: RowView,
}

/// A move that passed [`judge`].
pub(super) enum CheckedMove {
    Play(Play, Row),
    Wish,
    Withdraw,
    Open,
}

impl From<Play> for Move {
    fn from(Play { elf, slot, target }: Play) -> Self {
        Move::Play { elf, power: slot, target }
    }
}

impl Move {
    /// A sentence that describes the move.
    pub fn label(self) -> Message {
        match self {
            Move::Play { elf, power, target } => {
                let power = sheets::card(elf).powers[power as usize].label();
                match target {
                    // Sentences count places from 1.
                    Some(place) => Message::new("santa_rescue-move-play-at").with("place", i64::from(place) + 1),
                    None => Message::new("santa_rescue-move-play"),
                }
                .with("elf", elf.number())
                .with("power", power)
            }
            Move::Wish {} => Message::new("santa_rescue-move-wish"),
            Move::Withdraw {} => Message::new("santa_rescue-move-withdraw"),
            Move::Open {} => Message::new("santa_rescue-move-open"),
        }
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "elf {} power {}", self.elf, self.slot.number())?;
        self.target.map_or(Ok(()), |place| write!(f, " at {place}"))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Play { elf, power, target } => Play { elf, slot: power, target }.fmt(f),
            Move::Wish {} => f.write_str("wish"),
            Move::Withdraw {} => f.write_str("withdraw"),
            Move::Open {} => f.write_str("open"),
        }
    }
}

/// The text is not the notation of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a move is written `elf 3 power 1 at 4`, `elf 1 power 2`, `wish`, `withdraw` or `open`")]
pub struct MoveParseError;

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(notation: &str) -> Result<Self, MoveParseError> {
        let words: Vec<_> = notation.split(' ').collect();
        let slot = |number: &str| PowerSlot::ALL.into_iter().find(|slot| slot.number().to_string() == number);
        let play = |elf: &str, power: &str, target: Option<u8>| {
            Some(Move::Play { elf: elf.parse().ok()?, power: slot(power)?, target })
        };
        let read = match words[..] {
            ["elf", elf, "power", power] => play(elf, power, None),
            ["elf", elf, "power", power, "at", place] => match place.parse::<u8>() {
                Ok(number) if number.to_string() == place => play(elf, power, Some(number)),
                _ => None,
            },
            ["wish"] => Some(Move::Wish {}),
            ["withdraw"] => Some(Move::Withdraw {}),
            ["open"] => Some(Move::Open {}),
            _ => None,
        };
        read.ok_or(MoveParseError)
    }
}

/// Every legal move of the seat, sorted.
pub(super) fn legal(state: &State, seat: Seat, now: Instant) -> Vec<Move> {
    if in_play(state, seat).is_err() {
        return Vec::new();
    }
    let Some(today) = &state.today else {
        return if state.is_due(now) { vec![Move::Open {}] } else { Vec::new() };
    };
    let mut moves: Vec<_> =
        state.ways(today, |holder| holder == seat).into_iter().map(|(play, _)| play.into()).collect();
    moves.push(if today.wishes.contains(&seat) { Move::Withdraw {} } else { Move::Wish {} });
    moves
}

/// Checks a move against the rules.
pub(super) fn judge(state: &State, seat: Seat, mv: Move, now: Instant) -> Result<CheckedMove, Illegal> {
    in_play(state, seat)?;
    let Some(today) = &state.today else {
        return match (mv, state.opens_at()) {
            (Move::Open {}, _) if state.is_due(now) => Ok(CheckedMove::Open),
            (_, Some(opens)) if opens > now => Err(closed(state.day, opens)),
            _ => rule("santa_rescue-refusal-between"),
        };
    };
    let wishes = today.wishes.contains(&seat);
    match mv {
        Move::Play { elf, power, target } => judge_play(state, today, seat, Play { elf, slot: power, target }),
        Move::Wish {} if wishes => rule("santa_rescue-refusal-wished"),
        Move::Wish {} => Ok(CheckedMove::Wish),
        Move::Withdraw {} if !wishes => rule("santa_rescue-refusal-not-wished"),
        Move::Withdraw {} => Ok(CheckedMove::Withdraw),
        Move::Open {} => rule("santa_rescue-refusal-open"),
    }
}

fn judge_play(state: &State, today: &OpenDay, seat: Seat, play: Play) -> Result<CheckedMove, Illegal> {
    let refused = |key| Err(Illegal::Rule(Message::new(key).with("elf", play.elf.number())));
    if state.holder(play.elf) != seat {
        return refused("santa_rescue-refusal-not-held");
    }
    // Each elf plays one power per day.
    if !today.unspent().has(play.elf) {
        return refused("santa_rescue-refusal-spent");
    }
    let Some(power) = sheets::powers_of(play.elf, state.day)[play.slot as usize] else {
        return refused("santa_rescue-refusal-locked");
    };
    match power.apply(state.row(today), play.target) {
        Ok(row) => Ok(CheckedMove::Play(play, row)),
        Err(why) => Err(Illegal::Rule(Message::new(why.key()).with("power", power.label()))),
    }
}

/// Refuses seats that may not act at all.
pub(super) fn in_play(state: &State, seat: Seat) -> Result<(), Illegal> {
    let refused = |key| Err(Illegal::NotYourTurn(Message::new(key)));
    match state.resigned.get(seat.index()) {
        _ if state.is_over() => refused("santa_rescue-refusal-over"),
        None => refused("santa_rescue-refusal-no-such-seat"),
        Some(true) => refused("santa_rescue-refusal-resigned"),
        Some(false) => Ok(()),
    }
}

/// The refusal to open a day that is not due yet.
pub(super) fn closed(day: u8, opens: Instant) -> Illegal {
    Illegal::Rule(Message::new("santa_rescue-refusal-closed").with("day", day).with("when", opens.to_string()))
}

fn rule<T>(key: &'static str) -> Result<T, Illegal> {
    Err(Illegal::Rule(Message::new(key)))
}
