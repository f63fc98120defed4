//! Benchmarks of the rules alone: `cargo bench --bench rules`.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use ludotheque_rules::{
    Dice, Eyes, Instant, Rules, Seat, Seed, Turn,
    any::{Adapter, AnyRules},
    chips::Chips,
    loading::Loading,
    santa_rescue::{SantaRescue, sheets, solver},
    toy_rush::ToyRush,
    toys_go_go_go::ToysGoGoGo,
};
use std::hint::black_box;

const NOW: Instant = Instant(0);

/// Every position of some random games, each with a seat that the game waits for.
fn positions<R: Rules>() -> Vec<(R::State, Seat)> {
    let mut positions = Vec::new();
    for (game, seats) in (0..20).zip(R::INFO.seats.cycle()) {
        let mut dice = Dice::new(Seed([game; 32]));
        let mut state = R::setup(&R::Options::default(), seats, NOW, &mut dice).state;
        while let Turn::Waiting(seats) = R::turn(&state) {
            positions.push((state.clone(), seats[0]));
            state = play_one::<R>(&state, seats[0], &mut dice);
        }
    }
    positions
}

/// Lists the legal moves and plays one of them.
fn play_one<R: Rules>(state: &R::State, seat: Seat, dice: &mut Dice) -> R::State {
    let moves = R::legal(state, seat, NOW);
    let mv = &moves[dice.index(moves.len())];
    R::play(state, seat, mv, NOW, dice).expect("a listed move").state
}

fn kind<R: Rules>(criterion: &mut Criterion) {
    let positions = positions::<R>();
    let mut next = positions.iter().cycle();
    let mut position = move || next.next().expect("a cycle has no end");
    let mut dice = Dice::new(Seed([1; 32]));
    let rules = Adapter::<R>::new();
    let mut group = criterion.benchmark_group(R::INFO.slug);
    group.bench_function("legal + play", |bencher| {
        bencher.iter_batched(
            &mut position,
            |(state, seat)| play_one::<R>(state, *seat, &mut dice),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("legal + effects", |bencher| {
        bencher.iter_batched(
            &mut position,
            |(state, seat)| {
                let moves = R::legal(state, *seat, NOW);
                moves.iter().map(|mv| R::effect(state, *seat, mv)).collect::<Vec<_>>()
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("view", |bencher| {
        bencher.iter_batched(&mut position, |(state, seat)| R::view(state, Eyes::Seat(*seat)), BatchSize::SmallInput);
    });
    group.bench_function("state encode", |bencher| {
        bencher.iter_batched(&mut position, |(state, _)| postcard::to_stdvec(state), BatchSize::SmallInput);
    });
    let mut bytes = positions.iter().map(|(state, _)| postcard::to_stdvec(state).expect("plain data")).cycle();
    group.bench_function("state decode", |bencher| {
        let next = || bytes.next().expect("a cycle has no end");
        bencher.iter_batched(next, |bytes| black_box(rules.decode_state(&bytes)).is_ok(), BatchSize::SmallInput);
    });
    let listed = |(state, seat): &(R::State, Seat)| R::legal(state, *seat, NOW)[0].clone();
    let mut first = positions.iter().map(|position| (position, listed(position))).cycle();
    group.bench_function("play", |bencher| {
        let next = || first.next().expect("a cycle has no end");
        bencher.iter_batched(
            next,
            |((state, seat), mv)| R::play(state, *seat, &mv, NOW, &mut dice).is_ok(),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

/// Solves the last day, which has all powers and the longest rows.
fn solve(criterion: &mut Criterion) {
    let (puzzle, powers) = (sheets::Campaign::built_in().puzzle(sheets::DAYS), sheets::powers_on(sheets::DAYS));
    criterion
        .bench_function("santa_rescue/solve", |bencher| bencher.iter(|| solver::solve(black_box(puzzle), &powers)));
}

criterion_group!(
    benches,
    kind::<Chips>,
    kind::<Loading>,
    kind::<SantaRescue>,
    kind::<ToyRush>,
    kind::<ToysGoGoGo>,
    solve
);
criterion_main!(benches);
