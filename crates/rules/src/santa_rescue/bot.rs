//! Bot for À la rescousse du Père Noël: a partner that never makes a day lost that the team can still win.
//!
//! It plays by exhaustive search: after each of its plays it counts the solutions that are left to the whole team, with
//! any order of the elves, whichever seat holds them. Of the plays that keep the day winnable it prefers those that
//! leave the most solutions, so that its partners are free to choose.
//!
//! Often the next play of every solution belongs to another seat. The bot then rates no move, which means that it waits.

use super::sheets;
use super::solver::{Powers, SolutionCounter};
use super::types::Elves;
use super::{Move, Row, SantaRescue, TodayView, View};
use crate::bots::{Knowledge, Level, Rating, search::WIN};
use crate::{Seat, Turn};

/// There is one level, because a partner who errs on purpose is no fun. The search has no budget: it ends after four
/// plays. The reaction leaves the other players time to play first.
pub(super) const LEVELS: &[Level] = &[Level { effort: 1, halving: 0, blunder: 0, reaction: 1_000..=2_000 }];

/// The least rating of a play that keeps the day winnable. The others differ by the number of solutions they leave.
const KEEPS: Rating = 900_000;
/// The rating of what to do on a lost day: every move loses it, but this one saves time.
const ENDS: Rating = 1;
const LOSES: Rating = 0;

/// The value of each move: an estimate of the chance to win the day. None at all if it is better to wait for others.
pub(super) fn rate(knowledge: &Knowledge<'_, SantaRescue>, moves: &[Move]) -> Vec<Rating> {
    let view = knowledge.view();
    let Some(today) = &view.today else { return vec![WIN; moves.len()] }; // only `open` is left
    let mut position = Position::new(&view, today);
    let solutions: Vec<_> = moves.iter().map(|mv| position.solutions_after(*mv)).collect();
    let most = solutions.iter().flatten().copied().max().unwrap_or(0);
    if most > 0 {
        let rate = |solutions: Option<u64>| match solutions {
            Some(solutions) if solutions > 0 => KEEPS + share_of(solutions, most),
            _ => LOSES,
        };
        return solutions.into_iter().map(rate).collect();
    }
    if position.is_winnable() {
        return Vec::new();
    }
    let can_be_given_up = can_be_given_up(&view, &knowledge.turn(), knowledge.seat());
    if can_be_given_up && moves.contains(&Move::Withdraw {}) {
        return Vec::new();
    }
    let ends = |mv: &Move| if can_be_given_up { matches!(mv, Move::Wish {}) } else { matches!(mv, Move::Play { .. }) };
    moves.iter().map(|mv| if ends(mv) { ENDS } else { LOSES }).collect()
}

/// Whether each of the other seats wishes to give up or is to move, so that giving up is a matter of a few moves. A seat
/// that is not waited for may not answer.
fn can_be_given_up(view: &View, turn: &Turn, seat: Seat) -> bool {
    let mut others = view.seats.iter().filter(|other| other.seat != seat && !other.resigned);
    others.all(|other| other.wishes_to_give_up || turn.waits_for(other.seat))
}

/// The solutions that a play leaves, in proportion to the most that any does.
fn share_of(solutions: u64, most: u64) -> Rating {
    let part = u64::from((WIN - KEEPS).unsigned_abs()) * solutions / most;
    Rating::try_from(part).expect("a part is not more than the whole")
}

/// The open day.
struct Position {
    row: Row,
    unspent: Elves,
    powers: Powers,
    counter: SolutionCounter,
}

impl Position {
    fn new(view: &View, today: &TodayView) -> Self {
        let powers = sheets::powers_on(view.day);
        let unspent = view.elves.iter().filter(|elf| !elf.spent).map(|elf| elf.elf);
        Self {
            row: today.row.0,
            unspent: unspent.fold(Elves::default(), Elves::with),
            powers,
            counter: SolutionCounter::new(today.sheet.goal.0, powers),
        }
    }

    fn is_winnable(&mut self) -> bool {
        self.counter.count(self.row, self.unspent) > 0
    }

    /// The number of solutions that a play leaves; `None` for other moves.
    fn solutions_after(&mut self, mv: Move) -> Option<u64> {
        let Move::Play { elf, power, target } = mv else { return None };
        let power = self.powers[elf.index()][power as usize].expect("a legal play is of an unlocked power");
        let row = power.apply(self.row, target).expect("a legal play is playable");
        Some(self.counter.count(row, self.unspent.without(elf)))
    }
}
