//! Cost of a field: complexity and work, packed into one number because the library sums up only one.
//!
//! The lower 32 bits are the complexity: the fields that are written, times the lengths of the lists that contain them;
//! `--graphql-complexity` bounds it. The upper 32 bits are work in points: what the fields load or compute; it is
//! charged to the client's budget. Both halves are added and multiplied together. Neither overflows: the guard bounds a
//! document to thousands of fields, and a list counts at most as its longest page.

const COMPLEXITY_BITS: u32 = 32;
const _: () = assert!(usize::BITS == 64, "a weight has two halves of 32 bits");

/// Both halves of a document's cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Fields, times the lengths of the lists that contain them.
    pub complexity: u32,
    /// Points for what the fields load or compute.
    pub work: u32,
}

/// A cost of this much work, in points, for use in a field's `complexity`.
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
