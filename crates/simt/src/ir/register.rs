//! Register numbers, as instructions name them.

use super::File;
use std::fmt;

/// Whether an operation reads or writes a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
}

/// A register of a file: one of the frame that a warp is in, or one that all warps of a block share.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Register(u16);

impl Register {
    /// Registers of each kind that a file holds at most.
    pub(crate) const LIMIT: u16 = 0x7fff;
    /// Set for registers that all warps of a block share.
    const UNIFORM: u16 = 0x8000;

    /// The register `number` of a frame, below [`Register::LIMIT`].
    pub(crate) const fn own(number: u16) -> Self {
        Register(number)
    }

    /// The register `number` of those that all warps share, below [`Register::LIMIT`]: in `W` or `X`.
    pub(crate) const fn uniform(number: u16) -> Self {
        Register(number | Self::UNIFORM)
    }

    #[inline(always)]
    pub(crate) fn is_uniform(self) -> bool {
        self.0 & Self::UNIFORM != 0
    }

    /// Its number among those that all warps share, or among those of its frame.
    pub(crate) fn number(self) -> usize {
        usize::from(self.0 & !Self::UNIFORM)
    }

    /// Its number in its frame, if it is one of a frame's.
    pub(crate) fn in_frame(self) -> Option<usize> {
        (!self.is_uniform()).then(|| self.number())
    }

    /// Its offset from the first register of its frame; not for those that all warps share, so for every predicate.
    #[inline(always)]
    pub(crate) fn offset(self) -> usize {
        usize::from(self.0)
    }

    /// Its index in a file in which the shared registers come first and those of the frame begin at `base`.
    #[inline(always)]
    pub(crate) fn index(self, base: usize) -> usize {
        let shared = (self.0 as i16 >> 15) as isize as usize;
        usize::from(self.0 & !Self::UNIFORM) + (base & !shared)
    }
}

impl fmt::Debug for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_uniform() { "%" } else { "" }, self.number())
    }
}

/// A register that may be absent, in the two bytes of a [`Register`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct OptionalRegister(Register);

const _: () = assert!(size_of::<OptionalRegister>() == 2);

impl OptionalRegister {
    pub(crate) const NONE: Self = OptionalRegister(Register(Register::LIMIT));

    #[inline(always)]
    pub(crate) fn get(self) -> Option<Register> {
        if self.is_none() { None } else { Some(self.0) }
    }

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }

    #[inline(always)]
    pub(crate) fn is_some(self) -> bool {
        !self.is_none()
    }

    /// Names the register to `each`, if there is one.
    pub(super) fn used(self, what: Use, file: File, each: &mut dyn FnMut(Use, File, Register)) {
        if let Some(register) = self.get() {
            each(what, file, register);
        }
    }
}

impl Default for OptionalRegister {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<Register> for OptionalRegister {
    fn from(register: Register) -> Self {
        OptionalRegister(register)
    }
}

impl From<Option<Register>> for OptionalRegister {
    fn from(register: Option<Register>) -> Self {
        register.map_or(Self::NONE, OptionalRegister)
    }
}

impl fmt::Debug for OptionalRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
