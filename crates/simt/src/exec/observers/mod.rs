//! What looks at a launch besides its counters: checks, traces, samples, profiles, and what follows single instructions
//! ([`crate::exec::follow`]). None knows another.
//!
//! [`Observers`] is their face: the interpreter shows it blocks, turns, instructions and accesses, and asks before each
//! access and each instruction whether there are any to look ([`crate::exec::observers::of_block::BlockObservers::observed`],
//! [`Observers::watching`]). One more observer is a field here, or in
//! [`of_block::BlockObservers`], and a call in [`observe`].

use crate::exec::checks::{Key, Unset};
use crate::exec::follow::floats::{Early, Made};
use crate::exec::follow::step_state::Stepper;
use crate::exec::follow::window::Window;
use crate::exec::launch::{Run, Tally};
use crate::ir::Executed;
use crate::lanes::X;
use crate::model::sample::Sample;
use caches::Caches;
use notes::Notes;

pub(super) mod caches;
pub(super) mod check;
pub(super) mod crossed;
pub(super) mod executed;
pub(super) mod found_faults;
pub(super) mod notes;
pub(super) mod observe;
pub(super) mod of_block;
pub(super) mod profile;
pub(super) mod sample;
pub(super) mod survive;
pub(super) mod trace;
pub(super) mod unset;

/// What a worker's observers know, besides what they know of one block and keep with it.
pub(in crate::exec) struct Observers {
    /// Whether any looks at single instructions: there are [`Observers::notes`], or a window is open.
    pub(in crate::exec) watching: bool,
    /// Accesses that were noted down, if they are.
    pub(in crate::exec) notes: Option<Box<Notes>>,
    /// What is known of a block that is looked at for a loop that never ends.
    pub(in crate::exec) window: Window,
    /// What is known of the block that is stepped through, from its beginning on.
    pub(in crate::exec) stepper: Option<Box<Stepper>>,
    /// NaNs and infinities that were made before the first instruction, where it is looked for such.
    pub(in crate::exec) early: Vec<Early>,
    /// What made the first NaN and the first infinity.
    pub(in crate::exec) made: Vec<Made>,
    /// What lanes found at the addresses of their last atomic operation.
    pub(in crate::exec) old: X,
    /// Registers whose values come from constants that nothing has set, and the first of those.
    unset: Vec<(Key, Unset)>,
    /// Whether the launch's counters of what is executed need to look at accesses ([`executed`]).
    widens: bool,
    /// Wavefronts and bank conflicts of wide accesses, for each access of the kernel, if there were any.
    widened: Option<Vec<[u64; 2]>>,
    /// Of each this many blocks one is sampled for the time model.
    sample_stride: u64,
    sample: Sample,
    /// Empty caches for the next sampled block, while none runs.
    spare_caches: Option<Box<Caches>>,
}

impl Observers {
    pub(in crate::exec) fn new(run: &Run<'_>) -> Self {
        Observers {
            watching: run.options.trace.is_some(),
            notes: run.options.trace.map(|_| Box::default()),
            window: Window::default(),
            stepper: None,
            early: vec![],
            made: vec![],
            old: X::ZERO,
            unset: vec![],
            widens: run.executed.is_some_and(Executed::looks),
            widened: None,
            sample_stride: sample::stride(run.blocks()),
            sample: Sample::default(),
            spare_caches: None,
        }
    }

    /// The worker has run its last block: what was found goes to the launch's results.
    pub(in crate::exec) fn finish(&mut self, tally: &mut Tally) {
        tally.notes = self.notes.take().map(|notes| *notes).unwrap_or_default();
        tally.made = std::mem::take(&mut self.made);
        tally.widened = self.widened.take();
        tally.sample = std::mem::take(&mut self.sample);
    }
}
