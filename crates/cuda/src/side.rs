//! The two sides of a program, and the units that it is made of.
//!
//! Enters: nothing. Leaves: what a compilation is of: what runs on the device, or what the host runs; a file alone, or one of several
//! that are linked. What belongs to the other side is declared, and neither checked nor compiled. This module must never know what
//! either may use.

use crate::options::Language;

/// Whether host code is compiled at all. Without the feature all that only host code needs is no part of the crate, so that an engine
/// of kernels alone is small.
pub(crate) const HOST: bool = cfg!(feature = "host");

/// Which side of a program is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Side {
    /// Kernels, and what they reach.
    #[default]
    Device,
    /// `main`, variables outside of functions, and what they reach.
    #[cfg_attr(not(feature = "host"), allow(dead_code, reason = "code of the host asks for it"))]
    Host,
}

impl Side {
    /// Whether it is the host's.
    pub(crate) const fn is_host(self) -> bool {
        HOST && matches!(self, Self::Host)
    }

    /// Whether it is the device's.
    pub(crate) const fn is_device(self) -> bool {
        !self.is_host()
    }
}

/// What a file is compiled as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Side that is compiled.
    pub(crate) side: Side,
    /// Whether it is a part of a program, whose units are linked.
    pub(crate) program: bool,
    /// Whether there are other units.
    pub(crate) others: bool,
    /// Whether device code is linked too (`-rdc=true`); otherwise each unit has its own, as nvcc has it.
    pub(crate) relocatable: bool,
    /// Its language. In C, names of functions do not tell types, and pointers to `void` convert to others.
    pub(crate) language: Language,
}

impl From<Side> for Unit {
    /// A file that is all there is.
    fn from(side: Side) -> Self {
        Self { side, ..Self::default() }
    }
}

impl Unit {
    /// Whether it is a part of a program.
    pub(crate) const fn is_program(self) -> bool {
        HOST && self.program
    }

    /// Whether what is declared here may be defined in another unit.
    pub(crate) fn is_linked(self) -> bool {
        self.is_program() && (self.relocatable || self.side.is_host())
    }

    /// Whether what is defined here may be declared in another unit, and must be kept for it.
    pub(crate) fn exports(self) -> bool {
        self.others && self.is_linked()
    }

    /// Whether kernels and variables of the device are this unit's alone, also as the host names them.
    pub(crate) fn is_whole(self) -> bool {
        self.is_program() && !self.relocatable
    }
}
