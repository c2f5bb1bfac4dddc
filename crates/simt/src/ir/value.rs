//! Values that are there before the first instruction, special registers, and scalar functions with their operands.

use super::{File, Register, Use};
use crate::semantics::scalar::{Kind, Scalar};

/// Special registers that differ between the threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    TidX,
    TidY,
    TidZ,
    LaneId,
    WarpId,
    Warps,
    LanesEqual,
    LanesBelow,
    LanesUpTo,
    LanesAbove,
    LanesFrom,
    Multiprocessor,
    Multiprocessors,
    Clock,
    ClockHigh,
    Zero,
    One,
    DynamicSharedBytes,
    SharedBytes,
}

/// A value that is there before the first instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum UniformValue {
    /// A number.
    Immediate(u64),
    /// Bytes of the parameters.
    Parameter {
        offset: u32,
        bytes: u8,
        signed: bool,
    },
    /// Bytes of constant memory at an address known when decoding.
    Constant {
        offset: u32,
        bytes: u8,
        signed: bool,
    },
    /// `%ntid`, `%nctaid`: axis 0 to 2.
    BlockSize(u8),
    GridSize(u8),
    /// `%cluster_nctaid`, `%nclusterid`: axis 0 to 2.
    ClusterSize(u8),
    Clusters(u8),
    /// `%cluster_nctarank`, `%is_explicit_cluster`.
    ClusterBlocks,
    IsCluster,
    /// Half of the address of the words at which the grid's blocks meet: the high one or the low one.
    Workspace {
        high: bool,
    },
    /// Uniformity once a block.
    Block(OfBlock),
    /// The handle that a texture or surface reference is bound to, by number.
    Reference(u32),
    /// Address of a `.global` variable, by number.
    Global {
        symbol: u32,
        offset: i64,
    },
}

/// Values that differ between blocks and not within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OfBlock {
    /// `%ctaid`, `%clusterid`, `%cluster_ctaid`: axis 0 to 2.
    Index(u8),
    Cluster(u8),
    IndexInCluster(u8),
    /// `%cluster_ctarank`.
    Rank,
}

/// A source of a scalar function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarOperand {
    Register(File, Register),
    Immediate(u32),
}

impl Default for ScalarOperand {
    fn default() -> Self {
        ScalarOperand::Immediate(0)
    }
}

/// A pure function of one lane, with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScalarCall {
    pub(crate) scalar: Scalar,
    /// As many as the function has.
    pub(crate) sources: [ScalarOperand; 4],
}

impl ScalarCall {
    pub(super) fn operands(&self, each: &mut dyn FnMut(Use, File, Register)) {
        for source in self.sources() {
            match *source {
                ScalarOperand::Register(file, register) => each(Use::Read, file, register),
                ScalarOperand::Immediate(_) => {}
            }
        }
    }

    /// The sources of the function.
    #[inline(always)]
    pub(crate) fn sources(&self) -> &[ScalarOperand] {
        &self.sources[..self.scalar.sources.len().min(4)]
    }

    /// The file of its result.
    pub(crate) fn result(&self) -> File {
        match self.scalar.result {
            Kind::X => File::X,
            Kind::P => File::P,
            Kind::W | Kind::Immediate => File::W,
        }
    }
}
