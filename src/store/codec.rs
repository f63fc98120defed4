//! Value encoding: a format version, the value in postcard, and a CRC-32 of both and of the storage key.
//!
//! Because the checksum covers the key, a value found under another key is detected like one with a flipped bit.
//!
//! Many small values of one kind can be packed (deflated) under one key. This saves a key and a checksum for each, and
//! compresses what they have in common.

use crate::games::ports::StoreError;
use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt;
use std::io::{Read, Write};
use std::mem;

/// Version byte of a single value.
const FORMAT: u8 = 1;
/// Version byte of packed values.
const PACKED: u8 = 2;
/// The most bytes that packed values may have once unpacked.
pub(super) const MAX_UNPACKED_BYTES: usize = 64 << 10;
const CHECKSUM_BYTES: usize = size_of::<u32>();

/// Tree and key of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct StorageKey<'a> {
    pub(super) tree: &'static str,
    pub(super) key: &'a [u8],
}

impl StorageKey<'_> {
    /// The error for a damaged value under this key.
    pub(super) fn corrupt(self, why: impl fmt::Display) -> StoreError {
        StoreError::Corrupt(format!("{self}: {why}"))
    }

    fn checksum(self, value: &[u8]) -> [u8; CHECKSUM_BYTES] {
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

pub(super) fn encode<T: Serialize + ?Sized>(key: StorageKey, value: &T) -> Vec<u8> {
    let mut bytes = vec![FORMAT];
    append_value(&mut bytes, value);
    seal(key, bytes)
}

/// Encodes a value behind others that are packed with it.
pub(super) fn append_value<T: Serialize + ?Sized>(values: &mut Vec<u8>, value: &T) {
    *values = postcard::to_extend(value, mem::take(values)).expect("what is stored is plain data");
}

/// Packs values that were [appended](append_value) to each other, at most [`MAX_UNPACKED_BYTES`].
pub(super) fn pack(key: StorageKey, values: &[u8]) -> Vec<u8> {
    let mut packing = DeflateEncoder::new(vec![PACKED], Compression::default());
    let packed = packing.write_all(values).and_then(|()| packing.finish());
    seal(key, packed.expect("writing to memory never fails"))
}

pub(super) fn decode<T: DeserializeOwned>(key: StorageKey, bytes: &[u8]) -> Result<T, StoreError> {
    decode_one(key, unseal(key, bytes)?)
}

/// Decodes all values under a key that may hold several.
pub(super) fn decode_all<T: DeserializeOwned>(key: StorageKey, bytes: &[u8]) -> Result<Vec<T>, StoreError> {
    let packed = match unseal(key, bytes)? {
        (PACKED, packed) => packed,
        alone => return decode_one(key, alone).map(|value| vec![value]),
    };
    let mut unpacked = Vec::new();
    let mut unpacking = DeflateDecoder::new(packed).take(MAX_UNPACKED_BYTES as u64 + 1);
    unpacking.read_to_end(&mut unpacked).map_err(|error| key.corrupt(error))?;
    if unpacked.len() > MAX_UNPACKED_BYTES {
        return Err(key.corrupt("the unpacked values are too large"));
    }
    let (mut values, mut rest) = (Vec::new(), &unpacked[..]);
    while !rest.is_empty() {
        let (value, after) = take_value(key, rest)?;
        values.push(value);
        rest = after;
    }
    Ok(values)
}

fn decode_one<T: DeserializeOwned>(key: StorageKey, unsealed: (u8, &[u8])) -> Result<T, StoreError> {
    match unsealed {
        (FORMAT, value) => match take_value(key, value)? {
            (decoded, []) => Ok(decoded),
            _ => Err(key.corrupt("bytes follow the value")),
        },
        (other, _) => Err(key.corrupt(format_args!("format {other} is not known"))),
    }
}

/// Decodes the first of several [appended](append_value) values; returns the remaining bytes too.
pub(super) fn take_value<'a, T: Deserialize<'a>>(
    key: StorageKey,
    bytes: &'a [u8],
) -> Result<(T, &'a [u8]), StoreError> {
    postcard::take_from_bytes(bytes).map_err(|error| key.corrupt(error))
}

fn seal(key: StorageKey, mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = key.checksum(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

/// Checks the checksum; returns the version byte and the payload.
fn unseal<'a>(key: StorageKey, bytes: &'a [u8]) -> Result<(u8, &'a [u8]), StoreError> {
    let (value, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or_else(|| key.corrupt("too short"))?;
    if key.checksum(value) != *checksum {
        return Err(key.corrupt("the checksum does not match"));
    }
    value.split_first().map(|(format, payload)| (*format, payload)).ok_or_else(|| key.corrupt("no value"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KEY: StorageKey = StorageKey { tree: "g", key: b"here" };

    #[test]
    fn a_value_is_read_back_at_its_place_only() {
        let bytes = encode(KEY, &(7u64, "seven"));
        assert_eq!(decode::<(u64, String)>(KEY, &bytes).unwrap(), (7, "seven".to_owned()));
        for other in [StorageKey { tree: "e", ..KEY }, StorageKey { key: b"there", ..KEY }] {
            let error = decode::<(u64, String)>(other, &bytes).unwrap_err().to_string();
            assert!(error.contains(&other.to_string()), "{error}");
        }
    }

    #[test]
    fn a_value_of_another_shape_is_refused() {
        assert!(decode::<u64>(KEY, &encode(KEY, &(7u64, "seven"))).is_err());
        assert!(decode::<(u64, u64)>(KEY, &encode(KEY, &7u64)).is_err());
    }

    #[test]
    fn packed_values_are_read_back_together_at_their_place_only() {
        let mut values = Vec::new();
        for value in ["one", "two", "three"] {
            append_value(&mut values, value);
        }
        let bytes = pack(KEY, &values);
        assert_eq!(decode_all::<String>(KEY, &bytes).unwrap(), ["one", "two", "three"]);
        assert_eq!(decode_all::<String>(KEY, &encode(KEY, "alone")).unwrap(), ["alone"]);
        assert!(decode_all::<String>(StorageKey { key: b"there", ..KEY }, &bytes).is_err());
        let error = decode::<String>(KEY, &bytes).unwrap_err().to_string();
        assert!(error.ends_with("format 2 is not known"), "{error}");
    }

    #[test]
    fn packed_values_that_come_to_too_much_are_refused() {
        let mut most = vec![0; MAX_UNPACKED_BYTES];
        assert_eq!(decode_all::<u8>(KEY, &pack(KEY, &most)).unwrap().len(), MAX_UNPACKED_BYTES);
        most.push(0);
        let error = decode_all::<u8>(KEY, &pack(KEY, &most)).unwrap_err().to_string();
        assert!(error.ends_with("the unpacked values are too large"), "{error}");
    }

    #[test]
    fn what_can_t_be_unpacked_is_damage() {
        for packed in [vec![PACKED, 0xff, 0xff], vec![PACKED], vec![PACKED + 1, 0]] {
            let bytes = seal(KEY, packed);
            assert!(matches!(decode_all::<u64>(KEY, &bytes), Err(StoreError::Corrupt(_))), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn a_flipped_bit_is_noticed(value: Vec<u8>, bit: prop::sample::Index) {
            let mut bytes = encode(KEY, &value);
            let bit = bit.index(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(matches!(decode::<Vec<u8>>(KEY, &bytes), Err(StoreError::Corrupt(_))));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = decode::<crate::games::step::Step>(KEY, &bytes);
        }
    }
}
