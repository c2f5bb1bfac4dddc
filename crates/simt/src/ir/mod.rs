//! The intermediate representation: a kernel in the form it runs in, compact instructions in basic blocks over a dense
//! register file.
//!
//! Registers lie in three files: `W`, 32 lanes of 32 bits; `X`, 32 lanes of 64 bits; `P`, one bit a lane. A [uniform
//! register](Register::uniform) has one value for all warps of a block (an immediate, a parameter, an address, whatever is
//! computed from these alone); it is written once a launch or once a block, not once a warp.
//!
//! Enters: what `decode` makes of PTX. Leaves: data that `passes` complete and `exec` runs. Nothing here knows of PTX's
//! tree, of memories or of lanes.

mod block;
mod call;
mod compute;
mod executed;
mod fused;
mod id;
mod kernel;
mod listing;
mod memory;
mod operation;
mod program;
mod reach;
mod register;
mod texture;
mod uses;
mod value;
mod warp;

pub(crate) use block::*;
pub(crate) use call::*;
pub(crate) use compute::*;
pub(crate) use executed::Executed;
pub(crate) use fused::*;
pub(crate) use id::Id;
pub(crate) use kernel::*;
pub use kernel::{Kernel, Parameter};
pub(crate) use memory::*;
pub(crate) use operation::*;
pub use program::Program;
pub(crate) use program::*;
pub(crate) use reach::*;
pub(crate) use register::{OptionalRegister, Register, Use};
pub(crate) use texture::*;
pub(crate) use value::*;
pub(crate) use warp::*;

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum File {
    W,
    X,
    P,
}

impl File {
    /// All bits of a lane's register.
    pub(crate) fn bits(self) -> u64 {
        match self {
            File::W => u64::from(u32::MAX),
            File::X => u64::MAX,
            File::P => 1,
        }
    }
}
