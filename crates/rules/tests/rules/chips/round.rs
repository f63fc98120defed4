//! A round of Chips: dealing, drawing, choosing, visibility and refusals.

use super::{
    BOARDS, TWO_BETTING, all_choose, begin, cards, check, choose, draw, play, refusal, refusal_key, start, told, view,
};
use ludotheque_rules::{
    Eyes, Illegal, Rules, Seat, Turn,
    any::{Adapter, AnyRules},
    chips::{Card, Cards, Chips, Event, EventView, Flavour, Move, Options, Phase, State},
};
use serde_json::json;
use std::collections::BTreeSet;

/// The first two cards of the seat's hand.
fn first_two(state: &State, seat: usize) -> Vec<Card> {
    state.areas[seat].hand.iter().take(2).collect()
}

/// The state after every player has chosen in this many phases.
fn after(steps: usize, seats: u8) -> State {
    (0..steps).fold(start(seats), |state, _| all_choose(&state).state)
}

#[test]
fn each_player_is_dealt_6_objectives() {
    for seats in 2..=5 {
        assert!(start(seats).areas.iter().all(|area| area.hand.len() == 6));
    }
}

#[test]
fn a_hand_is_hidden_from_everybody_else() {
    let next = begin(&Options::default(), 3, 1);
    for eyes in [Eyes::Seat(Seat(1)), Eyes::Seat(Seat(2)), Eyes::Spectator] {
        let seen = &Chips::view(&next.state, eyes).seats[0];
        assert_eq!((seen.hand, seen.hand_size), (None, 6));
        assert!(told(&next.events, eyes).contains(&EventView::Dealt { seat: Seat(0), count: 6, cards: None }));
    }
    assert_eq!(view(&next.state, 0).seats[0].hand, Some(next.state.areas[0].hand));
}

#[test]
fn the_rest_of_the_deck_is_seen_by_nobody() {
    let state = start(2);
    let view = serde_json::to_string(&view(&state, 0)).expect("plain data");
    let seen: Cards = Card::all().filter(|card| view.contains(&format!("\"{card}\""))).collect();
    assert_eq!(seen, state.areas[0].hand);
}

#[test]
fn five_chips_are_drawn_then_everybody_throws_two_cards_away() {
    let state = start(3);
    assert_eq!((state.phase, state.chips.len()), (Phase::DiscardTwo, 5));
    assert_eq!(all_choose(&state).state.areas[1].hand.len(), 4);
}

#[test]
fn four_more_chips_are_drawn_then_everybody_throws_one_card_away() {
    let state = after(1, 3);
    assert_eq!((state.phase, state.chips.len()), (Phase::DiscardOne, 9));
    assert_eq!(all_choose(&state).state.areas[1].hand.len(), 3);
}

#[test]
fn three_more_chips_are_drawn_then_everybody_bets_two_for_and_one_against() {
    let state = after(2, 3);
    assert_eq!((state.phase, state.chips.len()), (Phase::Bet, 12));
    let moves = Chips::legal(&state, Seat(0), super::NOW);
    assert_eq!(moves.len(), 3, "any of the three may be the one against");
    assert!(moves.iter().all(|mv| matches!(mv, Move::Bet { r#for, .. } if r#for.as_slice().len() == 2)));
}

#[test]
fn all_bets_are_turned_face_up_then_one_chip_is_drawn_then_the_last() {
    let events = draw(TWO_BETTING).play().events;
    assert!(matches!(&events[0], Event::Chose { .. }));
    assert!(matches!(&events[1], Event::Revealed { bets } if bets.len() == 2));
    assert_eq!(events[2], Event::Drew { board: 4, chips: vec![Flavour::Barbecue] });
    assert_eq!(events[3], Event::Drew { board: 4, chips: vec![Flavour::Vinegar] });
    assert!(matches!(&events[4], Event::Scored { .. }));
}

#[test]
fn the_boards_fill_up_with_5_4_3_and_2_chips() {
    let sizes = |state: &State| view(state, 0).boards.iter().map(Vec::len).collect::<Vec<_>>();
    for full in 1..=3 {
        assert_eq!(sizes(&after(full - 1, 2)), BOARDS[..full]);
    }
    let past: Vec<_> = view(&after(3, 2), 0).history[0].boards.iter().map(Vec::len).collect();
    assert_eq!(past, BOARDS);
}

#[test]
fn a_choice_can_not_be_changed_once_sent() {
    let state = choose(&start(2), 0).state;
    let [one, other] = first_two(&state, 0)[..] else { panic!("four cards are left") };
    let again = refusal(&state, 0, &format!("discard {one} {other}"));
    assert!(matches!(again, Illegal::NotYourTurn(message) if message.key == "chips-refusal-chosen"));
}

#[test]
fn a_step_ends_when_the_last_player_has_chosen_in_whatever_order() {
    let state = choose(&choose(&start(3), 2).state, 0).state;
    assert_eq!(state.phase, Phase::DiscardTwo);
    assert_eq!(Chips::turn(&state), Turn::Waiting(vec![Seat(1)]));
    assert_eq!(choose(&state, 1).state.phase, Phase::DiscardOne);
}

#[test]
fn others_see_that_a_player_has_chosen_but_not_what() {
    let next = choose(&start(2), 0);
    let seen = &view(&next.state, 1).seats[0];
    assert_eq!((seen.chosen, seen.hand_size, seen.hand, seen.discards), (true, 4, None, None));
    assert_eq!(told(&next.events, Eyes::Seat(Seat(1))), [EventView::Chose { seat: Seat(0), mv: None }]);
    assert_eq!(told(&next.events, Eyes::Spectator), [EventView::Chose { seat: Seat(0), mv: None }]);
}

#[test]
fn others_see_that_a_player_has_bet_but_not_what() {
    let next = choose(&after(2, 2), 0);
    let seen = &view(&next.state, 1).seats[0];
    assert_eq!((seen.chosen, seen.bet), (true, None));
    assert_eq!(told(&next.events, Eyes::Seat(Seat(1))), [EventView::Chose { seat: Seat(0), mv: None }]);
}

#[test]
fn players_always_see_their_own_discards_and_sent_choices() {
    let state = start(2);
    let thrown: Cards = first_two(&state, 0).into_iter().collect();
    let next = play(&state, 0, &format!("discard {thrown}"));
    let own = &view(&next.state, 0).seats[0];
    assert_eq!((own.discards, own.hand), (Some(thrown), Some(state.areas[0].hand.without(thrown))));
    let choice = Some(Move::Discard { cards: thrown.into() });
    assert_eq!(told(&next.events, Eyes::Seat(Seat(0))), [EventView::Chose { seat: Seat(0), mv: choice }]);
    let state = choose(&after(2, 2), 0).state;
    let own = &view(&state, 0).seats[0];
    assert_eq!((own.bet, own.discards.map(Cards::len)), (state.areas[0].bet, Some(3)));
    assert!(own.bet.is_some());
}

#[test]
fn discards_of_others_stay_secret_after_the_round_and_show_in_the_replay() {
    let state = after(3, 2);
    let past = |eyes| Chips::view(&state, eyes).history[0].seats[0].discards;
    assert_eq!(past(Eyes::Seat(Seat(1))), None);
    assert_eq!(past(Eyes::Spectator), None);
    assert_eq!(past(Eyes::Seat(Seat(0))).map(Cards::len), Some(3));
    assert_eq!(past(Eyes::Replay), past(Eyes::Seat(Seat(0))));
}

#[test]
fn the_next_round_is_dealt_in_the_same_step_as_the_scoring() {
    let next = draw(TWO_BETTING).play();
    assert_eq!((next.state.round, next.state.phase), (2, Phase::DiscardTwo));
    let after_scoring = next.events.iter().skip_while(|event| !matches!(event, Event::Scored { .. })).skip(1);
    let kinds: Vec<_> = after_scoring
        .map(|event| match event {
            Event::RoundStarted { round: 2, .. } => "started",
            Event::Dealt { .. } => "dealt",
            Event::Drew { board: 1, .. } => "drew",
            other => panic!("unexpected: {other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["started", "dealt", "dealt", "drew"]);
}

#[test]
fn the_view_keeps_boards_bets_and_scores_of_past_rounds_for_all() {
    let state = draw(TWO_BETTING).play().state;
    for eyes in [Eyes::Seat(Seat(0)), Eyes::Seat(Seat(1)), Eyes::Spectator] {
        let past = &Chips::view(&state, eyes).history[0];
        assert_eq!(past.boards.concat(), super::chips("NNNOO OBBV VPN BV"));
        assert_eq!((past.round, past.dealer), (1, Seat(0)));
        let scores: Vec<_> = past.seats.iter().map(|seat| seat.tally.as_ref().map(|tally| tally.score)).collect();
        assert_eq!(scores, [Some(22), Some(91 + 24)]);
        assert!(past.seats.iter().all(|seat| seat.bet.is_some()));
    }
}

#[test]
fn in_the_next_round_all_chips_are_back_and_all_objectives_are_shuffled() {
    let state = after(3, 5);
    assert_eq!((state.chips.len(), state.bag().total()), (5, 20));
    let dealt: Vec<_> = (0..40).map(|n| begin(&Options::default(), 5, n).state).collect();
    let seen = dealt.iter().flat_map(|state| &state.areas).fold(Cards::NONE, |seen, area| seen.with(area.hand));
    assert_eq!(seen, Cards::ALL, "any card can be dealt");
    assert_ne!(state.areas[0].hand, start(5).areas[0].hand);
}

#[test]
fn the_dealers_role_passes_to_the_left() {
    let options = Options { first_dealer: Some(Seat(2)), ..Options::default() };
    let mut state = begin(&options, 3, 1).state;
    assert_eq!(view(&state, 0).dealer, Seat(2));
    for _ in 0..3 {
        state = all_choose(&state).state;
    }
    assert_eq!((state.round, view(&state, 0).dealer), (2, Seat(0)));
}

#[test]
fn the_first_dealer_is_drawn_by_lot_unless_named() {
    let dealers: BTreeSet<_> = (0..50).map(|n| begin(&Options::default(), 3, n).state.dealer).collect();
    assert_eq!(dealers.into_iter().collect::<Vec<_>>(), [Seat(0), Seat(1), Seat(2)]);
}

#[test]
fn everybody_always_sees_how_many_chips_of_each_flavour_are_out_and_left() {
    let mut state = start(2);
    state.chips = super::chips("NNOBP");
    let view = Chips::view(&state, Eyes::Spectator);
    assert_eq!(view.chips.iter().map(|chips| chips.out).collect::<Vec<_>>(), [2, 1, 1, 0, 1]);
    assert_eq!(view.chips.iter().map(|chips| chips.left).collect::<Vec<_>>(), [5, 5, 4, 4, 2]);
}

#[test]
fn chips_are_drawn_when_they_are_due_so_none_is_decided_before() {
    let state = choose(&start(2), 0).state;
    let draws: BTreeSet<_> = (0..20)
        .map(|n| {
            let mv = Chips::legal(&state, Seat(1), super::NOW)[0];
            let mut dice = ludotheque_rules::Dice::new(crate::kit::table::seed(n));
            Chips::play(&state, Seat(1), &mv, super::NOW, &mut dice).expect("a listed move").state.chips
        })
        .collect();
    assert!(draws.len() > 1);
}

#[test]
fn the_target_is_4_tokens_or_3_with_two_players_unless_agreed_otherwise() {
    let target = |options: &Options, seats| view(&begin(options, seats, 1).state, 0).target_tokens;
    assert_eq!([2, 3, 4, 5].map(|seats| target(&Options::default(), seats)), [3, 4, 4, 4]);
    assert_eq!(target(&Options { target_tokens: Some(20), ..Options::default() }, 2), 20);
}

#[test]
fn options_outside_their_limits_are_refused() {
    let rules = Adapter::<Chips>::new();
    for (options, seats) in [
        (json!({"targetTokens": 0}), 3),
        (json!({"targetTokens": 21}), 3),
        (json!({"targetTokens": -1}), 3),
        (json!({"firstDealer": 3}), 3),
        (json!({"first_dealer": 0}), 3),
    ] {
        assert!(rules.read_options(&options, seats).is_err(), "{options}");
    }
    for options in
        [json!({"targetTokens": 1}), json!({"targetTokens": 20, "firstDealer": 2}), json!({"firstDealer": null})]
    {
        assert!(rules.read_options(&options, 3).is_ok(), "{options}");
    }
}

#[test]
fn a_card_that_is_not_in_hand_is_refused_no_matter_who_has_it() {
    let state = start(2);
    let own = state.areas[0].hand.iter().next().expect("six cards");
    let theirs = state.areas[1].hand.iter().next().expect("six cards");
    let nobodys = Cards::ALL.without(state.areas[0].hand).without(state.areas[1].hand).iter().next().expect("24");
    for other in [theirs, nobodys] {
        assert_eq!(refusal_key(&state, 0, &format!("discard {own} {other}")), "chips-refusal-not-in-hand");
    }
}

#[test]
fn a_card_named_twice_is_refused() {
    let state = start(2);
    let [one, _] = first_two(&state, 0)[..] else { panic!("six cards") };
    assert_eq!(refusal_key(&state, 0, &format!("discard {one} {one}")), "chips-refusal-named-twice");
    let state = after(2, 2);
    let [one, other] = first_two(&state, 0)[..] else { panic!("three cards") };
    assert_eq!(refusal_key(&state, 0, &format!("bet {one} {other} against {one}")), "chips-refusal-named-twice");
}

#[test]
fn too_many_or_too_few_cards_are_refused() {
    let state = start(2);
    let hand = state.areas[0].hand;
    for count in [0, 1, 3, 6] {
        let some: Cards = hand.iter().take(count).collect();
        assert_eq!(refusal_key(&state, 0, &format!("discard {some}")), "chips-refusal-discard-count", "{count}");
    }
    let state = after(2, 2);
    let [one, other] = first_two(&state, 0)[..] else { panic!("three cards") };
    assert_eq!(refusal_key(&state, 0, &format!("bet {one} against {other}")), "chips-refusal-bet-count");
}

#[test]
fn betting_is_refused_while_a_discard_is_due_and_the_other_way_round() {
    for steps in [0, 1] {
        let state = after(steps, 2);
        let hand: Vec<_> = state.areas[0].hand.iter().collect();
        let bet = format!("bet {} {} against {}", hand[0], hand[1], hand[2]);
        assert_eq!(refusal_key(&state, 0, &bet), "chips-refusal-discard-due");
    }
    let state = after(2, 2);
    let [one, other] = first_two(&state, 0)[..] else { panic!("three cards") };
    assert_eq!(refusal_key(&state, 0, &format!("discard {one} {other}")), "chips-refusal-bet-due");
}

#[test]
fn nobody_plays_when_the_game_is_over() {
    let state = super::resign(&start(2), &[1]).state;
    let why = refusal(&state, 0, &format!("discard {}", state.areas[0].hand));
    assert!(matches!(why, Illegal::NotYourTurn(message) if message.key == "chips-refusal-over"));
}

#[test]
fn a_preview_of_the_last_choice_stops_before_anything_is_drawn_or_turned_up() {
    let state = start(2);
    let preview = |state: &State, seat| {
        let mv = Chips::legal(state, Seat(seat), super::NOW)[0];
        Chips::preview(state, Seat(seat), &mv, super::NOW).expect("a listed move")
    };
    assert!(preview(&state, 0).complete, "another has yet to choose");
    let last = preview(&choose(&state, 0).state, 1);
    assert!(!last.complete);
    assert_eq!((last.events.len(), last.state.chips.len()), (1, 5));
}

#[test]
fn notation_is_read_in_any_order_and_written_in_the_order_of_the_deck() {
    for (read, written) in [
        ("discard more-o-n last-n", "discard last-n more-o-n"),
        ("discard last-n", "discard last-n"),
        ("  bet each-p   combo-2b-2v against none-p ", "bet combo-2b-2v each-p against none-p"),
    ] {
        let mv: Move = read.parse().expect("a move");
        assert_eq!(mv.to_string(), written);
    }
    for nonsense in
        ["", "bet", "bet last-n last-o", "bet last-n last-o against", "discard last-x", "Discard last-n", "fold"]
    {
        assert!(nonsense.parse::<Move>().is_err(), "{nonsense:?}");
    }
}

#[test]
fn a_move_in_json_names_cards_by_their_slugs() {
    let bet: Move = "bet each-p combo-2b-2v against none-p".parse().expect("a move");
    let json = json!({"type": "BET", "for": ["combo-2b-2v", "each-p"], "against": "none-p"});
    assert_eq!(serde_json::to_value(bet).expect("plain data"), json);
    assert_eq!(serde_json::from_value::<Move>(json).expect("a move"), bet);
    for wrong in [
        json!({"type": "DISCARD", "cards": ["last-n"], "more": 1}),
        json!({"type": "DISCARD", "cards": ["last-x"]}),
        json!({"type": "DISCARD", "cards": ["last-n", "last-n", "last-n", "last-n", "last-n", "last-n", "last-n"]}),
    ] {
        assert!(serde_json::from_value::<Move>(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn a_set_of_cards_that_do_not_exist_is_not_read_from_the_store() {
    let bytes = postcard::to_stdvec(&cards("rainbow-1 jackpot-p-n")).expect("plain data");
    assert_eq!(postcard::from_bytes::<Cards>(&bytes).expect("two cards"), cards("rainbow-1 jackpot-p-n"));
    let beyond = postcard::to_stdvec(&(1_u64 << 36)).expect("plain data");
    assert!(postcard::from_bytes::<Cards>(&beyond).is_err());
    assert!(postcard::from_bytes::<Card>(&[36]).is_err());
}

#[test]
fn two_rounds_with_the_same_bets_and_chips_are_worth_the_same() {
    let lines = "
        seat 0: 22 points, 0 more, has 0
        seat 1: 115 points, 1 more, has 1
        round 2 follows
    ";
    check(TWO_BETTING, lines);
    check(&TWO_BETTING.replace("NNNOO OBBV VPN", "VOPNN NOBB ONV"), lines);
}
