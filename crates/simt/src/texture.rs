//! Arrays, textures and surfaces of a device: what `cudaMallocArray`, `cudaCreateTextureObject` and
//! `cudaCreateSurfaceObject` make.
//!
//! Enters: shapes, formats and how a texture is to be sampled. Leaves: memory for texels, which kernels reach only through
//! handles, and for each handle the view that says how. An array's texels lie row by row here; the chip's order is not
//! documented, and nothing but the counters can tell.

use crate::error::Error;
use crate::memory::{Allocation, Global};
pub use crate::semantics::texture::{AddressMode, Channel, Dimension, Extent, Format, Mipmap, Sampling};
use crate::semantics::texture::{Texel, TexelBytes, View};
use crate::written_bytes::WrittenBytes;

/// An array of texels of the device that allocated it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Array(pub(crate) usize);

/// A texture object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texture(pub(crate) usize);

/// A surface object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Surface(pub(crate) usize);

/// Memory after a texture; `A` and `B` are the handles that the device's owner has for arrays and buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource<A, B> {
    /// All of an array.
    Array(A),
    /// A level of a mipmapped array (`cudaGetMipmappedArrayLevel`).
    Level {
        /// The array.
        array: A,
        /// The level, from 0.
        level: u32,
    },
    /// Texels in a row of memory from an offset on, in bytes (`cudaResourceTypeLinear`).
    Linear {
        /// The memory.
        buffer: B,
        /// Bytes from its start: a multiple of [`TEXTURE_ALIGNMENT`].
        offset: u64,
        /// Texels.
        width: u32,
    },
    /// Rows of memory, `pitch` bytes apart (`cudaResourceTypePitch2D`).
    Pitched {
        /// The memory.
        buffer: B,
        /// Bytes from its start: a multiple of [`TEXTURE_ALIGNMENT`].
        offset: u64,
        /// Texels of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes from row to row: a multiple of [`PITCH_ALIGNMENT`].
        pitch: u64,
    },
}

impl<A, B> Resource<A, B> {
    /// The resource with its array or buffer replaced.
    ///
    /// # Errors
    /// That of `array` or of `buffer`.
    pub fn resolve<C, D, E>(
        &self,
        array: impl FnOnce(&A) -> Result<C, E>,
        buffer: impl FnOnce(&B) -> Result<D, E>,
    ) -> Result<Resource<C, D>, E> {
        Ok(match *self {
            Resource::Array(ref of) => Resource::Array(array(of)?),
            Resource::Level { array: ref of, level } => Resource::Level { array: array(of)?, level },
            Resource::Linear { buffer: ref of, offset, width } => {
                Resource::Linear { buffer: buffer(of)?, offset, width }
            }
            Resource::Pitched { buffer: ref of, offset, width, height, pitch } => {
                Resource::Pitched { buffer: buffer(of)?, offset, width, height, pitch }
            }
        })
    }
}

/// Alignment of the address of a texture over memory, bytes: `textureAlignment` of an H200, whose driver refuses others.
pub const TEXTURE_ALIGNMENT: u64 = 512;
/// Alignment of the pitch of a texture over rows of memory, bytes: `texturePitchAlignment` of an H200.
pub const PITCH_ALIGNMENT: u64 = 32;
/// The longest row and the most rows of a texture over memory, and its largest pitch, bytes: what an H200's driver takes.
const PITCHED_LIMITS: [u64; 3] = [131_072, 65_000, 2_097_120];
/// The most texels of one that is a single row.
const LINEAR_LIMIT: u64 = 1 << 28;
/// Handles of textures and of surfaces: their number after these bits, so that neither passes for the other.
const TEXTURE_HANDLES: u64 = 0x7e_0000_0000;
const SURFACE_HANDLES: u64 = 0x5f_0000_0000;

impl Texture {
    /// The 64 bits that a kernel knows it by.
    pub fn handle(self) -> u64 {
        TEXTURE_HANDLES | (self.0 as u64 + 1)
    }
}

impl Surface {
    /// The 64 bits that a kernel knows it by.
    pub fn handle(self) -> u64 {
        SURFACE_HANDLES | (self.0 as u64 + 1)
    }
}

/// Memory of an array.
#[derive(Debug)]
pub(crate) struct ArrayMemory {
    pub(crate) extent: Extent,
    pub(crate) format: Format,
    pub(crate) memory: Allocation,
}

/// Where the texels of a texture are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TexelMemory {
    /// In an array, from a level on.
    Array { array: usize, level: u32 },
    /// From an address on, rows `pitch` bytes apart.
    Memory { buffer: usize, offset: u64, pitch: u64 },
}

/// A texture object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureObject {
    pub(crate) view: View,
    pub(crate) place: TexelMemory,
}

/// A level of an array that a surface shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceObject {
    array: usize,
    pub(crate) level: u32,
}

/// All arrays, textures and surfaces of a device.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    arrays: Vec<Option<ArrayMemory>>,
    textures: Vec<Option<TextureObject>>,
    surfaces: Vec<Option<SurfaceObject>>,
}

/// Texels in z: slices, layers, faces.
pub(crate) fn slices(extent: &Extent) -> u64 {
    let faces = if extent.dimension == Dimension::Cube { 6 } else { 1 };
    u64::from(extent.size[2]) * u64::from(extent.layers.unwrap_or(1)) * faces
}

impl Extent {
    /// Texels of an array, layers, faces and levels included; `None` for more than any memory holds.
    pub fn texels(&self) -> Option<u64> {
        let of_level = |extent: Extent| {
            let [w, h, _] = extent.size.map(u64::from);
            (w * h).checked_mul(slices(&extent))
        };
        (0..self.levels.unwrap_or(1))
            .try_fold(0u64, |sum, level| sum.checked_add(of_level(self.level(level))?))
    }

    /// The most levels that an array of this size has: each halves it until it is a single texel.
    pub fn most_levels(&self) -> u32 {
        let [w, h, d] = self.size;
        let deep = if self.dimension == Dimension::Three { d } else { 1 };
        w.max(h).max(deep).max(1).ilog2() + 1
    }
}

fn refuse<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::BadTexture(message.into()))
}

fn check_format(format: Format) -> Result<(), Error> {
    match format.channels {
        1 | 2 | 4 => Ok(()),
        channels => refuse(format!("texels of {channels} channels; there are those of 1, 2 and 4")),
    }
}

/// Limits of the CUDA C++ Programming Guide's table of compute capabilities for arrays since 5.0.
fn check_extent(extent: &Extent, format: Format) -> Result<(), Error> {
    let Extent { dimension, size: [w, h, d], layers, levels } = *extent;
    check_format(format)?;
    let [most_w, most_h, most_d] = match (dimension, layers) {
        (Dimension::One, None) => [131_072, 1, 1],
        (Dimension::One, Some(_)) | (Dimension::Cube, _) => [32_768, 32_768, 1],
        (Dimension::Two, None) => [131_072, 65_536, 1],
        (Dimension::Two, Some(_)) => [32_768, 32_768, 1],
        (Dimension::Three, _) => [16_384, 16_384, 16_384],
    };
    if w == 0 || h == 0 || d == 0 || layers == Some(0) {
        return refuse(format!("an array of {w} by {h} by {d} texels, {} layers", layers.unwrap_or(1)));
    }
    if w > most_w || h > most_h || d > most_d {
        return refuse(format!("{w} by {h} by {d} texels; {most_w} by {most_h} by {most_d} is the most"));
    }
    let most_levels = extent.most_levels();
    if let Some(levels) = levels
        && !(1..=most_levels).contains(&levels)
    {
        return refuse(format!("{levels} levels; {most_levels} is the most for {w} by {h} by {d} texels"));
    }
    let most_layers = if dimension == Dimension::Cube { 2046 / 6 } else { 2048 };
    match layers {
        Some(layers) if layers > most_layers => refuse(format!("{layers} layers; {most_layers} is the most")),
        Some(_) if dimension == Dimension::Three => {
            refuse("there are no arrays of textures of three dimensions")
        }
        _ if dimension == Dimension::Cube && w != h => {
            refuse(format!("the faces of a cube must be square, but these are {w} by {h}"))
        }
        _ => Ok(()),
    }
}

/// What `cudaCreateTextureObject` refuses of sampling.
fn check_sampling(sampling: &Sampling, format: Format) -> Result<(), Error> {
    let Sampling { linear, normalised_float, .. } = *sampling;
    let channel = format.channel;
    if normalised_float && !channel.normalises() {
        return refuse(format!(
            "{channel:?} cannot be read as a normalised float; integers of 8 and 16 bits can"
        ));
    }
    if linear && !normalised_float && !channel.is_float() {
        return refuse(format!(
            "a linear filter of {channel:?} read as it is; it needs floats, or integers read as normalised floats"
        ));
    }
    Ok(())
}

impl Textures {
    pub(crate) fn allocate(
        &mut self,
        global: &mut Global,
        budget: u64,
        extent: Extent,
        format: Format,
    ) -> Result<Array, Error> {
        check_extent(&extent, format)?;
        let bytes = extent.texels().and_then(|n| n.checked_mul(format.bytes())).unwrap_or(u64::MAX);
        let words = global.take(bytes, budget)?;
        let id = self.arrays.len();
        let name = format!("array {id}");
        let (written, reads) = (WrittenBytes::new(bytes), WrittenBytes::new(bytes));
        let memory = Allocation {
            id,
            name,
            base: 0,
            place: 0,
            bytes,
            words,
            heap: false,
            written,
            reads,
            touched: None,
            accessed: None,
        };
        self.arrays.push(Some(ArrayMemory { extent, format, memory }));
        Ok(Array(id))
    }

    pub(crate) fn free(&mut self, global: &mut Global, array: Array) -> Result<(), Error> {
        let memory =
            self.arrays.get_mut(array.0).ok_or(Error::ForeignHandle("array"))?.take().ok_or(Error::Freed)?;
        global.give_back(memory.memory.bytes);
        Ok(())
    }

    pub(crate) fn array(&self, array: Array) -> Result<&ArrayMemory, Error> {
        self.arrays.get(array.0).ok_or(Error::ForeignHandle("array"))?.as_ref().ok_or(Error::Freed)
    }

    pub(crate) fn array_mut(&mut self, array: Array) -> Result<&mut ArrayMemory, Error> {
        self.arrays.get_mut(array.0).ok_or(Error::ForeignHandle("array"))?.as_mut().ok_or(Error::Freed)
    }

    pub(crate) fn arrays(&self) -> impl Iterator<Item = &ArrayMemory> {
        self.arrays.iter().flatten()
    }

    /// Every array that there ever was, in the order in which they were made; `None` for one that was freed.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Option<&ArrayMemory>> {
        self.arrays.iter().map(Option::as_ref)
    }

    /// How many textures and surfaces were ever made, which never change.
    pub(crate) fn objects(&self) -> usize {
        self.textures.len() + self.surfaces.len()
    }

    /// The numbers of buffers that textures show.
    pub(crate) fn buffers(&self) -> impl Iterator<Item = usize> {
        self.textures.iter().flatten().filter_map(|texture| match texture.place {
            TexelMemory::Memory { buffer, .. } => Some(buffer),
            TexelMemory::Array { .. } => None,
        })
    }

    pub(crate) fn arrays_mut(&mut self) -> impl Iterator<Item = &mut ArrayMemory> {
        self.arrays.iter_mut().flatten()
    }

    /// A buffer is its number and its size, bytes.
    pub(crate) fn texture(
        &mut self,
        resource: &Resource<Array, (usize, u64)>,
        format: Format,
        sampling: Sampling,
    ) -> Result<Texture, Error> {
        check_format(format)?;
        let flat = |dimension, width, height| {
            let size = [width, height, 1];
            Extent { dimension, size, layers: None, levels: None }
        };
        let (extent, format, place) = match *resource {
            Resource::Array(array) => {
                let memory = self.array(array)?;
                (memory.extent, memory.format, TexelMemory::Array { array: array.0, level: 0 })
            }
            Resource::Level { array, level } => {
                let memory = self.level(array, level)?;
                (memory.extent.level(level), memory.format, TexelMemory::Array { array: array.0, level })
            }
            Resource::Linear { buffer, offset, width } => {
                let (buffer, place) =
                    memory_place(buffer, offset, u64::from(width) * format.bytes(), "texture")?;
                if u64::from(width) > LINEAR_LIMIT {
                    return refuse(format!("{width} texels in a row; {LINEAR_LIMIT} is the most"));
                }
                (
                    flat(Dimension::One, width, 1),
                    format,
                    TexelMemory::Memory { buffer, offset: place, pitch: 0 },
                )
            }
            Resource::Pitched { buffer, offset, width, height, pitch } => {
                check_pitched(width, height, pitch, format)?;
                let row = u64::from(width) * format.bytes();
                let len = pitch.saturating_mul(u64::from(height).saturating_sub(1)).saturating_add(row);
                let (buffer, offset) = memory_place(buffer, offset, len, "texture")?;
                (flat(Dimension::Two, width, height), format, TexelMemory::Memory { buffer, offset, pitch })
            }
        };
        check_sampling(&sampling, format)?;
        if extent.levels.is_some() && !sampling.normalised_coordinates {
            return refuse("a mipmapped texture takes normalised coordinates");
        }
        let linear_memory = matches!(resource, Resource::Linear { .. });
        let view = View { extent, format, sampling, linear_memory };
        self.textures.push(Some(TextureObject { view, place }));
        Ok(Texture(self.textures.len() - 1))
    }

    /// An array that has this level; a plain one has the first.
    fn level(&self, array: Array, level: u32) -> Result<&ArrayMemory, Error> {
        let memory = self.array(array)?;
        match memory.extent.levels.unwrap_or(1) {
            levels if level < levels => Ok(memory),
            levels => refuse(format!("level {level}; the last of the array is {}", levels - 1)),
        }
    }

    pub(crate) fn surface(&mut self, array: Array, level: u32) -> Result<Surface, Error> {
        self.level(array, level)?;
        self.surfaces.push(Some(SurfaceObject { array: array.0, level }));
        Ok(Surface(self.surfaces.len() - 1))
    }

    /// The texture of a handle.
    pub(crate) fn texture_of(&self, handle: u64) -> Option<&TextureObject> {
        self.textures.get(number(handle, TEXTURE_HANDLES)?)?.as_ref()
    }

    /// The array after a surface's handle, and the level of it.
    pub(crate) fn surface_of(&self, handle: u64) -> Option<(&ArrayMemory, u32)> {
        let surface = (*self.surfaces.get(number(handle, SURFACE_HANDLES)?)?)?;
        Some((self.arrays.get(surface.array)?.as_ref()?, surface.level))
    }

    pub(crate) fn memory_of(&self, array: usize) -> Option<&ArrayMemory> {
        self.arrays.get(array)?.as_ref()
    }
}

fn number(handle: u64, handles: u64) -> Option<usize> {
    if handle & 0xffff_ffff_0000_0000 != handles {
        return None;
    }
    (handle & 0xffff_ffff).checked_sub(1).map(|n| n as usize)
}

/// A texture's place in a buffer, which has to hold all of it.
fn memory_place(
    (buffer, bytes): (usize, u64),
    offset: u64,
    len: u64,
    what: &str,
) -> Result<(usize, u64), Error> {
    if !offset.is_multiple_of(TEXTURE_ALIGNMENT) {
        return refuse(format!(
            "a texture over memory must begin at a multiple of {TEXTURE_ALIGNMENT} bytes, but this one begins at byte {offset}"
        ));
    }
    if offset.checked_add(len).is_none_or(|end| end > bytes) {
        return Err(Error::OutOfRange { what: what.to_owned(), offset, len, bytes });
    }
    Ok((buffer, offset))
}

fn check_pitched(width: u32, height: u32, pitch: u64, format: Format) -> Result<(), Error> {
    let [most_width, most_height, most_pitch] = PITCHED_LIMITS;
    if !pitch.is_multiple_of(PITCH_ALIGNMENT) || pitch == 0 {
        return refuse(format!(
            "the rows of a texture must be a multiple of {PITCH_ALIGNMENT} bytes apart, but these are {pitch} bytes apart; \
             cudaMallocPitch gives such a pitch"
        ));
    }
    if pitch > most_pitch || u64::from(width) > most_width || u64::from(height) > most_height {
        return refuse(format!(
            "{width} by {height} texels with a pitch of {pitch} bytes; {most_width} by {most_height} and {most_pitch} bytes \
             are the most"
        ));
    }
    if width == 0 || height == 0 || pitch < u64::from(width) * format.bytes() {
        return refuse(format!(
            "{width} by {height} texels of {} bytes with a pitch of {pitch} bytes",
            format.bytes()
        ));
    }
    Ok(())
}

impl ArrayMemory {
    /// Where a texel's bytes begin.
    pub(crate) fn offset(&self, texel: Texel) -> u64 {
        let [w, h, _] = self.extent.level(texel.level).size.map(u64::from);
        let place = (u64::from(texel.z) * h + u64::from(texel.y)) * w + u64::from(texel.x);
        self.level_offset(texel.level) + place * self.format.bytes()
    }

    /// The texel that a byte is of, in words.
    pub(crate) fn texel_at(&self, offset: u64) -> String {
        let levels = self.extent.levels.unwrap_or(1);
        let level = (1..levels).rev().find(|level| self.level_offset(*level) <= offset).unwrap_or(0);
        let [w, h, _] = self.extent.level(level).size.map(|n| u64::from(n.max(1)));
        let texel = (offset - self.level_offset(level)) / self.format.bytes();
        let (x, y, z) = (texel % w, texel / w % h, texel / w / h);
        let place = match (slices(&self.extent.level(level)), h) {
            (2.., _) => format!("texel ({x}, {y}, {z})"),
            (_, 2..) => format!("texel ({x}, {y})"),
            _ => format!("texel {x}"),
        };
        let level = if levels > 1 { format!(" of level {level}") } else { String::new() };
        format!("{place}{level} of `{}`", self.memory.name)
    }

    /// Where a level's bytes begin.
    pub(crate) fn level_offset(&self, level: u32) -> u64 {
        if level == 0 {
            return 0;
        }
        let before = Extent { levels: Some(level), ..self.extent };
        before.texels().unwrap_or(0) * self.format.bytes()
    }
}

/// A number for the sector of 32 bytes that holds a texel of an array: 16 bytes of two rows, by what an H200 counts
/// (`scripts/truth-textures`); the rest of the chip's order does not show.
pub(crate) fn sector_of_array(x_bytes: u64, y: u64, z: u64, level: u32) -> u64 {
    u64::from(level) << 56 | z << 40 | (y / 2) << 20 | (x_bytes / 16)
}

/// A texel's bytes at an offset.
pub(crate) fn texel_bytes(memory: &Allocation, offset: u64, format: Format) -> TexelBytes {
    let mut bytes = [0; 16];
    match format.bytes() {
        size @ (1 | 2 | 4) => {
            bytes[..4].copy_from_slice(&(memory.load(offset, size as u8) as u32).to_le_bytes())
        }
        size => memory.read(offset, &mut bytes[..size as usize]),
    }
    bytes
}
