//! Generator of the tiles of Jouets à GO GO GO: `cargo run --example toys_go_go_go_tiles >
//! crates/rules/content/toys_go_go_go/tiles.json`.
//!
//! The printed tiles are not public, so these are original, balanced by construction. Each combination of three types
//! has 16 tiles: all rotations of a ring of runs 4-2-2, and all rotations of a ring 2-3-3 in the opposite direction.
//! Each type has the run of 4, and the run of 2 of the second ring, in one combination; so every colour is on each
//! half-side of 16 tiles. The toys of a tile are drawn at random.

use ludotheque_rules::{
    Dice, Seed,
    toys_go_go_go::{Toy, ToyType},
};
use std::fmt::Write;

/// For each combination: the type left out, and the type with the run of 4.
const CHOICES: [(ToyType, ToyType); 4] = [
    (ToyType::Sports, ToyType::Plush),
    (ToyType::Vehicles, ToyType::Sports),
    (ToyType::Dolls, ToyType::Vehicles),
    (ToyType::Plush, ToyType::Dolls),
];

/// The corners NW, NE, SE and SW of the registers.
const REGISTERS: [&str; 4] = ["PDVS", "DPSV", "VSPD", "SVDP"];

/// A seed for which all tiles have different toys and the rulebook's examples can be laid.
const SEED: u64 = 63_799;

/// The toys and the border of a tile.
type Tile = ([Toy; 3], String);

#[allow(clippy::print_stdout, reason = "this is what the program is for")]
fn main() {
    print!("{}", content());
}

/// The data file.
pub fn content() -> String {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&SEED.to_le_bytes());
    written(&tiles(&mut Dice::new(Seed(seed))))
}

/// All tiles: by combination, then ring, then rotation.
fn tiles(dice: &mut Dice) -> Vec<Tile> {
    let fourths = ToyType::ALL.map(|toy_type| shuffled(toy_type.toys(), dice));
    let mut choices = [0; 4];
    let mut tiles = Vec::new();
    for (left_out, most) in CHOICES {
        let types: Vec<_> = ToyType::ALL.into_iter().filter(|toy_type| *toy_type != left_out).collect();
        let decks: Vec<_> = types
            .iter()
            .map(|toy_type| {
                // Three copies of each toy and a fourth of one, a different one in each combination of the type.
                let nth = &mut choices[*toy_type as usize];
                *nth += 1;
                let thrice = toy_type.toys().flat_map(|toy| [toy; 3]);
                shuffled(thrice.chain([fourths[*toy_type as usize][*nth - 1]]), dice)
            })
            .collect();
        let toys = (0..16).map(|n| [decks[0][n], decks[1][n], decks[2][n]]);
        tiles.extend(toys.zip(borders(most, &types)));
    }
    tiles
}

fn shuffled(toys: impl Iterator<Item = Toy>, dice: &mut Dice) -> Vec<Toy> {
    let mut toys: Vec<_> = toys.collect();
    dice.shuffle(&mut toys);
    toys
}

fn borders(most: ToyType, types: &[ToyType]) -> impl Iterator<Item = String> {
    let others: Vec<_> = types.iter().filter(|toy_type| **toy_type != most).map(|toy_type| toy_type.letter()).collect();
    let (most, one, other) = (most.letter(), others[0], others[1]);
    let rings = [[(most, 4), (one, 2), (other, 2)], [(most, 2), (other, 3), (one, 3)]];
    rings.into_iter().flat_map(|ring| {
        let ring: Vec<_> = ring.into_iter().flat_map(|(letter, run)| std::iter::repeat_n(letter, run)).collect();
        (0..8).map(move |turn| (0..8).map(|half_side| ring[(half_side + 8 - turn) % 8]).collect())
    })
}

/// Writes one line per tile, so that diffs are readable.
fn written(tiles: &[Tile]) -> String {
    let quoted = |words: &[&str]| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
    let mut text = format!("{{\n  \"registers\": [{}],\n  \"tiles\": [", quoted(&REGISTERS));
    for (n, (toys, border)) in tiles.iter().enumerate() {
        let comma = if n == 0 { "" } else { "," };
        let toys = quoted(&toys.map(Toy::id));
        write!(text, "{comma}\n    {{\"toys\": [{toys}], \"border\": \"{border}\"}}")
            .expect("a String takes everything");
    }
    text + "\n  ]\n}\n"
}
