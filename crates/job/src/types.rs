//! The element types of a job file: a number, or a vector of two to four as CUDA C has them.

use crate::value::Value;
use scalar::{Number, Scalar};
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// The type of a buffer's elements, such as `f32`, `f16x2` or `f32x4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Format of its numbers.
    pub scalar: Scalar,
    /// Numbers of an element: 1 to 4.
    pub lanes: u8,
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type { scalar, lanes: 1 }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lanes {
            1 => write!(f, "{}", self.scalar),
            lanes => write!(f, "{}x{lanes}", self.scalar),
        }
    }
}

impl FromStr for Type {
    type Err = String;

    fn from_str(text: &str) -> Result<Type, String> {
        let (name, lanes) = match text.rsplit_once('x') {
            Some((name, "2")) => (name, 2),
            Some((name, "3")) => (name, 3),
            Some((name, "4")) => (name, 4),
            _ => (text, 1),
        };
        let scalar = name.parse().map_err(|_| {
            format!("unknown type {text:?}; there are {}, and vectors such as f32x4", Scalar::names())
        })?;
        Ok(Type { scalar, lanes })
    }
}

impl<'de> Deserialize<'de> for Type {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Type {
    /// Size of an element, bytes.
    pub fn bytes(self) -> usize {
        self.scalar.bytes() * usize::from(self.lanes)
    }

    /// Alignment of an element in C, bytes: vectors of two and four are aligned to their size, up to 16 (CUDA C++
    /// Programming Guide, "Built-in Vector Types").
    pub(crate) fn align(self) -> usize {
        if self.lanes == 3 { self.scalar.bytes() } else { self.bytes().min(16) }
    }

    /// Appends an element's bytes.
    ///
    /// # Errors
    /// What the type cannot hold, in words.
    pub(crate) fn encode(self, value: &Value, into: &mut Vec<u8>) -> Result<(), String> {
        let lanes = usize::from(self.lanes);
        match value {
            Value::Number(number) if lanes == 1 => self.encode_number(*number, into),
            Value::List(list) if lanes > 1 && list.len() == lanes => {
                list.iter().try_for_each(|item| match item {
                    Value::Number(number) => self.encode_number(*number, into),
                    other => Err(format!("expected a number, found {}", other.what())),
                })
            }
            other if lanes > 1 => {
                Err(format!("expected a list of {lanes} numbers for {self}, found {}", other.what()))
            }
            other => Err(format!("expected a number, found {}", other.what())),
        }
    }

    fn encode_number(self, number: Number, into: &mut Vec<u8>) -> Result<(), String> {
        let bits = self.scalar.encode(number)?;
        into.extend(&bits.to_le_bytes()[..self.scalar.bytes()]);
        Ok(())
    }

    /// The bytes of a list of elements.
    ///
    /// # Errors
    /// The first that the type cannot hold, by its number.
    pub(crate) fn encode_all(self, values: &[Value]) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::with_capacity(values.len().saturating_mul(self.bytes()));
        for (n, value) in values.iter().enumerate() {
            self.encode(value, &mut bytes).map_err(|reason| format!("values: number {n}: {reason}"))?;
        }
        Ok(bytes)
    }

    /// An element as text: `1.5`, or `(1.0, 2.0)` for a vector.
    pub(crate) fn show(self, element: &[u8]) -> String {
        let numbers = element.chunks_exact(self.scalar.bytes());
        let numbers: Vec<String> = numbers.map(|one| self.scalar.show(self.scalar.load(one))).collect();
        if self.lanes == 1 { numbers.concat() } else { format!("({})", numbers.join(", ")) }
    }

    /// The bytes of an element that is given as such, or for a vector as one number for all of its lanes.
    ///
    /// # Errors
    /// What the type cannot hold, in words.
    pub(crate) fn splat(self, value: &Value) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::with_capacity(self.bytes());
        match value {
            Value::Number(number) => {
                (0..self.lanes).try_for_each(|_| self.encode_number(*number, &mut bytes))?;
            }
            other => self.encode(other, &mut bytes)?,
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(text: &str) -> Type {
        text.parse().unwrap()
    }

    #[test]
    fn types_are_written_as_they_are_read() {
        for text in ["f32", "u8x4", "f16x2", "bf16x2", "e4m3", "e5m2x4", "f64x2", "i32x3"] {
            assert_eq!(ty(text).to_string(), text);
        }
        for text in ["float", "f32x1", "f32x5", "x2", "", "f32 x2", "F32"] {
            assert!(text.parse::<Type>().is_err_and(|why| why.contains("there are u8 i8")), "{text}");
        }
    }

    #[test]
    fn vectors_are_as_large_and_aligned_as_in_cuda() {
        for (text, bytes, align) in [
            ("f32", 4, 4),
            ("f32x2", 8, 8),
            ("f32x3", 12, 4),
            ("f32x4", 16, 16),
            ("f64x2", 16, 16),
            ("f64x4", 32, 16),
            ("f16x2", 4, 4),
            ("u8x4", 4, 4),
            ("u8x3", 3, 1),
        ] {
            assert_eq!((ty(text).bytes(), ty(text).align()), (bytes, align), "{text}");
        }
    }

    #[test]
    fn a_vector_is_a_list_of_its_numbers() {
        let number = |n| Value::Number(Number::Int(n));
        let list = Value::List(vec![number(1), number(2)]);
        assert_eq!(ty("u8x2").encode_all(&[list.clone(), list.clone()]), Ok(vec![1, 2, 1, 2]));
        assert_eq!(ty("u8x2").splat(&number(7)), Ok(vec![7, 7]));
        assert_eq!(ty("u8x2").splat(&list), Ok(vec![1, 2]));
        for (text, value, words) in [
            ("u8x3", list.clone(), "expected a list of 3 numbers for u8x3, found a list of 2"),
            ("u8x2", number(1), "expected a list of 2 numbers"),
            ("u8", list, "expected a number, found a list of 2"),
            ("u8", Value::Bool(true), "expected a number, found true"),
            ("u8x2", Value::List(vec![number(1), number(256)]), "256 does not fit u8"),
        ] {
            let reported = ty(text).encode_all(&[value]).unwrap_err();
            assert!(reported.starts_with("values: number 0: ") && reported.contains(words), "{reported}");
        }
    }
}
