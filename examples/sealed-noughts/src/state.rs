//! State of a game with all its secrets, its one move, and the end of the game.

use crate::message;
use ludotheque::rules::{Dice, Illegal, Outcome, Seat, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Cell {
    /// An empty cell.
    Free,
    /// The stone, which counts for nobody's line.
    Stone,
    /// The mark of seat 0.
    Nought,
    /// The mark of seat 1.
    Cross,
}

/// The mark of each seat.
pub const MARKS: [Cell; 2] = [Cell::Nought, Cell::Cross];

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A move: `bid 3 on 4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Move {
    /// Make a secret bid for a cell.
    Bid {
        /// The cell, from 0 to 8, row by row.
        cell: u8,
        /// The number of coins to bid; 0 is allowed.
        coins: u8,
    },
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Bid { cell, coins } = self;
        write!(f, "bid {coins} on {cell}")
    }
}

impl FromStr for Move {
    type Err = &'static str;

    fn from_str(notation: &str) -> Result<Self, Self::Err> {
        let numbers = notation.strip_prefix("bid ").and_then(|rest| rest.split_once(" on "));
        let read = numbers.and_then(|(coins, cell)| Some((cell.parse().ok()?, coins.parse().ok()?)));
        read.map(|bid: Sealed| bid.into()).ok_or("a move is written `bid COINS on CELL`")
    }
}

/// A bid as it is stored: cell and coins. (A [`Move`] can't be stored, because the store's format does not support its
/// `type` tag.)
pub type Sealed = (u8, u8);

impl From<Sealed> for Move {
    fn from((cell, coins): Sealed) -> Self {
        Self::Bid { cell, coins }
    }
}

/// A game of Sealed Noughts with all its secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The coins that each seat started with.
    pub coins: u8,
    /// Row by row.
    pub cells: [Cell; 9],
    pub purses: [u8; 2],
    /// Secret until both are made.
    pub bids: [Option<Sealed>; 2],
    /// The bids of the previous round.
    pub last: Option<[Sealed; 2]>,
    pub resigned: [bool; 2],
}

/// A stored event, with its secrets. Old games keep these bytes, so add new variants at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    Bid { seat: Seat, bid: Sealed },
    Unsealed { bids: [Sealed; 2], winner: Seat },
}

impl State {
    /// An empty board with a stone on a random cell.
    pub fn new(coins: u8, dice: &mut Dice) -> Self {
        let mut cells = [Cell::Free; 9];
        cells[dice.index(9)] = Cell::Stone;
        Self { coins, cells, purses: [coins; 2], bids: [None; 2], last: None, resigned: [false; 2] }
    }

    /// The seats that have not bid yet.
    pub fn bidding(&self) -> Vec<Seat> {
        Seat::all(2).filter(|seat| self.bids[seat.index()].is_none()).collect()
    }

    /// Checks a move against the rules.
    pub fn judge(&self, seat: Seat, Move::Bid { cell, coins }: Move) -> Result<Sealed, Illegal> {
        let purse = self.purses[seat.index()];
        if self.outcome().is_some() || !self.bidding().contains(&seat) {
            Err(Illegal::NotYourTurn(message("refusal-turn")))
        } else if coins > purse {
            Err(Illegal::Rule(message("refusal-purse").with("coins", purse)))
        } else if self.cells.get(usize::from(cell)) != Some(&Cell::Free) {
            Err(Illegal::Rule(message("refusal-cell")))
        } else {
            Ok((cell, coins))
        }
    }

    /// Reveals both bids. The higher one gets its cell, and its coins go to the other seat. A tie is decided at random.
    pub fn unseal(&mut self, dice: &mut Dice) -> Event {
        let bids = std::mem::take(&mut self.bids).map(|bid| bid.expect("both have bid"));
        self.last = Some(bids);
        let is_tie = bids[0].1 == bids[1].1;
        let winner = if is_tie { dice.index(2) } else { usize::from(bids[1].1 > bids[0].1) };
        let (cell, coins) = bids[winner];
        self.purses[winner] -= coins;
        self.purses[1 - winner] += coins;
        self.cells[usize::from(cell)] = MARKS[winner];
        Event::Unsealed { bids, winner: Seat(u8::from(winner == 1)) }
    }

    /// The outcome, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        let has_line = |mark| LINES.iter().any(|line| line.iter().all(|cell| self.cells[*cell] == mark));
        let (points, reason) = if self.resigned.contains(&true) {
            (self.resigned.map(|resigned| u8::from(!resigned)), "RESIGNED")
        } else if MARKS.into_iter().any(has_line) {
            (MARKS.map(|mark| u8::from(has_line(mark))), "LINE")
        } else if self.cells.contains(&Cell::Free) {
            return None;
        } else {
            (self.purses, "COINS")
        };
        let rank = |seat: Seat| 1 + u8::from(points[seat.index()] < points[1 - seat.index()]);
        let standing = |seat: Seat| Standing { seat, rank: rank(seat), score: self.purses[seat.index()].into() };
        let mut standings: Vec<_> = Seat::all(2).map(standing).collect();
        standings.sort_by_key(|standing| standing.rank);
        let winners = Seat::all(2).filter(|seat| rank(*seat) == 1).collect();
        Some(Outcome { winners, standings, reason: reason.into(), stage: None })
    }
}
