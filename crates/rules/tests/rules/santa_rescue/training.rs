//! Training: trying powers out, the shared drafts, hints, and naming the elves.

use super::{after, aside, begin, elf, give_up, has, legal, play, read, row, table, today};
use ludotheque_rules::capabilities::{self, Team};
use ludotheque_rules::santa_rescue::{Event, Hint, Options, SantaRescue, State, solver::Play};
use ludotheque_rules::{Dice, Eyes, Rules, Seat, Turn};
use serde_json::{Value, json};

const BELLS: [&str; 5] = ["WHITE_BELL"; 5];

fn draft(column: u8, rows: &Value) -> Value {
    json!({"type": "DRAFT", "column": column, "rows": rows})
}

fn with_hints(seats: u8, day: u8) -> State {
    begin(&Options { hints: true, first_day: day, ..Options::default() }, seats).state
}

fn hint(state: &State, seat: u8) -> Result<State, String> {
    aside(state, seat, &json!({"type": "HINT"})).map(|next| next.state)
}

#[test]
fn a_preview_changes_nothing_and_tells_what_a_power_would_do() {
    let state = table(1, 1, "sgbhg", "SgbbS");
    let foreseen = SantaRescue::preview(&state, Seat(0), &read("elf 1 power 1"), super::NOW).expect("playable");
    assert!(foreseen.complete);
    assert_eq!(foreseen.state.row(today(&foreseen.state)), row("Sgbhg"));
    assert_eq!(state.row(today(&state)), row("sgbhg"));
}

#[test]
fn a_preview_stops_before_the_next_sheet() {
    let state = after(&table(1, 1, "sgbhg", "Sbbgs"), &["elf 1 power 1", "elf 3 power 1 at 1", "elf 4 power 1 at 3"]);
    let foreseen = SantaRescue::preview(&state, Seat(0), &read("elf 2 power 1 at 4"), super::NOW).expect("playable");
    assert!(!foreseen.complete && foreseen.state.today.is_none());
    assert!(has(&foreseen.events, |event| matches!(event, Event::DayEnded { day: 1, boots: 1, .. })));
    assert!(!has(&foreseen.events, |event| matches!(event, Event::DayOpened { .. })));
}

#[test]
fn any_player_can_try_any_unspent_elf() {
    let state = table(4, 1, "sgbhg", "SgbbS");
    let mv = read("elf 3 power 1 at 1");
    let tried_as = SantaRescue::tries_as(&state, Seat(0), &mv);
    assert_eq!(tried_as, Seat(2));
    SantaRescue::preview(&state, tried_as, &mv, super::NOW).expect("playable");
    let spent = play(&state, 2, "elf 3 power 1 at 1").state;
    assert!(SantaRescue::preview(&spent, SantaRescue::tries_as(&spent, Seat(0), &mv), &mv, super::NOW).is_err());
}

#[test]
fn a_player_who_left_tries_nothing() {
    let state = begin(&Options::default(), 2).state;
    let dice = &mut Dice::new(crate::kit::table::seed(1));
    let state = SantaRescue::resign(&state, &[Seat(0)], super::NOW, dice).state;
    assert_eq!(SantaRescue::tries_as(&state, Seat(0), &read("elf 1 power 1")), Seat(0));
}

#[test]
fn every_player_may_overwrite_either_draft_and_all_players_see_it() {
    let state = begin(&Options::default(), 2).state;
    for (seat, column) in [(0, 1), (1, 1), (1, 2)] {
        let next = aside(&state, seat, &draft(column, &json!([BELLS, BELLS]))).expect("a draft").state;
        for eyes in [Eyes::Seat(Seat(0)), Eyes::Seat(Seat(1))] {
            let drafts = SantaRescue::view(&next, eyes).today.expect("open").drafts.expect("the team sees them");
            assert_eq!(drafts[usize::from(column - 1)].iter().map(|row| row.0).collect::<Vec<_>>(), [row("bbbbb"); 2]);
        }
        let wiped = aside(&next, 0, &draft(column, &json!([]))).expect("a draft").state;
        assert_eq!(wiped, state, "no rows wipe the column");
    }
}

#[test]
fn there_are_two_drafts_of_at_most_four_rows_of_the_days_length() {
    let state = begin(&Options::default(), 1).state;
    for (column, rows, why) in [
        (0, json!([BELLS]), "no-such-draft"),
        (3, json!([BELLS]), "no-such-draft"),
        (1, json!([BELLS, BELLS, BELLS, BELLS, BELLS]), "draft"),
        (1, json!([BELLS[..4]]), "draft"),
    ] {
        assert_eq!(aside(&state, 0, &draft(column, &rows)).err().as_deref(), Some(why), "{rows}");
    }
    for wrong in [json!([["RED_BELL"]]), json!([[]]), json!("bbbbb"), json!([vec!["WHITE_BELL"; 9]])] {
        assert!(aside(&state, 0, &draft(1, &wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn drafts_are_wiped_when_a_day_opens() {
    let state = begin(&Options::default(), 1).state;
    let drafted = aside(&state, 0, &draft(2, &json!([BELLS]))).expect("a draft").state;
    assert_eq!(give_up(&drafted), give_up(&state));
}

#[test]
fn drafts_are_hidden_from_onlookers() {
    let state = begin(&Options::default(), 1).state;
    let next = aside(&state, 0, &draft(1, &json!([BELLS]))).expect("a draft");
    let view = |state| serde_json::to_value(SantaRescue::view(state, Eyes::Spectator)).expect("plain data");
    assert_eq!(view(&next.state), view(&state));
    assert_eq!(SantaRescue::tell(&next.events[0], Eyes::Spectator), None);
    assert!(SantaRescue::tell(&next.events[0], Eyes::Seat(Seat(0))).is_some());
    let [with, without] = [&next.state, &state].map(|state| {
        let dice = &mut Dice::new(crate::kit::table::seed(1));
        SantaRescue::resample(state, Eyes::Spectator, dice)
    });
    assert_eq!(with, without, "what onlookers can't see decides nothing");
}

#[test]
fn drafts_names_and_hints_are_no_legal_moves_and_change_nobodys_turn() {
    let state = with_hints(2, 1);
    for json in [draft(1, &json!([BELLS])), json!({"type": "NAME", "elf": 1, "name": "Pip"}), json!({"type": "HINT"})] {
        let next = aside(&state, 0, &json).expect("an aside").state;
        assert_eq!(SantaRescue::turn(&next), SantaRescue::turn(&state));
        for seat in 0..2 {
            assert_eq!(legal(&next, seat), legal(&state, seat));
        }
    }
}

#[test]
fn only_its_holder_names_an_elf_at_any_time() {
    let name = |elf: u8, name: &str| json!({"type": "NAME", "elf": elf, "name": name});
    let state = begin(&Options::default(), 2).state;
    assert_eq!(aside(&state, 1, &name(1, "Pip")).err().as_deref(), Some("not-held"));
    let named = aside(&state, 0, &name(1, " Léopold le Grand ")).expect("a name").state;
    assert_eq!(named.elves[0].name.as_deref(), Some("Léopold le Grand"));
    let again = aside(&after(&named, &["elf 1 power 1"]), 0, &name(1, "Pip")).expect("a spent elf too").state;
    assert_eq!(again.elves[0].name.as_deref(), Some("Pip"));
    for wrong in ["", "  ", "a\nb", "x\u{202E}y", &"x".repeat(31)] {
        assert_eq!(aside(&state, 0, &name(1, wrong)).err().as_deref(), Some("name"), "{wrong:?}");
    }
    assert!(aside(&state, 0, &name(5, "Pip")).is_err());
}

#[test]
fn hints_are_off_unless_agreed() {
    assert_eq!(hint(&begin(&Options::default(), 1).state, 0), Err("no-hints".to_owned()));
}

#[test]
fn a_hint_is_the_next_play_of_the_first_winning_line_by_elf_power_and_target() {
    let state = with_hints(2, 1);
    let hinted = hint(&state, 1).expect("a hint");
    let winning: Vec<_> = ludotheque_rules::santa_rescue::solver::solve(
        state.campaign.puzzle(1),
        &ludotheque_rules::santa_rescue::sheets::powers_on(1),
    )
    .solutions;
    let lowest: Play = winning.iter().map(|plays| plays[0]).min().expect("it can be won");
    assert_eq!(today(&hinted).hint, Some(Hint::Next(lowest)));
}

#[test]
fn a_hint_may_say_that_no_winning_line_is_left() {
    let mut state = with_hints(1, 1);
    super::put(&mut state, 1, "sgbhg", "mmmmm");
    assert_eq!(today(&hint(&state, 0).expect("a hint")).hint, Some(Hint::Lost));
}

#[test]
fn a_hint_is_a_step_that_all_see() {
    let next = aside(&with_hints(2, 1), 0, &json!({"type": "HINT"})).expect("a hint");
    let told = SantaRescue::tell(&next.events[0], Eyes::Spectator);
    assert!(told.is_some());
    assert!(SantaRescue::view(&next.state, Eyes::Spectator).today.expect("open").hint.is_some());
}

#[test]
fn a_hint_takes_one_boot_off_the_days_reward_never_below_0() {
    let mut state = with_hints(1, 24);
    assert_eq!(SantaRescue::view(&state, Eyes::Spectator).today.expect("open").reward, 3);
    let mut rewards = Vec::new();
    for _ in 0..4 {
        state = hint(&state, 0).expect("a hint");
        rewards.push(SantaRescue::view(&state, Eyes::Spectator).today.expect("open").reward);
        let Some(Hint::Next(next)) = today(&state).hint else { panic!("a winning line") };
        state = play(&state, 0, &next.to_string()).state;
    }
    assert_eq!(rewards, [2, 1, 0, 0]);
    assert_eq!((state.past[0].boots, state.is_over()), (0, true), "won, and worth nothing any more");
}

#[test]
fn a_hint_stands_until_a_power_is_played() {
    let state = hint(&with_hints(1, 1), 0).expect("a hint");
    assert_eq!(hint(&state, 0), Err("hinted".to_owned()));
    let next = play(&state, 0, "elf 1 power 1").state;
    assert_eq!(today(&next).hint, None);
    hint(&next, 0).expect("another hint");
}

#[test]
fn an_aside_reads_back_from_its_line() {
    for json in [
        draft(1, &json!([BELLS, ["BLACK_HEART", "WHITE_STAR"]])),
        draft(2, &json!([])),
        json!({"type": "NAME", "elf": 4, "name": "Pip the  2nd"}),
        json!({"type": "HINT"}),
    ] {
        let line = capabilities::read_aside::<SantaRescue>(&json).expect("an aside");
        let read: ludotheque_rules::santa_rescue::Aside = line.parse().unwrap_or_else(|_| panic!("{line}"));
        assert_eq!(read.to_string(), line);
    }
    for wrong in [json!({"type": "DANCE"}), json!({}), json!([]), json!({"type": "HINT", "more": 1})] {
        assert!(capabilities::read_aside::<SantaRescue>(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn nothing_can_be_done_beside_the_moves_once_all_is_over() {
    let state = give_up(&with_hints(1, 24));
    assert!(matches!(SantaRescue::turn(&state), Turn::Over(_)));
    for json in [draft(1, &json!([])), json!({"type": "NAME", "elf": 1, "name": "Pip"}), json!({"type": "HINT"})] {
        assert_eq!(aside(&state, 0, &json).err().as_deref(), Some("over"));
    }
    assert_eq!(state.elves[elf(1).index()].name, None);
}
