//! Bot for Jouets à GO GO GO: flat Monte Carlo search over a fast forward model.
//!
//! Only the order of the stack is hidden, and a shop changes by its owner's moves alone. So play-outs by a good policy tell
//! more than a deep tree.

mod faces;
mod model;
mod policy;
mod search;

use super::{Cell, Move, Shop, State, Tile, ToysGoGoGo};
use crate::bots::{Knowledge, Level, Rating};
use crate::{Dice, Seat};
use model::{Model, ModelShop};
use std::collections::BTreeMap;

/// The efforts are numbers of simulated turns.
pub(super) const LEVELS: &[Level] = &[
    Level { effort: 1_000, halving: 60_000, blunder: 400_000, reaction: 0..=0 },
    Level { effort: 1_000, halving: 30_000, blunder: 250_000, reaction: 0..=0 },
    Level { effort: 1_500, halving: 15_000, blunder: 150_000, reaction: 0..=0 },
    Level { effort: 8_000, halving: 8_000, blunder: 80_000, reaction: 0..=0 },
    Level { effort: 40_000, halving: 0, blunder: 0, reaction: 0..=0 },
];

/// The rating of each move.
pub(super) fn rate(knowledge: &Knowledge<'_, ToysGoGoGo>, moves: &[Move], effort: u32, dice: &mut Dice) -> Vec<Rating> {
    let root = model(&knowledge.sample(dice));
    let stack = || knowledge.sample(dice).stack.into_iter().map(faces::of_tile).collect();
    let ratings: BTreeMap<_, _> = search::search(&root, effort, stack)
        .into_iter()
        .map(|candidate| ((root.open[candidate.proposal.slot], candidate.proposal.cell), candidate.rating))
        .collect();
    let rating = |mv: &Move| {
        let Move::Lay { tile, row, column } = *mv;
        ratings[&(faces::of_tile(tile), cell(Cell { row, column }))]
    };
    moves.iter().map(rating).collect()
}

/// The model of a state. It needs nothing of the stack.
fn model(state: &State) -> Model {
    let open: Vec<_> = state.open.iter().copied().map(faces::of_tile).collect();
    Model {
        size: state.size,
        turn: state.turn.index(),
        open: open.try_into().expect("four tiles lie open"),
        collections: state.collections.map(|taken| taken.map(Seat::index)),
        shops: std::array::from_fn(|seat| state.shops.get(seat).map_or_else(vacant, |shop| model_shop(shop))),
    }
}

/// A seat that nobody has.
fn vacant() -> ModelShop {
    let mut shop = ModelShop::new(Tile::COUNT);
    shop.resigned = true;
    shop
}

fn model_shop(shop: &Shop) -> ModelShop {
    let mut copy = ModelShop::new(faces::of_register(shop.register));
    for laid in shop.laid() {
        copy.lay(faces::of_tile(laid.tile), cell(laid.place));
    }
    copy.resigned = shop.resigned;
    copy.coins = i32::try_from(shop.coins).expect("a shop earns few coins");
    copy
}

/// The cell in the model's grid, whose rows are eight wide.
fn cell(place: Cell) -> usize {
    let from_edge = |n: i8| usize::try_from(n + 3).expect("no shop reaches further than three cells");
    8 * from_edge(place.row) + from_edge(place.column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys_go_go_go::Options;
    use crate::{Instant, Rules, Seed, Turn};

    const NOW: Instant = Instant(0);

    /// Every move with the coins it earns at once, by the rules and by the model.
    fn moves_of_both(state: &State, model: &Model) -> [BTreeMap<(u8, usize), u32>; 2] {
        let by_rules = ToysGoGoGo::legal(state, state.turn, NOW).into_iter().map(|mv| {
            let Move::Lay { tile, row, column } = mv;
            let effect = ToysGoGoGo::effect(state, state.turn, &mv).expect("a legal move");
            ((faces::of_tile(tile), cell(Cell { row, column })), effect.coins)
        });
        let (mut by_model, mut spots) = (BTreeMap::new(), Vec::new());
        policy::each(model, &mut spots, |proposal| {
            by_model
                .insert((model.open[proposal.slot], proposal.cell), proposal.coins.try_into().expect("not negative"));
        });
        [by_rules.collect(), by_model]
    }

    /// Plays a random game on both; the last seat resigns before this turn, if there are enough.
    fn compare(seats: u8, shop_size: u8, resigning: usize) {
        let mut dice = Dice::new(Seed([seats + shop_size; 32]));
        let options = Options { shop_size, ..Options::default() };
        let mut state = ToysGoGoGo::setup(&options, seats, NOW, &mut dice).state;
        let mut copy = model(&state);
        for turn in 0.. {
            if turn == resigning && seats > 2 {
                state = ToysGoGoGo::resign(&state, &[Seat(seats - 1)], NOW, &mut dice).state;
                copy = model(&state);
            }
            let Turn::Waiting(waiting) = ToysGoGoGo::turn(&state) else { break };
            assert_eq!(waiting[0].index(), copy.turn);
            let [by_rules, by_model] = moves_of_both(&state, &copy);
            assert_eq!(by_rules, by_model, "{}", ToysGoGoGo::draw(&state));
            let moves = ToysGoGoGo::legal(&state, waiting[0], NOW);
            let mv = moves[dice.index(moves.len())];
            let Move::Lay { tile, row, column } = mv;
            let (face, place) = (faces::of_tile(tile), cell(Cell { row, column }));
            let slot = copy.open.iter().position(|open| *open == face).expect("the tile is open");
            copy.lay(slot, place, by_rules[&(face, place)].try_into().expect("few coins"));
            let next = faces::of_tile(*state.stack.last().expect("a tile is left"));
            copy.open_next(slot, next);
            state = ToysGoGoGo::play(&state, waiting[0], &mv, NOW, &mut dice).expect("a listed move").state;
        }
        assert_eq!(copy.tiles_left(), 0);
        let coins: Vec<i32> = state.shops().map(|(_, shop)| shop.coins.try_into().expect("few coins")).collect();
        assert_eq!(copy.totals()[..usize::from(seats)], coins);
    }

    #[test]
    fn the_model_plays_by_the_rules() {
        for seats in 2..=4 {
            compare(seats, 3, 9);
            compare(seats, 4, 20);
        }
    }

    #[test]
    fn a_model_copied_from_any_state_counts_the_same_zones() {
        let mut dice = Dice::new(Seed([1; 32]));
        let mut state = ToysGoGoGo::setup(&Options::default(), 3, NOW, &mut dice).state;
        while let Turn::Waiting(waiting) = ToysGoGoGo::turn(&state) {
            let [by_rules, by_model] = moves_of_both(&state, &model(&state));
            assert_eq!(by_rules, by_model);
            let moves = ToysGoGoGo::legal(&state, waiting[0], NOW);
            let mv = moves[dice.index(moves.len())];
            state = ToysGoGoGo::play(&state, waiting[0], &mv, NOW, &mut dice).expect("a listed move").state;
        }
    }
}
