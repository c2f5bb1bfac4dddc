//! Traced accesses with places, names and offsets in place of numbers.
//!
//! Enters: what the interpreter noted ([`crate::exec`]). Leaves: [`TracedAccess`]es, for a trace.

use crate::WARP;
use crate::exec::{Noted, Run, index_in};
use crate::ir::Program;
use crate::lanes::lanes;
use crate::memory::{CONSTANT_WINDOW, LOCAL_WINDOW, SHARED_WINDOW, WINDOW};
use crate::trace::{Part, Space, TracedAccess};

/// Names and offsets in place of addresses.
pub(crate) fn resolve(program: &Program, run: &Run<'_>, noted: &[Noted]) -> Vec<TracedAccess> {
    let access = |noted: &Noted| {
        let origin = run.kernel.listing.get(noted.listed as usize).map(|l| l.origin).unwrap_or_default();
        let (mut parts, fetch) = noted.fetched.as_deref().cloned().unwrap_or_default();
        for lane in lanes(noted.mask) {
            let (space, memory, size, offset) = find(program, run, noted.space, noted.addresses[lane % WARP]);
            let lane = (lane as u32, offset);
            match parts.iter_mut().find(|p| p.space == space && p.memory == memory) {
                Some(part) => part.lanes.push(lane),
                None => parts.push(Part { space, memory: memory.to_owned(), size, lanes: vec![lane] }),
            }
        }
        TracedAccess {
            place: program.place(run.kernel, origin),
            mnemonic: program.mnemonic(origin),
            block: index_in(noted.block, run.grid),
            warp: noted.warp,
            interval: noted.interval,
            fences: noted.fences,
            copies: noted.copies,
            kind: noted.kind,
            bytes: noted.bytes,
            parts,
            fetch: fetch.map(Box::new),
            cost: noted.cost,
        }
    };
    noted.iter().map(access).collect()
}

/// The memory that an address is in, and the offset there; `None` for the space of a generic address.
fn find<'a>(
    program: &'a Program,
    run: &Run<'a>,
    space: Option<Space>,
    address: u64,
) -> (Space, &'a str, u64, u64) {
    let shared = |at| (Space::Shared, "shared", u64::from(run.shared_bytes), at);
    let constant = |at: u64| {
        let holds =
            |at: u64, start: u32, bytes: u64| (u64::from(start)..u64::from(start) + bytes).contains(&at);
        let symbol =
            program.symbols.iter().find(|s| s.constant.is_some_and(|start| holds(at, start, s.bytes)));
        match symbol {
            Some(s) => (Space::Constant, s.name.as_str(), s.bytes, at - u64::from(s.constant.unwrap_or(0))),
            None => (Space::Constant, "constant", run.constant.len() as u64, at),
        }
    };
    let within = |window: u64| Some(address.wrapping_sub(window)).filter(|at| *at < WINDOW);
    match space {
        Some(Space::Shared) => return shared(address),
        Some(Space::Constant) => return constant(address),
        Some(Space::Local) => return (Space::Local, "local", 0, address),
        Some(Space::Global | Space::Texture) | None => {}
    }
    if let Some(at) = within(CONSTANT_WINDOW) {
        return constant(at);
    }
    if space.is_none() {
        if let Some(at) = within(SHARED_WINDOW) {
            return shared(at);
        }
        if let Some(at) = within(LOCAL_WINDOW) {
            return (Space::Local, "local", 0, at);
        }
    }
    match run.global.find(address, address.saturating_add(1), &mut 0) {
        Some(a) => (Space::Global, a.name.as_str(), a.bytes, address - a.base),
        // Addresses were found to be inside before anything was noted.
        None => (Space::Global, "global", 0, address),
    }
}
