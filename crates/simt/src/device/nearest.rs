//! What an address outside of every memory is nearest to, and what one in shared memory is in, for the message of a fault.
//!
//! Enters: an address, and what lies where. Leaves: a name, and how far away it is.

use super::Device;
use crate::error::{DYNAMIC_SHARED, FaultKind, Nearest};
use crate::exec::{RawFault, Run};
use crate::ir::{Kernel, Program, Symbol};
use crate::memory::{CONSTANT_WINDOW, WINDOW};

impl Device {
    /// What the access of a fault is nearest to, where it is outside of its memory, or in, where it is in the block's own
    /// shared memory, has no value, or is waited for.
    pub(super) fn nearest(
        &self,
        program: &Program,
        kernel: &Kernel,
        run: &Run<'_>,
        fault: &RawFault,
    ) -> Option<Nearest> {
        let (at, width) = (fault.address?, fault.width);
        match fault.kind {
            FaultKind::OutOfBoundsGlobal => self.memory.nearest(at, width),
            FaultKind::OutOfBoundsConstant => constant(program, at, width),
            // No local variable lies at an address of global memory.
            FaultKind::UninitialisedRead if (CONSTANT_WINDOW..CONSTANT_WINDOW + WINDOW).contains(&at) => {
                constant(program, at - CONSTANT_WINDOW, width)
            }
            FaultKind::UninitialisedRead
            | FaultKind::InfiniteLoop
            | FaultKind::GlobalRace
            | FaultKind::ReadOnlyWrite
                if !fault.shared =>
            {
                self.memory.nearest(at, width).filter(Nearest::is_inside)
            }
            FaultKind::OutOfBoundsShared => shared(kernel, run, at, width),
            _ if fault.shared => shared(kernel, run, at, width).filter(Nearest::is_inside),
            _ => None,
        }
    }
}

/// The constant variable that an address is nearest to: the last that begins no later.
fn constant(program: &Program, at: u64, width: u32) -> Option<Nearest> {
    let begins = |symbol: &&Symbol| symbol.constant.is_some_and(|start| u64::from(start) <= at);
    let symbol = program.symbols.iter().filter(begins).max_by_key(|symbol| symbol.constant)?;
    let start = u64::from(symbol.constant?);
    let offset = i64::try_from(at - start).ok()?;
    Some(Nearest { name: symbol.name.clone(), bytes: symbol.bytes, offset, width, element: None })
}

/// The shared variable that an address is nearest to: the last that begins no later.
fn shared(kernel: &Kernel, run: &Run<'_>, at: u64, width: u32) -> Option<Nearest> {
    let all = shared_variables(kernel, run, at, width);
    all.into_iter().rev().filter(|near| near.offset >= 0).min_by_key(|near| near.offset)
}

/// Where an address is as seen from each variable of the block's shared memory.
pub(super) fn shared_variables(kernel: &Kernel, run: &Run<'_>, at: u64, width: u32) -> Vec<Nearest> {
    let dynamic = kernel.shared_bytes.next_multiple_of(16);
    let rest = run.shared_bytes.saturating_sub(dynamic);
    let all = kernel.shared_variables.iter().map(|(name, start, bytes)| (name.as_str(), *start, *bytes));
    let all = all.chain((rest > 0).then_some((DYNAMIC_SHARED, dynamic, rest)));
    let near = |(name, start, bytes): (&str, u32, u32)| Nearest {
        name: name.to_owned(),
        bytes: bytes.into(),
        offset: at.cast_signed().saturating_sub(i64::from(start)),
        width,
        element: None,
    };
    all.map(near).collect()
}
