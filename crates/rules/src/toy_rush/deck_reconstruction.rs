//! Sampling of deck histories: a history that looks to a viewer like the actual one.
//!
//! The reconstruction starts from [`SeenAction`]s, which hold only what the viewer saw, so the actual cards can't have an
//! influence on it. It replays them with positions in the shuffled deck, which stand for cards that may not be decided yet.

use super::{
    deck_history::{DeckAction, DeckHistory, SeenAction},
    objectives::{Objective, Objectives},
    types::Objects,
};
use crate::{Dice, Seat};
use std::collections::VecDeque;

/// The number of random attempts before all possibilities are searched.
const TRIES: usize = 32;

/// Where all objectives are at the end of a [`DeckHistory`].
pub(super) struct ObjectivePositions {
    pub history: DeckHistory,
    pub deck: Vec<Objective>,
    pub hands: [Objectives; 2],
    pub drawn: [Objectives; 2],
}

/// Samples a history of a deck of `size` cards that is consistent with what the viewer saw. `None` if no history is, which
/// does not happen in a game that was played.
///
/// Random attempts come first, because they favour no history over another. What the viewer learnt later can make them
/// fail again and again. Then the returns that the viewer did not see are searched, in a random order but completely: at
/// most two possibilities for each of about a dozen returns. The first consistent history is taken.
pub(super) fn reconstruct(seen: &[SeenAction], size: usize, dice: &mut Dice) -> Option<ObjectivePositions> {
    for _ in 0..TRIES {
        if let Ok(found) = Reconstruction::new(seen, size, &[]).replay(dice) {
            return found.deal(dice);
        }
    }
    let start = dice.clone();
    let mut prescribed = Vec::new();
    loop {
        // With the same dice, equal choices lead to equal options.
        dice.clone_from(&start);
        match Reconstruction::new(seen, size, &prescribed).replay(dice) {
            Ok(found) => return found.deal(dice),
            Err(choices) => prescribed = next_choices(choices)?,
        }
    }
}

/// The choices to try after these: the last one that has another option takes it.
fn next_choices(mut choices: Vec<Choice>) -> Option<Vec<usize>> {
    while choices.last()?.is_last() {
        choices.pop();
    }
    let mut next: Vec<_> = choices.iter().map(|choice| choice.taken).collect();
    *next.last_mut()? += 1;
    Some(next)
}

/// Which of several cards was returned, where the viewer did not see it.
#[derive(Clone, Copy)]
struct Choice {
    taken: usize,
    options: usize,
}

impl Choice {
    fn is_last(self) -> bool {
        self.taken + 1 == self.options
    }
}

/// A position in the shuffled deck, which stands for a card that may not be decided yet.
type DeckPosition = usize;

/// A moment when everyone saw whether the game had run dry.
struct Verdict {
    hands: [Vec<DeckPosition>; 2],
    objects: [Objects; 2],
    dry: bool,
}

/// A history being sampled.
struct Reconstruction<'a> {
    seen: &'a [SeenAction],
    /// The first choices to make; further ones take the first option.
    prescribed: &'a [usize],
    choices: Vec<Choice>,
    /// The card at each position, if the viewer knows it or it was decided already.
    shown: Vec<Option<Objective>>,
    deck: VecDeque<DeckPosition>,
    drawn: [Vec<DeckPosition>; 2],
    hands: [Vec<DeckPosition>; 2],
    /// The positions that each action moved.
    moved: Vec<Vec<DeckPosition>>,
    verdicts: Vec<Verdict>,
}

impl<'a> Reconstruction<'a> {
    fn new(seen: &'a [SeenAction], size: usize, prescribed: &'a [usize]) -> Self {
        Self {
            seen,
            prescribed,
            choices: Vec::new(),
            shown: vec![None; size],
            deck: (0..size).collect(),
            drawn: Default::default(),
            hands: Default::default(),
            moved: Vec::new(),
            verdicts: Vec::new(),
        }
    }

    /// Replays all actions. The error has the choices that contradict what the viewer saw.
    fn replay(mut self, dice: &mut Dice) -> Result<Self, Vec<Choice>> {
        for &action in self.seen {
            match self.act(action, dice) {
                Some(moved) => self.moved.push(moved),
                None => return Err(self.choices),
            }
        }
        Ok(self)
    }

    /// Replays an action and returns the positions it moved; `None` if it contradicts the choices made before.
    fn act(&mut self, action: SeenAction, dice: &mut Dice) -> Option<Vec<DeckPosition>> {
        Some(match action {
            SeenAction::Drew { seat, count, cards } => {
                let positions: Vec<_> = self.deck.drain(..usize::from(count)).collect();
                if let Some(cards) = cards {
                    self.show(&positions, cards, dice)?;
                }
                self.drawn[seat.index()].clone_from(&positions);
                positions
            }
            SeenAction::KeptAll { seat } => {
                let kept = std::mem::take(&mut self.drawn[seat.index()]);
                self.hands[seat.index()].extend(kept);
                Vec::new()
            }
            SeenAction::Returned { seat, card } => {
                let mut kept = std::mem::take(&mut self.drawn[seat.index()]);
                let at = match card {
                    Some(card) => kept.iter().position(|&position| self.shown[position] == Some(card))?,
                    None => self.choose(&mut kept, dice),
                };
                let back = kept.remove(at);
                self.hands[seat.index()].extend(kept);
                self.deck.push_back(back);
                vec![back]
            }
            SeenAction::Shipped { seat, objectives } => {
                self.ship(seat, objectives, dice)?;
                Vec::new()
            }
            SeenAction::Judged { objects, dry } => {
                self.verdicts.push(Verdict { hands: self.hands.clone(), objects, dry });
                Vec::new()
            }
        })
    }

    /// The viewer draws: the cards at these positions are decided.
    fn show(&mut self, positions: &[DeckPosition], cards: Objectives, dice: &mut Dice) -> Option<()> {
        let known: Objectives = positions.iter().filter_map(|&position| self.shown[position]).collect();
        let new = cards.without(known);
        if !known.without(cards).is_empty() || new.iter().any(|card| self.position_of(card).is_some()) {
            return None;
        }
        let undecided = positions.iter().filter(|&&position| self.shown[position].is_none());
        for (&position, card) in undecided.copied().collect::<Vec<_>>().iter().zip(new.shuffled(dice)) {
            self.shown[position] = Some(card);
        }
        Some(())
    }

    /// Chooses which card was returned, and returns its index. The positions are shuffled, so that the first option is a
    /// uniform one.
    fn choose(&mut self, drawn: &mut [DeckPosition], dice: &mut Dice) -> usize {
        dice.shuffle(drawn);
        // Undecided cards are interchangeable, so the first one stands for all.
        let undecided = drawn.iter().position(|&position| self.shown[position].is_none());
        let is_option = |&at: &usize| self.shown[drawn[at]].is_some() || undecided == Some(at);
        let options: Vec<_> = (0..drawn.len()).filter(is_option).collect();
        let taken = self.prescribed.get(self.choices.len()).copied().unwrap_or(0);
        self.choices.push(Choice { taken, options: options.len() });
        options[taken]
    }

    fn ship(&mut self, seat: Seat, objectives: Objectives, dice: &mut Dice) -> Option<()> {
        for card in objectives.iter() {
            let hand = &self.hands[seat.index()];
            let position = match self.position_of(card) {
                Some(position) => position,
                None => {
                    let undecided: Vec<_> =
                        hand.iter().copied().filter(|&position| self.shown[position].is_none()).collect();
                    if undecided.is_empty() {
                        return None;
                    }
                    undecided[dice.index(undecided.len())]
                }
            };
            let at = hand.iter().position(|&held| held == position)?;
            self.hands[seat.index()].remove(at);
            self.shown[position] = Some(card);
        }
        Some(())
    }

    fn position_of(&self, card: Objective) -> Option<DeckPosition> {
        self.shown.iter().position(|shown| *shown == Some(card))
    }

    /// Deals the cards that the viewer has never seen to the undecided positions, and converts positions to cards.
    fn deal(self, dice: &mut Dice) -> Option<ObjectivePositions> {
        let seen: Objectives = self.shown.iter().flatten().copied().collect();
        let unseen = Objectives::ALL.without(seen);
        let undecided = (0..self.shown.len()).filter(|&position| self.shown[position].is_none());
        let (first, rest): (Vec<_>, Vec<_>) = undecided.partition(|position| self.hands[0].contains(position));
        let of_first = self.divide(unseen, first.len(), dice)?;
        let mut shuffled = self.shown.clone();
        for (positions, cards) in [(first, of_first), (rest, unseen.without(of_first))] {
            for (position, card) in positions.into_iter().zip(cards.shuffled(dice)) {
                shuffled[position] = Some(card);
            }
        }
        let shuffled: Vec<_> = shuffled.into_iter().collect::<Option<_>>()?;
        Some(self.convert(shuffled))
    }

    /// Chooses which of the unseen cards are in the hand of the first seat, so that every verdict is true. All divisions
    /// for which this holds are equally likely.
    fn divide(&self, unseen: Objectives, count: usize, dice: &mut Dice) -> Option<Objectives> {
        let limits: Vec<_> = self.verdicts.iter().map(|verdict| verdict.limits(&self.shown)).collect();
        let agree = |first: &Objectives| {
            let hands = [*first, unseen.without(*first)];
            limits.iter().all(|limits| limits.allow(hands))
        };
        let mut random = || unseen.shuffled(dice).into_iter().take(count).collect();
        if let Some(found) = (0..TRIES).map(|_| random()).find(agree) {
            return Some(found);
        }
        // 2^18 sets at most, and only once the deck is empty.
        let cards: Vec<_> = unseen.iter().collect();
        let sets = (0..1_u32 << cards.len()).filter(|set| set.count_ones() as usize == count);
        let sets = sets.map(|set| (0..cards.len()).filter(|n| set >> n & 1 == 1).map(|n| cards[n]).collect());
        let all: Vec<Objectives> = sets.filter(agree).collect();
        if all.is_empty() { None } else { Some(all[dice.index(all.len())]) }
    }

    fn convert(self, shuffled: Vec<Objective>) -> ObjectivePositions {
        let cards = |positions: &Vec<DeckPosition>| {
            positions.iter().map(|&position| shuffled[position]).collect::<Objectives>()
        };
        let actions = self.seen.iter().zip(&self.moved).map(|(action, moved)| match *action {
            SeenAction::Drew { seat, .. } => DeckAction::Drew { seat, cards: cards(moved) },
            SeenAction::KeptAll { seat } => DeckAction::Kept { seat, back: None },
            SeenAction::Returned { seat, .. } => DeckAction::Kept { seat, back: cards(moved).iter().next() },
            SeenAction::Shipped { seat, objectives } => DeckAction::Shipped { seat, objectives },
            SeenAction::Judged { objects, dry } => DeckAction::Judged { objects, dry },
        });
        let (actions, deck) = (actions.collect(), self.deck.iter().map(|&position| shuffled[position]).collect());
        let (hands, drawn) = (self.hands.each_ref().map(cards), self.drawn.each_ref().map(cards));
        ObjectivePositions { history: DeckHistory { shuffled, actions }, deck, hands, drawn }
    }
}

/// What a verdict says about the cards in the hands.
struct Limits {
    /// The cards that each seat was known to hold.
    held: [Objectives; 2],
    /// The cards that each seat could have completed.
    possible: [Objectives; 2],
    dry: bool,
}

impl Verdict {
    fn limits(&self, shown: &[Option<Objective>]) -> Limits {
        let [one, two] = self.objects;
        let piles = Objects::all().without(one.with(two)).expect("cards come from the piles");
        let held = |hand: &Vec<DeckPosition>| hand.iter().filter_map(|&position| shown[position]).collect();
        let possible =
            |objects: Objects| Objectives::ALL.iter().filter(|card| objects.with(piles).cover(card.needs())).collect();
        Limits { held: self.hands.each_ref().map(held), possible: self.objects.map(possible), dry: self.dry }
    }
}

impl Limits {
    /// Whether the verdict is true if the seats held these cards too.
    fn allow(&self, hands: [Objectives; 2]) -> bool {
        let able = (0..2).any(|seat| {
            let hand = self.held[seat].with(hands[seat]);
            hand.without(self.possible[seat]) != hand
        });
        able != self.dry
    }
}
