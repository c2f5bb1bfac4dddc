//! The device as the host asks for it, errors, limits and preferences.

use super::properties::{attribute, properties};
use super::{Answer, Call, Status, low};
use crate::guest::Signal;
use crate::heap;

/// CUDA's version that this is.
const VERSION: i32 = 13_000;

/// Limits by their number, with what they are at the start; `cudaLimitStackSize` to `cudaLimitPersistingL2CacheSize`.
const LIMITS: [u64; 7] = [1024, 1 << 20, 8 << 20, 2, 2048, 64, 0];

impl Call<'_> {
    /// Checks a device's number.
    pub(super) fn ordinal(&mut self, device: u64) -> Answer<()> {
        match low(device) {
            0 => Ok(()),
            // Programs ask for devices that may be there.
            _ => Err(Status::INVALID_DEVICE.into()),
        }
    }

    fn put_int(&mut self, to: u64, parameter: &'static str, value: i32) -> Answer {
        let to = self.pointer(to, parameter)?;
        self.put(to, value.to_le_bytes())?;
        Ok(0)
    }
}

/// `cudaGetDeviceCount(count)`.
pub(super) fn count(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.put_int(a[0], "count", 1)
}

/// `cudaGetDevice(device)`.
pub(super) fn get(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.put_int(a[0], "device", 0)
}

/// `cudaSetDevice(device)`.
pub(super) fn set(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[0])?;
    Ok(0)
}

/// `cudaInitDevice(device, deviceFlags, flags)`.
pub(super) fn init(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[0])?;
    Ok(0)
}

/// `cudaChooseDevice(device, prop)`.
pub(super) fn choose(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.pointer(a[1], "prop")?;
    call.put_int(a[0], "device", 0)
}

/// `cudaGetDeviceProperties(prop, device)`.
pub(super) fn get_properties(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "prop")?;
    call.ordinal(a[1])?;
    let bytes = properties(&call.api.chip);
    call.guest.write(to, &bytes)?;
    Ok(0)
}

/// `cudaDeviceGetAttribute(value, attr, device)`.
pub(super) fn get_attribute(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "value")?;
    call.ordinal(a[2])?;
    match attribute(&call.api.chip, low(a[1])) {
        Some(value) => {
            call.put(to, value.to_le_bytes())?;
            Ok(0)
        }
        None => Err(Status::INVALID_VALUE.into()),
    }
}

/// `cudaDeviceSynchronize()`, and its old name `cudaThreadSynchronize`.
pub(super) fn synchronize(call: &mut Call<'_>, _: &[u64]) -> Answer {
    call.wait_for_all()?;
    Ok(0)
}

/// `cudaDeviceReset()`: all memory of the device is freed, and streams and events are destroyed.
pub(super) fn reset(call: &mut Call<'_>, _: &[u64]) -> Answer {
    call.wait_for_all()?;
    call.reset_all()?;
    Ok(0)
}

/// `cudaDeviceSetLimit(limit, value)`.
pub(super) fn set_limit(call: &mut Call<'_>, a: &[u64]) -> Answer {
    match low(a[0]) {
        3 => Err(Status::UNSUPPORTED_LIMIT.into()),
        limit if (limit as usize) < LIMITS.len() => {
            call.api.limits.insert(limit, a[1]);
            Ok(0)
        }
        other => call.refuse(Status::UNSUPPORTED_LIMIT, "limit", format!("{other} is not one")),
    }
}

/// `cudaDeviceGetLimit(pValue, limit)`.
pub(super) fn get_limit(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "pValue")?;
    let limit = low(a[1]);
    let Some(first) = LIMITS.get(limit as usize).filter(|_| limit != 3) else {
        return Err(Status::UNSUPPORTED_LIMIT.into());
    };
    let value = call.api.limits.get(&limit).unwrap_or(first);
    call.put(to, value.to_le_bytes())?;
    Ok(0)
}

/// `cudaDeviceSetCacheConfig(cacheConfig)`: a preference, which no chip since Volta keeps to.
pub(super) fn set_cache_config(call: &mut Call<'_>, a: &[u64]) -> Answer {
    match low(a[0]) {
        0..=3 => Ok(0),
        other => call.refuse(Status::INVALID_VALUE, "cacheConfig", format!("{other} is not one")),
    }
}

/// `cudaDeviceGetCacheConfig(pCacheConfig)`.
pub(super) fn get_cache_config(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.put_int(a[0], "pCacheConfig", 0)
}

/// `cudaDeviceSetSharedMemConfig(config)`.
pub(super) fn set_shared_config(call: &mut Call<'_>, a: &[u64]) -> Answer {
    match low(a[0]) {
        0..=2 => Ok(0),
        other => call.refuse(Status::INVALID_VALUE, "config", format!("{other} is not one")),
    }
}

/// `cudaDeviceGetSharedMemConfig(pConfig)`: banks of four bytes, on every chip since Maxwell.
pub(super) fn get_shared_config(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.put_int(a[0], "pConfig", 1)
}

/// `cudaSetDeviceFlags(flags)`.
pub(super) fn set_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    /// `cudaDeviceMask`.
    const MASK: u32 = 0xff;
    if low(a[0]) & !MASK != 0 {
        return call.refuse(Status::INVALID_VALUE, "flags", format!("{:#x} has unknown bits", low(a[0])));
    }
    call.api.flags = low(a[0]);
    Ok(0)
}

/// `cudaGetDeviceFlags(flags)`.
pub(super) fn get_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    /// `cudaDeviceMapHost`: pinned memory is always mapped.
    const MAP_HOST: u32 = 8;
    let flags = (call.api.flags | MAP_HOST).cast_signed();
    call.put_int(a[0], "flags", flags)
}

/// `cudaDriverGetVersion(driverVersion)` and `cudaRuntimeGetVersion(runtimeVersion)`.
pub(super) fn version(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.put_int(a[0], "version", VERSION)
}

/// `cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority)`.
pub(super) fn priority_range(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (least, greatest) = super::stream_calls::PRIORITIES;
    for (to, value) in [(a[0], least), (a[1], greatest)] {
        if to != 0 {
            call.put(to, value.to_le_bytes())?;
        }
    }
    Ok(0)
}

/// `cudaDeviceCanAccessPeer(canAccessPeer, device, peerDevice)`: a device is not its own peer.
pub(super) fn can_access_peer(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[1])?;
    call.ordinal(a[2])?;
    call.put_int(a[0], "canAccessPeer", 0)
}

/// `cudaDeviceEnablePeerAccess(peerDevice, flags)`: a device is not its own peer.
pub(super) fn enable_peer_access(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[0])?;
    Err(Status::PEER_ACCESS_UNSUPPORTED.into())
}

/// `cudaDeviceDisablePeerAccess(peerDevice)`.
pub(super) fn disable_peer_access(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[0])?;
    Err(Status::PEER_ACCESS_NOT_ENABLED.into())
}

/// `cudaDeviceGetP2PAttribute(value, attr, srcDevice, dstDevice)`: there are no two devices.
pub(super) fn peer_attribute(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.pointer(a[0], "value")?;
    Err(Status::INVALID_DEVICE.into())
}

/// `cudaDeviceGetByPCIBusId(device, pciBusId)`.
pub(super) fn by_pci_bus_id(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let id = call.pointer(a[1], "pciBusId")?;
    let text = call.guest.read_text(id)?;
    match [&b"0000:00:00.0"[..], b"00:00.0", b"0000:00:00", b"00:00"].contains(&&*text) {
        true => call.put_int(a[0], "device", 0),
        false if is_pci_bus_id(&text) => Err(Status::INVALID_DEVICE.into()),
        // As an H200's runtime has it.
        false => Err(Status::INVALID_VALUE.into()),
    }
}

/// Whether a text is `domain:bus:device.function` in hexadecimal digits, with or without its first and last part.
fn is_pci_bus_id(text: &[u8]) -> bool {
    let parts: Vec<&[u8]> = text.split(|byte| matches!(byte, b':' | b'.')).collect();
    (2..=4).contains(&parts.len())
        && parts.iter().all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_hexdigit))
}

/// `cudaDeviceGetPCIBusId(pciBusId, len, device)`.
pub(super) fn pci_bus_id(call: &mut Call<'_>, a: &[u64]) -> Answer {
    const ID: &[u8] = b"0000:00:00.0\0";
    let to = call.pointer(a[0], "pciBusId")?;
    call.ordinal(a[2])?;
    if (low(a[1]) as usize) < ID.len() {
        return call.refuse(Status::INVALID_VALUE, "len", format!("{} is too short", low(a[1])));
    }
    call.guest.write(to, ID)?;
    Ok(0)
}

/// `cudaProfilerStart()` and `cudaProfilerStop()`: all is in the profile.
pub(super) fn profiler(_: &mut Call<'_>, _: &[u64]) -> Answer {
    Ok(0)
}

/// `cudaGetLastError()`: the last error of any call, which is forgotten.
pub(super) fn last_error(call: &mut Call<'_>, _: &[u64]) -> Answer {
    let last = call.api.errors.last.take().unwrap_or(Status::SUCCESS);
    call.looked_at();
    call.api.errors.launch = None;
    Ok(last.0.into())
}

/// `cudaPeekAtLastError()`.
pub(super) fn peek_error(call: &mut Call<'_>, _: &[u64]) -> Answer {
    call.looked_at();
    call.api.errors.launch = None;
    Ok(call.api.errors.last.unwrap_or(Status::SUCCESS).0.into())
}

/// `cudaGetErrorName(error)`: the address of the name.
pub(super) fn error_name(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let name = Status(low(a[0])).name().unwrap_or(super::status::UNRECOGNIZED);
    call.text(name)
}

/// `cudaGetErrorString(error)`: the address of the text.
pub(super) fn error_string(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.text(Status(low(a[0])).text())
}

impl Call<'_> {
    /// A text in the program's memory, where it stays.
    fn text(&mut self, text: &'static str) -> Answer {
        self.looked_at();
        if let Some(address) = self.api.texts.get(text) {
            return Ok(*address);
        }
        let bytes = text.len() as u64 + 1;
        let found = self.heap.allocate_zeroed(self.guest, bytes, 0, heap::Kind::Library, self.site)?;
        let Some(address) = found else {
            return Err(Signal::Limit(format!("{}: the program's memory is full", self.name)).into());
        };
        self.guest.write(address, text.as_bytes())?;
        self.api.texts.insert(text, address);
        Ok(address)
    }

    /// The program has asked for an error.
    fn looked_at(&mut self) {
        self.api.errors.unseen.clear();
    }
}
