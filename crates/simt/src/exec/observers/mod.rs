//! What looks at a launch besides its counters: checks, traces, samples, profiles, and what follows single instructions
//! ([`crate::exec::follow`]). None knows another.
//!
//! [`Observers`] is their face: the interpreter shows it blocks, turns, instructions and accesses, and asks before each
//! access and each instruction whether there are any to look ([`crate::exec::observers::of_block::BlockObservers::observed`],
//! [`Observers::watching`]). One more observer is a field here, or in
//! [`of_block::BlockObservers`], and a call in [`observe`].

use crate::exec::checks::{Key, Unset};
use crate::exec::follow::floats::FloatObserver;
use crate::exec::follow::step_state::Stepper;
use crate::exec::follow::window::Window;
use crate::exec::launch::{Run, Tally};
use crate::ir::Executed;
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
    watching: bool,
    /// Accesses that were noted down, if they are.
    notes: Option<Box<Notes>>,
    /// What is known of a block that is looked at for a loop that never ends.
    window: Window,
    /// What is known of the block that is stepped through, from its beginning on.
    stepper: Option<Box<Stepper>>,
    /// What is known of NaNs and infinities.
    floats: FloatObserver,
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
            floats: FloatObserver::default(),
            unset: vec![],
            widens: run.executed.is_some_and(Executed::looks),
            widened: None,
            sample_stride: sample::stride(run.blocks()),
            sample: Sample::default(),
            spare_caches: None,
        }
    }

    /// Whether any looks at single instructions.
    #[inline(always)]
    pub(in crate::exec) fn is_watching(&self) -> bool {
        self.watching
    }

    /// A window looks at single instructions from here on.
    pub(in crate::exec) fn watch(&mut self) {
        self.watching = true;
    }

    /// No window looks at single instructions any more.
    pub(in crate::exec) fn end_watch(&mut self) {
        self.watching = self.notes.is_some();
    }

    /// Accesses are noted down from here on.
    pub(in crate::exec) fn begin_notes(&mut self) {
        self.notes = Some(Box::default());
        self.watching = true;
    }

    /// Accesses are not noted down, and no instruction is looked at.
    pub(in crate::exec) fn drop_notes(&mut self) {
        self.notes = None;
        self.watching = false;
    }

    /// What is known of a block that is looked at for a loop that never ends.
    #[inline(always)]
    pub(in crate::exec) fn window(&self) -> &Window {
        &self.window
    }

    /// The same, to note more.
    #[inline(always)]
    pub(in crate::exec) fn window_mut(&mut self) -> &mut Window {
        &mut self.window
    }

    /// What is known of the block that is stepped through.
    #[inline(always)]
    pub(in crate::exec) fn stepper(&self) -> Option<&Stepper> {
        self.stepper.as_deref()
    }

    /// The same, to note more.
    #[inline(always)]
    pub(in crate::exec) fn stepper_mut(&mut self) -> Option<&mut Stepper> {
        self.stepper.as_deref_mut()
    }

    /// Takes what is known of the block that is stepped through, or puts it back.
    pub(in crate::exec) fn replace_stepper(&mut self, stepper: Option<Box<Stepper>>) -> Option<Box<Stepper>> {
        std::mem::replace(&mut self.stepper, stepper)
    }

    /// Accesses that were noted down, and what is known of the block that is stepped through.
    pub(in crate::exec) fn notes_of_steps(&mut self) -> Option<(&mut Notes, &mut Stepper)> {
        self.notes.as_deref_mut().zip(self.stepper.as_deref_mut())
    }

    /// What is known of NaNs and infinities.
    #[inline(always)]
    pub(in crate::exec) fn floats_mut(&mut self) -> &mut FloatObserver {
        &mut self.floats
    }

    /// The worker has run its last block: what was found goes to the launch's results.
    pub(in crate::exec) fn finish(&mut self, tally: &mut Tally) {
        tally.notes = self.notes.take().map(|notes| *notes).unwrap_or_default();
        tally.made = self.floats.take();
        tally.widened = self.widened.take();
        tally.sample = std::mem::take(&mut self.sample);
    }
}
