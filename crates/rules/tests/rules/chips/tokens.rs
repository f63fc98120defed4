//! Tokens for the scores of a round, with three to five players and with two.

use super::{check, draw};

#[test]
fn with_three_players_the_best_score_brings_2_tokens_and_the_second_1() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets each-n none-p against none-v
        seat 1: 0 tokens, bets last-v last-p against last-n
        seat 2: 0 tokens, bets each-v last-o against last-b
        ",
        "
        seat 0: 20 points, 0 more, has 0
        seat 1: 91 points, 2 more, has 2
        seat 2: 45 points, 1 more, has 1
        round 2 follows
        ",
    );
}

#[test]
fn tied_for_first_all_get_2_and_nobody_else_gets_any() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-n none-p against none-v
        seat 1: 0 tokens, bets last-o last-p against last-b
        seat 2: 0 tokens, bets combo-7n combo-6o against rainbow-1
        seat 3: 0 tokens, bets combo-5b combo-4v against each-v
        ",
        "
        seat 0: 0 points, 2 more, has 2
        seat 1: 0 points, 2 more, has 2
        seat 2: -1 points, 0 more, has 0
        seat 3: -45 points, 0 more, has 0
        round 2 follows
        ",
    );
}

#[test]
fn tied_for_second_all_get_1() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-n none-p against none-v
        seat 1: 0 tokens, bets last-v last-p against last-b
        seat 2: 0 tokens, bets combo-7n combo-6o against last-o
        seat 3: 0 tokens, bets combo-5b combo-4v against each-v
        seat 4: 0 tokens, bets combo-3p more-p-v against equal-p-v
        ",
        "
        seat 0: 0 points, 1 more, has 1
        seat 1: 91 points, 2 more, has 2
        seat 2: 0 points, 1 more, has 1
        seat 3: -45 points, 0 more, has 0
        seat 4: 0 points, 1 more, has 1
        round 2 follows
        ",
    );
}

#[test]
fn best_and_second_take_their_tokens_even_if_their_scores_are_0_or_less() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-n none-p against last-v
        seat 1: 0 tokens, bets last-o last-p against each-n
        seat 2: 0 tokens, bets combo-5b combo-4v against each-v
        ",
        "
        seat 0: -91 points, 0 more, has 0
        seat 1: -20 points, 2 more, has 2
        seat 2: -45 points, 1 more, has 1
        round 2 follows
        ",
    );
}

#[test]
fn with_two_players_the_best_score_brings_1_token_and_the_other_none() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-v none-p against none-v
        seat 1: 0 tokens, bets last-o each-n against last-b
        ",
        "
        seat 0: 91 points, 1 more, has 1
        seat 1: 20 points, 0 more, has 0
        round 2 follows
        ",
    );
}

#[test]
fn two_players_who_tie_get_1_each() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-n none-p against none-v
        seat 1: 0 tokens, bets last-o last-p against last-b
        ",
        "
        seat 0: 0 points, 1 more, has 1
        seat 1: 0 points, 1 more, has 1
        round 2 follows
        ",
    );
}

#[test]
fn a_jackpot_against_loses_the_round_whatever_the_score() {
    check(
        "
        boards NNPPP OOBB BBO, then OV
        seat 0: 0 tokens, bets last-v each-p against jackpot-p-n
        seat 1: 0 tokens, bets each-n none-v against last-n
        seat 2: 0 tokens, bets last-o last-p against each-v
        seat 3: 0 tokens, bets combo-7n combo-6o against combo-3p
        ",
        "
        seat 0: 157 points, 0 more, has 0
        seat 1: 10 points, 2 more, has 2
        seat 2: -15 points, 1 more, has 1
        seat 3: -120 points, 0 more, has 0
        round 2 follows
        ",
    );
}

#[test]
fn of_two_players_the_other_gets_the_token_when_one_loses_by_the_jackpot() {
    check(
        "
        boards NNPPP OOBB BBO, then OV
        seat 0: 0 tokens, bets last-v each-p against jackpot-p-n
        seat 1: 0 tokens, bets last-o last-p against combo-3p
        ",
        "
        seat 0: 157 points, 0 more, has 0
        seat 1: -120 points, 1 more, has 1
        round 2 follows
        ",
    );
}

#[test]
fn a_jackpot_loser_who_is_second_of_those_left_still_gets_no_token() {
    check(
        "
        boards NNPPP OOBB BBO, then OV
        seat 0: 0 tokens, bets last-v each-p against jackpot-p-n
        seat 1: 0 tokens, bets last-o last-p against combo-3p
        seat 2: 0 tokens, gone
        ",
        "
        seat 0: 157 points, 0 more, has 0
        seat 1: -120 points, 2 more, has 2
        round 2 follows
        ",
    );
}

#[test]
fn a_jackpot_that_is_not_met_does_nothing_on_either_side() {
    for bets in ["last-n jackpot-p-n against none-v", "last-n none-v against jackpot-p-n"] {
        check(
            &format!(
                "
                boards NNNOO OBBV VPN, then BV
                seat 0: 2 tokens, bets {bets}
                seat 1: 0 tokens, bets last-o last-p against last-v
                "
            ),
            "
            seat 0: 0 points, 1 more, has 3
            seat 1: -91 points, 0 more, has 0
            TOKENS: 0 > 1
            ",
        );
    }
}

#[test]
fn tokens_never_run_out() {
    check(
        "
        target 20
        boards NNNOO OBBV VPN, then BV
        seat 0: 18 tokens, bets last-v none-p against none-v
        seat 1: 19 tokens, bets last-o last-p against each-n
        seat 2: 19 tokens, bets last-n combo-7n against last-b
        ",
        "
        seat 0: 91 points, 2 more, has 20
        seat 1: -20 points, 0 more, has 19
        seat 2: 0 points, 1 more, has 20
        TOKENS: 0 > 2 > 1
        ",
    );
}

#[test]
fn drawings_that_break_a_rule_are_noticed() {
    let twice = "
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-n none-p against none-v
        seat 1: 0 tokens, bets last-n last-p against last-b
    ";
    assert!(std::panic::catch_unwind(|| draw(twice)).is_err(), "last-n is in two hands");
}
