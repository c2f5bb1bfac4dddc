//! Levels of mipmapped textures: the level of detail that a fetch names, or that its gradients do, to levels and a weight.
//!
//! Found by measurement on an H200 (`scripts/truth-textures`): levels of detail bit for bit, those of gradients nearly (see
//! [`of_gradients`]).

/// How levels of a mipmapped texture are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mipmap {
    /// Whether two levels are interpolated; otherwise the nearest is taken.
    pub linear: bool,
    /// What is added to a level of detail: the bits of an f32.
    pub bias: u32,
    /// The least and the most level of detail: the bits of f32s.
    pub clamp: [u32; 2],
}

impl Mipmap {
    /// The nearest level, of all.
    pub const NEAREST: Mipmap = Mipmap { linear: false, bias: 0, clamp: [0, MOST_LEVELS.to_bits()] };
}

const MOST_LEVELS: f32 = 18.0;
/// Larger levels of detail are the same as these, in 256ths.
const LIMIT: f64 = 16_777_216.0;
/// The largest bias, in levels, that the driver sets.
const MOST_BIAS: f32 = 15.0;

/// The level of detail of a fetch, before bias and clamps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lod {
    /// None is named: ptxas names -32.
    Least,
    /// The bits of an f32.
    Of(u32),
    /// In 256ths of a level.
    Fixed(i64),
}

/// A level, and what of 256 the level after it weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) level: u32,
    /// 0 to 255.
    pub(crate) weight: u32,
}

impl Mipmap {
    /// The levels of a fetch from a texture whose last level is `last`.
    pub(crate) fn choose(&self, lod: Lod, last: u32) -> Chosen {
        let [least, most] = self.clamp.map(|bits| fixed(f32::from_bits(bits)).max(0));
        let lod = match lod {
            Lod::Least => -32 * 256,
            Lod::Of(bits) => fixed(f32::from_bits(bits)),
            Lod::Fixed(lod) => lod,
        };
        let bias = fixed(f32::from_bits(self.bias).clamp(-MOST_BIAS, MOST_BIAS));
        // The least wins over the most.
        let lod = (lod + bias).min(most).max(least).clamp(0, i64::from(last) * 256);
        if self.linear {
            Chosen { level: (lod >> 8) as u32, weight: (lod & 255) as u32 }
        } else {
            Chosen { level: ((lod + 128) >> 8) as u32, weight: 0 }
        }
    }
}

/// 256ths, cut off toward zero; no number is zero.
fn fixed(value: f32) -> i64 {
    (f64::from(value) * 256.0).clamp(-LIMIT, LIMIT) as i64
}

/// Bits of a significand after the leading one that gradients keep.
const KEPT: i32 = 9;

/// A positive number of ten significant bits: `significand` times 2^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Short {
    significand: i64,
    exponent: i32,
}

impl Short {
    const ZERO: Short = Short { significand: 0, exponent: -200 };

    /// The number nearest to a value toward zero.
    fn of(value: f64) -> Short {
        let value = value.abs();
        if !value.is_normal() {
            return if value.is_infinite() {
                Short { significand: 1 << KEPT, exponent: 200 }
            } else {
                Short::ZERO
            };
        }
        let exponent = ((value.to_bits() >> 52) as i32 - 1023 - KEPT).clamp(-200, 200);
        Short { significand: (value * f64::from(-exponent).exp2()) as i64, exponent }
    }

    fn value(self) -> f64 {
        self.significand as f64 * f64::from(self.exponent).exp2()
    }

    /// Eleven of `1 << shift` parts, rounded as the chip does.
    fn eleven(self, shift: u32) -> f64 {
        ((11 * self.significand + 4) >> shift) as f64 * f64::from(self.exponent).exp2()
    }
}

/// The length of a vector of up to three components: the largest, 11/32 of the next and a quarter of the least.
fn length(components: [f64; 3]) -> f64 {
    let mut sorted = components.map(|c| Short::of(c).value());
    sorted.sort_by(|a, b| b.total_cmp(a));
    sorted[0] + Short::of(sorted[1]).eleven(5) + sorted[2] / 4.0
}

/// Logarithms to base 2 of 1 + n/256, in 256ths.
const LOGARITHMS: [u8; 256] = [
    0, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 18, 19, 20, 22, 23, 24, 26, 27, 28, 30, 31, 32, 34, 35, 36, 38,
    39, 40, 42, 43, 44, 45, 47, 48, 49, 50, 52, 53, 54, 55, 57, 58, 59, 60, 62, 63, 64, 65, 66, 68, 69, 70,
    71, 72, 74, 75, 76, 77, 78, 79, 81, 82, 83, 84, 85, 86, 88, 89, 90, 91, 92, 93, 94, 95, 97, 98, 99, 100,
    101, 102, 103, 104, 105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122,
    123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 135, 136, 137, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 162, 163,
    164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 173, 174, 175, 176, 177, 178, 179, 180, 181, 181, 182,
    183, 184, 185, 186, 187, 188, 188, 189, 190, 191, 192, 193, 194, 195, 195, 196, 197, 198, 199, 200, 200,
    201, 202, 203, 204, 205, 205, 206, 207, 208, 209, 210, 210, 211, 212, 213, 214, 214, 215, 216, 217, 218,
    218, 219, 220, 221, 222, 222, 223, 224, 225, 226, 226, 227, 228, 229, 229, 230, 231, 232, 233, 233, 234,
    235, 236, 236, 237, 238, 239, 239, 240, 241, 242, 242, 243, 244, 245, 245, 246, 247, 248, 248, 249, 250,
    251, 251, 252, 253, 253, 254, 255, 255,
];

/// The level of detail of gradients in texels, in 256ths: the logarithm of the longer of both, or of 11/16 of the length of
/// their sum or difference.
///
/// Approximate: of random pairs an H200 gave 98 per cent the same, and the rest up to 2/256 of a level apart; where one of
/// the gradients is zero, all of them. For sizes that are not powers of two 87 per cent were the same, within 3/256.
pub(crate) fn of_gradients([x, y]: [[f64; 3]; 2]) -> i64 {
    let short = |v: f64| Short::of(v).value().copysign(v);
    let (x, y) = (x.map(short), y.map(short));
    let combined =
        |sign: f64| -> f64 { length(std::array::from_fn(|n| Short::of(x[n] + sign * y[n]).eleven(4))) };
    let rho = length(x).max(length(y)).max(combined(1.0)).max(combined(-1.0));
    let short = Short::of(rho);
    if short.significand == 0 {
        return -32 * 256;
    }
    let fraction = (short.significand >> (KEPT - 8)) as usize & 255;
    i64::from(short.exponent + KEPT) * 256 + i64::from(LOGARITHMS[fraction])
}
