//! Runs a launch: blocks over cores, warps over barriers, instructions over 32 lanes.
//!
//! The way of a launch: [`workers`] take blocks from a [`queue`]; a [`worker`] runs one block, and where it waits for others
//! the [`schedule`] lets these run; [`rounds`] are the turns of a block's warps, [`control`] the way of a warp through basic
//! blocks, [`step`] one instruction.

mod block;
mod call;
mod checks;
mod cluster;
mod collective;
mod compute;
mod control;
mod converge;
mod count;
mod current;
mod fault;
mod follow;
mod fused;
mod launch;
mod matrix;
mod memory;
mod observers;
mod queue;
mod registers;
mod rounds;
mod runtime;
mod runtime_query;
mod runtime_transfer;
mod schedule;
mod step;
mod system;
mod turns;
mod warp;
mod worker;
mod workers;

pub(crate) use checks::origin_of;
pub(crate) use fault::{Other, RawFault};
pub(crate) use follow::floats::{Floats, Made};
pub(crate) use follow::steps::{RawState, RawStretch, RawWarp, Recorded, Stepping, Steps};
pub(crate) use launch::{Run, index_in};
pub(crate) use observers::crossed::array;
pub(crate) use observers::executed::{Extent, count_executed};
pub(crate) use observers::notes::Noted;
pub(crate) use runtime::{Left, Runtime, Work, in_order};
pub(crate) use workers::run;
