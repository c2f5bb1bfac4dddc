//! Samples for the time model: caches and longest warp of a few blocks of a launch.

use crate::WARP;
use crate::exec::current::CurrentBlock;
use crate::exec::launch::Run;
use crate::exec::memory::access::{Access, Memory, Unit};
use crate::exec::memory::sites::Sites;
use crate::exec::observers::Observers;
use crate::exec::observers::caches::{Caches, Loads};
use crate::hash::HashMap;
use crate::ir::{AccessForm, Block, UniformValue};
use crate::lanes::lanes;
use crate::memory::close;
use crate::model::access;
use crate::model::cache::Lookup;
use crate::model::chip::L1Keeps;
use crate::model::issue::{FRAME, Issue};
use crate::model::sample::{PAIR, WarpCost};
use crate::trace::AccessKind;

/// Sectors that wait for L1 at the most, 32 MiB of them: what comes later is shown to it later.
const MOST_WAITING: usize = 1 << 22;

/// Blocks that are looked at, spread over the grid.
const SAMPLED_BLOCKS: u64 = 8;

/// Of each this many blocks of a launch one is.
pub(in crate::exec) fn stride(blocks: u64) -> u64 {
    (blocks / SAMPLED_BLOCKS).max(1)
}

/// Whether a block is one of them: one of every `stride`, each at another place among those, so that they do not all lie in
/// one column of a grid whose width divides the stride.
fn is_sampled(block: u64, stride: u64) -> bool {
    let nth = block / stride;
    // Fractions of multiples of the golden ratio lie evenly, however many there are.
    let fraction = (nth as u32).wrapping_mul(2_654_435_769);
    block % stride == ((u128::from(fraction) * u128::from(stride)) >> 32) as u64
}

/// Where the local memory of warps is taken to lie, for L1: above all global memory.
const LOCAL: u64 = 1 << 60;

impl Observers {
    #[inline]
    pub(in crate::exec) fn is_sampled(&self, block: u64) -> bool {
        is_sampled(block, self.sample_stride)
    }

    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn begin_sample(&mut self, current: &mut CurrentBlock<'_>) {
        let caches = self.spare_caches.take().unwrap_or_else(|| Box::new(Caches::new(current.run)));
        current.block.observers.caches = Some(caches);
        for warp in &mut current.block.warps {
            warp.cost = WarpCost::default();
        }
    }

    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn end_sample(&mut self, current: &mut CurrentBlock<'_>) {
        self.show_to_l1(current);
        let sample = &mut self.sample;
        if let Some(mut caches) = current.block.observers.caches.take() {
            for (line, operations) in &caches.atomics {
                sample.atomics(*line, *operations, 1);
            }
            // Of each allocation, the first and the last line: the line, and whether a sector of it is incomplete.
            let mut ends: HashMap<u32, [(u64, bool); 2]> = HashMap::default();
            let mut hint = 0;
            for (&line, written) in &caches.written {
                let [touched, whole] = sectors_of(*written);
                let incomplete = whole < touched;
                sample.written_sectors += u64::from(touched);
                sample.incomplete_lines += u64::from(incomplete);
                let at = line * access::LINE + u64::from(written.trailing_zeros());
                if current.run.global.find(at, at + 1, &mut hint).is_some() {
                    sample.touched(hint).stored_bytes += u64::from(written.count_ones());
                    let [first, last] = ends.entry(hint).or_insert([(line, incomplete); 2]);
                    *first = (*first).min((line, incomplete));
                    *last = (*last).max((line, incomplete));
                }
            }
            for (allocation, [first, last]) in ends {
                let two = u64::from(last.1 && last.0 != first.0);
                sample.touched(allocation).incomplete_ends += u64::from(first.1) + two;
            }
            // Constants whose addresses are known are in the instructions that use them.
            let fixed = current.run.kernel.uniform_w.iter().chain(&current.run.kernel.uniform_x);
            for value in fixed.flatten() {
                if let UniformValue::Constant { offset, .. } = value {
                    let at = u64::from(*offset);
                    sample.constant_l1_lines += u64::from(caches.constant_l1.pass(at) == Lookup::New);
                    sample.constant_l2_lines += u64::from(caches.constant_l2.pass(at) == Lookup::New);
                }
            }
            caches.clear();
            self.spare_caches = Some(caches);
        }
        for warp in &current.block.warps {
            sample.issue.add(&warp.cost.issue);
            sample.issue.add_scaled(&FRAME, Issue::SCALE);
        }
        sample.block(current.block.number, current.block.warps.iter().map(|warp| &warp.cost));
    }

    /// Shows the time model an access of the sampled block that runs.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn sample_access(
        &mut self,
        current: &mut CurrentBlock<'_>,
        sites: &mut Sites,
        access: &Access<'_>,
    ) {
        use AccessKind::{Atomic, Load, Store};
        current.is_on(access);
        match (access.memory, access.kind) {
            // Of loads and stores through generic addresses, those that are all of global memory.
            (Memory::Global, Load) if access.addresses.is_none() => {
                self.sample_global(current, sites, access)
            }
            (Memory::Global, Store) if access.addresses.is_none() => {
                self.sample_store(current, sites, access)
            }
            (Memory::Global, Load | Store) => {}
            (Memory::Global, Atomic) => current.sample_global_atomic(sites, access),
            (Memory::Shared, Load | Store) => self.sample_shared(current, sites, access),
            (Memory::Shared, Atomic) if access.unit != Unit::Lane => {
                self.sample_shared_atomic(current, sites, access)
            }
            (Memory::Shared, Atomic) | (Memory::Cluster, _) => {}
            (Memory::Constant, _) if access.unit == Unit::Thread => {
                self.sample_constant(current, sites, access)
            }
            (Memory::Constant | Memory::Parameter, _) => {}
            (Memory::Local, _) => self.sample_local(current, sites, access),
        }
    }

    /// What the chip executes for a load or a store of shared memory: its wavefronts, and for what waits its conflicts.
    fn sample_shared(&mut self, current: &mut CurrentBlock<'_>, sites: &mut Sites, access: &Access<'_>) {
        if access.unit == Unit::Lane {
            return;
        }
        let store = access.kind == AccessKind::Store;
        let own = sites.wavefronts(access, store || access.unit == Unit::Generic);
        let made = match current.run.form(access) {
            AccessForm::Own => own,
            AccessForm::Gone => [0, 0],
            AccessForm::Wide { bytes, before } => {
                let at = sites.addresses(access).words(|a| (a as u32).wrapping_sub(before));
                let waves = access::wavefronts(&at, access.mask, bytes, store);
                [waves.wavefronts.into(), waves.conflicts.into()]
            }
        };
        self.sample.shared_wavefronts += own[0];
        self.sample.executed_wavefronts += made[0];
        // `stmatrix` waits for its banks as `ldmatrix` does.
        if !store || access.unit == Unit::Matrix {
            current.block.warps[current.cursor.warp].cost.conflicts += made[1];
        }
    }

    #[cold]
    #[inline(never)]
    fn sample_shared_atomic(&mut self, current: &mut CurrentBlock<'_>, sites: &Sites, access: &Access<'_>) {
        let (addresses, mask) = (sites.addresses(access), access.mask);
        // Lanes that ask for one word go together, as they do where they all add 1.
        let waves = access::wavefronts(&addresses.words(|a| a as u32), mask, 4, false);
        self.sample.shared_atomics += 1;
        self.sample.shared_atomic_wavefronts += u64::from(waves.wavefronts);
        current.block.warps[current.cursor.warp].cost.conflicts += u64::from(waves.conflicts);
    }

    #[cold]
    #[inline(never)]
    fn sample_store(&mut self, current: &mut CurrentBlock<'_>, sites: &Sites, access: &Access<'_>) {
        let (addresses, mask) = (sites.addresses(access), access.mask);
        let bytes = ones(access.width);
        let mut lines: Vec<(u64, u128)> = vec![];
        for l in lanes(mask) {
            let line = addresses.0[l] / access::LINE;
            let written = bytes << (addresses.0[l] % access::LINE);
            match lines.iter_mut().rfind(|(n, _)| *n == line) {
                Some((_, before)) => *before |= written,
                None => lines.push((line, written)),
            }
        }
        let Some(caches) = &mut current.block.observers.caches else { return };
        let sample = &mut self.sample;
        let (mut sectors, mut hint) = (0, 0);
        for (line, written) in lines {
            let [touched, whole] = sectors_of(written);
            sectors += touched;
            if whole < touched {
                sample.partly_stored_halves += u64::from(touched - whole) + 1;
            }
            let before = caches.written.entry(line).or_insert(0);
            let new = *before == 0;
            *before |= written;
            let at = line * access::LINE + u64::from(written.trailing_zeros());
            if new && current.run.global.find(at, at + 1, &mut hint).is_some() {
                let of = sample.touched(hint);
                of.stored_lines += 1;
                of.lines += u64::from(caches.lines.insert(line));
                of.at(at);
            }
        }
        sample.stored_sectors += u64::from(sectors);
    }

    #[cold]
    #[inline(never)]
    fn sample_local(&mut self, current: &mut CurrentBlock<'_>, sites: &Sites, access: &Access<'_>) {
        let Some(cost) = sites.local_cost(access) else { return };
        let (addresses, mask) = (sites.addresses(access), access.mask);
        let store = access.kind == AccessKind::Store;
        let words = current.block.warps[current.cursor.warp].local.len() as u64;
        let base = LOCAL + current.cursor.warp as u64 * words * 4 * WARP as u64;
        let keeps = current.run.chip.l1_keeps == L1Keeps::Loads;
        let Some(caches) = &mut current.block.observers.caches else { return };
        let sample = &mut self.sample;
        let place = |l: usize| base + (addresses.0[l] / 4 * WARP as u64 + l as u64) * 4;
        let mut missed = false;
        let (mut seen, mut lines): (Vec<(u64, u64)>, Vec<u64>) = (vec![], vec![]);
        for l in lanes(mask) {
            let (sector, line) = (place(l) / access::SECTOR, place(l) / access::LINE);
            if !lines.contains(&line) {
                lines.push(line);
            }
            if let Some((_, lanes)) = seen.iter_mut().find(|(s, _)| *s == sector) {
                *lanes += 1;
                continue;
            }
            seen.push((sector, 1));
            let found = if keeps { caches.l1.access(place(l)) } else { caches.l1.pass(place(l)) };
            let miss = found != Lookup::Hit;
            missed |= miss;
            sample.local_misses += u64::from(miss);
        }
        sample.local_lines += lines.len() as u64;
        sample.local_requests += u64::from(cost.requests);
        if store {
            // Stores go through to L2.
            sample.local_partly_stored +=
                seen.iter().filter(|(_, words)| 4 * words < access::SECTOR).count() as u64;
        }
        current.block.warps[current.cursor.warp].cost.l1_misses += u64::from(missed);
    }

    #[cold]
    #[inline(never)]
    fn sample_global(&mut self, current: &mut CurrentBlock<'_>, sites: &Sites, access: &Access<'_>) {
        let (addresses, mask) = (sites.addresses(access), access.mask);
        let turns = access::turns(&current.run.places(&addresses, mask), mask, access.width, false);
        if current.run.form(access) == AccessForm::Gone {
            self.sample.l1_sectors += u64::from(access::sectors(&addresses.0, mask));
            return;
        }
        let Some(caches) = &mut current.block.observers.caches else { return };
        let cost = &mut current.block.warps[current.cursor.warp].cost;
        cost.turns += u64::from(turns.cycles() - 1);
        cost.loads += 1;
        let Some(loads) = caches.loads.get_mut(current.cursor.warp) else { return };
        loads.begins.push((loads.addresses.len(), access.operand.read_only));
        let mut seen = Vec::with_capacity(WARP);
        for l in lanes(mask) {
            let sector = addresses.0[l] / access::SECTOR;
            if !seen.contains(&sector) {
                seen.push(sector);
                loads.addresses.push(addresses.0[l]);
                caches.waiting += 1;
            }
        }
        if caches.waiting >= MOST_WAITING {
            self.show_to_l1(current);
        }
    }

    /// Shows L1 the loads that wait, one of each warp in turn.
    fn show_to_l1(&mut self, current: &mut CurrentBlock<'_>) {
        let Some(mut caches) = current.block.observers.caches.take() else { return };
        let loads = std::mem::take(&mut caches.loads);
        caches.waiting = 0;
        let most = loads.iter().map(|of| of.begins.len()).max().unwrap_or(0);
        for n in 0..most {
            for (warp, of) in loads.iter().enumerate() {
                if let Some((addresses, read_only)) = of.get(n) {
                    let keeps = read_only || current.run.chip.l1_keeps == L1Keeps::Loads;
                    self.show_load(current, &mut caches, warp, addresses, keeps);
                }
            }
        }
        caches.loads = vec![Loads::default(); loads.len()];
        current.block.observers.caches = Some(caches);
    }

    /// Shows L1 a load of a warp, and whether it keeps what that brings.
    fn show_load(
        &mut self,
        current: &mut CurrentBlock<'_>,
        caches: &mut Caches,
        warp: usize,
        addresses: &[u64],
        keeps: bool,
    ) {
        let sample = &mut self.sample;
        // Lines of this load of which a sector was not there, with how many.
        let mut missing: Vec<(u64, u64)> = vec![];
        let (mut new, mut hint) = (0, 0);
        for address in addresses {
            let line = address / access::LINE;
            let place = close(*address);
            let found = if keeps { caches.l1.access(place) } else { caches.l1.pass(place) };
            sample.l1_sectors += 1;
            if found == Lookup::Hit {
                continue;
            }
            match missing.iter_mut().rfind(|(n, _)| *n == line) {
                Some((_, sectors)) => *sectors += 1,
                None => missing.push((line, 1)),
            }
            if found == Lookup::New {
                new += 1;
                sample.reads(place / access::SECTOR);
                let mut within =
                    || current.run.global.find(*address, address + 1, &mut hint).is_some().then_some(hint);
                if caches.lines.insert(line)
                    && let Some(allocation) = within()
                {
                    let touched = sample.touched(allocation);
                    touched.lines += 1;
                    touched.at(*address);
                }
                if caches.pairs.insert(address / PAIR)
                    && let Some(allocation) = within()
                {
                    sample.touched(allocation).pairs += 1;
                }
            }
        }
        sample.l1_missed_halves += missing.iter().map(|(_, sectors)| (2 * sectors).max(3)).sum::<u64>();
        let cost = &mut current.block.warps[warp].cost;
        cost.l1_misses += u64::from(!missing.is_empty());
        // Less than a line is taken to be another block's line too, on its way to L2 already.
        cost.memory += u64::from(new >= access::LINE / access::SECTOR);
    }

    #[cold]
    #[inline(never)]
    fn sample_constant(&mut self, current: &mut CurrentBlock<'_>, sites: &mut Sites, access: &Access<'_>) {
        let addresses = sites.addresses(access);
        let (instructions, firsts) = sites.constant_passes(access);
        let distinct = u64::from(firsts.count_ones());
        let gone = current.run.form(access) == AccessForm::Gone;
        let Some(caches) = &mut current.block.observers.caches else { return };
        let sample = &mut self.sample;
        let cost = &mut current.block.warps[current.cursor.warp].cost;
        sample.constant_requests += instructions * distinct;
        if gone {
            return;
        }
        sample.executed_constant_requests += instructions * distinct;
        cost.replays += instructions * (distinct - 1);
        for l in lanes(firsts) {
            let first = caches.constant_l1.access(addresses.0[l]);
            // What the first cache holds, the second has seen.
            let second = caches.constant_l2.access(addresses.0[l]);
            sample.constant_l1_lines += u64::from(first == Lookup::New);
            sample.constant_l2_lines += u64::from(second == Lookup::New);
            let line = addresses.0[l] / u64::from(current.run.chip.constant_l1.line.max(1));
            let own =
                caches.constant_lines.get_mut(current.cursor.warp).is_some_and(|lines| lines.insert(line));
            if first == Lookup::Miss {
                sample.constant_l1_misses += 1;
                cost.constant_l1_misses += 1;
                cost.constant_first_misses += u64::from(own);
                if second == Lookup::Miss {
                    sample.constant_l2_misses += 1;
                    cost.constant_l2_misses += 1;
                }
            }
        }
    }
}

impl CurrentBlock<'_> {
    /// Of an access that a predicate could have turned off, that it has not.
    #[inline]
    fn is_on(&mut self, access: &Access<'_>) {
        if self.run.kernel.predicated.get(access.id.index()).copied().unwrap_or_default() {
            let issue = &mut self.block.warps[self.cursor.warp].cost.issue;
            let off = match access.memory {
                Memory::Constant => &mut issue.constants_off,
                Memory::Global | Memory::Shared | Memory::Local | Memory::Cluster | Memory::Parameter => {
                    &mut issue.accesses_off
                }
            };
            *off = off.saturating_sub(Issue::SCALE);
        }
    }

    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn sample_block(&mut self, block: &Block) {
        let cost = &mut self.block.warps[self.cursor.warp].cost;
        cost.chain.add(&block.chain);
        cost.issue.add(&block.issue);
    }

    #[cold]
    #[inline(never)]
    fn sample_global_atomic(&mut self, sites: &Sites, access: &Access<'_>) {
        let (addresses, mask) = (sites.addresses(access), access.mask);
        let Some(caches) = &mut self.block.observers.caches else { return };
        for l in lanes(mask) {
            *caches.atomics.entry(addresses.0[l] / access::LINE).or_default() += 1;
        }
    }
}

impl Run<'_> {
    #[inline]
    fn form(&self, access: &Access<'_>) -> AccessForm {
        self.kernel.forms.get(access.id.index()).copied().unwrap_or_default()
    }
}

/// As many bits as there are bytes.
fn ones(bytes: u32) -> u128 {
    (1 << bytes.min(127)) - 1
}

/// The sectors of a line of which a byte was written, and those that were written as a whole; a bit represents a byte.
fn sectors_of(written: u128) -> [u32; 2] {
    let sector = ones(access::SECTOR as u32);
    let parts = (0..access::LINE / access::SECTOR).map(|n| written >> (n * access::SECTOR) & sector);
    parts.fold([0, 0], |[touched, whole], part| {
        [touched + u32::from(part != 0), whole + u32::from(part == sector)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sector_is_whole_once_all_of_its_bytes_are_written() {
        assert_eq!(sectors_of(ones(32)), [1, 1]);
        assert_eq!(sectors_of(ones(32) << 4), [2, 0]);
        assert_eq!(sectors_of(u128::MAX), [4, 4]);
        assert_eq!(sectors_of(u128::MAX << 4), [4, 3]);
    }

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
