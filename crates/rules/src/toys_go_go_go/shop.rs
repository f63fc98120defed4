//! One seat's shop: its register, the tiles laid around it, and its coins.

use super::{
    cells::{Cell, Cells},
    types::{Register, Tile, Toy, ToyType},
    zones::{Gains, Zones},
};
use serde::{Deserialize, Serialize};
use std::array;

/// A shop. Zones are derived from its tiles, so they are not stored but recomputed on deserialization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredShop", into = "StoredShop")]
pub struct Shop {
    pub register: Register,
    /// In the order they were laid.
    laid: Vec<LaidTile>,
    pub coins: u32,
    /// Whether the seat has resigned.
    pub resigned: bool,
    zones: Zones,
}

/// A tile in a shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Laid")]
pub struct LaidTile {
    pub tile: Tile,
    pub place: Cell,
}

impl Shop {
    /// A shop with only its register.
    pub fn new(register: Register) -> Self {
        let mut zones = Zones::default();
        zones.lay(Cells::REGISTER, register.border());
        Self { register, laid: Vec::new(), coins: 0, resigned: false, zones }
    }

    pub fn laid(&self) -> &[LaidTile] {
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

    /// The cells where a tile may be laid: edge to edge with the shop, within a square of this size.
    pub fn places(&self, size: u8) -> Cells {
        self.zones.occupied().neighbours() & self.room(size)
    }

    /// The cells that can still be part of the square, empty or not.
    pub fn room(&self, size: u8) -> Cells {
        self.zones.occupied().room(size)
    }

    /// What the tile would earn on an empty cell.
    pub fn gains(&self, tile: Tile, cell: Cells) -> Gains {
        self.zones.gains(cell, tile.face().border)
    }

    /// Lays a tile on an empty cell. Returns `None` and changes nothing if the cell is taken or out of reach.
    pub fn lay(&mut self, laid: LaidTile) -> Option<()> {
        let cell = Cells::at(laid.place).filter(|cell| !cell.overlaps(self.zones.occupied()))?;
        self.zones.lay(cell, laid.tile.face().border);
        self.laid.push(laid);
        Some(())
    }

    /// The number of copies of each toy, in the order of the toys.
    pub fn stock(&self) -> [u8; Toy::ALL.len()] {
        let mut stock = [0; Toy::ALL.len()];
        for toy in self.laid.iter().flat_map(|laid| laid.tile.face().toys) {
            stock[toy as usize] += 1;
        }
        stock
    }

    /// Whether the shop has all five toys of the type, connected or not.
    pub fn has_collection(&self, toy_type: ToyType) -> bool {
        let stock = self.stock();
        toy_type.toys().all(|toy| stock[toy as usize] > 0)
    }

    /// The number of copies of the type's most frequent toy.
    pub fn showcase(&self, toy_type: ToyType) -> u8 {
        let stock = self.stock();
        toy_type.toys().map(|toy| stock[toy as usize]).max().unwrap_or_default()
    }

    /// A picture of the shop: a tile is its number, with the letters of its half-sides around it; the register is `$$`.
    pub fn drawing(&self) -> String {
        let places: Vec<_> = self.zones.occupied().iter().collect();
        let range = |of: fn(&Cell) -> i8| {
            let (least, most) = (places.iter().map(of).min(), places.iter().map(of).max());
            least.zip(most).map_or(0..=0, |(least, most)| least..=most)
        };
        let mut lines = Vec::new();
        for row in range(|place| place.row) {
            let mut block = [const { String::new() }; 4];
            for column in range(|place| place.column) {
                for (line, part) in block.iter_mut().zip(self.draw(Cell { row, column })) {
                    line.push_str(&part);
                }
            }
            lines.extend(block.map(|line| line.trim_end().to_owned()));
        }
        lines.join("\n")
    }

    /// Four lines of four letters.
    fn draw(&self, place: Cell) -> [String; 4] {
        let (name, border) = match self.laid.iter().find(|laid| laid.place == place) {
            Some(LaidTile { tile, .. }) => (tile.to_string(), tile.face().border),
            None if place == (Cell { row: 0, column: 0 }) => ("$$".into(), self.register.border()),
            None => return array::from_fn(|_| " ".repeat(4)),
        };
        let [nl, nr, et, eb, sr, sl, wb, wt] = border.colours().map(ToyType::letter);
        [format!(" {nl}{nr} "), format!("{wt}{name:>2}{et}"), format!("{wb}  {eb}"), format!(" {sl}{sr} ")]
    }
}

/// A shop as it is stored: without its zones.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Stored")]
struct StoredShop {
    register: Register,
    laid: Vec<LaidTile>,
    coins: u32,
    resigned: bool,
}

impl From<Shop> for StoredShop {
    fn from(Shop { register, laid, coins, resigned, .. }: Shop) -> Self {
        Self { register, laid, coins, resigned }
    }
}

impl TryFrom<StoredShop> for Shop {
    type Error = &'static str;

    fn try_from(stored: StoredShop) -> Result<Self, Self::Error> {
        let mut shop = Self { coins: stored.coins, resigned: stored.resigned, ..Self::new(stored.register) };
        for laid in stored.laid {
            shop.lay(laid).ok_or("a tile lies where none can")?;
        }
        Ok(shop)
    }
}
