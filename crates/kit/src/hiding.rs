//! Hidden-information tests: two states that differ only in what a viewer can't see must look the same to that viewer,
//! byte for byte, now and while both are played on.
//!
//! The checks return the leak they find instead of panicking, because `leaks.rs` tests that they find leaks.

use crate::table::{MOST_MOVES, Table, every_game, may_give_up, parse, seed, strings};
use ludotheque_rules::{
    Dice, Eyes, Seat,
    any::{AnyMove, AnyRules},
    catalog::Catalog,
};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of moves that both states are played on.
pub(crate) const PLAYED_ON: usize = 8;

pub fn nobody_is_told_what_they_must_not_know(catalog: Catalog) {
    let mut played_on = BTreeMap::new();
    for (rules, seats, game) in every_game(catalog, 3) {
        let (mut table, _) = Table::start(rules, seats, game);
        let kind = rules.info().kind;
        let moves = watch(&mut table, game).unwrap_or_else(|leak| panic!("{kind} leaks: {leak}"));
        *played_on.entry(kind).or_insert(0) += moves;
    }
    assert!(played_on.values().all(|moves| *moves > 0), "no two worlds were ever played on together: {played_on:?}");
}

pub fn nobody_is_told_of_a_piece_that_the_view_does_not_show(catalog: Catalog) {
    for (rules, seats, game) in every_game(catalog, 5) {
        if let Err(leak) = listen(rules, seats, game) {
            panic!("{} leaks: {leak}", rules.info().kind);
        }
    }
}

pub fn resampling_changes_what_is_hidden_and_keeps_what_holds(catalog: Catalog) {
    for rules in catalog.all() {
        let (mut redrawn, mut chance) = (0, Dice::new(seed(6_000)));
        for game in 0..20 {
            let (mut table, _) = Table::start(rules, *rules.info().seats.end(), game);
            table.stroll(chance.index(40), &mut chance);
            for eyes in table.all_eyes() {
                let other = rules.resample(&table.state, eyes, &mut chance);
                rules.invariants(&other).expect("a resampled table is a table");
                redrawn += usize::from(rules.encode_state(&other) != table.bytes());
            }
            let open = rules.resample(&table.state, Eyes::Replay, &mut chance);
            assert_eq!(rules.encode_state(&open), table.bytes(), "nothing is hidden from a replay");
        }
        assert_eq!(
            redrawn > 0,
            rules.info().hidden,
            "{}: `hidden` must be true exactly if resampling changes something",
            rules.info().kind
        );
    }
}

/// Plays a random game to its end. Every piece that an event names must be in the view before or after that step. This
/// also covers what comparing two states can't, for example a deal right after bets are revealed.
pub fn listen(rules: &dyn AnyRules, seats: u8, game: u64) -> Result<(), String> {
    let pieces: BTreeSet<_> = rules.glossary().into_iter().map(|(id, _)| id).collect();
    let (mut table, mut events) = Table::start(rules, seats, game);
    let mut chance = Dice::new(seed(4_000 + game));
    let mut before = table.clone();
    for _ in 0..MOST_MOVES {
        for eyes in table.all_eyes() {
            let views = [parse(&before.view(eyes)), parse(&table.view(eyes))];
            let shown: BTreeSet<_> = views.iter().flat_map(strings).collect();
            for event in table.told(&events, eyes) {
                let told = parse(&event);
                if strings(&told).into_iter().any(|word| pieces.contains(word) && !shown.contains(word)) {
                    return Err(format!("{eyes:?} was told {event}"));
                }
            }
        }
        before = table.clone();
        let Some((seat, mv)) = table.any_move(&mut chance) else { break };
        events = match may_give_up(&table, &mut chance) {
            Some(leaving) => table.resign(&leaving),
            None => table.play(seat, &mv),
        };
    }
    Ok(())
}

/// Plays a random game to its end. At several points, compares the state with a resampled one for every viewer and
/// plays both on. Returns how many moves were played on in total.
pub fn watch(table: &mut Table, game: u64) -> Result<usize, String> {
    let mut chance = Dice::new(seed(7_000 + game));
    let mut played_on = 0;
    loop {
        for eyes in table.all_eyes() {
            let other = Table { state: table.rules.resample(&table.state, eyes, &mut chance), ..table.clone() };
            compare(table, &other, eyes, &mut chance)?;
            played_on += play_on(table.clone(), other, eyes, &mut chance)?;
        }
        if let Some(leaving) = may_give_up(table, &mut chance) {
            table.resign(&leaving);
        }
        let moves = 1 + chance.index(10);
        table.stroll(moves, &mut chance);
        if table.outcome().is_some() {
            return Ok(played_on);
        }
    }
}

/// Checks that both states look the same to the viewer, in everything that can be queried without playing.
fn compare(real: &Table, other: &Table, eyes: Eyes, chance: &mut Dice) -> Result<(), String> {
    let rules = real.rules;
    same("the turn", eyes, &rules.turn(&real.state), &rules.turn(&other.state))?;
    same("the view", eyes, &real.view(eyes), &other.view(eyes))?;
    let Eyes::Seat(seat) = eyes else { return Ok(()) };
    let described = |table: &Table| -> Vec<_> {
        let describe = |mv: &AnyMove| {
            let described = rules.describe(&table.state, seat, mv);
            let effect = described.effect.map(|effect| effect.to_json());
            (described.id, described.label, described.mv.to_json(), effect)
        };
        table.legal(seat).iter().map(describe).collect()
    };
    same("a legal move", eyes, &described(real), &described(other))?;
    for mv in real.legal(seat) {
        same("a preview", eyes, &preview(real, seat, &mv), &preview(other, seat, &mv))?;
    }
    for mv in anybodys_moves(real, other, chance) {
        same("a refused preview", eyes, &preview(real, seat, &mv), &preview(other, seat, &mv))?;
        let refusal = |table: &Table| rules.play(&table.state, seat, &mv, table.now, &mut table.dice.clone()).err();
        same("a refusal", eyes, &refusal(real), &refusal(other))?;
    }
    Ok(())
}

/// Everything a seat learns from a preview: events, view and completeness, or the refusal.
fn preview(table: &Table, seat: Seat, mv: &AnyMove) -> Result<(Vec<String>, String, bool), String> {
    let (next, complete) = table.rules.preview(&table.state, seat, mv, table.now).map_err(|why| format!("{why:?}"))?;
    let eyes = Eyes::Seat(seat);
    Ok((table.told(&next.events, eyes), table.rules.view(&next.state, eyes).to_json(), complete))
}

/// Moves to try that are mostly illegal for the viewer: those of all seats, in either state, now and a little later.
fn anybodys_moves(real: &Table, other: &Table, chance: &mut Dice) -> Vec<AnyMove> {
    let mut later = real.clone();
    later.stroll(chance.index(4), chance);
    let mut moves: Vec<_> = [real, other, &later]
        .into_iter()
        .flat_map(|table| table.all_seats().flat_map(|seat| table.legal(seat)))
        .collect();
    chance.shuffle(&mut moves);
    moves.truncate(6);
    moves
}

/// Plays both states on with the same dice until a legitimate difference is revealed. Returns the number of moves.
///
/// Other seats may make different moves in the two states, as long as the viewer can't see a difference. `compare` has
/// shown that the view leaks nothing, so two moves count as the same if they lead to the same view; then their events
/// must be the same too.
fn play_on(mut real: Table, mut other: Table, eyes: Eyes, chance: &mut Dice) -> Result<usize, String> {
    for moves in 0..PLAYED_ON {
        let Some((seat, mv)) = real.any_move(chance) else { return Ok(moves) };
        other.now = real.now;
        let leaving = may_give_up(&real, chance);
        let (events, candidates) = match &leaving {
            Some(leaving) => (real.resign(leaving), vec![mv.clone()]),
            None if eyes == Eyes::Seat(seat) => (real.play(seat, &mv), vec![mv.clone()]),
            None => {
                let mut candidates = other.legal(seat);
                chance.shuffle(&mut candidates);
                (real.play(seat, &mv), candidates)
            }
        };
        let seen = real.view(eyes);
        let alike = candidates.iter().find_map(|candidate| {
            let mut world = other.clone();
            let events = match &leaving {
                Some(leaving) => world.resign(leaving),
                None => world.play(seat, candidate),
            };
            (world.view(eyes) == seen).then_some((world, events))
        });
        let Some((world, mut other_events)) = alike else { return Ok(moves) };
        // Different moves can lead to the same state, for example if a piece goes home at once. Then their events are all
        // that differs, and nothing is hidden: the same move has to be compared.
        if let Some(candidate) = candidates.iter().find(|candidate| leaving.is_none() && candidate.id == mv.id) {
            let mut twin = other.clone();
            let events = twin.play(seat, candidate);
            if twin.bytes() == world.bytes() {
                other_events = events;
            }
        }
        other = world;
        same("an event", eyes, &real.told(&events, eyes), &other.told(&other_events, eyes))?;
        compare(&real, &other, eyes, chance)?;
    }
    Ok(PLAYED_ON)
}

pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, eyes: Eyes, real: &T, other: &T) -> Result<(), String> {
    if real == other { Ok(()) } else { Err(format!("{what} tells {eyes:?} one from the other:\n{real:?}\n{other:?}")) }
}
