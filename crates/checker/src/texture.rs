//! Texture objects of a case.
//!
//! Enters: what a setup says of one, its buffer's type and contents, a device. Leaves: the object's handle. What CUDA has a
//! number for is one here too. This module must never know what is fetched.

use crate::error::Error;
use crate::readback::Readback;
use device::texture::{AddressMode, Channel, Dimension, Extent, Format, Mipmap, Resource, Sampling};
use device::{Device, Module};
use exercise::expression::{self, Expression};
use exercise::manifest::{self, Texture};
use harness::{ArrayShape, Buffers, Handle, Objects, SurfaceShape, TextureShape};
use scalar::Scalar;

/// Value of a formula.
type Values<'a> = &'a dyn Fn(&Expression) -> Result<i64, expression::Error>;

/// An array with a buffer's contents.
#[derive(Debug)]
struct Copied {
    /// Place of the buffer.
    buffer: usize,
    shape: ArrayShape,
    bytes: usize,
    /// Whether a kernel may write to it.
    surface: bool,
}

/// Texture and surface objects of a setup, in its order.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    objects: Objects,
    /// Arrays, by their places among the objects'.
    arrays: Vec<Copied>,
    handles: Vec<Handle>,
}

impl Textures {
    /// Makes the next texture or surface object, over its buffer or over an array with the buffer's contents. Objects of the same
    /// buffer and shape share an array.
    ///
    /// # Errors
    /// Numbers that make no texture, more texels than there are elements, and what the device refuses.
    pub(crate) fn add<D: Device + ?Sized>(
        &mut self,
        device: &mut D,
        module: Module,
        buffers: &Buffers,
        texture: &Texture,
        (at, of, contents): (usize, &manifest::Buffer, &[u8]),
        value: Values<'_>,
    ) -> Result<(), Error> {
        let Described { format, sampling, extent, pitch, texels, array, surface } =
            describe(texture, of.ty, contents, value)?;
        let [width, height, _] = extent.size;
        let resource = if array {
            let place = self.array(device, (at, of), ArrayShape { extent, format }, texels)?;
            self.arrays[place].surface |= surface;
            if surface {
                let made = self.objects.surface(device, SurfaceShape { array: place, level: 0 })?;
                self.handles.push(Handle::Surface(made));
                return Ok(());
            }
            Resource::Array(place)
        } else if extent.dimension == Dimension::One {
            Resource::Linear { buffer: at, offset: 0, width }
        } else {
            Resource::Pitched { buffer: at, offset: 0, width, height, pitch }
        };
        let shape = TextureShape { resource, format, sampling, reference: None };
        let made = self.objects.texture(device, module, buffers, &shape)?;
        self.handles.push(Handle::Texture(made));
        Ok(())
    }

    /// The place of an array of a buffer's contents, which is made unless it is there.
    fn array<D: Device + ?Sized>(
        &mut self,
        device: &mut D,
        (buffer, of): (usize, &manifest::Buffer),
        shape: ArrayShape,
        texels: &[u8],
    ) -> Result<usize, Error> {
        if let Some(place) = self.arrays.iter().position(|one| (one.buffer, one.shape) == (buffer, shape)) {
            return Ok(place);
        }
        let place = self.objects.array(device, &of.name, shape)?;
        let array = self.objects.at(place)?;
        match of.init {
            Some(_) => device.write_array(array, texels)?,
            None => device.poison_array(array, texels)?,
        }
        self.arrays.push(Copied { buffer, shape, bytes: texels.len(), surface: false });
        Ok(place)
    }

    /// The number that a kernel knows an object by.
    pub(crate) fn handle(&self, place: usize) -> Option<u64> {
        self.objects.handle(*self.handles.get(place)?)
    }

    /// Copies what surfaces may have written to the contents of their buffers.
    ///
    /// # Errors
    /// What the device says.
    pub(crate) fn read_back<D: Device + ?Sized>(
        &self,
        device: &mut D,
        buffers: &mut [Readback],
    ) -> Result<(), Error> {
        for (place, made) in self.arrays.iter().enumerate().filter(|(_, made)| made.surface) {
            let array = self.objects.at(place)?;
            let Readback { bytes, unwritten } = &mut buffers[made.buffer];
            device.read_array(array, &mut bytes[..made.bytes])?;
            // What follows the texels is the buffer's own.
            let end = made.bytes as u64;
            let past = unwritten.iter().map(|gap| gap.start.max(end)..gap.end).filter(|gap| !gap.is_empty());
            *unwritten = device.unwritten_array(array)?.into_iter().chain(past.collect::<Vec<_>>()).collect();
        }
        Ok(())
    }

    /// Frees the arrays.
    ///
    /// # Errors
    /// What the device refuses.
    pub(crate) fn free<D: Device + ?Sized>(&mut self, device: &mut D) -> Result<(), Error> {
        Ok(self.objects.free(device)?)
    }
}

/// What a device is given of a texture, with its texels.
struct Described<'a> {
    format: Format,
    sampling: Sampling,
    extent: Extent,
    /// Bytes of a row.
    pitch: u64,
    texels: &'a [u8],
    /// Whether they are in an array.
    array: bool,
    /// Whether it is a surface.
    surface: bool,
}

/// A texture's numbers.
fn describe<'a>(
    texture: &Texture,
    ty: Scalar,
    contents: &'a [u8],
    value: Values<'_>,
) -> Result<Described<'a>, Error> {
    let name = &texture.name;
    let channel = match ty {
        Scalar::U8 => Channel::U8,
        Scalar::I8 => Channel::I8,
        Scalar::U16 => Channel::U16,
        Scalar::I16 => Channel::I16,
        Scalar::F16 => Channel::F16,
        Scalar::U32 => Channel::U32,
        Scalar::I32 => Channel::I32,
        Scalar::F32 => Channel::F32,
        Scalar::Bf16 | Scalar::E4m3 | Scalar::E5m2 | Scalar::U64 | Scalar::I64 | Scalar::F64 => {
            return Err(Error::Shape(format!("texture `{name}`: texels are not of {ty}")));
        }
    };
    // One of that many, in the order of CUDA's enumerators.
    let one_of = |what: &str, formula: &Expression, most: u32| -> Result<u32, Error> {
        let found = value(formula)?;
        u32::try_from(found).ok().filter(|n| *n <= most).ok_or_else(|| {
            Error::Shape(format!("texture `{name}`: {what} is {found}, but must be 0 to {most}"))
        })
    };
    let channels = one_of("channels", &texture.channels, 4)? as u8;
    let format = Format { channel, channels };
    let width = one_of("width", &texture.width, 1 << 28)?;
    let height = texture.height.as_ref().map(|height| one_of("height", height, 1 << 16)).transpose()?;
    let depth = texture.depth.as_ref().map(|depth| one_of("depth", depth, 1 << 14)).transpose()?;
    let extent = extent(name, (width, height, depth), value(&texture.flags)?)?;
    let modes = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror, AddressMode::Border];
    let sampling = Sampling {
        address: [modes[one_of("address_mode", &texture.address_mode, 3)? as usize]; 3],
        linear: one_of("filter_mode", &texture.filter_mode, 1)? == 1,
        normalised_coordinates: one_of("normalized_coords", &texture.normalized_coords, 1)? == 1,
        normalised_float: one_of("read_mode", &texture.read_mode, 1)? == 1,
        border: [0; 4],
        mipmap: Mipmap::NEAREST,
    };
    let pitch = u64::from(width) * u64::from(channels) * ty.bytes() as u64;
    let rows = u64::from(height.unwrap_or(1)) * u64::from(depth.unwrap_or(1));
    let bytes = pitch.saturating_mul(rows);
    let texels = usize::try_from(bytes).ok().and_then(|bytes| contents.get(..bytes)).ok_or_else(|| {
        Error::Shape(format!(
            "texture `{name}`: its texels take {bytes} bytes, but its buffer has {}",
            contents.len()
        ))
    })?;
    let surface = one_of("surface", &texture.surface, 1)? == 1;
    let array = one_of("array", &texture.array, 1)? == 1 || surface || depth.is_some();
    Ok(Described { format, sampling, extent, pitch, texels, array, surface })
}

/// The extent of a texture of that many texels a row, rows, and slices, layers or faces, by CUDA's flags.
fn extent(
    name: &str,
    (width, height, depth): (u32, Option<u32>, Option<u32>),
    flags: i64,
) -> Result<Extent, Error> {
    let wrong = |what: &str| Err(Error::Shape(format!("texture `{name}`: {what}")));
    let plain = if height.is_some() { Dimension::Two } else { Dimension::One };
    let rows = height.unwrap_or(1);
    let (dimension, size, layers) = match (flags, depth) {
        (0, None) => (plain, [width, rows, 1], None),
        (0, Some(depth)) if height.is_some() => (Dimension::Three, [width, rows, depth], None),
        (0, Some(_)) => return wrong("slices need rows"),
        (1, Some(layers)) => (plain, [width, rows, 1], Some(layers)),
        (4, Some(6)) => (Dimension::Cube, [width, rows, 1], None),
        (5, Some(faces)) if faces % 6 == 0 => (Dimension::Cube, [width, rows, 1], Some(faces / 6)),
        (1, None) => return wrong("`depth` must give the number of layers"),
        (4 | 5, _) => return wrong("the `depth` of a cube is its number of faces, 6 for each cube"),
        (other, _) => {
            return wrong(&format!(
                "flags is {other}, but must be 0 for slices, 1 for layers, 4 for a cube, 5 for layers of cubes"
            ));
        }
    };
    Ok(Extent { dimension, size, layers, levels: None })
}
