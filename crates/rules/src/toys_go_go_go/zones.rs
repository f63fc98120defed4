//! Colour zones of a shop, updated with each tile.
//!
//! A tile or register has at most one zone of each colour. So a zone across several tiles is a colour and a set of
//! cells, and the coins of a new tile take a few masks and bit counts.

use super::{
    cells::Cells,
    types::{Border, ToyType},
};
use serde::{Deserialize, Serialize};
use std::ops::BitOr;

/// The half-side of the neighbour that each half-side touches: N-left and S-left, E-top and W-top, and so on.
const FACING: [usize; Border::HALF_SIDES] = [5, 4, 7, 6, 1, 0, 3, 2];

/// The zones of all colours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zones {
    occupied: Cells,
    /// By colour and half-side: the cells whose piece has that colour on that half-side.
    faces: [[Cells; Border::HALF_SIDES]; ToyType::ALL.len()],
    /// By colour: the cells of each zone; the zone with the oldest piece comes first.
    by_colour: [Vec<Cells>; ToyType::ALL.len()],
}

/// The coins a tile earns, by colour: one for each toy of the continuous zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gains([u8; ToyType::ALL.len()]);

impl Gains {
    pub fn total(self) -> u32 {
        self.0.into_iter().map(u32::from).sum()
    }

    /// The colours that earn something.
    pub fn iter(self) -> impl Iterator<Item = (ToyType, u8)> {
        ToyType::ALL.into_iter().zip(self.0).filter(|(_, coins)| *coins > 0)
    }
}

impl Zones {
    /// The cells that hold pieces.
    pub fn occupied(&self) -> Cells {
        self.occupied
    }

    /// The zones of a colour as sets of cells; the zone with the oldest piece comes first.
    pub fn of(&self, colour: ToyType) -> &[Cells] {
        &self.by_colour[colour as usize]
    }

    /// What a tile with this border would earn on an empty cell.
    pub fn gains(&self, cell: Cells, border: Border) -> Gains {
        let touched = self.touched(cell, border);
        let mut gains = Gains::default();
        for ((coins, zones), touched) in gains.0.iter_mut().zip(&self.by_colour).zip(touched) {
            if !touched.is_empty() {
                // Every piece of a zone holds one toy, the new one included; the register connects pieces but holds
                // none.
                let toys =
                    zones.iter().filter(|zone| zone.overlaps(touched)).map(|zone| (*zone & !Cells::REGISTER).len());
                *coins = u8::try_from(1 + toys.sum::<u32>()).expect("a shop has few toys");
            }
        }
        gains
    }

    /// Lays a piece on an empty cell and merges its zones with those they touch.
    pub fn lay(&mut self, cell: Cells, border: Border) {
        let touched = self.touched(cell, border);
        self.occupied |= cell;
        for (half_side, colour) in border.iter() {
            self.faces[colour as usize][half_side] |= cell;
        }
        for (colour, (zones, touched)) in ToyType::ALL.into_iter().zip(self.by_colour.iter_mut().zip(touched)) {
            if border.colours().contains(&colour) {
                let meets = |zone: &Cells| zone.overlaps(touched);
                let joined = zones.iter().copied().filter(meets).fold(cell, BitOr::bitor);
                let oldest = zones.iter().position(meets).unwrap_or(zones.len());
                zones.retain(|zone| !meets(zone));
                zones.insert(oldest, joined);
            }
        }
    }

    /// By colour: the neighbours whose half-side has the same colour as the half-side it touches.
    fn touched(&self, cell: Cells, border: Border) -> [Cells; ToyType::ALL.len()] {
        let mut touched = [Cells::NONE; ToyType::ALL.len()];
        for (half_side, colour) in border.iter() {
            touched[colour as usize] |= cell.beyond(half_side / 2) & self.faces[colour as usize][FACING[half_side]];
        }
        touched
    }
}
