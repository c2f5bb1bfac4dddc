//! Pools of memory: where `cudaMallocAsync` allocates.
//!
//! Enters: handles and attributes. Leaves: how much of a pool is used and reserved, as the driver counts it: it reserves memory in
//! pieces of 32 MiB, and keeps what is free up to the release threshold when the host waits.

use super::blocks::Owner;
use super::finding::Kind;
use super::streams::Engine;
use super::{Answer, Call, Status, low};
use crate::guest::Site;
use std::collections::BTreeMap;

/// Handles of pools: their number after these bits, which no address has.
const HANDLES: u64 = 0x8007_0000_0000_0000;
/// What a pool reserves at a time, bytes.
const PIECE: u64 = 32 << 20;
/// Numbers of `cudaMemPoolAttr`.
const THRESHOLD: u32 = 4;
const RESERVED: u32 = 5;
const RESERVED_HIGH: u32 = 6;
const USED: u32 = 7;
const USED_HIGH: u32 = 8;

/// A pool.
#[derive(Clone, Debug)]
struct Pool {
    used: u64,
    used_high: u64,
    reserved: u64,
    reserved_high: u64,
    threshold: u64,
    /// The attributes about reuse, which change nothing here.
    reuse: [u32; 3],
    destroyed: Option<Site>,
}

impl Default for Pool {
    fn default() -> Self {
        Pool {
            used: 0,
            used_high: 0,
            reserved: 0,
            reserved_high: 0,
            threshold: 0,
            reuse: [1; 3],
            destroyed: None,
        }
    }
}

impl Pool {
    fn release(&mut self, keep: u64) {
        let keep = keep.max(self.used).checked_next_multiple_of(PIECE).unwrap_or(u64::MAX);
        self.reserved = self.reserved.min(keep);
    }
}

/// All pools: the first is the default one.
#[derive(Debug)]
pub(super) struct Pools {
    all: Vec<Pool>,
    current: usize,
    /// Where the live allocations are from.
    of: BTreeMap<u64, (usize, u64)>,
}

impl Default for Pools {
    fn default() -> Self {
        Pools { all: vec![Pool::default()], current: 0, of: BTreeMap::new() }
    }
}

impl Pools {
    fn allocated(&mut self, pool: usize, address: u64, bytes: u64) {
        self.of.insert(address, (pool, bytes));
        let of = &mut self.all[pool];
        of.used += bytes;
        of.used_high = of.used_high.max(of.used);
        of.reserved = of.reserved.max(of.used.next_multiple_of(PIECE));
        of.reserved_high = of.reserved_high.max(of.reserved);
    }

    /// An allocation has been freed.
    pub(super) fn freed(&mut self, address: u64) {
        if let Some((pool, bytes)) = self.of.remove(&address) {
            self.all[pool].used -= bytes;
        }
    }

    /// The host has waited: what is above a threshold is given back.
    pub(super) fn settle(&mut self) {
        self.all.iter_mut().for_each(|pool| pool.release(pool.threshold));
    }
}

impl Call<'_> {
    fn pool(&mut self, handle: u64) -> Answer<usize> {
        let at = (handle ^ HANDLES) as usize;
        match self.api.pools.all.get(at) {
            Some(pool) if pool.destroyed.is_none() => Ok(at),
            found => {
                let destroyed = found.and_then(|pool| pool.destroyed);
                self.found(Kind::BadHandle { what: "memory pool", destroyed });
                Err(Status::INVALID_VALUE.into())
            }
        }
    }

    fn put_pool(&mut self, to: u64, pool: usize) -> Answer {
        let to = self.pointer(to, "memPool")?;
        self.put(to, (HANDLES | pool as u64).to_le_bytes())?;
        Ok(0)
    }

    /// Allocates on a stream: what another one does with the memory has to come after that.
    pub(super) fn allocate_on(
        &mut self,
        to: u64,
        bytes: u64,
        pool: Option<usize>,
        stream: usize,
    ) -> Answer<u64> {
        let to = self.pointer(to, "devPtr")?;
        if bytes == 0 {
            return self.refuse(Status::INVALID_VALUE, "size", "it is 0");
        }
        self.allocate(to, bytes)?;
        let address = self.get_u64(to)?;
        let pool = pool.unwrap_or(self.api.pools.current);
        self.api.pools.allocated(pool, address, bytes);
        self.order_memory(address, stream);
        Ok(address)
    }

    /// Orders what others do to memory with an operation of a stream that makes or ends it.
    pub(super) fn order_memory(&mut self, address: u64, stream: usize) {
        let Some(block) = self.api.blocks.at(address).filter(|block| block.owner == Owner::Device) else {
            return;
        };
        let range = block.address..block.address.saturating_add(block.bytes);
        let access = self.access(stream, true);
        let placed = self.api.streams.enqueue(stream, Engine::None, 0.0);
        self.touch_range(range, &access, placed.stamp, &placed.clock);
    }
}

/// `cudaMallocFromPoolAsync(ptr, size, memPool, stream)`.
pub(super) fn malloc_from(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let pool = call.pool(a[2])?;
    let stream = call.stream(a[3])?;
    call.allocate_async(a[0], a[1], Some(pool), stream)
}

/// `cudaDeviceGetDefaultMemPool(memPool, device)`.
pub(super) fn default_pool(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[1])?;
    call.put_pool(a[0], 0)
}

/// `cudaDeviceGetMemPool(memPool, device)`.
pub(super) fn current_pool(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[1])?;
    call.put_pool(a[0], call.api.pools.current)
}

/// `cudaDeviceSetMemPool(device, memPool)`.
pub(super) fn set_pool(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.ordinal(a[0])?;
    call.api.pools.current = call.pool(a[1])?;
    Ok(0)
}

/// `cudaMemPoolCreate(memPool, poolProps)`.
pub(super) fn create(call: &mut Call<'_>, a: &[u64]) -> Answer {
    /// `cudaMemAllocationTypePinned`; and `cudaMemLocationTypeDevice`.
    const PINNED: u32 = 1;
    const DEVICE: u32 = 1;
    let properties = call.pointer(a[1], "poolProps")?;
    let word = |call: &Call<'_>, offset: u64| call.get_u32(properties.wrapping_add(offset));
    let (kind, handles) = (word(call, 0)?, word(call, 4)?);
    let (location, id) = (word(call, 8)?, word(call, 12)?);
    if kind != PINNED {
        return call.refuse(
            Status::INVALID_VALUE,
            "poolProps",
            "`allocType` must be `cudaMemAllocationTypePinned`",
        );
    }
    if handles != 0 {
        let why = "there are no other processes to share handles with: use `cudaMemHandleTypeNone`";
        return call.refuse(Status::NOT_SUPPORTED, "poolProps", why);
    }
    if (location, id) != (DEVICE, 0) {
        let why = "`location` must be the device, of type `cudaMemLocationTypeDevice` with number 0";
        return call.refuse(Status::INVALID_VALUE, "poolProps", why);
    }
    call.api.pools.all.push(Pool::default());
    call.put_pool(a[0], call.api.pools.all.len() - 1)
}

/// `cudaMemPoolDestroy(memPool)`: what was allocated from it stays.
pub(super) fn destroy(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let pool = call.pool(a[0])?;
    if pool == 0 {
        return call.refuse(Status::INVALID_VALUE, "memPool", "the default pool cannot be destroyed");
    }
    let pools = &mut call.api.pools;
    pools.all[pool].destroyed = Some(call.site);
    if pools.current == pool {
        pools.current = 0;
    }
    Ok(0)
}

/// `cudaMemPoolTrimTo(memPool, minBytesToKeep)`.
pub(super) fn trim(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let pool = call.pool(a[0])?;
    call.api.pools.all[pool].release(a[1]);
    Ok(0)
}

/// `cudaMemPoolSetAttribute(memPool, attr, value)`.
pub(super) fn set_attribute(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let pool = call.pool(a[0])?;
    let at = call.pointer(a[2], "value")?;
    match low(a[1]) {
        attribute @ 1..=3 => {
            let value = call.get_u32(at)?;
            call.api.pools.all[pool].reuse[attribute as usize - 1] = value;
        }
        THRESHOLD => call.api.pools.all[pool].threshold = call.get_u64(at)?,
        attribute @ (RESERVED_HIGH | USED_HIGH) => {
            if call.get_u64(at)? != 0 {
                return call.refuse(Status::INVALID_VALUE, "value", "high watermarks can only be set to 0");
            }
            let of = &mut call.api.pools.all[pool];
            match attribute {
                USED_HIGH => of.used_high = of.used,
                _ => of.reserved_high = of.reserved,
            }
        }
        other => return call.refuse(Status::INVALID_VALUE, "attr", format!("{other} cannot be set")),
    }
    Ok(0)
}

/// `cudaMemPoolGetAttribute(memPool, attr, value)`.
pub(super) fn get_attribute(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let pool = call.pool(a[0])?;
    let to = call.pointer(a[2], "value")?;
    let of = &call.api.pools.all[pool];
    let value = match low(a[1]) {
        attribute @ 1..=3 => {
            let value = of.reuse[attribute as usize - 1];
            call.put(to, value.to_le_bytes())?;
            return Ok(0);
        }
        THRESHOLD => of.threshold,
        RESERVED => of.reserved,
        RESERVED_HIGH => of.reserved_high,
        USED => of.used,
        USED_HIGH => of.used_high,
        other => return call.refuse(Status::INVALID_VALUE, "attr", format!("{other} is not one")),
    };
    call.put(to, value.to_le_bytes())?;
    Ok(0)
}

/// Bytes of a `cudaMemAccessDesc`, and `cudaMemAccessFlagsProtReadWrite`.
const ACCESS_BYTES: u64 = 12;
const READ_WRITE: u32 = 3;

/// `cudaMemPoolSetAccess(memPool, descList, count)`: the one device has all rights.
pub(super) fn set_access(call: &mut Call<'_>, a: &[u64]) -> Answer {
    call.pool(a[0])?;
    for n in 0..a[2] {
        let at = a[1].wrapping_add(ACCESS_BYTES * n);
        if call.get_u32(at)? == 1 {
            let device = call.get_u32(at.wrapping_add(4))?;
            call.ordinal(device.into())?;
        }
    }
    Ok(0)
}

/// `cudaMemPoolGetAccess(flags, memPool, location)`.
pub(super) fn get_access(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "flags")?;
    call.pool(a[1])?;
    call.put(to, READ_WRITE.to_le_bytes())?;
    Ok(0)
}
