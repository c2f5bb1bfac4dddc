//! Recursion: how deep the checker is, and how much of the stack it has taken.
//!
//! Enters: each step down. Leaves: whether another is allowed. This module must never know what recurses.

/// Greatest depth of recursion through the checker.
const NESTING: u32 = 2000;
/// Greatest part of the stack that the checker takes, in bytes: templates recurse through all of it, and how much that takes
/// only the stack itself knows. WebAssembly has 1 MiB in all, tests have 2.
const STACK: usize = if cfg!(debug_assertions) { 1_300_000 } else { 600_000 };

/// About where the stack ends now.
fn stack_place() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// Depth of the checker's own recursion.
pub(crate) struct Recursion {
    /// Depth of recursion through the checker itself.
    nesting: u32,
    /// Where the stack was at the beginning.
    stack: usize,
}

impl Recursion {
    pub(crate) fn new() -> Self {
        Self { nesting: 0, stack: stack_place() }
    }

    /// Whether going deeper is allowed. Pairs with [`Self::leave`], also where it is not.
    pub(crate) fn enter(&mut self) -> bool {
        self.nesting += 1;
        self.nesting <= NESTING && stack_place().abs_diff(self.stack) <= STACK
    }

    pub(crate) fn leave(&mut self) {
        self.nesting -= 1;
    }
}
