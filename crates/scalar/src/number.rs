//! A number as a text has it, whose format is known only once it has been read.

use serde::de::{IgnoredAny, MapAccess, SeqAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A number in a text: `1` and `1.0` differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Without a fraction.
    Int(i128),
    /// With one.
    Float(f64),
}

impl Number {
    /// The nearest double.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Int(v) => v as f64,
            Number::Float(v) => v,
        }
    }

    /// Whether it has the same value as another.
    pub fn is_equal(self, other: Number) -> bool {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a == b,
            _ => self.as_f64() == other.as_f64(),
        }
    }

    /// How far it is from another; of two integers not 0 unless they are equal, however large they are.
    pub fn distance(self, other: Number) -> f64 {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.abs_diff(b) as f64,
            _ => (self.as_f64() - other.as_f64()).abs(),
        }
    }

    /// Whether it is this very number; NaN equals itself.
    pub fn is_same(self, other: Number) -> bool {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a == b,
            (Number::Float(a), Number::Float(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(v) => write!(f, "{v}"),
            Number::Float(v) => write!(f, "{v:?}"),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            // Formats that end at 64 bits have no call for wider ones.
            Number::Int(v) => match (i64::try_from(v), u64::try_from(v)) {
                (Ok(v), _) => serializer.serialize_i64(v),
                (_, Ok(v)) => serializer.serialize_u64(v),
                _ => serializer.serialize_i128(v),
            },
            Number::Float(v) => serializer.serialize_f64(v),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visitor)
    }
}

struct Visitor;

fn other<T, E: serde::de::Error>(what: impl fmt::Display) -> Result<T, E> {
    Err(E::custom(format!("expected a number, found {what}")))
}

impl<'de> serde::de::Visitor<'de> for Visitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number")
    }

    fn visit_i64<E>(self, v: i64) -> Result<Number, E> {
        Ok(Number::Int(v.into()))
    }

    fn visit_u64<E>(self, v: u64) -> Result<Number, E> {
        Ok(Number::Int(v.into()))
    }

    fn visit_i128<E>(self, v: i128) -> Result<Number, E> {
        Ok(Number::Int(v))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Number, E> {
        Ok(Number::Float(v))
    }

    fn visit_bool<E: serde::de::Error>(self, v: bool) -> Result<Number, E> {
        other(v)
    }

    fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<Number, E> {
        other(format_args!("the text {v:?}"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Number, A::Error> {
        let mut count = 0;
        while seq.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        other(format_args!("a list of {count}"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Number, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        other("a table")
    }
}
