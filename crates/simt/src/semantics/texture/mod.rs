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
mod level;

pub use address::AddressMode;
use address::{Axis, Reach, Span};
use filter::{Precision, WHOLE};
use footprint::corners;
pub(crate) use footprint::{Footprint, Texel, TexelBytes};
pub(crate) use format::pair_of_halves;
pub use format::{Channel, Format};
pub use level::Mipmap;
use level::{Chosen, Lod};

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
    /// Levels of a mipmapped array, each half as large as the one before; `None` if it is none.
    pub levels: Option<u32>,
}

impl Extent {
    /// The extent of a level by itself.
    pub fn level(&self, level: u32) -> Extent {
        let half = |n: u32| n.checked_shr(level).unwrap_or(0).max(n.min(1));
        let [w, h, d] = self.size;
        Extent { size: [half(w), half(h), half(d)], levels: None, ..*self }
    }
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
    /// How levels are chosen, where there are several.
    pub mipmap: Mipmap,
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

/// The level of detail that a fetch names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level {
    /// None: the first.
    First,
    /// Bits of an f32; of a fetch with integer coordinates the number of a level.
    Of(u32),
    /// Changes of the coordinates from pixel to pixel in two directions: bits of f32.
    Gradients([[u32; 3]; 2]),
}

/// Coordinates of a fetch: bits of f32, or integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coordinates {
    pub(crate) at: [u32; 3],
    pub(crate) layer: u32,
    pub(crate) integers: bool,
    /// Texels to add.
    pub(crate) offset: [i32; 3],
    pub(crate) level: Level,
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
            let place = i64::from(of.at[n] as i32) + i64::from(of.offset[n]);
            return match of.level {
                _ if flat => Axis::integer(0),
                // ptxas makes a fetch that clamps of one that names a level.
                Level::Of(_) => self.axis(n, reach).clamped(place),
                Level::First | Level::Gradients(_) => Axis::integer(place),
            };
        }
        match self.extent.layers {
            Some(_) if flat => Axis::integer(0),
            // To the chip a texture of one dimension is one of two, at y = 0.
            None if flat => self.axis(n, reach).float(0, of.offset[n]),
            Some(_) | None => self.axis(n, reach).float(of.at[n], of.offset[n]),
        }
    }

    /// The layer that is nearest.
    fn layer(&self, layer: u32) -> u32 {
        layer.min(self.extent.layers.unwrap_or(1).max(1) - 1)
    }

    fn texel(&self, x: i64, y: i64, z: i64, level: u32) -> Option<Texel> {
        let [w, h, d] = self.extent.size.map(i64::from);
        let inside = (0..w).contains(&x) && (0..h).contains(&y) && (0..d).contains(&z);
        inside.then_some(Texel { x: x as u32, y: y as u32, z: z as u32, level })
    }

    /// The levels of a fetch; of integers a level that is not there has no texels.
    fn choose(&self, of: &Coordinates) -> Option<Chosen> {
        let last = self.extent.levels.unwrap_or(1) - 1;
        let mipmap = Mipmap { linear: self.sampling.mipmap.linear && self.filters(), ..self.sampling.mipmap };
        let lod = match of.level {
            Level::First if of.integers => return Some(Chosen { level: 0, weight: 0 }),
            Level::Of(level) if of.integers => {
                return (level <= last).then_some(Chosen { level, weight: 0 });
            }
            Level::First => Lod::Least,
            Level::Of(lod) => Lod::Of(lod),
            Level::Gradients(changes) => Lod::Fixed(level::of_gradients(self.in_texels(of, changes))),
        };
        Some(mipmap.choose(lod, last))
    }

    /// Coordinates in x and y in texels of the first level, as they are before the address mode.
    pub(crate) fn in_texels_of_first(&self, of: &Coordinates) -> [f32; 2] {
        [0, 1].map(|n| {
            let size = if self.sampling.normalised_coordinates { self.extent.size[n] as f32 } else { 1.0 };
            let at = match of.integers {
                _ if n == 1 && self.extent.dimension == Dimension::One => return 0.5,
                true => of.at[n] as i32 as f32 + 0.5,
                false => f32::from_bits(of.at[n]) * size,
            };
            at + of.offset[n] as f32
        })
    }

    /// Gradients in texels of the first level.
    fn in_texels(&self, of: &Coordinates, changes: [[u32; 3]; 2]) -> [[f64; 3]; 2] {
        let [w, h, d] = self.extent.size.map(f64::from);
        let scale = |change: [u32; 3], by: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|n| f64::from(f32::from_bits(change[n])) * by[n])
        };
        changes.map(|change| match self.extent.dimension {
            Dimension::One => scale(change, [w, 0.0, 0.0]),
            Dimension::Two => scale(change, [w, h, 0.0]),
            Dimension::Three => scale(change, [w, h, d]),
            Dimension::Cube => {
                let [s, t] = cube::gradient(of.at, change);
                [s * w, t * w, 0.0]
            }
        })
    }

    /// The texels of a fetch.
    pub(crate) fn footprint(&self, of: &Coordinates) -> Footprint {
        // Integer coordinates reach nothing outside of the texture, and nothing in an array of one dimension.
        let clamps = matches!(of.level, Level::Of(_));
        let nothing = of.integers
            && (self.extent.layers.is_some_and(|layers| of.layer >= layers && !clamps)
                || self.extent.dimension == Dimension::One
                    && self.extent.layers.is_none()
                    && !self.linear_memory);
        let Some(Chosen { level, weight }) = self.choose(of).filter(|_| !nothing) else {
            return Footprint::NOTHING;
        };
        let near = self.in_level(of, level, WHOLE - weight);
        if weight == 0 { near } else { near.with(&self.in_level(of, level + 1, weight)) }
    }

    /// The texels of a fetch in a level, which has a weight.
    fn in_level(&self, of: &Coordinates, level: u32, whole: u32) -> Footprint {
        View { extent: self.extent.level(level), ..*self }.within(of, level, whole)
    }

    fn within(&self, of: &Coordinates, level: u32, whole: u32) -> Footprint {
        let linear = self.sampling.linear && !of.integers && self.filters();
        let reach = if linear { Reach::Weighted } else { Reach::One };
        let slice = |texel: Option<Texel>, z: u32| texel.map(|t| Texel { z, ..t });
        let (z, x, y) = match self.extent.dimension {
            Dimension::One | Dimension::Two => {
                (self.layer(of.layer), self.span(0, of, reach), self.span(1, of, reach))
            }
            Dimension::Three => {
                let [x, y, z] = [0, 1, 2].map(|n| self.span(n, of, reach));
                if !linear {
                    return Footprint::point(self.texel(x.near, y.near, z.near, level), whole);
                }
                let [near, far] = filter::split_near(whole, z.weight);
                let plane = |z, whole| Footprint::plane(x, y, whole, |x, y| self.texel(x, y, z, level));
                return plane(z.near, near).with(&plane(z.far, far));
            }
            Dimension::Cube => {
                let (face, [x, y]) = self.face(of, reach);
                (face, x, y)
            }
        };
        if linear {
            Footprint::plane(x, y, whole, |x, y| slice(self.texel(x, y, 0, level), z))
        } else {
            Footprint::point(slice(self.texel(x.near, y.near, 0, level), z), whole)
        }
    }

    /// The slice of a direction's face, and its spans there.
    fn face(&self, of: &Coordinates, reach: Reach) -> (u32, [Span; 2]) {
        let [modes @ .., _] = self.sampling.address;
        let (face, spans) = cube::spans(self.extent.size[0], modes, of.at, reach);
        (self.layer(of.layer) * 6 + face, spans)
    }

    /// The four texels around a place, in the order of a gather: (0, 1), (1, 1), (1, 0), (0, 0).
    pub(crate) fn gathered(&self, of: &Coordinates) -> [Option<Texel>; 4] {
        let (z, [x, y]) = match self.extent.dimension {
            Dimension::Cube => self.face(of, Reach::Gathered),
            Dimension::One | Dimension::Two | Dimension::Three => {
                (self.layer(of.layer), [0, 1].map(|n| self.span(n, of, Reach::Gathered)))
            }
        };
        let [a, b, c, d] = corners(x, y);
        [c, d, b, a].map(|(x, y)| self.texel(x, y, 0, 0).map(|texel| Texel { z, ..texel }))
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
        let first = &of.planes()[0];
        // A filter between levels interpolates a single texel too.
        let between = self.extent.levels.is_some() && self.sampling.mipmap.linear && self.filters();
        let one = of.of_plane == 1 && !between;
        let mut result = [0; 4];
        for (channel, result) in result.iter_mut().enumerate() {
            *result = if one || channel >= usize::from(self.format.channels) {
                self.point(first.texels[0].map(&read).as_ref(), channel)
            } else {
                self.interpolated(of, channel, &read)
            };
        }
        result
    }

    fn interpolated(&self, of: &Footprint, channel: usize, read: &impl Fn(Texel) -> TexelBytes) -> u32 {
        let kind = self.format.channel;
        let bits = |texel: Option<Texel>| texel.map(|t| self.format.channel_bits(&read(t), channel));
        let planes = of.planes();
        if !kind.is_float() {
            let border = kind.interpolated(kind.border(self.sampling.border[channel], true));
            let value = |texel| bits(texel).map_or(border, |b| kind.interpolated(b));
            let terms = planes.iter().flat_map(|plane| {
                plane.texels[..of.of_plane].iter().zip(&plane.weights).map(|(t, weight)| (value(*t), weight))
            });
            return kind.of_interpolated(filter::weighted(terms)).to_bits();
        }
        let border = self.border(channel);
        let mut values = [[0; 4]; 4];
        for (values, plane) in values.iter_mut().zip(planes) {
            for (value, texel) in values.iter_mut().zip(&plane.texels[..of.of_plane]) {
                *value = bits(*texel).map_or(border, |b| kind.element(b));
            }
        }
        let all: [(&[u32], &[u32]); 4] = std::array::from_fn(|p| {
            let plane = planes.get(p);
            (&values[p][..of.of_plane], plane.map_or(&[][..], |plane| &plane.weights[..of.of_plane]))
        });
        let reached = planes
            .iter()
            .zip(&values)
            .flat_map(|(plane, values)| values.iter().zip(plane.reached))
            .filter_map(|(value, reached)| reached.then_some(*value));
        let precision = if kind == Channel::F16 { Precision::HALF } else { Precision::SINGLE };
        filter::blend_floats(&all[..planes.len()], reached, precision)
    }
}
