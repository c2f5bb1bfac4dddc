//! The accesses that ptxas makes fewer of: neighbours as a wide one, and what it has in a register already.
//!
//! In a basic block, between barriers and stores to the same memory: loads of shared memory at one base become one of 8 or
//! 16 bytes where the address is sure to be aligned so; of 16 bytes, one word may be missing. So do stores, without a gap.
//! Constant loads become one of 8 bytes. Stores of four neighbouring halves to local memory become one of 8. A load of what was just loaded or stored is none. Global memory's accesses stay as
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

/// Whether it is known what becomes of all accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sure {
    Yes,
    /// Of loads of constants it is not.
    No,
}

/// What becomes of each of a block's accesses that does not stay as it is.
pub(crate) fn find(flow: &Flow<'_>, values: &Values, block: usize, out: &mut HashMap<usize, Access>) -> Sure {
    let (shared, local) = (Near::default(), Near::default());
    let mut open = Open { values, shared, local, constants: vec![], globals: vec![], sure: Sure::Yes, out };
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
    open.sure
}

/// Accesses of a memory that may become one.
#[derive(Default)]
struct Near {
    /// Since the last barrier or store.
    loads: Vec<Plain>,
    /// Since the last load.
    stores: Vec<Plain>,
}

impl Near {
    /// Whether what a load reads has been loaded, or has just been stored.
    fn has(&self, load: Plain) -> bool {
        known(&self.loads, load)
            || self.stores.last().is_some_and(|s| s.address == load.address && s.bytes == load.bytes)
    }
}

/// Whether what a load reads has been loaded.
fn known(loads: &[Plain], load: Plain) -> bool {
    loads.iter().any(|l| l.address == load.address && l.bytes == load.bytes)
}

struct Open<'v> {
    values: &'v Values,
    shared: Near,
    local: Near,
    /// Since the last barrier or store: loads of constant and global memory.
    constants: Vec<Plain>,
    globals: Vec<Plain>,
    sure: Sure,
    out: &'v mut HashMap<usize, Access>,
}

const SHARED: Rules = Rules { most: 16, gaps: true };
const CONSTANT: Rules = Rules { most: 8, gaps: true };

/// How accesses of a memory become one.
#[derive(Clone, Copy)]
struct Rules {
    /// Bytes of the widest access.
    most: u32,
    /// Whether what no one asked for may be part of one.
    gaps: bool,
}

impl Open<'_> {
    fn add(&mut self, plain: Plain, what: What, free: bool) {
        match what {
            What::SharedLoad if free => {
                if self.shared.has(plain) {
                    self.out.insert(plain.at, Access::Gone);
                    return;
                }
                self.close_shared_stores();
                self.shared.loads.push(plain);
            }
            What::LocalLoad if free => {
                if self.out.contains_key(&plain.at) {
                    return; // in a register
                }
                if self.local.has(plain) {
                    self.out.insert(plain.at, Access::Gone);
                    return;
                }
                self.close_local_stores();
                self.local.loads.push(plain);
            }
            What::ConstantLoad if free => {
                if known(&self.constants, plain) {
                    self.out.insert(plain.at, Access::Gone);
                } else {
                    self.constants.push(plain);
                }
            }
            What::GlobalLoad if free => {
                if known(&self.globals, plain) {
                    self.out.insert(plain.at, Access::Gone);
                } else {
                    self.globals.push(plain);
                }
            }
            What::SharedStore if free => {
                self.close_shared_loads();
                self.shared.stores.push(plain);
            }
            What::LocalStore if free => {
                if !self.out.contains_key(&plain.at) {
                    self.local.loads.clear();
                    self.local.stores.push(plain);
                }
            }
            What::GlobalStore => self.globals.clear(),
            What::ConstantLoad | What::GlobalLoad => {}
            What::SharedLoad | What::SharedStore | What::SharedAtomic => self.close_shared(),
            What::LocalLoad | What::LocalStore => self.close_local(),
            What::GenericLoad => {}
            What::GenericStore | What::Other => self.close(true),
        }
    }

    fn close(&mut self, all: bool) {
        self.close_shared();
        self.close_local();
        if all {
            self.globals.clear();
        }
        let constants = std::mem::take(&mut self.constants);
        // Where the alignment is not known here, ptxas may know it.
        let unsure = |a: &Plain| {
            let facts = self.values.facts(a.address);
            let next = |b: &Plain| b.address == Value { offset: a.address.offset + 4, ..a.address };
            !facts.uniform
                && self.values.zeros(a.address.base) < 3
                && a.bytes == 4
                && constants.iter().any(next)
        };
        if constants.iter().any(unsure) {
            self.sure = Sure::No;
        }
        self.merge(constants, CONSTANT);
    }

    fn close_shared(&mut self) {
        self.close_shared_loads();
        self.close_shared_stores();
    }

    fn close_local(&mut self) {
        self.local.loads.clear();
        self.close_local_stores();
    }

    fn close_shared_loads(&mut self) {
        let loads = std::mem::take(&mut self.shared.loads);
        self.merge(loads, SHARED);
    }

    fn close_shared_stores(&mut self) {
        let stores = std::mem::take(&mut self.shared.stores);
        self.merge(stores, Rules { gaps: false, ..SHARED });
    }

    /// Local memory has a request for each 4 bytes of a lane, however wide the access is; four neighbouring halves are two.
    fn close_local_stores(&mut self) {
        let mut of_base: BTreeMap<(u32, i64), Vec<Plain>> = BTreeMap::new();
        for plain in std::mem::take(&mut self.local.stores).into_iter().filter(|plain| plain.bytes == 2) {
            let window = plain.address.offset.div_euclid(8);
            of_base.entry((plain.address.base, window)).or_default().push(plain);
        }
        for ((base, _), halves) in of_base {
            if halves.len() == 4 && self.values.zeros(base) >= 3 {
                halves[2..].iter().for_each(|half| _ = self.out.insert(half.at, Access::Gone));
            }
        }
    }

    /// Makes wide accesses of neighbours.
    fn merge(&mut self, accesses: Vec<Plain>, rules: Rules) {
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
                self.window(16 * window, &parts, zeros, rules);
            }
        }
    }

    /// Accesses of 16 bytes that are aligned so, if the base is.
    fn window(&mut self, start: i64, parts: &[Plain], zeros: u32, rules: Rules) {
        let half = |n: i64| -> Vec<Plain> {
            parts.iter().copied().filter(|p| (p.address.offset - start).div_euclid(8) == n).collect()
        };
        let halves = [half(0), half(1)];
        let whole = |half: &[Plain]| half.iter().map(|p| p.bytes).sum::<u32>() >= 8;
        let wide = rules.most >= 16
            && zeros >= 4
            && parts.iter().all(|p| p.bytes < 16)
            && halves.iter().all(|half| !half.is_empty())
            && if rules.gaps {
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
