//! What observers know of one block: it is parked with the block, when another one runs.

use crate::exec::checks::Checks;
use crate::exec::fault::RawFault;
use crate::exec::follow::floats::Pending;
use crate::exec::launch::Run;
use crate::exec::observers::caches::Caches;
use crate::exec::observers::found_faults::FoundFaults;

/// Warp instructions, slow ones counted as several, after which a block has its first window. The next ones begin when
/// it has spent twice as many each time, so all windows together are a small part of its time.
pub(in crate::exec) const FIRST_WINDOW: u64 = 1 << 19;

/// State of a block's observers.
#[derive(Default)]
pub(in crate::exec) struct BlockObservers<'a> {
    /// State of the checks, if the launch has them.
    pub(in crate::exec) checks: Option<Box<Checks<'a>>>,
    /// Caches for the time model, if the block is sampled.
    pub(in crate::exec::observers) caches: Option<Box<Caches>>,
    /// Whether some register holds bits without a value, or a load is about to leave some there. Instructions are then
    /// executed one by one.
    pub(in crate::exec) undefined: bool,
    /// Whether it has loaded a NaN, and an infinity, where it is looked for what makes such.
    pub(in crate::exec) given: [bool; 2],
    /// NaNs and infinities that are in its registers alone.
    pub(in crate::exec) pending: Vec<Pending>,
    /// Whether its steps are looked at ([`crate::exec::follow::stepper`]): `undefined` is then always set.
    pub(in crate::exec) stepped: bool,
    /// Whether there are any that look at accesses ([`crate::exec::observers::observe`]).
    pub(in crate::exec) observed: bool,
    /// How much it has spent when its next window begins ([`crate::exec::follow::endless`]); nothing if it is in one, or has to have
    /// one.
    pub(in crate::exec) next_window: u64,
    /// In its last turn it was proven to wait for what others do, and for nothing else: when ([`crate::exec::schedule::Wait`]),
    /// and the fault if they do not.
    pub(in crate::exec) waits_forever: Option<(u64, Box<RawFault>)>,
    /// Faults after which it went on.
    pub(in crate::exec) found: FoundFaults,
}

impl<'a> BlockObservers<'a> {
    pub(in crate::exec) fn new(run: &Run<'a>) -> Self {
        let (chosen, warps) = (run.options.checks, run.warps_per_block() as usize);
        let checks = || Box::new(Checks::new(run.kernel, warps, run.shared_bytes, chosen));
        BlockObservers { checks: chosen.any().then(checks), ..BlockObservers::default() }
    }

    /// Whether it is sampled for the time model.
    #[inline(always)]
    pub(in crate::exec) fn is_sampled(&self) -> bool {
        self.caches.is_some()
    }

    /// A block begins of which nothing is known.
    #[inline(always)]
    pub(in crate::exec) fn begin(&mut self) {
        self.given = [false; 2];
        self.pending.clear();
        self.next_window = FIRST_WINDOW;
    }
}
