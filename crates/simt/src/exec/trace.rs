//! Notes down what chosen warps ask of memory. Nothing here runs unless a launch is watched.

use super::{Worker, index_in};
use crate::Counters;
use crate::WARP;
use crate::lanes::lanes;
use crate::memory::{RANK_AT, SHARED_WINDOW};
use crate::program::{self, Inst, Matrix, NONE, Op};
use crate::trace::{AccessKind, Space, Trace};

/// An access as the interpreter knows it: numbers, no text.
#[derive(Clone, Debug)]
pub(crate) struct Noted {
    /// Place in the kernel's listing.
    pub(crate) listed: u32,
    pub(crate) warp: u32,
    pub(crate) kind: AccessKind,
    /// `None`: the addresses are generic.
    pub(crate) space: Option<Space>,
    /// A lane.
    pub(crate) bytes: u32,
    pub(crate) mask: u32,
    pub(crate) addresses: [u64; WARP],
    pub(crate) cost: Counters,
}

/// What has been noted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) accesses: Vec<Noted>,
    pub(crate) left_out: u64,
    /// How many accesses the instruction that runs has.
    open: usize,
}

impl Notes {
    pub(crate) fn add(&mut self, other: Notes) {
        self.accesses.extend(other.accesses);
        self.left_out += other.left_out;
    }

    fn push(&mut self, most: u32, noted: Noted) {
        if self.accesses.len() < most as usize {
            self.accesses.push(noted);
            self.open += 1;
        } else {
            self.left_out += 1;
        }
    }
}

impl Worker<'_> {
    /// Before a memory instruction of a launch that is watched: the counters as they are, and where the lanes go (which the
    /// instruction may overwrite).
    #[cold]
    #[inline(never)]
    pub(super) fn watch(&mut self, inst: &Inst, mask: u32) -> Counters {
        if let (Some(trace), Some(mut notes)) = (self.run.options.trace, self.notes.take()) {
            notes.open = 0;
            let chosen = self.warp < WARP && trace.warps >> self.warp & 1 != 0;
            if chosen && index_in(self.block, self.run.grid) == trace.block {
                self.note(&mut notes, trace, inst, mask);
            }
            self.notes = Some(notes);
        }
        self.tally.counters
    }

    /// After it: what it cost.
    #[cold]
    #[inline(never)]
    pub(super) fn watched(&mut self, code: u32, before: &Counters) {
        let after = &self.tally.counters;
        if let Some(profile) = &mut self.profile {
            profile.instruction(code, before, after);
        }
        if let Some(notes) = &mut self.notes {
            let listed = self.run.kernel.places.get(code as usize).copied().unwrap_or_default();
            let from = notes.accesses.len() - notes.open;
            for (n, noted) in notes.accesses[from..].iter_mut().enumerate() {
                noted.listed = listed;
                if n == 0 {
                    noted.cost.add_difference(before, after);
                }
            }
            notes.open = 0;
        }
    }

    fn note(&self, notes: &mut Notes, trace: Trace, inst: &Inst, mask: u32) {
        use AccessKind::{Atomic, Load, Store};
        let kernel = self.run.kernel;
        let (kind, space) = match inst.op {
            Op::LoadGlobal => (Load, Some(Space::Global)),
            Op::StoreGlobal => (Store, Some(Space::Global)),
            Op::LoadShared => (Load, Some(Space::Shared)),
            Op::StoreShared => (Store, Some(Space::Shared)),
            Op::LoadConstant => (Load, Some(Space::Constant)),
            Op::LoadLocal => (Load, Some(Space::Local)),
            Op::StoreLocal => (Store, Some(Space::Local)),
            Op::LoadGeneric => (Load, None),
            Op::StoreGeneric => (Store, None),
            Op::Atomic => match kernel.atomics[usize::from(inst.c)].space {
                program::Space::Global => (Atomic, Some(Space::Global)),
                program::Space::Shared => (Atomic, Some(Space::Shared)),
                program::Space::Generic => (Atomic, None),
            },
            Op::CopyAsync => (Load, Some(Space::Global)),
            Op::LoadMatrix => (Load, Some(Space::Shared)),
            Op::StoreMatrix => (Store, Some(Space::Shared)),
            _ => return,
        };
        let access = &kernel.accesses[usize::from(inst.b)];
        if access.parameter {
            return;
        }
        let mut noted = Noted {
            listed: 0,
            warp: self.warp as u32,
            kind,
            space,
            bytes: access.width(),
            mask,
            addresses: self.addresses(access, inst).0,
            cost: Counters::default(),
        };
        match inst.op {
            Op::Atomic => noted.bytes = u32::from(kernel.atomics[usize::from(inst.c)].update.ty.bytes()),
            Op::LoadMatrix | Op::StoreMatrix => {
                // Eight lanes give the addresses of each matrix' rows.
                let of = &kernel.matrices[usize::from(inst.c)];
                noted.mask &= u32::MAX >> (WARP - 8 * of.d.len().max(of.a.len()).clamp(1, 4));
                if matches!(of.matrix, Matrix::Rows { generic: true, .. }) {
                    noted.addresses = noted.addresses.map(|a| a.wrapping_sub(SHARED_WINDOW));
                }
            }
            Op::CopyAsync => {
                let copy = kernel.copies[usize::from(inst.c)];
                let ignored =
                    if copy.ignore == NONE { 0 } else { self.p[self.p_base + usize::from(copy.ignore)] };
                let given =
                    |l: usize| copy.source_bytes == NONE || self.w[self.wi(copy.source_bytes)].0[l] > 0;
                noted.mask = lanes(mask & !ignored).filter(|l| given(*l)).fold(0, |m, l| m | 1 << l);
                let offset = i64::from(copy.offset) as u64;
                let to =
                    if copy.wide { self.x[self.xi(copy.to)] } else { self.w[self.wi(copy.to)].widened() };
                let addresses = to.0.map(|a| a.wrapping_add(offset) & ((1 << RANK_AT) - 1));
                let store =
                    Noted { kind: Store, space: Some(Space::Shared), mask, addresses, ..noted.clone() };
                notes.push(trace.most, noted);
                return notes.push(trace.most, store);
            }
            _ => {}
        }
        notes.push(trace.most, noted);
    }
}
