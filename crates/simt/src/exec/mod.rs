//! Runs a launch: blocks over cores, warps over barriers, instructions over 32 lanes.
//!
//! The way of a launch: [`workers`] take blocks from a [`queue`]; a [`worker`] runs one block, and where it waits for others
//! the [`scheduler`] lets these run; [`warp_scheduler`] runs a block's warps up to its barriers, [`control`] takes a warp through basic
//! blocks, [`instruction`] executes one instruction.

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
mod instruction;
mod launch;
mod matrix;
mod memory;
mod observers;
mod queue;
mod registers;
mod runtime;
mod runtime_query;
mod runtime_transfer;
mod schedule;
mod scheduler;
mod system;
mod warp;
mod warp_scheduler;
mod worker;
mod workers;

pub(crate) use checks::origin_of;
pub(crate) use fault::{Other, RawDetail, RawFault};
pub(crate) use follow::floats::{Floats, Made};
pub(crate) use follow::step_state::{RawState, RawStretch, RawWarp, Recorded, Stepping, Steps};
pub(crate) use launch::{Run, index_in};
pub(crate) use observers::crossed::array;
pub(crate) use observers::executed::{Extent, count_executed};
pub(crate) use observers::notes::Noted;
pub(crate) use runtime::{DeferredWork, Left, Runtime, in_order};
pub(crate) use workers::run;
