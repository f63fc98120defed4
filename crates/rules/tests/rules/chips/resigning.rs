//! Resigning: the hand is set aside, the others play on by the original scoring table, and with one left the game is
//! over.

use super::{all_choose, begin, card, check, choose, draw, ending, refusal, resign, start, told, view};
use ludotheque_rules::{
    Eyes, Illegal, Rules, Seat,
    chips::{Cards, Chips, Event, EventView, Options, Phase},
};

#[test]
fn a_hand_given_up_is_set_aside_unseen() {
    let state = start(3);
    let hand = state.areas[1].hand;
    let next = resign(&state, &[1]);
    assert_eq!(next.events, [Event::SetAside { seat: Seat(1), cards: hand }]);
    assert_eq!(next.state.areas[1].hand, Cards::NONE);
    let seen = &view(&next.state, 0).seats[1];
    assert_eq!((seen.resigned, seen.hand_size, seen.hand, seen.discards), (true, 0, None, None));
    assert_eq!(told(&next.events, Eyes::Seat(Seat(0))), [EventView::SetAside { seat: Seat(1), cards: None }]);
}

#[test]
fn a_player_who_gives_up_still_sees_the_cards_set_aside_and_so_does_the_replay() {
    let state = start(3);
    let hand = state.areas[1].hand;
    let next = resign(&state, &[1]);
    assert_eq!(view(&next.state, 1).seats[1].discards, Some(hand));
    assert_eq!(Chips::view(&next.state, Eyes::Replay).seats[1].discards, Some(hand));
}

#[test]
fn a_player_who_gave_up_can_not_choose_any_more() {
    let next = resign(&start(3), &[1]);
    assert!(Chips::legal(&next.state, Seat(1), super::NOW).is_empty());
    assert!(matches!(refusal(&next.state, 1, "discard last-n last-o"), Illegal::NotYourTurn(_)));
}

#[test]
fn the_step_ends_when_the_last_one_still_to_choose_gives_up() {
    let state = choose(&choose(&start(3), 0).state, 2).state;
    let next = resign(&state, &[1]);
    assert_eq!(next.state.phase, Phase::DiscardOne);
    assert!(matches!(next.events[1], Event::Drew { board: 2, .. }));
}

#[test]
fn the_step_goes_on_when_somebody_who_has_chosen_gives_up() {
    let state = choose(&start(3), 0).state;
    let next = resign(&state, &[0]);
    assert_eq!(next.state.phase, Phase::DiscardTwo);
    assert_eq!(next.state.choosing().collect::<Vec<_>>(), [Seat(1), Seat(2)]);
}

#[test]
fn a_sealed_bet_given_up_is_never_turned_face_up_and_never_scores() {
    let mut state = start(3);
    for _ in 0..2 {
        state = all_choose(&state).state;
    }
    let state = resign(&choose(&state, 0).state, &[0]).state;
    let next = all_choose(&state);
    let revealed = next.events.iter().find_map(|event| match event {
        Event::Revealed { bets } => Some(bets.iter().map(|(seat, _)| *seat).collect::<Vec<_>>()),
        _ => None,
    });
    assert_eq!(revealed, Some(vec![Seat(1), Seat(2)]));
    let past = &view(&next.state, 1).history[0].seats[0];
    assert_eq!((&past.bet, &past.tally, past.discards), (&None, &None, None));
    assert_eq!(view(&next.state, 0).history[0].seats[0].discards.map(Cards::len), Some(6));
}

#[test]
fn a_player_who_gave_up_is_dealt_nothing_in_the_next_round() {
    let mut state = resign(&start(3), &[2]).state;
    for _ in 0..3 {
        state = all_choose(&state).state;
    }
    assert_eq!(state.round, 2);
    assert_eq!(state.areas.iter().map(|area| area.cards().len()).collect::<Vec<_>>(), [6, 6, 0]);
}

#[test]
fn the_deal_skips_those_who_gave_up() {
    let options = Options { first_dealer: Some(Seat(0)), ..Options::default() };
    let mut state = resign(&begin(&options, 4, 1).state, &[1, 2]).state;
    for _ in 0..3 {
        state = all_choose(&state).state;
    }
    assert_eq!(state.dealer, Seat(3));
}

#[test]
fn two_left_of_three_keep_the_scoring_table_and_the_target_of_three() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 1 tokens, bets last-v none-p against none-v
        seat 1: 1 tokens, bets last-o last-p against each-n
        seat 2: 3 tokens, gone
        ",
        "
        seat 0: 91 points, 2 more, has 3
        seat 1: -20 points, 1 more, has 2
        round 2 follows
        ",
    );
}

#[test]
fn tokens_of_somebody_who_gave_up_do_not_end_the_game_and_do_not_win_it() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 2 tokens, bets last-v none-p against none-v
        seat 1: 1 tokens, bets last-o last-p against each-n
        seat 2: 9 tokens, gone
        ",
        "
        seat 0: 91 points, 2 more, has 4
        seat 1: -20 points, 1 more, has 2
        TOKENS: 0 > 1 > 2
        ",
    );
}

#[test]
fn with_one_left_the_game_is_over_and_that_one_wins_whatever_the_tokens() {
    let mut state = draw(super::TWO_BETTING).state;
    state.areas[0].tokens = 2;
    assert_eq!(ending(&resign(&state, &[0]).state), "RESIGNED: 1 > 0");
}

#[test]
fn several_may_give_up_at_once_and_share_the_last_place() {
    let mut state = start(4);
    state.areas[1].tokens = 3;
    let next = resign(&state, &[1, 2]);
    assert_eq!(ending(&next.state), "round 1 follows");
    let next = resign(&state, &[0, 1, 2]);
    assert_eq!(ending(&next.state), "RESIGNED: 3 > 0 = 1 = 2");
}

#[test]
fn a_game_given_up_in_mid_round_leaves_the_bets_face_down() {
    let position = draw(super::TWO_BETTING);
    let (seat, mv) = &position.bets[0];
    let state = super::play(&position.state, seat.0, &mv.to_string()).state;
    let next = resign(&state, &[1]);
    assert_eq!(view(&next.state, 1).seats[0].bet, None);
    assert!(view(&next.state, 0).seats[0].bet.is_some_and(|bet| bet.against == card("none-p")));
}
