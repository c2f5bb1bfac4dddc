//! Linear filtering: weights of nine bits, and the chip's arithmetic with them.
//!
//! Found by measurement on an H200 (`scripts/truth-textures`), and equal to it bit for bit where the tests say so.

/// A coordinate's weight of the texel after it, in 256ths: 0 to 255.
pub(crate) type Weight = u32;

/// Bits after a texel's significand that are kept when texels are aligned to the largest.
const GUARD: i32 = 4;
/// Bits after a plane's sum that are kept when sums of planes are aligned to the largest. An approximation: of sums that
/// lie up to 2^40 apart, an H200 gave one in 770 otherwise.
const PLANE_GUARD: i32 = 2;

/// Precision of floating-point texels, and of what is interpolated from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Precision {
    /// Bits that a significand has less than an f32's.
    less: i32,
    /// The least exponent of a normal number.
    least: i32,
    /// Whether there are subnormal results; those of f32 are zero.
    subnormal: bool,
}

impl Precision {
    pub(crate) const SINGLE: Precision = Precision { less: 0, least: -126, subnormal: false };
    pub(crate) const HALF: Precision = Precision { less: 13, least: -14, subnormal: true };
}

/// Rounds to the nearest of 256ths, ties up.
fn rounded(product: u32) -> u32 {
    (product + 128) >> 8
}

/// All of a weight, in 256ths.
pub(crate) const WHOLE: u32 = 256;

/// A weight divided between two places, of which the second has `by`.
pub(super) fn split(whole: u32, by: Weight) -> [u32; 2] {
    let far = rounded(whole * by);
    [whole - far, far]
}

/// A weight divided likewise, where the nearer place's share is the one that is rounded: slices in z are divided so.
pub(super) fn split_near(whole: u32, by: Weight) -> [u32; 2] {
    let near = rounded(whole * (WHOLE - by));
    [near, whole - near]
}

/// A weight divided between the texels (0,0), (1,0), (0,1), (1,1), where (x, y) counts from the nearer corner.
pub(super) fn plane(whole: u32, x: Weight, y: Weight) -> [u32; 4] {
    let [near, far] = split(whole, x);
    let far_far = rounded(far * y);
    let near_near = rounded(near * (WHOLE - y));
    [near_near, far - far_far, near - near_near, far_far]
}

/// A sum of weighted texels: `sum` units of 2^(`exponent` - 35), or of sums of planes, 2^(`exponent` - 35 - `PLANE_GUARD`).
#[derive(Clone, Copy)]
struct Aligned {
    sum: i64,
    exponent: i32,
}

/// Significand and exponent of an f32: the value is `significand` times 2^(`exponent` - 23); subnormal numbers are zero.
fn parts(bits: u32) -> (i64, i32) {
    let exponent = (bits >> 23 & 0xff) as i32;
    let significand = if exponent == 0 { 0 } else { i64::from(bits & 0x7f_ffff | 1 << 23) };
    (if bits >> 31 != 0 { -significand } else { significand }, exponent.max(1) - 127)
}

fn shifted(value: i64, by: i32) -> i64 {
    value.signum() * value.abs().checked_shr(by as u32).unwrap_or(0)
}

/// The sum of texels, each aligned to the largest that has a weight: what lies below four bits more than its significand is
/// cut off.
fn aligned(texels: &[u32], weights: &[u32], precision: Precision) -> Option<Aligned> {
    let used =
        || texels.iter().zip(weights).filter(|(texel, weight)| **weight != 0 && **texel & 0x7f80_0000 != 0);
    let exponent = used().map(|(texel, _)| parts(*texel).1).max()?.max(precision.least);
    let terms = used().map(|(texel, weight)| {
        let (significand, own) = parts(*texel);
        let kept = shifted(significand << GUARD, exponent - own + precision.less) << precision.less;
        kept * i64::from(*weight)
    });
    Some(Aligned { sum: terms.sum(), exponent })
}

/// The f32 nearest to a sum of planes at a precision, ties away from zero.
fn nearest(Aligned { sum, exponent }: Aligned, precision: Precision) -> u32 {
    let sign = if sum < 0 { 1 << 31 } else { 0 };
    let size = sum.unsigned_abs();
    if size == 0 {
        return 0;
    }
    let unit = exponent - 35 - PLANE_GUARD;
    let top = 63 - size.leading_zeros() as i32;
    if unit + top < precision.least && !precision.subnormal {
        return sign;
    }
    // The last place of the result, in units of the sum.
    let cut = (top - 23 + precision.less).max(precision.least - 23 + precision.less - unit);
    let rounded = if cut > 0 { (size + (1 << (cut - 1))) >> cut << cut } else { size };
    if rounded == 0 {
        return sign;
    }
    let top = 63 - rounded.leading_zeros() as i32;
    let significand = if top > 23 { rounded >> (top - 23) } else { rounded << (23 - top) };
    match unit + top + 127 {
        255.. => sign | 0x7f80_0000,
        biased => sign | (biased as u32) << 23 | (significand as u32 & 0x7f_ffff),
    }
}

/// Texels of up to two planes, interpolated as f32. An infinite one, or a NaN, decides the result if it is
/// among those `reached`: also one whose weight rounds to zero.
pub(crate) fn blend_floats(
    planes: &[(&[u32], &[u32])],
    reached: impl Iterator<Item = u32>,
    precision: Precision,
) -> u32 {
    let used =
        || planes.iter().flat_map(|(t, w)| t.iter().zip(*w)).filter(|(_, w)| **w != 0).map(|(t, _)| *t);
    if let Some(special) = special(reached, precision) {
        return special;
    }
    let sums = || planes.iter().filter_map(|(texels, weights)| aligned(texels, weights, precision));
    let Some(exponent) = sums().map(|sum| sum.exponent).max() else {
        return if used().all(|texel| texel >> 31 != 0) { 1 << 31 } else { 0 };
    };
    let sum = sums().map(|s| (s.sum << PLANE_GUARD) >> (exponent - s.exponent).min(63)).sum();
    nearest(Aligned { sum, exponent }, precision)
}

/// The result where a texel is infinite or no number.
fn special(texels: impl Iterator<Item = u32>, precision: Precision) -> Option<u32> {
    let nan = 0x7fff_ffff >> precision.less << precision.less;
    let (mut up, mut down) = (false, false);
    for bits in texels {
        match bits & 0x7fff_ffff {
            0x7f80_0001.. => return Some(nan),
            0x7f80_0000 if bits >> 31 == 0 => up = true,
            0x7f80_0000 => down = true,
            _ => {}
        }
    }
    match (up, down) {
        (true, true) => Some(nan),
        (true, false) => Some(0x7f80_0000),
        (false, true) => Some(0xff80_0000),
        (false, false) => None,
    }
}

/// Integers with their weights, summed: 256ths.
pub(crate) fn weighted<'a>(terms: impl Iterator<Item = (i64, &'a u32)>) -> i64 {
    terms.map(|(value, weight)| value * i64::from(*weight)).sum()
}
