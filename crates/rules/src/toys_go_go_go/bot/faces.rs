//! Lookup table of the pieces' borders and toys as numbers, for the forward model.

use super::super::types::{Border, Register, Tile, ToyType};
use std::sync::LazyLock;

pub const COLOURS: usize = ToyType::ALL.len();
pub const HALF_SIDES: usize = Border::HALF_SIDES;

/// A toy as a number, and its type.
#[derive(Clone, Copy)]
pub struct NumberedToy {
    pub number: usize,
    pub colour: usize,
}

/// What a piece shows. A tile has three toys, each in a zone of its type's colour.
pub struct Face {
    /// By half-side: its colour.
    pub colours: [usize; HALF_SIDES],
    /// By colour: the bit set of its half-sides.
    pub sides: [u8; COLOURS],
    pub toys: Vec<NumberedToy>,
}

/// The faces of the tiles, in order, then those of the registers.
static FACES: LazyLock<Vec<Face>> = LazyLock::new(|| {
    let tiles = Tile::all().map(|tile| {
        let toys = tile.face().toys.map(|toy| NumberedToy { number: toy as usize, colour: toy.toy_type() as usize });
        face(tile.face().border, toys.to_vec())
    });
    tiles.chain(Register::all().map(|register| face(register.border(), Vec::new()))).collect()
});

pub fn faces() -> &'static [Face] {
    &FACES
}

pub fn of_tile(tile: Tile) -> u8 {
    tile.number() - 1
}

pub fn of_register(register: Register) -> u8 {
    let before = Register::all().filter(|other| *other < register).map(|_| 1).sum::<u8>();
    Tile::COUNT + before
}

fn face(border: Border, toys: Vec<NumberedToy>) -> Face {
    let mut sides = [0; COLOURS];
    for (half_side, colour) in border.iter() {
        sides[colour as usize] |= 1 << half_side;
    }
    Face { colours: border.colours().map(|colour| colour as usize), sides, toys }
}
