//! How many blocks of a kernel a multiprocessor has at a time.

use super::{Answer, Call, Status, low};

impl Call<'_> {
    /// Blocks of a number of threads, with dynamic shared memory.
    fn resident(&mut self, handle: u64, threads: u32, dynamic: u64) -> Answer {
        let known = self.kernel(handle)?;
        let of = self.attributes(&known)?;
        if threads == 0 || threads.cast_signed() < 0 {
            return self.refuse(Status::INVALID_VALUE, "blockSize", format!("{}", threads.cast_signed()));
        }
        let shared = of.shared_bytes.saturating_add(dynamic);
        let most = u64::from(self.api.chip.limits.shared_bytes_per_block);
        if threads > of.max_threads || shared > most {
            return Ok(0);
        }
        let warps = u64::from(threads).div_ceil(32);
        Ok(self.api.chip.resident_blocks(warps, shared, of.registers))
    }
}

/// `cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize, dynamicSMemSize, flags)`.
pub(super) fn max_active_blocks_with_flags(call: &mut Call<'_>, a: &[u64]) -> Answer {
    // cudaOccupancyDisableCachingOverride is 1.
    if low(a[4]) > 1 {
        return call.refuse(Status::INVALID_VALUE, "flags", format!("{:#x} has unknown bits", low(a[4])));
    }
    max_active_blocks(call, a)
}

/// `cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize, dynamicSMemSize)`.
pub(super) fn max_active_blocks(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "numBlocks")?;
    let blocks = call.resident(a[1], low(a[2]), a[3])?;
    call.put(to, low(blocks).to_le_bytes())?;
    Ok(0)
}

/// `cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, func, numBlocks, blockSize)`.
pub(super) fn available_shared(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "dynamicSmemSize")?;
    let known = call.kernel(a[1])?;
    let of = call.attributes(&known)?;
    let blocks = u64::from(low(a[2]));
    let limits = &call.api.chip.limits;
    if blocks == 0 || blocks > u64::from(limits.blocks) || low(a[3]) == 0 {
        return Err(Status::INVALID_VALUE.into());
    }
    let each = u64::from(limits.shared_bytes) / blocks;
    let each = each.min(u64::from(limits.shared_bytes_per_block) + u64::from(limits.shared_bytes_reserved));
    let left = each.saturating_sub(of.shared_bytes + u64::from(limits.shared_bytes_reserved));
    call.put(to, left.to_le_bytes())?;
    Ok(0)
}
