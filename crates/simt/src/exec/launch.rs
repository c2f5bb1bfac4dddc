//! A launch: what enters the interpreter, and what leaves it.

use super::fault::RawFault;
use super::follow::floats::{Floats, Made};
use super::follow::step_state::Stepping;
use super::memory::bits::{extend, little_endian};
use super::observers::found_faults::FoundFaults;
use super::observers::notes::Notes;
use super::observers::profile::Profile;
use super::runtime::{Left, Runtime};
use crate::Counters;
use crate::WARP;
use crate::error::FaultKind;
use crate::heap::Heap;
use crate::ir::*;
use crate::memory::{Allocation, Global};
use crate::model::chip::Chip;
use crate::model::residency::LaunchSize;
use crate::model::sample::Sample;
use crate::options::{Interrupt, Options};
use crate::texture::Textures;
use crate::written_bytes::WrittenBytes;
use std::sync::OnceLock;

/// The most that a block may spend, whatever it was given: far from where sums would overflow.
pub(super) const MOST: u64 = 1 << 62;

/// A launch, ready to run.
pub(crate) struct Run<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) chip: &'a Chip,
    pub(crate) global: &'a Global,
    pub(crate) textures: &'a Textures,
    /// Where the kernel can allocate memory.
    pub(crate) heap: Option<&'a Heap>,
    /// Constant memory as the constant path gives it: that of the launch's beginning.
    pub(crate) constant: &'a [u8],
    /// Which of it has been set, where that is looked at and some of it has not.
    pub(crate) constant_set: Option<&'a WrittenBytes>,
    /// Constant memory as it lies in global memory, from the first store to it on: loads of global memory find it so in this
    /// launch, and every load does in the next.
    pub(crate) stored: OnceLock<Allocation>,
    /// Device address of each symbol; of constant ones, not used.
    pub(crate) symbols: &'a [u64],
    /// Handles that texture and surface references are bound to.
    pub(crate) references: &'a [u64],
    pub(crate) parameters: &'a [u8],
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared_bytes: u32,
    /// Whether it is looked at who touches some of global memory.
    pub(crate) watches_global: bool,
    /// Blocks of a cluster in x, y, z; the grid is made of whole ones.
    pub(crate) cluster: [u32; 3],
    pub(crate) is_cluster: bool,
    /// All blocks are there together, and may wait for each other at [`Run::workspace`].
    pub(crate) cooperative: bool,
    /// Address of the words at which they do, or zero.
    pub(crate) workspace: u64,
    pub(crate) options: Options,
    /// What ptxas makes of the kernel, if what the chip executes is to be counted.
    pub(crate) executed: Option<&'a Executed>,
    /// What kernels ask of the device runtime, where this one does.
    pub(crate) runtime: Option<&'a Runtime>,
    /// Steps that are looked at, if any are.
    pub(crate) stepping: Option<&'a Stepping<'a>>,
    /// What of the kernel is floating-point arithmetic, if it is looked at where NaNs and infinities come from.
    pub(crate) floats: Option<&'a Floats>,
    /// Asked now and then whether the launch has to end.
    pub(crate) interrupt: Option<&'a Interrupt>,
}

impl Run<'_> {
    /// Blocks of the grid.
    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    /// Blocks of a cluster.
    pub(crate) fn cluster_blocks(&self) -> u64 {
        self.cluster.iter().map(|n| u64::from(*n)).product()
    }

    /// Clusters in x, y, z.
    pub(crate) fn clusters(&self) -> [u32; 3] {
        std::array::from_fn(|axis| self.grid[axis] / self.cluster[axis].max(1))
    }

    /// Budget of one block, warp instructions.
    pub(crate) fn block_budget(&self) -> u64 {
        let Options { budget, budget_per_byte, launch_budget, .. } = self.options;
        let scaled = budget.saturating_add(budget_per_byte.saturating_mul(self.global.used()));
        scaled.min(launch_budget).min(MOST)
    }

    /// Cost of starting a block, in warp instructions: a few of them, or as many as would take as long.
    pub(super) fn block_cost(&self) -> u64 {
        let frame = &self.kernel.functions[0];
        let warp = 4 + u64::from(frame.local_bytes) / 8 + frame.unwritten() as u64 / 4;
        16 + self.kernel.block_code.len() as u64
            + self.warps_per_block() * warp
            + u64::from(self.shared_bytes) / 512
    }

    /// Bytes of registers and local memory of a block before it calls anything.
    pub(super) fn stack_bytes(&self) -> u64 {
        self.warps_per_block() * self.kernel.functions[0].bytes()
    }

    /// Refuses a launch that is certain to exceed its budgets.
    pub(super) fn check_budgets(&self) -> Result<(), RawFault> {
        let together = if self.cooperative { self.blocks() } else { self.cluster_blocks() };
        let (needs, limit) = (self.stack_bytes().saturating_mul(together), self.options.stack_bytes);
        if needs > limit {
            let of = if together == 1 { "a block" } else { "of the blocks that are there together" };
            let message =
                format!("{needs} bytes of registers and local memory {of}, and {limit} is the most");
            return Err(RawFault { message: Some(message), ..self.fault(FaultKind::StackOverflow) });
        }
        if self.blocks().saturating_mul(self.block_cost()) > self.options.launch_budget {
            return Err(self.over_budget());
        }
        Ok(())
    }

    /// More than a block's budget was spent: the message of the fault.
    #[cold]
    pub(crate) fn over_block_budget(&self) -> String {
        format!(
            "more than {} warp instructions in one block, slow ones counted as several, and no proof that it never ends",
            self.block_budget()
        )
    }

    /// More than the launch's budget was spent: by which block is not said, since that may change from run to run.
    #[cold]
    pub(super) fn over_budget(&self) -> RawFault {
        let message = format!("more than {} warp instructions in the launch", self.options.launch_budget);
        RawFault { message: Some(message), of_launch: true, ..self.fault(FaultKind::InfiniteLoop) }
    }

    /// A fault of the launch as a whole.
    pub(super) fn fault(&self, kind: FaultKind) -> RawFault {
        let origin = self.kernel.listing.first().map(|l| l.origin).unwrap_or_default();
        RawFault {
            kind,
            block: 0,
            thread: 0,
            origin,
            address: None,
            width: 0,
            shared: false,
            message: None,
            detail: None,
            other: None,
            callers: Box::default(),
            proven: false,
            of_launch: false,
        }
    }

    /// The value of a fixed register; one of the block's index is written when the block begins.
    pub(super) fn value(&self, fixed: UniformValue) -> u64 {
        // A module's bytes are all there when it is loaded, and the decoder has checked offsets.
        let read = |memory: &[u8], offset: u32, bytes: u8, signed: bool| {
            extend(little_endian(memory, offset as usize, bytes), bytes, signed)
        };
        match fixed {
            UniformValue::Immediate(value) => value,
            UniformValue::Parameter { offset, bytes, signed } => read(self.parameters, offset, bytes, signed),
            UniformValue::Constant { offset, bytes, signed } => read(self.constant, offset, bytes, signed),
            UniformValue::BlockSize(axis) => u64::from(self.block[usize::from(axis)]),
            UniformValue::GridSize(axis) => u64::from(self.grid[usize::from(axis)]),
            UniformValue::ClusterSize(axis) => u64::from(self.cluster[usize::from(axis)]),
            UniformValue::Clusters(axis) => u64::from(self.clusters()[usize::from(axis)]),
            UniformValue::ClusterBlocks => self.cluster_blocks(),
            UniformValue::IsCluster => u64::from(self.is_cluster),
            UniformValue::Workspace { high } => self.workspace >> (if high { 32 } else { 0 }) & 0xffff_ffff,
            UniformValue::Block(_) => 0,
            UniformValue::Reference(number) => self.references[number as usize],
            UniformValue::Global { symbol, offset } => {
                self.symbols[symbol as usize].wrapping_add(offset as u64)
            }
        }
    }

    /// Warps of a block; the last one may have lanes off.
    pub(crate) fn warps_per_block(&self) -> u64 {
        self.block.iter().map(|n| u64::from(*n)).product::<u64>().div_ceil(WARP as u64)
    }
}

impl Run<'_> {
    /// Blocks that the chip has room for at a time.
    pub(crate) fn capacity(&self) -> u64 {
        let shape = LaunchSize {
            blocks: self.blocks(),
            warps_per_block: self.warps_per_block(),
            shared_bytes: u64::from(self.shared_bytes),
            // An estimate decides about times alone.
            registers: None,
        };
        u64::from(self.chip.multiprocessors) * shape.resident(self.chip)
    }

    /// The number of a block, and its index, from its cluster's number and its rank there.
    #[inline]
    pub(super) fn number_of(&self, cluster: u64, rank: u32) -> (u64, [u32; 3]) {
        if self.cluster == [1; 3] {
            return (cluster, index_in(cluster, self.grid));
        }
        let (of_cluster, inside) =
            (index_in(cluster, self.clusters()), index_in(u64::from(rank), self.cluster));
        let index: [u32; 3] =
            std::array::from_fn(|axis| of_cluster[axis] * self.cluster[axis] + inside[axis]);
        let [x, y, z] = index.map(u64::from);
        (x + u64::from(self.grid[0]) * (y + u64::from(self.grid[1]) * z), index)
    }
}

/// Results of a launch besides memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) counters: Counters,
    pub(crate) sample: Sample,
    /// Output of `printf` by block, in the order in which the blocks ran.
    pub(crate) printed: Vec<(u64, String)>,
    /// How much that is.
    pub(super) printed_bytes: usize,
    /// What is left to be done after the grid, by block.
    pub(crate) left: Vec<Left>,
    pub(crate) profile: Option<Box<Profile>>,
    pub(crate) notes: Notes,
    /// Wavefronts and bank conflicts of wide accesses, for each access of the kernel, if there were any.
    pub(crate) widened: Option<Vec<[u64; 2]>>,
    /// Faults after which it went on, of blocks that have ended.
    pub(crate) found: FoundFaults,
    /// What made the first NaN and the first infinity.
    pub(crate) made: Vec<Made>,
}

impl Tally {
    /// Adds what another part's blocks have made: of each kind that of the lowest block is the first.
    pub(super) fn add_made(&mut self, part: Vec<Made>) {
        for new in part {
            match self.made.iter_mut().find(|made| made.what == new.what) {
                None => self.made.push(new),
                Some(old) if new.block < old.block => *old = new,
                Some(_) => {}
            }
        }
        self.made.sort_by_key(|made| made.what);
    }

    /// Adds what another part's wide accesses cost.
    pub(super) fn add_widened(&mut self, part: Option<Vec<[u64; 2]>>) {
        let Some(part) = part else { return };
        match &mut self.widened {
            None => self.widened = Some(part),
            Some(all) => {
                for (sum, [wavefronts, conflicts]) in all.iter_mut().zip(part) {
                    sum[0] += wavefronts;
                    sum[1] += conflicts;
                }
            }
        }
    }
}

/// The three-dimensional index of a number, x first.
pub(crate) fn index_in(number: u64, size: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(size[0].max(1)), u64::from(size[1].max(1)));
    [(number % x) as u32, (number / x % y) as u32, (number / x / y) as u32]
}
