//! Arrays, textures and surfaces.

use cudarc::driver::{result, sys};
use simt::texture::{AddressMode, Channel, Dimension, Extent, Format, Resource as Of, Sampling};
use std::ffi::c_uint;
use std::sync::atomic::Ordering;

use super::{Gpu, NEXT, driver, refused};
use crate::error::Result;
use crate::handle::{Array, Resource, Surface, Texture};
use crate::region::within;

/// An array of ours.
pub(super) struct ArrayMemory {
    pub(super) array: sys::CUarray,
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

/// A side of a copy.
enum Side {
    Host(*mut u8),
    Array(sys::CUarray),
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
        let mut array = std::ptr::null_mut();
        let call = || format!("cuArray3DCreate of {extent:?} of {format:?}");
        // SAFETY: writes a handle; reads the description.
        unsafe { sys::cuArray3DCreate_v2(&mut array, &description) }
            .result()
            .map_err(|error| refused(error, bytes, call))?;
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        self.arrays.insert(id, Some(ArrayMemory { array, extent, format, bytes }));
        Ok(Array { id, bytes })
    }

    pub(super) fn give_array(&mut self, array: Array) -> Result<()> {
        self.bind()?;
        let kept = self.arrays.get_mut(&array.id).ok_or(simt::Error::ForeignHandle("array"))?;
        let memory = kept.take().ok_or(simt::Error::Freed)?;
        // SAFETY: the array was ours.
        unsafe { sys::cuArrayDestroy(memory.array) }.result().map_err(driver("cuArrayDestroy"))
    }

    pub(super) fn fill_array(&mut self, array: Array, bytes: &[u8]) -> Result<()> {
        self.bind()?;
        let memory = self.array(array)?;
        same_size(memory, bytes.len())?;
        // SAFETY: both have as many bytes; the host's side is only read.
        unsafe { copy(memory, &Side::Array(memory.array), &Side::Host(bytes.as_ptr().cast_mut())) }
    }

    pub(super) fn copy_array(&mut self, array: Array, bytes: &mut [u8]) -> Result<()> {
        self.bind()?;
        let memory = self.array(array)?;
        same_size(memory, bytes.len())?;
        // SAFETY: both have as many bytes.
        unsafe { copy(memory, &Side::Host(bytes.as_mut_ptr()), &Side::Array(memory.array)) }
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
        self.textures.push(handle);
        Ok(Texture { id: self.textures.len() - 1, handle })
    }

    pub(super) fn new_surface(&mut self, array: Array) -> Result<Surface> {
        self.bind()?;
        let description = of_array(self.array(array)?.array);
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
                (of_array(memory.array), memory.format)
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

fn of_array(array: sys::CUarray) -> sys::CUDA_RESOURCE_DESC {
    // All of it is zero that the array's own part does not cover: the driver reads reserved fields.
    let mut res = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 {
        reserved: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_5 { reserved: [0; 32] },
    };
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
        if sampling.linear { Filter::CU_TR_FILTER_MODE_LINEAR } else { Filter::CU_TR_FILTER_MODE_POINT };
    sys::CUDA_TEXTURE_DESC {
        addressMode: sampling.address.map(mode),
        filterMode: filter,
        flags: normalised | if as_integer { sys::CU_TRSF_READ_AS_INTEGER } else { 0 },
        maxAnisotropy: 0,
        mipmapFilterMode: Filter::CU_TR_FILTER_MODE_POINT,
        mipmapLevelBias: 0.0,
        minMipmapLevelClamp: 0.0,
        maxMipmapLevelClamp: 0.0,
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

/// Copies all of an array from or to the host.
///
/// # Safety
/// The host's side has as many bytes as the array, and may be read or written.
unsafe fn copy(memory: &ArrayMemory, to: &Side, from: &Side) -> Result<()> {
    let [width, height, _] = memory.extent.size.map(|n| n as usize);
    let row = width * memory.format.bytes() as usize;
    let depth = depth_of(&memory.extent).max(1);
    let parts = |side: &Side| match *side {
        Side::Host(start) => (sys::CUmemorytype::CU_MEMORYTYPE_HOST, start, std::ptr::null_mut()),
        Side::Array(array) => (sys::CUmemorytype::CU_MEMORYTYPE_ARRAY, std::ptr::null_mut(), array),
    };
    let ((from_type, from_host, from_array), (to_type, to_host, to_array)) = (parts(from), parts(to));
    let copy = sys::CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: from_type,
        srcHost: from_host.cast(),
        srcDevice: 0,
        srcArray: from_array,
        reserved0: std::ptr::null_mut(),
        srcPitch: row,
        srcHeight: height,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: to_type,
        dstHost: to_host.cast(),
        dstDevice: 0,
        dstArray: to_array,
        reserved1: std::ptr::null_mut(),
        dstPitch: row,
        dstHeight: height,
        WidthInBytes: row,
        Height: height,
        Depth: depth,
    };
    let call = format!("cuMemcpy3D of an array of {} bytes", memory.bytes);
    // SAFETY: as the caller promises.
    unsafe { sys::cuMemcpy3D_v2(&copy) }.result().map_err(driver(call.clone()))?;
    result::ctx::synchronize().map_err(driver(call))
}
