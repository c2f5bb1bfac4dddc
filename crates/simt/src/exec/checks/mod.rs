//! Checks of [`crate::Options::checks`]: races in shared memory, reads of memory that has not been written, barriers that
//! parts of a block reach at different places.
//!
//! Enters: accesses, with the warp and the lanes that make them, and everything that orders accesses. Leaves: nothing,
//! or the [`super::fault::Stop`] of the first access that should not be. The interpreter calls it before it touches memory.
//!
//! Time is counted in events that order accesses: barriers, meetings of a warp's lanes, fences, atomic and strong
//! accesses. An access keeps the time at which it was made; an event that comes later has a higher one. What is ordered:
//! - by a barrier of all threads, whatever was before it;
//! - by a barrier of some, what those who came to it had done or knew to be done, for those who waited there;
//! - by an mbarrier, what those had done or knew to be done who arrived in a phase, for those who see that it is complete
//!   (in a cluster, as by fences: the way may lead through another block);
//! - by a warp-wide operation, what its lanes did before it;
//! - by fences: what a warp (for two lanes of one warp, a lane) did before it executed a fence, an atomic operation or
//!   a strong store, if the other one has executed a fence, an atomic operation or a strong load since. This is more
//!   than the memory model gives: whether the two are about the same flag is not looked at. A race is missed rather than
//!   a correct kernel blamed.
//!
//! An asynchronous copy ([`copies`]) is made when its thread has waited for it.
//!
//! [`order`] keeps these as vector clocks.

mod copies;
mod global;
mod local;
mod marks;
mod order;
mod pending;
mod races;
mod runs;
mod undefined;

use crate::WARP;
use crate::ir::{Inst, Kernel, Op, Origin};
use crate::lanes::{X, all_bits};
use crate::options::Checks as Chosen;
use crate::semantics::atomic::Operation;
use copies::Copies;
use global::Elsewhere;
pub(super) use global::{Cells, GlobalAccessKind, Touch, conflict_of_writes};
use marks::Shadow;
use order::Order;
use pending::PendingFault;
pub(super) use pending::{PATIENCE, Unwritten};
use runs::Run;
use undefined::Undefined;
pub(super) use undefined::{Around, Bits, Key, Space, Unset};

/// Times of a block after which it starts over: two blocks that use them up fit one after the other.
const BLOCK_TIMES: u32 = marks::LAST_TIME / 2;

fn swaps(kernel: &Kernel) -> Vec<u16> {
    let swaps = kernel.atomics.iter().filter(|of| of.update.operation == Operation::CompareAndSwap);
    swaps.map(|of| of.access.number()).collect()
}

/// Earlier accesses of a block, and what orders them.
pub(super) struct Checks<'a> {
    /// What is looked for.
    pub(super) chosen: Chosen,
    kernel: &'a Kernel,
    clock: u32,
    /// The last time of the block that runs, as long as it does not start over.
    ends: u32,
    /// Times of the block's start and of the last barrier of all its threads.
    began: u32,
    interval: u32,
    order: Order,
    shared: Shadow,
    /// Runs of loads since the last barrier of all threads that have no marks yet.
    runs: Vec<Run>,
    /// Accesses that are compare-and-swaps.
    swaps: Vec<u16>,
    /// For each warp and byte of local memory, the lanes that have written it.
    local: Vec<Vec<u32>>,
    /// Asynchronous copies that are under way.
    copies: Copies,
    /// What is in registers and has no value.
    undefined: Undefined,
    /// Cells of global memory that the block touched in lines of others.
    elsewhere: Elsewhere,
    /// What the next fault of this kind is of, and the one that waits for the rest of the block.
    unwritten: Option<Unwritten>,
    held: Option<Box<PendingFault>>,
}

impl<'a> Checks<'a> {
    pub(super) fn new(kernel: &'a Kernel, warps: usize, shared_bytes: u32, chosen: Chosen) -> Self {
        Checks {
            chosen,
            kernel,
            clock: 0,
            ends: BLOCK_TIMES,
            began: 0,
            interval: 0,
            order: Order::new(warps),
            shared: Shadow::new(kernel, shared_bytes),
            runs: vec![],
            swaps: swaps(kernel),
            local: vec![vec![]; warps],
            copies: Copies::default(),
            undefined: Undefined::default(),
            elsewhere: Elsewhere::default(),
            unwritten: None,
            held: None,
        }
    }

    /// A new time, later than all accesses so far.
    fn tick(&mut self) -> u32 {
        if self.clock >= self.ends {
            self.start_over();
        }
        self.clock += 1;
        self.clock
    }

    /// Time has run out: what the block has written stays written, and all of it counts as ordered.
    #[cold]
    fn start_over(&mut self) {
        self.mark_runs();
        self.shared.start_over(self.began);
        self.order.start_over();
        (self.began, self.interval, self.clock, self.ends) = (1, 2, 2, BLOCK_TIMES);
    }

    pub(super) fn begin_block(&mut self) {
        // Every block has as many times, whichever ran before it: what it misses is the same in every run.
        if self.clock > marks::LAST_TIME - BLOCK_TIMES {
            self.start_over();
        }
        self.ends = self.clock + BLOCK_TIMES;
        self.undefined.begin_block();
        self.forget_copies();
        (self.unwritten, self.held) = (None, None);
        self.elsewhere.clear();
        let now = self.tick();
        self.began = now;
        // What other blocks of the cluster write counts as written between these two times.
        self.interval = self.tick();
        self.runs.clear();
        self.order.begin_block();
    }

    /// Lanes met: what they did before is ordered before what they do next.
    pub(super) fn met(&mut self, warp: usize, mask: u32, live: u32) {
        let now = self.tick();
        self.order.meet(warp, mask, live, now);
    }

    /// Release: earlier accesses of these lanes are visible to others before their later ones.
    pub(super) fn release(&mut self, warp: usize, mask: u32) {
        let now = self.tick();
        self.order.release(warp, mask, now);
    }

    /// Lanes look at what others did.
    pub(super) fn acquire(&mut self, warp: usize, mask: u32) {
        let now = self.tick();
        self.order.acquire(warp, mask, now);
    }

    /// An mbarrier begins, or is one no more.
    pub(super) fn begin_mbarrier(&mut self, address: u64) {
        self.order.begin_mbarrier(address);
    }

    /// Lanes arrive at an mbarrier, or a copy that one of them has begun does.
    pub(super) fn arrive_at_mbarrier(&mut self, address: u64, warp: usize, mask: u32) {
        let now = self.tick();
        self.order.arrive_at_mbarrier(address, warp, mask, now);
    }

    /// A phase of an mbarrier is complete, an odd one or not: those who see it know what those knew who arrived.
    pub(super) fn complete_phase(&mut self, address: u64, odd: bool) {
        self.order.complete_phase(address, odd);
    }

    /// Lanes have seen that a phase is complete.
    pub(super) fn waited_at_mbarrier(&mut self, address: u64, odd: bool, warp: usize, mask: u32) {
        let now = self.tick();
        self.order.waited_at_mbarrier(address, odd, warp, mask, now);
    }

    /// Lanes came to a barrier and do not wait there.
    pub(super) fn arrived(&mut self, id: u32, warp: usize, mask: u32) {
        let now = self.tick();
        self.order.arrive(id as usize, warp, mask, now);
    }

    /// A warp of which lanes came to a barrier twice without waiting, before it opened.
    pub(super) fn arrived_again(&self, id: u32) -> Option<usize> {
        self.order.arrived_again(id as usize)
    }

    /// When the block's threads last were at a barrier of all, or began.
    pub(super) fn since_barrier(&self) -> u32 {
        self.interval
    }

    /// All threads met, at the cluster's barrier.
    pub(super) fn all_met(&mut self) {
        self.interval = self.tick();
        self.runs.clear();
    }

    /// A barrier of all threads opened.
    pub(super) fn all_came(&mut self, id: u32) {
        self.order.open_for_all(id as usize);
        self.all_met();
    }

    /// A barrier opened for lanes that waited there: their warps, the lanes, and those of the warp that live.
    pub(super) fn some_came(&mut self, id: u32, waiting: &[(usize, u32, u32)]) {
        let now = self.tick();
        self.order.open(id as usize, waiting, now);
    }
}

/// Where an access is in the program.
#[cold]
pub(crate) fn origin_of(kernel: &Kernel, access: u16) -> Origin {
    let is_it = |inst: &Inst| match inst.op {
        Op::Texture { texture } => kernel.texture_access(texture) == access,
        Op::Surface { surface } => kernel.surface_access(surface) == access,
        _ => inst.op.access(kernel).is_some_and(|id| id.number() == access),
    };
    let code = kernel.code.iter().position(is_it);
    let listed = code.and_then(|n| kernel.places.get(n));
    listed.and_then(|n| kernel.listing.get(*n as usize)).map(|l| l.origin).unwrap_or_default()
}

/// Whether all lanes have the same address.
fn uniform(addresses: &X, mask: u32) -> bool {
    let first = addresses.0[mask.trailing_zeros() as usize % WARP];
    all_bits(mask, |l| addresses.0[l] ^ first) == 0
}
