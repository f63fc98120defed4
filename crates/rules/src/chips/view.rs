//! What one pair of eyes may see of the table, and its counterpart: every table that would look the same to them.

use super::{
    cards::Cards,
    moves::Bet,
    score::Tally,
    state::{Past, PastPlace, Place, State, Step, boards},
    types::{Card, Counts, Flavour},
};
use crate::{Dice, Eyes, Seat};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// The table as one pair of eyes sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsView")]
pub struct View {
    /// The round being played, or the last one, counted from 1.
    pub round: u32,
    /// Where the round stands: what everybody is choosing, or that it has been scored.
    pub round_step: Step,
    /// The seat that deals; it only matters for display.
    pub dealer: Seat,
    /// Tokens that end the game.
    pub target_tokens: u32,
    /// The chips of this round, board by board, in the order they were drawn.
    pub boards: Vec<Vec<Flavour>>,
    /// Where the chips of each flavour are.
    pub chips: Vec<ChipsLeft>,
    /// Every seat, in order.
    pub seats: Vec<SeatView>,
    /// The rounds that were scored, oldest first.
    pub history: Vec<RoundView>,
}

/// Where the chips of a flavour are.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChipsLeft {
    /// The flavour.
    pub flavour: Flavour,
    /// How many are on the boards.
    pub out: u8,
    /// How many are left in the bag.
    pub left: u8,
}

/// What lies before a seat in this round.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsSeat")]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// Tokens won so far.
    pub tokens: u32,
    /// Whether the seat has given up.
    pub resigned: bool,
    /// Whether the seat has chosen in this step.
    pub chosen: bool,
    /// How many cards the seat has in hand.
    pub hand_size: u32,
    /// The cards in hand, for their owner only.
    pub hand: Option<Cards>,
    /// The cards thrown away in this round, for their owner only.
    pub discards: Option<Cards>,
    /// The bet: for its owner as soon as it is sent, for all once it lies face up.
    pub bet: Option<Bet>,
}

/// A round that was scored.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsRound")]
pub struct RoundView {
    /// Counted from 1.
    pub round: u32,
    /// The seat that dealt.
    pub dealer: Seat,
    /// All 14 chips, board by board.
    pub boards: Vec<Vec<Flavour>>,
    /// Every seat, in order.
    pub seats: Vec<RoundSeatView>,
}

/// What a seat did in a past round.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsRoundSeat")]
pub struct RoundSeatView {
    /// The seat.
    pub seat: Seat,
    /// What it bet, unless it had given up.
    pub bet: Option<Bet>,
    /// What that brought, unless it had given up.
    pub tally: Option<Tally>,
    /// The cards it threw away, for their owner only.
    pub discards: Option<Cards>,
}

pub(super) fn view(state: &State, eyes: Eyes) -> View {
    let (out, left) = (Counts::of(&state.chips), state.bag());
    View {
        round: state.round,
        round_step: state.step,
        dealer: state.dealer,
        target_tokens: state.target,
        boards: view_boards(&state.chips),
        chips: Flavour::ALL.map(|flavour| ChipsLeft { flavour, out: out[flavour], left: left[flavour] }).into(),
        seats: numbered(&state.places).map(|(seat, place)| view_seat(seat, place, state.step, eyes)).collect(),
        history: (1..).zip(state.past.iter()).map(|(round, past)| view_round(round, past, eyes)).collect(),
    }
}

fn view_seat(seat: Seat, place: &Place, step: Step, eyes: Eyes) -> SeatView {
    let own = eyes.see(seat);
    SeatView {
        seat,
        tokens: place.tokens,
        resigned: place.resigned,
        chosen: !place.resigned && place.has_chosen(step),
        hand_size: place.hand.len(),
        hand: own.then_some(place.hand),
        discards: own.then_some(place.discards),
        bet: if own || step == Step::Scored { place.bet } else { None },
    }
}

fn view_round(round: u32, past: &Past, eyes: Eyes) -> RoundView {
    let view_place = |(seat, place): (Seat, &PastPlace)| RoundSeatView {
        seat,
        bet: place.bet,
        tally: place.tally.clone(),
        discards: eyes.see(seat).then_some(place.discards),
    };
    RoundView {
        round,
        dealer: past.dealer,
        boards: view_boards(&past.chips),
        seats: numbered(&past.places).map(view_place).collect(),
    }
}

fn view_boards(chips: &[Flavour]) -> Vec<Vec<Flavour>> {
    boards(chips).map(<[_]>::to_vec).collect()
}

fn numbered<T>(items: &[T]) -> impl Iterator<Item = (Seat, &T)> {
    (0..).map(Seat).zip(items)
}

/// Deals again, from all cards these eyes have not seen, whatever lies face down before other seats: now and in every
/// past round. Chips need nothing: they are drawn when they are due, so none is hidden in the state.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    let face_up = state.step == Step::Scored;
    let seen = numbered(&state.places).fold(Cards::NONE, |seen, (seat, place)| {
        let bet = place.bet.filter(|_| face_up).map_or(Cards::NONE, Bet::cards);
        seen.with(if eyes.see(seat) { place.cards() } else { bet })
    });
    let mut unseen = Cards::ALL.without(seen).shuffled(dice).into_iter();
    for (seat, place) in (0..).map(Seat).zip(&mut state.places) {
        if !eyes.see(seat) {
            place.hand = take(&mut unseen, place.hand);
            place.discards = take(&mut unseen, place.discards);
            if !face_up && place.bet.is_some() {
                let mut card = || unseen.next().expect("as many as before");
                place.bet = Some(Bet::new([card(), card()], card()));
            }
        }
    }
    for past in Arc::make_mut(&mut state.past).iter_mut().map(Arc::make_mut) {
        let seen = numbered(&past.places).fold(Cards::NONE, |seen, (seat, place)| {
            let own = if eyes.see(seat) { place.discards } else { Cards::NONE };
            seen.with(own).with(place.bet.map_or(Cards::NONE, Bet::cards))
        });
        let mut unseen = Cards::ALL.without(seen).shuffled(dice).into_iter();
        for (seat, place) in (0..).map(Seat).zip(&mut past.places) {
            if !eyes.see(seat) {
                place.discards = take(&mut unseen, place.discards);
            }
        }
    }
    state
}

/// As many cards as there were.
fn take(unseen: &mut impl Iterator<Item = Card>, before: Cards) -> Cards {
    unseen.take(before.len() as usize).collect()
}
