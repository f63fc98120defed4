//! How a value is stored: a format version, the value, and a checksum over both and over the place they belong to.
//!
//! With the place in the checksum, a value that turns up under another key is as wrong as one with a flipped bit.
//!
//! Many small values of one sort may lie in one place, packed: each is then spared its key and checksum, and what they
//! have in common is kept once.

use crate::games::ports::StoreError;
use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt;
use std::io::{Read, Write};
use std::mem;

/// The version of the encoding, in front of every value.
const FORMAT: u8 = 1;
/// The version in front of values that are packed.
const PACKED: u8 = 2;
/// As much as packed values may come to, unpacked.
pub(super) const MAX_UNPACKED: usize = 64 << 10;
const CHECKSUM: usize = size_of::<u32>();

/// Where a value is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct StorageKey<'a> {
    pub(super) tree: &'static str,
    pub(super) key: &'a [u8],
}

impl StorageKey<'_> {
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

impl fmt::Display for StorageKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tree {}, key ", self.tree)?;
        self.key.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

pub(super) fn encode<T: Serialize + ?Sized>(place: StorageKey, value: &T) -> Vec<u8> {
    let mut bytes = vec![FORMAT];
    join(&mut bytes, value);
    seal(place, bytes)
}

/// Puts a value behind those that are to be packed with it.
pub(super) fn join<T: Serialize + ?Sized>(values: &mut Vec<u8>, value: &T) {
    *values = postcard::to_extend(value, mem::take(values)).expect("what is stored is plain data");
}

/// Values that were [joined](join), at most [`MAX_UNPACKED`] bytes of them.
pub(super) fn pack(place: StorageKey, values: &[u8]) -> Vec<u8> {
    let mut packing = DeflateEncoder::new(vec![PACKED], Compression::default());
    let packed = packing.write_all(values).and_then(|()| packing.finish());
    seal(place, packed.expect("memory takes what is written"))
}

pub(super) fn decode<T: DeserializeOwned>(place: StorageKey, bytes: &[u8]) -> Result<T, StoreError> {
    one(place, unseal(place, bytes)?)
}

/// All values in a place where there may be several.
pub(super) fn decode_all<T: DeserializeOwned>(place: StorageKey, bytes: &[u8]) -> Result<Vec<T>, StoreError> {
    let packed = match unseal(place, bytes)? {
        (PACKED, packed) => packed,
        alone => return one(place, alone).map(|value| vec![value]),
    };
    let mut unpacked = Vec::new();
    let mut unpacking = DeflateDecoder::new(packed).take(MAX_UNPACKED as u64 + 1);
    unpacking.read_to_end(&mut unpacked).map_err(|error| place.corrupt(error))?;
    if unpacked.len() > MAX_UNPACKED {
        return Err(place.corrupt("it unpacks to too much"));
    }
    let (mut values, mut rest) = (Vec::new(), &unpacked[..]);
    while !rest.is_empty() {
        let (value, after) = take(place, rest)?;
        values.push(value);
        rest = after;
    }
    Ok(values)
}

fn one<T: DeserializeOwned>(place: StorageKey, unsealed: (u8, &[u8])) -> Result<T, StoreError> {
    match unsealed {
        (FORMAT, value) => match take(place, value)? {
            (decoded, []) => Ok(decoded),
            _ => Err(place.corrupt("something follows the value")),
        },
        (other, _) => Err(place.corrupt(format_args!("format {other} is not known"))),
    }
}

/// The first of some values that were [joined](join), and the rest.
pub(super) fn take<'a, T: Deserialize<'a>>(place: StorageKey, bytes: &'a [u8]) -> Result<(T, &'a [u8]), StoreError> {
    postcard::take_from_bytes(bytes).map_err(|error| place.corrupt(error))
}

fn seal(place: StorageKey, mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = place.checksum(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

/// The format of what is in a place, and its payload.
fn unseal<'a>(place: StorageKey, bytes: &'a [u8]) -> Result<(u8, &'a [u8]), StoreError> {
    let (value, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(|| place.corrupt("too short"))?;
    if place.checksum(value) != *checksum {
        return Err(place.corrupt("the checksum does not match"));
    }
    value.split_first().map(|(format, payload)| (*format, payload)).ok_or_else(|| place.corrupt("no value"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HERE: StorageKey = StorageKey { tree: "g", key: b"here" };

    #[test]
    fn a_value_is_read_back_at_its_place_only() {
        let bytes = encode(HERE, &(7u64, "seven"));
        assert_eq!(decode::<(u64, String)>(HERE, &bytes).unwrap(), (7, "seven".to_owned()));
        for elsewhere in [StorageKey { tree: "e", ..HERE }, StorageKey { key: b"there", ..HERE }] {
            let error = decode::<(u64, String)>(elsewhere, &bytes).unwrap_err().to_string();
            assert!(error.contains(&elsewhere.to_string()), "{error}");
        }
    }

    #[test]
    fn a_value_of_another_shape_is_refused() {
        assert!(decode::<u64>(HERE, &encode(HERE, &(7u64, "seven"))).is_err());
        assert!(decode::<(u64, u64)>(HERE, &encode(HERE, &7u64)).is_err());
    }

    #[test]
    fn packed_values_are_read_back_together_at_their_place_only() {
        let mut values = Vec::new();
        for value in ["one", "two", "three"] {
            join(&mut values, value);
        }
        let bytes = pack(HERE, &values);
        assert_eq!(decode_all::<String>(HERE, &bytes).unwrap(), ["one", "two", "three"]);
        assert_eq!(decode_all::<String>(HERE, &encode(HERE, "alone")).unwrap(), ["alone"]);
        assert!(decode_all::<String>(StorageKey { key: b"there", ..HERE }, &bytes).is_err());
        let error = decode::<String>(HERE, &bytes).unwrap_err().to_string();
        assert!(error.ends_with("format 2 is not known"), "{error}");
    }

    #[test]
    fn packed_values_that_come_to_too_much_are_refused() {
        let mut most = vec![0; MAX_UNPACKED];
        assert_eq!(decode_all::<u8>(HERE, &pack(HERE, &most)).unwrap().len(), MAX_UNPACKED);
        most.push(0);
        let error = decode_all::<u8>(HERE, &pack(HERE, &most)).unwrap_err().to_string();
        assert!(error.ends_with("it unpacks to too much"), "{error}");
    }

    #[test]
    fn what_can_t_be_unpacked_is_damage() {
        for packed in [vec![PACKED, 0xff, 0xff], vec![PACKED], vec![PACKED + 1, 0]] {
            let bytes = seal(HERE, packed);
            assert!(matches!(decode_all::<u64>(HERE, &bytes), Err(StoreError::Corrupt(_))), "{bytes:?}");
        }
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
