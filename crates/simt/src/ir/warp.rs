//! Operands of warp-wide operations: shuffles, votes, matches, reductions, products of matrices.

use super::{File, Use, file_of};
use crate::semantics::atomic::Update;
use crate::semantics::matrix::{Product, Quads};

/// Warp-wide operations on registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Collective {
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
pub(crate) struct CollectiveUse {
    pub(crate) collective: Collective,
    /// Result in `W`, and in `P`; [`super::NONE`] for none.
    pub(crate) d: u16,
    pub(crate) p: u16,
    /// The value: in `P` for votes, in `X` for a wide match, else in `W`.
    pub(crate) a: u16,
    pub(crate) wide: bool,
    /// For shuffles the lane and the clamp, in `W`.
    pub(crate) b: u16,
    pub(crate) c: u16,
    /// The lanes that take part, in `W`; [`super::NONE`] for those that are there.
    pub(crate) members: u16,
}

impl CollectiveUse {
    pub(super) fn operands(&self, each: &mut impl FnMut(Use, File, u16)) {
        let votes = match self.collective {
            Collective::VoteAll | Collective::VoteAny | Collective::VoteUniform | Collective::Ballot => true,
            Collective::ShuffleUp
            | Collective::ShuffleDown
            | Collective::ShuffleButterfly
            | Collective::ShuffleIndex
            | Collective::MatchAny
            | Collective::MatchAll
            | Collective::ActiveMask
            | Collective::Reduce(_)
            | Collective::Elect
            | Collective::Sync => false,
        };
        each(Use::Read, if votes { File::P } else { file_of(self.wide) }, self.a);
        for number in [self.b, self.c, self.members] {
            each(Use::Read, File::W, number);
        }
    }

    pub(super) fn results(&self, each: &mut impl FnMut(Use, File, u16)) {
        each(Use::Write, File::W, self.d);
        each(Use::Write, File::P, self.p);
    }
}

/// Warp-wide operations on matrices.
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

/// Products of the tensor cores' shape that a larger one is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tiling {
    Whole,
    /// Two of the same rows, the second of the columns behind.
    Columns,
    /// Two of the same columns, the second of the rows below.
    Rows,
    /// Two of the same columns, of the transposed matrices.
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
    pub(super) fn operands(&self, each: &mut impl FnMut(Use, File, u16)) {
        for number in self.a.iter().chain(&self.b).chain(&self.c) {
            each(Use::Read, file_of(self.wide), *number);
        }
    }

    pub(super) fn results(&self, each: &mut impl FnMut(Use, File, u16)) {
        self.d.iter().for_each(|d| each(Use::Write, file_of(self.wide), *d));
    }

    /// The budget that it takes beyond one.
    pub(super) fn budget(&self) -> u32 {
        match self.matrix {
            Matrix::Product(_, Tiling::Whole) => 255,
            Matrix::Product(_, Tiling::Columns | Tiling::Rows | Tiling::Turned) | Matrix::Quads(_) => 511,
            Matrix::Rows { .. } | Matrix::Transpose | Matrix::Meet => 7,
        }
    }
}
