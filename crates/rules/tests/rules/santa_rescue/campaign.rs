//! The campaign: boots, the path of eight stages, unlocked powers, shorter campaigns, the end.

use super::{after, begin, elf, give_up, has, win};
use crate::kit::table::seed;
use ludotheque_rules::santa_rescue::{CAMPAIGN_OVER, Event, Options, SantaRescue, State, sheets, stage};
use ludotheque_rules::{Dice, Eyes, Instant, Outcome, Rules, Seat, Turn};
use serde_json::json;

fn outcome(state: &State) -> Outcome {
    match SantaRescue::turn(state) {
        Turn::Over(outcome) => outcome,
        Turn::Waiting(seats) => panic!("it waits for {seats:?}"),
    }
}

fn days(first_day: u8, last_day: u8) -> Options {
    Options { first_day, last_day, ..Options::default() }
}

fn boots(state: &State) -> (u32, u32, u8) {
    let view = SantaRescue::view(state, Eyes::Spectator);
    (view.boots, view.boots_on_offer, view.stage)
}

#[test]
fn the_boots_of_a_day_that_is_won_are_coloured_in_on_the_path() {
    let state = begin(&Options::default(), 1).state;
    assert_eq!(boots(&state), (0, 48, 1));
    assert_eq!(boots(&win(&state)), (1, 48, 1));
    assert_eq!(boots(&give_up(&state)), (0, 48, 1));
}

#[test]
fn won_or_lost_the_unlocked_power_is_written_on_its_elf_for_later_days_but_not_for_this_one() {
    let powers = |state: &State| SantaRescue::view(state, Eyes::Spectator).elves[0].powers.len();
    let open = begin(&days(3, 24), 1).state;
    assert_eq!(powers(&open), 1, "not on the day itself");
    for ended in [win(&open), give_up(&open)] {
        assert_eq!((ended.day, powers(&ended)), (4, 2));
    }
    let next = super::play(&open, 0, "wish");
    let unlocked = Event::PowerUnlocked { elf: elf(1), power: "turn white heart".parse().expect("a power") };
    assert!(has(&next.events, |event| *event == unlocked));
}

#[test]
fn todays_unlock_is_visible_to_all() {
    let state = begin(&days(3, 24), 1).state;
    let view = SantaRescue::view(&state, Eyes::Spectator);
    let unlocks = view.today.expect("open").sheet.unlocks.expect("day 3 unlocks a power");
    assert_eq!((unlocks.elf, unlocks.power.to_string()), (elf(1), "turn white heart".to_owned()));
}

#[test]
fn the_next_day_opens_when_the_last_one_ends() {
    let state = begin(&Options::default(), 2).state;
    let next = super::play(&super::play(&state, 0, "wish").state, 1, "wish");
    assert!(has(&next.events, |event| matches!(event, Event::DayOpened { day: 2, .. })));
    assert_eq!(next.state.day, 2);
}

#[test]
fn in_a_shorter_campaign_the_powers_of_earlier_days_are_already_unlocked() {
    let view = |first| SantaRescue::view(&begin(&days(first, 24), 1).state, Eyes::Spectator);
    let unlocked = |first| view(first).elves.iter().filter(|elf| elf.powers.len() == 2).count();
    assert_eq!([1, 3, 4, 8, 12, 16].map(unlocked), [0, 0, 1, 2, 3, 4]);
}

#[test]
fn a_campaign_has_days_from_1_to_24_in_order() {
    for (first, last, playable) in
        [(1, 24, true), (24, 24, true), (5, 5, true), (0, 24, false), (1, 25, false), (6, 5, false)]
    {
        assert_eq!(SantaRescue::check_options(&days(first, last), 1).is_ok(), playable, "{first} to {last}");
    }
}

#[test]
fn the_options_have_the_defaults_of_the_page() {
    let options = serde_json::to_value(Options::default()).expect("plain data");
    assert_eq!(
        options,
        json!({"calendar": "FREE", "year": null, "timeZone": "UTC", "firstDay": 1, "lastDay": 24, "hints": false,
               "campaignSeed": null})
    );
}

#[test]
fn the_stage_is_the_part_of_the_boots_on_offer_rounded_up_and_at_least_1() {
    let stages = [(0, 1), (1, 1), (6, 1), (7, 2), (12, 2), (13, 3), (42, 7), (43, 8), (48, 8)];
    for (boots, reached) in stages {
        assert_eq!(stage(boots, 48), reached, "{boots} boots");
    }
    assert_eq!([stage(1, 2), stage(2, 2), stage(0, 2)], [4, 8, 1], "in a campaign of two days");
}

#[test]
fn it_ends_after_the_last_day_and_the_outcome_tells_boots_and_stage() {
    let state = begin(&days(1, 2), 2).state;
    let state = win(&state);
    assert!(!state.is_over());
    let last = give_up(&state);
    assert_eq!(boots(&last), (1, 2, 4));
    let over = outcome(&last);
    assert_eq!((over.reason.as_ref(), over.winners.len()), (CAMPAIGN_OVER, 0), "stage 4 is no victory");
    assert_eq!(over.standings.iter().map(|place| (place.rank, place.score)).collect::<Vec<_>>(), [(1, 1); 2]);
    assert_eq!(super::legal(&last, 0), Vec::<String>::new());
}

#[test]
fn the_last_event_tells_the_stage() {
    let state = begin(&days(24, 24), 1).state;
    let next = super::play(&state, 0, "wish");
    let over = Event::CampaignOver { boots: 0, on_offer: 3, stage: 1 };
    assert_eq!(next.events.last(), Some(&over));
}

#[test]
fn the_team_wins_together_at_stage_8() {
    let state = (1..=24).fold(begin(&Options::default(), 4).state, |state, _| win(&state));
    assert_eq!(boots(&state), (48, 48, 8), "all boots together end exactly at stage 8");
    assert_eq!(outcome(&state).winners, (0..4).map(Seat).collect::<Vec<_>>());
}

#[test]
fn six_boots_make_a_stage() {
    let mut state = begin(&Options::default(), 1).state;
    for day in 1..=24 {
        state = win(&state);
        let (won, _, reached) = boots(&state);
        assert_eq!(u32::from(reached), won.div_ceil(6), "day {day}");
    }
}

#[test]
fn a_player_who_left_ranks_after_the_team() {
    let state = begin(&days(24, 24), 3).state;
    let state = SantaRescue::resign(&state, &[Seat(0)], Instant(0), &mut Dice::new(seed(1))).state;
    let over = outcome(&win(&state));
    assert_eq!(over.winners, [Seat(1), Seat(2)]);
    let places: Vec<_> = over.standings.iter().map(|place| (place.seat.0, place.rank, place.score)).collect();
    assert_eq!(places, [(1, 1, 3), (2, 1, 3), (0, 3, 3)]);
}

#[test]
fn the_sheets_are_worth_48_boots_in_all() {
    let boots: Vec<_> = sheets::all_sheets().map(|sheet| sheet.boots).collect();
    assert_eq!(boots, [[1; 8], [2; 8], [3; 8]].concat());
}

#[test]
fn every_day_has_a_monster_of_its_own() {
    let mut monsters: Vec<_> = sheets::all_sheets().map(|sheet| &sheet.monster).collect();
    monsters.sort_unstable();
    monsters.dedup();
    assert_eq!(monsters.len(), 24);
}

#[test]
fn a_played_power_can_not_be_taken_back() {
    let state = after(&begin(&Options::default(), 1).state, &["elf 1 power 1"]);
    let written = super::today(&state).rows.clone();
    for mv in super::legal(&state, 0) {
        let next = super::play(&state, 0, &mv).state;
        let rows = if next.day == 1 { &super::today(&next).rows } else { &next.past[0].rows };
        assert!(rows.starts_with(&written), "{mv}");
    }
}
