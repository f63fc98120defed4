//! Layout fingerprint: a hash of the names and types of a stored value, without its content.
//!
//! Snapshots are encoded without field names, so a changed struct may decode from an old snapshot without an error but
//! with a wrong meaning. To detect that, a snapshot stores its fingerprint. After decoding, the fingerprint of the
//! value is computed again: it differs if the structs, fields, variants or types are not the same in the same order.
//! This replaces a schema version that developers would have to increase by hand.

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
    SerializeTupleVariant, Serializer,
};
use std::fmt;

/// The fingerprint of a value, as the store encodes it.
pub fn fingerprint<T: Serialize + ?Sized>(value: &T) -> u64 {
    let mut hasher = FingerprintHasher(0xcbf2_9ce4_8422_2325);
    // This fails only for values that can't be stored either, and storing them reports the error.
    let _whole = value.serialize(&mut hasher);
    hasher.0
}

/// FNV-1a hash over the tokens of a value.
struct FingerprintHasher(u64);

type Hashed = Result<(), fmt::Error>;

impl FingerprintHasher {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    fn token(&mut self, token: Token) {
        self.byte(token as u8);
    }

    fn number(&mut self, number: usize) {
        (number as u64).to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    fn name(&mut self, name: &str) {
        name.bytes().for_each(|byte| self.byte(byte));
        // A separator that occurs in no name, so that adjacent names can't be confused.
        self.byte(0xff);
    }

    fn variant(&mut self, name: &str, index: u32, variant: &str) {
        self.name(name);
        self.number(index as usize);
        self.name(variant);
        self.token(Token::Variant);
    }
}

/// The elements of the serde data model.
#[derive(Clone, Copy)]
enum Token {
    Bool,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
    Char,
    Str,
    Bytes,
    None,
    Some,
    Unit,
    Newtype,
    Seq,
    Tuple,
    Map,
    Struct,
    Variant,
}

/// Scalars contribute only their type.
macro_rules! plain {
    ($($method:ident($type:ty) $token:ident),* $(,)?) => {
        $(fn $method(self, _: $type) -> Hashed {
            self.token(Token::$token);
            Ok(())
        })*
    };
}

impl Serializer for &mut FingerprintHasher {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    plain! {
        serialize_bool(bool) Bool,
        serialize_i8(i8) I8,
        serialize_i16(i16) I16,
        serialize_i32(i32) I32,
        serialize_i64(i64) I64,
        serialize_i128(i128) I128,
        serialize_u8(u8) U8,
        serialize_u16(u16) U16,
        serialize_u32(u32) U32,
        serialize_u64(u64) U64,
        serialize_u128(u128) U128,
        serialize_f32(f32) F32,
        serialize_f64(f64) F64,
        serialize_char(char) Char,
        serialize_str(&str) Str,
        serialize_bytes(&[u8]) Bytes,
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Hashed {
        self.token(Token::Str);
        Ok(())
    }

    fn serialize_none(self) -> Hashed {
        self.token(Token::None);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Hashed {
        self.token(Token::Some);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Hashed {
        self.token(Token::Unit);
        Ok(())
    }

    fn serialize_unit_struct(self, name: &'static str) -> Hashed {
        self.name(name);
        self.token(Token::Unit);
        Ok(())
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Hashed {
        self.variant(name, index, variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Hashed {
        self.name(name);
        self.token(Token::Newtype);
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Hashed {
        self.variant(name, index, variant);
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, fmt::Error> {
        self.token(Token::Seq);
        Ok(self)
    }

    fn serialize_tuple(self, length: usize) -> Result<Self, fmt::Error> {
        self.number(length);
        self.token(Token::Tuple);
        Ok(self)
    }

    fn serialize_tuple_struct(self, name: &'static str, length: usize) -> Result<Self, fmt::Error> {
        self.name(name);
        self.serialize_tuple(length)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self, fmt::Error> {
        self.variant(name, index, variant);
        self.serialize_tuple(length)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, fmt::Error> {
        self.token(Token::Map);
        Ok(self)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self, fmt::Error> {
        self.name(name);
        self.token(Token::Struct);
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, fmt::Error> {
        self.variant(name, index, variant);
        Ok(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Compound values whose parts have no names.
macro_rules! parts {
    ($($trait:ident $method:ident),* $(,)?) => {
        $(impl $trait for &mut FingerprintHasher {
            type Ok = ();
            type Error = fmt::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, part: &T) -> Hashed {
                part.serialize(&mut **self)
            }

            fn end(self) -> Hashed {
                // The end marker encodes the number of parts.
                self.byte(0xfe);
                Ok(())
            }
        })*
    };
}

parts! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

/// Compound values whose parts have names.
macro_rules! fields {
    ($($trait:ident),* $(,)?) => {
        $(impl $trait for &mut FingerprintHasher {
            type Ok = ();
            type Error = fmt::Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, field: &T) -> Hashed {
                self.name(name);
                field.serialize(&mut **self)
            }

            fn end(self) -> Hashed {
                self.byte(0xfe);
                Ok(())
            }
        })*
    };
}

fields!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for &mut FingerprintHasher {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Hashed {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Hashed {
        value.serialize(&mut **self)
    }

    fn end(self) -> Hashed {
        self.byte(0xfe);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, de::DeserializeOwned};

    /// Whether the fingerprint detects that bytes of one type were decoded as another.
    fn is_noticed<Old: Serialize, New: Serialize + DeserializeOwned>(old: &Old) -> bool {
        let bytes = postcard::to_stdvec(old).unwrap();
        let read: New = postcard::from_bytes(&bytes).expect("without a fingerprint nothing is noticed");
        fingerprint(&read) != fingerprint(old)
    }

    mod before {
        use super::*;

        #[derive(Serialize, Deserialize)]
        pub struct State {
            pub round: u8,
            pub score: u8,
            pub phase: Phase,
            pub cards: Vec<u8>,
        }

        #[derive(Serialize, Deserialize)]
        pub enum Phase {
            Bid,
            Deal { to: u8 },
            Over,
        }

        pub fn state() -> State {
            State { round: 1, score: 2, phase: Phase::Deal { to: 1 }, cards: vec![1, 1, 1] }
        }
    }

    /// A later version of `State`, with these fields in this order.
    macro_rules! after {
        ($name:ident { $($field:ident: $type:ty),* }, $($variant:tt)*) => {
            mod $name {
                use super::*;

                #[derive(Serialize, Deserialize)]
                pub struct State {
                    $($field: $type),*
                }

                #[derive(Serialize, Deserialize)]
                pub enum Phase {
                    $($variant)*
                }
            }
        };
    }

    after!(same { round: u8, score: u8, phase: Phase, cards: Vec<u8> }, Bid, Deal { to: u8 }, Over, Later);
    after!(renamed { round: u8, points: u8, phase: Phase, cards: Vec<u8> }, Bid, Deal { to: u8 }, Over);
    after!(swapped { score: u8, round: u8, phase: Phase, cards: Vec<u8> }, Bid, Deal { to: u8 }, Over);
    after!(widened { round: u16, score: u8, phase: Phase, cards: Vec<u8> }, Bid, Deal { to: u8 }, Over);
    after!(optional { round: Option<u8>, phase: Phase, cards: Vec<u8> }, Bid, Deal { to: u8 }, Over);
    after!(boolean { round: bool, score: u8, phase: Phase, cards: Vec<u8> }, Bid, Deal { to: u8 }, Over);
    after!(signed { round: u8, score: u8, phase: Phase, cards: Vec<i8> }, Bid, Deal { to: u8 }, Over);
    after!(other_variant { round: u8, score: u8, phase: Phase, cards: Vec<u8> }, Bid, Sell { to: u8 }, Deal { to: u8 });
    after!(other_part { round: u8, score: u8, phase: Phase, cards: Vec<u8> }, Bid, Deal { from: u8 }, Over);

    #[test]
    fn a_layout_that_has_changed_is_noticed_whatever_changed() {
        let old = before::state();
        let noticed = [
            is_noticed::<_, renamed::State>(&old),
            is_noticed::<_, swapped::State>(&old),
            is_noticed::<_, widened::State>(&old),
            is_noticed::<_, optional::State>(&old),
            is_noticed::<_, boolean::State>(&old),
            is_noticed::<_, signed::State>(&old),
            is_noticed::<_, other_variant::State>(&old),
            is_noticed::<_, other_part::State>(&old),
        ];
        assert_eq!(noticed, [true; 8]);
    }

    #[test]
    fn what_is_laid_out_as_before_can_be_read_by_a_later_build() {
        assert!(!is_noticed::<_, before::State>(&before::state()));
        assert!(!is_noticed::<_, same::State>(&before::state()), "a variant at the end changes nothing for the others");
    }

    #[test]
    fn the_content_does_not_matter() {
        let (mut one, mut other) = (before::state(), before::state());
        (one.round, one.cards) = (7, vec![3, 4]);
        (other.round, other.cards) = (9, vec![5, 6]);
        assert_eq!(fingerprint(&one), fingerprint(&other));
    }
}
