//! Monte Carlo bot for LOADING: looks one move ahead, and plays sampled games to their end by a cheap policy.
//!
//! It counts cards: a sample keeps the packets that the seat has looked into, and deals the cards it has never seen. In a
//! play-out any of the seats that the game waits for may be the faster one. The policy of the others is drawn for each
//! sample, because the same move can be good against careful players and bad against random ones, who stop early; what
//! lies on a pile tells which of them its owner is likely to be.
//!
//! Nudges are not simulated. The bot nudges only if it has received many packets in vain, or has no other move.

mod cards;
mod evaluation;
mod policy;
mod position;
#[cfg(test)]
mod tests;

use super::{Loading, Move, State, View, state::PacketLocation};
use crate::bots::{Knowledge, Level, Rating};
use crate::{Dice, Seat};
use cards::{DECK, Deck};
use evaluation::{Suspicion, WIN, evaluate, likelihood_ratio};
use policy::Noise;
use position::{Action, MOST_SEATS, NONE, Player, Position, Stage};

/// The effort is the number of play-outs. Reactions are what makes real time fair to people.
pub(super) const LEVELS: &[Level] = &[
    Level { effort: 60, halving: 155_000, blunder: 390_000, reaction: 1_200..=1_800 },
    Level { effort: 90, halving: 115_000, blunder: 290_000, reaction: 800..=1_200 },
    Level { effort: 120, halving: 78_000, blunder: 195_000, reaction: 530..=800 },
    Level { effort: 180, halving: 45_000, blunder: 115_000, reaction: 360..=540 },
    Level { effort: 600, halving: 0, blunder: 0, reaction: 240..=360 },
];

/// When every seat has received this many packets since anyone laid a card, passing on leads nowhere.
const STALE: u8 = 10;

/// Rates the moves by this many play-outs. CHARGE begins the game, so nothing is known yet; a nudge is worth nothing
/// unless nothing else moves the game.
pub(super) fn rate(knowledge: &Knowledge<'_, Loading>, moves: &[Move], effort: u32, dice: &mut Dice) -> Vec<Rating> {
    let (view, seat) = (knowledge.view(), knowledge.seat());
    let actions: Vec<_> = moves.iter().copied().filter_map(action).collect();
    let mut noise = Noise::new(u64::from(dice.below(u32::MAX)) << 32 | u64::from(dice.below(u32::MAX)));
    let values = if actions.is_empty() {
        Vec::new()
    } else {
        let mut sample = || Position::of(&knowledge.sample(dice));
        evaluate(&actions, seat.index(), effort, suspicion(&view, seat), &mut sample, &mut noise)
    };
    let own = view.seats[seat.index()].received;
    let is_in_vain = own >= STALE;
    let is_endless = view.seats.iter().all(|area| area.resigned || area.stop.is_some() || area.received >= STALE);
    let mut values = values.into_iter();
    let mut rating = |mv: &Move| match mv {
        Move::Charge {} => WIN / 2,
        Move::Nudge { .. } if is_in_vain => WIN,
        Move::Nudge { .. } => 0,
        Move::Give { .. } | Move::Swap { .. } if is_endless => values.next().map_or(0, |_| 0),
        _ => values.next().unwrap_or(0).max(1),
    };
    moves.iter().map(|mv| Rating::try_from(rating(mv)).expect("not more than a victory")).collect()
}

/// The action of a move in a play-out, if it has one.
fn action(mv: Move) -> Option<Action> {
    match mv {
        Move::Lay { card, pile } => Some(Action::Lay { card: card.number().into(), pile: pile.index() }),
        Move::Give { .. } | Move::Swap { .. } => Some(Action::Pass),
        Move::Stop { card, .. } => Some(Action::Stop(card as usize)),
        Move::StopCall {} => Some(Action::Call),
        Move::Charge {} | Move::Nudge { .. } => None,
    }
}

/// Which of the others probably play at random.
fn suspicion(view: &View, seat: Seat) -> Suspicion {
    let numbers = |area: &super::SeatView| area.pile.iter().map(|card| card.id.number().into()).collect::<Vec<u32>>();
    let piles: Vec<_> = view.seats.iter().map(numbers).collect();
    // With two players ten cards are set aside, so a packet holds about a fourth of all.
    let packets = view.packets.len() as u64 + u64::from(view.aside_size > 0);
    let mut ratios = [0; MOST_SEATS];
    for (index, area) in view.seats.iter().enumerate() {
        if index != seat.index() && !area.resigned {
            let others = piles.iter().enumerate().filter(|(other, _)| *other != index).flat_map(|(_, pile)| pile);
            let others = others.fold(0, |cards, card| cards | 1 << card);
            ratios[index] = likelihood_ratio(&piles[index], others, area.stop.is_some(), packets);
        }
    }
    Suspicion::new(ratios)
}

impl Position {
    fn of(state: &State) -> Self {
        let deck: &Deck = &DECK;
        let mut position = Self {
            seats: state.areas.len(),
            confirmed: state.options.confirmed,
            shout: state.options.stop_call == super::StopCall::Shout,
            idle: match state.options.idle_passes {
                0 => STALE.into(),
                passes => passes.min(STALE).into(),
            },
            packets: [0; _],
            live: 0,
            players: [Player::ABSENT; _],
            centre: NONE,
            stops: state.stops.iter().fold(0, |stops, stop| stops | 1 << *stop as u32),
            stage: match (state.ended, state.armed) {
                (Some(_), _) => Stage::Over,
                (None, Some(_)) => Stage::Armed,
                (None, None) => Stage::Running,
            },
        };
        for (player, area) in position.players.iter_mut().zip(&state.areas) {
            *player = Player {
                is_in: area.is_in(),
                resigned: area.resigned,
                laid: area.laid,
                packet: NONE,
                top: area.top().map_or(0, |card| card.number().into()),
                cards: u32::try_from(area.pile.len()).expect("few cards"),
                bars: super::score::bars(area).into(),
                best: area.pile.iter().map(|card| deck.bars[usize::from(card.number())]).max().unwrap_or(0),
                boosts: area.boosts.into(),
                stop: area.stop.map_or(NONE, |stop| stop as usize),
                received: area.received.into(),
            };
        }
        for (index, packet) in state.packets.iter().enumerate() {
            let cards = packet.cards.iter().fold(0, |cards, card| cards | 1 << card.number());
            position.packets[index] = cards;
            match packet.location {
                PacketLocation::Held(seat) => position.players[seat.index()].packet = index,
                PacketLocation::Centre => position.centre = index,
                PacketLocation::ThrownAway => continue,
            }
            position.live |= cards;
        }
        position
    }
}
