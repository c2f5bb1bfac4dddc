//! Texels of a fetch, with their weights.

use super::address::Span;
use super::filter;

/// The bytes of a texel, as many as its format has.
pub(crate) type TexelBytes = [u8; 16];

/// A texel's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Texel {
    pub(crate) x: u32,
    pub(crate) y: u32,
    /// The slice in z, the layer, or six times the layer and the face.
    pub(crate) z: u32,
    /// The level of a mipmapped array, from 0.
    pub(crate) level: u32,
}

/// Up to four texels of a slice of a level, x first. Their weights are 256ths of the fetch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    /// `None` for the border.
    pub(crate) texels: [Option<Texel>; 4],
    pub(crate) weights: [u32; 4],
    /// Whether a texel has a weight along each axis: some of these round to zero all the same.
    pub(crate) reached: [bool; 4],
}

impl Plane {
    const NONE: Plane = Plane { texels: [None; 4], weights: [0; 4], reached: [false; 4] };
}

/// The texels of a fetch, with weights that sum to [`filter::WHOLE`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    /// Two slices of two levels at most.
    planes: [Plane; 4],
    count: usize,
    /// Texels of a plane: 1 or 4.
    pub(crate) of_plane: usize,
}

impl Footprint {
    /// The border alone.
    pub(crate) const NOTHING: Footprint = Footprint {
        planes: [
            Plane { texels: [None; 4], weights: [filter::WHOLE, 0, 0, 0], reached: [false; 4] },
            Plane::NONE,
            Plane::NONE,
            Plane::NONE,
        ],
        count: 1,
        of_plane: 1,
    };

    fn of(plane: Plane, of_plane: usize) -> Self {
        let mut planes = [Plane::NONE; 4];
        planes[0] = plane;
        Footprint { planes, count: 1, of_plane }
    }

    /// One texel with a weight.
    pub(super) fn point(texel: Option<Texel>, whole: u32) -> Self {
        let plane = Plane {
            texels: [texel, None, None, None],
            weights: [whole, 0, 0, 0],
            reached: [true, false, false, false],
        };
        Footprint::of(plane, 1)
    }

    /// The four texels around a place in a plane, as `texel` finds them, which share a weight.
    pub(super) fn plane(x: Span, y: Span, whole: u32, texel: impl Fn(i64, i64) -> Option<Texel>) -> Self {
        let reached = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(far_x, far_y)| {
            whole != 0 && (far_x == 0 || x.weight != 0) && (far_y == 0 || y.weight != 0)
        });
        let plane = Plane {
            texels: corners(x, y).map(|(x, y)| texel(x, y)),
            weights: filter::plane(whole, x.weight, y.weight),
            reached,
        };
        Footprint::of(plane, 4)
    }

    /// The texels of both.
    pub(super) fn with(mut self, other: &Footprint) -> Self {
        self.planes[self.count..][..other.count].copy_from_slice(other.planes());
        self.count += other.count;
        self
    }

    pub(crate) fn planes(&self) -> &[Plane] {
        &self.planes[..self.count]
    }

    /// The texels that have a weight along each axis.
    pub(crate) fn reached(&self) -> impl Iterator<Item = Texel> {
        let texels = self.planes().iter().flat_map(|plane| plane.texels.iter().zip(plane.reached));
        texels.filter_map(|(texel, reached)| texel.filter(|_| reached))
    }

    /// Whether texels of several planes are interpolated.
    pub(crate) fn is_trilinear(&self) -> bool {
        self.count > 1
    }

    /// Whether texels of a plane are interpolated.
    pub(crate) fn is_linear(&self) -> bool {
        self.of_plane > 1
    }
}

/// The corners (near, near), (far, near), (near, far), (far, far).
pub(super) fn corners(x: Span, y: Span) -> [(i64, i64); 4] {
    [(x.near, y.near), (x.far, y.near), (x.near, y.far), (x.far, y.far)]
}
