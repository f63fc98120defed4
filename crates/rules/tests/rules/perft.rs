//! Perft: the number of move sequences from a position. The counts are in `perft/<slug>.txt`. A second, naive move
//! generator, written from the rulebook alone, must list the same moves at every position on the way.

use crate::kit::table::{Table, parse, seed};
use ludotheque_rules::{Dice, Eyes, Instant, Seat, catalog};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path};

/// Lists the moves of a seat, using only its view and the time.
type Naive = fn(view: &Value, seat: Seat, now: Instant) -> BTreeSet<String>;

/// The naive generator of a kind.
fn naive(kind: &str) -> Naive {
    match kind {
        "CHIPS" => |view, seat, _| crate::chips::naive_moves(view, seat),
        "LOADING" => crate::loading::naive_moves,
        "SANTA_RESCUE" => |view, seat, _| crate::santa_rescue::naive_moves(view, seat),
        "TOY_RUSH" => |view, seat, _| crate::toy_rush::naive_moves(view, seat),
        "TOYS_GO_GO_GO" => |view, seat, _| crate::toys_go_go_go::naive_moves(view, seat),
        _ => panic!("{kind} has no naive generator: write one beside its rulebook tests and name it here"),
    }
}

/// A line of the file: position, depth and number of sequences.
struct Count {
    seats: u8,
    seed: u64,
    played: usize,
    depth: u32,
    paths: u64,
}

fn counts(slug: &str) -> Vec<Count> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/rules/perft/{slug}.txt"));
    let text = fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let numbers: Vec<u64> = line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let [seats, seed, played, depth, paths] = numbers[..] else { panic!("five numbers, not {line:?}") };
        Count {
            seats: seats.try_into().expect("few seats"),
            seed,
            played: played.try_into().expect("few moves"),
            depth: depth.try_into().expect("not deep"),
            paths,
        }
    };
    lines.map(read).collect()
}

#[test]
fn every_kind_has_as_many_paths_as_counted() {
    for rules in catalog::BUILT_IN.all() {
        let counts = counts(rules.info().slug);
        assert!(!counts.is_empty(), "{} has no counts", rules.info().kind);
        for Count { seats, seed: n, played, depth, paths } in counts {
            let (mut table, _) = Table::start(rules, seats, n);
            table.stroll(played, &mut Dice::new(seed(n)));
            let counted = count(&table, depth, naive(rules.info().kind));
            assert_eq!(counted, paths, "{seats} seats, seed {n}, after {played} moves, depth {depth}");
        }
    }
}

/// Any seat may move next, so sequences that differ in the order of seats count separately.
fn count(table: &Table, depth: u32, naive: Naive) -> u64 {
    let mut paths = 0;
    for seat in table.all_seats() {
        let moves = table.legal(seat);
        let listed: BTreeSet<_> = moves.iter().map(|mv| mv.id.clone()).collect();
        let naively = naive(&parse(&table.view(Eyes::Seat(seat))), seat, table.now);
        assert_eq!(listed, naively, "seat {seat}\n{}", table.drawing());
        if depth == 1 {
            paths += moves.len() as u64;
            continue;
        }
        for mv in moves {
            let mut next = table.clone();
            next.play(seat, &mv);
            paths += count(&next, depth - 1, naive);
        }
    }
    paths
}
