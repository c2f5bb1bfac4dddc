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
}

impl Side {
    /// Fields of the driver's structure: the kind of memory, and the address in the field of that kind.
    fn parts(&self, offset: u64) -> (sys::CUmemorytype, *mut u8, sys::CUdeviceptr) {
        match *self {
            Side::Host(start) => {
                (sys::CUmemorytype::CU_MEMORYTYPE_HOST, start.wrapping_add(offset as usize), 0)
            }
            Side::Device(start) => {
                (sys::CUmemorytype::CU_MEMORYTYPE_DEVICE, std::ptr::null_mut(), start + offset)
            }
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
    let (from_type, from_host, from_device) = from.parts(from_at.offset);
    let (to_type, to_host, to_device) = to.parts(to_at.offset);
    // Sizes: each row lies in memory that is there, so they fit.
    let copy = sys::CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: from_type,
        srcHost: from_host.cast(),
        srcDevice: from_device,
        srcArray: std::ptr::null_mut(),
        reserved0: std::ptr::null_mut(),
        srcPitch: from_at.pitch as usize,
        srcHeight: from_at.height as usize,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: to_type,
        dstHost: to_host.cast(),
        dstDevice: to_device,
        dstArray: std::ptr::null_mut(),
        reserved1: std::ptr::null_mut(),
        dstPitch: to_at.pitch as usize,
        dstHeight: to_at.height as usize,
        WidthInBytes: width as usize,
        Height: height as usize,
        Depth: depth as usize,
    };
    // SAFETY: as the caller promises.
    unsafe { sys::cuMemcpy3D_v2(&copy) }.result().map_err(driver(call.clone()))?;
    // From pageable memory, and inside of the device, the call may return before the last bytes have arrived.
    result::ctx::synchronize().map_err(driver(call))
}
