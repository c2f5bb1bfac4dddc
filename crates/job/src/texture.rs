//! Arrays, textures and surfaces of a job file: their sections, what they mean, and what a device makes of them.
//!
//! Enters: `[[array]]`, `[[texture]]` and `[[surface]]` as serde reads them. Leaves: [`Objects`], checked against each other
//! and against the job's buffers; and on a device handles, by which kernels know them.

use device::texture::{AddressMode, Channel, Dimension, Extent, Format, Mipmap, Sampling};
use device::{Device, Module};
use harness::{ArrayShape, Buffers, Handle, SurfaceShape, TextureShape};
use serde::Deserialize;
use std::path::PathBuf;

/// `[[array]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawArray {
    pub(crate) name: String,
    format: RawFormat,
    #[serde(default = "one")]
    channels: u8,
    width: u32,
    height: Option<u32>,
    depth: Option<u32>,
    layers: Option<u32>,
    #[serde(default)]
    cubemap: bool,
    /// Levels of a mipmapped array.
    levels: Option<u32>,
    /// Raw texels, row by row and level by level; zeros without.
    pub(crate) file: Option<PathBuf>,
}

fn one() -> u8 {
    1
}

/// `[[texture]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTexture {
    pub(crate) name: String,
    array: Option<String>,
    /// One level of a mipmapped array by itself.
    level: Option<u32>,
    buffer: Option<String>,
    #[serde(default)]
    offset: u64,
    format: Option<RawFormat>,
    channels: Option<u8>,
    width: Option<u32>,
    height: Option<u32>,
    pitch: Option<u64>,
    /// The texture reference of the module that it is bound to.
    reference: Option<String>,
    #[serde(default)]
    address_mode: RawModes,
    #[serde(default)]
    filter_mode: RawFilter,
    #[serde(default)]
    read_mode: RawRead,
    #[serde(default)]
    normalized_coords: bool,
    border_color: Option<[f32; 4]>,
    mipmap_filter_mode: Option<RawFilter>,
    mipmap_level_bias: Option<f32>,
    min_mipmap_level_clamp: Option<f32>,
    max_mipmap_level_clamp: Option<f32>,
    max_anisotropy: Option<u32>,
}

impl RawTexture {
    /// How levels are chosen, if a field says it. Without a clamp all of them may be.
    fn mipmap(&self) -> Result<Option<Mipmap>, String> {
        // The chip samples along the longer gradient then; how is not known.
        if self.max_anisotropy.is_some_and(|most| most > 1) {
            return Err("max_anisotropy: anisotropic filtering is not supported; only 1 or less is".into());
        }
        let Mipmap { clamp: [least, most], .. } = Mipmap::NEAREST;
        let bits = |field: Option<f32>, otherwise: u32| field.map_or(otherwise, f32::to_bits);
        let mipmap = Mipmap {
            linear: self.mipmap_filter_mode == Some(RawFilter::Linear),
            bias: bits(self.mipmap_level_bias, 0),
            clamp: [bits(self.min_mipmap_level_clamp, least), bits(self.max_mipmap_level_clamp, most)],
        };
        let numbers = [self.mipmap_level_bias, self.min_mipmap_level_clamp, self.max_mipmap_level_clamp];
        if numbers.iter().flatten().any(|number| !number.is_finite()) {
            return Err("mipmap_level_bias and mipmap level clamps must be finite numbers".into());
        }
        let said = self.mipmap_filter_mode.is_some() || numbers.iter().any(Option::is_some);
        Ok(said.then_some(mipmap))
    }
}

/// `[[surface]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawSurface {
    pub(crate) name: String,
    array: String,
    #[serde(default)]
    level: u32,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawFormat {
    U8,
    I8,
    U16,
    I16,
    F16,
    U32,
    I32,
    F32,
}

impl RawFormat {
    fn of(self, channels: u8) -> Format {
        let channel = match self {
            RawFormat::U8 => Channel::U8,
            RawFormat::I8 => Channel::I8,
            RawFormat::U16 => Channel::U16,
            RawFormat::I16 => Channel::I16,
            RawFormat::F16 => Channel::F16,
            RawFormat::U32 => Channel::U32,
            RawFormat::I32 => Channel::I32,
            RawFormat::F32 => Channel::F32,
        };
        Format { channel, channels }
    }
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawMode {
    Wrap,
    #[default]
    Clamp,
    Mirror,
    Border,
}

/// One mode for all axes, or one for each.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "\"wrap\", \"clamp\", \"mirror\" or \"border\", or three of them")]
enum RawModes {
    All(RawMode),
    Each([RawMode; 3]),
}

impl Default for RawModes {
    fn default() -> Self {
        RawModes::All(RawMode::Clamp)
    }
}

impl RawModes {
    fn modes(self) -> [AddressMode; 3] {
        let modes = match self {
            RawModes::All(mode) => [mode; 3],
            RawModes::Each(modes) => modes,
        };
        modes.map(|mode| match mode {
            RawMode::Wrap => AddressMode::Wrap,
            RawMode::Clamp => AddressMode::Clamp,
            RawMode::Mirror => AddressMode::Mirror,
            RawMode::Border => AddressMode::Border,
        })
    }
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawFilter {
    #[default]
    Point,
    Linear,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawRead {
    #[default]
    ElementType,
    NormalizedFloat,
}

/// An array of the job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArrayEntry {
    pub(crate) line: usize,
    pub(crate) name: String,
    shape: ArrayShape,
    pub(crate) bytes: u64,
    pub(crate) file: Option<PathBuf>,
}

impl ArrayEntry {
    /// A level that the array has.
    fn level(&self, level: u32) -> Result<u32, String> {
        match self.shape.extent.levels.unwrap_or(1) {
            levels if level < levels => Ok(level),
            levels => {
                Err(format!("level {level}: the last level of array `{}` is {}", self.name, levels - 1))
            }
        }
    }
}

/// A texture of the job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextureEntry {
    line: usize,
    name: String,
    shape: TextureShape,
}

/// A surface of the job.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SurfaceEntry {
    line: usize,
    name: String,
    shape: SurfaceShape,
}

/// All of a job's arrays, textures and surfaces.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Objects {
    pub(crate) arrays: Vec<ArrayEntry>,
    textures: Vec<TextureEntry>,
    surfaces: Vec<SurfaceEntry>,
}

/// An array's extent and format.
pub(crate) fn array(line: usize, raw: RawArray) -> Result<ArrayEntry, String> {
    let RawArray { name, format, channels, width, height, depth, layers, cubemap, levels, file } = raw;
    let (dimension, size) = match (height, depth, cubemap) {
        (_, Some(_), true) => return Err("depth: a cube has faces, not a depth".into()),
        (Some(h), None, true) if h != width => {
            return Err("height: the faces of a cube must be square".into());
        }
        (_, None, true) => (Dimension::Cube, [width, width, 1]),
        (None, Some(_), false) => return Err("depth: an array with a depth needs a height too".into()),
        (None, None, false) => (Dimension::One, [width, 1, 1]),
        (Some(h), None, false) => (Dimension::Two, [width, h, 1]),
        (Some(h), Some(d), false) => (Dimension::Three, [width, h, d]),
    };
    let (extent, format) = (Extent { dimension, size, layers, levels }, format.of(channels));
    let most = extent.most_levels();
    if levels.is_some_and(|levels| !(1..=most).contains(&levels)) {
        return Err(format!("levels: an array of this size has 1 to {most}"));
    }
    let bytes = extent.texels().and_then(|n| n.checked_mul(format.bytes()));
    let bytes = bytes.ok_or("more texels than any memory holds")?;
    if bytes == 0 {
        return Err("expected at least one texel of at least one channel".into());
    }
    Ok(ArrayEntry { line, name, shape: ArrayShape { extent, format }, bytes, file })
}

impl Objects {
    /// The place of an array.
    pub(crate) fn array(&self, name: &str) -> Result<usize, String> {
        let names = self.arrays.iter().map(|a| a.name.as_str());
        place("array", name, names)
    }

    /// The argument `{ texture = "…" }`.
    pub(crate) fn texture(&self, name: &str) -> Result<Handle, String> {
        place("texture", name, self.textures.iter().map(|t| t.name.as_str())).map(Handle::Texture)
    }

    /// The argument `{ surface = "…" }`.
    pub(crate) fn surface(&self, name: &str) -> Result<Handle, String> {
        place("surface", name, self.surfaces.iter().map(|s| s.name.as_str())).map(Handle::Surface)
    }

    pub(crate) fn add_texture(
        &mut self,
        line: usize,
        raw: RawTexture,
        find: impl Fn(&str) -> Result<usize, String>,
    ) -> Result<(), String> {
        if self.texture(&raw.name).is_ok() {
            return Err("another texture has the same name".into());
        }
        let mipmap = raw.mipmap()?;
        let sampling = Sampling {
            address: raw.address_mode.modes(),
            linear: raw.filter_mode == RawFilter::Linear,
            normalised_coordinates: raw.normalized_coords,
            normalised_float: raw.read_mode == RawRead::NormalizedFloat,
            border: raw.border_color.unwrap_or_default().map(f32::to_bits),
            mipmap: mipmap.unwrap_or(Mipmap::NEAREST),
        };
        let of_memory =
            raw.format.is_some() || raw.width.is_some() || raw.height.is_some() || raw.pitch.is_some();
        let (resource, format) = match (&raw.array, &raw.buffer) {
            (Some(_), None) if of_memory || raw.channels.is_some() || raw.offset > 0 => {
                return Err("offset, format, channels, width, height and pitch are for a buffer; an array has its own".into());
            }
            (Some(array), None) => {
                let array = self.array(array)?;
                let of = &self.arrays[array];
                let resource = match raw.level {
                    None => device::texture::Resource::Array(array),
                    Some(level) => device::texture::Resource::Level { array, level: of.level(level)? },
                };
                if mipmap.is_some() && (raw.level.is_some() || of.shape.extent.levels.is_none()) {
                    return Err(
                        "mipmap_… fields are for an array with levels, all of which are sampled".into()
                    );
                }
                (resource, of.shape.format)
            }
            (None, Some(_)) if raw.level.is_some() || mipmap.is_some() => {
                return Err("level and mipmap_… fields are for an array; a buffer has no levels".into());
            }
            (None, Some(buffer)) => {
                let (Some(format), Some(width)) = (raw.format, raw.width) else {
                    return Err("a texture over a buffer needs format and width".into());
                };
                let (buffer, offset) = (find(buffer)?, raw.offset);
                let resource = match (raw.height, raw.pitch) {
                    (None, None) => device::texture::Resource::Linear { buffer, offset, width },
                    (Some(height), Some(pitch)) => {
                        device::texture::Resource::Pitched { buffer, offset, width, height, pitch }
                    }
                    _ => return Err("rows of memory need height and pitch; a single row has neither".into()),
                };
                (resource, format.of(raw.channels.unwrap_or(1)))
            }
            _ => return Err("expected either array or buffer".into()),
        };
        let RawTexture { name, reference, .. } = raw;
        let shape = TextureShape { resource, format, sampling, reference };
        self.textures.push(TextureEntry { line, name, shape });
        Ok(())
    }

    pub(crate) fn add_surface(&mut self, line: usize, raw: RawSurface) -> Result<(), String> {
        if self.surface(&raw.name).is_ok() {
            return Err("another surface has the same name".into());
        }
        let array = self.array(&raw.array)?;
        let level = self.arrays[array].level(raw.level)?;
        self.surfaces.push(SurfaceEntry { line, name: raw.name, shape: SurfaceShape { array, level } });
        Ok(())
    }

    /// Makes all of them on a device; the error comes with the line of the entry.
    pub(crate) fn create(
        &self,
        device: &mut dyn Device,
        module: Module,
        buffers: &Buffers,
        made: &mut harness::Objects,
    ) -> Result<(), (usize, Box<device::Error>)> {
        let at = |line: usize| move |error: device::Error| (line, Box::new(error));
        for ArrayEntry { line, name, shape, .. } in &self.arrays {
            made.array(device, name, *shape).map_err(at(*line))?;
        }
        for TextureEntry { line, shape, .. } in &self.textures {
            made.texture(device, module, buffers, shape).map_err(at(*line))?;
        }
        for SurfaceEntry { line, shape, .. } in &self.surfaces {
            made.surface(device, *shape).map_err(at(*line))?;
        }
        Ok(())
    }
}

fn place<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> Result<usize, String> {
    names.clone().position(|there| there == name).ok_or_else(|| {
        let there: Vec<&str> = names.collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        format!("there is no {what} `{name}`; there are: {there}")
    })
}
