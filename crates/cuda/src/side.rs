//! The two sides of a program: what runs on the device, and what the host runs.
//!
//! Enters: nothing. Leaves: which of them is compiled. Each compilation is of one side; what belongs to the other is declared, and
//! neither checked nor compiled. This module must never know what either may use.

/// Which side of a program is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Side {
    /// Kernels, and what they reach.
    #[default]
    Device,
    /// `main`, variables outside of functions, and what they reach.
    Host,
}
