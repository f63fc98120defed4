//! The team: who holds which elf, leaving, and giving a day up together.

use super::{begin, ended, give_up, has, legal, play, refusal, row, table, today};
use ludotheque_rules::capabilities::{self, FromLobby};
use ludotheque_rules::santa_rescue::{Elf, Ending, Event, Options, SantaRescue, State};
use ludotheque_rules::{Dice, Eyes, Illegal, Instant, Lobby, Rules, Seat, Turn, Unreadable};
use serde_json::{Value, json};

fn holders(state: &State) -> [u8; 4] {
    Elf::ALL.map(|elf| state.holder(elf).0)
}

/// Who holds which elf after these choices, one for each seat.
fn dealt(choices: &[Option<&[u8]>]) -> [u8; 4] {
    let seats = u8::try_from(choices.len()).expect("few seats");
    let choices: Vec<_> = choices.iter().map(|elves| elves.map(|elves| json!({"elves": elves}))).collect();
    let lobby = Lobby { choices: &choices, prepared: None };
    let mut dice = Dice::new(crate::kit::table::seed(1));
    holders(&SantaRescue::begin(&Options::default(), &lobby, seats, Instant(0), &mut dice).state)
}

/// Reads a choice beside those of others; a refusal by its key.
fn read(seats: u8, others: &[Value], elves: &Value) -> Result<Value, String> {
    let choice = json!({"elves": elves});
    capabilities::read_choice::<SantaRescue>(&Options::default(), seats, others, &choice).map_err(|why| match why {
        Unreadable::Illegal(Illegal::Rule(message)) => message.key.replace("santa_rescue-refusal-", ""),
        _ => "shape".to_owned(),
    })
}

#[test]
fn the_elves_are_dealt_out_as_chosen_in_the_lobby() {
    assert_eq!(dealt(&[Some(&[2, 4]), Some(&[1, 3])]), [1, 0, 1, 0]);
}

#[test]
fn elves_nobody_chose_go_round_the_seats_in_order() {
    assert_eq!(dealt(&[None, None, None, None]), [0, 1, 2, 3]);
    assert_eq!(dealt(&[None, None, None]), [0, 1, 2, 0]);
    assert_eq!(dealt(&[None, None]), [0, 1, 0, 1]);
    assert_eq!(dealt(&[None, Some(&[1]), None]), [1, 0, 2, 0]);
}

#[test]
fn all_four_elves_are_held_and_each_player_holds_at_least_one() {
    assert_eq!(dealt(&[Some(&[1, 2]), None, None]), [0, 0, 1, 2], "those who have none come first");
    assert_eq!(dealt(&[Some(&[3]), None, None, None]), [1, 2, 0, 3]);
}

#[test]
fn solo_holds_all_four() {
    assert_eq!(dealt(&[None]), [0; 4]);
}

#[test]
fn nobody_chooses_an_elf_that_somebody_else_has_chosen() {
    assert_eq!(read(2, &[json!({"elves": [1]})], &json!([1, 2])), Err("chosen".to_owned()));
    assert_eq!(read(2, &[json!({"elves": [1]})], &json!([3, 2, 3])), Ok(json!({"elves": [2, 3]})));
}

#[test]
fn a_choice_leaves_an_elf_for_everybody_else() {
    assert_eq!(read(4, &[], &json!([1, 2])), Err("too-many-elves".to_owned()));
    assert_eq!(read(2, &[], &json!([1, 2, 3, 4])), Err("too-many-elves".to_owned()));
    assert!(read(2, &[], &json!([1, 2, 3])).is_ok());
    assert!(read(1, &[], &json!([1, 2, 3, 4])).is_ok());
    assert!(read(4, &[], &json!([])).is_ok(), "a choice can be taken back");
}

#[test]
fn there_are_four_elves_to_choose_from() {
    for wrong in [json!([0]), json!([5]), json!(["1"]), json!(1), json!(null)] {
        assert_eq!(read(2, &[], &wrong), Err("shape".to_owned()), "{wrong}");
    }
}

#[test]
fn elves_stay_with_their_holders_for_the_whole_campaign() {
    let state = begin(&Options::default(), 3).state;
    let next = give_up(&state);
    assert_eq!((next.day, holders(&next)), (2, holders(&state)));
}

#[test]
fn if_a_player_leaves_each_elf_goes_to_the_holder_of_fewest_the_lowest_seat_on_ties() {
    let resign = |state: &State, seats: &[u8]| {
        let seats: Vec<_> = seats.iter().copied().map(Seat).collect();
        SantaRescue::resign(state, &seats, Instant(0), &mut Dice::new(crate::kit::table::seed(1)))
    };
    // 0, 1, 2 and 0 again: seat 1 and 2 have fewest.
    let next = resign(&begin(&Options::default(), 3).state, &[0]);
    assert_eq!(holders(&next.state), [1, 1, 2, 2]);
    assert!(has(&next.events, |event| *event == Event::ElfTakenOver { elf: Elf::ALL[3], seat: Seat(2) }));
    let next = resign(&begin(&Options::default(), 4).state, &[1]);
    assert_eq!(holders(&next.state), [0, 0, 2, 3]);
    let next = resign(&begin(&Options::default(), 4).state, &[0, 3]);
    assert_eq!(holders(&next.state), [1, 1, 2, 2]);
}

#[test]
fn a_player_who_left_may_do_nothing_any_more_and_the_game_goes_on_with_one() {
    let mut state = begin(&Options::default(), 2).state;
    state = SantaRescue::resign(&state, &[Seat(0)], Instant(0), &mut Dice::new(crate::kit::table::seed(1))).state;
    assert_eq!(holders(&state), [1; 4]);
    assert_eq!((legal(&state, 0), refusal(&state, 0, "wish")), (Vec::new(), "resigned".to_owned()));
    assert_eq!(SantaRescue::turn(&state), Turn::Waiting(vec![Seat(1)]));
}

#[test]
fn all_wishes_to_give_up_lapse_if_a_player_leaves() {
    let mut state = begin(&Options::default(), 3).state;
    for seat in 0..2 {
        state = play(&state, seat, "wish").state;
    }
    state = SantaRescue::resign(&state, &[Seat(2)], Instant(0), &mut Dice::new(crate::kit::table::seed(1))).state;
    assert_eq!((state.day, today(&state).wishes.len()), (1, 0), "the day is not given up");
}

#[test]
fn the_team_gives_up_when_every_player_still_seated_wishes_to() {
    let mut state = begin(&Options::default(), 2).state;
    state = play(&state, 1, "wish").state;
    assert_eq!((state.day, &today(&state).wishes[..]), (1, &[Seat(1)][..]));
    let next = play(&state, 0, "wish");
    assert_eq!((next.state.day, ended(&next.state)), (2, Ending::GivenUp));
    assert!(today(&next.state).wishes.is_empty());
}

#[test]
fn a_wish_can_be_withdrawn() {
    let state = begin(&Options::default(), 2).state;
    assert_eq!(refusal(&state, 1, "withdraw"), "not-wished");
    let wished = play(&state, 1, "wish").state;
    assert_eq!(refusal(&wished, 1, "wish"), "wished");
    assert!(legal(&wished, 1).contains(&"withdraw".to_owned()));
    assert_eq!(play(&wished, 1, "withdraw").state, state);
}

#[test]
fn a_wish_lapses_when_a_power_is_played() {
    let state = table(2, 1, "sgbhg", "SgbbS");
    let state = play(&play(&state, 1, "wish").state, 0, "elf 1 power 1").state;
    assert!(today(&state).wishes.is_empty());
    let view = SantaRescue::view(&state, Eyes::Seat(Seat(1)));
    assert!(!view.seats[1].wishes_to_give_up);
}

#[test]
fn a_player_who_has_no_elf_left_today_may_still_wish() {
    let state = play(&table(4, 1, "sgbhg", "SgbbS"), 0, "elf 1 power 1").state;
    assert_eq!(legal(&state, 0), ["wish"]);
    assert!(!SantaRescue::turn(&state).waits_for(Seat(0)));
}

#[test]
fn a_day_given_up_alone_is_lost_at_once() {
    let state = give_up(&begin(&Options::default(), 1).state);
    assert_eq!((state.day, ended(&state)), (2, Ending::GivenUp));
    assert_eq!(state.past[0].rows, [] as [ludotheque_rules::santa_rescue::Row; 0]);
    assert_eq!(state.campaign.puzzle(1).start, row("sgbhg"));
}
