//! Backward induction over the steps of a round: from the values of bets to the values of discards.

use super::{
    cards::Cards,
    moves::{Bet, Move},
    odds,
    types::{Card, Counts},
};

/// The values of moves, in sums over the ways in which the next boards can be drawn.
pub(super) struct Values {
    pub sums: Vec<i64>,
    /// The number of ways.
    pub ways: i64,
}

/// Values the legal moves of a hand. `judge` values bets for the chips that are out after board 3; discards are worth what
/// the best bet of the best cards will be worth, on average over the chips to come.
pub(super) fn values(out: Counts, hand: Cards, moves: &[Move], judge: &mut Judge<'_>) -> Values {
    let kept = |mv: &Move| match mv {
        Move::Discard { cards } => hand.without(cards.as_slice().iter().copied().collect()),
        Move::Bet { .. } => hand,
    };
    match moves.first() {
        None => Values { sums: Vec::new(), ways: 1 },
        Some(Move::Bet { .. }) => {
            Values { sums: judge(out, &moves.iter().filter_map(bet).collect::<Vec<_>>()), ways: 1 }
        }
        Some(Move::Discard { .. }) => {
            let mut tree = Tree::new(hand, judge);
            let kept: Vec<_> = moves.iter().map(kept).collect();
            if kept[0].len() == 3 {
                let (triples, ways) = tree.after_two_boards(out);
                let value = |kept: &Cards| triples[tree.position(*kept)];
                Values { sums: kept.iter().map(value).collect(), ways }
            } else {
                tree.after_one_board(out, &kept)
            }
        }
    }
}

/// Values bets for the chips that are out after board 3.
pub(super) type Judge<'a> = dyn FnMut(Counts, &[Bet]) -> Vec<i64> + 'a;

/// What every three cards of the hand are worth, computed once for all chips that may be out after board 3.
struct Tree<'a, 'b> {
    triples: Vec<Cards>,
    /// The three bets on each of the triples.
    bets: Vec<Bet>,
    judge: &'a mut Judge<'b>,
    judged: Vec<Option<Vec<i64>>>,
}

impl<'a, 'b> Tree<'a, 'b> {
    fn new(hand: Cards, judge: &'a mut Judge<'b>) -> Self {
        let triples = triples(hand);
        let bets = triples.iter().flat_map(|triple| bets(*triple)).collect();
        Self { triples, bets, judge, judged: vec![None; Counts::VARIETY] }
    }

    fn position(&self, triple: Cards) -> usize {
        self.triples.iter().position(|other| *other == triple).expect("three cards of the hand")
    }

    /// The value of the best bet on each triple, summed over the draws of board 3, and the number of draws.
    fn after_two_boards(&mut self, out: Counts) -> (Vec<i64>, i64) {
        let (mut sums, mut total) = (vec![0; self.triples.len()], 0);
        for (after, ways) in odds::after_next_board(out) {
            let best = self.judged[after.index()].get_or_insert_with(|| {
                let values = (self.judge)(after, &self.bets);
                values.chunks(3).map(|bets| bets.iter().copied().max().expect("three bets")).collect()
            });
            sums.iter_mut().zip(best).for_each(|(sum, best)| *sum += ways * *best);
            total += ways;
        }
        (sums, total)
    }

    /// The values of keeping each of these four cards.
    fn after_one_board(&mut self, out: Counts, kept: &[Cards]) -> Values {
        let inside = |kept: &Cards| {
            let triples = self.triples.iter().enumerate();
            triples.filter(|(_, triple)| triple.without(*kept).is_empty()).map(|(at, _)| at).collect()
        };
        let inside: Vec<Vec<usize>> = kept.iter().map(inside).collect();
        let mut values = Values { sums: vec![0; kept.len()], ways: 0 };
        for (after, ways) in odds::after_next_board(out) {
            let (triples, more) = self.after_two_boards(after);
            for (sum, inside) in values.sums.iter_mut().zip(&inside) {
                *sum += ways * inside.iter().map(|at| triples[*at]).max().expect("four cards hold three");
            }
            values.ways += ways * more;
        }
        values
    }
}

/// Every three cards of the set.
pub(super) fn triples(cards: Cards) -> Vec<Cards> {
    let mut triples = Vec::new();
    for pair in cards.pairs() {
        let third = cards.iter().filter(|third| *third > pair[1]);
        triples.extend(third.map(|third| pair.into_iter().chain([third]).collect::<Cards>()));
    }
    triples
}

/// The three bets on three cards.
fn bets(triple: Cards) -> impl Iterator<Item = Bet> {
    triple.iter().filter_map(move |against| {
        let mut rest = triple.without(against.into()).iter();
        Some(Bet::new([rest.next()?, rest.next()?], against))
    })
}

fn bet(mv: &Move) -> Option<Bet> {
    match mv {
        Move::Bet { r#for, against } => {
            let pair: [Card; 2] = r#for.as_slice().try_into().ok()?;
            Some(Bet::new(pair, *against))
        }
        Move::Discard { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chips::Picks;

    fn hand(slugs: &str) -> Cards {
        slugs.split(' ').map(|slug| Card::from_slug(slug).expect("a card")).collect()
    }

    #[test]
    fn six_cards_hold_twenty_different_triples_with_three_bets_each() {
        let six = hand("last-n last-o last-b last-v last-p none-p");
        let triples = triples(six);
        assert_eq!(triples.len(), 20);
        for (at, triple) in triples.iter().enumerate() {
            assert!(triple.len() == 3 && triple.without(six).is_empty() && !triples[..at].contains(triple));
            assert_eq!(bets(*triple).map(|bet| bet.against).collect::<Cards>(), *triple);
            assert!(bets(*triple).all(|bet| bet.cards() == *triple));
        }
    }

    #[test]
    fn a_discard_is_worth_the_best_bet_of_the_cards_it_leaves() {
        let six = hand("last-n last-o last-b last-v last-p none-p");
        // A bet is worth the sum of the indices of its cards for, whatever the chips: the lowest are thrown away.
        let mut judge = |_: Counts, bets: &[Bet]| {
            bets.iter().map(|bet| bet.r#for.iter().map(|card| i64::from(card.index())).sum()).collect()
        };
        let out = Counts::of(&[crate::chips::Flavour::Plain; 5]);
        let moves: Vec<_> = six.pairs().map(|pair| Move::Discard { cards: pair.into() }).collect();
        let Values { sums, ways } = values(out, six, &moves, &mut judge);
        assert_eq!(ways, 4_845 * 560);
        for (mv, sum) in moves.iter().zip(sums) {
            let Move::Discard { cards } = mv else { panic!("only discards") };
            let left = six.without(cards.as_slice().iter().copied().collect());
            let mut left: Vec<_> = left.iter().map(|card| i64::from(card.index())).collect();
            left.reverse();
            assert_eq!(sum, (left[0] + left[1]) * ways, "{mv}");
        }
        let four = hand("last-b last-v last-p none-p");
        let discard = Move::Discard { cards: Picks::from(four.iter().take(1).collect::<Cards>()) };
        let out = Counts::of(&[vec![crate::chips::Flavour::Plain; 5], vec![crate::chips::Flavour::Onion; 4]].concat());
        assert_eq!(values(out, four, &[discard], &mut judge).ways, 560);
    }
}
