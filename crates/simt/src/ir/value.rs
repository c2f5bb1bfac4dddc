//! Values that are there before the first instruction, special registers, and scalar functions with their operands.

use crate::semantics::scalar::Scalar;

/// Special registers that differ between the threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Special {
    pub(crate) const ALL: [Special; 19] = [
        Special::TidX,
        Special::TidY,
        Special::TidZ,
        Special::LaneId,
        Special::WarpId,
        Special::Warps,
        Special::LanesEqual,
        Special::LanesBelow,
        Special::LanesUpTo,
        Special::LanesAbove,
        Special::LanesFrom,
        Special::Multiprocessor,
        Special::Multiprocessors,
        Special::Clock,
        Special::ClockHigh,
        Special::Zero,
        Special::One,
        Special::DynamicSharedBytes,
        Special::SharedBytes,
    ];
}

/// A value that is there before the first instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fixed {
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
    /// Known once a block.
    Block(OfBlock),
    /// Address of a `.global` variable, by number.
    Global {
        symbol: u32,
        offset: i64,
    },
}

/// What differs between blocks and not within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OfBlock {
    /// `%ctaid`, `%clusterid`, `%cluster_ctaid`: axis 0 to 2.
    Index(u8),
    Cluster(u8),
    IndexInCluster(u8),
    /// `%cluster_ctarank`.
    Rank,
}

/// A pure function of one lane, with its registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScalarUse {
    pub(crate) scalar: Scalar,
    /// Numbers of the sources' registers; an immediate's value.
    pub(crate) sources: [u32; 4],
}
