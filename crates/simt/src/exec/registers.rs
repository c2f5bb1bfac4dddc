//! The registers of a block, and the frame that names them: where those of the warp that runs, and of the function that it is
//! in, begin.

use crate::ir::Register;
use crate::lanes::{W, X};

/// Registers: first those that all warps share, then those of each warp, then those of functions that were called.
#[derive(Default)]
pub(super) struct RegisterFile {
    pub(super) w: Vec<W>,
    pub(super) x: Vec<X>,
    pub(super) p: Vec<u32>,
    /// Where the current frame's begin.
    pub(super) w_base: usize,
    pub(super) x_base: usize,
    pub(super) p_base: usize,
}

impl RegisterFile {
    /// With a given number of each file, in no frame.
    pub(super) fn new(w: usize, x: usize, p: usize) -> Self {
        RegisterFile { w: vec![W::ZERO; w], x: vec![X::ZERO; x], p: vec![0; p], ..RegisterFile::default() }
    }

    /// Makes a frame the current one, by the places where its registers begin.
    #[inline(always)]
    pub(super) fn enter(&mut self, [w, x, p]: [usize; 3]) {
        (self.w_base, self.x_base, self.p_base) = (w, x, p);
    }
}

/// Where a register is: after `base`, unless all warps of the block share it.
#[inline(always)]
pub(super) fn index(register: Register, base: usize) -> usize {
    register.index(base)
}
