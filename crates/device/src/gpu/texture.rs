//! Arrays, textures and surfaces.

use cudarc::driver::{result, sys};
use simt::texture::{AddressMode, Channel, Dimension, Extent, Format, Resource as Of, Sampling};
use std::ffi::{c_int, c_uint};
use std::sync::atomic::Ordering;

use super::copy::{Side, rows};
use super::module::c_string;
use super::{Gpu, NEXT, driver, refused};
use crate::error::Result;
use crate::handle::{Array, Module, Resource, Surface, Texture};
use crate::region::{self, Region, within};

/// An array as the driver knows it.
#[derive(Clone, Copy)]
enum Kept {
    Plain(sys::CUarray),
    Mipmapped(sys::CUmipmappedArray),
}

/// A texture of ours, with all that it was made of, from which a texture reference is bound.
pub(super) struct TextureObject {
    pub(super) handle: sys::CUtexObject,
    resource: sys::CUDA_RESOURCE_DESC,
    sampler: sys::CUDA_TEXTURE_DESC,
}

/// An array of ours.
pub(super) struct ArrayMemory {
    kept: Kept,
    extent: Extent,
    format: Format,
    bytes: u64,
}

fn format_of(format: Format) -> (sys::CUarray_format, c_uint) {
    use sys::CUarray_format as F;
    let channel = match format.channel {
        Channel::U8 => F::CU_AD_FORMAT_UNSIGNED_INT8,
        Channel::I8 => F::CU_AD_FORMAT_SIGNED_INT8,
        Channel::U16 => F::CU_AD_FORMAT_UNSIGNED_INT16,
        Channel::I16 => F::CU_AD_FORMAT_SIGNED_INT16,
        Channel::F16 => F::CU_AD_FORMAT_HALF,
        Channel::U32 => F::CU_AD_FORMAT_UNSIGNED_INT32,
        Channel::I32 => F::CU_AD_FORMAT_SIGNED_INT32,
        Channel::F32 => F::CU_AD_FORMAT_FLOAT,
    };
    (channel, format.channels.into())
}

/// Texels in z as the driver counts them: slices, layers and faces; 0 of a plain array of one or two dimensions.
fn depth_of(extent: &Extent) -> usize {
    let layers = extent.layers.map(|n| n as usize);
    match extent.dimension {
        Dimension::One | Dimension::Two => layers.unwrap_or(0),
        Dimension::Three => extent.size[2] as usize,
        Dimension::Cube => layers.unwrap_or(1) * 6,
    }
}

impl ArrayMemory {
    /// A level by itself; of a plain array the array. It lives as long as the array.
    fn level(&self, level: u32) -> Result<sys::CUarray> {
        match self.kept {
            Kept::Plain(array) if level == 0 => Ok(array),
            Kept::Plain(_) => {
                let message = format!("level {level}; a plain array has level 0 alone");
                Err(simt::Error::BadTexture(message).into())
            }
            Kept::Mipmapped(mipmapped) => {
                let mut array = std::ptr::null_mut();
                let call = format!("cuMipmappedArrayGetLevel of level {level}");
                // SAFETY: writes a handle; the array is ours.
                unsafe { sys::cuMipmappedArrayGetLevel(&mut array, mipmapped, level) }
                    .result()
                    .map_err(driver(call))?;
                Ok(array)
            }
        }
    }

    /// Gives the memory back.
    pub(super) fn destroy(&self) -> std::result::Result<(), result::DriverError> {
        // SAFETY: the array was ours.
        match self.kept {
            Kept::Plain(array) => unsafe { sys::cuArrayDestroy(array) }.result(),
            Kept::Mipmapped(array) => unsafe { sys::cuMipmappedArrayDestroy(array) }.result(),
        }
    }
}

impl Gpu {
    fn array(&self, array: Array) -> Result<&ArrayMemory> {
        let kept = self.arrays.get(&array.id).ok_or(simt::Error::ForeignHandle("array"))?;
        Ok(kept.as_ref().ok_or(simt::Error::Freed)?)
    }

    pub(super) fn new_array(&mut self, extent: Extent, format: Format) -> Result<Array> {
        self.bind()?;
        let bytes = extent.texels().and_then(|n| n.checked_mul(format.bytes())).unwrap_or(u64::MAX);
        let [width, height, _] = extent.size.map(|n| n as usize);
        let (channel, channels) = format_of(format);
        let layered = if extent.layers.is_some() { sys::CUDA_ARRAY3D_LAYERED } else { 0 };
        let cube = if extent.dimension == Dimension::Cube { sys::CUDA_ARRAY3D_CUBEMAP } else { 0 };
        let description = sys::CUDA_ARRAY3D_DESCRIPTOR {
            Width: width,
            Height: if extent.dimension == Dimension::One { 0 } else { height },
            Depth: depth_of(&extent),
            Format: channel,
            NumChannels: channels,
            Flags: layered | cube | sys::CUDA_ARRAY3D_SURFACE_LDST,
        };
        let call = || format!("array of {extent:?} of {format:?}");
        let refused = |error| refused(error, bytes, call);
        let kept = if let Some(levels) = extent.levels {
            let mut array = std::ptr::null_mut();
            // SAFETY: writes a handle; reads the description.
            unsafe { sys::cuMipmappedArrayCreate(&mut array, &description, levels) }
                .result()
                .map_err(refused)?;
            Kept::Mipmapped(array)
        } else {
            let mut array = std::ptr::null_mut();
            // SAFETY: writes a handle; reads the description.
            unsafe { sys::cuArray3DCreate_v2(&mut array, &description) }.result().map_err(refused)?;
            Kept::Plain(array)
        };
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        self.arrays.insert(id, Some(ArrayMemory { kept, extent, format, bytes }));
        Ok(Array { id, bytes })
    }

    pub(super) fn give_array(&mut self, array: Array) -> Result<()> {
        self.bind()?;
        let kept = self.arrays.get_mut(&array.id).ok_or(simt::Error::ForeignHandle("array"))?;
        let memory = kept.take().ok_or(simt::Error::Freed)?;
        memory.destroy().map_err(driver("cuArrayDestroy"))
    }

    pub(super) fn fill_array(&mut self, array: Array, bytes: &[u8]) -> Result<()> {
        self.bind()?;
        let memory = self.array(array)?;
        same_size(memory, bytes.len())?;
        let host = bytes.as_ptr().cast_mut();
        each_level(memory, host, |host, level, at, extent| {
            // SAFETY: both have as many bytes; the host's side is only read.
            unsafe { rows(&level, at, &host, at, extent) }
        })
    }

    pub(super) fn copy_array(&mut self, array: Array, bytes: &mut [u8]) -> Result<()> {
        self.bind()?;
        let memory = self.array(array)?;
        same_size(memory, bytes.len())?;
        let host = bytes.as_mut_ptr();
        each_level(memory, host, |host, level, at, extent| {
            // SAFETY: both have as many bytes.
            unsafe { rows(&host, at, &level, at, extent) }
        })
    }

    pub(super) fn new_texture(
        &mut self,
        resource: &Resource,
        format: Format,
        sampling: &Sampling,
    ) -> Result<Texture> {
        self.bind()?;
        let (description, format) = self.resource(resource, format)?;
        let sampler = sampler(sampling, format);
        let mut handle = 0;
        let call = format!("cuTexObjectCreate of {resource:?}");
        // SAFETY: writes a handle; the descriptions are of memory that is ours.
        unsafe { sys::cuTexObjectCreate(&mut handle, &description, &sampler, std::ptr::null()) }
            .result()
            .map_err(driver(call))?;
        self.textures.push(TextureObject { handle, resource: description, sampler });
        Ok(Texture { id: self.textures.len() - 1, handle })
    }

    /// Binds a module's texture reference. CUDA's runtime has none since version 12; its driver still takes them.
    pub(super) fn bind_reference(&mut self, module: Module, name: &str, texture: Texture) -> Result<()> {
        self.bind()?;
        let loaded = self.loaded(module)?;
        let of = self.textures.get(texture.id).filter(|of| of.handle == texture.handle);
        let of = of.ok_or(simt::Error::ForeignHandle("texture"))?;
        let mut reference = std::ptr::null_mut();
        let found = c_string(name).is_some_and(|name| {
            // SAFETY: writes a handle; the module is ours.
            unsafe { sys::cuModuleGetTexRef(&mut reference, loaded.module, name.as_ptr()) }.result().is_ok()
        });
        if !found {
            let message = format!("no texture reference `{name}` in {}", loaded.name);
            return Err(simt::Error::BadTexture(message).into());
        }
        set_resource(reference, &of.resource)?;
        set_sampler(reference, &of.sampler)
    }

    pub(super) fn new_surface(&mut self, array: Array, level: u32) -> Result<Surface> {
        self.bind()?;
        let description = of_array(self.array(array)?.level(level)?);
        let mut handle = 0;
        // SAFETY: writes a handle; the array is ours.
        unsafe { sys::cuSurfObjectCreate(&mut handle, &description) }
            .result()
            .map_err(driver("cuSurfObjectCreate"))?;
        self.surfaces.push(handle);
        Ok(Surface { handle })
    }

    /// A resource as the driver takes it, and the format of its texels.
    fn resource(&self, resource: &Resource, format: Format) -> Result<(sys::CUDA_RESOURCE_DESC, Format)> {
        let (channel, channels) = format_of(format);
        let texel = format.bytes();
        Ok(match *resource {
            Of::Array(array) => {
                let memory = self.array(array)?;
                let description = match memory.kept {
                    Kept::Plain(array) => of_array(array),
                    Kept::Mipmapped(array) => of_mipmapped(array),
                };
                (description, memory.format)
            }
            Of::Level { array, level } => {
                let memory = self.array(array)?;
                (of_array(memory.level(level)?), memory.format)
            }
            Of::Linear { buffer, offset, width } => {
                let memory = self.allocation(buffer)?;
                let bytes = u64::from(width) * texel;
                within("texture", offset, bytes, memory.bytes)?;
                let linear = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_3 {
                    devPtr: memory.address + offset,
                    format: channel,
                    numChannels: channels,
                    sizeInBytes: bytes as usize,
                };
                let res = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 { linear };
                let kind = sys::CUresourcetype::CU_RESOURCE_TYPE_LINEAR;
                (sys::CUDA_RESOURCE_DESC { resType: kind, res, flags: 0 }, format)
            }
            Of::Pitched { buffer, offset, width, height, pitch } => {
                let memory = self.allocation(buffer)?;
                let row = u64::from(width) * texel;
                let rows = pitch.saturating_mul(u64::from(height).saturating_sub(1));
                within("texture", offset, rows.saturating_add(row), memory.bytes)?;
                let pitched = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 {
                    devPtr: memory.address + offset,
                    format: channel,
                    numChannels: channels,
                    width: width as usize,
                    height: height as usize,
                    pitchInBytes: pitch as usize,
                };
                let res = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 { pitch2D: pitched };
                let kind = sys::CUresourcetype::CU_RESOURCE_TYPE_PITCH2D;
                (sys::CUDA_RESOURCE_DESC { resType: kind, res, flags: 0 }, format)
            }
        })
    }
}

/// Gives a texture reference its memory.
fn set_resource(reference: sys::CUtexref, of: &sys::CUDA_RESOURCE_DESC) -> Result<()> {
    use sys::CUresourcetype::{
        CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_LINEAR, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
        CU_RESOURCE_TYPE_PITCH2D,
    };
    let format_of_array = sys::CU_TRSA_OVERRIDE_FORMAT;
    // SAFETY: the type says which field is set; the memory is ours, and the reference is of a module of ours.
    unsafe {
        match of.resType {
            CU_RESOURCE_TYPE_ARRAY => sys::cuTexRefSetArray(reference, of.res.array.hArray, format_of_array),
            CU_RESOURCE_TYPE_MIPMAPPED_ARRAY => {
                let array = of.res.mipmap.hMipmappedArray;
                sys::cuTexRefSetMipmappedArray(reference, array, format_of_array)
            }
            CU_RESOURCE_TYPE_LINEAR => {
                let linear = of.res.linear;
                sys::cuTexRefSetFormat(reference, linear.format, linear.numChannels as c_int)
                    .result()
                    .map_err(driver("cuTexRefSetFormat"))?;
                let mut offset = 0;
                sys::cuTexRefSetAddress_v2(&mut offset, reference, linear.devPtr, linear.sizeInBytes)
            }
            CU_RESOURCE_TYPE_PITCH2D => {
                let plane = of.res.pitch2D;
                let description = sys::CUDA_ARRAY_DESCRIPTOR {
                    Width: plane.width,
                    Height: plane.height,
                    Format: plane.format,
                    NumChannels: plane.numChannels,
                };
                sys::cuTexRefSetAddress2D_v3(reference, &description, plane.devPtr, plane.pitchInBytes)
            }
        }
    }
    .result()
    .map_err(driver("memory of a texture reference"))
}

/// Gives a texture reference its way of sampling.
fn set_sampler(reference: sys::CUtexref, of: &sys::CUDA_TEXTURE_DESC) -> Result<()> {
    let mut border = of.borderColor;
    // SAFETY: the reference is of a module of ours; the border is read.
    unsafe {
        let modes = (0..).zip(of.addressMode);
        let mut calls: Vec<sys::CUresult> =
            modes.map(|(dimension, mode)| sys::cuTexRefSetAddressMode(reference, dimension, mode)).collect();
        calls.extend([
            sys::cuTexRefSetFilterMode(reference, of.filterMode),
            sys::cuTexRefSetFlags(reference, of.flags),
            sys::cuTexRefSetBorderColor(reference, border.as_mut_ptr()),
            sys::cuTexRefSetMipmapFilterMode(reference, of.mipmapFilterMode),
            sys::cuTexRefSetMipmapLevelBias(reference, of.mipmapLevelBias),
            sys::cuTexRefSetMipmapLevelClamp(reference, of.minMipmapLevelClamp, of.maxMipmapLevelClamp),
        ]);
        calls.into_iter().try_for_each(sys::CUresult::result)
    }
    .map_err(driver("sampling of a texture reference"))
}

/// A resource of which no field is set: the driver reads reserved ones.
fn no_resource() -> sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 {
    sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 {
        reserved: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_5 { reserved: [0; 32] },
    }
}

fn of_mipmapped(array: sys::CUmipmappedArray) -> sys::CUDA_RESOURCE_DESC {
    let mut res = no_resource();
    res.mipmap = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_2 { hMipmappedArray: array };
    let kind = sys::CUresourcetype::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    sys::CUDA_RESOURCE_DESC { resType: kind, res, flags: 0 }
}

fn of_array(array: sys::CUarray) -> sys::CUDA_RESOURCE_DESC {
    let mut res = no_resource();
    res.array = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_1 { hArray: array };
    sys::CUDA_RESOURCE_DESC { resType: sys::CUresourcetype::CU_RESOURCE_TYPE_ARRAY, res, flags: 0 }
}

fn sampler(sampling: &Sampling, format: Format) -> sys::CUDA_TEXTURE_DESC {
    use sys::{CUaddress_mode as Mode, CUfilter_mode as Filter};
    let mode = |mode| match mode {
        AddressMode::Wrap => Mode::CU_TR_ADDRESS_MODE_WRAP,
        AddressMode::Clamp => Mode::CU_TR_ADDRESS_MODE_CLAMP,
        AddressMode::Mirror => Mode::CU_TR_ADDRESS_MODE_MIRROR,
        AddressMode::Border => Mode::CU_TR_ADDRESS_MODE_BORDER,
    };
    let as_integer = !sampling.normalised_float && !format.channel.is_float();
    let normalised = if sampling.normalised_coordinates { sys::CU_TRSF_NORMALIZED_COORDINATES } else { 0 };
    let filter =
        |linear| if linear { Filter::CU_TR_FILTER_MODE_LINEAR } else { Filter::CU_TR_FILTER_MODE_POINT };
    let [least, most] = sampling.mipmap.clamp.map(f32::from_bits);
    sys::CUDA_TEXTURE_DESC {
        addressMode: sampling.address.map(mode),
        filterMode: filter(sampling.linear),
        flags: normalised | if as_integer { sys::CU_TRSF_READ_AS_INTEGER } else { 0 },
        maxAnisotropy: 0,
        mipmapFilterMode: filter(sampling.mipmap.linear),
        mipmapLevelBias: f32::from_bits(sampling.mipmap.bias),
        minMipmapLevelClamp: least,
        maxMipmapLevelClamp: most,
        borderColor: sampling.border.map(f32::from_bits),
        reserved: [0; 12],
    }
}

fn same_size(memory: &ArrayMemory, bytes: usize) -> Result<()> {
    if bytes as u64 == memory.bytes {
        return Ok(());
    }
    let what = "array".to_owned();
    Err(simt::Error::OutOfRange { what, offset: 0, len: bytes as u64, bytes: memory.bytes }.into())
}

/// Copies all levels of an array from or to the host, where they lie one after the other without gaps: `copy` has the
/// host's side, the level's, and where both begin.
fn each_level(
    memory: &ArrayMemory,
    host: *mut u8,
    copy: impl Fn(Side, Side, Region, region::Extent) -> Result<()>,
) -> Result<()> {
    let mut offset = 0;
    for level in 0..memory.extent.levels.unwrap_or(1) {
        let extent = memory.extent.level(level);
        let [width, height, _] = extent.size.map(u64::from);
        let pitch = width * memory.format.bytes();
        let depth = depth_of(&extent).max(1) as u64;
        let at = Region { offset, pitch, height };
        let array = Side::Array(memory.level(level)?);
        copy(Side::Host(host), array, at, region::Extent { width: pitch, height, depth })?;
        offset += pitch * height * depth;
    }
    Ok(())
}
