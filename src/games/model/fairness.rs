//! Commit-and-reveal of the seed: a commitment to the seed is public from a game's creation, and the seed itself once
//! the game is over.

use crate::ids::GameId;
use crate::rules::Seed;
use crate::rules::dice::Hex;
use aws_lc_rs::digest::{Context, SHA256};

/// Hex SHA-256 of `ludotheque/1` ‖ 0x00 ‖ game id ‖ 0x00 ‖ the 32 seed bytes.
pub fn commitment(game: GameId, seed: Seed) -> String {
    let mut context = Context::new(&SHA256);
    for part in [b"ludotheque/1\0".as_slice(), game.to_string().as_bytes(), b"\0", &seed.0] {
        context.update(part);
    }
    Hex(context.finish().as_ref()).to_string()
}

/// A seed from the system's random number generator.
pub fn new_seed() -> Seed {
    let mut bytes = [0; 32];
    aws_lc_rs::rand::fill(&mut bytes).expect("the system has randomness");
    Seed(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commitment_is_the_documented_digest() {
        // printf 'ludotheque/1\0game_00000000000000000000000000000000\0%32s' | tr ' ' '\1' | sha256sum
        let commitment = commitment(GameId::from_bytes([0; 16]), Seed([1; 32]));
        assert_eq!(commitment, "328f77f9f0b4033c2989cbd187d23dce0ab6c911526e3787ed695ff9fcaf8413");
    }
}
