//! Passes over a decoded kernel: each finds something that the interpreter or the time model relies on.
//!
//! Enters: a [`Kernel`] as `decode` leaves it, complete but for what passes find. Leaves: the same kernel, ready to run. A
//! pass knows the representation and nothing of PTX's tree, of memories or of lanes.

mod budget;
mod fuse;
mod group;
mod latency;
mod live;
mod reach;
mod reconvergence;
mod undefined;

use crate::ir::{Kernel, Program};
use crate::model::issue::Cost;

/// Runs all passes over a kernel of a program, in the one order in which each finds what it needs. `cost` is that of a PTX
/// instruction by its words.
pub(crate) fn run(program: &Program, kernel: &mut Kernel, cost: impl Fn(&str) -> Option<Cost>) {
    // The ends of blocks get their reconvergence points.
    reconvergence::find(kernel);
    // Frames get the registers that begin as zero.
    undefined::find(kernel);
    // Accesses get the leaders of their groups. Before `fuse`, which asks for them and takes loads out of the code.
    group::find(kernel);
    // The kernel gets what its accesses may reach.
    reach::find(kernel);
    // Blocks get the cost of their instructions, which `fuse` would hide.
    latency::find(program, kernel, cost);
    budget::find(kernel);
    fuse::find(kernel);
}
