//! Views of Chips: what a viewer may see of a state, and resampling, which redraws everything the viewer can't know.

use super::{
    cards::Cards,
    moves::Bet,
    score::Tally,
    state::{Area, PastRound, PastRoundSeat, Phase, State, boards},
    types::{Card, Counts, Flavour},
};
use crate::{Dice, Eyes, Seat};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// A game of Chips as one viewer sees it.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsView")]
pub struct View {
    /// The current round, or the last one if the game is over; counted from 1.
    pub round: u32,
    /// The step of the round: what the seats are choosing, or `SCORED` if the game is over.
    pub round_step: Phase,
    /// The dealer of the round. It has no effect on play.
    pub dealer: Seat,
    /// The number of tokens that ends the game.
    pub target_tokens: u32,
    /// The chips drawn in this round, board by board, in the order they were drawn.
    pub boards: Vec<Vec<Flavour>>,
    /// For each flavour, how many chips are drawn and how many are left in the bag.
    pub chips: Vec<ChipsLeft>,
    /// Every seat, in seat order.
    pub seats: Vec<SeatView>,
    /// Scored rounds, oldest first.
    pub history: Vec<RoundView>,
}

/// The chips of one flavour: how many are on the boards, and how many are left in the bag.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChipsLeft {
    /// The flavour of these chips.
    pub flavour: Flavour,
    /// The number of chips on the boards.
    pub out: u8,
    /// The number of chips left in the bag.
    pub left: u8,
}

/// The cards and tokens of one seat.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsSeat")]
pub struct SeatView {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// The number of tokens held.
    pub tokens: u32,
    /// Whether the seat has resigned.
    pub resigned: bool,
    /// Whether the seat has already chosen in this step.
    pub chosen: bool,
    /// The number of cards in hand.
    pub hand_size: u32,
    /// The cards in hand; null for everyone but their owner.
    pub hand: Option<Cards>,
    /// The cards discarded in this round; null for everyone but their owner.
    pub discards: Option<Cards>,
    /// The bet. Its owner sees it at once, all others once bets are revealed; null until then.
    pub bet: Option<Bet>,
}

/// A scored round.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsRound")]
pub struct RoundView {
    /// The number of the round, counted from 1.
    pub round: u32,
    /// The seat that dealt.
    pub dealer: Seat,
    /// All 14 chips, board by board.
    pub boards: Vec<Vec<Flavour>>,
    /// Every seat, in seat order.
    pub seats: Vec<RoundSeatView>,
}

/// What one seat did in a scored round.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChipsRoundSeat")]
pub struct RoundSeatView {
    /// The seat's number, counted from 0.
    pub seat: Seat,
    /// Its bet; null if it had resigned.
    pub bet: Option<Bet>,
    /// Its result; null if it had resigned.
    pub tally: Option<Tally>,
    /// The cards it discarded; null for everyone but their owner.
    pub discards: Option<Cards>,
}

impl View {
    /// The chips that are out.
    pub(super) fn out(&self) -> Counts {
        self.boards.iter().map(|board| Counts::of(board)).fold(Counts::of(&[]), Counts::with)
    }
}

pub(super) fn view(state: &State, eyes: Eyes) -> View {
    let (out, left) = (Counts::of(&state.chips), state.bag());
    View {
        round: state.round,
        round_step: state.phase,
        dealer: state.dealer,
        target_tokens: state.target,
        boards: view_boards(&state.chips),
        chips: Flavour::ALL.map(|flavour| ChipsLeft { flavour, out: out[flavour], left: left[flavour] }).into(),
        seats: numbered(&state.areas).map(|(seat, area)| view_seat(seat, area, state.phase, eyes)).collect(),
        history: (1..).zip(state.past.iter()).map(|(round, past)| view_round(round, past, eyes)).collect(),
    }
}

fn view_seat(seat: Seat, area: &Area, phase: Phase, eyes: Eyes) -> SeatView {
    let own = eyes.see(seat);
    SeatView {
        seat,
        tokens: area.tokens,
        resigned: area.resigned,
        chosen: !area.resigned && area.has_chosen(phase),
        hand_size: area.hand.len(),
        hand: own.then_some(area.hand),
        discards: own.then_some(area.discards),
        bet: if own || phase == Phase::Scored { area.bet } else { None },
    }
}

fn view_round(round: u32, past: &PastRound, eyes: Eyes) -> RoundView {
    let view_seat_round = |(seat, area): (Seat, &PastRoundSeat)| RoundSeatView {
        seat,
        bet: area.bet,
        tally: area.tally.clone(),
        discards: eyes.see(seat).then_some(area.discards),
    };
    RoundView {
        round,
        dealer: past.dealer,
        boards: view_boards(&past.chips),
        seats: numbered(&past.areas).map(view_seat_round).collect(),
    }
}

fn view_boards(chips: &[Flavour]) -> Vec<Vec<Flavour>> {
    boards(chips).map(<[_]>::to_vec).collect()
}

fn numbered<T>(items: &[T]) -> impl Iterator<Item = (Seat, &T)> {
    (0..).map(Seat).zip(items)
}

/// Deals the face-down cards of other seats again, in this and in every past round, from all cards the viewer has not
/// seen. Chips need no resampling: they are drawn on demand, so the state holds no hidden ones.
pub(super) fn resample(state: &State, eyes: Eyes, dice: &mut Dice) -> State {
    let mut state = state.clone();
    let face_up = state.phase == Phase::Scored;
    let seen = numbered(&state.areas).fold(Cards::NONE, |seen, (seat, area)| {
        let bet = area.bet.filter(|_| face_up).map_or(Cards::NONE, Bet::cards);
        seen.with(if eyes.see(seat) { area.cards() } else { bet })
    });
    let mut unseen = Cards::ALL.without(seen).shuffled(dice).into_iter();
    for (seat, area) in (0..).map(Seat).zip(&mut state.areas) {
        if !eyes.see(seat) {
            area.hand = take(&mut unseen, area.hand);
            area.discards = take(&mut unseen, area.discards);
            if !face_up && area.bet.is_some() {
                let mut card = || unseen.next().expect("as many as before");
                area.bet = Some(Bet::new([card(), card()], card()));
            }
        }
    }
    for past in Arc::make_mut(&mut state.past).iter_mut().map(Arc::make_mut) {
        let seen = numbered(&past.areas).fold(Cards::NONE, |seen, (seat, area)| {
            let own = if eyes.see(seat) { area.discards } else { Cards::NONE };
            seen.with(own).with(area.bet.map_or(Cards::NONE, Bet::cards))
        });
        let mut unseen = Cards::ALL.without(seen).shuffled(dice).into_iter();
        for (seat, area) in (0..).map(Seat).zip(&mut past.areas) {
            if !eyes.see(seat) {
                area.discards = take(&mut unseen, area.discards);
            }
        }
    }
    state
}

/// Takes as many unseen cards as `before` had.
fn take(unseen: &mut impl Iterator<Item = Card>, before: Cards) -> Cards {
    unseen.take(before.len() as usize).collect()
}
