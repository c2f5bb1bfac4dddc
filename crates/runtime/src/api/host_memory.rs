//! The host's memory that the device knows: pinned, registered, and advice on managed memory.

use super::blocks::Owner;
use super::finding::Kind;
use super::{Answer, Call, Space, Status, low};

/// `cudaHostAllocDefault` to `cudaHostAllocWriteCombined`, all together.
const HOST_FLAGS: u32 = 7;

impl Call<'_> {
    fn pinned(&mut self, to: u64, bytes: u64, flags: u32) -> Answer {
        let to = self.pointer(to, "ptr")?;
        if flags & !HOST_FLAGS != 0 {
            return self.refuse(Status::INVALID_VALUE, "flags", format!("{flags:#x} has unknown bits"));
        }
        let address = if bytes == 0 { 0 } else { self.of_both(bytes, Owner::Pinned, flags)? };
        self.put(to, address.to_le_bytes())?;
        Ok(0)
    }

    /// Checks that a range is managed memory.
    fn managed(&mut self, address: u64, bytes: u64) -> Answer<()> {
        match self.space(address) {
            Space::Both(block) if block.owner == Owner::Managed => self.check_within(None, address, bytes),
            _ => {
                let why = format!("{address:#x} is not an address of managed memory");
                self.refuse(Status::INVALID_VALUE, "devPtr", why)
            }
        }
    }
}

/// `cudaMallocHost(ptr, size)`, and with flags as the template has it.
pub(super) fn malloc_host(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.pinned(a[0], a[1], 0)
}

/// `cudaHostAlloc(pHost, size, flags)`.
pub(super) fn host_alloc(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.pinned(a[0], a[1], low(a[2]))
}

/// `cudaFreeHost(ptr)`: the host waits for all that the device has to do.
pub(super) fn free_host(call: &mut Call<'_>, a: &[u64]) -> Answer {
    if let Some(block) = call.api.blocks.at(a[0]).filter(|block| block.owner == Owner::Pinned) {
        let range = block.address..block.address.saturating_add(block.bytes);
        call.api.lost_copies(range, Some(call.site));
    }
    call.wait_for_all()?;
    let Some(block) = call.freeable(a[0], &[Owner::Pinned])? else { return Ok(0) };
    call.api.unmirror(block.address);
    call.forget(&block)?;
    call.give_back(block.address, block.owner)?;
    Ok(0)
}

/// `cudaHostRegister(ptr, size, flags)`.
pub(super) fn host_register(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let [address, bytes, flags] = [a[0], a[1], a[2]];
    if address == 0 || bytes == 0 || low(flags) & !0xf != 0 {
        let (parameter, why) = match (address, bytes) {
            (0, _) => ("ptr", "it is a null pointer"),
            (_, 0) => ("size", "it is 0"),
            _ => ("flags", "they have unknown bits"),
        };
        return call.refuse(Status::INVALID_VALUE, parameter, why);
    }
    match call.space(address) {
        Space::Host => {}
        Space::Both(_) => return Err(Status::HOST_MEMORY_ALREADY_REGISTERED.into()),
        Space::Device(_) | Space::Symbol(_) | Space::Freed(_) | Space::Nowhere => {
            let memory = call.memory(address);
            call.found(Kind::DevicePointerOnHost { parameter: "ptr", address, memory });
            return Err(Status::INVALID_VALUE.into());
        }
    }
    if address.checked_add(bytes).is_none_or(|end| end > call.guest.end()) {
        return call.refuse(Status::INVALID_VALUE, "size", "the program does not have as much memory there");
    }
    let end = address + bytes;
    if call.api.blocks.live().any(|block| block.address < end && address < block.address + block.bytes) {
        return Err(Status::HOST_MEMORY_ALREADY_REGISTERED.into());
    }
    call.share(address, bytes, Owner::Registered, low(flags))?;
    Ok(0)
}

/// `cudaHostUnregister(ptr)`.
pub(super) fn host_unregister(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.wait_for_all()?;
    let found = call.api.blocks.at(a[0]).filter(|block| block.owner == Owner::Registered).cloned();
    match found {
        Some(block) if block.address == a[0] => {
            call.api.unmirror(block.address);
            call.forget(&block)?;
            Ok(0)
        }
        _ if a[0] == 0 => call.refuse(Status::INVALID_VALUE, "ptr", "it is a null pointer"),
        _ => Err(Status::HOST_MEMORY_NOT_REGISTERED.into()),
    }
}

/// `cudaHostGetDevicePointer(pDevice, pHost, flags)`.
pub(super) fn host_get_device_pointer(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "pDevice")?;
    if low(a[2]) != 0 {
        return call.refuse(Status::INVALID_VALUE, "flags", "they must be 0");
    }
    match call.space(a[1]) {
        Space::Both(block) if block.owner != Owner::Managed => {
            call.put(to, a[1].to_le_bytes())?;
            Ok(0)
        }
        _ => call.refuse(Status::INVALID_VALUE, "pHost", "it is not an address of pinned memory"),
    }
}

/// `cudaHostGetFlags(pFlags, pHost)`.
pub(super) fn host_get_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    /// All pinned memory is mapped.
    const MAPPED: u32 = 2;
    let to = call.pointer(a[0], "pFlags")?;
    match call.space(a[1]) {
        Space::Both(block) if block.owner == Owner::Pinned => {
            call.put(to, (block.flags | MAPPED).to_le_bytes())?;
            Ok(0)
        }
        _ => call.refuse(Status::INVALID_VALUE, "pHost", "it is not an address of pinned memory"),
    }
}

/// `cudaMemPrefetchAsync(devPtr, count, location, flags, stream)`: where managed memory is makes no difference here.
pub(super) fn prefetch(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.stream(a[4])?;
    check_location(call, a[2])?;
    call.managed(a[0], a[1])?;
    Ok(0)
}

/// `cudaMemAdvise(devPtr, count, advice, location)`.
pub(super) fn advise(call: &mut Call<'_>, a: &[u64]) -> Answer {
    if !(1..=6).contains(&low(a[2])) {
        return call.refuse(Status::INVALID_VALUE, "advice", format!("{} is not one", low(a[2])));
    }
    if low(a[2]) >= 3 {
        check_location(call, a[3])?;
    }
    if a[1] == 0 {
        return call.refuse(Status::INVALID_VALUE, "count", "it is 0");
    }
    call.managed(a[0], a[1])?;
    Ok(0)
}

/// Checks a `cudaMemLocation`, by its address.
fn check_location(call: &mut Call<'_>, at: u64) -> Answer<()> {
    let (kind, id) = (call.get_u32(at)?, call.get_u32(at.wrapping_add(4))?);
    match kind {
        1 if id != 0 => call.refuse(Status::INVALID_DEVICE, "location", "there is one device, number 0"),
        1..=4 => Ok(()),
        _ => call.refuse(Status::INVALID_VALUE, "location", format!("{kind} is not a type of location")),
    }
}

/// `cudaStreamAttachMemAsync(stream, devPtr, length, flags)`.
pub(super) fn attach(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.stream(a[0])?;
    // Global, host, single.
    if ![1, 2, 4].contains(&low(a[3])) {
        return call.refuse(
            Status::INVALID_VALUE,
            "flags",
            format!("{:#x} is none of its values", low(a[3])),
        );
    }
    call.managed(a[1], a[2])?;
    Ok(0)
}
