//! A day: four powers, any order, won or lost.

use super::{after, ended, give_up, has, legal, play, refusal, row, table, today};
use ludotheque_rules::santa_rescue::{Ending, Event, Row, SantaRescue};
use ludotheque_rules::{Rules, Seat, Turn};

/// Day 1 as we ship it: the star turns black, the bell is copied, the heart becomes a star …
fn first_day(seats: u8) -> ludotheque_rules::santa_rescue::State {
    table(seats, 1, "sgbhg", "SgbbS")
}

fn rows(rows: &[Row]) -> Vec<String> {
    rows.iter().map(Row::to_string).collect()
}

#[test]
fn the_row_starts_as_printed_and_each_power_writes_a_new_row_below() {
    let state = first_day(1);
    assert_eq!(state.row(today(&state)), row("sgbhg"));
    let state = after(&state, &["elf 2 power 1 at 3", "elf 1 power 1"]);
    assert_eq!(rows(&today(&state).rows), ["sgbsg", "SgbSg"]);
}

#[test]
fn exactly_four_powers_are_played_and_then_the_day_is_over() {
    let state = after(&first_day(1), &["elf 3 power 1 at 1", "elf 4 power 1 at 0", "elf 2 power 1 at 3"]);
    assert_eq!((state.day, today(&state).rows.len()), (1, 3));
    let state = after(&state, &["elf 1 power 1"]);
    assert_eq!((state.day, today(&state).rows.len()), (2, 0));
    assert_eq!(state.past.last().map(|past| past.plays.len()), Some(4));
}

#[test]
fn a_played_elf_is_spent_for_the_day_whichever_of_its_powers_it_was() {
    let state = after(&table(1, 4, "shbgH", "bbbbb"), &["elf 1 power 2"]);
    assert_eq!(refusal(&state, 0, "elf 1 power 1"), "spent");
    assert_eq!(refusal(&state, 0, "elf 1 power 2"), "spent");
    assert!(!legal(&state, 0).iter().any(|mv| mv.starts_with("elf 1")), "one power per elf and day");
}

#[test]
fn a_spent_elf_plays_again_on_the_next_day() {
    let state = give_up(&after(&first_day(1), &["elf 2 power 1 at 3"]));
    assert_eq!(state.day, 2);
    assert!(legal(&state, 0).iter().any(|mv| mv.starts_with("elf 2")));
}

#[test]
fn elves_are_played_in_any_order_by_their_holders() {
    let state = first_day(4);
    for seat in 0..4 {
        let own = format!("elf {}", seat + 1);
        let plays: Vec<_> = legal(&state, seat).into_iter().filter(|mv| mv.starts_with("elf")).collect();
        assert!(!plays.is_empty() && plays.iter().all(|mv| mv.starts_with(&own)), "{plays:?}");
        for other in (0..4).filter(|other| *other != seat) {
            assert_eq!(refusal(&state, other, &plays[0]), "not-held");
        }
    }
    let last_first = after(&state, &["elf 4 power 1 at 0", "elf 1 power 1"]);
    assert_eq!(rows(&today(&last_first).rows), ["gsbhg", "gSbhg"]);
}

#[test]
fn a_player_with_several_elves_may_play_several_in_a_row() {
    let state = first_day(2);
    assert_eq!([1, 3].map(|number| state.holder(super::elf(number))), [Seat(0); 2]);
    let state = play(&state, 0, "elf 1 power 1").state;
    play(&state, 0, "elf 3 power 1 at 1");
}

#[test]
fn a_power_without_visible_effect_can_not_be_played() {
    let state = table(1, 1, "hgbmg", "gbbsg");
    assert_eq!(refusal(&state, 0, "elf 1 power 1"), "no-effect");
    assert!(!legal(&state, 0).contains(&"elf 1 power 1".to_owned()));
}

#[test]
fn a_second_power_can_not_be_played_before_it_is_unlocked() {
    assert_eq!(refusal(&first_day(1), 0, "elf 1 power 2"), "locked");
}

#[test]
fn all_four_elves_and_the_required_row_win_and_any_other_row_loses() {
    let moves = ["elf 1 power 1", "elf 3 power 1 at 1", "elf 4 power 1 at 3", "elf 2 power 1 at 4"];
    for (goal, result) in [("Sbbgs", Ending::Won), ("Sbbgh", Ending::Missed)] {
        let state = after(&table(1, 1, "sgbhg", goal), &moves);
        assert_eq!(ended(&state), result);
        assert_eq!(state.past[0].boots, u8::from(result == Ending::Won), "boots are for days that are won");
    }
}

#[test]
fn reaching_the_required_row_before_the_fourth_elf_does_not_win() {
    let state = table(1, 1, "sgbhg", "Sgbhg");
    let state = after(&state, &["elf 1 power 1"]);
    assert_eq!(state.row(today(&state)), state.campaign.puzzle(1).goal);
    assert_eq!(state.day, 1, "the day goes on");
    let state = after(&state, &["elf 2 power 1 at 3", "elf 3 power 1 at 1", "elf 4 power 1 at 2"]);
    assert_eq!(ended(&state), Ending::Missed);
}

#[test]
fn a_day_is_lost_at_once_when_no_unspent_elf_has_a_playable_power() {
    // After the star has turned, nothing is left: no heart, no bell, and no neighbours of the same colour that differ.
    let state = table(1, 1, "sGgMm", "sGgMm");
    let next = play(&state, 0, "elf 1 power 1");
    assert!(!has(&next.events, |event| matches!(event, Event::DayEnded { .. })), "S and G may change places");
    let state = table(1, 1, "SGgMm", "SGgMm");
    let next = play(&state, 0, "elf 1 power 1");
    assert_eq!(ended(&next.state), Ending::Stuck);
    assert!(has(&next.events, |event| matches!(event, Event::DayEnded { boots: 0, .. })));
}

#[test]
fn awaited_is_every_player_who_holds_an_unspent_elf_with_a_playable_power() {
    // Elf 1 has no star to turn and elf 2 no heart to change; elf 3 has a bell to copy and elf 4 neighbours to swap.
    let state = table(4, 1, "bgMCc", "bgMCc");
    assert_eq!(SantaRescue::turn(&state), Turn::Waiting(vec![Seat(2), Seat(3)]));
    let state = play(&state, 2, "elf 3 power 1 at 1").state;
    assert_eq!(SantaRescue::turn(&state), Turn::Waiting(vec![Seat(3)]));
}

#[test]
fn the_view_keeps_every_finished_day() {
    let state = super::win(&first_day(1));
    let view = SantaRescue::view(&state, ludotheque_rules::Eyes::Spectator);
    let day = &view.days[0];
    assert_eq!((day.sheet.day, day.result, day.written.len()), (1, Ending::Won, 4));
    assert_eq!((day.sheet.start.0, day.sheet.goal.0), (row("sgbhg"), row("SgbbS")));
    assert_eq!(day.written[3].row.0, row("SgbbS"));
}

#[test]
fn a_move_tells_the_row_it_leads_to() {
    let state = first_day(1);
    let effect = SantaRescue::effect(&state, Seat(0), &super::read("elf 3 power 1 at 1")).expect("all is open");
    assert_eq!(effect.row.0, row("sbbhg"));
    assert_eq!(SantaRescue::effect(&state, Seat(0), &super::read("wish")), None);
}

#[test]
fn a_target_is_a_place_counted_from_0_and_a_swap_is_named_by_the_left_one() {
    let state = table(1, 1, "hgbmg", "gbbsg");
    for (mv, leads_to) in [("elf 2 power 1 at 0", "sgbmg"), ("elf 4 power 1 at 3", "hgbgm")] {
        let next = play(&state, 0, mv).state;
        assert_eq!(next.row(today(&next)), row(leads_to));
    }
}
