//! Statistics over simulated games.

use super::{GameResult, SimulationPlan, Strategy};
use crate::Seat;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The statistics of some games.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    pub games: u32,
    pub moves: Distribution,
    /// Only in kinds whose view has a round.
    pub rounds: Option<Distribution>,
    /// The win rate of each seat.
    pub seats: Vec<WinCount>,
    /// The win rate of one player of each strategy, weakest strategy first.
    pub players: Vec<PlayerStatistics>,
    /// The win rate of the opening seat, over the games that have one.
    pub opener: WinCount,
    pub reasons: BTreeMap<Cow<'static, str>, u32>,
    pub best_scores: Distribution,
    pub scores: Distribution,
}

/// The statistics of all players who choose alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayerStatistics {
    pub strategy: Strategy,
    pub wins: WinCount,
    pub moves: u64,
    /// The mean time for a move, in the unit of the clock.
    pub mean_time: u64,
    pub longest_time: u64,
}

/// How often a player wins. A victory shared by several counts as a part of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct WinCount {
    pub wins: f64,
    pub games: u32,
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

    fn summary(&self) -> [i64; 5] {
        [0, 10, 50, 90, 100].map(|at| self.percentile(at))
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [least, tenth, median, ninetieth, most] = self.summary();
        write!(f, "{least} to {most}, median {median}, 80 % within {tenth} to {ninetieth}")
    }
}

/// The least number, the 10th, 50th and 90th percentile, and the greatest.
impl Serialize for Distribution {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.summary().serialize(serializer)
    }
}

impl WinCount {
    fn add(&mut self, wins: f64) {
        self.games += 1;
        self.wins += wins;
    }

    /// The share of the games that were won, from 0 to 1.
    pub fn rate(self) -> f64 {
        self.wins / f64::from(self.games.max(1))
    }

    /// The 95 % confidence interval of the rate, by Wilson's score. Shared victories vary less, so it is a little wide.
    pub fn interval(self) -> (f64, f64) {
        let (n, p, z) = (f64::from(self.games.max(1)), self.rate(), 1.96);
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }
}

impl fmt::Display for WinCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.interval();
        write!(f, "{:.1} % ({:.1} to {:.1})", 100.0 * self.rate(), 100.0 * least, 100.0 * most)
    }
}

impl Statistics {
    pub fn of(plan: &SimulationPlan, games: &[GameResult]) -> Self {
        let mut seats = vec![WinCount::default(); plan.players.len()];
        let (mut opener, mut reasons) = (WinCount::default(), BTreeMap::new());
        let (mut players, mut times) = (BTreeMap::<_, PlayerStatistics>::new(), BTreeMap::<_, u64>::new());
        for game in games {
            for (seat, player) in Seat::all(u8::MAX).zip(&game.players) {
                let strategy = plan.players[*player];
                let player = players.entry(strategy).or_insert_with(|| PlayerStatistics::new(strategy));
                seats[seat.index()].add(game.share(seat));
                player.wins.add(game.share(seat));
            }
            for (thinking, strategy) in game.thinking.iter().zip(&plan.players) {
                let player = players.get_mut(strategy).expect("every player has a seat");
                player.moves += u64::from(thinking.moves);
                times.entry(*strategy).and_modify(|time| *time += thinking.time).or_insert(thinking.time);
                player.longest_time = player.longest_time.max(thinking.longest);
            }
            if let Some(seat) = game.opener {
                opener.add(game.share(seat));
            }
            *reasons.entry(game.outcome.reason.clone()).or_default() += 1;
        }
        for (strategy, player) in &mut players {
            player.mean_time = times.get(strategy).copied().unwrap_or(0) / player.moves.max(1);
        }
        let rounds: Option<Vec<_>> = games.iter().map(|game| game.rounds.map(i64::from)).collect();
        Self {
            games: u32::try_from(games.len()).expect("games are counted in u32"),
            moves: Distribution::of(games.iter().map(|game| game.moves.into())),
            rounds: rounds.filter(|rounds| !rounds.is_empty()).map(Distribution::of),
            seats,
            players: players.into_values().collect(),
            opener,
            reasons,
            best_scores: Distribution::of(games.iter().filter_map(|game| game.scores().max())),
            scores: Distribution::of(games.iter().flat_map(GameResult::scores)),
        }
    }
}

impl PlayerStatistics {
    fn new(strategy: Strategy) -> Self {
        Self { strategy, wins: WinCount::default(), moves: 0, mean_time: 0, longest_time: 0 }
    }
}

impl GameResult {
    /// The seat's share of the victory.
    fn share(&self, seat: Seat) -> f64 {
        let winners = &self.outcome.winners;
        match self.outcome.stage {
            _ if !winners.contains(&seat) => 0.0,
            Some(_) => 1.0, // a team wins together
            None => 1.0 / f64::from(u32::try_from(winners.len()).expect("a table has few seats")),
        }
    }

    fn scores(&self) -> impl Iterator<Item = i64> {
        self.outcome.standings.iter().map(|standing| standing.score.into())
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "moves      {}", self.moves)?;
        if let Some(rounds) = &self.rounds {
            writeln!(f, "rounds     {rounds}")?;
        }
        for (at, player) in self.players.iter().enumerate() {
            writeln!(f, "{} {:7} {}", if at == 0 { "wins      " } else { "          " }, player.strategy, player.wins)?;
        }
        for (seat, wins) in self.seats.iter().enumerate() {
            writeln!(f, "           seat {seat}  {wins}")?;
        }
        if self.opener.games > 0 {
            writeln!(f, "           opener  {}", self.opener)?;
        }
        write!(f, "ended by  ")?;
        for (reason, games) in &self.reasons {
            write!(f, " {reason}: {:.1} %", 100.0 * f64::from(*games) / f64::from(self.games.max(1)))?;
        }
        writeln!(f, "\nbest score {}", self.best_scores)?;
        write!(f, "all scores {}", self.scores)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Thinking;
    use super::*;
    use crate::{Outcome, Seed, Standing, catalog};

    fn plan() -> SimulationPlan {
        let rules = catalog::BUILT_IN.newest("CHIPS").expect("in the catalog");
        SimulationPlan { rules, players: vec![Strategy::Level(5), Strategy::Random], games: 0, seed: Seed([0; 32]) }
    }

    /// A game in which the seats were those of these players.
    fn game(moves: u32, winners: &[u8], opener: Option<u8>, players: [usize; 2]) -> GameResult {
        let standings = [(0, 9), (1, 4)].map(|(seat, score)| Standing { seat: Seat(seat), rank: 1, score });
        let winners = winners.iter().copied().map(Seat).collect();
        let outcome = Outcome { winners, standings: standings.to_vec(), reason: "TARGET".into(), stage: None };
        let thinking = vec![Thinking { moves, time: 6, longest: 4 }; 2];
        let opener = opener.map(Seat);
        GameResult { players: players.to_vec(), moves, rounds: None, opener, outcome, thinking }
    }

    #[test]
    fn a_distribution_shows_its_ends_and_its_median() {
        let spread = Distribution::of([9, 1, 5, 7, 3]);
        assert_eq!((spread.percentile(0), spread.median(), spread.percentile(100)), (1, 5, 9));
        assert_eq!(spread.within(3..=7), 3);
        assert_eq!(Distribution::of([]).median(), 0);
    }

    #[test]
    fn wins_are_counted_by_seat_by_player_and_for_the_opening_seat() {
        let games = [
            game(1, &[0], Some(0), [0, 1]),
            game(2, &[0], Some(1), [1, 0]),
            game(3, &[0, 1], Some(1), [0, 1]),
            game(4, &[1], None, [1, 0]),
        ];
        let statistics = Statistics::of(&plan(), &games);
        let wins = |wins: &WinCount| (wins.wins, wins.games);
        assert_eq!(statistics.seats.iter().map(wins).collect::<Vec<_>>(), [(2.5, 4), (1.5, 4)]);
        let by_strategy: Vec<_> =
            statistics.players.iter().map(|player| (player.strategy, wins(&player.wins))).collect();
        assert_eq!(by_strategy, [(Strategy::Random, (1.5, 4)), (Strategy::Level(5), (2.5, 4))]);
        assert_eq!(wins(&statistics.opener), (1.5, 3));
        assert_eq!((statistics.rounds, statistics.scores.median(), statistics.best_scores.median()), (None, 4, 9));
        let player = &statistics.players[1];
        assert_eq!((player.moves, player.mean_time, player.longest_time), (10, 2, 4));
    }

    #[test]
    fn the_interval_of_a_rate_is_wilsons() {
        let rate = |wins, games| WinCount { wins, games }.interval();
        let near = |(least, most): (f64, f64), expected: (f64, f64)| {
            (least - expected.0).abs() < 5e-4 && (most - expected.1).abs() < 5e-4
        };
        assert!(near(rate(50.0, 100), (0.4038, 0.5962)), "{:?}", rate(50.0, 100));
        assert!(near(rate(10.0, 10), (0.7225, 1.0)), "{:?}", rate(10.0, 10));
    }

    #[test]
    fn statistics_are_printed_as_lines() {
        let games = [game(10, &[0], Some(0), [0, 1]), game(20, &[1], Some(0), [0, 1])];
        let text = Statistics::of(&plan(), &games).to_string();
        assert!(text.contains("seat 0  50.0 % (9.5 to 90.5)"), "{text}");
        assert!(text.contains("opener  50.0 %") && text.contains("TARGET: 100.0 %"), "{text}");
    }
}
