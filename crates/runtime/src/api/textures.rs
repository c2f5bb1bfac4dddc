//! Texture and surface objects.

use super::arrays::format_of;
use super::finding::Kind;
use super::{Answer, Call, Space, Status};
use crate::guest::Site;
use device::Resource;
use device::texture::{AddressMode, Mipmap, Sampling};
use std::collections::BTreeMap;

/// Kinds of `cudaResourceType`.
const ARRAY: u32 = 0;
const LINEAR: u32 = 2;
const PITCH_2D: u32 = 3;

/// Objects by handle; where they were destroyed, if they were.
#[derive(Debug, Default)]
pub(super) struct Textures {
    textures: BTreeMap<u64, Option<Site>>,
    surfaces: BTreeMap<u64, Option<Site>>,
    /// What objects were made from, by their handles: a `cudaResourceDesc`, and of a texture a `cudaTextureDesc`.
    made_from: BTreeMap<u64, (Vec<u8>, Vec<u8>)>,
}

/// Bytes of the two.
const RESOURCE_BYTES: usize = 144;
const TEXTURE_BYTES: usize = 72;

impl Call<'_> {
    /// Keeps what an object was made from.
    fn keep_descriptions(&mut self, handle: u64, resource: u64, texture: Option<u64>) -> Answer<()> {
        let mut resource_bytes = vec![0; RESOURCE_BYTES];
        self.guest.read(resource, &mut resource_bytes)?;
        let mut texture_bytes = vec![0; if texture.is_some() { TEXTURE_BYTES } else { 0 }];
        self.guest.read(texture.unwrap_or(resource), &mut texture_bytes)?;
        self.api.textures.made_from.insert(handle, (resource_bytes, texture_bytes));
        Ok(())
    }

    /// Puts one of the two to where the program asks for it.
    fn put_description(&mut self, to: u64, handle: u64, what: &'static str) -> Answer {
        let to = self.pointer(to, "desc")?;
        let all = &self.api.textures;
        let objects = if what == "surface object" { &all.surfaces } else { &all.textures };
        let destroyed = match objects.get(&handle) {
            Some(None) => {
                let (resource, texture) = all.made_from.get(&handle).cloned().unwrap_or_default();
                self.guest.write(to, if what == "texture" { &texture } else { &resource })?;
                return Ok(0);
            }
            Some(destroyed) => *destroyed,
            None => None,
        };
        let what = if what == "surface object" { what } else { "texture object" };
        self.found(Kind::BadHandle { what, destroyed });
        Err(Status::INVALID_VALUE.into())
    }

    /// The buffer of an address on the device, and bytes from its start.
    fn texel_memory(&mut self, address: u64) -> Answer<(device::Buffer, u64)> {
        match self.on_device(address, "devPtr")? {
            Space::Device(block) | Space::Both(block) => match block.buffer {
                Some(buffer) => Ok((buffer, address - block.address)),
                None => Err(Status::INVALID_VALUE.into()),
            },
            Space::Symbol(_) | Space::Host | Space::Freed(_) | Space::Nowhere => {
                self.refuse(Status::INVALID_VALUE, "devPtr", "a texture is of memory that was allocated")
            }
        }
    }

    fn sampling(&self, at: u64) -> Answer<Sampling> {
        let word = |offset: u64| self.get_u32(at.wrapping_add(offset));
        let mode = |value: u32| match value {
            0 => AddressMode::Wrap,
            2 => AddressMode::Mirror,
            3 => AddressMode::Border,
            _ => AddressMode::Clamp,
        };
        Ok(Sampling {
            address: [mode(word(0)?), mode(word(4)?), mode(word(8)?)],
            linear: word(12)? == 1,
            normalised_float: word(16)? == 1,
            border: [word(24)?, word(28)?, word(32)?, word(36)?],
            normalised_coordinates: word(40)? != 0,
            mipmap: Mipmap { linear: word(48)? == 1, bias: word(52)?, clamp: [word(56)?, word(60)?] },
        })
    }

    /// Destroys an object.
    fn destroy(&mut self, handle: u64, what: &'static str) -> Answer {
        let all = &mut self.api.textures;
        let objects = if what == "texture object" { &mut all.textures } else { &mut all.surfaces };
        match objects.get_mut(&handle) {
            Some(there @ None) => {
                *there = Some(self.site);
                Ok(0)
            }
            found => {
                let destroyed = found.and_then(|site| *site);
                self.found(Kind::BadHandle { what, destroyed });
                Err(Status::INVALID_VALUE.into())
            }
        }
    }
}

/// `cudaCreateTextureObject(pTexObject, pResDesc, pTexDesc, pResViewDesc)`.
pub(super) fn create_texture(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "pTexObject")?;
    let resource = call.pointer(a[1], "pResDesc")?;
    let (described, texture) = (resource, call.pointer(a[2], "pTexDesc")?);
    let sampling = call.sampling(texture)?;
    if a[3] != 0 {
        return call.refuse(Status::NOT_SUPPORTED, "pResViewDesc", "views of resources are not supported");
    }
    let at = |bytes: u64| resource.wrapping_add(bytes);
    let kind = call.get_u32(resource)?;
    let pointer = call.get_u64(at(8))?;
    let (resource, format) = match kind {
        ARRAY => {
            let array = call.array(pointer)?;
            let of = &call.api.arrays.0[array];
            (Resource::Array(of.array), of.format)
        }
        LINEAR | PITCH_2D => {
            let (buffer, offset) = call.texel_memory(pointer)?;
            let Some(format) = format_of(call.descriptor(at(16))?) else {
                let why = "the device has no texels of this format";
                return call.refuse(Status::INVALID_CHANNEL_DESCRIPTOR, "desc", why);
            };
            let [width, height, pitch] = call.words(at(40))?;
            let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
            let resource = if kind == LINEAR {
                Resource::Linear { buffer, offset, width: small(width / format.bytes()) }
            } else {
                Resource::Pitched { buffer, offset, width: small(width), height: small(height), pitch }
            };
            (resource, format)
        }
        other => {
            let why = format!("{other} is not a type of resource that is supported");
            return call.refuse(Status::INVALID_VALUE, "pResDesc", why);
        }
    };
    match call.api.device.create_texture(&resource, format, sampling) {
        Ok(texture) => {
            let handle = texture.handle();
            call.api.textures.textures.insert(handle, None);
            call.keep_descriptions(handle, described, Some(a[2]))?;
            call.put(to, handle.to_le_bytes())?;
            Ok(0)
        }
        Err(device::Error::Simt(device::SimtError::BadTexture(why))) => {
            call.refuse(Status::INVALID_VALUE, "pTexDesc", why)
        }
        Err(error) => Err(call.failed(error)),
    }
}

/// `cudaDestroyTextureObject(texObject)`.
pub(super) fn destroy_texture(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.destroy(a[0], "texture object")
}

/// `cudaCreateSurfaceObject(pSurfObject, pResDesc)`.
pub(super) fn create_surface(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (to, resource) = (call.pointer(a[0], "pSurfObject")?, call.pointer(a[1], "pResDesc")?);
    if call.get_u32(resource)? != ARRAY {
        return call.refuse(Status::INVALID_VALUE, "pResDesc", "a surface is of an array");
    }
    let handle = call.get_u64(resource.wrapping_add(8))?;
    let at = call.array(handle)?;
    let made = call.api.device.create_surface(call.api.arrays.0[at].array, 0);
    let surface = made.map_err(|error| call.failed(error))?;
    call.api.textures.surfaces.insert(surface.handle(), None);
    call.keep_descriptions(surface.handle(), resource, None)?;
    call.put(to, surface.handle().to_le_bytes())?;
    Ok(0)
}

/// `cudaDestroySurfaceObject(surfObject)`.
pub(super) fn destroy_surface(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.destroy(a[0], "surface object")
}

/// `cudaGetTextureObjectResourceDesc(pResDesc, texObject)`.
pub(super) fn texture_resource(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.put_description(a[0], a[1], "resource")
}

/// `cudaGetTextureObjectTextureDesc(pTexDesc, texObject)`.
pub(super) fn texture_description(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.put_description(a[0], a[1], "texture")
}

/// `cudaGetSurfaceObjectResourceDesc(pResDesc, surfObject)`.
pub(super) fn surface_resource(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.put_description(a[0], a[1], "surface object")
}
