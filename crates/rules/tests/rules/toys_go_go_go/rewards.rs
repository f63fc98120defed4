//! Rewards: Collections while the game is on, Showcases when the shops are full, and when they are paid.

use super::{NOW, build, finished, play, start};
use crate::kit::table::seed;
use ludotheque_rules::{
    Dice, Eyes, Next, Rules, Seat,
    toys_go_go_go::{Cell, Event, LaidTile, Move, Reason, Register, State, Tile, Toy, ToyType, ToysGoGoGo},
};
use std::{collections::BTreeSet, sync::Arc};

/// Full shops, drawn by the toys that matter: `bear`, or `bear+car` for a tile with both, `no-plush` for a tile without
/// any of a type, `any`, and `$$` for the register. One place is still free, the last of the last shop.
fn nearly_full(grids: &[&str]) -> (State, Move) {
    let mut used = BTreeSet::new();
    let mut shops: Vec<_> = grids.iter().map(|grid| stock(grid, &mut used)).collect();
    let last = shops.last_mut().and_then(Vec::pop).expect("a shop with tiles");
    let mut state = start(u8::try_from(grids.len()).expect("few seats"));
    state.size = u8::try_from(grids[0].trim().lines().count()).expect("few rows");
    state.shops = shops.iter().zip(Register::all()).map(|(laid, register)| Arc::new(build(register, laid))).collect();
    state.collections = ToyType::ALL
        .map(|toy_type| state.shops().find(|(_, shop)| shop.has_collection(toy_type)).map(|(seat, _)| seat));
    let mut rest: Vec<_> = Tile::all().filter(|tile| !used.contains(tile)).collect();
    state.open = rest.drain(..3).chain([last.tile]).collect();
    state.stack = rest;
    (state.first, state.turn) = (Seat(0), Seat(state.seats() - 1));
    ToysGoGoGo::invariants(&state).unwrap_or_else(|broken| panic!("{broken}\n{}", ToysGoGoGo::draw(&state)));
    (state, Move::Lay { tile: last.tile, row: last.place.row, column: last.place.column })
}

/// For each word of the grid a tile that was not used yet.
fn stock(grid: &str, used: &mut BTreeSet<Tile>) -> Vec<LaidTile> {
    let rows: Vec<Vec<_>> = grid.trim().lines().map(|line| line.split_whitespace().collect()).collect();
    let words =
        || (0..).zip(&rows).flat_map(|(row, words)| (0..).zip(words).map(move |(column, word)| (row, column, *word)));
    let (top, left, _) = words().find(|(_, _, word)| *word == "$$").expect("a shop has a register");
    let tiles = words().filter(|(_, _, word)| *word != "$$");
    tiles
        .map(|(row, column, word)| {
            let tile = Tile::all().find(|tile| !used.contains(tile) && fits(*tile, word));
            let tile = tile.unwrap_or_else(|| panic!("no tile is left for {word}"));
            used.insert(tile);
            LaidTile { tile, place: Cell { row: row - top, column: column - left } }
        })
        .collect()
}

fn fits(tile: Tile, word: &str) -> bool {
    let toys = tile.face().toys;
    let id = |text: &str| text.to_uppercase().replace('-', "_");
    match word.strip_prefix("no-") {
        Some(none) => toys.iter().all(|toy| toy.toy_type().id() != id(none)),
        None if word == "any" => true,
        None => word.split('+').all(|name| toys.iter().any(|toy| toy.id() == id(name))),
    }
}

fn finish((state, mv): &(State, Move)) -> Next<ToysGoGoGo> {
    ToysGoGoGo::play(state, state.turn, mv, NOW, &mut Dice::new(seed(7))).expect("the last tile can be laid")
}

/// The highest count of the type and who has it, as it was told.
fn showcase(next: &Next<ToysGoGoGo>, wanted: ToyType) -> Option<(u8, Vec<u8>)> {
    next.events.iter().find_map(|event| match event {
        Event::ShowcaseWon { toy_type, count, seats } if *toy_type == wanted => {
            Some((*count, seats.iter().map(|seat| seat.0).collect()))
        }
        _ => None,
    })
}

#[test]
fn the_example_5_bears_against_7_dogs_the_dogs_win_the_showcase() {
    let position = nearly_full(&[
        "
        $$      bear    bear    bear
        bear    bear    unicorn unicorn
        unicorn unicorn rabbit  rabbit
        rabbit  rabbit  cat     cat
        ",
        "
        $$       dog      dog     dog
        dog      dog      dog     dog
        unicorn  unicorn  unicorn cat
        no-plush no-plush cat     cat
        ",
    ]);
    let next = finish(&position);
    assert_eq!(showcase(&next, ToyType::Plush), Some((7, vec![1])));
    let view = ToysGoGoGo::view(&next.state, Eyes::Spectator);
    assert_eq!(view.rewards[0].showcase, [Seat(1)]);
    assert_eq!(view.seats.iter().map(|seat| seat.toys_by_type[0].showcase).collect::<Vec<_>>(), [5, 7]);
}

#[test]
fn all_tied_players_win_a_showcase() {
    let dogs = "
        $$       dog      dog
        no-plush no-plush no-plush
        no-plush no-plush no-plush
    ";
    let next = finish(&nearly_full(&[dogs, &dogs.replace("dog", "cat")]));
    assert_eq!(showcase(&next, ToyType::Plush), Some((2, vec![0, 1])));
}

#[test]
fn a_count_of_0_wins_no_showcase() {
    let none = "
        $$       no-plush no-plush
        no-plush no-plush no-plush
        no-plush no-plush no-plush
    ";
    let next = finish(&nearly_full(&[none, none]));
    assert_eq!(showcase(&next, ToyType::Plush), None);
    assert_eq!(ToysGoGoGo::view(&next.state, Eyes::Spectator).rewards[0].showcase, []);
}

#[test]
fn showcases_are_won_when_the_shops_are_full_and_not_before() {
    let (state, _) = nearly_full(
        &["
        $$  any any
        any any any
        any any any
    "; 2],
    );
    let view = ToysGoGoGo::view(&state, Eyes::Spectator);
    assert!(view.rewards.iter().all(|rewards| rewards.showcase.is_empty()));
    assert!(view.seats.iter().any(|seat| seat.toys_by_type[0].showcase > 0), "the counts are shown all the same");
}

/// One of the five plush toys and one of the five vehicles are missing; the open tile brings both.
const ONE_OF_EACH_MISSING: &str = "
    $$           unicorn+train   cat+rocket
    bear         dog+fire-engine crane
    no-plush     no-plush        rabbit+car
";

#[test]
fn one_tile_may_win_several_collections() {
    let (mut state, mv) = nearly_full(&[
        "
        $$       no-plush no-plush
        no-plush no-plush no-plush
        no-plush no-plush no-plush
    ",
        ONE_OF_EACH_MISSING,
    ]);
    state.collections = [None; 4]; // as if the other shop had completed nothing
    let next = ToysGoGoGo::play(&state, Seat(1), &mv, NOW, &mut Dice::new(seed(7))).expect("a legal move");
    let taken = |toy_type| next.events.contains(&Event::CollectionTaken { seat: Seat(1), toy_type });
    assert!(taken(ToyType::Plush) && taken(ToyType::Vehicles));
    assert_eq!(next.state.collections[ToyType::Plush as usize], Some(Seat(1)));
}

#[test]
fn a_collection_that_was_taken_can_not_be_taken_again() {
    let (mut state, mv) = nearly_full(&[
        "
        $$       no-plush no-plush
        no-plush no-plush no-plush
        no-plush no-plush no-plush
    ",
        ONE_OF_EACH_MISSING,
    ]);
    state.collections = [Some(Seat(0)); 4];
    let next = ToysGoGoGo::play(&state, Seat(1), &mv, NOW, &mut Dice::new(seed(7))).expect("a legal move");
    assert!(next.state.shops[1].has_collection(ToyType::Plush));
    assert!(!next.events.iter().any(|event| matches!(event, Event::CollectionTaken { .. })));
    assert_eq!(next.state.collections, state.collections);
}

#[test]
fn the_first_player_whose_shop_has_all_five_toys_takes_the_collection_connected_or_not() {
    for game in 0..40 {
        let mut owners = [None; 4];
        let mut stock = vec![BTreeSet::<Toy>::new(); 3];
        for event in &finished(3, game).events {
            match event {
                Event::Laid { seat, tile, .. } => stock[seat.index()].extend(tile.face().toys),
                Event::CollectionTaken { seat, toy_type } => {
                    assert!(toy_type.toys().all(|toy| stock[seat.index()].contains(&toy)));
                    assert_eq!(owners[*toy_type as usize].replace(*seat), None, "each is taken once");
                }
                Event::Opened { .. } => {
                    for toy_type in ToyType::ALL {
                        let complete = stock.iter().any(|toys| toy_type.toys().all(|toy| toys.contains(&toy)));
                        assert_eq!(complete, owners[toy_type as usize].is_some(), "and at once");
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_reward_brings_5_coins_and_only_at_the_end() {
    let (mut state, mv) = nearly_full(
        &["
        $$  any any
        any any any
        any any any
    "; 2],
    );
    state.collections = [Some(Seat(0)), Some(Seat(0)), Some(Seat(1)), None];
    for (seat, coins) in [(0, 7), (1, 30)] {
        Arc::make_mut(&mut state.shops[seat]).coins = coins;
    }
    assert_eq!(ToysGoGoGo::view(&state, Eyes::Spectator).seats[0].coins, 7, "a Collection is not paid yet");
    let next = finish(&(state.clone(), mv));
    let Event::Laid { gains, .. } = &next.events[0] else { panic!("{:?}", next.events) };
    let earned = gains.total();
    for (seat, before) in [(0, 7), (1, 30 + earned)] {
        let collections = next.state.collections.iter().filter(|taken| **taken == Some(Seat(seat))).count();
        let won = |toy_type: &ToyType| showcase(&next, *toy_type).is_some_and(|(_, seats)| seats.contains(&seat));
        let rewards =
            u32::try_from(collections + ToyType::ALL.iter().filter(|toy_type| won(toy_type)).count()).expect("few");
        let seen = &ToysGoGoGo::view(&next.state, Eyes::Spectator).seats[usize::from(seat)];
        assert_eq!(seen.coins, before + 5 * rewards);
        assert_eq!((seen.banknotes, seen.track_place), (seen.coins / 10, 1 + seen.coins % 10), "and then they show");
        let paid = Event::Paid { seat: Seat(seat), rewards, coins: 5 * rewards };
        assert_eq!(next.events.contains(&paid), rewards > 0);
    }
}

#[test]
fn rewards_never_run_out() {
    let (mut state, mv) = nearly_full(
        &["
        $$  any any
        any any any
        any any no-plush
    "; 4],
    );
    // As if everybody had the tiles of the last seat: all four win all four Showcases.
    let Move::Lay { tile, row, column } = mv;
    let mut full = Arc::clone(&state.shops[3]);
    Arc::make_mut(&mut full).lay(LaidTile { tile, place: Cell { row, column } }).expect("the free place");
    state.shops[..3].fill(full);
    state.collections = [Some(Seat(0)); 4];
    let next = finish(&(state, mv));
    assert!(
        ToyType::ALL.into_iter().all(|toy_type| showcase(&next, toy_type).is_some_and(|(_, seats)| seats.len() == 4))
    );
    let paid = [(0, 8), (1, 4), (2, 4), (3, 4)].map(|(seat, rewards)| Event::Paid {
        seat: Seat(seat),
        rewards,
        coins: 5 * rewards,
    });
    assert!(next.events.ends_with(&paid), "{:?}", next.events);
}

#[test]
fn a_game_goes_on_until_every_shop_is_full() {
    let (state, mv) = nearly_full(
        &["
        $$  any any any
        any any any any
        any any any any
        any any any any
    "; 3],
    );
    assert_eq!(state.ended, None);
    assert_eq!(play(&state, 2, &mv.to_string()).state.ended, Some(Reason::Full));
}
