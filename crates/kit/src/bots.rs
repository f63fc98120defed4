//! Honest bots: the ratings of a seat's moves may depend only on what the seat knows and on the dice, so that no bot
//! uses hidden information.
//!
//! Like those of `hiding.rs`, the comparison returns what it finds, because `leaks.rs` tests that it finds a peeking
//! bot.

use crate::{
    hiding::same,
    table::{Table, every_game, may_give_up, seed},
};
use ludotheque_rules::{
    Dice, Eyes, Seat, Turn,
    any::AnyMove,
    bots::{Rating, search::WIN},
    catalog::Catalog,
};

/// How many pairs of worlds are compared for each kind.
const PAIRS: usize = 1_000;

/// More games than it takes to compare all pairs.
const GAMES: u64 = 500;

/// Worlds that are compared with the real one at each point of a game.
const WORLDS: usize = 4;

/// Efforts of the bots. Two samples show whether the number of throws for the first is the same, and without
/// optimisation more would take long.
const EFFORTS: u32 = 2;

pub fn equal_knowledge_and_equal_dice_give_equal_ratings(catalog: Catalog) {
    assert!(catalog.all().next().is_some(), "a catalogue without a kind proves nothing");
    for rules in catalog.all() {
        let (kind, mut compared) = (rules.info().kind, 0);
        for (game, seats) in (0..GAMES).zip(rules.info().seats.clone().cycle()) {
            if compared >= PAIRS {
                break;
            }
            let (mut table, _) = Table::start(rules, seats, game);
            let pairs = compare_ratings(&mut table, game, PAIRS - compared);
            compared += pairs.unwrap_or_else(|peek| panic!("a bot of {kind} peeks: {peek}"));
        }
        assert_eq!(compared, PAIRS, "{GAMES} games of {kind} have fewer pairs of worlds that look the same");
    }
}

pub fn bots_have_levels_and_rate_every_move_from_a_loss_to_a_win(catalog: Catalog) {
    for rules in catalog.all() {
        let levels = rules.bot_levels();
        assert!(matches!(levels.len(), 1 | 5), "{} has {} levels", rules.info().kind, levels.len());
        assert!(levels.iter().all(|level| level.effort > 0 && !level.reaction.is_empty()), "{levels:?}");
    }
    for (rules, seats, game) in every_game(catalog, 2) {
        let (kind, mut chance) = (rules.info().kind, Dice::new(seed(13_000 + game)));
        let (mut table, _) = Table::start(rules, seats, game);
        while table.outcome().is_none() {
            let mut has_mover = false;
            for (seat, moves) in choices(&table) {
                let (ratings, _) = rate(&table, seat, &moves, 1, 0);
                has_mover |= !ratings.is_empty();
                assert!([0, moves.len()].contains(&ratings.len()), "{kind} rates every move, or none");
                assert!(ratings.iter().all(|rating| (0..=WIN).contains(rating)), "{kind}: {ratings:?}");
            }
            assert!(has_mover, "all bots of {kind} wait for each other\n{}", table.drawing());
            let moves = 1 + chance.index(20);
            table.stroll(moves, &mut chance);
        }
    }
}

/// Plays a random game to its end, or until enough pairs of worlds were compared. At several points draws worlds that
/// look the same to a seat that is to move, and rates its moves in all of them with equal dice. In a kind that hides
/// something, a world that does not differ from the real one does not count. Returns the number of pairs.
pub fn compare_ratings(table: &mut Table, game: u64, enough: usize) -> Result<usize, String> {
    let (mut chance, mut compared) = (Dice::new(seed(12_000 + game)), 0);
    while compared < enough && table.outcome().is_none() {
        let able = choices(table);
        if !able.is_empty() {
            let (seat, moves) = &able[chance.index(able.len())];
            let eyes = Eyes::Seat(*seat);
            let (effort, throws) = (1 + chance.below(EFFORTS), chance.below(u32::MAX));
            let real = rate(table, *seat, moves, effort, throws);
            for _ in 0..WORLDS.min(enough - compared) {
                let state = table.rules.resample(&table.state, eyes, &mut chance);
                let world = Table { state, ..table.clone() };
                if table.rules.info().hidden && world.bytes() == table.bytes() {
                    continue;
                }
                let other = rate(&world, *seat, moves, effort, throws);
                same(&format!("a rating of {:?}", table.ids(*seat)), eyes, &real, &other)?;
                same("the greedy move", eyes, &greedy(table, *seat, moves), &greedy(&world, *seat, moves))?;
                compared += 1;
            }
        }
        if let Some(leaving) = may_give_up(table, &mut chance) {
            table.resign(&leaving);
        }
        let moves = 1 + chance.index(10);
        table.stroll(moves, &mut chance);
    }
    Ok(compared)
}

/// The seats that are to move, with their legal moves.
fn choices(table: &Table) -> Vec<(Seat, Vec<AnyMove>)> {
    let Turn::Waiting(waiting) = table.rules.turn(&table.state) else { return Vec::new() };
    waiting.into_iter().map(|seat| (seat, table.legal(seat))).collect()
}

/// The ratings of the moves, and how many times the bot threw the dice.
fn rate(table: &Table, seat: Seat, moves: &[AnyMove], effort: u32, throws: u32) -> (Vec<Rating>, u64) {
    let mut dice = Dice::new(seed(throws.into()));
    let ratings = table.rules.rate(&table.state, seat, moves, table.now, effort, &mut dice);
    (ratings, dice.position())
}

fn greedy(table: &Table, seat: Seat, moves: &[AnyMove]) -> Option<usize> {
    table.rules.greedy(&table.state, seat, moves, table.now)
}
