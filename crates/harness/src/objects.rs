//! Arrays, textures and surfaces, by their places in the description.

use crate::Buffers;
use device::texture::{self, Format, Sampling};
use device::{Arg, Array, Class, Device, Error, Module, Resource, Surface, Texture, Value};

/// An array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrayShape {
    /// Its texels, in all dimensions.
    pub extent: texture::Extent,
    /// A texel.
    pub format: Format,
}

/// A texture over an array or a buffer, by their places.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureShape {
    /// What it is over.
    pub resource: texture::Resource<usize, usize>,
    /// A texel.
    pub format: Format,
    /// How it is sampled.
    pub sampling: Sampling,
    /// The texture reference of the module that it is bound to.
    pub reference: Option<String>,
}

/// A surface over a level of an array, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceShape {
    /// The array's place.
    pub array: usize,
    /// Level of a mipmapped array.
    pub level: u32,
}

/// What a device made of a description's arrays, textures and surfaces, in their orders.
#[derive(Debug, Default)]
pub struct Objects {
    arrays: Vec<Array>,
    textures: Vec<Texture>,
    surfaces: Vec<Surface>,
}

/// An argument that is the handle of a texture or a surface, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handle {
    /// A texture's.
    Texture(usize),
    /// A surface's.
    Surface(usize),
}

/// Types of arguments that stand for handles until a device has made them.
const TEXTURE: &str = "texture";
const SURFACE: &str = "surface";

impl Handle {
    /// An argument that stands for it, until [`Objects::fill_in`] gives it its bits.
    pub fn argument<B>(self) -> Arg<B> {
        let (ty, place) = match self {
            Handle::Texture(n) => (TEXTURE, n),
            Handle::Surface(n) => (SURFACE, n),
        };
        let bytes = (place as u64).to_le_bytes().to_vec();
        Arg::Value(Value { ty: ty.to_owned(), class: Class::Integer, align: 8, bytes })
    }
}

impl Objects {
    /// Makes the next array, which messages call by `name`, and returns its place.
    ///
    /// # Errors
    /// What the device refuses.
    pub fn array<D: Device + ?Sized>(
        &mut self,
        device: &mut D,
        name: &str,
        shape: ArrayShape,
    ) -> Result<usize, Error> {
        let array = device.allocate_array(shape.extent, shape.format)?;
        device.name_array(array, name)?;
        self.arrays.push(array);
        Ok(self.arrays.len() - 1)
    }

    /// Makes the next texture, and returns its place.
    ///
    /// # Errors
    /// A place that nothing has, or what the device refuses.
    pub fn texture<D: Device + ?Sized>(
        &mut self,
        device: &mut D,
        module: Module,
        buffers: &Buffers,
        shape: &TextureShape,
    ) -> Result<usize, Error> {
        let resource: Resource =
            shape.resource.resolve(|place| self.at(*place), |place| buffers.at(*place))?;
        let texture = device.create_texture(&resource, shape.format, shape.sampling)?;
        if let Some(reference) = &shape.reference {
            device.bind_texture(module, reference, texture)?;
        }
        self.textures.push(texture);
        Ok(self.textures.len() - 1)
    }

    /// Makes the next surface, and returns its place.
    ///
    /// # Errors
    /// A place that no array has, or what the device refuses.
    pub fn surface<D: Device + ?Sized>(
        &mut self,
        device: &mut D,
        shape: SurfaceShape,
    ) -> Result<usize, Error> {
        let array = self.at(shape.array)?;
        self.surfaces.push(device.create_surface(array, shape.level)?);
        Ok(self.surfaces.len() - 1)
    }

    /// The array at a place.
    ///
    /// # Errors
    /// A place at which there is none.
    pub fn at(&self, place: usize) -> Result<Array, Error> {
        let missing = || Error::BadShape { message: format!("there is no array number {place}") };
        self.arrays.get(place).copied().ok_or_else(missing)
    }

    /// The number that a kernel knows a texture or surface by.
    pub fn handle(&self, of: Handle) -> Option<u64> {
        match of {
            Handle::Texture(place) => self.textures.get(place).map(|texture| texture.handle()),
            Handle::Surface(place) => self.surfaces.get(place).map(|surface| surface.handle()),
        }
    }

    /// Gives arguments that stand for handles the handles' bits.
    pub fn fill_in(&self, args: &mut [Arg]) {
        for arg in args {
            match arg {
                Arg::Struct(members) => self.fill_in(members),
                Arg::Value(value) if value.ty == TEXTURE || value.ty == SURFACE => {
                    let place =
                        value.bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes) as usize);
                    let of =
                        if value.ty == TEXTURE { Handle::Texture(place) } else { Handle::Surface(place) };
                    value.bytes = self.handle(of).unwrap_or(0).to_le_bytes().to_vec();
                }
                Arg::Value(_)
                | Arg::Buffer { .. }
                | Arg::Null
                | Arg::Pitch { .. }
                | Arg::I32(_)
                | Arg::U32(_)
                | Arg::I64(_)
                | Arg::U64(_)
                | Arg::F32(_)
                | Arg::F64(_)
                | Arg::Bytes(_) => {}
            }
        }
    }

    /// Frees the arrays; textures and surfaces end with the device.
    ///
    /// # Errors
    /// What the device refuses.
    pub fn free<D: Device + ?Sized>(&mut self, device: &mut D) -> Result<(), Error> {
        let mut result = Ok(());
        for array in self.arrays.drain(..) {
            result = result.and(device.free_array(array));
        }
        result
    }
}
