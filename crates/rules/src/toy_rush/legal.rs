//! Legal moves, and the check that refuses all others. It uses only what the seat itself can see, so that a refusal
//! leaks nothing.

use super::{
    moves::{Move, Picks},
    objectives::{Objective, Objectives},
    state::{Area, Decision, State},
    types::{Object, Objects, Space, counted},
};
use crate::{Illegal, Message, Seat};

/// A move that passed [`judge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckedMove {
    Keep(Objectives),
    Place(Space, u8),
    Take(Objects),
    TakeElf,
    Ship(Objectives),
}

impl From<CheckedMove> for Move {
    fn from(choice: CheckedMove) -> Self {
        match choice {
            CheckedMove::Keep(objectives) => Move::Keep { objectives: objectives.into() },
            CheckedMove::Place(space, elves) => Move::Place { space, elves },
            CheckedMove::Take(objects) => Move::Take { objects },
            CheckedMove::TakeElf => Move::TakeElf {},
            CheckedMove::Ship(objectives) => Move::Ship { objectives: objectives.into() },
        }
    }
}

/// Every move of the seat, sorted.
pub(super) fn legal(state: &State, seat: Seat) -> Vec<Move> {
    let mut choices = Vec::with_capacity(32); // about as many as four elves have placements
    list(state, seat, &mut choices);
    choices.into_iter().map(Move::from).collect()
}

/// Replaces the contents of the list by every choice of the seat, in the order of [`legal`].
pub(super) fn list(state: &State, seat: Seat, choices: &mut Vec<CheckedMove>) {
    choices.clear();
    let Ok((area, ask)) = awaited(state, seat) else { return };
    match ask {
        Decision::Keep { cards } => {
            let mut picked = Vec::with_capacity(cards.into());
            subsets(area.drawn, &mut picked, &mut |picked| {
                if picked.len() == usize::from(cards) {
                    choices.push(CheckedMove::Keep(picked.iter().copied().collect()));
                }
                picked.len() < usize::from(cards)
            });
        }
        Decision::Place => {
            for space in Space::ALL.into_iter().filter(|&space| state.is_open(space)) {
                let most = space.most().unwrap_or(area.stock).min(area.stock);
                choices.extend((1..=most).map(|elves| CheckedMove::Place(space, elves)));
            }
        }
        Decision::BoxOrElf => choices.extend([CheckedMove::Take(Objects::of(Object::Box, 1)), CheckedMove::TakeElf]),
        Decision::Take { from, cards } => {
            // Smaller counts come first, pile by pile, so this is sorted.
            multisets(from, cards, state.piles(), Objects::NONE, &mut |objects| {
                choices.push(CheckedMove::Take(objects));
            });
        }
        Decision::Ship => payable(area, &mut |objectives| choices.push(CheckedMove::Ship(objectives))),
    }
}

/// Calls `found` with every set of objectives that the seat's objects pay for, the empty set included.
pub(super) fn payable(area: &Area, found: &mut impl FnMut(Objectives)) {
    subsets(area.hand, &mut Vec::new(), &mut |picked| {
        let objectives: Objectives = picked.iter().copied().collect();
        let paid = area.objects.cover(objectives.needs());
        if paid {
            found(objectives);
        }
        paid
    });
}

/// Calls `accept` with every subset in lexicographic order. If it returns false for a subset, supersets of it are
/// skipped.
fn subsets(from: Objectives, picked: &mut Vec<Objective>, accept: &mut impl FnMut(&[Objective]) -> bool) {
    if !accept(picked) {
        return;
    }
    let mut later = from;
    for card in from.iter() {
        later = later.without(card.into());
        picked.push(card);
        subsets(later, picked, accept);
        picked.pop();
    }
}

/// Calls `found` with every way to take this many cards from the piles.
fn multisets(from: &[Object], cards: u8, piles: Objects, taken: Objects, found: &mut impl FnMut(Objects)) {
    match from {
        [] if cards == 0 => found(taken),
        [] => {}
        [pile, rest @ ..] => {
            for count in 0..=cards.min(piles[*pile]) {
                multisets(rest, cards - count, piles, taken.with(Objects::of(*pile, count)), found);
            }
        }
    }
}

/// Checks a move against the rules.
pub(super) fn judge(state: &State, seat: Seat, mv: &Move) -> Result<CheckedMove, Illegal> {
    let (area, ask) = awaited(state, seat)?;
    match (ask, mv) {
        (Decision::Keep { cards }, Move::Keep { objectives }) => {
            let kept = named(objectives, area.drawn, "toy_rush-refusal-not-drawn")?;
            if kept.len() != cards {
                return rule(counted("toy_rush-refusal-keep-count", cards).with("named", kept.len()));
            }
            Ok(CheckedMove::Keep(kept))
        }
        (Decision::Place, &Move::Place { space, elves }) => judge_placement(state, area, space, elves),
        (Decision::BoxOrElf, Move::TakeElf {}) => Ok(CheckedMove::TakeElf),
        (Decision::BoxOrElf, Move::Take { objects }) => judge_taking(state, &[Object::Box], 1, *objects),
        (Decision::Take { from, cards }, Move::Take { objects }) => judge_taking(state, from, cards, *objects),
        (Decision::Take { .. }, Move::TakeElf {}) => rule(Message::new("toy_rush-refusal-no-elf-here")),
        (Decision::Ship, Move::Ship { objectives }) => {
            let shipped = named(objectives, area.hand, "toy_rush-refusal-not-in-hand")?;
            let needs = shipped.needs();
            match Object::ALL.into_iter().find(|&object| needs[object] > area.objects[object]) {
                None => Ok(CheckedMove::Ship(shipped)),
                Some(lacking) => rule(
                    counted("toy_rush-refusal-unpaid", needs[lacking])
                        .with("object", lacking.name())
                        .with("held", area.objects[lacking]),
                ),
            }
        }
        (Decision::Keep { cards }, _) => rule(counted("toy_rush-refusal-keep-due", cards)),
        (Decision::Place, _) => rule(Message::new("toy_rush-refusal-place-due")),
        (Decision::BoxOrElf | Decision::Take { .. }, _) => rule(Message::new("toy_rush-refusal-take-due")),
        (Decision::Ship, _) => rule(Message::new("toy_rush-refusal-ship-due")),
    }
}

fn judge_placement(state: &State, area: &Area, space: Space, elves: u8) -> Result<CheckedMove, Illegal> {
    if elves == 0 {
        return rule(Message::new("toy_rush-refusal-no-elves"));
    }
    if elves > area.stock {
        return rule(counted("toy_rush-refusal-stock", elves).with("stock", area.stock));
    }
    if !state.is_open(space) {
        return rule(Message::new("toy_rush-refusal-occupied").with("space", space.name()));
    }
    match space.most() {
        Some(most) if elves > most => {
            rule(counted("toy_rush-refusal-too-many-elves", elves).with("space", space.name()).with("most", most))
        }
        _ => Ok(CheckedMove::Place(space, elves)),
    }
}

fn judge_taking(state: &State, from: &[Object], cards: u8, objects: Objects) -> Result<CheckedMove, Illegal> {
    let piles = state.piles();
    for object in objects.iter() {
        if !from.contains(&object) {
            return rule(Message::new("toy_rush-refusal-not-given").with("object", object.name()));
        }
        if objects[object] > piles[object] {
            return rule(counted("toy_rush-refusal-pile", piles[object]).with("object", object.name()));
        }
    }
    if objects.total() != u16::from(cards) {
        let named = i64::from(objects.total());
        return rule(counted("toy_rush-refusal-take-count", cards).with("named", named));
    }
    Ok(CheckedMove::Take(objects))
}

/// The seat's area and the decision it has to make, if the game waits for that seat.
fn awaited(state: &State, seat: Seat) -> Result<(&Area, Decision), Illegal> {
    let refused = |key| Err(Illegal::NotYourTurn(Message::new(key)));
    let Some(area) = state.areas.get(seat.index()) else { return refused("toy_rush-refusal-no-such-seat") };
    match state.asks(seat) {
        Some(ask) => Ok((area, ask)),
        None if state.ended.is_some() => refused("toy_rush-refusal-over"),
        None if area.sealed.is_some() => refused("toy_rush-refusal-chosen"),
        None => refused("toy_rush-refusal-not-your-turn"),
    }
}

/// The objectives as a set, if each of them is in `among` and no objective is named twice.
fn named(picks: &Picks, among: Objectives, absent: &'static str) -> Result<Objectives, Illegal> {
    let mut set = Objectives::NONE;
    for &card in picks.as_slice() {
        if set.contains(card) {
            return rule(Message::new("toy_rush-refusal-named-twice").with("objective", card.name()));
        }
        if !among.contains(card) {
            return rule(Message::new(absent).with("objective", card.name()));
        }
        set = set.with(card.into());
    }
    Ok(set)
}

fn rule<T>(message: Message) -> Result<T, Illegal> {
    Err(Illegal::Rule(message))
}
