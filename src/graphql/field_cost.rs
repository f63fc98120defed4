//! What a field weighs in a document: two numbers in one, because the library adds up only one.
//!
//! The lower half of a weight is the complexity: the fields that are written, times the lengths of the lists they are in.
//! `--graphql-complexity` bounds it. The upper half is work, in points: what fields load or compute, whatever is written
//! of it; budgets pay for it. Both halves are added, and multiplied by lengths, alike. Neither overflows: the guard bounds
//! the fields of a document to thousands, and lengths count up to the longest page only.

const COMPLEXITY_BITS: u32 = 32;
const _: () = assert!(usize::BITS == 64, "a weight has two halves of 32 bits");

/// Both halves of a document's weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Fields, times the lengths of their lists.
    pub complexity: u32,
    /// Points for what the fields load or compute.
    pub work: u32,
}

/// The weight of work, in points, for a field's `complexity`.
pub const fn work(points: u32) -> usize {
    (points as usize) << COMPLEXITY_BITS
}

impl From<usize> for Weight {
    #[expect(clippy::cast_possible_truncation, reason = "each half is taken by itself")]
    fn from(sum: usize) -> Self {
        Self { complexity: sum as u32, work: (sum >> COMPLEXITY_BITS) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_are_added_and_multiplied_by_lengths() {
        let game = 3 + work(25);
        assert_eq!(Weight::from(1 + 100 * game), Weight { complexity: 301, work: 2_500 });
    }
}
