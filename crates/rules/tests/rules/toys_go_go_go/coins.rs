//! Coins: what touches what, what counts, and how coins show. The rulebook's three examples are here.

use super::{after, check, draw, play, start, table};
use ludotheque_rules::{
    Eyes, Rules, Seat,
    toys_go_go_go::{EventView, Tile, Toy, ToyType, ToysGoGoGo},
};
use std::sync::Arc;

fn toys(number: u8) -> [Toy; 3] {
    super::tile(number).face().toys
}

/// Tile 28 has a flamingo ring, tile 3 a bear.
const BEFORE_EXAMPLE_1: &str = "
     PP  PD
    D28PP$$D
    D  SS  V
     DS  SV
     VV
    D 3P
    D  P
     PP
";

#[test]
fn example_1_rabbit_rocket_and_tricycle_earn_2_and_1_and_2_coins() {
    assert_eq!(toys(34), [Toy::Rabbit, Toy::Rocket, Toy::Tricycle]);
    assert!(toys(3).contains(&Toy::Bear) && toys(28).contains(&Toy::FlamingoRing));
    check(BEFORE_EXAMPLE_1, "lay 34 at 1,0", "5 coins, PLUSH 2, VEHICLES 1, SPORTS 2");
}

/// As after example 1, with tile 53, which has a fire engine.
const BEFORE_EXAMPLE_2: &str = "
     PP  PD
    D28PP$$D
    D  SS  V
     DS  SV
     VV  SV  VV
    D 3PS34VD53S
    D  PP  VD  S
     PP  PV  DD
";

#[test]
fn example_2_tricycle_robot_and_train_earn_3_coins_for_three_vehicles_joined() {
    assert_eq!(toys(50), [Toy::Robot, Toy::Train, Toy::Tricycle]);
    assert!(toys(53).contains(&Toy::FireEngine) && toys(34).contains(&Toy::Rocket));
    check(BEFORE_EXAMPLE_2, "lay 50 at 0,1", "3 coins, VEHICLES 3");
}

/// As after example 2, with tile 2, which has a cat. A crane, a fire engine, a rocket and a train are there.
const BEFORE_EXAMPLE_3: &str = "
         VP
        V 2P
        D  P
         DP
     PP  PD  SD
    D28PP$$DS50D
    D  SS  VV  D
     DS  SV  VD
     VV  SV  VV
    D 3PS34VD53S
    D  PP  VD  S
     PP  PV  DD
";

#[test]
fn example_3_rabbit_car_and_flamingo_earn_2_coins_and_the_fifth_vehicle_wins_the_collection() {
    assert_eq!(toys(36), [Toy::Rabbit, Toy::Car, Toy::FlamingoRing]);
    check(BEFORE_EXAMPLE_3, "lay 36 at -1,1", "2 coins, PLUSH 2, takes VEHICLES");
}

#[test]
fn a_zone_that_touches_nothing_of_its_colour_earns_nothing() {
    check(BEFORE_EXAMPLE_1, "lay 56 at 2,-1", "0 coins");
}

#[test]
fn a_zone_of_the_register_connects_but_holds_no_toy() {
    let register = "
         PD
        P$$D
        S  V
         SV
    ";
    check(register, "lay 60 at 1,0", "1 coins, VEHICLES 1");
}

/// The plush zones of tiles 36, 29 and 3 are one, and reach the free corner from two sides.
const AROUND_A_CORNER: &str = "
     VV
    D 3P
    D  P
     PP
     DP  PS
    D29PP36S
    D  PV  V
     SS  VV
         PD
        P$$D
        S  V
         SV
";

#[test]
fn a_continuous_zone_is_counted_once_however_many_half_sides_reach_it() {
    check(AROUND_A_CORNER, "lay 34 at -2,0", "4 coins, PLUSH 4");
}

#[test]
fn the_events_tell_which_zones_earned_the_coins() {
    let next = play(&table(draw(BEFORE_EXAMPLE_1), &[34]), 0, "lay 34 at 1,0");
    let told = ToysGoGoGo::tell(&next.events[0], Eyes::Spectator).expect("told to all");
    let EventView::Laid { seat, tile, row, column, coins, zones } = told else { panic!("{told:?}") };
    assert_eq!((seat, tile.number(), row, column, coins), (Seat(0), 34, 1, 0, 5));
    let zones: Vec<_> = zones.iter().map(|zone| (zone.toy_type, zone.coins)).collect();
    assert_eq!(zones, [(ToyType::Plush, 2), (ToyType::Vehicles, 1), (ToyType::Sports, 2)]);
}

#[test]
fn the_view_shows_zones_that_run_on_from_tile_to_tile() {
    let state = play(&table(draw(BEFORE_EXAMPLE_1), &[34]), 0, "lay 34 at 1,0").state;
    let zones = &ToysGoGoGo::view(&state, Eyes::Spectator).seats[0].zones;
    let zone = |colour: ToyType, number: u8| {
        let has = |tiles: &[Tile]| tiles.iter().any(|tile| tile.number() == number);
        let zone = zones.iter().find(|zone| zone.toy_type == colour && has(&zone.tiles)).expect("a zone of the tile");
        (zone.tiles.iter().map(|tile| tile.number()).collect::<Vec<_>>(), zone.register)
    };
    assert_eq!(zone(ToyType::Plush, 34), (vec![3, 34], false));
    assert_eq!(zone(ToyType::Vehicles, 34), (vec![34], true));
    assert_eq!(zone(ToyType::Sports, 34), (vec![28, 34], true));
    assert_eq!(zones.iter().map(|zone| zone.tiles.len()).sum::<usize>(), 3 * 3, "every toy is in one zone");
}

#[test]
fn ten_coins_are_a_banknote_and_the_track_goes_from_1_to_10() {
    for (coins, banknotes, track_place) in [(0, 0, 1), (9, 0, 10), (10, 1, 1), (27, 2, 8), (1_234, 123, 5)] {
        let mut state = start(2);
        Arc::make_mut(&mut state.shops[1]).coins = coins;
        let seen = &ToysGoGoGo::view(&state, Eyes::Spectator).seats[1];
        assert_eq!((seen.coins, seen.banknotes, seen.track_place), (coins, banknotes, track_place));
    }
}

#[test]
fn a_banknote_comes_on_passing_10() {
    let mut state = table(draw(BEFORE_EXAMPLE_1), &[34]);
    Arc::make_mut(&mut state.shops[0]).coins = 8;
    let seen = &ToysGoGoGo::view(&play(&state, 0, "lay 34 at 1,0").state, Eyes::Spectator).seats[0];
    assert_eq!((seen.coins, seen.banknotes, seen.track_place), (13, 1, 4));
}

#[test]
fn coins_are_kept_seat_by_seat() {
    let state = after(9, start(3));
    let before: Vec<_> = state.shops.iter().map(|shop| shop.coins).collect();
    let next = super::lay_any(&state);
    let changed = (0..3).filter(|seat| next.state.shops[*seat].coins != before[*seat]);
    assert!(changed.into_iter().all(|seat| seat == state.turn.index()));
}
