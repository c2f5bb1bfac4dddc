//! Coordinates of a fetch to texels and weights: scaling, fixed point, address modes.

use super::filter::Weight;

/// How a texture answers coordinates outside of it (`cudaTextureAddressMode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AddressMode {
    Wrap,
    #[default]
    Clamp,
    Mirror,
    Border,
}

/// Texels that a coordinate reaches along one axis, and the weight of the second. A place that is negative or past the end
/// is the border's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) near: i64,
    pub(crate) far: i64,
    pub(crate) weight: Weight,
}

/// Fixed-point places beyond this are as good as this: no texture is as large.
const FARTHEST: f64 = (1u64 << 52) as f64;
/// Fractional bits that a normalised coordinate is cut to before it is scaled by a size.
fn fraction(size: u32) -> u32 {
    match size {
        ..=8192 => 21,
        8193..=65536 => 22,
        65537.. => 23,
    }
}

/// Texels that are wanted along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The one that holds the place.
    One,
    /// The two whose centres it lies between.
    Weighted,
    /// The same two without weights.
    Gathered,
}

/// Along an axis of `size` texels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) size: u32,
    pub(crate) mode: AddressMode,
    pub(crate) normalised: bool,
    pub(crate) reach: Reach,
}

impl Axis {
    /// Of a coordinate, the bits of an f32, and an offset in texels.
    pub(crate) fn float(&self, bits: u32, offset: i32) -> Span {
        let value = f32::from_bits(bits);
        // No number and subnormal numbers are zero.
        let value = if value.is_nan() || value.is_subnormal() { 0.0 } else { f64::from(value) };
        self.place(value, offset)
    }

    /// Of a coordinate and an offset in texels.
    pub(super) fn place(&self, value: f64, offset: i32) -> Span {
        let offset = i64::from(offset);
        // In 512ths of a texel, whose halves round up.
        let places = if self.normalised {
            self.scaled(value)
        } else {
            (value * 512.0).clamp(-FARTHEST, FARTHEST).floor() as i64
        };
        if self.reach == Reach::One {
            let at = self.resolve((places >> 9) + offset);
            return Span { near: at, far: at, weight: 0 };
        }
        let mut at = ((places + 1) >> 1) - 128 + offset * 256;
        if self.reach == Reach::Weighted && self.effective() == AddressMode::Clamp {
            at = at.clamp(0, (i64::from(self.size) - 1) * 256);
        }
        Span { near: self.resolve(at >> 8), far: self.resolve((at >> 8) + 1), weight: (at & 255) as Weight }
    }

    /// A normalised coordinate in 512ths of a texel.
    fn scaled(&self, value: f64) -> i64 {
        let fraction = fraction(self.size);
        let one = 1i64 << fraction;
        let fixed = (value * one as f64).clamp(-FARTHEST, FARTHEST).floor() as i64;
        // Far places are the same as near ones, whose products are exact.
        let fixed = match self.mode {
            AddressMode::Wrap => fixed & (one - 1),
            AddressMode::Mirror => fixed & (2 * one - 1),
            AddressMode::Clamp | AddressMode::Border => fixed,
        };
        ((i128::from(fixed) * i128::from(self.size) * 512) >> fraction) as i64
    }

    fn effective(&self) -> AddressMode {
        if self.normalised { self.mode } else { self.mode.unnormalised() }
    }

    /// The texel of a place by the address mode.
    fn resolve(&self, place: i64) -> i64 {
        let size = i64::from(self.size);
        match self.effective() {
            AddressMode::Clamp => place.clamp(0, size - 1),
            AddressMode::Wrap => place.rem_euclid(size),
            AddressMode::Mirror => {
                let within = place.rem_euclid(2 * size);
                within.min(2 * size - 1 - within)
            }
            AddressMode::Border => place,
        }
    }

    /// Of an integer coordinate: what lies outside is the border, whatever the address mode.
    pub(crate) fn integer(place: i64) -> Span {
        Span { near: place, far: place, weight: 0 }
    }

    /// Of an integer coordinate that is clamped, whatever the address mode.
    pub(crate) fn clamped(&self, place: i64) -> Span {
        Axis::integer(place.clamp(0, i64::from(self.size) - 1))
    }
}

impl AddressMode {
    /// The mode for coordinates that are not normalised: wrapping and mirroring are for normalised ones (CUDA C++
    /// Programming Guide, "Texture Object API").
    pub(crate) fn unnormalised(self) -> AddressMode {
        match self {
            AddressMode::Wrap | AddressMode::Mirror | AddressMode::Clamp => AddressMode::Clamp,
            AddressMode::Border => AddressMode::Border,
        }
    }
}
