//! Copies that the host waits for: in one piece, and of rows and slices.

use cudarc::driver::{result, sys};

use super::driver;
use crate::error::Result;
use crate::region::{Extent, Region};

/// Copies to the host from `address`, where as many bytes are ours.
pub(super) fn to_host(address: sys::CUdeviceptr, bytes: &mut [u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let call = format!("cuMemcpyDtoH of {} bytes", bytes.len());
    // SAFETY: as the caller checked; nothing is running.
    unsafe { result::memcpy_dtoh_sync(bytes, address) }.map_err(driver(call))
}

/// Copies to an address whose `bytes.len()` bytes the caller has checked to be ours.
pub(super) fn to_device(address: sys::CUdeviceptr, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let call = format!("cuMemcpyHtoD of {} bytes", bytes.len());
    // SAFETY: as the caller checked; nothing is running.
    unsafe { result::memcpy_htod_sync(address, bytes) }.map_err(driver(call.clone()))?;
    // From pageable memory the call may return before the last bytes have arrived.
    result::ctx::synchronize().map_err(driver(call))
}

/// One side of a copy of rows and slices, where the caller has checked all of them.
pub(super) enum Side {
    /// An array of the host, from its first byte on.
    Host(*mut u8),
    /// Memory of ours, from its first byte on.
    Device(sys::CUdeviceptr),
    /// All of an array of texels, which has no addresses: a region's fields mean nothing there.
    Array(sys::CUarray),
}

/// Fields of the driver's structure for a side: the kind of memory, and what names it in the field of that kind.
struct Parts {
    kind: sys::CUmemorytype,
    host: *mut u8,
    device: sys::CUdeviceptr,
    array: sys::CUarray,
}

impl Side {
    fn parts(&self, offset: u64) -> Parts {
        let none = Parts {
            kind: sys::CUmemorytype::CU_MEMORYTYPE_HOST,
            host: std::ptr::null_mut(),
            device: 0,
            array: std::ptr::null_mut(),
        };
        match *self {
            Side::Host(start) => Parts { host: start.wrapping_add(offset as usize), ..none },
            Side::Device(start) => {
                Parts { kind: sys::CUmemorytype::CU_MEMORYTYPE_DEVICE, device: start + offset, ..none }
            }
            Side::Array(array) => Parts { kind: sys::CUmemorytype::CU_MEMORYTYPE_ARRAY, array, ..none },
        }
    }
}

/// Copies rows and slices. A host's side that is copied from is only read.
///
/// # Safety
/// Every row of both regions lies in memory that may be read on the one side, and written on the other.
pub(super) unsafe fn rows(
    to: &Side,
    to_at: Region,
    from: &Side,
    from_at: Region,
    extent: Extent,
) -> Result<()> {
    let Extent { width, height, depth } = extent;
    let call = format!("cuMemcpy3D of {width} bytes by {height} rows by {depth} slices");
    let (from, to) = (from.parts(from_at.offset), to.parts(to_at.offset));
    // Sizes: each row lies in memory that is there, so they fit.
    let copy = sys::CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: from.kind,
        srcHost: from.host.cast(),
        srcDevice: from.device,
        srcArray: from.array,
        reserved0: std::ptr::null_mut(),
        srcPitch: from_at.pitch as usize,
        srcHeight: from_at.height as usize,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: to.kind,
        dstHost: to.host.cast(),
        dstDevice: to.device,
        dstArray: to.array,
        reserved1: std::ptr::null_mut(),
        dstPitch: to_at.pitch as usize,
        dstHeight: to_at.height as usize,
        WidthInBytes: width as usize,
        Height: height as usize,
        Depth: depth as usize,
    };
    // SAFETY: as the caller promises.
    unsafe { sys::cuMemcpy3D_v2(&copy) }.result().map_err(driver(call.clone()))?;
    // From pageable memory, and inside the device, the call may return before the last bytes have arrived.
    result::ctx::synchronize().map_err(driver(call))
}
