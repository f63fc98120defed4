//! When it is over, and who has won.

use super::{after, draw, ending, line, refusal, waiting};
use ludotheque_rules::{
    Dice, Eyes, Illegal, Rules, Turn,
    toy_rush::{Reason, State, ToyRush},
};

/// Both ship nothing.
fn round_ends(text: &str) -> State {
    after(&draw(&format!("step SHIP\n{text}")), "0 ship none; 1 ship none").state
}

#[test]
fn with_17_points_after_shipping_the_game_is_over_and_most_points_win() {
    // 18 is worth 7, 17 and 13 are worth 6, 15 is worth 5.
    let state = draw(
        "
        step SHIP
        seat 0: stock 2, has pink,dots,teddy,box, hand 13, completed 15,16
        seat 1: stock 2, hand 3, completed 17,18
        ",
    );
    assert_eq!(ending(&after(&state, "0 ship none; 1 ship none").state), "round 2 PLACE");
    assert_eq!(ending(&after(&state, "0 ship 13; 1 ship none").state), "round 2 PLACE", "16 points are too few");
    let state = draw(
        "
        step SHIP
        seat 0: stock 2, has pink,dots,teddy,box, hand 13, completed 1,2,15,16
        seat 1: stock 2, hand 3, completed 17,18
        ",
    );
    assert_eq!(ending(&after(&state, "0 ship 13; 1 ship none").state), "TARGET: 0 with 21, 1 with 13");
}

#[test]
fn the_other_player_may_still_overtake_in_the_same_shipping() {
    let state = draw(
        "
        step SHIP
        seat 0: stock 2, has pink,train, hand 1, completed 15,16,11
        seat 1: stock 2, has stripes,teddy,box, hand 12, completed 13,17,2
        ",
    );
    assert_eq!(ending(&after(&state, "0 ship 1; 1 ship 12").state), "TARGET: 1 with 20, 0 with 17");
}

#[test]
fn equal_points_go_to_the_holder_of_the_token() {
    for token in [0, 1] {
        let state = round_ends(&format!(
            "token {token}\nseat 0: stock 2, hand 1, completed 11,13,17\nseat 1: stock 2, hand 3, completed 12,15,18"
        ));
        assert_eq!(ending(&state), format!("TARGET: {token} with 17, {} with 17", 1 - token));
    }
}

#[test]
fn the_token_of_a_tie_is_the_one_held_after_this_rounds_primeur() {
    let state = draw(
        "
        token 0
        placing 1
        line 1:1+1
        seat 0: stock 0, hand 1, completed 11,13,17
        seat 1: stock 1, hand 3, completed 12,15,18
        ",
    );
    let state = after(&state, "1 place 1 x1; 0 ship none; 1 ship none").state;
    assert_eq!(ending(&state), "TARGET: 1 with 17, 0 with 17");
}

#[test]
fn the_target_can_be_agreed() {
    let table = |target: u8| {
        round_ends(&format!("target {target}\nseat 0: stock 2, hand 1, completed 13\nseat 1: stock 2, hand 3"))
    };
    assert_eq!(ending(&table(6)), "TARGET: 0 with 6, 1 with 0");
    assert_eq!(ending(&table(7)), "round 2 PLACE");
}

#[test]
fn the_game_ends_after_the_shipping_of_the_last_round() {
    let table = |round: u8| {
        round_ends(&format!("round {round}\nseat 0: stock 2, completed 1,2\nseat 1: stock 2, hand 3, completed 17"))
    };
    assert_eq!(ending(&table(39)), "round 40 PLACE");
    assert_eq!(ending(&table(40)), "ROUNDS: 1 with 6, 0 with 5");
}

#[test]
fn in_the_last_round_equal_points_go_to_the_holder_of_the_token_too() {
    let state = round_ends("rounds 1\ntoken 1\nseat 0: stock 2, completed 1,2\nseat 1: stock 2, completed 15");
    assert_eq!(ending(&state), "ROUNDS: 1 with 5, 0 with 5");
}

#[test]
fn two_players_who_only_bid_on_primeur_stop_after_40_rounds() {
    let mut state = draw("seat 0: stock 2, hand 1\nseat 1: stock 2, hand 3");
    for _ in 0..40 {
        assert_eq!(waiting(&state).len(), 1, "{}", ToyRush::draw(&state));
        state = after(&state, "0 place 1 x2; 1 place 1 x2; 0 ship none; 1 ship none").state;
    }
    assert_eq!(ending(&state), "ROUNDS: 0 with 0, 1 with 0");
}

#[test]
fn while_there_is_a_deck_it_is_dry_when_no_objective_anywhere_can_be_covered_by_either_player() {
    // Nothing is left on the piles that a toy needs: seat 0 has every toy, seat 1 everything that toys look like.
    let toys = "train,train,train,train,train,train,teddy,teddy,teddy,teddy,teddy,horse,horse,horse,horse";
    let looks = "pink,pink,pink,pink,pink,pink,blue,blue,blue,blue,blue,blue,yellow,yellow,yellow,yellow,yellow,yellow,\
                 dots,dots,dots,dots,dots,stripes,stripes,stripes,stripes,stripes";
    let dry =
        round_ends(&format!("seat 0: stock 2, has {toys}, hand 1, completed 8\nseat 1: stock 2, has {looks}, hand 3"));
    assert_eq!(ending(&dry), "DRY: 0 with 3, 1 with 0");
    // One pink card is left: a pink train can be made, wherever that card lies.
    let less = looks.replacen("pink,", "", 1);
    for cards in [
        "seat 0: stock 2, has TOYS, hand 1\nseat 1: stock 2, has LOOKS, hand 3",
        "seat 0: stock 2, has TOYS, hand 3\nseat 1: stock 2, has LOOKS, hand 1",
        "seat 0: stock 2, has TOYS, hand 3\nseat 1: stock 2, has LOOKS, hand 2",
    ] {
        let state = round_ends(&cards.replace("TOYS", toys).replace("LOOKS", &less));
        assert_eq!(ending(&state), "round 2 PLACE");
    }
}

#[test]
fn with_a_deck_an_objective_in_the_wrong_hand_keeps_the_game_going() {
    // Only objective 1, a pink train, is left; seat 1 holds it and seat 0 all pink cards. The deck holds 18, which
    // nobody can cover: all boxes are with seat 0, all horses with seat 1.
    let text = "
        deck 18
        target 80
        seat 0: stock 2, has pink,pink,pink,pink,pink,pink,box,box,box,box,box, completed 2,3,4,5,6,7,8,9,10
        seat 1: stock 2, has horse,horse,horse,horse, hand 1, completed 11,12,13,14,15,16,17
    ";
    let state = round_ends(text);
    assert_eq!(ending(&state), "round 2 PLACE", "seat 0 could cover it, and nobody learns whose it is");
}

#[test]
fn once_the_deck_is_empty_it_is_dry_when_no_holder_can_cover_an_objective_in_hand() {
    let text = "
        deck none
        target 80
        seat 0: stock 2, has pink,pink,pink,pink,pink,pink,box,box,box,box,box, completed 2,3,4,5,6,7,8,9,10
        seat 1: stock 2, has horse,horse,horse,horse, hand 1,18, completed 11,12,13,14,15,16,17
    ";
    let state = round_ends(text);
    assert_eq!(ending(&state), "DRY: 1 with 36, 0 with 34");
    let state = round_ends(&text.replacen("pink,", "", 1));
    assert_eq!(ending(&state), "round 2 PLACE", "a pink card is left");
}

#[test]
fn with_all_objectives_completed_it_is_dry() {
    let state = round_ends(
        "deck none\ntarget 80\nseat 0: stock 2, completed 1,2,3,4,5,6,7,8,9\nseat 1: stock 2, completed 10,11,12,13,14,15,16,17,18",
    );
    assert!(ending(&state).starts_with("DRY: 1"), "{}", ending(&state));
}

#[test]
fn a_game_dry_in_its_last_round_ends_because_it_is_dry() {
    let state = round_ends(
        "deck none\nrounds 1\ntarget 80\nseat 0: stock 2, completed 1,2,3,4,5,6,7,8,9\nseat 1: stock 2, completed 10,11,12,13,14,15,16,17,18",
    );
    assert_eq!(state.ended, Some(Reason::Dry));
}

#[test]
fn the_end_is_decided_in_its_step_and_stored() {
    let text = "rounds 1\nseat 0: stock 2, hand 1,2, completed 15\nseat 1: stock 2, hand 3,4";
    let state = round_ends(text);
    assert_eq!(state.ended, Some(Reason::Rounds));
    let read: State = postcard::from_bytes(&postcard::to_stdvec(&state).expect("plain data")).expect("just written");
    assert_eq!(ToyRush::turn(&read), ToyRush::turn(&state));
    let other = ToyRush::resample(&state, Eyes::Spectator, &mut Dice::new(crate::kit::table::seed(1)));
    assert_eq!(ToyRush::turn(&other), ToyRush::turn(&state));
}

#[test]
fn nobody_plays_when_the_game_is_over() {
    let state = round_ends("rounds 1\nseat 0: stock 2, hand 1\nseat 1: stock 2, hand 3");
    assert!(matches!(ToyRush::turn(&state), Turn::Over(_)));
    assert!(line(&state, "Round").contains("OVER"));
    for notation in ["place 1 x1", "ship none"] {
        assert!(
            matches!(refusal(&state, 0, notation), Illegal::NotYourTurn(why) if why.key == "toy_rush-refusal-over")
        );
    }
}
