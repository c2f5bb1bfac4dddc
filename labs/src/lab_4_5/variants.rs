//! Variants of the product: kernels and their launches.

use crate::matrices::{Shape, naive};
use crate::plan::{Arg, Launch};

/// A kernel of the product, with the division of C among the threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// An element a thread, without tiles.
    Naive { side: u32 },
    /// A kernel with tiles: its name, a block's threads in either direction, and its tile of C likewise.
    Tiled { kernel: &'static str, side: u32, tile: u32 },
    /// A kernel that was compiled for debugging, in blocks of 16 × 16.
    Debug { kernel: &'static str },
}

pub(super) const fn tiled(kernel: &'static str, side: u32) -> Variant {
    Variant::Tiled { kernel, side, tile: side }
}

pub(super) const fn blocked(kernel: &'static str, elements: u32) -> Variant {
    Variant::Tiled { kernel, side: 16, tile: 16 * elements }
}

/// A series: id, label, and each point's x with its variant.
pub(super) type Family = (&'static str, &'static str, [(u32, Variant); 3]);

/// Series of the experiment `tiles`, by the tiles' size.
pub(super) const FAMILIES: [Family; 4] = [
    (
        "naive",
        "no tiles",
        [
            (8, Variant::Naive { side: 8 }),
            (16, Variant::Naive { side: 16 }),
            (32, Variant::Naive { side: 32 }),
        ],
    ),
    (
        "tiled",
        "tiles, row by row",
        [(8, tiled("tiled_8", 8)), (16, tiled("tiled_16", 16)), (32, tiled("tiled_32", 32))],
    ),
    (
        "transposed",
        "B's tile transposed",
        [(8, tiled("transposed_8", 8)), (16, tiled("transposed_16", 16)), (32, tiled("transposed_32", 32))],
    ),
    (
        "padded",
        "transposed, with padding",
        [(8, tiled("padded_8", 8)), (16, tiled("padded_16", 16)), (32, tiled("padded_32", 32))],
    ),
];

/// Points of the experiment `registers`: elements of C a thread.
pub(super) const BLOCKED: [(u32, Variant); 4] = [
    (1, tiled("tiled_16", 16)),
    (4, blocked("blocked_2", 2)),
    (16, blocked("blocked_4", 4)),
    (64, blocked("blocked_8", 8)),
];

/// Series compiled for debugging, for lengths that are multiples of 16.
pub(super) const DEBUGGED: [(&str, &str, Variant); 2] = [
    ("debug-naive-16", "no tiles, compiled for debugging", Variant::Debug { kernel: "debug_product" }),
    ("debug-tiled-16", "tiles of 16, compiled for debugging", Variant::Debug { kernel: "debug_tiled" }),
];

/// Series of the experiment `large`.
pub(super) const LARGE: [(&str, &str, Variant); 6] = [
    ("naive-16", "no tiles, blocks of 16 × 16", Variant::Naive { side: 16 }),
    ("tiled-16", "tiles of 16", tiled("tiled_16", 16)),
    ("tiled-32", "tiles of 32", tiled("tiled_32", 32)),
    ("transposed-32", "tiles of 32, B's transposed", tiled("transposed_32", 32)),
    ("padded-32", "tiles of 32, B's transposed, with padding", tiled("padded_32", 32)),
    ("blocked-8", "64 elements a thread", blocked("blocked_8", 8)),
];

/// A launch of the product of matrices of this shape.
pub(super) fn launch(variant: Variant, args: Vec<Arg>, of: Shape) -> Launch {
    match variant {
        Variant::Naive { side } => naive(&kernels::PITCHED_PRODUCT, of, [side; 2], args),
        Variant::Debug { kernel } => {
            Launch { kernel: kernel.to_owned(), ..naive(&kernels::DEBUG, of, [16; 2], args) }
        }
        Variant::Tiled { kernel, side, tile } => {
            let tiles = |length: usize| length.div_ceil(tile as usize) as u32;
            Launch::new(&kernels::TILES, kernel, [tiles(of.p), tiles(of.m), 1], [side, side, 1], args)
        }
    }
}
