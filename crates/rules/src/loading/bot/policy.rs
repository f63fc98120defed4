//! Cheap policies for play-outs: each plays a seat by its packet and the piles alone.

use super::{
    cards::Deck,
    position::{Action, Cards, NONE, Player, Position, Stage, above},
};

/// Small random numbers for play-outs: xorshift64*, seeded from the dice.
#[derive(Clone, Copy)]
pub(super) struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        u32::try_from((high * u64::from(n)) >> 32).expect("a part of n")
    }
}

/// How a seat plays in a play-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Weighs bars against the cards that it skips.
    Careful,
    /// Any legal move.
    Random,
}

/// Values are in sixteenths of a bar.
pub(super) struct Weights {
    pub bar: i32,
    /// Cost of each card in play that is skipped.
    pub skipped: i32,
    /// Cost of leaving the next number in the packet while holding a BOOST card.
    pub exposed: i32,
    /// Value of taking a BOOST card.
    pub boost: i32,
    /// Worth of staying put: a lay must be worth more.
    pub least: i32,
    /// A seat stops when at most this many cards in play are left above its top card, for each packet.
    pub reach: u32,
    /// A seat stops when a packet has at most this many cards.
    pub thin: u32,
}

pub(super) const WEIGHTS: Weights = Weights { bar: 16, skipped: 1, exposed: 6, boost: 42, least: 0, reach: 0, thin: 0 };

impl Style {
    pub fn choose(self, position: &Position, seat: usize, weights: &Weights, deck: &Deck, noise: &mut Noise) -> Action {
        match self {
            Style::Careful => careful(position, seat, weights, deck),
            Style::Random => random(position, seat, deck, noise),
        }
    }
}

fn careful(position: &Position, seat: usize, weights: &Weights, deck: &Deck) -> Action {
    let player = &position.players[seat];
    if position.stage == Stage::Armed && position.lead(seat) >= 0 {
        return Action::Call;
    }
    let hand = position.hand(seat);
    // The last card of a packet ends the game.
    let ends = hand.is_power_of_two();
    if !player.laid
        && hand != 0
        && let Some(lay) = best_lay(position, seat, hand, weights, deck)
        && (!ends || wins_with(position, seat, lay, deck))
    {
        return lay;
    }
    if hand != 0 && player.cards > 0 && position.stops != 0 && stops(position, seat, weights, deck) {
        return Action::Stop(dearest(position.stops, deck));
    }
    Action::Pass
}

/// The lay with the highest value, if it is worth its cost.
fn best_lay(position: &Position, seat: usize, hand: Cards, weights: &Weights, deck: &Deck) -> Option<Action> {
    let player = &position.players[seat];
    let mut best = (weights.least, None);
    let mut own = hand & position.fitting(seat, true, deck);
    for _ in 0..3 {
        if own == 0 {
            break;
        }
        let card = own.trailing_zeros();
        own &= own - 1;
        let mut value = weights.bar * deck.bars[card as usize] - weights.skipped * skipped(position, player.top, card);
        if player.boosts > 0 && hand & 1 << (card + 1) != 0 {
            value -= weights.exposed;
        }
        if value > best.0 {
            best = (value, Some(Action::Lay { card, pile: seat }));
        }
    }
    for pile in 0..position.seats {
        let owner = &position.players[pile];
        if pile == seat || owner.top == 0 || owner.boosts == 0 || !owner.is_in {
            continue;
        }
        let next = hand & position.fitting(pile, false, deck);
        if next != 0 {
            let card = if position.confirmed { next.ilog2() } else { next.trailing_zeros() };
            let value = weights.boost - weights.bar / 2 * deck.bars[card as usize]
                + weights.skipped * skipped(position, owner.top, card) / 4;
            if value > best.0 {
                best = (value, Some(Action::Lay { card, pile }));
            }
        }
    }
    best.1
}

/// How many cards in play a pile would skip; negative if it falls.
pub(super) fn skipped(position: &Position, top: u32, card: u32) -> i32 {
    let (low, high, sign) = if top < card { (top, card, 1) } else { (card, top, -1) };
    let between = position.live & above(low) & !above(high - 1);
    sign * between.count_ones().cast_signed()
}

fn wins_with(position: &Position, seat: usize, action: Action, deck: &Deck) -> bool {
    let mut next = *position;
    next.play(seat, action, deck);
    next.stage != Stage::Running && next.lead(seat) >= 0
}

/// Whether to take the dearest STOP card.
fn stops(position: &Position, seat: usize, weights: &Weights, deck: &Deck) -> bool {
    let stop = dearest(position.stops, deck);
    let is_last = position.stops.is_power_of_two();
    if is_last {
        return wins_with(position, seat, Action::Stop(stop), deck);
    }
    let packets = (0..position.seats).filter(|other| position.waits_for(*other));
    let (mut number, mut thinnest) = (0, u32::MAX);
    for packet in packets {
        number += 1;
        thinnest = thinnest.min(position.hand(packet).count_ones());
    }
    let reach = (position.live & above(position.players[seat].top)).count_ones();
    reach <= weights.reach * number || thinnest <= weights.thin
}

pub(super) fn dearest(stops: u32, deck: &Deck) -> usize {
    let left = (0..deck.stops.len()).filter(|stop| stops & 1 << stop != 0);
    left.max_by_key(|stop| deck.stops[*stop]).unwrap_or(NONE)
}

fn random(position: &Position, seat: usize, deck: &Deck, noise: &mut Noise) -> Action {
    let player = &position.players[seat];
    let hand = position.hand(seat);
    let fitting = |pile: usize| if player.laid { 0 } else { hand & position.fitting(pile, pile == seat, deck) };
    let lays: u32 = (0..position.seats).map(|pile| fitting(pile).count_ones()).sum();
    let stops = if hand != 0 && player.cards > 0 { position.stops } else { 0 };
    let calls = u32::from(position.stage == Stage::Armed);
    let mut chosen = noise.below(lays + 1 + stops.count_ones() + calls);
    for pile in 0..position.seats {
        let cards = fitting(pile);
        match cards.count_ones() {
            skipped if chosen >= skipped => chosen -= skipped,
            _ => return Action::Lay { card: nth(cards, chosen), pile },
        }
    }
    match chosen {
        0 => Action::Pass,
        stop if stop <= stops.count_ones() => Action::Stop(nth(stops.into(), stop - 1) as usize),
        _ => Action::Call,
    }
}

/// The card of a set with `n` lower ones in it.
fn nth(mut cards: Cards, n: u32) -> u32 {
    for _ in 0..n {
        cards &= cards - 1;
    }
    cards.trailing_zeros()
}

/// Plays the game to its end, or until it has taken too long. Of the seats that the game waits for, any may be faster.
pub(super) fn play_out(position: &mut Position, styles: &[Style], weights: &Weights, deck: &Deck, noise: &mut Noise) {
    for _ in 0..MOST_ACTIONS {
        if position.stage == Stage::Over {
            return;
        }
        let waiting = position.players.iter().filter(|player| player.packet != NONE).count();
        let mut skip = noise.below(u32::try_from(waiting).expect("few seats"));
        let is_next = |player: &Player| {
            let is_next = player.packet != NONE && skip == 0;
            skip -= u32::from(player.packet != NONE && !is_next);
            is_next
        };
        let Some(seat) = position.players.iter().position(is_next) else { return };
        let action = styles[seat].choose(position, seat, weights, deck, noise);
        position.play(seat, action, deck);
    }
}

/// More actions than a play-out may take.
const MOST_ACTIONS: u32 = 600;
