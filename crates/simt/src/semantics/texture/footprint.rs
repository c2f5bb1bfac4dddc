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
}

/// The texels of a fetch: up to two planes of up to four, with weights that sum to 256.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    /// `None` for the border.
    pub(crate) texels: [[Option<Texel>; 4]; 2],
    pub(crate) weights: [[u32; 4]; 2],
    /// Texels of a plane, and planes.
    pub(crate) counts: [usize; 2],
    /// Weights along the axes.
    pub(crate) axes: [u32; 3],
}

impl Footprint {
    pub(super) fn point(texel: Option<Texel>) -> Self {
        Footprint { texels: [[texel; 4]; 2], weights: [[256, 0, 0, 0], [0; 4]], counts: [1, 1], axes: [0; 3] }
    }

    /// The four texels around a place in a plane, as `texel` finds them.
    pub(super) fn plane(x: Span, y: Span, texel: impl Fn(i64, i64) -> Option<Texel>) -> Self {
        Footprint {
            texels: [corners(x, y).map(|(x, y)| texel(x, y)), [None; 4]],
            weights: [filter::bilinear(x.weight, y.weight), [0; 4]],
            counts: [4, 1],
            axes: [x.weight, y.weight, 0],
        }
    }

    /// Whether a texel has a weight along each axis.
    pub(super) fn reaches(&self, plane: usize, n: usize) -> bool {
        let [x, y, z] = self.axes;
        (n & 1 == 0 || x != 0) && (n & 2 == 0 || y != 0) && (plane == 0 || z != 0)
    }

    /// The texels that have a weight along each axis.
    pub(crate) fn reached(&self) -> impl Iterator<Item = Texel> {
        let [of_plane, planes] = self.counts;
        let places = (0..planes).flat_map(move |p| (0..of_plane).map(move |n| (p, n)));
        places.filter_map(|(p, n)| self.texels[p][n].filter(|_| self.reaches(p, n)))
    }

    /// Whether texels of two planes are interpolated.
    pub(crate) fn is_trilinear(&self) -> bool {
        self.counts[1] == 2
    }

    /// Whether texels are interpolated.
    pub(crate) fn is_linear(&self) -> bool {
        self.counts[0] > 1
    }
}

/// The corners (near, near), (far, near), (near, far), (far, far).
pub(super) fn corners(x: Span, y: Span) -> [(i64, i64); 4] {
    [(x.near, y.near), (x.far, y.near), (x.near, y.far), (x.far, y.far)]
}
