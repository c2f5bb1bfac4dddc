//! Passes over a decoded program: each finds something that the interpreter or the time model relies on.
//!
//! Enters: a [`Program`] as `decode` leaves it, complete but for what passes find. Leaves: the same program, ready to run. A
//! pass knows the representation and nothing of PTX's tree, of memories or of lanes.

mod budget;
mod fuse;
mod group;
mod latency;
mod reconvergence;
mod undefined;

use crate::ir::Program;
use crate::model::issue::Cost;

/// Runs all passes, in the one order in which each finds what it needs. `cost` is that of a PTX instruction by its words.
pub(crate) fn run(program: &mut Program, cost: impl Fn(&str) -> Option<Cost>) {
    for kernel in &mut program.kernels {
        // The ends of blocks get their reconvergence points.
        reconvergence::find(kernel);
        // Frames get the registers that begin as zero.
        undefined::find(kernel);
        // Accesses get the leaders of their groups. Before `fuse`, which asks for them and takes loads out of the code.
        group::find(kernel);
    }
    // Blocks get the cost of their instructions, which `fuse` would hide.
    latency::find(program, cost);
    for kernel in &mut program.kernels {
        budget::find(kernel);
        fuse::find(kernel);
    }
}
