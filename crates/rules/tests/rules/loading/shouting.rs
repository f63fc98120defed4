//! The option SHOUT: the end is armed first, then called.

use super::{after, draw, ending, moves, refusal, story, view, waiting};
use ludotheque_rules::loading::{Reason, State};

/// Five players, three of them done; seat 4's hand is held out. One STOP card is left.
fn table() -> State {
    draw(
        "options shout
         P1 out: 1
         P2 out: 2
         P3 at 2: 7 8
         P4 at 3: ...
         seat 0: pile 5, stop 2+
         seat 1: pile 6, stop 3+
         seat 2: pile 3
         seat 3: pile 40
         seat 4: pile 50",
    )
}

#[test]
fn the_condition_only_arms_the_end_and_the_game_goes_on() {
    let state = after(&table(), "2 stop 4+").state;
    assert_eq!(view(&state, 0).armed, None);
    let next = after(&state, "3 give; 4 stop 5+");
    assert_eq!(next.state.armed, None, "no packet is left, so it is over already");
    let state = after(&table(), "2 lay 7 on 2; 2 give; 4 lay 8 on 2");
    assert_eq!(story(&state.events).last().expect("an event"), "armed by EMPTY");
    assert_eq!((view(&state.state, 0).armed, ending(&state.state).as_str()), (Some(Reason::Empty), "goes on"));
}

fn armed() -> State {
    after(&table(), "2 lay 7 on 2; 2 give; 4 lay 8 on 2").state
}

#[test]
fn any_player_stopped_ones_included_ends_it_with_stop_call() {
    for seat in 0..5 {
        assert!(moves(&armed(), seat).contains(&"stop-call".to_owned()));
        let next = after(&armed(), &format!("{seat} stop-call"));
        assert_eq!(ending(&next.state).split(':').next(), Some("CALLED"));
        assert_eq!(story(&next.events)[0], format!("{seat} called"));
    }
}

#[test]
fn the_end_can_not_be_called_before_it_is_armed() {
    assert_eq!(refusal(&table(), 2, "stop-call"), "not-armed");
    assert!(!moves(&table(), 0).contains(&"stop-call".to_owned()));
}

#[test]
fn by_default_the_end_comes_by_itself_and_nobody_calls_it() {
    let state = draw("P1 at 0: 5 6\nP2 at 1: ...\nseat 0: pile\nseat 1: pile\nseat 2: pile");
    assert_eq!(refusal(&state, 0, "stop-call"), "no-call");
}

#[test]
fn while_it_is_armed_a_holder_of_an_empty_packet_may_only_give_it_on() {
    let own: Vec<_> = moves(&armed(), 4).into_iter().filter(|mv| mv != "stop-call").collect();
    assert_eq!(own, ["give P3"]);
    assert_eq!(refusal(&armed(), 4, "stop 4+"), "empty-packet");
    assert_eq!(story(&after(&armed(), "4 give").events), ["4 gave P3 to 2"]);
}

#[test]
fn two_players_swap_an_empty_packet() {
    let state = draw("options shout\nP1 at 0: 6\nP2 at 1: 9 61\nP3 centre: ...\nseat 0: pile 4\nseat 1: pile 20");
    let state = after(&state, "0 lay 6 on 0").state;
    assert_eq!(moves(&state, 0), ["swap P1", "stop-call"]);
    let state = after(&state, "0 swap; 1 swap").state;
    assert_eq!(moves(&state, 1), ["swap P1", "stop-call"]);
}

#[test]
fn the_others_lay_and_stop_on_while_it_is_armed() {
    let state = armed();
    assert_eq!(waiting(&state), [3, 4]);
    assert!(moves(&state, 3).contains(&"lay 41 on 3".to_owned()));
    let next = after(&state, "3 lay 41 on 3; 3 stop 4+");
    assert_eq!(ending(&next.state), "goes on");
}

#[test]
fn the_end_is_armed_once() {
    let next = after(&armed(), "3 stop 4+");
    assert!(!story(&next.events).iter().any(|line| line.starts_with("armed")));
}

#[test]
fn the_right_to_call_the_end_makes_nobody_awaited() {
    assert_eq!(waiting(&armed()), [3, 4]);
    assert_eq!(moves(&armed(), 0), ["stop-call"]);
}

#[test]
fn when_no_other_move_is_possible_the_game_ends_by_itself() {
    let state =
        draw("options shout\nP1 out: 1\nP2 at 2: ...\nseat 0: pile 5, stop 2+\nseat 1: pile 6\nseat 2: pile 40");
    let next = after(&state, "2 stop 3+");
    assert_eq!(ending(&next.state).split(':').next(), Some("NO_MOVE"));
}

#[test]
fn idle_passes_end_it_shout_or_not() {
    let state =
        draw("options shout passes 1\nP1 at 1: 7 9\nP2 at 2: ...\nseat 0: pile 5\nseat 1: pile 6\nseat 2: pile 40");
    assert_eq!(ending(&after(&state, "1 give; 2 give; 0 give").state).split(':').next(), Some("IDLE"));
}
