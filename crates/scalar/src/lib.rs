//! The formats of a single number: numbers as text gives them, to the bits that a kernel sees, and back to compare.
//!
//! The formats that buffers of job files, exercises and pages may hold are listed here and nowhere else. Pure functions. A
//! value is held as its bits in a `u64`, the unused high bits zero.

mod number;
mod tolerance;

pub use number::Number;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
pub use tolerance::{Distance, Tolerance};

/// The format of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `unsigned char`
    U8,
    /// `signed char`
    I8,
    /// `__nv_fp8_e4m3`: no infinity; the largest number is 448
    E4m3,
    /// `__nv_fp8_e5m2`
    E5m2,
    /// `unsigned short`
    U16,
    /// `short`
    I16,
    /// `__half`
    F16,
    /// `__nv_bfloat16`
    Bf16,
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

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scalar {
    type Err = String;

    fn from_str(text: &str) -> Result<Scalar, String> {
        let found = Scalar::ALL.into_iter().find(|scalar| scalar.name() == text);
        found.ok_or_else(|| format!("no type is called {text:?}; there are {}", Scalar::names()))
    }
}

impl Serialize for Scalar {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Properties of an integer format, or of a floating-point one.
enum Kind {
    Unsigned,
    Signed,
    Small(Small),
    F32,
    F64,
}

/// A floating-point format of at most 16 bits.
#[derive(Clone, Copy)]
struct Small {
    exponent_bits: u32,
    mantissa_bits: u32,
    /// Whether the largest exponent means infinity and NaN; without, only the last code is NaN.
    is_ieee: bool,
}

impl Scalar {
    /// All formats, in the order in which messages list them.
    pub const ALL: [Scalar; 14] = [
        Scalar::U8,
        Scalar::I8,
        Scalar::U16,
        Scalar::I16,
        Scalar::U32,
        Scalar::I32,
        Scalar::U64,
        Scalar::I64,
        Scalar::F16,
        Scalar::Bf16,
        Scalar::E4m3,
        Scalar::E5m2,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The names of all, for messages.
    pub fn names() -> String {
        Scalar::ALL.map(Scalar::name).join(" ")
    }

    /// Its name in job files and pages.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::U8 => "u8",
            Scalar::I8 => "i8",
            Scalar::E4m3 => "e4m3",
            Scalar::E5m2 => "e5m2",
            Scalar::U16 => "u16",
            Scalar::I16 => "i16",
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
            Scalar::U32 => "u32",
            Scalar::I32 => "i32",
            Scalar::F32 => "f32",
            Scalar::U64 => "u64",
            Scalar::I64 => "i64",
            Scalar::F64 => "f64",
        }
    }

    /// Its type in CUDA C.
    pub fn in_c(self) -> &'static str {
        match self {
            Scalar::U8 => "unsigned char",
            Scalar::I8 => "signed char",
            Scalar::E4m3 => "__nv_fp8_e4m3",
            Scalar::E5m2 => "__nv_fp8_e5m2",
            Scalar::U16 => "unsigned short",
            Scalar::I16 => "short",
            Scalar::F16 => "__half",
            Scalar::Bf16 => "__nv_bfloat16",
            Scalar::U32 => "unsigned",
            Scalar::I32 => "int",
            Scalar::F32 => "float",
            Scalar::U64 => "unsigned long long",
            Scalar::I64 => "long long",
            Scalar::F64 => "double",
        }
    }

    /// Size of a number, bytes.
    pub fn bytes(self) -> usize {
        match self {
            Scalar::U8 | Scalar::I8 | Scalar::E4m3 | Scalar::E5m2 => 1,
            Scalar::U16 | Scalar::I16 | Scalar::F16 | Scalar::Bf16 => 2,
            Scalar::U32 | Scalar::I32 | Scalar::F32 => 4,
            Scalar::U64 | Scalar::I64 | Scalar::F64 => 8,
        }
    }

    fn kind(self) -> Kind {
        let small = |exponent_bits, mantissa_bits, is_ieee| {
            Kind::Small(Small { exponent_bits, mantissa_bits, is_ieee })
        };
        match self {
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => Kind::Unsigned,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => Kind::Signed,
            Scalar::E4m3 => small(4, 3, false),
            Scalar::E5m2 => small(5, 2, true),
            Scalar::F16 => small(5, 10, true),
            Scalar::Bf16 => small(8, 7, true),
            Scalar::F32 => Kind::F32,
            Scalar::F64 => Kind::F64,
        }
    }

    /// Whether it has fractions.
    pub fn is_float(self) -> bool {
        matches!(self.kind(), Kind::Small(_) | Kind::F32 | Kind::F64)
    }

    fn is_signed(self) -> bool {
        matches!(self.kind(), Kind::Signed)
    }

    /// Least and greatest value of an integer format.
    pub fn range(self) -> (i128, i128) {
        let bits = 8 * self.bytes() as u32;
        if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    /// The bits of a number, rounded to nearest even where the format is a float.
    ///
    /// # Errors
    /// A number that the format cannot hold, in words.
    pub fn encode(self, number: Number) -> Result<u64, String> {
        if self.is_float() {
            let wide = number.as_f64();
            let bits = self.round(wide);
            if wide.is_infinite() && !self.to_f64(bits).is_infinite() {
                return Err(format!("{self} has no infinity"));
            }
            if wide.is_finite() && !self.to_f64(bits).is_finite() {
                let article = if self == Scalar::Bf16 { "a" } else { "an" };
                return Err(format!("{number} is more than {article} {self} can hold"));
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
    pub fn wrap(self, value: i128) -> u64 {
        (value as u64) & (u64::MAX >> (64 - 8 * self.bytes()))
    }

    /// The bits of the nearest float, ties to even.
    pub fn round(self, value: f64) -> u64 {
        match self.kind() {
            Kind::Small(small) => small.round(value),
            Kind::F32 => u64::from((value as f32).to_bits()),
            Kind::Unsigned | Kind::Signed | Kind::F64 => value.to_bits(),
        }
    }

    /// The bits of the nearest number that the format has: an integer's without the fraction, and 0 for NaN.
    pub fn nearest(self, value: f64) -> u64 {
        if self.is_float() {
            return self.round(value);
        }
        let (least, greatest) = self.range();
        self.wrap((value as i128).clamp(least, greatest))
    }

    /// A value as the nearest double; 64-bit integers lose low bits.
    pub fn to_f64(self, bits: u64) -> f64 {
        match self.kind() {
            Kind::Small(small) => small.widen(bits),
            Kind::F32 => f32::from_bits(bits as u32).into(),
            Kind::F64 => f64::from_bits(bits),
            Kind::Unsigned => bits as f64,
            Kind::Signed => self.to_int(bits) as f64,
        }
    }

    /// A value as it is.
    pub fn number(self, bits: u64) -> Number {
        if self.is_float() { Number::Float(self.to_f64(bits)) } else { Number::Int(self.to_int(bits)) }
    }

    /// An integer's value.
    pub fn to_int(self, bits: u64) -> i128 {
        let unused = 64 - 8 * self.bytes();
        if self.is_signed() { i128::from((bits << unused) as i64 >> unused) } else { bits.into() }
    }

    /// The bits of one number that is little-endian in memory.
    pub fn load(self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    }

    /// A value as text that distinguishes it from every other: NaNs by their bits.
    pub fn show(self, bits: u64) -> String {
        match self.kind() {
            Kind::Unsigned | Kind::Signed => self.to_int(bits).to_string(),
            Kind::Small(_) | Kind::F32 | Kind::F64 if self.to_f64(bits).is_nan() => {
                format!("NaN ({bits:#0width$x})", width = 2 + 2 * self.bytes())
            }
            Kind::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Kind::Small(_) | Kind::F64 => format!("{:?}", self.to_f64(bits)),
        }
    }
}

impl Small {
    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The first code after those of the finite numbers: infinity, or NaN where there is none.
    fn beyond(self) -> u64 {
        if self.is_ieee {
            ((1 << self.exponent_bits) - 1) << self.mantissa_bits
        } else {
            (1 << (self.exponent_bits + self.mantissa_bits)) - 1
        }
    }

    /// The nearest code, ties to even; NaN for what is beyond a format without infinity.
    fn round(self, value: f64) -> u64 {
        let sign = u64::from(value.is_sign_negative()) << (self.exponent_bits + self.mantissa_bits);
        let value = value.abs();
        if value.is_nan() {
            let quiet = if self.is_ieee { 1 << (self.mantissa_bits - 1) } else { 0 };
            return sign | self.beyond() | quiet;
        }
        // Scaling by a power of two is exact, so there is one rounding in either case.
        let exponent = ((value.to_bits() >> 52) as i32 - 1023).max(1 - self.bias());
        if exponent > self.bias() + 1 {
            return sign | self.beyond();
        }
        let mantissa = (value * 2f64.powi(self.mantissa_bits as i32 - exponent)).round_ties_even() as u64;
        // The leading bit of a normal number, and a carry, raise the exponent.
        let code = ((exponent + self.bias() - 1) as u64) << self.mantissa_bits;
        sign | (code + mantissa).min(self.beyond())
    }

    fn widen(self, bits: u64) -> f64 {
        let sign = bits >> (self.exponent_bits + self.mantissa_bits) & 1;
        let code = bits & ((1 << (self.exponent_bits + self.mantissa_bits)) - 1);
        let mantissa = (code & ((1 << self.mantissa_bits) - 1)) as f64;
        let exponent = (code >> self.mantissa_bits) as i32;
        let scale = 2f64.powi(exponent.max(1) - self.bias() - self.mantissa_bits as i32);
        let magnitude = if code < self.beyond() {
            let leading = if exponent == 0 { 0.0 } else { 2f64.powi(self.mantissa_bits as i32) };
            (leading + mantissa) * scale
        } else if self.is_ieee && code == self.beyond() {
            f64::INFINITY
        } else {
            f64::NAN
        };
        if sign == 1 { -magnitude } else { magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_a_small_format_survives_the_way_there_and_back() {
        for ty in [Scalar::F16, Scalar::Bf16, Scalar::E4m3, Scalar::E5m2] {
            for bits in 0..1_u64 << (8 * ty.bytes()) {
                let value = ty.to_f64(bits);
                if value.is_nan() {
                    assert!(ty.to_f64(ty.round(value)).is_nan(), "{ty} {bits:#x}");
                } else {
                    assert_eq!(ty.round(value), bits, "{ty} {value}");
                }
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
            (f64::NAN, 0x7e00),
            (f64::MIN_POSITIVE / 4.0, 0),
            (f64::MAX, 0x7c00),
        ] {
            assert_eq!(Scalar::F16.round(value), bits, "{value}");
        }
    }

    #[test]
    fn small_formats_have_the_numbers_of_their_definitions() {
        for (ty, bits, value) in [
            (Scalar::Bf16, 0x3f80, 1.0),
            (Scalar::Bf16, 0x7f7f, 3.3895313892515355e38),
            (Scalar::Bf16, 0x0001, 9.183549615799121e-41),
            (Scalar::E4m3, 0x38, 1.0),
            (Scalar::E4m3, 0x7e, 448.0),
            (Scalar::E4m3, 0x01, 0.001953125),
            (Scalar::E4m3, 0xb8, -1.0),
            (Scalar::E5m2, 0x3c, 1.0),
            (Scalar::E5m2, 0x7b, 57344.0),
            (Scalar::E5m2, 0x7c, f64::INFINITY),
            (Scalar::E5m2, 0x01, 2f64.powi(-16)),
        ] {
            assert_eq!(ty.to_f64(bits), value, "{ty} {bits:#x}");
            assert_eq!(ty.round(value), bits, "{ty} {value}");
        }
        assert!(Scalar::E4m3.to_f64(0x7f).is_nan() && Scalar::E4m3.round(f64::INFINITY) == 0x7f);
    }

    #[test]
    fn what_a_format_cannot_hold_is_refused_by_its_name() {
        for (ty, number, words) in [
            (Scalar::E4m3, Number::Float(465.0), "465.0 is more than an e4m3 can hold"),
            (Scalar::E4m3, Number::Float(f64::INFINITY), "e4m3 has no infinity"),
            (Scalar::E5m2, Number::Int(61440), "61440 is more than an e5m2 can hold"),
            (Scalar::Bf16, Number::Float(1e39), "more than a bf16 can hold"),
            (Scalar::U32, Number::Float(f64::NAN), "NaN is not an integer, as u32 needs"),
        ] {
            assert!(ty.encode(number).is_err_and(|why| why.contains(words)), "{ty} {number}");
        }
        assert_eq!(Scalar::E4m3.encode(Number::Float(464.0)), Ok(0x7e), "a tie goes to the largest");
        assert!(
            Scalar::F32.encode(Number::Float(f64::NAN)).is_ok_and(|bits| Scalar::F32.to_f64(bits).is_nan())
        );
    }

    #[test]
    fn integers_hold_what_their_range_says() {
        for (ty, fits, over) in [
            (Scalar::U8, 255, 256),
            (Scalar::I8, -128, -129),
            (Scalar::U16, 65535, -1),
            (Scalar::I16, 32767, 32768),
            (Scalar::U32, 4294967295, 4294967296),
            (Scalar::I32, -2147483648, 2147483648),
            (Scalar::U64, 18446744073709551615, -1),
            (Scalar::I64, i64::MIN.into(), i128::from(i64::MAX) + 1),
        ] {
            let bits = ty.encode(Number::Int(fits)).unwrap();
            assert_eq!(ty.to_int(bits), fits, "{ty}");
            assert!(ty.encode(Number::Int(over)).unwrap_err().contains("does not fit"), "{ty}");
            assert!(ty.encode(Number::Float(1.0)).unwrap_err().contains("not an integer"), "{ty}");
        }
    }

    #[test]
    fn a_float_type_refuses_what_would_become_infinite_and_keeps_infinity() {
        for ty in [Scalar::F16, Scalar::Bf16, Scalar::E5m2, Scalar::F32] {
            assert!(ty.encode(Number::Float(1e300)).is_err());
            assert!(ty.to_f64(ty.encode(Number::Float(f64::INFINITY)).unwrap()).is_infinite());
            assert_eq!(ty.to_f64(ty.encode(Number::Int(3)).unwrap()), 3.0);
        }
    }

    #[test]
    fn values_are_shown_so_that_no_two_look_alike() {
        assert_eq!(Scalar::F32.show(0.1f32.to_bits().into()), "0.1");
        assert_eq!(Scalar::F32.show((-0f32).to_bits().into()), "-0.0");
        assert_eq!(Scalar::F32.show(0x7fff_ffff), "NaN (0x7fffffff)");
        assert_eq!(Scalar::F16.show(0x7e00), "NaN (0x7e00)");
        assert_eq!(Scalar::I8.show(0xff), "-1");
    }
}
