//! Launches of the product: an element a thread, in blocks of 256 threads.

use crate::matrices::{Matrices, Shape, naive};
use crate::plan::Launch;

/// Threads of a block, whatever its shape.
pub(super) const THREADS: u32 = 256;

/// The source's block.
pub(super) const BLOCK: u32 = 16;

/// A block whose rows are whole warps.
pub(super) const WIDE: u32 = 32;

/// One of rows of two warps each, which ask for the same.
pub(super) const WIDER: u32 = 64;

/// A launch of the product in blocks of `width` × 256 / `width` threads.
pub(super) fn in_blocks(matrices: &Matrices, of: Shape, width: u32) -> Launch {
    naive(&kernels::PITCHED_PRODUCT, of, [width, THREADS / width], matrices.arguments(of))
}
