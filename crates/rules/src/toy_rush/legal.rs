//! Which moves are legal, and by which rule another is not. Looks at nothing that the seat does not see itself.

use super::{
    moves::{Move, Picks},
    objectives::{Objective, Objectives},
    state::{Ask, Place, State},
    types::{Object, Objects, Space, counted},
};
use crate::{Illegal, Message, Seat};

/// A move found to be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Keep(Objectives),
    Place(Space, u8),
    Take(Objects),
    TakeElf,
    Ship(Objectives),
}

/// Every move of the seat, sorted.
pub(super) fn legal(state: &State, seat: Seat) -> Vec<Move> {
    let Ok((place, ask)) = awaited(state, seat) else { return Vec::new() };
    let mut moves = Vec::with_capacity(32); // about as many as four elves have placements
    match ask {
        Ask::Keep { cards } => {
            let mut picked = Vec::with_capacity(cards.into());
            subsets(place.drawn, &mut picked, &mut |picked| {
                if picked.len() == usize::from(cards) {
                    moves.push(Move::Keep { objectives: picked.iter().copied().collect::<Objectives>().into() });
                }
                picked.len() < usize::from(cards)
            });
        }
        Ask::Place => {
            for space in Space::ALL.into_iter().filter(|&space| state.is_open(space)) {
                let most = space.most().unwrap_or(place.stock).min(place.stock);
                moves.extend((1..=most).map(|elves| Move::Place { space, elves }));
            }
        }
        Ask::BoxOrElf => moves.extend([Move::Take { objects: Objects::of(Object::Box, 1) }, Move::TakeElf {}]),
        Ask::Take { from, cards } => {
            multisets(from, cards, state.piles(), Objects::NONE, &mut |objects| moves.push(Move::Take { objects }));
            moves.sort_unstable();
        }
        Ask::Ship => payable(place, &mut |objectives| moves.push(Move::Ship { objectives: objectives.into() })),
    }
    moves
}

/// Every set of objectives that the seat's objects pay for, none included.
pub(super) fn payable(place: &Place, found: &mut impl FnMut(Objectives)) {
    subsets(place.hand, &mut Vec::new(), &mut |picked| {
        let objectives: Objectives = picked.iter().copied().collect();
        let paid = place.objects.cover(objectives.needs());
        if paid {
            found(objectives);
        }
        paid
    });
}

/// Shows every subset in order, smaller numbers first; those that hold a refused one are left out.
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

/// Shows every way to take so many cards from those piles.
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

/// What the move would do, or the rule it breaks.
pub(super) fn judge(state: &State, seat: Seat, mv: &Move) -> Result<Choice, Illegal> {
    let (place, ask) = awaited(state, seat)?;
    match (ask, mv) {
        (Ask::Keep { cards }, Move::Keep { objectives }) => {
            let kept = named(objectives, place.drawn, "toy_rush-refusal-not-drawn")?;
            if kept.len() != cards {
                return rule(counted("toy_rush-refusal-keep-count", cards).with("named", kept.len()));
            }
            Ok(Choice::Keep(kept))
        }
        (Ask::Place, &Move::Place { space, elves }) => judge_placement(state, place, space, elves),
        (Ask::BoxOrElf, Move::TakeElf {}) => Ok(Choice::TakeElf),
        (Ask::BoxOrElf, Move::Take { objects }) => judge_taking(state, &[Object::Box], 1, *objects),
        (Ask::Take { from, cards }, Move::Take { objects }) => judge_taking(state, from, cards, *objects),
        (Ask::Take { .. }, Move::TakeElf {}) => rule(Message::new("toy_rush-refusal-no-elf-here")),
        (Ask::Ship, Move::Ship { objectives }) => {
            let shipped = named(objectives, place.hand, "toy_rush-refusal-not-in-hand")?;
            let needs = shipped.needs();
            match Object::ALL.into_iter().find(|&object| needs[object] > place.objects[object]) {
                None => Ok(Choice::Ship(shipped)),
                Some(lacking) => rule(
                    counted("toy_rush-refusal-unpaid", needs[lacking])
                        .with("object", lacking.name())
                        .with("held", place.objects[lacking]),
                ),
            }
        }
        (Ask::Keep { cards }, _) => rule(counted("toy_rush-refusal-keep-due", cards)),
        (Ask::Place, _) => rule(Message::new("toy_rush-refusal-place-due")),
        (Ask::BoxOrElf | Ask::Take { .. }, _) => rule(Message::new("toy_rush-refusal-take-due")),
        (Ask::Ship, _) => rule(Message::new("toy_rush-refusal-ship-due")),
    }
}

fn judge_placement(state: &State, place: &Place, space: Space, elves: u8) -> Result<Choice, Illegal> {
    if elves == 0 {
        return rule(Message::new("toy_rush-refusal-no-elves"));
    }
    if elves > place.stock {
        return rule(counted("toy_rush-refusal-stock", elves).with("stock", place.stock));
    }
    if !state.is_open(space) {
        return rule(Message::new("toy_rush-refusal-occupied").with("space", space.name()));
    }
    match space.most() {
        Some(most) if elves > most => {
            rule(counted("toy_rush-refusal-too-many-elves", elves).with("space", space.name()).with("most", most))
        }
        _ => Ok(Choice::Place(space, elves)),
    }
}

fn judge_taking(state: &State, from: &[Object], cards: u8, objects: Objects) -> Result<Choice, Illegal> {
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
    Ok(Choice::Take(objects))
}

/// What the seat is asked, if the table waits for it.
fn awaited(state: &State, seat: Seat) -> Result<(&Place, Ask), Illegal> {
    let refused = |key| Err(Illegal::NotYourTurn(Message::new(key)));
    let Some(place) = state.places.get(seat.index()) else { return refused("toy_rush-refusal-no-such-seat") };
    match state.asks(seat) {
        Some(ask) => Ok((place, ask)),
        None if state.ended.is_some() => refused("toy_rush-refusal-over"),
        None if place.sealed.is_some() => refused("toy_rush-refusal-chosen"),
        None => refused("toy_rush-refusal-not-your-turn"),
    }
}

/// The objectives as a set, if each is among those and none is named twice.
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
