//! When the game is over: by itself, or because nobody does anything.

use super::{after, draw, ending, line, moves, refusal, story, waiting};
use ludotheque_rules::loading::State;

fn reason(state: &State) -> String {
    ending(state).split(':').next().expect("a word").to_owned()
}

/// Three players; seat 0's hand is held out; the packet of seat 1 has two cards.
fn table(options: &str) -> State {
    draw(&format!(
        "options {options}
         P1 at 1: 7 9
         P2 at 2: 41 ...
         seat 0: pile 5
         seat 1: pile 6
         seat 2: pile 40"
    ))
}

#[test]
fn the_instant_no_stop_card_is_left_in_the_centre_the_game_is_over() {
    let state = after(&table("passes 5"), "1 stop 3+").state;
    assert_eq!(ending(&state), "goes on");
    assert_eq!(reason(&after(&state, "2 stop 2+").state), "LAST_STOP");
}

#[test]
fn the_instant_a_packet_has_run_out_of_cards_the_game_is_over() {
    let state = after(&table("passes 5"), "1 lay 7 on 1; 1 give").state;
    assert_eq!(ending(&state), "goes on");
    assert_eq!(reason(&after(&state, "0 lay 9 on 0").state), "EMPTY");
}

#[test]
fn the_last_card_of_a_packet_ends_the_game_no_matter_whose_pile_it_goes_to() {
    for pile in [0, 1] {
        let state = draw("P1 at 1: 6\nP2 at 2: ...\nseat 0: pile 5\nseat 1: pile 4\nseat 2: pile 40");
        let next = after(&state, &format!("1 lay 6 on {pile}"));
        assert_eq!(reason(&next.state), "EMPTY");
        assert_eq!(story(&next.events)[next.events.len() - 2..], ["P1 out", "P2 out"]);
    }
}

#[test]
fn nothing_more_can_be_laid_and_the_remaining_packets_are_thrown_away() {
    let state = after(&after(&table("passes 5"), "1 stop 3+").state, "2 stop 2+").state;
    assert!(line(&state, "P2").starts_with("out:"));
    assert_eq!(waiting(&state), [] as [u8; 0]);
    for seat in 0..3 {
        assert_eq!(moves(&state, seat), [] as [&str; 0]);
        assert_eq!(refusal(&state, seat, "lay 9 on 0"), "not your turn: over");
    }
}

#[test]
fn when_everybody_still_in_has_received_a_packet_five_times_since_charge_the_game_is_over() {
    // Three players hand two packets round: each gives and receives in turn, so 15 gives are five for everybody.
    let round = "1 give; 2 give; 0 give";
    let mut state = table("passes 5");
    for _ in 0..4 {
        state = after(&state, round).state;
    }
    let state = after(&state, "1 give; 2 give").state;
    assert_eq!(state.areas.iter().map(|area| area.received).collect::<Vec<_>>(), [5, 5, 4]);
    assert_eq!(ending(&state), "goes on");
    assert_eq!(reason(&after(&state, "0 give").state), "IDLE");
}

#[test]
fn packets_dealt_at_set_up_do_not_count() {
    let state = after(&super::start(3), "0 charge").state;
    assert!(state.areas.iter().all(|area| area.received == 0));
}

#[test]
fn a_lay_or_a_stop_of_anybody_restarts_the_count() {
    let state = after(&table("passes 5"), "1 give; 2 give; 0 give").state;
    assert!(state.areas.iter().all(|area| area.received == 1));
    let laid = after(&state, "2 lay 7 on 1").state;
    assert!(laid.areas.iter().all(|area| area.received == 0));
    let stopped = after(&state, "2 stop 2+").state;
    assert!(stopped.areas.iter().all(|area| area.received == 0));
}

#[test]
fn those_who_are_done_need_not_receive_anything() {
    let state =
        draw("options passes 1\nP1 out: ...\nP2 at 2: 41 42\nseat 0: pile 5, stop 2+\nseat 1: pile 6\nseat 2: pile 40");
    assert_eq!(reason(&after(&state, "2 give; 1 give").state), "IDLE");
}

#[test]
fn how_many_passes_it_takes_can_be_agreed_on() {
    assert_eq!(reason(&after(&table("passes 1"), "1 give; 2 give; 0 give").state), "IDLE");
    assert_eq!(ending(&after(&table("passes 2"), "1 give; 2 give; 0 give").state), "goes on");
}

#[test]
fn with_no_passes_agreed_on_the_game_goes_on_however_idle() {
    let mut state = table("passes 0");
    for _ in 0..300 {
        state = after(&state, "1 give; 2 give; 0 give").state;
    }
    assert_eq!(ending(&state), "goes on");
}

#[test]
fn two_players_who_only_swap_are_idle_too() {
    let state = draw("options passes 2\nP1 at 0: 6 21\nP2 at 1: 9 61\nP3 centre: ...\nseat 0: pile 4\nseat 1: pile 20");
    let state = after(&state, "0 swap; 0 swap; 0 swap; 1 swap").state;
    assert_eq!(ending(&state), "goes on");
    assert_eq!(reason(&after(&state, "1 swap").state), "IDLE");
}
