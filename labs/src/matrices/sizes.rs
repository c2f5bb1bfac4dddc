//! Sizes of both labs of the product: lengths of the matrices, and the largest multiple of them that a GPU computes.

use super::{Shape, shape};
use crate::lab::Host;
use crate::plan::Plan;
use crate::request::{Request, Size};
use anyhow::Result;

/// The sizes of both labs of the product.
pub(crate) const SIZES: &[Size] = &[
    Size {
        name: "rows",
        about: "Rows of A and C (M)",
        quick: 96,
        short: 480,
        full: 480,
        gpu: 480,
        most: 1 << 15,
    },
    Size {
        name: "inner",
        about: "Columns of A, rows of B (N)",
        quick: 128,
        short: 640,
        full: 640,
        gpu: 640,
        most: 1 << 15,
    },
    Size {
        name: "columns",
        about: "Columns of B and C (P)",
        quick: 64,
        short: 320,
        full: 320,
        gpu: 320,
        most: 1 << 15,
    },
    Size {
        name: "scale",
        about: "On a GPU, also matrices this many times as long and wide",
        quick: 1,
        short: 1,
        full: 1,
        gpu: 10,
        most: 1 << 5,
    },
];

/// Three matrices, and for each of A and B those of the trials and what is read back; of the largest products too.
pub(crate) fn memory(request: &Request, host: Host) -> u64 {
    let [m, n, p, scale] = ["rows", "inner", "columns", "scale"].map(|name| request.size(name));
    let elements = m * n + n * p + m * p; // at most 3 × 2^30
    let large = if host.measured && scale > 1 { elements * scale * scale } else { 0 };
    48 * (elements + large)
}

/// The shape that was asked for, and the largest one with its scale, where a GPU is to do that too.
pub(crate) fn shapes(
    plan: &mut Plan,
    request: &Request,
    host: Host,
) -> Result<(Shape, Option<(Shape, usize)>)> {
    let [m, n, p, scale] = ["rows", "inner", "columns", "scale"].map(|name| request.size(name));
    let base = shape(m, n, p)?;
    let large = shape(m * scale, n * scale, p * scale)?;
    if scale == 1 {
        return Ok((base, None));
    }
    if !host.measured {
        plan.notes.push(format!("matrices {scale} times as long and wide are left out: they are for a GPU"));
        return Ok((base, None));
    }
    // At most 32.
    Ok((base, Some((large, scale as usize))))
}

/// The scales at which larger products are made, the last one included.
pub(crate) fn scales(most: usize) -> impl Iterator<Item = usize> {
    (1..most).filter(|s| [1, 2, 4, 6, 8, 12, 16, 24].contains(s)).chain([most])
}

/// The matrices of `shape`, this many times as long and wide.
pub(crate) fn scaled(shape: Shape, by: usize) -> Shape {
    Shape { m: shape.m * by, n: shape.n * by, p: shape.p * by }
}
