//! One seat's shop: its register, the tiles laid around it, and its coins.

use super::{
    cells::{Cells, Place},
    types::{Register, Tile, Toy, ToyType},
    zones::{Gains, Zones},
};
use serde::{Deserialize, Serialize};
use std::array;

/// A shop. What its zones are follows from its tiles, so they are worked out again when it is read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Shop {
    pub register: Register,
    /// In the order they were laid.
    laid: Vec<Laid>,
    pub coins: u32,
    /// Whether the seat has given up.
    pub resigned: bool,
    zones: Zones,
}

/// A tile in a shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Laid {
    pub tile: Tile,
    pub place: Place,
}

impl Shop {
    /// Just the register.
    pub fn new(register: Register) -> Self {
        let mut zones = Zones::default();
        zones.lay(Cells::REGISTER, register.border());
        Self { register, laid: Vec::new(), coins: 0, resigned: false, zones }
    }

    pub fn laid(&self) -> &[Laid] {
        &self.laid
    }

    pub fn zones(&self) -> &Zones {
        &self.zones
    }

    /// Whether the square is full, register included.
    pub fn is_full(&self, size: u8) -> bool {
        self.zones.occupied().len() >= u32::from(size * size)
    }

    /// Whether tiles will still be laid in it.
    pub fn is_growing(&self, size: u8) -> bool {
        !self.resigned && !self.is_full(size)
    }

    /// The places where a tile may be laid: edge to edge with the shop, within a square of that size.
    pub fn places(&self, size: u8) -> Cells {
        self.zones.occupied().neighbours() & self.room(size)
    }

    /// The places that can still be part of the square, free or not.
    pub fn room(&self, size: u8) -> Cells {
        self.zones.occupied().room(size)
    }

    /// What the tile would earn on a free place.
    pub fn gains(&self, tile: Tile, cell: Cells) -> Gains {
        self.zones.gains(cell, tile.printed().border)
    }

    /// Lays a tile on a free place. Nothing changes if there is none: no shop reaches it, or it is taken.
    pub fn lay(&mut self, laid: Laid) -> Option<()> {
        let cell = Cells::at(laid.place).filter(|cell| !cell.overlaps(self.zones.occupied()))?;
        self.zones.lay(cell, laid.tile.printed().border);
        self.laid.push(laid);
        Some(())
    }

    /// How often each toy is in the shop, in the order of the toys.
    pub fn stock(&self) -> [u8; Toy::ALL.len()] {
        let mut stock = [0; Toy::ALL.len()];
        for toy in self.laid.iter().flat_map(|laid| laid.tile.printed().toys) {
            stock[toy as usize] += 1;
        }
        stock
    }

    /// Whether all five toys of the type are there, connected or not.
    pub fn has_collection(&self, toy_type: ToyType) -> bool {
        let stock = self.stock();
        toy_type.toys().all(|toy| stock[toy as usize] > 0)
    }

    /// How often the type's most frequent toy is there.
    pub fn showcase(&self, toy_type: ToyType) -> u8 {
        let stock = self.stock();
        toy_type.toys().map(|toy| stock[toy as usize]).max().unwrap_or_default()
    }

    /// A picture of the shop: a tile is its number, with the letters of its half-sides around it; the register is `$$`.
    pub fn drawing(&self) -> String {
        let places: Vec<_> = self.zones.occupied().iter().collect();
        let range = |of: fn(&Place) -> i8| {
            let (least, most) = (places.iter().map(of).min(), places.iter().map(of).max());
            least.zip(most).map_or(0..=0, |(least, most)| least..=most)
        };
        let mut lines = Vec::new();
        for row in range(|place| place.row) {
            let mut block = [const { String::new() }; 4];
            for column in range(|place| place.column) {
                for (line, part) in block.iter_mut().zip(self.draw(Place { row, column })) {
                    line.push_str(&part);
                }
            }
            lines.extend(block.map(|line| line.trim_end().to_owned()));
        }
        lines.join("\n")
    }

    /// Four lines of four letters.
    fn draw(&self, place: Place) -> [String; 4] {
        let (name, border) = match self.laid.iter().find(|laid| laid.place == place) {
            Some(Laid { tile, .. }) => (tile.to_string(), tile.printed().border),
            None if place == (Place { row: 0, column: 0 }) => ("$$".into(), self.register.border()),
            None => return array::from_fn(|_| " ".repeat(4)),
        };
        let [nl, nr, et, eb, sr, sl, wb, wt] = border.colours().map(ToyType::letter);
        [format!(" {nl}{nr} "), format!("{wt}{name:>2}{et}"), format!("{wb}  {eb}"), format!(" {sl}{sr} ")]
    }
}

/// A shop as it is stored: without its zones.
#[derive(Serialize, Deserialize)]
struct Stored {
    register: Register,
    laid: Vec<Laid>,
    coins: u32,
    resigned: bool,
}

impl From<Shop> for Stored {
    fn from(Shop { register, laid, coins, resigned, .. }: Shop) -> Self {
        Self { register, laid, coins, resigned }
    }
}

impl TryFrom<Stored> for Shop {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        let mut shop = Self { coins: stored.coins, resigned: stored.resigned, ..Self::new(stored.register) };
        for laid in stored.laid {
            shop.lay(laid).ok_or("a tile lies where none can")?;
        }
        Ok(shop)
    }
}
