//! The accesses that ptxas makes fewer of: neighbours as a wide one, and what it has in a register already.
//!
//! In a basic block, between barriers and stores to the same memory: loads of shared memory at one base become one of 8 or
//! 16 bytes where the address is sure to be aligned so; of 16 bytes, one word may be missing. So do stores, without a gap.
//! Constant loads become one of 8 bytes. A load of what was just loaded or stored is none. Global memory's accesses stay as
//! wide as they are.

use crate::flow::Flow;
use crate::values::{Value, Values};
use crate::{Access, Memory, What, access};
use std::collections::{BTreeMap, HashMap};

/// A load or a store of a block.
#[derive(Clone, Copy, Debug)]
struct Plain {
    at: usize,
    address: Value,
    bytes: u32,
}

/// What becomes of each of a block's accesses that does not stay as it is.
pub(crate) fn find(flow: &Flow<'_>, values: &Values, block: usize, out: &mut HashMap<usize, Access>) {
    let mut open = Open { values, loads: vec![], stores: vec![], constants: vec![], globals: vec![], out };
    for at in flow.blocks[block].start..flow.blocks[block].end {
        let i = flow.instructions[at];
        let Some(Memory { what, bytes, plain }) = access(i) else {
            // A few are made of branches, and what follows is another block.
            let branches = matches!(i.opcode, "div" | "rcp" | "sqrt" | "rem")
                && !i.modifiers.iter().any(|m| matches!(*m, "approx" | "full"))
                && i.modifiers.last().is_some_and(|ty| ty.starts_with('f') || ty.ends_with("64"));
            if branches
                || matches!(i.opcode, "bar" | "barrier" | "membar" | "fence" | "call" | "cp" | "mbarrier")
            {
                open.close(true);
            } else if matches!(i.opcode, "shfl" | "vote") {
                open.close(false);
            }
            continue;
        };
        let Some(address) = values.addresses.get(&at).copied() else {
            open.close(true);
            continue;
        };
        open.add(Plain { at, address, bytes }, what, plain && i.guard.is_none());
    }
    open.close(true);
}

struct Open<'v> {
    values: &'v Values,
    /// Since the last barrier or store: loads of shared memory, and those of constant memory.
    loads: Vec<Plain>,
    constants: Vec<Plain>,
    globals: Vec<Plain>,
    /// Since the last load: stores to shared memory.
    stores: Vec<Plain>,
    out: &'v mut HashMap<usize, Access>,
}

impl Open<'_> {
    fn add(&mut self, plain: Plain, what: What, free: bool) {
        match what {
            What::SharedLoad if free => {
                if self.known(&self.loads, plain) || self.stored(plain) {
                    self.out.insert(plain.at, Access::Gone);
                    return;
                }
                self.close_stores();
                self.loads.push(plain);
            }
            What::ConstantLoad if free => {
                if self.known(&self.constants, plain) {
                    self.out.insert(plain.at, Access::Gone);
                } else {
                    self.constants.push(plain);
                }
            }
            What::GlobalLoad if free => {
                if self.known(&self.globals, plain) {
                    self.out.insert(plain.at, Access::Gone);
                } else {
                    self.globals.push(plain);
                }
            }
            What::SharedStore if free => {
                self.close_loads();
                self.stores.push(plain);
            }
            What::GlobalStore => self.globals.clear(),
            What::ConstantLoad | What::GlobalLoad => {}
            What::SharedLoad | What::SharedStore | What::SharedAtomic => self.close_shared(),
            What::GenericLoad => {}
            What::GenericStore | What::Other => self.close(true),
        }
    }

    /// Whether what a load reads has been loaded.
    fn known(&self, loads: &[Plain], load: Plain) -> bool {
        loads.iter().any(|l| l.address == load.address && l.bytes == load.bytes)
    }

    /// Whether what a load reads has just been stored.
    fn stored(&self, load: Plain) -> bool {
        self.stores.last().is_some_and(|s| s.address == load.address && s.bytes == load.bytes)
    }

    fn close(&mut self, all: bool) {
        self.close_shared();
        if all {
            self.globals.clear();
        }
        let constants = std::mem::take(&mut self.constants);
        self.merge(constants, 8, true);
    }

    fn close_shared(&mut self) {
        self.close_loads();
        self.close_stores();
    }

    fn close_loads(&mut self) {
        let loads = std::mem::take(&mut self.loads);
        self.merge(loads, 16, true);
    }

    fn close_stores(&mut self) {
        let stores = std::mem::take(&mut self.stores);
        self.merge(stores, 16, false);
    }

    /// Makes wide accesses of neighbours, of up to `most` bytes. `gaps`: what nobody asked for may be part of one.
    fn merge(&mut self, accesses: Vec<Plain>, most: u32, gaps: bool) {
        let mut of_base: BTreeMap<u32, Vec<Plain>> = BTreeMap::new();
        for plain in accesses.into_iter().filter(|plain| matches!(plain.bytes, 4 | 8 | 16)) {
            of_base.entry(plain.address.base).or_default().push(plain);
        }
        for (base, plains) in of_base {
            let zeros = self.values.zeros(base);
            let mut windows: BTreeMap<i64, Vec<Plain>> = BTreeMap::new();
            for plain in plains {
                windows.entry(plain.address.offset.div_euclid(16)).or_default().push(plain);
            }
            for (window, parts) in windows {
                self.window(16 * window, &parts, zeros, most, gaps);
            }
        }
    }

    /// Accesses of 16 bytes that are aligned so, if the base is.
    fn window(&mut self, start: i64, parts: &[Plain], zeros: u32, most: u32, gaps: bool) {
        let half = |n: i64| -> Vec<Plain> {
            parts.iter().copied().filter(|p| (p.address.offset - start).div_euclid(8) == n).collect()
        };
        let halves = [half(0), half(1)];
        let whole = |half: &[Plain]| half.iter().map(|p| p.bytes).sum::<u32>() >= 8;
        let wide = most >= 16
            && zeros >= 4
            && parts.iter().all(|p| p.bytes < 16)
            && halves.iter().all(|half| !half.is_empty())
            && if gaps {
                halves.iter().any(|half| whole(half))
            } else {
                halves.iter().all(|half| whole(half))
            };
        if wide {
            self.widen(parts, start, 16);
            return;
        }
        for (n, half) in halves.iter().enumerate() {
            if zeros >= 3 && half.len() > 1 && whole(half) {
                self.widen(half, start + 8 * n as i64, 8);
            }
        }
    }

    /// The first of them becomes the wide access.
    fn widen(&mut self, parts: &[Plain], start: i64, bytes: u32) {
        let Some(first) = parts.iter().min_by_key(|p| p.at) else { return };
        for part in parts {
            self.out.insert(part.at, Access::Gone);
        }
        let before = (first.address.offset - start) as u32;
        self.out.insert(first.at, Access::Wide { bytes, before });
    }
}
