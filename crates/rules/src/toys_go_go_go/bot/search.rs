//! Flat Monte Carlo search with sequential halving.
//!
//! All candidates are played out with the same samples of the stack (common random numbers), so that luck favours none.
//! After each round the worse half is dropped.

use super::model::{Model, SEATS, Spot};
use super::policy::{self, COIN, Proposal};
use crate::bots::{Rating, search::WIN};

/// How many moves are played out: those that the policy values most. Playing out twice as many was no stronger.
const WIDTH: usize = 12;
/// The lead in coins at which the graded half of a result reaches its limit.
const LEAD: i32 = 60;
/// What a coin in the policy's value is worth in ratings.
const COIN_RATING: i64 = 25_000;
/// The weight of the policy's value against that of the play-outs, as a number of play-outs.
const PRIOR: i64 = 30;

/// A move with the results of its play-outs.
pub struct Candidate {
    pub proposal: Proposal,
    pub rating: Rating,
    sum: i64,
    playouts: i64,
}

impl Candidate {
    fn new(proposal: Proposal) -> Self {
        Self { proposal, rating: 0, sum: 0, playouts: 0 }
    }

    /// The policy's value in the unit of ratings.
    fn prior(&self) -> i64 {
        i64::from(self.proposal.value) * COIN_RATING / i64::from(COIN)
    }
}

/// Rates every move of the seat whose turn it is. The effort is about the number of simulated turns, so that a move at the
/// beginning takes as long as one at the end. `sample` returns random stacks, top tile last.
pub fn search(root: &Model, effort: u32, mut sample: impl FnMut() -> Vec<u8>) -> Vec<Candidate> {
    let (mut candidates, mut spots) = (Vec::new(), Vec::new());
    policy::each(root, &mut spots, |proposal| candidates.push(Candidate::new(proposal)));
    candidates.sort_by_key(|candidate| -candidate.proposal.value);
    let mut live = candidates.len().min(WIDTH);
    let rounds = live.max(2).next_power_of_two().ilog2();
    for _ in 0..rounds {
        let turns = rounds * root.tiles_left() * u32::try_from(live).expect("not more than the width");
        for _ in 0..(effort / turns).max(1) {
            let stack = sample();
            for candidate in &mut candidates[..live] {
                let end = play_out(root.clone(), &stack, candidate.proposal, &mut spots);
                candidate.sum += i64::from(result(&end, root.turn));
                candidate.playouts += 1;
            }
        }
        rate(&mut candidates);
        candidates[..live].sort_by_key(|candidate| -candidate.rating);
        live = live.div_ceil(2);
    }
    candidates
}

/// The end of a game that begins with this move and continues with those of the policy.
fn play_out(mut model: Model, stack: &[u8], first: Proposal, spots: &mut Vec<Spot>) -> Model {
    let (mut stack, mut next) = (stack.iter().rev(), first);
    loop {
        model.lay(next.slot, next.cell, next.coins);
        let tile = stack.next().expect("four full shops leave four open tiles");
        if !model.open_next(next.slot, *tile) {
            return model;
        }
        next = policy::best(&model, spots);
    }
}

/// The value of a finished game to a seat. One half is the victory, or the share of it. The other half is graded by the
/// lead, because a few samples tell more of the lead than of victories. Most banknotes, then most coins left over, is the
/// same as most coins.
fn result(end: &Model, seat: usize) -> Rating {
    let totals = end.totals();
    let rivals = (0..SEATS).filter(|rival| *rival != seat && !end.shops[*rival].resigned).map(|rival| totals[rival]);
    let best = rivals.clone().max().unwrap_or_default();
    let lead = totals[seat] - best;
    let won = match lead {
        ..0 => 0,
        0 => WIN / rivals.filter(|total| *total == best).fold(1, |sharing, _| sharing + 1),
        1.. => WIN,
    };
    let graded = WIN / 2 + lead.clamp(-LEAD, LEAD) * (WIN / 2) / LEAD;
    won.midpoint(graded)
}

/// Rates all candidates by their play-outs and the prior of the policy. The prior is shifted so that it agrees with the
/// play-outs on average; so moves that were not played out get a rating too.
fn rate(candidates: &mut [Candidate]) {
    let (mut shift, mut played) = (0, 0);
    for candidate in candidates.iter().filter(|candidate| candidate.playouts > 0) {
        shift += candidate.sum / candidate.playouts - candidate.prior();
        played += 1;
    }
    shift /= played.max(1);
    for candidate in candidates {
        let prior = PRIOR * (shift + candidate.prior());
        let mean = (candidate.sum + prior) / (candidate.playouts + PRIOR);
        candidate.rating = Rating::try_from(mean.clamp(0, WIN.into())).expect("not more than a win");
    }
}
