//! A worker: the block that it runs, the blocks that wait for their turn, and where it is in the warp that runs.

use super::block::BlockState;
use super::checks::{Checks, Key, Unset};
use super::follow::floats::Early;
use super::follow::steps::Stepper;
use super::follow::window::{FIRST_WINDOW, Window};
use super::launch::{Run, Tally, index_in};
use super::memory::access::Site;
use super::memory::bits::{extend, little_endian};
use super::observers::caches::Caches;
use super::observers::notes::Notes;
use super::observers::profile::Profile;
use super::schedule::Schedule;
use super::warp::Warp;
use crate::WARP;
use crate::ir::*;
use crate::lanes::{ALL, W, X};
use crate::memory::CONSTANT_WINDOW;

/// Blocks that are looked at for the time model, spread over the grid.
const SAMPLED_BLOCKS: u64 = 8;

/// Whether a block is one of them: one of every `stride`, each at another place among those, so that they do not all lie in
/// one column of a grid whose width divides the stride.
fn is_sampled(block: u64, stride: u64) -> bool {
    let nth = block / stride;
    // Fractions of multiples of the golden ratio lie evenly, however many there are.
    let fraction = (nth as u32).wrapping_mul(2_654_435_769);
    block % stride == ((u128::from(fraction) * u128::from(stride)) >> 32) as u64
}

/// A word of shared and local memory before it is written: not zero, so that code which relies on zeros fails.
pub(super) const POISON: u32 = 0xcdcd_cdcd;

/// Where a worker is in the block that it runs.
#[derive(Debug, Default)]
pub(super) struct Cursor {
    /// The warp that runs, the frame that it is in, and where that one's registers and local memory begin.
    pub(super) warp: usize,
    pub(super) frame: u32,
    pub(super) w_base: usize,
    pub(super) x_base: usize,
    pub(super) p_base: usize,
    pub(super) local_base: u32,
    /// Since the last jump backwards of the warp's turn: looked at memory that others may write; changed something.
    pub(super) looked: bool,
    pub(super) did: bool,
    /// In its last turn, the warp has done nothing but look.
    pub(super) spun: bool,
}

/// Registers that are written once a block, by their places.
#[derive(Default)]
struct OncePerBlock {
    w: Vec<(usize, OfBlock)>,
    x: Vec<(usize, OfBlock)>,
}

/// A thread that runs blocks.
pub(super) struct Worker<'a> {
    pub(super) run: &'a Run<'a>,
    /// The block that runs.
    pub(super) block: BlockState<'a>,
    /// The blocks that it has begun beside that one, and whose turn it is.
    pub(super) schedule: Schedule<'a>,
    pub(super) cursor: Cursor,
    /// State of each memory instruction, and how many layouts of addresses have been seen.
    pub(super) sites: Vec<Site>,
    pub(super) layouts: u64,
    once_per_block: OncePerBlock,
    /// Registers whose values come from constants that nothing has set, and the first of those.
    unset: Vec<(Key, Unset)>,
    /// NaNs and infinities that were made before the first instruction, where it is looked for such.
    pub(super) early: Vec<Early>,
    /// What lanes found at the addresses of their last atomic operation.
    pub(super) old: X,
    /// Budget of each block, warp instructions.
    pub(super) budget: u64,
    /// Every so many blocks one is sampled for the time model.
    sample_stride: u64,
    /// Empty caches for the next sampled block, while none runs.
    pub(super) spare_caches: Option<Box<Caches>>,
    /// Words that the two loads of a fused instruction give the lanes. Not a function's own: from those the compiler makes
    /// scalars.
    pub(super) loaded: [W; 2],
    pub(super) tally: Tally,
    /// What is known of a block that is looked at for a loop that never ends.
    pub(super) window: Window,
    /// Whether anybody looks at single instructions: [`Worker::notes`] is there, or a window is open.
    pub(super) watching: bool,
    pub(super) profile: Option<Box<Profile>>,
    pub(super) notes: Option<Box<Notes>>,
    /// What is known of the block that is stepped through, from its beginning on.
    pub(super) stepper: Option<Box<Stepper>>,
    /// Whether the launch's counters of what is executed need to look at accesses ([`super::observers::executed`]).
    pub(super) widens: bool,
}

impl<'a> Worker<'a> {
    #[inline(always)]
    pub(super) fn new(run: &'a Run<'a>) -> Self {
        let kernel = run.kernel;
        let warps = run.warps_per_block() as usize;
        let frame = &kernel.functions[0];
        let block = BlockState {
            w: vec![W::ZERO; kernel.uniform_w.len() + warps * usize::from(frame.w)],
            x: vec![X::ZERO; kernel.uniform_x.len() + warps * usize::from(frame.x)],
            p: vec![0; warps * usize::from(frame.p)],
            shared: vec![0; run.shared_bytes as usize],
            warps: (0..warps).map(|_| Warp::default()).collect(),
            checks: run
                .options
                .checks
                .any()
                .then(|| Box::new(Checks::new(kernel, warps, run.shared_bytes, run.options.checks))),
            ..BlockState::default()
        };
        let profiled = run.options.profile || run.executed.is_some();
        let mut worker = Worker {
            run,
            block,
            schedule: Schedule::default(),
            cursor: Cursor::default(),
            sites: vec![Site::default(); kernel.accesses.len()],
            layouts: 0,
            once_per_block: OncePerBlock::default(),
            unset: vec![],
            early: vec![],
            old: X::ZERO,
            budget: run.block_budget(),
            sample_stride: (run.blocks() / SAMPLED_BLOCKS).max(1),
            spare_caches: None,
            loaded: [W::ZERO; 2],
            tally: Tally::default(),
            window: Window::default(),
            watching: run.options.trace.is_some(),
            profile: profiled.then(|| Box::new(Profile::new(kernel))),
            notes: run.options.trace.map(|_| Box::default()),
            stepper: None,
            widens: run.executed.is_some_and(Executed::looks),
        };
        for (n, fixed) in kernel.uniform_w.iter().enumerate() {
            if let Some(fixed) = fixed {
                worker.block.w[n] = W::splat(worker.value(*fixed) as u32);
                if let UniformValue::Block(of) = fixed {
                    worker.once_per_block.w.push((n, *of));
                }
            }
        }
        for (n, fixed) in kernel.uniform_x.iter().enumerate() {
            if let Some(fixed) = fixed {
                worker.block.x[n] = X::splat(worker.value(*fixed));
                if let UniformValue::Block(of) = fixed {
                    worker.once_per_block.x.push((n, *of));
                }
            }
        }
        for inst in &kernel.launch_code {
            worker.compute_out_of_line(inst, ALL);
            worker.look_at_early(inst);
        }
        for n in 0..warps {
            worker.cursor.warp = n;
            (worker.cursor.w_base, worker.cursor.x_base, worker.cursor.p_base) = kernel.registers_of(n);
            for inst in &kernel.thread_code {
                worker.compute_out_of_line(inst, ALL);
            }
        }
        worker.find_unset();
        worker
    }

    /// Finds the registers that have values before the first instruction, of constants that nothing has set.
    fn find_unset(&mut self) {
        let (kernel, Some(set)) = (self.run.kernel, self.run.constant_set) else { return };
        let fixed = [(File::W, &kernel.uniform_w), (File::X, &kernel.uniform_x)];
        for (file, n, value) in fixed
            .into_iter()
            .flat_map(|(file, all)| all.iter().enumerate().map(move |(n, value)| (file, n, *value)))
        {
            let Some(UniformValue::Constant { offset, bytes, .. }) = value else { continue };
            let missing = set.missing(offset.into(), bytes.into());
            if missing != 0 {
                let address = CONSTANT_WINDOW + u64::from(offset);
                self.unset.push(((file, n), Unset { address, width: bytes, missing }));
            }
        }
        if self.unset.is_empty() {
            return;
        }
        for inst in kernel.launch_code.iter().chain(&kernel.block_code) {
            self.spread_unset(inst);
        }
        for n in 0..self.block.warps.len() {
            (self.cursor.w_base, self.cursor.x_base, self.cursor.p_base) = kernel.registers_of(n);
            kernel.thread_code.iter().for_each(|inst| self.spread_unset(inst));
        }
    }

    /// What is computed from such registers is of the same constants.
    fn spread_unset(&mut self, inst: &Inst) {
        let mut from = None;
        self.run.kernel.operands(inst, |file, register| {
            let key = self.key(file, register);
            from = from.or(self.unset.iter().find(|(there, _)| *there == key).map(|(_, unset)| *unset));
        });
        let Some(unset) = from else { return };
        let mut keys = vec![];
        self.run.kernel.results(inst, |file, register| keys.push(self.key(file, register)));
        self.unset.extend(keys.into_iter().map(|key| (key, unset)));
    }

    pub(super) fn done(mut self) -> Tally {
        if let Some(profile) = &self.profile {
            profile.add_to(&mut self.tally.counters);
        }
        self.tally.profile = self.profile.take();
        self.tally.notes = self.notes.take().map(|notes| *notes).unwrap_or_default();
        self.tally
    }

    /// The value of a fixed register; one of the block's index is written when the block begins.
    pub(super) fn value(&self, fixed: UniformValue) -> u64 {
        // A module's bytes are all there when it is loaded, and the decoder has checked offsets.
        let read = |memory: &[u8], offset: u32, bytes: u8, signed: bool| {
            extend(little_endian(memory, offset as usize, bytes), bytes, signed)
        };
        match fixed {
            UniformValue::Immediate(value) => value,
            UniformValue::Parameter { offset, bytes, signed } => {
                read(self.run.parameters, offset, bytes, signed)
            }
            UniformValue::Constant { offset, bytes, signed } => {
                read(self.run.constant, offset, bytes, signed)
            }
            UniformValue::BlockSize(axis) => u64::from(self.run.block[usize::from(axis)]),
            UniformValue::GridSize(axis) => u64::from(self.run.grid[usize::from(axis)]),
            UniformValue::ClusterSize(axis) => u64::from(self.run.cluster[usize::from(axis)]),
            UniformValue::Clusters(axis) => u64::from(self.run.clusters()[usize::from(axis)]),
            UniformValue::ClusterBlocks => self.run.cluster_blocks(),
            UniformValue::IsCluster => u64::from(self.run.is_cluster),
            UniformValue::Workspace { high } => {
                self.run.workspace >> (if high { 32 } else { 0 }) & 0xffff_ffff
            }
            UniformValue::Block(_) => 0,
            UniformValue::Reference(number) => self.run.references[number as usize],
            UniformValue::Global { symbol, offset } => {
                self.run.symbols[symbol as usize].wrapping_add(offset as u64)
            }
        }
    }

    /// Takes something that is no instruction from the block's budget.
    pub(super) fn charge(&mut self, instructions: u64) {
        self.block.allowed = self.block.allowed.saturating_sub(instructions);
    }

    /// Warp instructions that the block has taken of its budget, less those that it was given back.
    pub(super) fn used(&self) -> u64 {
        self.block.spent + self.budget - self.block.allowed
    }

    /// Gives back to the block what it took for waiting.
    pub(super) fn give_back(&mut self, instructions: u64) {
        self.block.allowed += instructions;
    }

    /// Leaves the function that the block before was in, be it that it has ended there, waits there, or has had a
    /// fault: its frame is none of the next block's.
    pub(super) fn enter_kernel(&mut self) {
        self.cursor.warp = 0;
        self.cursor.frame = 0;
        self.cursor.local_base = 0;
        (self.cursor.w_base, self.cursor.x_base, self.cursor.p_base) = self.run.kernel.registers_of(0);
    }

    /// Puts all threads of a block at the kernel's start.
    #[inline(always)]
    pub(super) fn begin(&mut self, cluster: u64, rank: u32) {
        let kernel = self.run.kernel;
        let (block, index) = self.run.number_of(cluster, rank);
        self.block.number = block;
        self.block.cluster = cluster;
        self.block.rank = rank;
        self.block.accounted = 0;
        self.block.incomplete = None;
        self.block.given = [false; 2];
        self.block.next_window = FIRST_WINDOW;
        self.block.spent = 0;
        self.block.clock_reads = 0;
        self.block.fences = 0;
        self.block.allowed = self.budget;
        self.charge(self.run.block_cost());
        self.enter_kernel();
        self.forget_frames();
        let of_block = |of: &OfBlock| match *of {
            OfBlock::Index(axis) => index[usize::from(axis)],
            OfBlock::Cluster(axis) => index_in(cluster, self.run.clusters())[usize::from(axis)],
            OfBlock::IndexInCluster(axis) => index_in(u64::from(rank), self.run.cluster)[usize::from(axis)],
            OfBlock::Rank => rank,
        };
        for (n, of) in &self.once_per_block.w {
            self.block.w[*n] = W::splat(of_block(of));
        }
        for (n, of) in &self.once_per_block.x {
            self.block.x[*n] = X::splat(u64::from(of_block(of)));
        }
        for inst in &kernel.block_code {
            self.compute_out_of_line(inst, ALL);
        }
        self.block.undefined = !self.unset.is_empty() || self.watches_floats();
        self.block.shared.fill(POISON as u8);
        self.block.arrived = [0; BARRIERS];
        if let Some(checks) = &mut self.block.checks {
            checks.begin_block();
            self.unset.iter().for_each(|(key, unset)| checks.begin_with_constant(*key, *unset));
        }
        let threads = self.run.block.iter().product::<u32>();
        for n in 0..self.block.warps.len() {
            let lanes = (threads - (n * WARP) as u32).min(WARP as u32);
            self.start_warp(n, ALL >> (WARP as u32 - lanes));
        }
        if is_sampled(block, self.sample_stride) {
            self.begin_sample();
        }
        self.block.observed = self.has_observers();
        if self.run.stepping.is_some() {
            self.begin_steps();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SAMPLED_BLOCKS, is_sampled};

    #[test]
    fn sampled_blocks_are_spread_over_the_rows_and_the_columns_of_a_grid() {
        let (width, blocks) = (128, 128 * 128);
        let sampled: Vec<u64> =
            (0..blocks).filter(|block| is_sampled(*block, blocks / SAMPLED_BLOCKS)).collect();
        let places = |of: &dyn Fn(u64) -> u64| {
            sampled.iter().map(|block| of(*block) / 32).collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(sampled.len(), 8);
        assert_eq!(
            (places(&|block| block / width).len(), places(&|block| block % width).len()),
            (4, 4),
            "{sampled:?}"
        );
        assert!((0..9).all(|block| is_sampled(block, 1)));
    }
}
