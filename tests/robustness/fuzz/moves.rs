//! Moves and options of every kind, as notation and as JSON: whatever is sent is read or refused, what is read has one
//! notation, and what is played is exactly what is listed.

use crate::fuzz::mutate::{self, Change};
use crate::fuzz::{Fate, fuzz, world};
use ludotheque::rules::any::{AnyMove, AnyRules, AnyState};
use ludotheque::rules::{Dice, Instant, Seat, catalog};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// A game of some kind, somewhere on its way.
#[derive(Debug)]
struct Played {
    state: AnyState,
    seats: u8,
    dice: Dice,
}

const NOW: Instant = Instant(1_700_000_000_000);

fn play(rules: &dyn AnyRules, seed: u64, steps: usize) -> Played {
    let mut chance = world::dice(!seed);
    let info = rules.info();
    let seats: Vec<_> = info.seats.clone().collect();
    let seats = seats[chance.index(seats.len())];
    let options = rules.read_options(&json!({}), seats).expect("every option has a default");
    let mut dice = world::dice(seed);
    let mut state = rules.setup(&options, seats, NOW, &mut dice).state;
    for _ in 0..steps {
        let moves: Vec<_> = (0..seats)
            .flat_map(|seat| rules.legal(&state, Seat(seat), NOW).into_iter().map(move |mv| (Seat(seat), mv)))
            .collect();
        if moves.is_empty() {
            break;
        }
        let (seat, mv) = &moves[chance.index(moves.len())];
        state = rules.play(&state, *seat, mv, NOW, &mut dice).expect("it is listed").state;
    }
    Played { state, seats, dice }
}

/// What was read is played if and only if it does what a listed move does, and leaves the table whole. It may be listed
/// under a longer name: some moves go by a short one, too.
fn judge(rules: &dyn AnyRules, played: &Played, seat: Seat, mv: &AnyMove) -> Result<(), TestCaseError> {
    let again = rules.parse_move(&mv.id).map(|again| again.id);
    prop_assert_eq!(again.as_ref(), Some(&mv.id), "a notation reads back as itself");
    let plays = |mv: &AnyMove| rules.play(&played.state, seat, mv, NOW, &mut played.dice.clone());
    let legal = rules.legal(&played.state, seat, NOW);
    let listed = legal.iter().any(|legal| legal.id == mv.id);
    let foreseen = rules.preview(&played.state, seat, mv, NOW).is_ok();
    match plays(mv) {
        Ok(next) => {
            let state = rules.encode_state(&next.state);
            let like = |legal: &AnyMove| plays(legal).is_ok_and(|next| rules.encode_state(&next.state) == state);
            prop_assert!(listed || legal.iter().any(like), "{} was played, though nothing like it is listed", mv.id);
            prop_assert_eq!(rules.invariants(&next.state), Ok(()));
            prop_assert!(foreseen, "{} can be played, and not be foreseen", mv.id);
        }
        Err(illegal) => prop_assert!(!listed && !foreseen, "{} is listed or foreseen, and refused: {illegal:?}", mv.id),
    }
    Ok(())
}

/// A kind, a game of it, one of its moves, and what is done to that.
type Input = (Index, u64, usize, Index, Vec<Change>);

fn inputs() -> impl Strategy<Value = Input> {
    (any::<Index>(), any::<u64>(), 0..60_usize, any::<Index>(), mutate::changes())
}

fn check((kind, seed, steps, which, changes): Input) -> Result<Fate, TestCaseError> {
    let kinds: Vec<_> = catalog::BUILT_IN.all().collect();
    let rules = *kind.get(&kinds);
    let played = play(rules, seed, steps);
    let seat = Seat(u8::try_from(which.index(usize::from(played.seats))).unwrap());
    let legal: Vec<_> =
        (0..played.seats).flat_map(|seat| rules.legal(&played.state, Seat(seat), NOW)).map(|mv| mv.id).collect();
    let sound = if legal.is_empty() { String::new() } else { which.get(&legal).clone() };

    let read = rules.parse_move(&mutate::text(&sound, &changes));
    let fate = Fate::of(read.is_some());
    if let Some(mv) = read {
        judge(rules, &played, seat, &mv)?;
    }
    if let Some(mv) = rules.parse_move(&sound) {
        judge(rules, &played, seat, &mv)?;
        let described: Value = serde_json::to_value(rules.describe(&played.state, seat, &mv).mv).unwrap();
        let same = rules.read_move(&described).map(|mv| mv.id);
        prop_assert_eq!(same.ok(), Some(mv.id), "JSON and notation say the same");
        if let Ok(mv) = rules.read_move(&mutate::json(&described, &changes)) {
            judge(rules, &played, seat, &mv)?;
        }
    }
    let defaults = rules.read_options(&json!({}), played.seats).expect("every option has a default");
    let options = mutate::json(&defaults, &changes);
    if let Ok(read) = rules.read_options(&options, played.seats) {
        let state = rules.setup(&read, played.seats, NOW, &mut world::dice(seed)).state;
        prop_assert_eq!(rules.invariants(&state), Ok(()), "options {}", read);
    }
    Ok(fate)
}

#[test]
#[ignore = "slow: tries inputs for 20 seconds"]
fn whatever_is_sent_as_a_move_is_read_or_refused_and_played_only_if_it_is_listed() {
    fuzz("tests/robustness/fuzz/regressions/moves.txt", &inputs(), check);
}
