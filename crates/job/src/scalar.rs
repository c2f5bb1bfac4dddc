//! The element types of a job file: numbers as text gives them, to the bytes that a kernel sees, and back to compare.
//!
//! Pure functions. A value is held as its bits in a `u64`, the unused high bits zero.

use serde::Deserialize;
use std::fmt;

/// The type of a buffer's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// `unsigned char`
    U8,
    /// `signed char`
    I8,
    /// `unsigned short`
    U16,
    /// `short`
    I16,
    /// `__half`
    F16,
    /// `unsigned int`
    U32,
    /// `int`
    I32,
    /// `float`
    F32,
    /// `unsigned long long`
    U64,
    /// `long long`
    I64,
    /// `double`
    F64,
}

/// A number of the job file: TOML tells `1` from `1.0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i128),
    Float(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(v) => write!(f, "{v}"),
            Number::Float(v) => write!(f, "{v:?}"),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
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
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl Number {
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Number::Int(v) => v as f64,
            Number::Float(v) => v,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::U8 => "u8",
            Type::I8 => "i8",
            Type::U16 => "u16",
            Type::I16 => "i16",
            Type::F16 => "f16",
            Type::U32 => "u32",
            Type::I32 => "i32",
            Type::F32 => "f32",
            Type::U64 => "u64",
            Type::I64 => "i64",
            Type::F64 => "f64",
        })
    }
}

impl Type {
    /// Size of an element, bytes.
    pub fn bytes(self) -> usize {
        match self {
            Type::U8 | Type::I8 => 1,
            Type::U16 | Type::I16 | Type::F16 => 2,
            Type::U32 | Type::I32 | Type::F32 => 4,
            Type::U64 | Type::I64 | Type::F64 => 8,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::F32 | Type::F64)
    }

    fn is_signed(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64)
    }

    /// Least and greatest value of an integer type.
    pub(crate) fn range(self) -> (i128, i128) {
        let bits = 8 * self.bytes() as u32;
        if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    /// The bits of a number, rounded to nearest even where the type is a float.
    ///
    /// # Errors
    /// A number that the type cannot hold, in words.
    pub(crate) fn encode(self, number: Number) -> Result<u64, String> {
        if self.is_float() {
            let wide = number.as_f64();
            let bits = self.round(wide);
            if wide.is_finite() && !self.to_f64(bits).is_finite() {
                return Err(format!("{number} is more than an {self} can hold"));
            }
            return Ok(bits);
        }
        let Number::Int(value) = number else {
            return Err(format!("{number} is not an integer, as {self} needs"));
        };
        let (least, greatest) = self.range();
        if value < least || value > greatest {
            return Err(format!("{number} does not fit {self}, which holds {least} to {greatest}"));
        }
        Ok(self.wrap(value))
    }

    /// An integer's low bits.
    pub(crate) fn wrap(self, value: i128) -> u64 {
        (value as u64) & (u64::MAX >> (64 - 8 * self.bytes()))
    }

    /// The bits of the nearest float, ties to even.
    pub(crate) fn round(self, value: f64) -> u64 {
        match self {
            Type::F16 => u64::from(to_f16(value)),
            Type::F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        }
    }

    /// A value as the nearest double; 64-bit integers lose low bits.
    pub(crate) fn to_f64(self, bits: u64) -> f64 {
        match self {
            Type::F16 => from_f16(bits as u16),
            Type::F32 => f32::from_bits(bits as u32).into(),
            Type::F64 => f64::from_bits(bits),
            _ => self.to_int(bits) as f64,
        }
    }

    /// An integer's value.
    pub(crate) fn to_int(self, bits: u64) -> i128 {
        let unused = 64 - 8 * self.bytes();
        if self.is_signed() { i128::from((bits << unused) as i64 >> unused) } else { bits.into() }
    }

    /// The bits of one element that lies little-endian in memory.
    pub(crate) fn load(self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    }

    /// A value as text that tells it from every other: floats that are no numbers by their bits.
    pub(crate) fn show(self, bits: u64) -> String {
        match self {
            Type::F16 | Type::F32 | Type::F64 if self.to_f64(bits).is_nan() => {
                format!("NaN ({bits:#0width$x})", width = 2 + 2 * self.bytes())
            }
            Type::F16 => format!("{:?}", from_f16(bits as u16)),
            Type::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Type::F64 => format!("{:?}", f64::from_bits(bits)),
            _ => self.to_int(bits).to_string(),
        }
    }
}

/// Rounds to the nearest half, ties to even.
fn to_f16(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let value = value.abs();
    // Scaling by a power of two is exact, so there is one rounding in either case.
    sign | if value.is_nan() {
        0x7e00
    } else if value >= 65520.0 {
        0x7c00
    } else if value < 2f64.powi(-14) {
        (value * 2f64.powi(24)).round_ties_even() as u16 // 1024 is the smallest normal number, as it should be
    } else {
        let exponent = (value.to_bits() >> 52) as i32 - 1023;
        let mantissa = (value * 2f64.powi(10 - exponent)).round_ties_even() as u16;
        (((exponent + 15) as u16) << 10) + (mantissa - 1024) // a carry raises the exponent
    }
}

fn from_f16(bits: u16) -> f64 {
    let mantissa = f64::from(bits & 0x3ff);
    let magnitude = match bits >> 10 & 31 {
        0 => mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + mantissa) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 != 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_the_way_there_and_back() {
        for bits in 0..=u16::MAX {
            let value = from_f16(bits);
            if value.is_nan() {
                assert_eq!(to_f16(value) & 0x7fff, 0x7e00);
            } else {
                assert_eq!(to_f16(value), bits, "{value}");
            }
        }
    }

    #[test]
    fn halves_round_to_nearest_even() {
        let ulp = 2f64.powi(-10);
        for (value, bits) in [
            (1.0 + ulp / 2.0, 0x3c00),       // a tie goes to the even one below
            (1.0 + 1.5 * ulp, 0x3c02),       // and to the even one above
            (1.0 + ulp * 0.5000001, 0x3c01), // beyond the tie
            (65519.9, 0x7bff),               // still the largest
            (65520.0, 0x7c00),               // a tie that is infinite
            (2f64.powi(-25), 0),             // a tie between zero and the smallest
            (2f64.powi(-25) * 1.001, 1),
            (-0.0, 0x8000),
            (2f64.powi(-14) - 2f64.powi(-30), 0x0400), // rounds up to the smallest normal
        ] {
            assert_eq!(to_f16(value), bits, "{value}");
        }
    }

    #[test]
    fn integers_hold_what_their_range_says() {
        for (ty, fits, over) in [
            (Type::U8, 255, 256),
            (Type::I8, -128, -129),
            (Type::U16, 65535, -1),
            (Type::I16, 32767, 32768),
            (Type::U32, 4294967295, 4294967296),
            (Type::I32, -2147483648, 2147483648),
            (Type::U64, 18446744073709551615, -1),
            (Type::I64, i64::MIN.into(), i128::from(i64::MAX) + 1),
        ] {
            let bits = ty.encode(Number::Int(fits)).unwrap();
            assert_eq!(ty.to_int(bits), fits, "{ty}");
            assert!(ty.encode(Number::Int(over)).unwrap_err().contains("does not fit"), "{ty}");
            assert!(ty.encode(Number::Float(1.0)).unwrap_err().contains("not an integer"), "{ty}");
        }
    }

    #[test]
    fn a_float_type_refuses_what_would_become_infinite_and_keeps_infinity() {
        for ty in [Type::F16, Type::F32] {
            assert!(ty.encode(Number::Float(1e300)).is_err());
            assert!(ty.to_f64(ty.encode(Number::Float(f64::INFINITY)).unwrap()).is_infinite());
            assert_eq!(ty.to_f64(ty.encode(Number::Int(3)).unwrap()), 3.0);
        }
    }

    #[test]
    fn values_are_shown_so_that_no_two_look_alike() {
        assert_eq!(Type::F32.show(0.1f32.to_bits().into()), "0.1");
        assert_eq!(Type::F32.show((-0f32).to_bits().into()), "-0.0");
        assert_eq!(Type::F32.show(0x7fff_ffff), "NaN (0x7fffffff)");
        assert_eq!(Type::F16.show(0x7e00), "NaN (0x7e00)");
        assert_eq!(Type::I8.show(0xff), "-1");
    }
}
