//! Evaluation of moves by play-outs, with sequential halving: every round drops the worse half of the moves.

use super::{
    cards::{DECK, Deck},
    policy::{Noise, Style, WEIGHTS, dearest, play_out, skipped},
    position::{Action, Cards, MOST_SEATS, Position, Stage},
};
use std::cmp::Reverse;

/// The value of a victory.
pub(super) const WIN: i64 = 1_000_000;

/// How much of a play-out's value depends on the lead in bars instead of victory alone. It tells moves apart that win
/// equally often, and damps chance.
const BY_LEAD: i64 = 150_000;
/// The lead in bars from which on more makes no difference.
const MOST_LEAD: i64 = 10;

/// The odds are in this unit.
const EVEN: u64 = 1 << 20;
/// The odds that all others play at random, before anyone has laid a card. Games against random players are over after
/// about ten moves, so a bot that has to learn it from their piles would learn it too late.
const ALL_RANDOM: u64 = EVEN / 4;
/// The odds that one seat does while others do not.
const ONE_RANDOM: u64 = EVEN / 64;

/// How likely it is that others play at random, in 256ths.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Suspicion {
    all: u32,
    each: [u32; MOST_SEATS],
}

impl Suspicion {
    /// Judges the seats by the likelihood ratios of what they have done; 0 for those that do not count.
    pub fn new(ratios: [u64; MOST_SEATS]) -> Self {
        let chance = |odds: u64| u32::try_from(256 * odds / (odds + EVEN)).expect("at most 256");
        let judged = ratios.iter().filter(|ratio| **ratio > 0);
        let all = judged.fold(ALL_RANDOM, |odds, ratio| (odds * ratio / EVEN).clamp(EVEN >> 10, EVEN << 10));
        Self { all: chance(all), each: ratios.map(|ratio| chance(ONE_RANDOM * ratio / EVEN)) }
    }

    fn draw(&self, seat: usize, noise: &mut Noise) -> [Style; MOST_SEATS] {
        let all = noise.below(256) < self.all;
        let mut styles = self.each.map(|chance| {
            let random = all || noise.below(256) < chance;
            if random { Style::Random } else { Style::Careful }
        });
        styles[seat] = Style::Careful;
        styles
    }
}

/// How much likelier a pile is if its owner plays at random. Careful players lay low cards of the packet, and stop late;
/// by chance, every card above the top is equally likely. `others` are the cards on other piles.
pub(super) fn likelihood_ratio(pile: &[u32], others: Cards, has_stopped: bool, packets: u64) -> u64 {
    let mut ratio = EVEN;
    let mut top = 0;
    for &card in pile {
        if card > top {
            let free = |from: u32, to: u32| (from + 1..to).filter(|number| others & 1 << number == 0).count();
            let choices = free(top, 66).max(1) as u64;
            ratio = (ratio * packets / choices).max(1);
            for _ in 0..free(top, card) {
                ratio = (ratio * packets / (packets - 1)).min(EVEN << 10);
            }
            // A random player would probably have stopped meanwhile.
            ratio = (ratio * 2 / 3).clamp(EVEN >> 8, EVEN << 8);
        }
        top = card;
    }
    match (has_stopped, pile.len()) {
        (true, ..=4) => ratio * 32,
        (true, ..=8) => ratio * 4,
        _ => ratio,
    }
}

/// How many cards for the own pile are tried.
const MOST_OWN_LAYS: usize = 6;
/// About how many cards in play a pile may skip for one bar, in long games and in those that random players end early.
const BAR_IN_CARDS: [i32; 2] = [2, 20];

struct Candidate {
    index: usize,
    action: Action,
    sum: i64,
    count: i64,
}

impl Candidate {
    fn mean(&self) -> i64 {
        self.sum / self.count.max(1)
    }
}

/// The actions that are worth play-outs; others are rated 0: of the cards for the own pile the most promising, and of the STOP cards the
/// dearest. A dozen more would leave each with too few play-outs to tell them apart.
fn candidates(
    actions: &[Action],
    position: &Position,
    seat: usize,
    suspicion: Suspicion,
    deck: &Deck,
) -> Vec<Candidate> {
    let [long, short] = BAR_IN_CARDS;
    let bar = long + (short - long) * suspicion.all.cast_signed() / 256;
    let top = position.players[seat].top;
    let promise = |action: &Action| match *action {
        Action::Lay { card, pile } if pile == seat => deck.bars[card as usize] * bar - skipped(position, top, card),
        _ => i32::MAX,
    };
    let is_dearest = |action: &Action| match *action {
        Action::Stop(stop) => stop == dearest(position.stops, deck),
        _ => true,
    };
    let mut all: Vec<_> = actions.iter().enumerate().filter(|(_, action)| is_dearest(action)).collect();
    all.sort_by_key(|(index, action)| (Reverse(promise(action)), *index));
    let others = all.iter().filter(|(_, action)| promise(action) == i32::MAX).count();
    all.truncate(others + MOST_OWN_LAYS);
    all.into_iter().map(|(index, &action)| Candidate { index, action, sum: 0, count: 0 }).collect()
}

/// Estimates the value of each action to the seat, with about `effort` play-outs.
pub(super) fn evaluate(
    actions: &[Action],
    seat: usize,
    effort: u32,
    suspicion: Suspicion,
    sample: &mut dyn FnMut() -> Position,
    noise: &mut Noise,
) -> Vec<i64> {
    let deck: &Deck = &DECK;
    let mut ratings = vec![0; actions.len()];
    let mut left = candidates(actions, &sample(), seat, suspicion, deck);
    let rounds = left.len().next_power_of_two().ilog2().max(1);
    for round in 0..rounds {
        let turns = (effort as usize / (rounds as usize * left.len())).max(1);
        for _ in 0..turns {
            let position = sample();
            let styles = suspicion.draw(seat, noise);
            // All moves meet the same chance.
            let luck = Noise::new(u64::from(noise.below(u32::MAX)) << 20);
            for candidate in &mut left {
                let (mut next, mut luck) = (position, luck);
                next.play(seat, candidate.action, deck);
                play_out(&mut next, &styles, &WEIGHTS, deck, &mut luck);
                candidate.sum += value(&next, seat);
                candidate.count += 1;
            }
        }
        left.sort_by_key(|candidate| (-candidate.mean(), candidate.index));
        if round + 1 < rounds {
            let half = left.len().div_ceil(2);
            for dropped in left.drain(half..) {
                ratings[dropped.index] = dropped.mean();
            }
        }
    }
    let best = left[0].mean();
    // A dropped move was worse than those kept, whatever a lucky start says.
    for rating in &mut ratings {
        *rating = (*rating).min(best - 1).max(0);
    }
    for candidate in &left {
        ratings[candidate.index] = candidate.mean();
    }
    ratings
}

/// What the end of a play-out is worth to the seat.
fn value(position: &Position, seat: usize) -> i64 {
    if position.stage != Stage::Over {
        return 0;
    }
    let share = match position.sharing(seat) {
        0 => 0,
        sharing => WIN / i64::from(sharing),
    };
    let lead = i64::from(position.lead(seat)).clamp(-MOST_LEAD * 128, MOST_LEAD * 128);
    share * (WIN - BY_LEAD) / WIN + BY_LEAD * (lead + MOST_LEAD * 128) / (2 * MOST_LEAD * 128)
}
