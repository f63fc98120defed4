//! Information-set Monte Carlo tree search, for kinds without a bot of their own.
//!
//! Every iteration samples a state that agrees with what the seat knows, and plays it to its end: through a tree of moves by
//! upper confidence bounds, then at random. A node of the tree belongs to the moves that led to it, whatever the sample, so
//! its figures are averages over what is hidden. Of a node's moves only those that are legal in the sample compete.
//!
//! After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012).

use super::{Knowledge, Level, Rating};
use crate::{Dice, Instant, Outcome, Rules, Seat, Turn};
use std::collections::BTreeMap;

/// The version of this bot.
pub const VERSION: u8 = 1;

/// The levels of kinds without a bot of their own.
pub const LEVELS: &[Level] = &[
    Level { effort: 40, halving: 120_000, blunder: 500_000, reaction: 0..=0 },
    Level { effort: 80, halving: 60_000, blunder: 300_000, reaction: 0..=0 },
    Level { effort: 150, halving: 25_000, blunder: 150_000, reaction: 0..=0 },
    Level { effort: 400, halving: 8_000, blunder: 60_000, reaction: 0..=0 },
    Level { effort: 1_500, halving: 0, blunder: 0, reaction: 0..=0 },
];

/// The value of a victory.
pub const WIN: Rating = 1_000_000;

/// More moves than a simulated game may take. One that takes longer counts as shared by all.
const MOST_MOVES: u32 = 2_000;

/// Milliseconds that pass with each simulated move.
const PACE: i64 = 1_000;

/// How much a move that was tried rarely is preferred, in the unit of values: the constant of UCB1, about 0.7 of a win.
const EXPLORATION: i64 = 700_000;

/// Rates the moves by tree search with this many iterations.
pub fn rate<R: Rules>(knowledge: &Knowledge<'_, R>, moves: &[R::Move], effort: u32, dice: &mut Dice) -> Vec<Rating> {
    let root: Node<R> = Node::default();
    let mut tree = vec![root];
    for _ in 0..effort {
        iterate(&mut tree, knowledge, dice);
    }
    let children = &tree[0].children;
    let rating = |mv: &R::Move| children.get(&(knowledge.seat(), mv.clone())).map_or(0, |child| tree[*child].mean());
    moves.iter().map(rating).collect()
}

/// A node: what is known of the move that led to it.
struct Node<R: Rules> {
    visits: u32,
    /// How often the move could have been chosen.
    available: u32,
    /// The sum of the values for the seat that made the move.
    sum: i64,
    children: BTreeMap<(Seat, R::Move), usize>,
}

impl<R: Rules> Default for Node<R> {
    fn default() -> Self {
        Self { visits: 0, available: 0, sum: 0, children: BTreeMap::new() }
    }
}

impl<R: Rules> Node<R> {
    fn mean(&self) -> Rating {
        let mean = self.sum / i64::from(self.visits.max(1));
        Rating::try_from(mean).expect("a mean is not more than a win")
    }

    /// The upper confidence bound of the value.
    fn bound(&self) -> i64 {
        let visits = i64::from(self.visits);
        // The square root of the logarithm over the visits, in millionths of its own scale.
        let ratio = i64::from(self.available.max(1).ilog2()) * 693_147 / visits;
        i64::from(self.mean()) + EXPLORATION * ratio.isqrt() / 1_000
    }
}

/// Plays one sample to its end and adds its values to the nodes on the way.
fn iterate<R: Rules>(tree: &mut Vec<Node<R>>, knowledge: &Knowledge<'_, R>, dice: &mut Dice) {
    let (mut state, mut now) = (knowledge.sample(dice), knowledge.now());
    let (mut at, mut in_tree, mut path) = (0, true, Vec::new());
    for moves in 0..MOST_MOVES {
        let waiting = match R::turn(&state) {
            Turn::Waiting(waiting) => waiting,
            Turn::Over(outcome) => return learn(tree, &path, |seat| value(&outcome, seat)),
        };
        // The searching seat goes first, so that its moves are children of the root.
        let seat = if moves == 0 { knowledge.seat() } else { waiting[dice.index(waiting.len())] };
        let legal = R::legal(&state, seat, now);
        let mut chosen = dice.index(legal.len());
        if in_tree {
            let (best, is_new) = select(tree, at, seat, &legal, chosen);
            (at, chosen, in_tree) = (tree[at].children[&(seat, legal[best].clone())], best, !is_new);
            path.push((at, seat));
        }
        state = R::play(&state, seat, &legal[chosen], now, dice).expect("a listed move can be played").state;
        now = Instant(now.0 + PACE);
    }
    learn(tree, &path, |_| WIN / 2);
}

/// The move to try at a node, and whether it is tried for the first time: one that never was, from `from` on, else the one
/// with the highest bound. Makes its node.
fn select<R: Rules>(tree: &mut Vec<Node<R>>, at: usize, seat: Seat, legal: &[R::Move], from: usize) -> (usize, bool) {
    let (mut best, mut untried) = (None, None);
    for index in (from..legal.len()).chain(0..from) {
        match tree[at].children.get(&(seat, legal[index].clone())) {
            None => untried = untried.or(Some(index)),
            Some(&child) => {
                tree[child].available += 1;
                let bound = tree[child].bound();
                if best.is_none_or(|(highest, _)| bound > highest) {
                    best = Some((bound, index));
                }
            }
        }
    }
    let Some(index) = untried else { return (best.map_or(from, |(_, index)| index), false) };
    let new = tree.len();
    tree[at].children.insert((seat, legal[index].clone()), new);
    tree.push(Node { available: 1, ..Node::default() });
    (index, true)
}

fn learn<R: Rules>(tree: &mut [Node<R>], path: &[(usize, Seat)], value: impl Fn(Seat) -> Rating) {
    for (node, seat) in path {
        tree[*node].visits += 1;
        tree[*node].sum += i64::from(value(*seat));
    }
}

/// What an outcome is worth to a seat: a victory, its share of one, or the stage that a team has reached.
pub fn value(outcome: &Outcome, seat: Seat) -> Rating {
    let sharing = i32::try_from(outcome.winners.len()).expect("a table has few seats");
    match outcome.stage {
        _ if outcome.winners.contains(&seat) && outcome.stage.is_some() => WIN,
        _ if outcome.winners.contains(&seat) => WIN / sharing,
        Some(stage) => i32::from(stage) * (WIN / 10),
        None => 0,
    }
}
