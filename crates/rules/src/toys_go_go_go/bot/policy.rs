//! Heuristic policy of the play-outs: a static evaluation of each move.
//!
//! It wins 77 % of games against the greedy player, and the search is much stronger with it than with greedy play-outs.
//! The weights come from hill climbing over games of the policy against itself.

use super::faces::faces;
use super::model::{Model, Spot};

/// A coin in the unit of all values here.
pub const COIN: i32 = 64;
/// The value of a toy that the shop lacks, while nobody has the Collection of its type: by how many different toys of the
/// type the shop then has.
const COLLECTION: [i32; 6] = [0, 4, 14, 76, 96, 320];
/// The value of one more copy of a type's most frequent toy.
const SHOWCASE: i32 = 76;
/// The value of a half-side towards a free cell, for each toy in its zone and each tile that the shop still takes, in
/// quarters.
const REACH: i32 = 25;
/// The loss by a half-side where another colour ends a zone, likewise.
const BLOCKED: i32 = 3;

/// A possible move: an open tile and a cell, the coins it earns and its value.
#[derive(Clone, Copy, Default)]
pub struct Proposal {
    pub slot: usize,
    pub cell: usize,
    pub coins: i32,
    pub value: i32,
}

/// Calls a function with every legal move. `spots` is scratch memory.
pub fn each(model: &Model, spots: &mut Vec<Spot>, mut consider: impl FnMut(Proposal)) {
    let shop = &model.shops[model.turn];
    shop.list_spots(model.size, spots);
    let later = i32::from(shop.tiles_left(model.size)) - 1;
    for (slot, tile) in model.open.into_iter().enumerate() {
        let worth = toys_worth(model, tile);
        let tile = &faces()[usize::from(tile)];
        for spot in spots.iter() {
            let contact = spot.contact(tile);
            let future = (REACH * contact.reach - BLOCKED * contact.blocked) * later / 4;
            let value = COIN * contact.coins + worth + future;
            consider(Proposal { slot, cell: spot.cell, coins: contact.coins, value });
        }
    }
}

/// The move with the highest value.
pub fn best(model: &Model, spots: &mut Vec<Spot>) -> Proposal {
    let mut best = Proposal { value: i32::MIN, ..Proposal::default() };
    each(model, spots, |proposal| {
        if proposal.value > best.value {
            best = proposal;
        }
    });
    best
}

/// What a tile's toys are worth towards Collections and Showcases, on whatever cell.
fn toys_worth(model: &Model, tile: u8) -> i32 {
    let shop = &model.shops[model.turn];
    let mut worth = 0;
    for toy in &faces()[usize::from(tile)].toys {
        let copies = shop.stock[toy.number];
        if copies == 0 && model.collections[toy.colour].is_none() {
            worth += COLLECTION[usize::from(shop.different[toy.colour]) + 1];
        }
        if copies == shop.most[toy.colour] {
            worth += SHOWCASE;
        }
    }
    worth
}
