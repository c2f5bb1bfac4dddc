//! Floating-point arithmetic of a kernel, and what was found of the NaNs and infinities that it made.
//!
//! Enters: a kernel's instructions. Leaves: which of them are arithmetic, and of what kind. [`super::not_finite`] looks at what
//! they compute.

use crate::exec::checks::Key;
use crate::ir::{Compute, Function, Inst, Kernel, Op, Origin, Program};
use crate::lanes::X;
use crate::semantics::arithmetic::{Arithmetic, NotFinite};

/// What of a kernel's instructions is floating-point arithmetic.
pub(crate) struct Floats {
    /// By instruction.
    pub(in crate::exec) of: Vec<Option<Arithmetic>>,
}

impl Floats {
    pub(crate) fn new(program: &Program, kernel: &Kernel) -> Self {
        let words = |n: usize| {
            let listed = kernel.listing.get(*kernel.places.get(n)? as usize)?;
            Some(program.words(listed.origin))
        };
        let of = |(n, inst): (usize, &Inst)| match inst.op {
            Op::Compute(Compute { function: Function::SelpW | Function::SelpX, .. })
            | Op::Scalar { .. }
            | Op::Matrix { .. }
            | Op::LoadGlobal { .. }
            | Op::LoadGeneric { .. }
            | Op::LoadConstant { .. }
            | Op::StoreGlobal { .. }
            | Op::StoreGeneric { .. }
            | Op::Atomic { .. } => Arithmetic::of(words(n)?),
            Op::Compute(of) => Arithmetic::of(of.function.mnemonic()),
            _ => None,
        };
        Floats { of: kernel.code.iter().enumerate().map(of).collect() }
    }
}

/// What made the first NaN or infinity of a block.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) what: NotFinite,
    pub(crate) block: u64,
    pub(crate) thread: u32,
    pub(crate) origin: Origin,
    pub(crate) callers: Box<[Origin]>,
    /// What was computed, with its operands.
    pub(crate) formula: String,
    /// The instruction's words, where it is not the one at the place.
    pub(crate) mnemonic: Option<&'static str>,
}

/// Looks for what made the first NaN and the first infinity.
pub(in crate::exec) struct FloatObserver {
    /// What was made before the first instruction, where it is looked for such.
    early: Vec<Early>,
    /// What made the first NaN and the first infinity.
    made: Vec<Made>,
    /// What lanes found at the addresses of their last atomic operation.
    old: X,
}

impl Default for FloatObserver {
    fn default() -> Self {
        FloatObserver { early: vec![], made: vec![], old: X::ZERO }
    }
}

impl FloatObserver {
    /// Whether the worker has found all there is to find: its later blocks are higher.
    #[inline]
    pub(in crate::exec) fn is_complete(&self) -> bool {
        self.made.len() == 2
    }

    /// Notes what was made before the first instruction.
    pub(in crate::exec) fn note_early(&mut self, early: Early) {
        self.early.push(early);
    }

    /// What was made before the first instruction.
    #[inline]
    pub(in crate::exec) fn early(&self) -> &[Early] {
        &self.early
    }

    /// What lanes found at the addresses of an atomic operation.
    #[inline(always)]
    pub(in crate::exec) fn note_old(&mut self, old: X) {
        self.old = old;
    }

    /// What lanes found at the addresses of their last atomic operation.
    #[inline]
    pub(in crate::exec) fn old(&self) -> &X {
        &self.old
    }

    /// Whether the first of a kind is known.
    #[inline]
    pub(in crate::exec) fn knows(&self, what: NotFinite) -> bool {
        self.made.iter().any(|made| made.what == what)
    }

    /// What was made is the kernel's: the first NaN and the first infinity are kept.
    pub(in crate::exec) fn confirm(&mut self, made: Made) {
        if !self.knows(made.what) {
            self.made.push(made);
        }
    }

    /// What made the first of each kind; then none is known.
    pub(in crate::exec) fn take(&mut self) -> Vec<Made> {
        std::mem::take(&mut self.made)
    }
}

/// What was made before the first instruction, of parameters and constants: the first that reads the register is its place.
pub(in crate::exec) struct Early {
    pub(in crate::exec) register: Key,
    pub(in crate::exec) what: NotFinite,
    pub(in crate::exec) formula: String,
    pub(in crate::exec) mnemonic: &'static str,
}

/// A register that holds a NaN or an infinity, and what made it.
pub(in crate::exec) struct Pending {
    pub(in crate::exec) register: Key,
    /// Lanes of the register in which it is.
    pub(in crate::exec) lanes: u32,
    /// What each of them holds.
    pub(in crate::exec) bits: X,
    pub(in crate::exec) made: Made,
}
