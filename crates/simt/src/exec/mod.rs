//! Runs a launch: blocks over cores, warps over barriers, instructions over 32 lanes.
//!
//! The way of a launch: [`workers`] take blocks from a [`queue`]; a [`worker`] runs one block, and where it waits for others
//! the [`schedule`] lets these run; [`rounds`] are the turns of a block's warps, [`control`] the way of a warp through basic
//! blocks, [`step`] one instruction.

mod access;
mod address;
mod atomic;
mod bits;
mod block;
mod bounds;
mod bulk;
mod caches;
mod call;
mod check;
mod checks;
mod cluster;
mod collective;
mod compute;
mod constant;
mod control;
mod converge;
mod copy;
mod count;
mod crossed;
mod definedness;
mod endless;
mod executed;
mod fault;
mod floats;
mod found;
mod fused;
mod generic;
mod global;
mod halves;
mod launch;
mod layout;
mod live;
mod local;
mod matrix;
mod mbarrier;
mod not_finite;
mod notes;
mod observe;
mod profile;
mod queue;
mod rounds;
mod runtime;
mod runtime_query;
mod runtime_transfer;
mod sample;
mod schedule;
mod shared;
mod snapshot;
mod step;
mod stepper;
mod steps;
mod survive;
mod system;
mod texture;
mod trace;
mod track;
mod turns;
mod warp;
mod window;
mod worker;
mod workers;

pub(crate) use checks::origin_of;
pub(crate) use crossed::array;
pub(crate) use executed::{Extent, count_executed};
pub(crate) use fault::{Other, RawFault};
pub(crate) use floats::{Floats, Made};
pub(crate) use launch::{Run, index_in};
pub(crate) use notes::Noted;
pub(crate) use runtime::{Left, Runtime, Work, in_order};
pub(crate) use steps::{RawState, RawStretch, RawWarp, Recorded, Stepping, Steps};
pub(crate) use workers::run;
