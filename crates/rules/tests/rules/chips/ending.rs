//! The end of a game: when it is over, who won, and the other ranks.

use super::{check, draw};
use ludotheque_rules::{
    Seat,
    chips::{Event, Jackpot, Phase},
};

#[test]
fn with_three_players_4_tokens_end_the_game() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 2 tokens, bets last-v none-p against none-v
        seat 1: 1 tokens, bets last-o last-p against each-n
        seat 2: 0 tokens, bets last-n combo-7n against last-b
        ",
        "
        seat 0: 91 points, 2 more, has 4
        seat 1: -20 points, 0 more, has 1
        seat 2: 0 points, 1 more, has 1
        TOKENS: 0 > 2 > 1
        ",
    );
}

#[test]
fn with_three_players_3_tokens_do_not_end_the_game() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 1 tokens, bets last-v none-p against none-v
        seat 1: 1 tokens, bets last-o last-p against each-n
        seat 2: 0 tokens, bets last-n combo-7n against last-b
        ",
        "
        seat 0: 91 points, 2 more, has 3
        seat 1: -20 points, 0 more, has 1
        seat 2: 0 points, 1 more, has 1
        round 2 follows
        ",
    );
}

#[test]
fn with_two_players_3_tokens_end_the_game() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 2 tokens, bets last-v none-p against none-v
        seat 1: 2 tokens, bets last-o last-p against each-n
        ",
        "
        seat 0: 91 points, 1 more, has 3
        seat 1: -20 points, 0 more, has 2
        TOKENS: 0 > 1
        ",
    );
}

#[test]
fn the_option_target_tokens_takes_the_place_of_3_and_of_4() {
    check(
        "
        target 1
        boards NNNOO OBBV VPN, then BV
        seat 0: 0 tokens, bets last-v none-p against none-v
        seat 1: 0 tokens, bets last-o last-p against each-n
        ",
        "
        seat 0: 91 points, 1 more, has 1
        seat 1: -20 points, 0 more, has 0
        TOKENS: 0 > 1
        ",
    );
}

#[test]
fn most_tokens_wins_even_against_a_better_last_round() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 2 tokens, bets last-v none-p against none-v
        seat 1: 4 tokens, bets last-n combo-7n against last-b
        seat 2: 0 tokens, bets last-o last-p against each-n
        ",
        "
        seat 0: 91 points, 2 more, has 4
        seat 1: 0 points, 1 more, has 5
        seat 2: -20 points, 0 more, has 0
        TOKENS: 1 > 0 > 2
        ",
    );
}

#[test]
fn of_those_with_equal_tokens_the_better_one_in_the_round_just_played_wins() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 3 tokens, bets last-n combo-7n against last-b
        seat 1: 2 tokens, bets last-v none-p against none-v
        seat 2: 0 tokens, bets last-o last-p against each-n
        ",
        "
        seat 0: 0 points, 1 more, has 4
        seat 1: 91 points, 2 more, has 4
        seat 2: -20 points, 0 more, has 0
        TOKENS: 1 > 0 > 2
        ",
    );
}

#[test]
fn a_jackpot_loser_ranks_last_in_the_round_that_breaks_a_tie() {
    check(
        "
        boards NNPPP OOBB BBO, then OV
        seat 0: 4 tokens, bets last-v each-p against jackpot-p-n
        seat 1: 4 tokens, bets last-o last-p against combo-3p
        seat 2: 0 tokens, bets each-n each-b against last-n
        seat 3: 0 tokens, bets each-v rainbow-1 against last-b
        ",
        "
        seat 0: 157 points, 0 more, has 4
        seat 1: -120 points, 0 more, has 4
        seat 2: 54 points, 2 more, has 2
        seat 3: 16 points, 1 more, has 1
        TOKENS: 1 > 0 > 2 > 3
        ",
    );
}

#[test]
fn equal_in_tokens_and_in_the_round_all_play_another_one() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 2 tokens, bets last-n combo-7n against last-b
        seat 1: 2 tokens, bets combo-6o none-p against none-v
        seat 2: 1 tokens, bets last-o last-p against each-n
        ",
        "
        seat 0: 0 points, 2 more, has 4
        seat 1: 0 points, 2 more, has 4
        seat 2: -20 points, 0 more, has 1
        round 2 follows
        ",
    );
}

#[test]
fn in_the_extra_round_tokens_count_as_usual_and_somebody_who_was_not_tied_may_win() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 4 tokens, bets last-n combo-7n against last-v
        seat 1: 4 tokens, bets combo-6o none-p against each-o
        seat 2: 3 tokens, bets last-o each-v against none-v
        ",
        "
        seat 0: -91 points, 0 more, has 4
        seat 1: -24 points, 1 more, has 5
        seat 2: 45 points, 2 more, has 5
        TOKENS: 2 > 1 > 0
        ",
    );
}

#[test]
fn an_extra_round_may_be_tied_again() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 5 tokens, bets last-n combo-7n against last-b
        seat 1: 5 tokens, bets combo-6o none-p against none-v
        ",
        "
        seat 0: 0 points, 1 more, has 6
        seat 1: 0 points, 1 more, has 6
        round 2 follows
        ",
    );
}

#[test]
fn places_behind_the_winner_go_by_tokens_then_by_the_last_round_and_are_shared_when_equal() {
    check(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 1 tokens, bets last-n combo-7n against last-b
        seat 1: 1 tokens, bets combo-6o none-p against none-v
        seat 2: 3 tokens, bets last-v last-p against more-b-n
        seat 3: 2 tokens, bets last-o combo-3p against each-o
        seat 4: 2 tokens, bets combo-4v combo-5b against each-n
        ",
        "
        seat 0: 0 points, 1 more, has 2
        seat 1: 0 points, 1 more, has 2
        seat 2: 91 points, 2 more, has 5
        seat 3: -24 points, 0 more, has 2
        seat 4: -20 points, 0 more, has 2
        TOKENS: 2 > 0 = 1 > 4 > 3
        ",
    );
}

#[test]
fn a_jackpot_for_wins_the_game_at_once() {
    check(
        "
        boards NNPPP OOBB BBO, then OV
        seat 0: 0 tokens, bets last-n jackpot-p-n against last-v
        seat 1: 0 tokens, bets last-o last-p against combo-3p
        seat 2: 1 tokens, bets each-n each-b against last-b
        ",
        "
        seat 0: -91 points, 1 more, has 1
        seat 1: -120 points, 0 more, has 0
        seat 2: 54 points, 2 more, has 3
        JACKPOT: 0 > 2 > 1
        ",
    );
}

#[test]
fn a_jackpot_for_wins_even_over_somebody_who_just_reached_the_target() {
    check(
        "
        boards NNPPP OOBB BBO, then OV
        seat 0: 0 tokens, bets last-n jackpot-p-n against last-v
        seat 1: 0 tokens, bets last-o last-p against combo-3p
        seat 2: 2 tokens, bets each-n each-b against last-b
        ",
        "
        seat 0: -91 points, 1 more, has 1
        seat 1: -120 points, 0 more, has 0
        seat 2: 54 points, 2 more, has 4
        JACKPOT: 0 > 2 > 1
        ",
    );
}

#[test]
fn the_jackpot_is_judged_after_the_14th_chip_and_the_rounds_tokens_are_handed_out_first() {
    // More chicken than plain after 12 chips, but not after 14.
    check(
        "
        boards NNPPP OOBB BBO, then NV
        seat 0: 0 tokens, bets last-n jackpot-p-n against none-v
        seat 1: 0 tokens, bets last-o last-p against combo-3p
        ",
        "
        seat 0: 0 points, 1 more, has 1
        seat 1: -120 points, 0 more, has 0
        round 2 follows
        ",
    );
    let position = draw(
        "
        boards NNPPP OOBB BBO, then OV
        seat 0: 0 tokens, bets last-v jackpot-p-n against none-v
        seat 1: 0 tokens, bets last-o last-p against combo-3p
        ",
    );
    let next = position.play();
    let Some(Event::Scored { tallies }) = next.events.last() else { panic!("scoring comes last") };
    let (seat, tally) = &tallies[0];
    assert_eq!((*seat, tally.tokens, tally.jackpot), (Seat(0), 1, Some(Jackpot::WinsGame)));
    assert_eq!(next.state.phase, Phase::Scored);
}

#[test]
fn the_score_in_the_standings_is_tokens() {
    use ludotheque_rules::{Rules, Turn, chips::Chips};
    let next = draw(
        "
        boards NNNOO OBBV VPN, then BV
        seat 0: 2 tokens, bets last-v none-p against none-v
        seat 1: 1 tokens, bets last-o last-p against each-n
        ",
    )
    .play();
    let Turn::Over(outcome) = Chips::turn(&next.state) else { panic!("three tokens of three") };
    assert_eq!(outcome.standings.iter().map(|standing| standing.score).collect::<Vec<_>>(), [3, 1]);
}
