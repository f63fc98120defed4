//! The search tree: nodes are what the searching seat knows when it decides, edges are its choices.

use super::super::{
    events::Event,
    legal::{CheckedMove, list},
    objectives::Objectives,
    score,
    state::{State, StopAt},
    types::Objects,
};
use super::policy::{self, Outlook};
use crate::bots::{Rating, search::WIN};
use crate::{Dice, Seat};
use std::collections::BTreeMap;

/// Weight of the prior in the choice between moves that were tried rarely, in the unit of values.
const EXPLORATION: i64 = 600_000;

/// A move is rated as if it had been tried this often with its prior value.
const VIRTUAL: i64 = 4;

/// The most that the policy's opinion moves a prior value.
const PRIOR_SPREAD: i64 = 150_000;

/// A search for one decision.
pub(super) struct Search<'a> {
    seat: Seat,
    worlds: &'a [State],
    nodes: Vec<Node>,
    /// The node that follows a choice of a node, by what the seat sees then.
    next: BTreeMap<(usize, usize, Sight), usize>,
    events: Vec<Event>,
    choices: Vec<CheckedMove>,
}

/// What the searching seat sees change between two of its decisions in play-outs from one position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sight {
    line: [[u8; 2]; 9],
    objects: [Objects; 2],
    hand: u32,
    drawn: u32,
    completed: u32,
}

struct Node {
    visits: i64,
    edges: Vec<Edge>,
}

/// A choice at a node.
struct Edge {
    choice: CheckedMove,
    /// How much the policy prefers it, in 1024ths of all preferences.
    prior: i64,
    /// The value before the first visit, relative to the best choice of the policy.
    handicap: i64,
    visits: i64,
    sum: i64,
}

impl Edge {
    /// The mean value with virtual visits.
    fn mean(&self, base: i64) -> i64 {
        (self.sum + VIRTUAL * (base - self.handicap)) / (self.visits + VIRTUAL)
    }
}

impl Node {
    fn new(state: &State, seat: Seat, choices: &[CheckedMove]) -> Self {
        let outlook = Outlook::new(state, seat);
        let worths: Vec<_> = choices.iter().map(|choice| i64::from(outlook.worth(*choice))).collect();
        let best = worths.iter().copied().max().unwrap_or(0);
        let unit = i64::from(Outlook::tenth(choices));
        let weight = |worth: i64| 1_024 * unit / ((best - worth) + 2 * unit);
        let total = worths.iter().map(|worth| weight(*worth)).sum::<i64>().max(1);
        let edges = choices.iter().zip(&worths).map(|(choice, &worth)| Edge {
            choice: *choice,
            prior: weight(worth) * 1_024 / total,
            handicap: ((best - worth) * 5_000 / unit).min(PRIOR_SPREAD),
            visits: 0,
            sum: 0,
        });
        Self { visits: 0, edges: edges.collect() }
    }

    /// The mean value of the node; a draw before the first visit.
    fn base(&self) -> i64 {
        let sum: i64 = self.edges.iter().map(|edge| edge.sum).sum();
        (sum + i64::from(WIN / 2)) / (self.visits + 1)
    }

    /// The choice with the highest upper confidence bound.
    fn select(&self) -> usize {
        let (base, root) = (self.base(), (self.visits * 10_000 + 10_000).isqrt());
        let bound = |edge: &Edge| edge.mean(base) + EXPLORATION * edge.prior / 1_024 * root / (100 * (edge.visits + 1));
        let best = self.edges.iter().enumerate().rev().max_by_key(|(_, edge)| bound(edge));
        best.expect("a node has choices").0
    }
}

impl<'a> Search<'a> {
    pub fn new(seat: Seat, worlds: &'a [State], choices: Vec<CheckedMove>) -> Self {
        let root = Node::new(&worlds[0], seat, &choices);
        Self { seat, worlds, nodes: vec![root], next: BTreeMap::new(), events: Vec::new(), choices }
    }

    /// The rating of each choice after this many play-outs.
    pub fn run(mut self, effort: u32, dice: &mut Dice) -> Vec<Rating> {
        for _ in 0..effort {
            self.iterate(dice);
        }
        let root = &self.nodes[0];
        let base = root.base();
        let rating = |edge: &Edge| Rating::try_from(edge.mean(base).clamp(0, WIN.into())).expect("not more than a win");
        root.edges.iter().map(rating).collect()
    }

    fn iterate(&mut self, dice: &mut Dice) {
        let first = self.nodes[0].select();
        // Each choice meets the worlds in the same order, so that luck affects all alike.
        let round = usize::try_from(self.nodes[0].edges[first].visits).expect("few visits");
        let mut state = self.worlds[round % self.worlds.len()].clone();
        let mut path = vec![(0, first)];
        self.apply(&mut state, self.seat, self.nodes[0].edges[first].choice);
        let mut at = Some((0, first));
        while let Some(seat) = self.to_move(&state) {
            let choice = match at {
                Some(edge) if seat == self.seat => {
                    list(&state, seat, &mut self.choices);
                    if let [only] = self.choices[..] {
                        only
                    } else {
                        let (node, is_new) = self.node_after(edge, &state);
                        let chosen = self.nodes[node].select();
                        path.push((node, chosen));
                        at = (!is_new).then_some((node, chosen));
                        self.nodes[node].edges[chosen].choice
                    }
                }
                _ => policy::choose(&state, seat, &mut self.choices, dice),
            };
            self.apply(&mut state, seat, choice);
        }
        let value = self.value(&state);
        for (node, edge) in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.edges[edge].visits += 1;
            node.edges[edge].sum += value;
        }
    }

    /// The seat to decide next, the searching one first.
    fn to_move(&self, state: &State) -> Option<Seat> {
        if state.ended.is_some() {
            return None;
        }
        if state.asks(self.seat).is_some() { Some(self.seat) } else { Some(super::super::state::other(self.seat)) }
    }

    fn apply(&mut self, state: &mut State, seat: Seat, choice: CheckedMove) {
        self.events.clear();
        state.choose(seat, choice, &mut self.events);
        state.advance(StopAt::Asked, &mut self.events);
    }

    /// The node of the decision that the seat has to make after an edge, and whether it is new.
    fn node_after(&mut self, (node, edge): (usize, usize), state: &State) -> (usize, bool) {
        let new = self.nodes.len();
        let at = *self.next.entry((node, edge, Sight::new(state, self.seat))).or_insert(new);
        if at == new {
            self.nodes.push(Node::new(state, self.seat, &self.choices));
        }
        (at, at == new)
    }

    fn value(&self, state: &State) -> i64 {
        let reason = state.ended.expect("the game is over");
        if score::outcome(state, reason).winners.contains(&self.seat) { WIN.into() } else { 0 }
    }
}

impl Sight {
    fn new(state: &State, seat: Seat) -> Self {
        let bits = |cards: Objectives| cards.iter().map(|card| 1 << card.number()).sum();
        let own = &state.areas[seat.index()];
        Self {
            line: state.line,
            objects: state.areas.each_ref().map(|area| area.objects),
            hand: bits(own.hand),
            drawn: bits(own.drawn),
            completed: bits(state.areas[0].completed.with(state.areas[1].completed)),
        }
    }
}
