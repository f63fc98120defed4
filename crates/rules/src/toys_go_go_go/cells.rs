//! Cells of a shop's grid, and bit sets of them: neighbours are found with a shift and a mask.

use serde::{Deserialize, Serialize};
use std::{
    fmt,
    ops::{BitAnd, BitOr, BitOrAssign, Not},
};

/// A cell of the grid, relative to the register at (0, 0). Rows grow southwards, columns eastwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename = "Place")]
pub struct Cell {
    pub row: i8,
    pub column: i8,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.column)
    }
}

/// A bit set of cells. A shop reaches three cells to each side of its register, because the register may be in any
/// corner of the 4×4 square. Each row takes eight bits; the eighth stays empty, so that a shift beyond the end of a row
/// does not reach the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells(u64);

impl Cells {
    const REACH: i8 = 3;
    const SPAN: u8 = 7;
    const BOARD: Cells = Cells(0x007f_7f7f_7f7f_7f7f);
    pub const NONE: Cells = Cells(0);
    pub const REGISTER: Cells = Cells(1 << (3 * 8 + 3));

    /// The set of one cell; `None` if no shop reaches it.
    pub fn at(place: Cell) -> Option<Self> {
        let from_edge = |n: i8| u8::try_from(n.checked_add(Self::REACH)?).ok().filter(|n| *n < Self::SPAN);
        Some(Self(1 << (from_edge(place.row)? * 8 + from_edge(place.column)?)))
    }

    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    pub fn overlaps(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The cells next to these on one side: 0 north, 1 east, 2 south, 3 west.
    pub fn beyond(self, side: usize) -> Self {
        let moved = match side {
            0 => self.0 >> 8,
            1 => self.0 << 1,
            2 => self.0 << 8,
            _ => self.0 >> 1,
        };
        Self(moved) & Self::BOARD
    }

    /// The cells next to these, edge to edge.
    pub fn neighbours(self) -> Self {
        (0..4).fold(Self::NONE, |all, side| all | self.beyond(side)) & !self
    }

    /// The union of all squares of this size that cover these cells: where a shop of that size may still grow.
    pub fn room(self, size: u8) -> Self {
        let row = (1 << size) - 1;
        let square = (0..size).fold(0, |square, _| square << 8 | row);
        let offsets = 0..=Self::SPAN - size;
        let squares =
            offsets.clone().flat_map(|down| offsets.clone().map(move |right| Self(square << (down * 8 + right))));
        squares.filter(|square| (self & !*square).is_empty()).fold(Self::NONE, BitOr::bitor)
    }

    /// The cells row by row, from north-west to south-east.
    pub fn iter(self) -> impl Iterator<Item = Cell> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let bit = i8::try_from(rest.trailing_zeros()).ok().filter(|bit| *bit < 64)?;
            rest &= rest - 1;
            Some(Cell { row: bit / 8 - Self::REACH, column: bit % 8 - Self::REACH })
        })
    }
}

impl BitAnd for Cells {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Cells {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Cells {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Not for Cells {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0) & Self::BOARD
    }
}
