//! Which instructions are floating-point arithmetic, and of which formats: to find where a NaN or an infinity was made.
//!
//! Pure functions of an instruction's words and of bits.

use super::half::f32_from_f16;
use std::fmt;

/// A floating-point format, or a pair of one in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
}

impl Format {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "f16" => Format::F16,
            "f16x2" => Format::F16x2,
            "bf16" => Format::Bf16,
            "bf16x2" => Format::Bf16x2,
            // The lower bits of the fraction do not matter here.
            "f32" | "tf32" => Format::F32,
            "f64" => Format::F64,
            _ => return None,
        })
    }

    /// The format of a matrix's element as a register of 32 bits holds it.
    fn packed(self) -> Self {
        match self {
            Format::F16 => Format::F16x2,
            Format::Bf16 => Format::Bf16x2,
            other => other,
        }
    }

    /// How many numbers a register holds.
    pub(crate) fn count(self) -> usize {
        match self {
            Format::F16x2 | Format::Bf16x2 => 2,
            Format::F16 | Format::Bf16 | Format::F32 | Format::F64 => 1,
        }
    }

    /// A number of those that a register holds.
    pub(crate) fn value(self, bits: u64, nth: usize) -> f64 {
        let half = (bits >> (16 * (nth % self.count()))) as u16;
        match self {
            Format::F16 | Format::F16x2 => f64::from(f32::from_bits(f32_from_f16(half))),
            Format::Bf16 | Format::Bf16x2 => f64::from(f32::from_bits(u32::from(half) << 16)),
            Format::F32 => f64::from(f32::from_bits(bits as u32)),
            Format::F64 => f64::from_bits(bits),
        }
    }

    /// It in the shortest way that means no other number of the format.
    pub(crate) fn text(self, bits: u64, nth: usize) -> String {
        match self {
            Format::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Format::F64 => format!("{:?}", f64::from_bits(bits)),
            Format::F16 | Format::F16x2 | Format::Bf16 | Format::Bf16x2 => {
                format!("{:?}", self.value(bits, nth) as f32)
            }
        }
    }
}

/// Floating-point arithmetic: the formats of its result and of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arithmetic {
    pub(crate) operation: Operation,
    pub(crate) result: Format,
    /// Nothing for integers.
    pub(crate) operands: Option<Format>,
}

/// What it computes, as far as messages tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    /// A product and a sum.
    Fused,
    Divide,
    /// A function of one operand, by the name of it.
    Function(&'static str),
    Convert,
    /// A product of matrices.
    Product,
    /// One of two constants or numbers: functions of the mathematics library give NaNs and infinities so.
    Choose,
    /// None: a number comes from memory, or goes there.
    Load,
    Store,
}

impl Arithmetic {
    /// Of an instruction by its words, such as `fma.rn.f32`; nothing for whatever makes no new number.
    pub(crate) fn of(mnemonic: &str) -> Option<Self> {
        use Operation::*;
        let mut words = mnemonic.split('.');
        let opcode = words.next()?;
        let operation = match opcode {
            "add" | "atom" | "red" if mnemonic.contains("add") => Add,
            "sub" => Subtract,
            "mul" => Multiply,
            "mad" | "fma" => Fused,
            "div" => Divide,
            "rcp" => Function("1 / "),
            "sqrt" => Function("sqrt"),
            "rsqrt" => Function("rsqrt"),
            "sin" => Function("sin"),
            "cos" => Function("cos"),
            "lg2" => Function("log2"),
            "ex2" => Function("exp2"),
            "tanh" => Function("tanh"),
            "cvt" => Convert,
            "mma" | "wmma" => Product,
            "selp" => Choose,
            "ld" => Load,
            "st" => Store,
            _ => return None,
        };
        match operation {
            Convert => {
                let words: Vec<&str> = words.collect();
                let [.., to, from] = words[..] else { return None };
                Some(Arithmetic { operation, result: Format::named(to)?, operands: Format::named(from) })
            }
            Product => {
                let mut formats = words.filter_map(Format::named);
                let result = formats.next()?;
                let operands = formats.next().unwrap_or(result);
                Some(Arithmetic { operation, result: result.packed(), operands: Some(operands.packed()) })
            }
            _ => {
                let format = words.filter_map(Format::named).next_back()?;
                Some(Arithmetic { operation, result: format, operands: Some(format) })
            }
        }
    }

    /// It with its operands, as a formula.
    pub(crate) fn formula(&self, operands: &[u64], nth: usize) -> String {
        let text = |n: usize| match (self.operands, operands.get(n)) {
            (Some(format), Some(bits)) => format.text(*bits, nth),
            (None, Some(bits)) => bits.to_string(),
            (_, None) => "?".to_owned(),
        };
        match self.operation {
            Operation::Add => format!("{} + {}", text(0), text(1)),
            Operation::Subtract => format!("{} - {}", text(0), text(1)),
            Operation::Multiply => format!("{} · {}", text(0), text(1)),
            Operation::Fused => format!("{} · {} + {}", text(0), text(1), text(2)),
            Operation::Divide => format!("{} / {}", text(0), text(1)),
            Operation::Function("1 / ") => format!("1 / {}", text(0)),
            Operation::Function(name) => format!("{name}({})", text(0)),
            Operation::Convert => format!("{} as {}", text(0), self.result),
            Operation::Product => "a product of matrices".to_owned(),
            Operation::Choose | Operation::Load | Operation::Store => text(0),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::F16 | Format::F16x2 => "f16",
            Format::Bf16 | Format::Bf16x2 => "bf16",
            Format::F32 => "f32",
            Format::F64 => "f64",
        })
    }
}

/// What is not a finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotFinite {
    /// Not a number.
    Nan,
    /// Either infinity.
    Infinity,
}

impl NotFinite {
    /// What a number is, if it is not finite.
    pub(crate) fn of(value: f64) -> Option<Self> {
        if value.is_nan() { Some(NotFinite::Nan) } else { value.is_infinite().then_some(NotFinite::Infinity) }
    }

    /// Whether it is made here, and no operand's: a NaN of operands that are none, an infinity of finite ones.
    pub(crate) fn is_made_of(self, mut operands: impl Iterator<Item = f64>) -> bool {
        match self {
            NotFinite::Nan => operands.all(|value| !value.is_nan()),
            NotFinite::Infinity => operands.all(f64::is_finite),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_distinguished_from_what_moves_bits() {
        let of = |mnemonic: &str| Arithmetic::of(mnemonic).map(|of| (of.result, of.operands));
        assert_eq!(of("fma.rn.f32"), Some((Format::F32, Some(Format::F32))));
        assert_eq!(of("mul.rn.ftz.f16x2"), Some((Format::F16x2, Some(Format::F16x2))));
        assert_eq!(of("cvt.rn.f16.f32"), Some((Format::F16, Some(Format::F32))));
        assert_eq!(of("cvt.rn.f32.s32"), Some((Format::F32, None)));
        assert_eq!(
            of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
            Some((Format::F32, Some(Format::F16x2)))
        );
        assert_eq!(
            of("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16"),
            Some((Format::F16x2, Some(Format::F16x2)))
        );
        for other in
            ["mov.f32", "selp.b32", "add.s32", "cvt.rzi.s32.f32", "mul.wide.u32", "ld.global.u32", "neg.f32"]
        {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn a_number_is_read_in_its_format() {
        assert_eq!(
            [0x3c00, 0x7bff, 0x8001].map(|bits| Format::F16.value(bits, 0)),
            [1.0, 65504.0, -5.960464477539063e-8]
        );
        assert!(Format::F16.value(0xfc00, 0).is_infinite() && Format::F16.value(0x7e00, 0).is_nan());
        assert_eq!([0, 1].map(|nth| Format::F16x2.value(0x4000_3c00, nth)), [1.0, 2.0]);
        assert_eq!(Format::Bf16.value(0x3f80, 0), 1.0);
        assert_eq!(Format::F64.value(2.5f64.to_bits(), 0), 2.5);
    }

    #[test]
    fn what_is_not_finite_comes_from_operands_or_is_made() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let made = |of: NotFinite, operands: &[f64]| of.is_made_of(operands.iter().copied());
        assert!(
            made(NotFinite::Nan, &[inf, 0.0])
                && made(NotFinite::Nan, &[inf, inf])
                && made(NotFinite::Nan, &[-1.0])
        );
        assert!(!made(NotFinite::Nan, &[nan, 1.0]));
        assert!(made(NotFinite::Infinity, &[1.0, 0.0]) && !made(NotFinite::Infinity, &[inf, 2.0]));
    }

    #[test]
    fn a_formula_has_the_operands() {
        let of = |mnemonic: &str, operands: &[f32]| {
            let bits: Vec<u64> = operands.iter().map(|value| value.to_bits().into()).collect();
            Arithmetic::of(mnemonic).unwrap().formula(&bits, 0)
        };
        assert_eq!(of("mul.f32", &[f32::INFINITY, 0.0]), "inf · 0.0");
        assert_eq!(of("fma.rn.f32", &[1e38, 10.0, -0.5]), "1e38 · 10.0 + -0.5");
        assert_eq!(of("rsqrt.approx.f32", &[0.0]), "rsqrt(0.0)");
        assert_eq!(of("rcp.rn.f32", &[0.0]), "1 / 0.0");
        assert_eq!(of("cvt.rn.f16.f32", &[1e6]), "1000000.0 as f16");
    }
}
