//! Visibility: who sees what, and what can be deduced.

use super::{after, begin, deck_by_the_past, draw, moves, objectives, start, told, view};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Rules, Seat, Turn,
    toy_rush::{DeckAction, EventView, Objectives, Objects, Options, State, ToyRush},
};
use std::collections::BTreeSet;

const OTHERS: [Eyes; 2] = [Eyes::Seat(Seat(1)), Eyes::Spectator];

#[test]
fn the_line_token_deck_size_stocks_reserves_piles_objects_completed_and_points_are_open_to_all() {
    let state = draw(
        "
        token 1
        line 1:2+1 5:0+3
        seat 0: stock 1, has pink,train, hand 1,2, completed 18
        seat 1: stock 2, has box, hand 3
        ",
    );
    let views = [Eyes::Seat(Seat(0)), Eyes::Seat(Seat(1)), Eyes::Spectator].map(|eyes| ToyRush::view(&state, eyes));
    for view in &views {
        let elves: Vec<_> = view.line.iter().map(|space| space.elves).collect();
        assert_eq!((elves[0], elves[4], view.token, view.deck_size), ([2, 1], [0, 3], Seat(1), 14));
        let piles: Vec<_> = view.piles.iter().map(|pile| pile.left).collect();
        assert_eq!(piles, [5, 6, 6, 5, 5, 5, 5, 4, 4]);
        let [one, two] = &view.seats[..] else { panic!("two seats") };
        assert_eq!((one.stock, one.reserve, one.objects, one.points), (1, 9, super::objects("pink,train"), 7));
        assert_eq!((one.hand_size, two.hand_size, one.completed.len()), (2, 1, 1));
        assert_eq!((two.stock, two.reserve, two.objects, two.points), (2, 6, super::objects("box"), 0));
    }
}

#[test]
fn objectives_in_hand_are_hidden_from_the_opponent() {
    let state = draw("seat 0: stock 2, hand 1,2\nseat 1: stock 2, hand 3");
    for eyes in OTHERS {
        assert_eq!(ToyRush::view(&state, eyes).seats[0].hand_objectives, None);
    }
    let own =
        view(&state, 0).seats[0].hand_objectives.as_ref().expect("one's own").iter().map(|card| card.id).collect();
    assert_eq!(objectives("1,2"), own);
    assert!(ToyRush::view(&state, Eyes::Replay).seats.iter().all(|seat| seat.hand_objectives.is_some()));
}

#[test]
fn drawn_choices_are_hidden_from_the_opponent() {
    let state = draw("deck 10,11,12\nseat 0: stock 1, hand 1,2,13,14,15,16,17,18\nseat 1: stock 0, hand 3,4,5,6,7,8,9");
    let next = after(&state, "0 place 2 x1");
    for eyes in OTHERS {
        let seen = &ToyRush::view(&next.state, eyes).seats[0];
        assert_eq!((&seen.drawn, seen.drawn_size), (&None, 2));
        assert!(told(&next.events, eyes).contains(&EventView::Drew { seat: Seat(0), count: 2, objectives: None }));
    }
    let next = after(&next.state, "0 keep 11");
    let kept = |objectives, back| EventView::Kept { seat: Seat(0), count: 1, objectives, back_count: 1, back };
    for eyes in OTHERS {
        assert_eq!(told(&next.events, eyes)[0], kept(None, None));
    }
    let (eleven, ten) = (objectives("11"), objectives("10").iter().next());
    assert_eq!(told(&next.events, Eyes::Seat(Seat(0)))[0], kept(Some(eleven), ten));
}

#[test]
fn the_deck_is_seen_by_nobody() {
    let state = start();
    for eyes in [Eyes::Seat(Seat(0)), Eyes::Seat(Seat(1)), Eyes::Spectator] {
        let json = serde_json::to_string(&ToyRush::view(&state, eyes)).expect("plain data");
        assert!(state.deck.iter().all(|card| !json.contains(&format!("\"{}\"", card.face().child))));
    }
}

#[test]
fn a_view_reads_back_from_its_json() {
    let view = view(&start(), 0);
    let json = serde_json::to_string(&view).expect("plain data");
    assert_eq!(serde_json::from_str::<ludotheque_rules::toy_rush::View>(&json).expect("just written"), view);
}

/// This many other states that look the same to the viewer.
fn worlds(state: &State, eyes: Eyes) -> Vec<State> {
    let mut dice = Dice::new(seed(11));
    (0..300).map(|_| ToyRush::resample(state, eyes, &mut dice)).collect()
}

/// Both have kept the two first of their three cards; seat 0 holds the token.
fn kept() -> State {
    let state = start();
    after(&state, &format!("0 {}; 1 {}", moves(&state, 0)[0], moves(&state, 1)[0])).state
}

#[test]
fn a_player_who_puts_a_card_under_the_deck_knows_its_place() {
    let state = kept();
    let own = state.deck[12];
    for world in worlds(&state, Eyes::Seat(Seat(0))) {
        assert_eq!(world.deck[12], own);
        assert_eq!(world.areas[0], state.areas[0]);
    }
    let seen_by_other: BTreeSet<_> = worlds(&state, Eyes::Seat(Seat(1))).iter().map(|world| world.deck[12]).collect();
    assert_eq!(seen_by_other.len(), 18 - 3, "any card but the three that the other has seen");
    assert!(!seen_by_other.contains(&state.deck[13]));
}

#[test]
fn a_card_put_under_the_deck_and_drawn_by_the_opponent_is_in_that_hand_or_under_the_deck_again() {
    let mut state = kept();
    // Seat 1 draws until the card that seat 0 put back comes up: 12 cards lie above it.
    let own = state.deck[12];
    while state.deck.contains(&own) && state.areas[1].hand.len() < 8 {
        let round = "0 place 1 x2; 1 place 2 x2";
        state = after(&state, round).state;
        for _ in 0..2 {
            let mv = moves(&state, 1)[0].clone();
            state = after(&state, &format!("1 {mv}")).state;
        }
        state = after(&state, "0 ship none; 1 ship none").state;
    }
    assert_eq!(state.areas[1].hand.len(), 8);
    state = after(&state, "0 place 1 x2; 1 place 2 x2").state;
    assert!(state.areas[1].drawn.contains(own));
    let mv = moves(&state, 1).into_iter().next().expect("a choice");
    state = after(&state, &format!("1 {mv}")).state;
    let worlds = worlds(&state, Eyes::Seat(Seat(0)));
    let bottom = |world: &State| {
        world.history.actions.iter().rev().find_map(|action| match action {
            DeckAction::Kept { back, .. } => *back,
            _ => None,
        })
    };
    let in_hand = worlds.iter().filter(|world| world.areas[1].hand.contains(own)).count();
    let back = worlds.iter().filter(|world| bottom(world) == Some(own)).count();
    assert_eq!(in_hand + back, worlds.len(), "nowhere else");
    assert!(in_hand > 50 && back > 50, "{in_hand} in hand, {back} put back");
}

#[test]
fn a_made_up_past_agrees_with_all_that_was_seen() {
    wander(10, |_| true);
}

#[test]
fn with_the_deck_empty_everybody_sees_whether_the_game_has_run_dry() {
    // Draw whenever possible and never complete anything: the deck is soon empty, and the piles later.
    let judged = wander(10, |mv| !mv.starts_with("ship ") || mv == "ship none");
    assert!(judged > 0, "no deck was ever empty");
}

/// Plays random games, preferring certain moves, and compares every position with resampled ones. Returns how often
/// viewers saw whether a game had run dry.
fn wander(games: u64, liked: fn(&str) -> bool) -> usize {
    let (mut chance, mut judged) = (Dice::new(seed(12)), 0);
    for game in 0..games {
        let mut state = begin(&Options::default(), game).state;
        for _ in 0..250 {
            let Turn::Waiting(seats) = ToyRush::turn(&state) else { break };
            let mut able = moves(&state, seats[0].0);
            if able.iter().any(|mv| liked(mv)) {
                able.retain(|mv| liked(mv));
            }
            if able.iter().any(|mv| mv == "place 2 x2") && chance.below(2) == 0 {
                able.retain(|mv| mv == "place 2 x2");
            }
            let mv = &able[chance.index(able.len())];
            state = after(&state, &format!("{} {mv}", seats[0])).state;
            consistent(&state);
            for eyes in [Eyes::Seat(Seat(0)), Eyes::Seat(Seat(1)), Eyes::Spectator] {
                let world = ToyRush::resample(&state, eyes, &mut chance);
                consistent(&world);
                assert_eq!(seen_of(&world, eyes), seen_of(&state, eyes));
                let number = chance.below(u32::MAX).into();
                let [one, two] =
                    [&state, &world].map(|state| ToyRush::resample(state, eyes, &mut Dice::new(seed(number))));
                assert_eq!(one, two, "equal knowledge and equal dice give equal samples");
            }
        }
        judged += state.history.actions.iter().filter(|action| matches!(action, DeckAction::Judged { .. })).count();
    }
    judged
}

/// What the viewer has seen of the history: everything public, and the cards they drew and returned themselves.
fn seen_of(state: &State, eyes: Eyes) -> Vec<DeckAction> {
    let seen = |action: &DeckAction| match action {
        DeckAction::Drew { seat, .. } | DeckAction::Kept { seat, .. } => eyes.see(*seat),
        DeckAction::Shipped { .. } | DeckAction::Judged { .. } => true,
    };
    state.history.actions.iter().copied().filter(seen).collect()
}

/// Replays the history with hands and a queue, and checks that every card comes from where it can be.
fn consistent(state: &State) {
    let mut deck: Vec<_> = state.history.shuffled.clone();
    let (mut hands, mut drawn) = ([Objectives::NONE; 2], [Objectives::NONE; 2]);
    for action in &state.history.actions {
        match *action {
            DeckAction::Drew { seat, cards } => {
                let top: Objectives = deck.drain(..usize::from(cards.len())).collect();
                assert_eq!(top, cards, "cards are drawn from the top");
                drawn[seat.index()] = cards;
            }
            DeckAction::Kept { seat, back } => {
                let back_set: Objectives = back.into_iter().collect();
                let cards = std::mem::take(&mut drawn[seat.index()]);
                assert!(back_set.without(cards).is_empty(), "a card put back was drawn");
                hands[seat.index()] = hands[seat.index()].with(cards.without(back_set));
                deck.extend(back);
            }
            DeckAction::Shipped { seat, objectives } => {
                assert!(objectives.without(hands[seat.index()]).is_empty(), "a card completed was in hand");
                hands[seat.index()] = hands[seat.index()].without(objectives);
            }
            DeckAction::Judged { objects, dry } => {
                let piles = Objects::all().without(objects[0].with(objects[1])).expect("from the piles");
                let able = |seat: usize| hands[seat].iter().any(|card| objects[seat].with(piles).cover(card.needs()));
                assert_eq!(able(0) || able(1), !dry, "what was seen of the hands is true of them");
            }
        }
    }
    assert_eq!((&deck, &deck), (&state.deck, &deck_by_the_past(state)));
    for (seat, area) in state.areas.iter().enumerate() {
        assert_eq!((area.hand, area.drawn), (hands[seat], drawn[seat]));
    }
}
