//! Modifiers as values: types, rounding, and flags of which a family accepts the ones it knows.

use super::{Compute, Kind, Mode, Rounding, Scalar};

/// A type of the PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Pred,
    U8,
    S8,
    B8,
    U16,
    S16,
    B16,
    U32,
    S32,
    B32,
    U64,
    S64,
    B64,
    U16x2,
    S16x2,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
    Tf32,
    E4m3x2,
    E5m2x2,
}

impl Type {
    pub(super) fn parse(word: &str) -> Option<Type> {
        Some(match word {
            "pred" => Type::Pred,
            "u8" => Type::U8,
            "s8" => Type::S8,
            "b8" => Type::B8,
            "u16" => Type::U16,
            "s16" => Type::S16,
            "b16" => Type::B16,
            "u32" => Type::U32,
            "s32" => Type::S32,
            "b32" => Type::B32,
            "u64" => Type::U64,
            "s64" => Type::S64,
            "b64" => Type::B64,
            "u16x2" => Type::U16x2,
            "s16x2" => Type::S16x2,
            "f16" => Type::F16,
            "f16x2" => Type::F16x2,
            "bf16" => Type::Bf16,
            "bf16x2" => Type::Bf16x2,
            "f32" => Type::F32,
            "f64" => Type::F64,
            "tf32" => Type::Tf32,
            "e4m3x2" => Type::E4m3x2,
            "e5m2x2" => Type::E5m2x2,
            _ => return None,
        })
    }

    pub(super) fn kind(self) -> Kind {
        match self {
            Type::Pred => Kind::P,
            Type::U64 | Type::S64 | Type::B64 | Type::F64 => Kind::X,
            Type::U8
            | Type::S8
            | Type::B8
            | Type::U16
            | Type::S16
            | Type::B16
            | Type::U32
            | Type::S32
            | Type::B32
            | Type::U16x2
            | Type::S16x2
            | Type::F16
            | Type::F16x2
            | Type::Bf16
            | Type::Bf16x2
            | Type::F32
            | Type::Tf32
            | Type::E4m3x2
            | Type::E5m2x2 => Kind::W,
        }
    }

    pub(super) fn is_float(self) -> bool {
        use Type::*;
        matches!(self, F16 | F16x2 | Bf16 | Bf16x2 | F32 | F64 | Tf32 | E4m3x2 | E5m2x2)
    }
}

pub(super) const FTZ: u32 = 1 << 0;
pub(super) const SAT: u32 = 1 << 1;
pub(super) const RELU: u32 = 1 << 2;
/// `.NaN`: a NaN operand makes the result NaN.
pub(super) const NAN: u32 = 1 << 3;
pub(super) const XORSIGN: u32 = 1 << 4;
pub(super) const ABS: u32 = 1 << 5;
pub(super) const SATFINITE: u32 = 1 << 6;
/// A rounding was named (`.rn`, …).
pub(super) const ROUND: u32 = 1 << 7;
/// It was one to an integer (`.rni`, …).
pub(super) const INTEGRAL: u32 = 1 << 8;
/// `.rna`: to nearest, ties away from zero.
pub(super) const AWAY: u32 = 1 << 9;
pub(super) const LO: u32 = 1 << 16;
pub(super) const HI: u32 = 1 << 17;
pub(super) const WIDE: u32 = 1 << 18;
pub(super) const APPROX: u32 = 1 << 19;
pub(super) const FULL: u32 = 1 << 20;
pub(super) const WRAP: u32 = 1 << 21;
pub(super) const CLAMP: u32 = 1 << 22;
pub(super) const LEFT: u32 = 1 << 23;
pub(super) const RIGHT: u32 = 1 << 24;
pub(super) const SHIFTAMT: u32 = 1 << 25;
pub(super) const FINITE: u32 = 1 << 26;
pub(super) const INFINITE: u32 = 1 << 27;
pub(super) const NUMBER: u32 = 1 << 28;
pub(super) const NOTANUMBER: u32 = 1 << 29;
pub(super) const NORMAL: u32 = 1 << 30;
pub(super) const SUBNORMAL: u32 = 1 << 31;

/// An instruction's modifiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    types: [Type; 3],
    /// How many types there are: at least one.
    pub(super) count: usize,
    pub(super) rounding: Rounding,
    pub(super) flags: u32,
}

impl Words {
    /// Nothing where a word is unknown, comes twice, or no type is there.
    pub(super) fn parse(modifiers: &[&str]) -> Option<Words> {
        let mut words = Words { types: [Type::B32; 3], count: 0, rounding: Rounding::Nearest, flags: 0 };
        for word in modifiers {
            if let Some(ty) = Type::parse(word) {
                *words.types.get_mut(words.count)? = ty;
                words.count += 1;
                continue;
            }
            let (flag, rounding) = match *word {
                "rn" => (ROUND, Rounding::Nearest),
                "rz" => (ROUND, Rounding::Zero),
                "rm" => (ROUND, Rounding::Down),
                "rp" => (ROUND, Rounding::Up),
                "rni" => (INTEGRAL, Rounding::Nearest),
                "rzi" => (INTEGRAL, Rounding::Zero),
                "rmi" => (INTEGRAL, Rounding::Down),
                "rpi" => (INTEGRAL, Rounding::Up),
                _ => (Words::flag(word)?, words.rounding),
            };
            if words.flags & flag != 0 {
                return None;
            }
            words.flags |= flag;
            words.rounding = rounding;
        }
        (words.count > 0).then_some(words)
    }

    fn flag(word: &str) -> Option<u32> {
        Some(match word {
            "ftz" => FTZ,
            "sat" => SAT,
            "relu" => RELU,
            "NaN" => NAN,
            "xorsign" => XORSIGN,
            "abs" => ABS,
            "satfinite" => SATFINITE,
            "rna" => AWAY,
            "lo" => LO,
            "hi" => HI,
            "wide" => WIDE,
            "approx" => APPROX,
            "full" => FULL,
            "wrap" => WRAP,
            "clamp" => CLAMP,
            "l" => LEFT,
            "r" => RIGHT,
            "shiftamt" => SHIFTAMT,
            "finite" => FINITE,
            "infinite" => INFINITE,
            "number" => NUMBER,
            "notanumber" => NOTANUMBER,
            "normal" => NORMAL,
            "subnormal" => SUBNORMAL,
            _ => return None,
        })
    }

    /// The first type: with two, the result's.
    pub(super) fn ty(&self) -> Type {
        self.types[0]
    }

    /// The last type: with two, the source's.
    pub(super) fn last(&self) -> Type {
        self.types[self.count - 1]
    }

    /// Whether only these flags are set.
    pub(super) fn only(&self, allowed: u32) -> bool {
        self.flags & !allowed == 0
    }

    pub(super) fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn mode(&self) -> Mode {
        Mode { rounding: self.rounding, ftz: self.has(FTZ), sat: self.has(SAT), detail: self.flags as u16 }
    }
}

impl Mode {
    /// Whether a flag below `1 << 16` was among the modifiers.
    pub(super) fn has(self, flag: u32) -> bool {
        u32::from(self.detail) & flag != 0
    }
}

/// A number of operands of one kind.
pub(super) fn repeat(kind: Kind, count: usize) -> &'static [Kind] {
    const W: &[Kind] = &[Kind::W; 4];
    const X: &[Kind] = &[Kind::X; 4];
    const P: &[Kind] = &[Kind::P; 4];
    match kind {
        Kind::X => &X[..count],
        Kind::P => &P[..count],
        Kind::W | Kind::Immediate => &W[..count],
    }
}

impl Scalar {
    /// Result and operands in the same file, no modifiers.
    pub(super) fn plain(kind: Kind, sources: usize, compute: Compute) -> Scalar {
        Scalar {
            result: kind,
            sources: repeat(kind, sources),
            mode: Mode::default(),
            compute,
            vectorised: None,
        }
    }

    pub(super) fn result(self, result: Kind) -> Scalar {
        Scalar { result, ..self }
    }

    pub(super) fn sources(self, sources: &'static [Kind]) -> Scalar {
        Scalar { sources, ..self }
    }

    pub(super) fn mode(self, mode: Mode) -> Scalar {
        Scalar { mode, ..self }
    }
}
