//! Places in a shop, and sets of them as one number, so that what is next to what is a shift and a mask.

use serde::{Deserialize, Serialize};
use std::{
    fmt,
    ops::{BitAnd, BitOr, BitOrAssign, Not},
};

/// Where a tile lies, counted from the register at (0, 0). Rows grow southwards, columns eastwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub row: i8,
    pub column: i8,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.column)
    }
}

/// A set of the places a shop can reach: three to each side of its register, for that may lie in any corner of a 4×4
/// square. Row by row, eight bits a row: the eighth stays free, so that no step off one end of a row arrives at the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells(u64);

impl Cells {
    const REACH: i8 = 3;
    const SPAN: u8 = 7;
    const BOARD: Cells = Cells(0x007f_7f7f_7f7f_7f7f);
    pub const NONE: Cells = Cells(0);
    pub const REGISTER: Cells = Cells(1 << (3 * 8 + 3));

    /// The place alone; nothing if no shop reaches it.
    pub fn at(place: Place) -> Option<Self> {
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

    /// All cells of all squares of that size that cover these cells: where such a shop may still grow.
    pub fn room(self, size: u8) -> Self {
        let row = (1 << size) - 1;
        let square = (0..size).fold(0, |square, _| square << 8 | row);
        let offsets = 0..=Self::SPAN - size;
        let squares =
            offsets.clone().flat_map(|down| offsets.clone().map(move |right| Self(square << (down * 8 + right))));
        squares.filter(|square| (self & !*square).is_empty()).fold(Self::NONE, BitOr::bitor)
    }

    /// The places in order: row by row, from north-west to south-east.
    pub fn iter(self) -> impl Iterator<Item = Place> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let bit = i8::try_from(rest.trailing_zeros()).ok().filter(|bit| *bit < 64)?;
            rest &= rest - 1;
            Some(Place { row: bit / 8 - Self::REACH, column: bit % 8 - Self::REACH })
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
