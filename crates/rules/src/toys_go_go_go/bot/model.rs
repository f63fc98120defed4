//! Forward model: a compact form of the game for play-outs, in which a turn takes about half a microsecond.
//!
//! It follows the same rules as the game itself, without events, messages and allocation.

use super::faces::{COLOURS, Face, HALF_SIDES, faces};

/// The most seats of a table.
pub const SEATS: usize = 4;
/// The open tiles.
pub const OPEN: usize = 4;
/// The most pieces of a shop, its register included.
const PIECES: usize = 16;
/// A grid of rows of eight cells, of which the eighth column and row stay empty: as in `Cells`, a neighbour is found
/// without a check of the edge.
const CELLS: usize = 64;
const BOARD: u64 = 0x007f_7f7f_7f7f_7f7f;
/// The cell of the register.
const CENTRE: usize = 3 * 8 + 3;
const TOYS: usize = 20;
const TOYS_OF_A_TYPE: u8 = 5;
const REWARD: i32 = 5;
/// The half-side of the neighbour that each half-side touches.
const FACING: [usize; HALF_SIDES] = [5, 4, 7, 6, 1, 0, 3, 2];

/// A game that can be played out.
#[derive(Clone)]
pub struct Model {
    pub size: u8,
    pub turn: usize,
    pub open: [u8; OPEN],
    /// By type: the seat that took the Collection.
    pub collections: [Option<usize>; COLOURS],
    /// Seats that nobody has count as resigned.
    pub shops: [ModelShop; SEATS],
}

/// A shop. Its pieces are numbered in the order they were laid; the register is 0.
#[derive(Clone)]
pub struct ModelShop {
    pub resigned: bool,
    pub coins: i32,
    pub pieces: u8,
    occupied: u64,
    /// By cell: the number of its piece.
    number: [u8; CELLS],
    /// By piece: its face.
    face: [u8; PIECES],
    /// By colour and piece: the zone that it belongs to, named by its oldest piece.
    zone: [[u8; PIECES]; COLOURS],
    /// By colour and zone: the toys in it.
    toys: [[u8; PIECES]; COLOURS],
    /// The number of copies of each toy.
    pub stock: [u8; TOYS],
    /// By type: how many of its five toys the shop has.
    pub different: [u8; COLOURS],
    /// By type: the copies of its most frequent toy.
    pub most: [u8; COLOURS],
}

/// A free cell, and what a tile there would touch.
#[derive(Clone, Copy, Default)]
pub struct Spot {
    pub cell: usize,
    /// By colour: the half-sides where the neighbour has that colour.
    touching: [u8; COLOURS],
    /// By half-side: the zone of the neighbour that it touches.
    zone: [u8; HALF_SIDES],
    /// By half-side: the toys in that zone.
    toys: [u8; HALF_SIDES],
    /// The half-sides towards free cells of the square.
    open: u8,
    /// The sum of `toys`.
    covered: i32,
}

/// What a tile would do on a spot.
#[derive(Clone, Copy, Default)]
pub struct Contact {
    pub coins: i32,
    /// Over the half-sides towards free cells: the toys in the zone that could continue there.
    pub reach: i32,
    /// Over the half-sides where colours differ: the toys in the neighbour's zone, which can't continue there.
    pub blocked: i32,
}

impl ModelShop {
    pub fn new(register: u8) -> Self {
        let mut shop = Self {
            resigned: false,
            coins: 0,
            pieces: 0,
            occupied: 0,
            number: [0; CELLS],
            face: [0; PIECES],
            zone: [[0; PIECES]; COLOURS],
            toys: [[0; PIECES]; COLOURS],
            stock: [0; TOYS],
            different: [0; COLOURS],
            most: [0; COLOURS],
        };
        shop.lay(register, CENTRE);
        shop
    }

    /// How many tiles the shop still takes.
    pub fn tiles_left(&self, size: u8) -> u8 {
        if self.resigned { 0 } else { size * size - self.pieces }
    }

    /// The piece on a cell: its number and its face.
    fn piece(&self, cell: usize) -> Option<(usize, &'static Face)> {
        (self.occupied >> cell & 1 == 1).then(|| {
            let number = usize::from(self.number[cell]);
            (number, &faces()[usize::from(self.face[number])])
        })
    }

    /// The cells that can still be part of the square, empty or not: less than its size away from every piece.
    fn room(&self, size: u8) -> u64 {
        let size = u32::from(size);
        let span = |least: u32, most: u32| ((most + 1).saturating_sub(size), (least + size - 1).min(6));
        let columns = (0..7).fold(0, |columns, row| columns | self.occupied >> (8 * row) & 0x7f);
        let (top, bottom) = span(self.occupied.trailing_zeros() / 8, self.occupied.ilog2() / 8);
        let (left, right) = span(columns.trailing_zeros(), columns.ilog2());
        let row = (1_u64 << (right + 1)) - (1 << left);
        let rows = u64::MAX << (8 * top) & u64::MAX >> (56 - 8 * bottom);
        (0x0101_0101_0101_0101 * row) & rows
    }

    /// Lists every free cell where a tile may be laid, row by row.
    pub fn list_spots(&self, size: u8, spots: &mut Vec<Spot>) {
        spots.clear();
        let free = self.room(size) & !self.occupied;
        let (rows, columns) = (self.occupied << 8 | self.occupied >> 8, self.occupied << 1 | self.occupied >> 1);
        let mut rest = (rows | columns) & free & BOARD;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            spots.push(self.spot(cell, free));
        }
    }

    fn spot(&self, cell: usize, free: u64) -> Spot {
        let mut spot = Spot { cell, ..Spot::default() };
        for side in 0..4 {
            let beside = neighbour(cell, side);
            if let Some((number, face)) = self.piece(beside) {
                for half_side in [2 * side, 2 * side + 1] {
                    let colour = face.colours[FACING[half_side]];
                    let zone = self.zone[colour][number];
                    let toys = self.toys[colour][usize::from(zone)];
                    spot.touching[colour] |= 1 << half_side;
                    (spot.zone[half_side], spot.toys[half_side]) = (zone, toys);
                    spot.covered += i32::from(toys);
                }
            } else if free >> beside & 1 == 1 {
                spot.open |= 3 << (2 * side);
            }
        }
        spot
    }

    /// Lays a piece on a free cell, without paying for it.
    pub fn lay(&mut self, face: u8, cell: usize) {
        let (number, new) = (usize::from(self.pieces), &faces()[usize::from(face)]);
        (self.number[cell], self.face[number]) = (self.pieces, face);
        for toy in &new.toys {
            let copies = &mut self.stock[toy.number];
            *copies += 1;
            self.different[toy.colour] += u8::from(*copies == 1);
            self.most[toy.colour] = self.most[toy.colour].max(*copies);
            self.toys[toy.colour][number] = 1;
        }
        for zone in &mut self.zone {
            zone[number] = self.pieces;
        }
        self.pieces += 1;
        for side in 0..4 {
            if let Some((other, face)) = self.piece(neighbour(cell, side)) {
                for half_side in [2 * side, 2 * side + 1] {
                    if new.colours[half_side] == face.colours[FACING[half_side]] {
                        self.join(new.colours[half_side], number, other);
                    }
                }
            }
        }
        self.occupied |= 1 << cell;
    }

    /// Joins the zones of two pieces.
    fn join(&mut self, colour: usize, one: usize, other: usize) {
        let zones = &mut self.zone[colour];
        let (from, to) = (zones[one].max(zones[other]), zones[one].min(zones[other]));
        if from != to {
            zones.iter_mut().filter(|zone| **zone == from).for_each(|zone| *zone = to);
            self.toys[colour][usize::from(to)] += self.toys[colour][usize::from(from)];
        }
    }
}

/// The cell next to one on a side: north, east, south, west. Off the grid it is an empty cell of the other edge.
fn neighbour(cell: usize, side: usize) -> usize {
    (cell + [CELLS - 8, 1, 8, CELLS - 1][side]) % CELLS
}

impl Spot {
    /// What this tile would do here.
    pub fn contact(&self, tile: &Face) -> Contact {
        let mut contact = Contact { coins: 0, reach: 0, blocked: self.covered };
        for toy in &tile.toys {
            let sides = tile.sides[toy.colour];
            let mut touched = sides & self.touching[toy.colour];
            let (earns, mut toys, mut counted) = (touched != 0, 1, 0_u16);
            while touched != 0 {
                let half_side = touched.trailing_zeros() as usize;
                touched &= touched - 1;
                let (zone, toys_there) = (1 << self.zone[half_side], i32::from(self.toys[half_side]));
                contact.blocked -= toys_there;
                if counted & zone == 0 {
                    toys += toys_there;
                    counted |= zone;
                }
            }
            contact.coins += if earns { toys } else { 0 };
            contact.reach += toys * (sides & self.open).count_ones().cast_signed();
        }
        contact
    }
}

impl Model {
    /// Lays one of the open tiles in the shop whose turn it is, and pays these coins for it.
    pub fn lay(&mut self, slot: usize, cell: usize, coins: i32) {
        let shop = &mut self.shops[self.turn];
        shop.lay(self.open[slot], cell);
        shop.coins += coins;
        for toy in &faces()[usize::from(self.open[slot])].toys {
            if shop.different[toy.colour] == TOYS_OF_A_TYPE {
                self.collections[toy.colour].get_or_insert(self.turn);
            }
        }
    }

    /// Replaces the tile that was laid and passes the turn on. Returns whether there is a next turn.
    pub fn open_next(&mut self, slot: usize, tile: u8) -> bool {
        self.open[slot] = tile;
        let next = (1..=SEATS).map(|n| (self.turn + n) % SEATS);
        let next = next.into_iter().find(|seat| self.shops[*seat].tiles_left(self.size) > 0);
        self.turn = next.unwrap_or(self.turn);
        next.is_some()
    }

    /// The tiles that are still laid until all shops are full.
    pub fn tiles_left(&self) -> u32 {
        self.shops.iter().map(|shop| u32::from(shop.tiles_left(self.size))).sum()
    }

    /// The coins of every seat with its rewards, once all shops are full.
    pub fn totals(&self) -> [i32; SEATS] {
        let mut totals = self.shops.each_ref().map(|shop| shop.coins);
        for colour in 0..COLOURS {
            if let Some(seat) = self.collections[colour] {
                totals[seat] += REWARD;
            }
            let counts = self.shops.each_ref().map(|shop| if shop.resigned { 0 } else { shop.most[colour] });
            let highest = counts.into_iter().max().unwrap_or_default();
            for (total, count) in totals.iter_mut().zip(counts) {
                *total += if count == highest && count > 0 { REWARD } else { 0 };
            }
        }
        totals
    }
}
