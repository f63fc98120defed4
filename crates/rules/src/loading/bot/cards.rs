//! Tables of the cards' values, for fast access in play-outs.

use super::super::{
    score::TOO_FEW,
    types::{Card, Colour, Stop, boost_bars},
};
use super::position::Cards;
use std::sync::LazyLock;

/// One more than the highest number on a card.
pub(super) const CARDS: u32 = 66;

pub(super) struct Deck {
    pub bars: [i32; CARDS as usize],
    /// All cards of a card's colour; none for white ones.
    pub same_colour: [Cards; CARDS as usize],
    pub stops: [i32; 5],
    pub boost: i32,
    /// With two players, a STOP card taken with at most this many cards in the pile costs one of them.
    pub too_few: u32,
}

pub(super) static DECK: LazyLock<Deck> = LazyLock::new(|| {
    let mut deck = Deck {
        bars: [0; CARDS as usize],
        same_colour: [0; CARDS as usize],
        stops: Stop::ALL.map(|stop| stop.bars().into()),
        boost: boost_bars().into(),
        too_few: u32::try_from(TOO_FEW).expect("a small number"),
    };
    for card in Card::all() {
        let index = usize::from(card.number());
        deck.bars[index] = card.bars().into();
        let alike = Card::all().filter(|other| card.colour() != Colour::White && other.colour() == card.colour());
        deck.same_colour[index] = alike.fold(0, |cards, other| cards | 1 << other.number());
    }
    deck
});
