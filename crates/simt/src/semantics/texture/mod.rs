//! Textures: the coordinates of a fetch to texels and weights, and texels and weights to its four results.
//!
//! Enters: a [`View`], which is all that a texture object says of its memory and its sampling, and coordinates. Leaves: a
//! [`Footprint`], the texels that are wanted, and from their bits the registers of the result. Nothing here knows where
//! texels lie.

mod address;
mod cube;
mod filter;
mod footprint;
mod format;

pub use address::AddressMode;
use address::{Axis, Reach, Span};
use filter::Precision;
use footprint::corners;
pub(crate) use footprint::{Footprint, Texel, TexelBytes};
pub use format::{Channel, Format};

/// Arrangement of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimension {
    One,
    Two,
    Three,
    /// Six square faces: +x, -x, +y, -y, +z, -z.
    Cube,
}

/// Extent of a texture or surface, and the arrangement of its texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    pub dimension: Dimension,
    /// Texels in x, y and z; 1 where the dimension has none.
    pub size: [u32; 3],
    /// Layers of an array of textures, or of cubes; `None` if it is none.
    pub layers: Option<u32>,
}

/// How a texture is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampling {
    pub address: [AddressMode; 3],
    /// Whether texels are interpolated.
    pub linear: bool,
    /// Whether coordinates are fractions of the size.
    pub normalised_coordinates: bool,
    /// Whether integers are read as floats of [0, 1] or [-1, 1].
    pub normalised_float: bool,
    /// What lies outside with [`AddressMode::Border`]: the bits of a float or an integer for each channel.
    pub border: [u32; 4],
}

/// A texture as a fetch sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct View {
    pub(crate) extent: Extent,
    pub(crate) format: Format,
    pub(crate) sampling: Sampling,
    /// Whether it is one row of linear memory and no array.
    pub(crate) linear_memory: bool,
}

/// Coordinates of a fetch: bits of f32, or integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinates {
    pub(crate) at: [u32; 3],
    pub(crate) layer: u32,
    pub(crate) integers: bool,
}

impl View {
    fn axis(&self, n: usize, reach: Reach) -> Axis {
        Axis {
            size: self.extent.size[n],
            mode: self.sampling.address[n],
            normalised: self.sampling.normalised_coordinates,
            reach,
        }
    }

    fn span(&self, n: usize, of: &Coordinates, reach: Reach) -> Span {
        let flat = n == 1 && self.extent.dimension == Dimension::One;
        if of.integers {
            return Axis::integer(if flat { 0 } else { of.at[n] as i32 });
        }
        match self.extent.layers {
            Some(_) if flat => Axis::integer(0),
            // To the chip a texture of one dimension is one of two, at y = 0.
            None if flat => self.axis(n, reach).float(0),
            Some(_) | None => self.axis(n, reach).float(of.at[n]),
        }
    }

    /// The layer that is nearest.
    fn layer(&self, layer: u32) -> u32 {
        layer.min(self.extent.layers.unwrap_or(1).max(1) - 1)
    }

    fn texel(&self, x: i64, y: i64, z: i64) -> Option<Texel> {
        let [w, h, d] = self.extent.size.map(i64::from);
        let inside = (0..w).contains(&x) && (0..h).contains(&y) && (0..d).contains(&z);
        inside.then_some(Texel { x: x as u32, y: y as u32, z: z as u32 })
    }

    /// The texels of a fetch.
    pub(crate) fn footprint(&self, of: &Coordinates) -> Footprint {
        let linear = self.sampling.linear && !of.integers && self.filters();
        let reach = if linear { Reach::Weighted } else { Reach::One };
        let layers = self.extent.layers.unwrap_or(1);
        // Integer coordinates reach nothing outside of the texture, and nothing in an array of one dimension.
        let nothing = of.integers
            && (self.extent.layers.is_some() && of.layer >= layers
                || self.extent.dimension == Dimension::One
                    && self.extent.layers.is_none()
                    && !self.linear_memory);
        if nothing {
            return Footprint::point(None);
        }
        let layer = |texel: Option<Texel>| texel.map(|t| Texel { z: t.z + self.layer(of.layer), ..t });
        match self.extent.dimension {
            Dimension::One | Dimension::Two => {
                let (x, y) = (self.span(0, of, reach), self.span(1, of, reach));
                if !linear {
                    return Footprint::point(layer(self.texel(x.near, y.near, 0)));
                }
                Footprint::plane(x, y, |x, y| layer(self.texel(x, y, 0)))
            }
            Dimension::Three => {
                let [x, y, z] = [0, 1, 2].map(|n| self.span(n, of, reach));
                if !linear {
                    return Footprint::point(self.texel(x.near, y.near, z.near));
                }
                let texels = [z.near, z.far].map(|z| corners(x, y).map(|(x, y)| self.texel(x, y, z)));
                let weights = filter::trilinear(x.weight, y.weight, z.weight);
                Footprint { texels, weights, counts: [4, 2], axes: [x.weight, y.weight, z.weight] }
            }
            Dimension::Cube => {
                let [modes @ .., _] = self.sampling.address;
                cube::footprint(self.extent.size[0], modes, of.at, self.layer(of.layer) * 6, linear)
            }
        }
    }

    /// The four texels around a place, in the order of a gather: (0, 1), (1, 1), (1, 0), (0, 0).
    pub(crate) fn gathered(&self, of: &Coordinates) -> [Option<Texel>; 4] {
        let [a, b, c, d] = corners(self.span(0, of, Reach::Gathered), self.span(1, of, Reach::Gathered));
        [c, d, b, a].map(|(x, y)| self.texel(x, y, 0))
    }

    /// Whether results are interpolated: floats are, and integers that are read as floats.
    fn filters(&self) -> bool {
        self.format.channel.is_float() || self.normalises()
    }

    fn normalises(&self) -> bool {
        self.sampling.normalised_float && self.format.channel.normalises()
    }

    /// The result of one texel, or of the border.
    pub(crate) fn point(&self, texel: Option<&TexelBytes>, channel: usize) -> u32 {
        let there = channel < usize::from(self.format.channels);
        match texel {
            Some(texel) if there => {
                let bits = self.format.channel_bits(texel, channel);
                if self.normalises() {
                    self.format.channel.normalised(bits)
                } else {
                    self.format.channel.element(bits)
                }
            }
            None if there => self.border(channel),
            // A channel that the texels do not have.
            Some(_) | None => 0,
        }
    }

    /// The border's colour as a register holds it: what a texel of the format would.
    fn border(&self, channel: usize) -> u32 {
        let kind = self.format.channel;
        let bits = kind.border(self.sampling.border[channel], self.normalises());
        if self.normalises() { kind.normalised(bits) } else { kind.element(bits) }
    }

    /// The four registers of a fetch; `read` gives the bytes of a texel.
    pub(crate) fn sample(&self, of: &Footprint, read: impl Fn(Texel) -> TexelBytes) -> [u32; 4] {
        let [of_plane, planes] = of.counts;
        let mut result = [0; 4];
        for (channel, result) in result.iter_mut().enumerate() {
            *result = if of_plane == 1 || channel >= usize::from(self.format.channels) {
                self.point(of.texels[0][0].map(&read).as_ref(), channel)
            } else {
                self.interpolated(of, channel, planes, of_plane, &read)
            };
        }
        result
    }

    fn interpolated(
        &self,
        of: &Footprint,
        channel: usize,
        planes: usize,
        of_plane: usize,
        read: &impl Fn(Texel) -> TexelBytes,
    ) -> u32 {
        let kind = self.format.channel;
        let bits = |p: usize, n: usize| of.texels[p][n].map(|t| self.format.channel_bits(&read(t), channel));
        if kind.is_float() {
            let values: [[u32; 4]; 2] = std::array::from_fn(|p| {
                std::array::from_fn(|n| {
                    if p >= planes || n >= of_plane {
                        return 0;
                    }
                    bits(p, n).map_or(self.border(channel), |b| kind.element(b))
                })
            });
            let all = [0, 1].map(|p| (&values[p][..of_plane], &of.weights[p][..of_plane]));
            let places = (0..planes).flat_map(|p| (0..of_plane).map(move |n| (p, n)));
            let reached = places.filter(|(p, n)| of.reaches(*p, *n)).map(|(p, n)| values[p][n]);
            let precision = if kind == Channel::F16 { Precision::HALF } else { Precision::SINGLE };
            return filter::blend_floats(&all[..planes], reached, precision);
        }
        let most = kind.sixteen_most();
        let border = kind.sixteen(kind.border(self.sampling.border[channel], true));
        let terms = (0..planes).flat_map(|p| (0..of_plane).map(move |n| (p, n)));
        let terms = terms.map(|(p, n)| (bits(p, n).map_or(border, |b| kind.sixteen(b)), &of.weights[p][n]));
        (filter::blend_integers(terms) as f32 / most).to_bits()
    }
}
