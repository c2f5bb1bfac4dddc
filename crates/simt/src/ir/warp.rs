//! Operands of warp-wide operations: shuffles, votes, matches, reductions, products of matrices.

use super::File;
use crate::semantics::atomic::Update;
use crate::semantics::matrix::{Product, Quads};

/// What the lanes of a warp tell each other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exchange {
    ShuffleUp,
    ShuffleDown,
    ShuffleButterfly,
    ShuffleIndex,
    VoteAll,
    VoteAny,
    VoteUniform,
    Ballot,
    MatchAny,
    MatchAll,
    ActiveMask,
    Reduce(Update),
    Elect,
    /// `bar.warp.sync`: nothing but being together.
    Sync,
}

/// A warp-wide operation with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExchangeUse {
    pub(crate) exchange: Exchange,
    /// Result in `W`, and in `P`; [`NONE`] for none.
    pub(crate) d: u16,
    pub(crate) p: u16,
    /// The value: in `P` for votes, in `X` for a wide match, else in `W`.
    pub(crate) a: u16,
    pub(crate) wide: bool,
    /// For shuffles the lane and the clamp, in `W`.
    pub(crate) b: u16,
    pub(crate) c: u16,
    /// The lanes that take part, in `W`; [`NONE`] for those that are there.
    pub(crate) members: u16,
}

/// What a warp does with matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Matrix {
    /// One to four matrices of 8 by 8 halves, one a register; of which each lane has two halves of a row, or of a column.
    /// `generic`: the rows' addresses are generic ones.
    Rows {
        transposed: bool,
        generic: bool,
    },
    /// A matrix of 8 by 8 halves, transposed.
    Transpose,
    Product(Product, Tiling),
    Quads(Quads),
    /// Nothing but being together.
    #[default]
    Meet,
}

/// Of which products of the tensor cores' shape a larger one is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tiling {
    Whole,
    /// Two of the same rows, the second of the columns behind.
    Columns,
    /// Two of the same columns, the second of the rows below.
    Rows,
    /// The same, of the transposed matrices.
    Turned,
}

/// A warp's operation on matrices with its registers: all in `X` or all in `W`.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatrixUse {
    pub(crate) matrix: Matrix,
    pub(crate) wide: bool,
    pub(crate) d: Vec<u16>,
    pub(crate) a: Vec<u16>,
    pub(crate) b: Vec<u16>,
    pub(crate) c: Vec<u16>,
}

impl MatrixUse {
    pub(super) fn operands(&self, mut each: impl FnMut(File, u16)) {
        let file = if self.wide { File::X } else { File::W };
        for number in self.a.iter().chain(&self.b).chain(&self.c) {
            each(file, *number);
        }
    }
}
