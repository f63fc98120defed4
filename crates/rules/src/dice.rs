//! Seeded random numbers, passed to the rules from outside.
//!
//! All randomness of a game comes from one 256-bit seed, so that anybody can recompute a finished game. The generator
//! is fixed to ChaCha20, and every operation on it is implemented here: otherwise an update of a library could change
//! how old games replay.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{fmt, str::FromStr};

/// The 32-byte seed of a game. Secret until the game is over, so `Debug` does not print it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

/// A stream of random numbers that can be resumed at a position.
#[derive(Clone, Debug)]
pub struct Dice {
    rng: ChaCha20Rng,
}

impl Dice {
    /// The start of the seed's stream.
    pub fn new(seed: Seed) -> Self {
        Self { rng: ChaCha20Rng::from_seed(seed.0) }
    }

    /// The seed's stream from `position` on.
    pub fn at(seed: Seed, position: u64) -> Self {
        let mut dice = Self::new(seed);
        dice.rng.set_word_pos(u128::from(position));
        dice
    }

    /// The position in the stream; stored beside the state, never shown to players.
    pub fn position(&self) -> u64 {
        u64::try_from(self.rng.get_word_pos()).expect("a game throws fewer than 2^64 dice")
    }

    /// A random seed, for dice of their own.
    pub fn seed(&mut self) -> Seed {
        let mut bytes = [0; 32];
        self.rng.fill_bytes(&mut bytes);
        Seed(bytes)
    }

    /// A uniform number from 0 to `n - 1`, by rejection sampling.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there is no number below 0");
        let fair = u32::MAX - u32::MAX % n;
        loop {
            let word = self.rng.next_u32();
            if word < fair {
                return word % n;
            }
        }
    }

    /// A uniform index into a list of `len` items.
    ///
    /// # Panics
    /// If `len` is 0 or beyond `u32`.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).expect("no list of game pieces is that long")) as usize
    }

    /// Fisher–Yates shuffle, from the back.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

/// Hexadecimal in JSON (replays, exports), 32 plain bytes in the store.
impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&Hex(&self.0))
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
        } else {
            Deserialize::deserialize(deserializer).map(Seed)
        }
    }
}

/// The text is not a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a seed is 64 hexadecimal digits")]
pub struct NotASeed;

impl FromStr for Seed {
    type Err = NotASeed;

    fn from_str(text: &str) -> Result<Self, NotASeed> {
        unhex(text).map(Seed).ok_or(NotASeed)
    }
}

impl schemars::JsonSchema for Seed {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Seed".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "^[0-9a-f]{64}$"})
    }
}

/// Bytes shown as lower-case hexadecimal.
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Write the digits in chunks: formatting byte by byte took 10,000 instructions of every response to a move.
        for piece in self.0.chunks(32) {
            let mut digits = [0; 64];
            for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(piece) {
                *pair = [byte >> 4, byte & 15].map(|half| b"0123456789abcdef"[usize::from(half)]);
            }
            f.write_str(str::from_utf8(&digits[..2 * piece.len()]).map_err(|_| fmt::Error)?)?;
        }
        Ok(())
    }
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits = text.as_bytes();
    let mut bytes = [0; 32];
    if digits.len() != 64 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        let [high, low] = [pair[0], pair[1]].map(|digit| (digit as char).to_digit(16));
        *byte = u8::try_from(high? * 16 + low?).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_taken_up_again_go_on_where_they_were() {
        let mut dice = Dice::new(Seed([7; 32]));
        let before: Vec<_> = (0..50).map(|_| dice.below(25)).collect();
        let position = dice.position();
        let after: Vec<_> = (0..50).map(|_| dice.below(25)).collect();
        let mut resumed = Dice::at(Seed([7; 32]), position);
        assert_eq!(after, (0..50).map(|_| resumed.below(25)).collect::<Vec<_>>());
        assert_ne!(before, after);
    }

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut dice = Dice::new(Seed([1; 32]));
        let throws: Vec<_> = (0..12).map(|_| dice.below(6)).collect();
        assert_eq!(throws, THROWS_OF_SEED_ONE, "old games would replay differently");
    }

    /// Recorded once; see `the_stream_of_a_seed_never_changes`.
    const THROWS_OF_SEED_ONE: [u32; 12] = [2, 0, 3, 1, 3, 5, 3, 0, 2, 4, 1, 3];

    #[test]
    fn a_seed_reads_back_from_hex_and_from_bytes() {
        let seed = Seed(std::array::from_fn(|i| u8::try_from(i * 7).expect("small")));
        let text = serde_json::to_string(&seed).expect("plain");
        assert_eq!(text.len(), 66);
        assert_eq!(serde_json::from_str::<Seed>(&text).expect("hex"), seed);
        assert!(serde_json::from_str::<Seed>("\"12\"").is_err());
        let bytes = postcard::to_stdvec(&seed).expect("plain");
        assert_eq!((bytes.len(), postcard::from_bytes::<Seed>(&bytes).expect("bytes")), (32, seed));
    }
}
