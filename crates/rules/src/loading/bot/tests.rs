//! Tests of the bot: its rules against those of the game, and its ratings.

use super::super::{Options, StopCall};
use super::policy::{Style, WEIGHTS};
use super::*;
use crate::bots::pick;
use crate::{Instant, Rules, Seed, Turn};

const NOW: Instant = Instant(1_000_000);

/// Every set of options that changes how a game is played, for each number of players.
fn tables() -> impl Iterator<Item = (u8, Options)> {
    let options = [
        (false, StopCall::Automatic, 5),
        (true, StopCall::Shout, 5),
        (false, StopCall::Shout, 0),
        (true, StopCall::Automatic, 0),
    ];
    (2..=7).flat_map(move |seats| {
        options.map(|(confirmed, stop_call, idle_passes)| {
            (seats, Options { confirmed, stop_call, idle_passes, ..Options::default() })
        })
    })
}

fn start(seats: u8, options: &Options, seed: u8) -> (State, Dice) {
    let mut dice = Dice::new(Seed([seed; 32]));
    (Loading::setup(options, seats, NOW, &mut dice).state, dice)
}

/// A seat that the game waits for; none if it is over.
fn next_seat(state: &State, dice: &mut Dice) -> Option<Seat> {
    match Loading::turn(state) {
        Turn::Waiting(waiting) => Some(waiting[dice.index(waiting.len())]),
        Turn::Over(_) => None,
    }
}

fn play(state: &State, seat: Seat, mv: Move, dice: &mut Dice) -> State {
    Loading::play(state, seat, &mv, NOW, dice).expect("a listed move can be played").state
}

/// A game after some moves by the careful policy.
fn midgame(seats: u8, options: &Options, seed: u8, moves: u32) -> (State, Dice) {
    let (mut state, mut dice) = start(seats, options, seed);
    for _ in 0..moves {
        let Some(seat) = next_seat(&state, &mut dice) else { break };
        let legal = Loading::legal(&state, seat, NOW);
        let position = Position::of(&state);
        let mut noise = Noise::new(1);
        let chosen = Style::Careful.choose(&position, seat.index(), &WEIGHTS, &DECK, &mut noise);
        let mv = legal.iter().find(|mv| action(**mv) == Some(chosen)).unwrap_or(&legal[0]);
        let next = play(&state, seat, *mv, &mut dice);
        if next.ended.is_some() {
            break;
        }
        state = next;
    }
    (state, dice)
}

#[test]
fn play_outs_follow_the_rules_of_the_game() {
    for (round, (seats, options)) in (0..3).flat_map(|_| tables()).enumerate() {
        let seed = u8::try_from(round).expect("few rounds");
        let (mut state, mut dice) = start(seats, &options, seed);
        let charging = next_seat(&state, &mut dice).expect("it has begun");
        state = play(&state, charging, Move::Charge {}, &mut dice);
        let mut position = Position::of(&state);
        // Long enough for an idle game to end as one.
        for _ in 0..400 {
            let Some(seat) = next_seat(&state, &mut dice) else { break };
            let mut legal = Loading::legal(&state, seat, NOW);
            // Rare stops and calls, so that games get long.
            if dice.below(10) > 0 {
                legal.retain(|mv| !matches!(mv, Move::Stop { .. } | Move::StopCall {}));
            }
            let mv = legal[dice.index(legal.len())];
            state = play(&state, seat, mv, &mut dice);
            position.play(seat.index(), action(mv).expect("no nudges yet"), &DECK);
            let is_over = position.stage == Stage::Over;
            if state.options.idle_passes == 0 && is_over {
                break; // the play-out does not go on for ever
            }
            assert_eq!(is_over, state.ended.is_some(), "{seats} {options:?} {mv}");
            let expected = Position::of(&state);
            let bars = |position: &Position| position.players.map(|player| (player.bars, player.cards, player.boosts));
            assert_eq!(bars(&position), bars(&expected), "{mv}");
            if !is_over {
                assert_eq!(position, expected, "{mv}");
            }
        }
        if let Turn::Over(outcome) = Loading::turn(&state) {
            let sharing = i32::try_from(outcome.winners.len()).expect("few seats");
            for seat in Seat::all(seats) {
                let expected = if outcome.winners.contains(&seat) { sharing } else { 0 };
                assert_eq!(position.sharing(seat.index()), expected, "{outcome:?}");
            }
        }
    }
}

#[test]
fn policies_choose_legal_moves() {
    for (round, (seats, options)) in tables().enumerate() {
        for style in [Style::Careful, Style::Random] {
            let (mut state, mut dice) = start(seats, &options, u8::try_from(round).expect("few rounds"));
            let charging = next_seat(&state, &mut dice).expect("it has begun");
            state = play(&state, charging, Move::Charge {}, &mut dice);
            let mut noise = Noise::new(7);
            for _ in 0..300 {
                let Some(seat) = next_seat(&state, &mut dice) else { break };
                let position = Position::of(&state);
                let chosen = style.choose(&position, seat.index(), &WEIGHTS, &DECK, &mut noise);
                let legal = Loading::legal(&state, seat, NOW);
                let mv = legal.iter().find(|mv| action(**mv) == Some(chosen));
                let mv = mv.unwrap_or_else(|| panic!("{chosen:?} is not among {legal:?}"));
                state = play(&state, seat, *mv, &mut dice);
            }
        }
    }
}

#[test]
fn every_move_is_rated_between_0_and_certain_victory_and_alike_each_time() {
    for (seats, options) in tables() {
        let (state, mut dice) = midgame(seats, &options, 3, 20);
        let seat = next_seat(&state, &mut dice).expect("not over");
        let knowledge = Knowledge::<Loading>::new(&state, seat, NOW);
        let moves = knowledge.legal();
        let rated = || rate(&knowledge, &moves, 10, &mut Dice::new(Seed([9; 32])));
        let ratings = rated();
        assert_eq!(ratings.len(), moves.len());
        assert!(ratings.iter().all(|rating| (0..=1_000_000).contains(rating)), "{ratings:?}");
        assert_eq!(ratings, rated());
    }
}

#[test]
fn ratings_depend_only_on_what_the_seat_knows() {
    let (state, mut dice) = midgame(4, &Options::default(), 3, 8);
    let seat = next_seat(&state, &mut dice).expect("not over");
    let moves = Knowledge::<Loading>::new(&state, seat, NOW).legal();
    let rated = |state: &State| rate(&Knowledge::new(state, seat, NOW), &moves, 10, &mut Dice::new(Seed([9; 32])));
    let other = Knowledge::<Loading>::new(&state, seat, NOW).sample(&mut dice);
    assert_ne!(other, state);
    assert_eq!(rated(&other), rated(&state));
}

#[test]
fn bots_play_whole_games_with_any_number_of_players_and_any_options() {
    let level = Level { effort: 2, halving: 0, blunder: 0, reaction: 0..=0 };
    for (seats, options) in tables() {
        let (mut state, mut dice) = start(seats, &options, 5);
        let mut moves = 0;
        while let Some(seat) = next_seat(&state, &mut dice) {
            let knowledge = Knowledge::<Loading>::new(&state, seat, NOW);
            let legal = knowledge.legal();
            let ratings = rate(&knowledge, &legal, level.effort, &mut dice);
            let mv = legal[pick(&ratings, &level, &mut dice)];
            state = play(&state, seat, mv, &mut dice);
            moves += 1;
            assert!(moves < 2_000, "{seats} {options:?}");
        }
    }
}

#[test]
fn low_piles_look_careful_and_high_ones_or_early_stops_random() {
    let ratio = |pile: &[u32], has_stopped| likelihood_ratio(pile, 0, has_stopped, 3);
    let even = ratio(&[], false);
    assert!(ratio(&[2, 5, 9], false) < even / 100);
    assert!(ratio(&[31, 60], false) > even * 100);
    assert!(ratio(&[8], true) > 10 * ratio(&[8], false));
    // Cards that lie on other piles are not skipped.
    let piled = (1..30).fold(0, |cards, number| cards | 1 << number);
    assert!(likelihood_ratio(&[31], piled, false, 3) < ratio(&[31], false));
}
