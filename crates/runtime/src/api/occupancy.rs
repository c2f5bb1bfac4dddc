//! How many blocks of a kernel a multiprocessor has at a time, and how many clusters of blocks a device.

use device::{Chip, KernelAttributes};

use super::{Answer, Call, Status, low};

/// Blocks of a cluster on every chip that has clusters (CUDA C++ Programming Guide, "Thread Block Clusters").
const CLUSTER_BLOCKS: u64 = 8;
/// Blocks of clusters that a multiprocessor has at a time, however small they are: an H200's answers, CUDA 13.0.
const MOST_OF_CLUSTERS: u64 = 8;
/// Multiprocessors of each group that takes a cluster whole or not at all (the GPCs of NVIDIA's H100 white paper), for clusters of
/// more than two blocks. Modelled: these explain what the function answered on one H200 with 132 to within one cluster, for sizes of 2 to
/// 8 and 1 to 8 blocks a multiprocessor. Where its defects leave other multiprocessors, a chip has others.
const GROUPS: [u64; 8] = [16, 16, 16, 16, 16, 16, 16, 12];

impl Call<'_> {
    /// Blocks of a number of threads, with dynamic shared memory.
    fn resident(&mut self, handle: u64, threads: u32, dynamic: u64) -> Answer {
        let known = self.kernel(handle)?;
        let of = self.attributes(&known)?;
        if threads == 0 || threads.cast_signed() < 0 {
            return self.refuse(Status::INVALID_VALUE, "blockSize", format!("{}", threads.cast_signed()));
        }
        Ok(self.room(&of, u64::from(threads), dynamic))
    }

    /// Blocks that a multiprocessor has room for.
    fn room(&self, of: &KernelAttributes, threads: u64, dynamic: u64) -> u64 {
        let shared = of.shared_bytes.saturating_add(dynamic);
        let most = u64::from(self.api.chip.limits.shared_bytes_per_block);
        if threads > u64::from(of.max_threads) || shared > most {
            return 0;
        }
        self.api.chip.resident_blocks(threads.div_ceil(32), shared, of.registers)
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

/// Clusters of a number of blocks that the chip has at a time, with as many blocks on each multiprocessor.
fn active(chip: &Chip, blocks: u64, each: u64) -> u64 {
    let each = each.min(MOST_OF_CLUSTERS);
    match blocks {
        0..=2 => u64::from(chip.multiprocessors) * each / blocks.max(1),
        _ => GROUPS.iter().map(|multiprocessors| multiprocessors * each / blocks).sum(),
    }
}

/// Number of blocks of a cluster, if it is not too large to count.
fn size(cluster: [u32; 3]) -> u64 {
    cluster.iter().fold(1, |all: u64, n| all.saturating_mul(u64::from(*n)))
}

/// What a kernel and a configuration say of clusters: their blocks, if there are any, and how many blocks a multiprocessor has at a
/// time.
fn clusters(call: &mut Call<'_>, a: &[u64]) -> Answer<(Option<u64>, u64)> {
    let known = call.kernel(a[1])?;
    let config = call.pointer(a[2], "config")?;
    let (of, launch) = (call.attributes(&known)?, call.configuration(config)?);
    if call.api.chip.compute_capability.0 < 9 {
        return call.refuse(Status::NOT_SUPPORTED, "func", "clusters need compute capability 9.0".to_owned());
    }
    let cluster = match (of.cluster, launch.cluster) {
        (Some(own), Some(asked)) if own != asked => {
            let why = format!("clusters of {asked:?} blocks, and {} is compiled for {own:?}", known.name);
            return call.refuse(Status::INVALID_CLUSTER_SIZE, "config", why);
        }
        (own, asked) => own.or(asked),
    };
    if let Some(cluster) = cluster {
        let blocks = size(cluster);
        if blocks == 0 || blocks > CLUSTER_BLOCKS {
            let why = format!("clusters of {blocks} blocks, and they have 1 to {CLUSTER_BLOCKS}");
            return call.refuse(Status::INVALID_CLUSTER_SIZE, "config", why);
        }
        if launch.grid.iter().zip(cluster).any(|(grid, n)| *grid == 0 || !grid.is_multiple_of(n)) {
            let why = format!("a grid of {:?} blocks is not made of clusters of {cluster:?}", launch.grid);
            return call.refuse(Status::INVALID_CLUSTER_SIZE, "config", why);
        }
    }
    let threads = size(launch.block);
    if threads == 0 {
        return call.refuse(Status::INVALID_VALUE, "config", "its blocks have no threads".to_owned());
    }
    // An H200 counts past what `__launch_bounds__` allows.
    let of = KernelAttributes { max_threads: of.max_threads.max(1024), ..of };
    Ok((cluster.map(size), call.room(&of, threads, launch.shared_bytes)))
}

/// `cudaOccupancyMaxActiveClusters(numClusters, func, config)`: clusters of which all blocks are resident at the same time; none where
/// neither says how large they are.
pub(super) fn max_active_clusters(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "numClusters")?;
    let (blocks, each) = clusters(call, a)?;
    let found = blocks.map_or(0, |blocks| active(&call.api.chip, blocks, each));
    call.put(to, low(found).to_le_bytes())?;
    Ok(0)
}

/// `cudaOccupancyMaxPotentialClusterSize(clusterSize, func, config)`: blocks of the largest cluster that can be launched, whatever size the
/// configuration and the kernel have.
pub(super) fn max_potential_cluster_size(call: &mut Call<'_>, a: &[u64]) -> Answer {
    let to = call.pointer(a[0], "clusterSize")?;
    let (_, each) = clusters(call, a)?;
    let most = if each == 0 { 0 } else { CLUSTER_BLOCKS };
    call.put(to, low(most).to_le_bytes())?;
    Ok(0)
}
