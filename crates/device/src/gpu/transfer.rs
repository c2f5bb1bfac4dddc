//! Times by the host's clock, of transfers and of allocations; and the driver's answers to mistakes.

use std::ffi::c_void;
use std::time::Instant;

use cudarc::driver::{DriverError, result, sys};

use super::copy::to_device;
use super::{Gpu, driver, text};
use crate::error::{Error, Result};
use crate::handle::Module;
use crate::step::{Mistake, TransferTime};
use simt::{Direction, HostMemory, Transfer};

/// Memory of the host for a transfer.
enum Host {
    Pageable(Vec<u8>),
    Pinned { start: *mut c_void, bytes: usize },
}

impl Host {
    /// Memory that holds ones: its pages are there.
    fn new(memory: HostMemory, bytes: u64) -> Result<Host> {
        let too_large = || Error::BadShape {
            message: format!("{bytes} bytes are more than this machine's memory can hold"),
        };
        let bytes = usize::try_from(bytes).map_err(|_| too_large())?;
        match memory {
            HostMemory::Pageable => {
                let mut all = Vec::new();
                all.try_reserve_exact(bytes).map_err(|_| too_large())?;
                all.resize(bytes, 1);
                Ok(Host::Pageable(all))
            }
            HostMemory::Pinned => {
                // SAFETY: a context is current.
                let start = match unsafe { result::malloc_host(bytes, 0) } {
                    Err(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => return Err(too_large()),
                    start => start.map_err(driver(format!("cuMemHostAlloc of {bytes} bytes")))?,
                };
                // SAFETY: that many bytes are ours from `start` on.
                unsafe { start.cast::<u8>().write_bytes(1, bytes) };
                Ok(Host::Pinned { start, bytes })
            }
        }
    }

    fn bytes(&mut self) -> &mut [u8] {
        match self {
            Host::Pageable(bytes) => bytes,
            // SAFETY: allocated with this size, written by `new`, and borrowed as `self` is.
            Host::Pinned { start, bytes } => unsafe { std::slice::from_raw_parts_mut(start.cast(), *bytes) },
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Host::Pinned { start, .. } = self {
            // SAFETY: allocated by `new`, and not shared.
            let _ = unsafe { result::free_host(*start) };
        }
    }
}

/// Device memory that is given back when dropped.
struct Scratch(sys::CUdeviceptr);

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: allocated for this alone.
        let _ = unsafe { result::free_sync(self.0) };
    }
}

fn nanoseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e9
}

impl Gpu {
    /// Times of a transfer, which moves at least a byte, between the host and separate memory or a module's variable.
    pub(super) fn transfer_times(
        &mut self,
        transfer: &Transfer,
        symbol: Option<(Module, &str)>,
        calls: u32,
    ) -> Result<Vec<TransferTime>> {
        self.bind()?;
        let scratch;
        let device = match symbol {
            Some((module, name)) => self.variable(module, name, 0, transfer.bytes)?,
            None => {
                scratch = Scratch(self.malloc(transfer.bytes)?);
                scratch.0
            }
        };
        let mut host = Host::new(transfer.memory, transfer.bytes)?;
        let host = host.bytes();
        let call = || format!("a transfer of {} bytes", transfer.bytes);
        let mut times = Vec::new();
        for _ in 0..calls {
            let begun = Instant::now();
            // SAFETY: at this address as many bytes are ours as the host's slice has.
            let copied = match transfer.direction {
                Direction::ToDevice => unsafe { result::memcpy_htod_sync(device, host) },
                Direction::ToHost => unsafe { result::memcpy_dtoh_sync(host, device) },
            };
            let returned = nanoseconds(begun);
            // From pageable memory the call may return before the last bytes have arrived.
            copied.and_then(|()| result::ctx::synchronize()).map_err(driver(call()))?;
            times.push(TransferTime { returned_ns: Some(returned), arrived_ns: nanoseconds(begun) });
        }
        Ok(times)
    }

    /// Times of `cuMemAlloc` and of `cuMemFree`.
    pub(super) fn allocation_times(&mut self, bytes: u64, calls: u32) -> Result<Vec<[f64; 2]>> {
        self.bind()?;
        let mut times = Vec::new();
        for _ in 0..calls {
            let begun = Instant::now();
            let address = self.malloc(bytes)?;
            let allocated = nanoseconds(begun);
            let begun = Instant::now();
            // SAFETY: allocated just now, for this alone.
            unsafe { result::free_sync(address) }.map_err(driver("cuMemFree"))?;
            times.push([allocated, nanoseconds(begun)]);
        }
        Ok(times)
    }

    /// The driver's answer to a mistake.
    pub(super) fn answer(&mut self, mistake: Mistake) -> Result<String> {
        const BYTES: u64 = 1024;
        self.bind()?;
        let answer = match mistake {
            Mistake::DoubleFree => {
                let address = self.malloc(BYTES)?;
                // SAFETY: allocated just now, for this alone; the driver finds in its own list whether an address is
                // there.
                unsafe { result::free_sync(address) }.map_err(driver("cuMemFree"))?;
                // SAFETY: as above; nothing was allocated since that could have this address.
                unsafe { result::free_sync(address) }
            }
            Mistake::OutOfMemory => {
                let bytes = usize::try_from(self.description.memory_bytes).unwrap_or(usize::MAX);
                // SAFETY: should there be as much, it is given back.
                unsafe { result::malloc_sync(bytes.saturating_add(1)) }.map(|address| drop(Scratch(address)))
            }
            Mistake::WrongDirection(memory) => {
                let device = Scratch(self.malloc(BYTES)?);
                to_device(device.0, &[2; BYTES as usize])?;
                let mut host = Host::new(memory, BYTES)?;
                let host = host.bytes();
                // SAFETY: the driver looks both addresses up before it copies, and refuses those that are not its own.
                // Pinned memory is its own, and both sides have that many bytes, which nothing else uses.
                let copied = unsafe {
                    sys::cuMemcpyHtoD_v2(
                        host.as_mut_ptr().addr() as sys::CUdeviceptr,
                        device.0 as *const c_void,
                        BYTES as usize,
                    )
                }
                .result()
                .and_then(|()| result::ctx::synchronize());
                if copied.is_ok() && host.iter().all(|byte| *byte == 2) {
                    return Ok(format!(
                        "{}: the device's bytes are in the host's memory",
                        Error::nothing_said()
                    ));
                }
                copied
            }
        };
        Ok(match answer {
            Ok(()) => Error::nothing_said(),
            Err(error) => text(error),
        })
    }
}
