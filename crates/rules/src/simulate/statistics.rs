//! Statistics over simulated games.

use super::GameResult;
use crate::Seat;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The statistics of some games.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    pub games: u32,
    pub moves: Distribution,
    /// Only in kinds whose view has a round.
    pub rounds: Option<Distribution>,
    /// The number of games each seat won; a shared victory counts for each winner.
    pub wins: Vec<u32>,
    /// The number of games with an opening seat, and how many of them that seat won.
    pub openers: (u32, u32),
    pub reasons: BTreeMap<Cow<'static, str>, u32>,
    pub best_scores: Distribution,
    pub scores: Distribution,
}

/// A sorted sample of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution(Vec<i64>);

impl Distribution {
    fn of(numbers: impl IntoIterator<Item = i64>) -> Self {
        let mut numbers: Vec<_> = numbers.into_iter().collect();
        numbers.sort_unstable();
        Self(numbers)
    }

    /// The given percentile, without interpolation: its position in the sample is rounded down. 0 for an empty sample.
    pub fn percentile(&self, hundredths: usize) -> i64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get(last * hundredths / 100).copied().unwrap_or_default()
    }

    pub fn median(&self) -> i64 {
        self.percentile(50)
    }

    /// How many of the numbers are within these limits.
    pub fn within(&self, limits: std::ops::RangeInclusive<i64>) -> usize {
        self.0.iter().filter(|number| limits.contains(number)).count()
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, tenth, median, ninetieth, most] = [0, 10, 50, 90, 100].map(|at| self.percentile(at));
        write!(f, "{least} to {most}, median {median}, 80 % within {tenth} to {ninetieth}")
    }
}

impl Statistics {
    pub(super) fn of(games: &[GameResult], seats: u8) -> Self {
        let count = |wanted: &dyn Fn(&GameResult) -> bool| count(games.iter().filter(|game| wanted(game)).count());
        let rounds: Option<Vec<_>> = games.iter().map(|game| game.rounds.map(i64::from)).collect();
        let mut reasons = BTreeMap::new();
        for game in games {
            *reasons.entry(game.outcome.reason.clone()).or_default() += 1;
        }
        let scores =
            |game: &GameResult| -> Vec<_> { game.outcome.standings.iter().map(|place| place.score.into()).collect() };
        Self {
            games: count(&|_| true),
            moves: Distribution::of(games.iter().map(|game| game.moves.into())),
            rounds: rounds.filter(|rounds| !rounds.is_empty()).map(Distribution::of),
            wins: Seat::all(seats).map(|seat| count(&|game| game.outcome.winners.contains(&seat))).collect(),
            openers: (
                count(&|game| game.opener.is_some()),
                count(&|game| game.opener.is_some_and(|opener| game.outcome.winners.contains(&opener))),
            ),
            reasons,
            best_scores: Distribution::of(games.iter().filter_map(|game| scores(game).into_iter().max())),
            scores: Distribution::of(games.iter().flat_map(scores)),
        }
    }

    /// Of the games with an opening seat, the percentage that this seat won; `None` if there are none.
    pub fn opener_wins(&self) -> Option<f64> {
        let (begun, won) = self.openers;
        (begun > 0).then(|| share(won, begun))
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "moves      {}", self.moves)?;
        if let Some(rounds) = &self.rounds {
            writeln!(f, "rounds     {rounds}")?;
        }
        write!(f, "wins      ")?;
        for (seat, wins) in self.wins.iter().enumerate() {
            write!(f, " seat {seat}: {:.1} %", share(*wins, self.games))?;
        }
        if let Some(wins) = self.opener_wins() {
            write!(f, "\n           opening seat: {wins:.1} %")?;
        }
        write!(f, "\nended by  ")?;
        for (reason, games) in &self.reasons {
            write!(f, " {reason}: {:.1} %", share(*games, self.games))?;
        }
        writeln!(f, "\nbest score {}", self.best_scores)?;
        write!(f, "all scores {}", self.scores)
    }
}

fn count(games: usize) -> u32 {
    u32::try_from(games).expect("games are counted in u32")
}

fn share(part: u32, whole: u32) -> f64 {
    100.0 * f64::from(part) / f64::from(whole.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Standing};

    fn game(moves: u32, winner: u8, opener: Option<u8>) -> GameResult {
        let standing = |seat, rank, score| Standing { seat: Seat(seat), rank, score };
        let standings = vec![standing(winner, 1, 9), standing(1 - winner, 2, 4)];
        let outcome = Outcome { winners: vec![Seat(winner)], standings, reason: "TARGET".into(), stage: None };
        GameResult { moves, rounds: None, opener: opener.map(Seat), outcome }
    }

    #[test]
    fn a_distribution_shows_its_ends_and_its_median() {
        let spread = Distribution::of([9, 1, 5, 7, 3]);
        assert_eq!((spread.percentile(0), spread.median(), spread.percentile(100)), (1, 5, 9));
        assert_eq!(spread.within(3..=7), 3);
        assert_eq!(Distribution::of([]).median(), 0);
    }

    #[test]
    fn wins_are_counted_by_seat_and_for_the_opening_seat() {
        let games = [game(10, 0, Some(0)), game(20, 1, Some(0)), game(30, 1, Some(1)), game(40, 1, None)];
        let statistics = Statistics::of(&games, 2);
        assert_eq!((statistics.wins.as_slice(), statistics.openers), ([1, 3].as_slice(), (3, 2)));
        assert_eq!((statistics.rounds, statistics.scores.median(), statistics.best_scores.median()), (None, 4, 9));
        assert_eq!(Statistics::of(&games[3..], 2).opener_wins(), None, "nobody began");
    }

    #[test]
    fn statistics_are_printed_as_lines() {
        let text = Statistics::of(&[game(10, 0, Some(0)), game(20, 1, Some(0))], 2).to_string();
        assert!(text.contains("wins       seat 0: 50.0 % seat 1: 50.0 %"), "{text}");
        assert!(text.contains("opening seat: 50.0 %") && text.contains("TARGET: 100.0 %"), "{text}");
    }
}
