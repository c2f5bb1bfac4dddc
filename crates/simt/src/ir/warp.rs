//! Operands of warp-wide operations: shuffles, votes, matches, reductions, products of matrices.

use super::{File, OptionalRegister, Register, Use, file_of};
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

impl Collective {
    /// The file of its result, if it has one, and whether it orders the accesses of the lanes that take part.
    fn properties(self) -> (Option<File>, bool) {
        match self {
            Collective::Sync => (None, true),
            Collective::VoteAll | Collective::VoteAny | Collective::VoteUniform => (Some(File::P), true),
            // A look at who is active orders nothing.
            Collective::ActiveMask => (Some(File::W), false),
            Collective::ShuffleUp
            | Collective::ShuffleDown
            | Collective::ShuffleButterfly
            | Collective::ShuffleIndex
            | Collective::Ballot
            | Collective::MatchAny
            | Collective::MatchAll
            | Collective::Reduce(_)
            | Collective::Elect => (Some(File::W), true),
        }
    }

    /// The file of its result, if it has one. A result in `W` may come with a predicate.
    pub(crate) fn result(self) -> Option<File> {
        self.properties().0
    }

    /// Whether it orders the accesses of the lanes that take part.
    pub(crate) fn orders(self) -> bool {
        self.properties().1
    }
}

/// A warp-wide operation with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CollectiveOperands {
    pub(crate) collective: Collective,
    /// Results in `W` and in `P`.
    pub(crate) d: OptionalRegister,
    pub(crate) p: OptionalRegister,
    pub(crate) source: CollectiveSource,
    /// The lanes that take part, in `W`; those that are there if absent.
    pub(crate) members: OptionalRegister,
}

/// The registers that a warp-wide operation reads of each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CollectiveSource {
    Nothing,
    /// For votes, in `P`.
    Predicate(Register),
    /// In `W` or `X`.
    Value(File, Register),
    /// For shuffles, all in `W`.
    Shuffle {
        value: Register,
        lane: Register,
        clamp: Register,
    },
}

impl CollectiveOperands {
    pub(super) fn operands(&self, each: &mut dyn FnMut(Use, File, Register)) {
        match self.source {
            CollectiveSource::Nothing => {}
            CollectiveSource::Predicate(predicate) => each(Use::Read, File::P, predicate),
            CollectiveSource::Value(file, value) => each(Use::Read, file, value),
            CollectiveSource::Shuffle { value, lane, clamp } => {
                [value, lane, clamp].into_iter().for_each(|register| each(Use::Read, File::W, register));
            }
        }
        self.members.used(Use::Read, File::W, each);
    }

    pub(super) fn results(&self, each: &mut dyn FnMut(Use, File, Register)) {
        self.d.used(Use::Write, File::W, each);
        self.p.used(Use::Write, File::P, each);
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
    /// Two of the same rows, the second of the columns after.
    Columns,
    /// Two of the same columns, the second of the rows below.
    Rows,
    /// Two of the same columns, of the transposed matrices.
    Turned,
}

/// A warp's operation on matrices with its registers: all in `X` or all in `W`.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatrixOperands {
    pub(crate) matrix: Matrix,
    pub(crate) wide: bool,
    pub(crate) d: Vec<Register>,
    pub(crate) a: Vec<Register>,
    pub(crate) b: Vec<Register>,
    pub(crate) c: Vec<Register>,
}

impl MatrixOperands {
    pub(super) fn operands(&self, each: &mut dyn FnMut(Use, File, Register)) {
        for number in self.a.iter().chain(&self.b).chain(&self.c) {
            each(Use::Read, file_of(self.wide), *number);
        }
    }

    pub(super) fn results(&self, each: &mut dyn FnMut(Use, File, Register)) {
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
