//! Canonical resampling: what `resample` returns may depend only on what the viewer knows and on the dice, so that a
//! search over resampled states can't use hidden information.
//!
//! Like the checks of `hiding.rs`, this one returns the fault it finds instead of panicking, because `leaks.rs` tests
//! that it finds faults made on purpose.

use crate::{
    hiding::{PLAYED_ON, same},
    table::{Table, every_game, may_give_up, seed},
};
use ludotheque_rules::{Dice, Eyes, catalog::Catalog};
use std::collections::BTreeMap;

/// What was compared, to show that the check had something to find.
#[derive(Debug, Default)]
pub struct Compared {
    /// The number of moves played in two worlds at once, while they looked the same to the viewer.
    pub played_on: usize,
    /// Pairs of worlds that look the same and differ in something hidden.
    pub different: usize,
}

pub fn equal_knowledge_and_equal_dice_are_resampled_to_equal_bytes(catalog: Catalog) {
    let (mut of_kinds, mut peeks) = (BTreeMap::<_, Compared>::new(), BTreeMap::new());
    for (rules, seats, game) in every_game(catalog, 2) {
        let (mut table, _) = Table::start(rules, seats, game);
        let kind = rules.info().kind;
        let sum = of_kinds.entry(kind).or_default();
        match compare_worlds(&mut table, game) {
            Ok(compared) => {
                sum.played_on += compared.played_on;
                sum.different += compared.different;
            }
            Err(peek) => {
                peeks.entry(kind).or_insert(peek);
            }
        }
    }
    assert!(
        peeks.is_empty(),
        "the resampling of {:?} uses hidden information: {}",
        peeks.keys(),
        peeks.values().next().map_or("", String::as_str)
    );
    for rules in catalog.all() {
        let compared = &of_kinds[rules.info().kind];
        assert!(compared.played_on > 0, "no two worlds of {} were played on together", rules.info().kind);
        let differ = compared.different > 0;
        assert_eq!(
            differ,
            rules.info().hidden,
            "{}: `hidden` must be true exactly if resampling changes something",
            rules.info().kind
        );
    }
}

/// Plays a random game to its end. At several points, the last one included, and for every viewer, resamples the state
/// twice. This gives two more worlds that look the same to the viewer: resampling any of the three with equal dice must
/// give equal bytes. Then plays the real world and one of the others on while they look the same, and resamples both
/// after every move.
pub fn compare_worlds(table: &mut Table, game: u64) -> Result<Compared, String> {
    let mut chance = Dice::new(seed(11_000 + game));
    let mut compared = Compared::default();
    loop {
        for eyes in table.all_eyes() {
            let mut draw = || Table { state: table.rules.resample(&table.state, eyes, &mut chance), ..table.clone() };
            let (one, two) = (draw(), draw());
            compared.different += usize::from(one.bytes() != two.bytes());
            for world in [&one, &two] {
                look_the_same(table, world, eyes)?;
                resample_alike(table, world, eyes, &mut chance)?;
            }
            compared.played_on += play_on(table.clone(), one, eyes, &mut chance)?;
        }
        if table.outcome().is_some() {
            return Ok(compared);
        }
        if let Some(leaving) = may_give_up(table, &mut chance) {
            table.resign(&leaving);
        }
        let moves = 1 + chance.index(10);
        table.stroll(moves, &mut chance);
    }
}

/// Plays both worlds on with the same dice until the viewer can tell them apart, and resamples them after every move.
/// Other seats may make different moves, as long as view and events are the same. Returns the number of moves.
fn play_on(mut real: Table, mut other: Table, eyes: Eyes, chance: &mut Dice) -> Result<usize, String> {
    for moves in 0..PLAYED_ON {
        let Some((seat, mv)) = real.any_move(chance) else { return Ok(moves) };
        other.now = real.now;
        let mut candidates = other.legal(seat);
        candidates.retain(|candidate| eyes != Eyes::Seat(seat) || candidate.id == mv.id);
        chance.shuffle(&mut candidates);
        let events = real.play(seat, &mv);
        let (seen, told) = (real.view(eyes), real.told(&events, eyes));
        let alike = candidates.iter().find_map(|candidate| {
            let mut world = other.clone();
            let events = world.play(seat, candidate);
            (world.view(eyes) == seen && world.told(&events, eyes) == told).then_some(world)
        });
        let Some(world) = alike else { return Ok(moves) };
        other = world;
        resample_alike(&real, &other, eyes, chance)?;
    }
    Ok(PLAYED_ON)
}

fn look_the_same(real: &Table, other: &Table, eyes: Eyes) -> Result<(), String> {
    same("the turn", eyes, &real.rules.turn(&real.state), &other.rules.turn(&other.state))?;
    same("the view", eyes, &real.view(eyes), &other.view(eyes))?;
    match eyes {
        Eyes::Seat(seat) => same("a legal move", eyes, &real.ids(seat), &other.ids(seat)),
        Eyes::Spectator | Eyes::Replay => Ok(()),
    }
}

/// Resamples two worlds that look the same to the viewer, with equal dice: the bytes must be equal. It draws two
/// samples in a row, as a search does: if the first two used the dice a different number of times, the second two
/// differ.
fn resample_alike(real: &Table, other: &Table, eyes: Eyes, chance: &mut Dice) -> Result<(), String> {
    let number = u64::from(chance.below(u32::MAX));
    let resample = |table: &Table| {
        let mut dice = Dice::new(seed(number));
        [(); 2].map(|()| table.rules.resample(&table.state, eyes, &mut dice))
    };
    for (one, two) in resample(real).iter().zip(&resample(other)) {
        if real.rules.encode_state(one) != real.rules.encode_state(two) {
            let [one, two] = [one, two].map(|state| real.rules.draw(state));
            let (real, other) = (real.drawing(), other.drawing());
            return Err(format!(
                "{eyes:?} can't tell apart\n{real}\n\n{other}\n\nbut equal dice resample them to\n{one}\n\n{two}"
            ));
        }
    }
    Ok(())
}
