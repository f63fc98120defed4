//! Greedy bot for À la rescousse du Père Noël: plays what leads closest to the goal row.

use super::{Move, SantaRescue};
use crate::bots::Knowledge;

/// The index of the first play that leaves the fewest wrong places; without a play, of the first move.
pub(super) fn pick(knowledge: &Knowledge<'_, SantaRescue>, moves: &[Move]) -> usize {
    let Some(today) = knowledge.view().today else { return 0 };
    let wrong = |mv: &Move| knowledge.effect(mv).map_or(u32::MAX, |effect| effect.row.0.wrong(today.sheet.goal.0));
    let closest = moves.iter().map(wrong).enumerate().min_by_key(|(_, wrong)| *wrong);
    closest.map_or(0, |(index, _)| index)
}
