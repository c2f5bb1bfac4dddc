//! Memory of the device and of both sides: `cudaMalloc` and its relatives, and `cudaFree`.

use super::blocks::{Block, Owner};
use super::finding::{Kind, Rows, What};
use super::work::Work;
use super::{Answer, Call, Space, Status, low};
use crate::guest::Signal;
use crate::heap;
use device::{Buffer, SimtError};

/// Managed and pinned memory begins at multiples of this, as the driver's does at least, bytes.
pub(super) const ALIGNMENT: u64 = 512;

/// What the heap calls memory of both sides.
fn kind_of(owner: Owner) -> heap::Kind {
    if owner == Owner::Managed { heap::Kind::Managed } else { heap::Kind::Pinned }
}

impl Call<'_> {
    /// Notes a new block, and gives it a name for faults.
    pub(super) fn add(&mut self, owner: Owner, address: u64, bytes: u64, buffer: Option<Buffer>, flags: u32) {
        self.add_rows(owner, (address, bytes), buffer, flags, None);
    }

    fn add_rows(
        &mut self,
        owner: Owner,
        (address, bytes): (u64, u64),
        buffer: Option<Buffer>,
        flags: u32,
        rows: Option<Rows>,
    ) {
        let (call, site) = (self.name, self.site);
        let block = Block {
            owner,
            address,
            bytes,
            buffer,
            rows,
            flags,
            call,
            site,
            freed: None,
            copies: (0, None),
            in_graph: false,
            number: 0,
        };
        self.api.blocks.add(block);
        if let Some(buffer) = buffer {
            let name = self.api.blocks.at(address).map_or_else(String::new, Block::device_name);
            // A device that has no names for its memory needs none.
            let _ = self.api.device.name_buffer(buffer, &name);
            self.api.allocated += bytes;
        }
    }

    /// The device's answer to a request for memory.
    fn granted<T>(&mut self, bytes: u64, answer: device::Result<T>) -> Answer<T> {
        match answer {
            Ok(granted) => Ok(granted),
            Err(device::Error::Simt(SimtError::OutOfMemory { .. })) => {
                let free = self.api.chip.memory_bytes.saturating_sub(self.api.allocated);
                if bytes <= free {
                    // A chip would have given it: the program must not see what it never would.
                    let message = format!("{}: {bytes} bytes are more than this machine lends", self.name);
                    return Err(Signal::Limit(message).into());
                }
                // To ask for too much, and to ask for the error, is a way to learn how much there is.
                if bytes > self.api.chip.memory_bytes {
                    self.note(Kind::TooLarge { bytes, has: self.api.chip.memory_bytes });
                }
                Err(Status::MEMORY_ALLOCATION.into())
            }
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Allocates bytes of the device.
    pub(super) fn allocate(&mut self, to: u64, bytes: u64) -> Answer {
        let to = self.pointer(to, "devPtr")?;
        if bytes == 0 {
            self.put(to, 0u64.to_le_bytes())?;
            return Ok(0);
        }
        let answer = self.api.device.allocate(bytes);
        let buffer = self.granted(bytes, answer)?;
        let address = self.address(buffer)?;
        self.add(Owner::Device, address, bytes, Some(buffer), 0);
        self.put(to, address.to_le_bytes())?;
        Ok(0)
    }

    fn address(&mut self, buffer: Buffer) -> Answer {
        let address = self.api.device.address(buffer);
        address.map_err(|error| self.failed(error))
    }

    /// Allocates rows: their address and pitch.
    fn allocate_rows(&mut self, width: u64, height: u64, depth: u64) -> Answer<(u64, u64)> {
        let Some(rows) = height.checked_mul(depth) else { return Err(Status::MEMORY_ALLOCATION.into()) };
        if width == 0 || rows == 0 {
            return Ok((0, 0));
        }
        let bytes = width.checked_next_multiple_of(device::PITCH_ALIGNMENT).and_then(|n| n.checked_mul(rows));
        let Some(bytes) = bytes else { return Err(Status::MEMORY_ALLOCATION.into()) };
        let answer = self.api.device.allocate_pitched(width, rows, 4);
        let pitched = self.granted(bytes, answer)?;
        let address = self.address(pitched.buffer)?;
        let rows = Rows { pitch: pitched.pitch, width, height, depth };
        let place = (address, pitched.buffer.bytes());
        self.add_rows(Owner::Device, place, Some(pitched.buffer), 0, Some(rows));
        Ok((address, pitched.pitch))
    }

    /// Frees memory of the device, or of both sides.
    pub(super) fn release(&mut self, address: u64) -> Answer {
        let Some(block) = self.freeable(address, &[Owner::Device, Owner::Managed])? else { return Ok(0) };
        if block.owner == Owner::Managed {
            self.api.unmirror(address);
        }
        self.forget(&block)?;
        self.give_back(address, block.owner)?;
        Ok(0)
    }

    /// Gives memory of the host back to its heap, where it is from there.
    pub(super) fn give_back(&mut self, address: u64, owner: Owner) -> Answer<()> {
        if matches!(owner, Owner::Managed | Owner::Pinned) {
            // Its books say the same as ours.
            let _ = self.heap.free(self.guest, address, kind_of(owner), self.site)?;
        }
        Ok(())
    }

    /// Takes a block out of the books, and gives its memory back to the device.
    pub(super) fn forget(&mut self, block: &Block) -> Answer<()> {
        let Block { address, bytes, buffer, .. } = *block;
        self.api.blocks.free(address, self.site);
        self.api.pools.freed(address);
        self.api.accesses.forget(&(address..address.saturating_add(bytes)));
        if let Some(buffer) = buffer {
            self.api.allocated = self.api.allocated.saturating_sub(bytes);
            let freed = self.api.device.free(buffer);
            freed.map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// The block that a pointer is to be freed by; nothing for a null pointer.
    pub(super) fn freeable(&mut self, address: u64, owners: &[Owner]) -> Answer<Option<Block>> {
        if address == 0 {
            return Ok(None);
        }
        let right = |owner| match owner {
            Owner::Device | Owner::Managed => "cudaFree",
            Owner::Pinned => "cudaFreeHost",
            Owner::Registered => "cudaHostUnregister",
        };
        if let Some(block) = self.api.blocks.at(address).cloned() {
            let (memory, offset) = (block.memory(), address - block.address);
            if offset > 0 && offset < block.bytes {
                self.found(Kind::FreedInside { offset, memory });
                return Err(Status::INVALID_VALUE.into());
            }
            if offset == 0 && owners.contains(&block.owner) {
                return Ok(Some(block));
            }
            if offset == 0 {
                self.found(Kind::WrongFree { right: right(block.owner), memory });
                return Err(Status::INVALID_VALUE.into());
            }
        }
        if let Some(block) = self.api.blocks.freed_at(address).filter(|old| old.address == address) {
            let memory = block.memory();
            self.found(Kind::FreedTwice { memory });
            return Err(Status::INVALID_VALUE.into());
        }
        let memory = self.memory(address);
        let right = if memory.what == What::Heap { "free" } else { "" };
        self.found(Kind::WrongFree { right, memory });
        Err(Status::INVALID_VALUE.into())
    }
}

/// `cudaMalloc(devPtr, size)`.
pub(super) fn malloc(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.allocate(a[0], a[1])
}

/// `cudaMallocAsync(devPtr, size, stream)`: the memory is there from the call on.
pub(super) fn malloc_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let stream = call.stream(a[2])?;
    call.allocate_async(a[0], a[1], None, stream)
}

impl Call<'_> {
    /// Allocates from a pool on a stream. What a capture allocates is there as long as the program runs.
    pub(super) fn allocate_async(
        &mut self,
        to: u64,
        bytes: u64,
        pool: Option<usize>,
        stream: usize,
    ) -> Answer {
        let captured = self.is_captured(stream)?;
        let address = self.allocate_on(to, bytes, pool, stream)?;
        if captured {
            return self.record(stream, Work::Memory { address, ends: false });
        }
        Ok(0)
    }
}

/// `cudaMallocPitch(devPtr, pitch, width, height)`.
pub(super) fn malloc_pitch(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (to, pitch_to) = (call.pointer(a[0], "devPtr")?, call.pointer(a[1], "pitch")?);
    let (address, pitch) = call.allocate_rows(a[2], a[3], 1)?;
    call.put(to, address.to_le_bytes())?;
    call.put(pitch_to, pitch.to_le_bytes())?;
    Ok(0)
}

/// `cudaMalloc3D(pitchedDevPtr, extent)`.
pub(super) fn malloc_3d(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "pitchedDevPtr")?;
    let [width, height, depth] = call.words(a[1])?;
    let (address, pitch) = call.allocate_rows(width, height, depth)?;
    for (at, word) in (0..).zip([address, pitch, width, height]) {
        call.put(to.wrapping_add(8 * at), word.to_le_bytes())?;
    }
    Ok(0)
}

/// `cudaMallocManaged(devPtr, size, flags)`.
pub(super) fn malloc_managed(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "devPtr")?;
    let (bytes, flags) = (a[1], low(a[2]));
    if bytes == 0 || !(1..=2).contains(&flags) {
        return call.refuse(
            Status::INVALID_VALUE,
            if bytes == 0 { "size" } else { "flags" },
            format!("{} is not allowed here", if bytes == 0 { bytes } else { flags.into() }),
        );
    }
    let address = call.of_both(bytes, Owner::Managed, flags)?;
    call.put(to, address.to_le_bytes())?;
    Ok(0)
}

impl Call<'_> {
    /// Allocates memory with one address on both sides.
    pub(super) fn of_both(&mut self, bytes: u64, owner: Owner, flags: u32) -> Answer {
        let kind = kind_of(owner);
        // The driver's pages are new.
        let found = self.heap.allocate_zeroed(self.guest, bytes, ALIGNMENT, kind, self.site)?;
        let Some(address) = found else {
            let message = format!("{}: {bytes} bytes are more than the program's memory has left", self.name);
            return Err(Signal::Limit(message).into());
        };
        match self.share(address, bytes, owner, flags) {
            Ok(()) => Ok(address),
            Err(stop) => {
                self.give_back(address, owner)?;
                Err(stop)
            }
        }
    }

    /// Gives memory of the host to the device, too.
    pub(super) fn share(&mut self, address: u64, bytes: u64, owner: Owner, flags: u32) -> Answer<()> {
        let answer = self.api.device.allocate_at(address, bytes);
        let buffer = match answer {
            // Memory that only copies use needs no address on the device.
            Err(device::Error::Simt(SimtError::NoDeviceAddress(_))) if owner != Owner::Managed => None,
            Err(device::Error::Simt(SimtError::NoDeviceAddress(_))) => {
                let name = self.api.device.description().name.clone();
                let message = format!("{}: {name} gives no memory at an address of the host", self.name);
                return Err(Signal::Limit(message).into());
            }
            answer => Some(self.granted(bytes, answer)?),
        };
        self.add(owner, address, bytes, buffer, flags);
        if let Some(block) = self.api.blocks.at(address).cloned() {
            self.api.mirror(&block);
        }
        Ok(())
    }
}

/// `cudaFree(devPtr)`: the host waits for all that the device has to do.
pub(super) fn free(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.wait_for_all()?;
    call.release(a[0])
}

/// `cudaFreeAsync(devPtr, stream)`.
pub(super) fn free_async(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let stream = call.stream(a[1])?;
    if a[0] == 0 {
        return call.refuse(Status::INVALID_VALUE, "devPtr", "it is a null pointer");
    }
    if call.is_captured(stream)? {
        return call.end_in_graph(a[0], |call, work| call.record(stream, work));
    }
    // What others do to it must be done.
    call.order_memory(a[0], stream);
    call.release(a[0])
}

/// `cudaMemGetInfo(free, total)`.
pub(super) fn mem_get_info(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let (free_to, total_to) = (call.pointer(a[0], "free")?, call.pointer(a[1], "total")?);
    let total = call.api.chip.memory_bytes;
    let free = total.saturating_sub(call.api.allocated);
    call.put(free_to, free.to_le_bytes())?;
    call.put(total_to, total.to_le_bytes())?;
    Ok(0)
}

/// `cudaPointerGetAttributes(attributes, ptr)`.
pub(super) fn pointer_attributes(call: &mut Call<'_>, a: &[u64]) -> Answer {
    const UNREGISTERED: (u32, i32, bool, bool) = (0, -2, false, false);
    let to = call.pointer(a[0], "attributes")?;
    let (kind, device, on_device, on_host) = match call.space(a[1]) {
        Space::Device(_) | Space::Symbol(_) => (2, 0, true, false),
        Space::Both(block) if block.owner == Owner::Managed => (3, 0, true, true),
        Space::Both(_) => (1, 0, true, true),
        Space::Host | Space::Freed(_) | Space::Nowhere => UNREGISTERED,
    };
    let pointer = |there| if there { a[1] } else { 0 };
    call.put(to, u32::to_le_bytes(kind))?;
    call.put(to.wrapping_add(4), i32::to_le_bytes(device))?;
    call.put(to.wrapping_add(8), pointer(on_device).to_le_bytes())?;
    call.put(to.wrapping_add(16), pointer(on_host).to_le_bytes())?;
    for at in 0..8 {
        call.put(to.wrapping_add(24 + 8 * at), [0; 8])?;
    }
    Ok(0)
}

impl Call<'_> {
    /// Makes a node of the end of memory that a graph has allocated: it stays, as the graph may be launched again.
    pub(super) fn end_in_graph<T>(
        &mut self,
        address: u64,
        make: impl FnOnce(&mut Self, Work) -> Answer<T>,
    ) -> Answer<T> {
        let Some(block) = self.freeable(address, &[Owner::Device])? else {
            return self.refuse(Status::INVALID_VALUE, "devPtr", "it is a null pointer");
        };
        self.api.blocks.end_in_graph(block.address);
        make(self, Work::Memory { address, ends: true })
    }

    /// Gives back all that the program has of the device.
    pub(super) fn reset_all(&mut self) -> Answer<()> {
        let all: Vec<Block> = self.api.blocks.live().cloned().collect();
        for block in all {
            self.api.unmirror(block.address);
            self.forget(&block)?;
            self.give_back(block.address, block.owner)?;
        }
        self.free_arrays()?;
        self.api.streams.forget_all(self.site);
        self.api.events.forget_all(self.site);
        Ok(())
    }
}
