//! Counters of an access: the one place that adds to a launch's counters.
//!
//! Enters: accesses that have been found to be right, before memory is changed. Leaves: nothing but counters. What an
//! access costs is found by the rules of [`crate::model::access`].

use super::current::CurrentBlock;
use super::launch::{Run, Tally};
use super::memory::access::{Access, Unit};
use super::memory::layout::Pattern;
use super::memory::sites::Sites;
use super::observers::profile::Profile;
use crate::ir::{AtomicOperands, Block, Bulk, Fused, Space, SurfaceOperands, SurfaceOperation};
use crate::lanes::X;
use crate::memory::Allocation;
use crate::model::access::{self, Global, LINE, SECTOR, SharedLoop, Turns, Wavefronts};
use crate::semantics::atomic::Operation;
use crate::semantics::texture::Dimension;
use crate::{Counters, WARP};

/// How the texture unit takes the lanes of a fetch, by what an H200 counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextureUnit {
    /// Lanes of a request.
    pub(super) lanes: u8,
    /// Lanes whose sectors are looked up together.
    pub(super) together: u8,
    /// How often each is.
    pub(super) passes: u32,
}

/// What a worker counts, and what else its blocks leave.
pub(super) struct Counts {
    pub(super) tally: Tally,
    /// Counters of each instruction, where each has its own.
    pub(super) profile: Option<Box<Profile>>,
}

impl Counts {
    pub(super) fn new(run: &Run<'_>) -> Self {
        let profiled = run.options.profile || run.executed.is_some();
        Counts { tally: Tally::default(), profile: profiled.then(|| Box::new(Profile::new(run.kernel))) }
    }

    /// All of it: what was counted by instruction is added up.
    pub(super) fn finish(mut self) -> Tally {
        if let Some(profile) = &self.profile {
            profile.add_to(&mut self.tally.counters);
        }
        self.tally.profile = self.profile;
        self.tally
    }

    /// The counters that accesses are counted in: those of the instruction that runs where each has its own, which are added up
    /// in the end, and otherwise the launch's.
    #[inline(always)]
    pub(super) fn counters(&mut self) -> &mut Counters {
        match &mut self.profile {
            None => &mut self.tally.counters,
            Some(profile) => profile.of_instruction(),
        }
    }

    /// The counters of how a basic block ends.
    fn counters_of_end(&mut self, block: &Block) -> &mut Counters {
        match &mut self.profile {
            None => &mut self.tally.counters,
            Some(profile) => profile.of_end(block),
        }
    }

    // Instructions, branches, barriers.

    /// A basic block that lanes run through.
    #[inline(always)]
    pub(super) fn count_instructions(&mut self, block: &Block, mask: u32) {
        let weight = u64::from(block.weight);
        let counters = &mut self.tally.counters;
        counters.warp_instructions += weight;
        counters.thread_instructions += weight * u64::from(mask.count_ones());
        counters.const_uniform_instructions += u64::from(block.uniform_loads);
    }

    /// Lanes went both ways at the end of a basic block.
    #[inline(never)]
    pub(super) fn count_divergence(&mut self, block: &Block) {
        self.counters_of_end(block).divergent_branches += 1;
    }

    /// A warp came to the barrier that ends a basic block.
    #[inline]
    pub(super) fn count_barrier(&mut self, block: &Block) {
        self.counters_of_end(block).barriers += 1;
    }

    /// Barriers of a cluster, which belong to no instruction.
    pub(super) fn count_barriers(&mut self, splits: u64) {
        self.tally.counters.barriers += splits;
    }

    /// A load; `request` says whether it is one of its own and not a part of an instruction's.
    #[inline(always)]
    pub(super) fn count_global_load(
        &mut self,
        sites: &mut Sites,
        run: &Run<'_>,
        access: &Access<'_>,
        one: Option<&Allocation>,
        request: bool,
    ) {
        let (sectors, turns) = sites.global_cost(run, access, one, false);
        let counters = self.counters();
        counters.global_load_requests += u64::from(request);
        counters.global_load_sectors += sectors;
        counters.global_load_wavefronts += u64::from(turns.tags);
        counters.global_load_data_wavefronts += u64::from(turns.data);
    }

    #[inline(always)]
    pub(super) fn count_global_store(
        &mut self,
        sites: &mut Sites,
        run: &Run<'_>,
        access: &Access<'_>,
        one: Option<&Allocation>,
        request: bool,
    ) {
        let (sectors, turns) = sites.global_cost(run, access, one, true);
        let counters = self.counters();
        counters.global_store_requests += u64::from(request);
        counters.global_store_sectors += sectors;
        counters.global_store_wavefronts += u64::from(turns.tags);
        counters.global_store_data_wavefronts += u64::from(turns.data);
    }

    #[inline]
    pub(super) fn count_generic_load(&mut self) {
        self.counters().generic_load_instructions += 1;
    }

    #[inline]
    pub(super) fn count_generic_store(&mut self) {
        self.counters().generic_store_instructions += 1;
    }

    /// `cp.async` of lanes that read their source, and of lanes that only write zeros.
    #[inline(never)]
    pub(super) fn count_copy(
        &mut self,
        run: &Run<'_>,
        from: &X,
        to: &X,
        [reading, zeroing]: [u32; 2],
        width: u32,
        past_l1: bool,
    ) {
        let places = run.places(from, reading);
        let cost = access::copy(&places, &to.words(|a| a as u32), [reading, zeroing], width, past_l1);
        let turns = access::turns(&places, reading, width, false);
        let counters = self.counters();
        counters.copy_instructions += 1;
        counters.copy_sectors += if past_l1 { 0 } else { u64::from(cost.sectors) };
        counters.copy_bank_conflicts += u64::from(cost.conflicts);
        counters.global_load_requests += u64::from(cost.requests);
        counters.global_load_sectors += u64::from(cost.sectors);
        counters.global_load_wavefronts += u64::from(turns.tags);
        counters.global_load_data_wavefronts += u64::from(turns.data);
    }

    /// A lane's bulk copy, whose bytes lie side by side from a multiple of 16 on.
    #[inline]
    pub(super) fn count_bulk(&mut self, of: Bulk, bytes: u64) {
        let counters = self.counters();
        counters.bulk_copies += 1;
        let sectors = bytes.div_ceil(SECTOR);
        match of {
            Bulk::GlobalToShared => counters.bulk_load_sectors += sectors,
            Bulk::SharedToGlobal => counters.bulk_store_sectors += sectors,
            Bulk::SharedToShared | Bulk::RegistersToShared => {}
        }
    }

    // Textures and surfaces.

    /// A fetch: lanes with the sectors that they reach, and how many lanes the texture unit takes at a time.
    #[inline]
    pub(super) fn count_texture(&mut self, mask: u32, touched: &[(u8, u64)], unit: TextureUnit) {
        let counters = self.counters();
        counters.texture_instructions += 1;
        counters.texture_requests += u64::from(access::groups(mask, unit.lanes.into()));
        let sectors = access::sectors_of_groups(touched, unit.together) * unit.passes;
        counters.texture_sectors += u64::from(sectors);
    }

    /// An access to a surface: lanes with sectors and addresses.
    #[inline]
    pub(super) fn count_surface(&mut self, of: &SurfaceOperands, mask: u32, touched: &[(u8, u64, u64)]) {
        let lanes = if of.geometry.dimension == Dimension::Three { 4 } else { 8 };
        let requests = u64::from(access::groups(mask, lanes.into()));
        let distinct = || {
            let touched: Vec<(u8, u64)> = touched.iter().map(|(lane, sector, _)| (*lane, *sector)).collect();
            u64::from(access::sectors_of_groups(&touched, lanes))
        };
        let counters = self.counters();
        match of.operation {
            SurfaceOperation::Load => {
                counters.surface_load_requests += requests;
                counters.surface_load_sectors += distinct();
            }
            SurfaceOperation::Store | SurfaceOperation::StoreFormatted => {
                counters.surface_store_requests += requests;
                counters.surface_store_sectors += distinct();
            }
            SurfaceOperation::Reduce { .. } => {
                counters.surface_red_requests += requests;
                counters.surface_red_sectors += u64::from(access::sectors_of_reductions(touched, lanes));
            }
        }
    }

    /// A load; `instruction` says whether it is one of its own. Loads through generic addresses are none of shared memory's.
    #[inline(always)]
    pub(super) fn count_shared_load(&mut self, sites: &mut Sites, access: &Access<'_>, instruction: bool) {
        let [wavefronts, conflicts] = sites.wavefronts(access, access.unit == Unit::Generic);
        self.count_shared_loads(u64::from(instruction), wavefronts, conflicts);
    }

    #[inline(always)]
    pub(super) fn count_shared_loads(&mut self, instructions: u64, wavefronts: u64, conflicts: u64) {
        let counters = self.counters();
        counters.shared_load_instructions += instructions;
        counters.shared_load_wavefronts += wavefronts;
        counters.shared_load_bank_conflicts += conflicts;
    }

    /// Loads of a given number of groups of a run, with the wavefronts and bank conflicts of the two of each.
    #[inline(always)]
    pub(super) fn count_run(&mut self, run: &Fused, groups: u32, costs: [[u32; 2]; 2]) {
        let Some(profile) = &mut self.profile else {
            let sum = |n: usize| u64::from(groups) * u64::from(costs[0][n] + costs[1][n]);
            return self.count_shared_loads(2 * u64::from(groups), sum(0), sum(1));
        };
        for group in 0..groups {
            let at = run.at + group * run.fusion.length() as u32;
            for (load, [wavefronts, conflicts]) in (at..).zip(costs) {
                profile.begin(load);
                let counters = profile.of_instruction();
                counters.shared_load_instructions += 1;
                counters.shared_load_wavefronts += u64::from(wavefronts);
                counters.shared_load_bank_conflicts += u64::from(conflicts);
            }
        }
    }

    #[inline(always)]
    pub(super) fn count_shared_store(&mut self, sites: &mut Sites, access: &Access<'_>, instruction: bool) {
        let [wavefronts, conflicts] = sites.wavefronts(access, true);
        let counters = self.counters();
        counters.shared_store_instructions += u64::from(instruction);
        counters.shared_store_wavefronts += wavefronts;
        counters.shared_store_bank_conflicts += conflicts;
    }

    #[inline]
    pub(super) fn count_matrix_load(&mut self, sites: &mut Sites, access: &Access<'_>) {
        self.counters().matrix_load_instructions += 1;
        let [wavefronts, conflicts] = sites.wavefronts(access, false);
        self.count_shared_loads(0, wavefronts, conflicts);
    }

    #[inline]
    pub(super) fn count_matrix_store(&mut self, sites: &mut Sites, access: &Access<'_>) {
        self.counters().matrix_store_instructions += 1;
        self.count_shared_store(sites, access, false);
    }

    // Constant memory.

    /// A load: each distinct address of an instruction is a pass.
    #[inline(always)]
    pub(super) fn count_constant_load(&mut self, sites: &mut Sites, access: &Access<'_>) {
        let (instructions, firsts) = sites.constant_passes(access);
        let distinct = u64::from(firsts.count_ones());
        let counters = self.counters();
        counters.const_instructions += instructions;
        counters.const_divergent_instructions += if distinct > 1 { instructions } else { 0 };
        counters.const_replays += instructions * (distinct - 1);
        counters.idc_requests += instructions * distinct;
    }

    #[inline]
    pub(super) fn count_local_load(&mut self, sites: &Sites, access: &Access<'_>) {
        let Some(cost) = sites.local_cost(access) else { return };
        let counters = self.counters();
        counters.local_load_requests += u64::from(cost.requests);
        counters.local_load_sectors += u64::from(cost.sectors);
    }

    #[inline]
    pub(super) fn count_local_store(&mut self, sites: &Sites, access: &Access<'_>) {
        let Some(cost) = sites.local_cost(access) else { return };
        let counters = self.counters();
        counters.local_store_requests += u64::from(cost.requests);
        counters.local_store_sectors += u64::from(cost.sectors);
    }

    // Atomic operations.

    /// An instruction through generic addresses of which some lanes reach shared memory.
    #[inline]
    pub(super) fn count_generic_shared_atomic(&mut self, of: &AtomicOperands) {
        self.counters().generic_atomic_instructions += u64::from(of.is_native());
    }

    /// An operation on another block's shared memory.
    #[inline]
    pub(super) fn count_distant_atomic(&mut self) {
        self.counters().shared_atomic_instructions += 1;
    }

    /// `exch` and `cas` of 128 bits: lanes that change shared memory, and those that change global memory.
    #[inline]
    pub(super) fn count_wide_atomic(&mut self, addresses: &X, shared: u32, rest: u32) {
        let counters = self.counters();
        counters.shared_atomic_instructions += u64::from(shared != 0);
        if rest != 0 {
            counters.global_atomic_requests += 1;
            counters.global_atomic_sectors += u64::from(access::reduction(&addresses.0, rest));
        }
    }

    /// An instruction through generic addresses of which no lane reaches shared memory: it passes through it all the same.
    #[inline]
    pub(super) fn count_generic_atomic(&mut self, of: &AtomicOperands, mask: u32) {
        // What changes half a word is a loop of compare-and-swaps.
        let bytes = u32::from(of.update.ty.bytes());
        let swap = of.update.operation == Operation::CompareAndSwap || bytes == 2;
        let counters = self.counters();
        counters.generic_atomic_instructions += 1;
        counters.shared_atomic_wavefronts += u64::from(access::elsewhere(mask, bytes, swap));
    }

    /// Counts an atomic operation on shared memory, before its lanes have done it.
    #[cold]
    #[inline(never)]
    pub(super) fn count_shared_atomic(
        &mut self,
        current: &mut CurrentBlock<'_>,
        of: &AtomicOperands,
        addresses: &X,
        mask: u32,
        [a, b]: [&X; 2],
    ) {
        let at = addresses.words(|a| a as u32);
        let (bytes, operation) = (u32::from(of.update.ty.bytes()), of.update.operation);
        let swap = operation == Operation::CompareAndSwap;
        if of.is_native() {
            let waves = if of.adds_one && of.reduces && of.space == Space::Shared {
                access::wavefronts(&at, mask, bytes, false)
            } else {
                access::shared_atomic(&at, mask, bytes, swap)
            };
            let counters = self.counters();
            counters.shared_atomic_instructions += u64::from(of.space == Space::Shared);
            counters.shared_atomic_wavefronts += u64::from(waves.wavefronts);
            counters.shared_atomic_bank_conflicts += u64::from(waves.conflicts);
            return;
        }
        // Loops are of whole words.
        let mut words = at;
        words.iter_mut().for_each(|word| *word &= !(bytes.max(4) - 1));
        let cost = if swap {
            let before = current.shared_words(&words, mask, 4);
            let swap = |l: usize, word| half_swap(at[l].into(), word, a.0[l], b.0[l]);
            let rounds = access::swap_rounds(&words.map(u64::from), mask, &before, swap);
            let mut atomic = Wavefronts::NONE;
            rounds.iter().for_each(|m| atomic.add(access::shared_atomic(&words, *m, 4, true)));
            let load = access::wavefronts(&words, mask, 4, false);
            SharedLoop { atomics: rounds.len() as u32, atomic, loads: 1, load }
        } else if bytes == 8 {
            let before = current.shared_words(&words, mask, 8);
            let update = |l: usize, word| of.update.apply(word, a.0[l], 0);
            let leaves = matches!(operation, Operation::Min | Operation::Max);
            access::shared_wide_atomic_loop(&words, mask, &before, update, leaves)
        } else {
            access::shared_atomic_loop(&words, mask)
        };
        let counters = self.counters();
        counters.shared_atomic_instructions += u64::from(cost.atomics);
        counters.shared_atomic_wavefronts += u64::from(cost.atomic.wavefronts);
        counters.shared_atomic_bank_conflicts += u64::from(cost.atomic.conflicts);
        counters.shared_load_instructions += u64::from(cost.loads);
        counters.shared_load_wavefronts += u64::from(cost.load.wavefronts);
        counters.shared_load_bank_conflicts += u64::from(cost.load.conflicts);
    }

    /// Counts an atomic operation on global memory, before its lanes have done it.
    #[cold]
    #[inline(never)]
    pub(super) fn count_global_atomic(
        &mut self,
        run: &Run<'_>,
        of: &AtomicOperands,
        addresses: &X,
        mask: u32,
        [a, b]: [&X; 2],
    ) {
        let places = run.places(addresses, mask);
        let swap = of.update.operation == Operation::CompareAndSwap;
        if of.update.ty.bytes() != 2 {
            let cost = access::atomic(&places, mask, swap);
            let counters = self.counters();
            if of.reduces && of.space == Space::Global {
                counters.global_red_requests += 1;
                counters.global_red_sectors += u64::from(cost.sectors);
            } else {
                counters.global_atomic_requests += 1;
                counters.global_atomic_sectors += u64::from(cost.sectors);
                counters.generic_atomic_instructions += u64::from(of.space == Space::Global);
            }
            return;
        }
        let words = places.map(|at| at & !3);
        let mut hint = 0;
        let before: [u64; WARP] = std::array::from_fn(|l| {
            let at = addresses.0[l] & !3;
            match run.global.find(at, at + 2, &mut hint) {
                Some(a) if mask >> l & 1 == 1 => a.load(at - a.base, 4),
                _ => 0,
            }
        });
        let rounds = access::swap_rounds(&words, mask, &before, |l, word| {
            if swap {
                return half_swap(addresses.0[l], word, a.0[l], b.0[l]);
            }
            (word, half_update(addresses.0[l], word, |half| of.update.apply(half, a.0[l], 0)))
        });
        let turns = access::turns(&words, mask, 4, false);
        let counters = self.counters();
        counters.global_load_requests += 1;
        counters.global_load_sectors += u64::from(access::sectors(&words, mask));
        counters.global_load_wavefronts += u64::from(turns.tags);
        counters.global_load_data_wavefronts += u64::from(turns.data);
        if of.space == Space::Generic {
            counters.generic_load_instructions += 1;
            rounds.iter().for_each(|round| self.count_generic_atomic(of, *round));
        }
        let counters = self.counters();
        for round in rounds {
            counters.global_atomic_requests += 1;
            counters.global_atomic_sectors += u64::from(access::atomic(&words, round, true).sectors);
            counters.generic_atomic_instructions += u64::from(of.space == Space::Global);
        }
    }
}

impl Sites {
    // Global memory.

    /// Distinct sectors of a load or a store of global memory, and its turns in L1. `one`: the allocation that all lanes are
    /// in, if they are in one.
    #[inline(always)]
    fn global_cost(
        &mut self,
        run: &Run<'_>,
        access: &Access<'_>,
        one: Option<&Allocation>,
        store: bool,
    ) -> (u64, Turns) {
        let (mask, width) = (access.mask, access.width);
        match access.pattern {
            // An access of up to 16 bytes, aligned as it must be, lies in one sector.
            Pattern::Uniform => (1, Turns { tags: 1, data: access::unhindered(mask, width, store) }),
            Pattern::Contiguous => {
                let (first, last) = (access.first, access.end() - 1);
                let (line, end) = (first / LINE, last / LINE);
                let tags = if line == end {
                    1
                } else {
                    let moved = one.map_or(0, Allocation::moved);
                    access::tag_turns_of_row(first.wrapping_add(moved) / LINE, end - line + 1)
                };
                let data = access::unhindered(mask, width, store);
                (last / SECTOR - first / SECTOR + 1, Turns { tags, data })
            }
            Pattern::Tiled | Pattern::Scattered => self.scattered_cost(run, access, one, store),
        }
    }

    #[inline(never)]
    fn scattered_cost(
        &mut self,
        run: &Run<'_>,
        access: &Access<'_>,
        one: Option<&Allocation>,
        store: bool,
    ) -> (u64, Turns) {
        let cost = |addresses: &[u64; WARP], mask| {
            let Global { sectors, data_turns, lines } = access::global(addresses, mask, access.width, store);
            [sectors, data_turns, lines]
        };
        let [sectors, data_turns, lines] = self.cost(access, cost);
        // Which banks of tags lines fall into depends on their numbers.
        let tags = if lines.is_power_of_two() {
            1
        } else {
            let addresses = self.addresses(access);
            match one {
                Some(a) => access::tag_turns(&addresses.0, lines, a.moved()),
                None => access::tag_turns(&run.places(&addresses, access.mask), lines, 0),
            }
        };
        (sectors.into(), Turns { tags, data: data_turns })
    }

    // Shared memory.

    /// Wavefronts and bank conflicts of an access to shared memory.
    #[inline(always)]
    pub(super) fn wavefronts(&mut self, access: &Access<'_>, store: bool) -> [u64; 2] {
        let operand = access.operand;
        if access.unit == Unit::Matrix {
            let count = |a: &[u64; WARP], mask: u32| {
                let waves = access::matrices(&X(*a).narrowed().0, mask.count_ones() / 8);
                [waves.wavefronts, waves.conflicts, 0]
            };
            let [wavefronts, conflicts, _] = self.cost(access, count);
            return [wavefronts.into(), conflicts.into()];
        }
        match access.pattern {
            Pattern::Contiguous if operand.words && operand.count == 1 => [1, 0],
            Pattern::Uniform if operand.words && !store => {
                [access::broadcast(access.mask, access.width).into(), 0]
            }
            Pattern::Uniform | Pattern::Contiguous | Pattern::Tiled | Pattern::Scattered => {
                let width = access.width;
                let count = |a: &[u64; WARP], mask| {
                    let waves = access::wavefronts(&X(*a).narrowed().0, mask, width, store);
                    [waves.wavefronts, waves.conflicts, 0]
                };
                let [wavefronts, conflicts, _] = self.cost(access, count);
                [wavefronts.into(), conflicts.into()]
            }
        }
    }

    /// Instructions that a load of constant memory is, and the lowest lane of each distinct address: a pass each.
    #[inline(always)]
    pub(super) fn constant_passes(&mut self, access: &Access<'_>) -> (u64, u32) {
        let firsts = match access.pattern {
            Pattern::Uniform => access.mask & access.mask.wrapping_neg(),
            Pattern::Contiguous => access.mask,
            Pattern::Tiled | Pattern::Scattered => {
                self.cost(access, |addresses, mask| [access::first_lanes(addresses, mask), 0, 0])[0]
            }
        };
        // 16 bytes are two instructions of 8 on the hardware (`tests/truth`).
        (u64::from(access.width.div_ceil(8)), firsts)
    }

    // Local memory.

    /// Requests and sectors of an access to local memory; none for a function's parameters, which the hardware has in
    /// registers.
    #[inline]
    pub(super) fn local_cost(&self, access: &Access<'_>) -> Option<access::Local> {
        let addresses = self.addresses(access);
        (!access.operand.parameter).then(|| access::local(&addresses.0, access.mask, access.width))
    }
}

impl CurrentBlock<'_> {
    /// What words of shared memory hold; of the last word of the memory there may be a part only.
    #[inline]
    fn shared_words(&self, words: &[u32; WARP], mask: u32, bytes: usize) -> [u64; WARP] {
        let byte = |at: usize| self.block.shared.get(at).map_or(0, |b| u64::from(*b));
        let word = |at: usize| (at..at + bytes).rev().fold(0, |value, at| value << 8 | byte(at));
        std::array::from_fn(|l| if mask >> l & 1 == 1 { word(words[l] as usize) } else { 0 })
    }
}

/// The word around a half word, with another one in its place.
fn half_update(address: u64, word: u64, update: impl Fn(u64) -> u64) -> u64 {
    let shift = 8 * (address & 2);
    word & !(0xffff << shift) | (update(word >> shift & 0xffff) & 0xffff) << shift
}

/// The word that a compare-and-swap of half of it expects, and the one that it would put in its place.
fn half_swap(address: u64, word: u64, expected: u64, new: u64) -> (u64, u64) {
    (half_update(address, word, |_| expected), half_update(address, word, |_| new))
}
