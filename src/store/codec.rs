//! How a value is stored: a format version, the value, and a checksum over both and over the place they belong to.
//!
//! With the place in the checksum, a value that turns up under another key is as wrong as one with a flipped bit.

use crate::games::ports::StoreError;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt;

/// The version of the encoding, in front of every value.
const FORMAT: u8 = 1;
const CHECKSUM: usize = size_of::<u32>();

/// Where a value is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) tree: &'static str,
    pub(super) key: &'a [u8],
}

impl Place<'_> {
    /// The error for something wrong at this place.
    pub(super) fn corrupt(self, why: impl fmt::Display) -> StoreError {
        StoreError::Corrupt(format!("{self}: {why}"))
    }

    fn checksum(self, value: &[u8]) -> [u8; CHECKSUM] {
        let mut hasher = crc32fast::Hasher::new();
        for part in [self.tree.as_bytes(), self.key, value] {
            hasher.update(part);
        }
        hasher.finalize().to_le_bytes()
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tree {}, key ", self.tree)?;
        self.key.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

pub(super) fn encode<T: Serialize + ?Sized>(place: Place, value: &T) -> Vec<u8> {
    let mut bytes = postcard::to_extend(value, vec![FORMAT]).expect("what is stored is plain data");
    let checksum = place.checksum(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

pub(super) fn decode<T: DeserializeOwned>(place: Place, bytes: &[u8]) -> Result<T, StoreError> {
    let (value, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(|| place.corrupt("too short"))?;
    if place.checksum(value) != *checksum {
        return Err(place.corrupt("the checksum does not match"));
    }
    match value.split_first() {
        Some((&FORMAT, payload)) => match postcard::take_from_bytes(payload) {
            Ok((decoded, [])) => Ok(decoded),
            Ok(_) => Err(place.corrupt("something follows the value")),
            Err(error) => Err(place.corrupt(error)),
        },
        Some((other, _)) => Err(place.corrupt(format_args!("format {other} is not known"))),
        None => Err(place.corrupt("no value")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HERE: Place = Place { tree: "g", key: b"here" };

    #[test]
    fn a_value_is_read_back_at_its_place_only() {
        let bytes = encode(HERE, &(7u64, "seven"));
        assert_eq!(decode::<(u64, String)>(HERE, &bytes).unwrap(), (7, "seven".to_owned()));
        for elsewhere in [Place { tree: "e", ..HERE }, Place { key: b"there", ..HERE }] {
            let error = decode::<(u64, String)>(elsewhere, &bytes).unwrap_err().to_string();
            assert!(error.contains(&elsewhere.to_string()), "{error}");
        }
    }

    #[test]
    fn a_value_of_another_shape_is_refused() {
        assert!(decode::<u64>(HERE, &encode(HERE, &(7u64, "seven"))).is_err());
        assert!(decode::<(u64, u64)>(HERE, &encode(HERE, &7u64)).is_err());
    }

    proptest! {
        #[test]
        fn a_flipped_bit_is_noticed(value: Vec<u8>, bit: prop::sample::Index) {
            let mut bytes = encode(HERE, &value);
            let bit = bit.index(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(matches!(decode::<Vec<u8>>(HERE, &bytes), Err(StoreError::Corrupt(_))));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = decode::<crate::games::step::Step>(HERE, &bytes);
        }
    }
}
