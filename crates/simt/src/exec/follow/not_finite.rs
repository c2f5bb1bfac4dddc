//! Where the first NaN and the first infinity of a launch were made: by arithmetic whose operands are none.
//!
//! The block's instructions are executed one by one, as where bits without a value are followed ([`super::track`]). The first
//! is that of the lowest block, and in this one the first that was executed, so that it is the same in every run.

use crate::WARP;
use crate::exec::checks::Key;
use crate::exec::current::CurrentBlock;
use crate::exec::follow::floats::{Early, FloatObserver, Made, Pending};
use crate::exec::launch::Run;
use crate::ir::{File, Inst, Op, Register, UniformValue};
use crate::lanes::{X, lanes};
use crate::semantics::arithmetic::{Arithmetic, NotFinite, Operation};

/// What was computed, with its operands, and the instruction's words where it is not the one at the place.
type Formula = (String, Option<&'static str>);

/// The operands of an instruction before it is executed, of all lanes.
pub(in crate::exec) struct Before {
    arithmetic: Arithmetic,
    operands: Vec<X>,
}

impl FloatObserver {
    /// Whether instructions are looked at: until all is found.
    #[inline]
    pub(in crate::exec) fn watches(&self, run: &Run<'_>) -> bool {
        run.floats.is_some() && !self.is_complete()
    }

    /// An instruction was executed before the first of the kernel.
    pub(in crate::exec) fn look_at_early(&mut self, current: &mut CurrentBlock<'_>, inst: &Inst) {
        let Op::Compute(of) = inst.op else { return };
        let Some(arithmetic) = Arithmetic::of(of.function.mnemonic()).filter(|_| self.watches(current.run))
        else {
            return;
        };
        let (file, register) = of.result();
        let Some(what) = NotFinite::of(
            arithmetic.result.value(current.block.registers.lane_values(file, register).0[0], 0),
        ) else {
            return;
        };
        let operands: Vec<u64> = of
            .operands()
            .map(|(file, register)| current.block.registers.lane_values(file, register).0[0])
            .collect();
        let numbers = operands.iter().filter_map(|bits| Some(arithmetic.operands?.value(*bits, 0)));
        if what.is_made_of(numbers) {
            let (register, mnemonic) = (current.block.registers.key(file, register), of.function.mnemonic());
            self.note_early(Early { register, what, formula: arithmetic.formula(&operands, 0), mnemonic });
        }
    }

    /// An instruction reads registers, of which some may hold what was made before the first.
    fn read_early(&mut self, current: &mut CurrentBlock<'_>, inst: &Inst, mask: u32, n: u32) {
        let mut read = vec![];
        current.run.kernel.operands(inst, |file, register| {
            let values = current.block.registers.lane_values(file, register);
            read.push((current.block.registers.key(file, register), values));
        });
        for one in self.early() {
            let Some((register, bits)) = read.iter().find(|(register, _)| *register == one.register) else {
                continue;
            };
            let held = (*register, mask, bits);
            self.wait_for_use(current, held, one.what, n, || (one.formula.clone(), Some(one.mnemonic)));
        }
    }

    /// Before an instruction is executed: its operands, if it is arithmetic.
    #[inline]
    pub(in crate::exec) fn before_arithmetic(
        &mut self,
        current: &mut CurrentBlock<'_>,
        inst: &Inst,
        mask: u32,
        n: u32,
    ) -> Option<Before> {
        let floats = current.run.floats.filter(|_| self.watches(current.run))?;
        if !self.early().is_empty() {
            self.read_early(current, inst, mask, n);
        }
        let arithmetic = floats.of[n as usize]?;
        let mut operands = vec![];
        match inst.op {
            Op::StoreGlobal { access } | Op::StoreGeneric { access } => {
                let elements = current.run.kernel[access].elements();
                operands.extend(
                    elements.map(|(file, register)| current.block.registers.lane_values(file, register)),
                );
            }
            Op::Scalar { call, .. } => {
                operands.extend(
                    current.run.kernel[call]
                        .sources()
                        .iter()
                        .map(|source| current.block.registers.source_values(source)),
                );
            }
            _ => current.run.kernel.operands(inst, |file, register| {
                operands.push(current.block.registers.lane_values(file, register))
            }),
        }
        Some(Before { arithmetic, operands })
    }

    /// After it: whether lanes of `mask` have made a NaN or an infinity.
    #[inline]
    pub(in crate::exec) fn after_arithmetic(
        &mut self,
        current: &mut CurrentBlock<'_>,
        before: &Before,
        inst: &Inst,
        mask: u32,
        n: u32,
    ) {
        let Before { arithmetic, operands } = before;
        match arithmetic.operation {
            Operation::Choose => return self.look_at_choice(current, arithmetic, inst, mask, n),
            Operation::Load => return current.look_at_given(arithmetic, inst, mask),
            Operation::Store => return self.look_at_stored(current, before, mask, n),
            _ => {}
        }
        let mut results = vec![];
        let mut operands = operands.clone();
        if let Op::Atomic { atomic } = inst.op {
            // Its result is what was there.
            let kernel = current.run.kernel;
            let (old, update) = (*self.old(), kernel[atomic].update);
            let given = operands.pop().unwrap_or(X::ZERO);
            results.push((None, X(std::array::from_fn(|l| update.apply(old.0[l], given.0[l], 0)))));
            operands = vec![old, given];
        } else {
            current.run.kernel.results(inst, |file, register| {
                let key = current.block.registers.key(file, register);
                results.push((Some(key), current.block.registers.lane_values(file, register)));
            });
        }
        let of_warp = matches!(inst.op, Op::Matrix { .. });
        for l in lanes(mask) {
            let parts = |of| (0..arithmetic.result.count()).map(move |nth| (of, nth));
            for ((register, result), nth) in results.iter().flat_map(parts) {
                let Some(what) = NotFinite::of(arithmetic.result.value(result.0[l], nth)) else { continue };
                let lanes = if of_warp { 0..WARP } else { l..l + 1 };
                let numbers = operands.iter().flat_map(|operand| {
                    let parts = arithmetic.operands.into_iter().flat_map(|format| {
                        let parts = if of_warp {
                            0..format.count()
                        } else {
                            nth % format.count()..nth % format.count() + 1
                        };
                        parts.map(move |part| (format, part))
                    });
                    let lanes = lanes.clone();
                    parts.flat_map(move |(format, part)| {
                        lanes.clone().map(move |l| format.value(operand.0[l], part))
                    })
                });
                if what.is_made_of(numbers) {
                    let formula = || {
                        let bits: Vec<u64> = operands.iter().map(|operand| operand.0[l]).collect();
                        (arithmetic.formula(&bits, nth), None)
                    };
                    match *register {
                        Some(register) => {
                            self.wait_for_use(current, (register, 1 << l, result), what, n, formula);
                        }
                        // An atomic operation's result is in memory.
                        None => self
                            .made(current, what, l, n, formula)
                            .into_iter()
                            .for_each(|made| self.confirm(made)),
                    }
                }
            }
        }
    }

    /// What goes to memory, and no arithmetic has made it, nor has the block been given any: a function has set its bits.
    fn look_at_stored(&mut self, current: &mut CurrentBlock<'_>, before: &Before, mask: u32, n: u32) {
        let Before { arithmetic, operands } = before;
        for (values, l) in operands.iter().flat_map(|values| lanes(mask).map(move |l| (values, l))) {
            let Some(what) = NotFinite::of(arithmetic.result.value(values.0[l], 0)) else { continue };
            if !current.block.observers.given[usize::from(what == NotFinite::Infinity)] {
                let made = self.made(current, what, l, n, || (arithmetic.result.text(values.0[l], 0), None));
                made.into_iter().for_each(|made| self.confirm(made));
            }
        }
    }

    /// A NaN or an infinity that is in the program has been chosen.
    fn look_at_choice(
        &mut self,
        current: &mut CurrentBlock<'_>,
        arithmetic: &Arithmetic,
        inst: &Inst,
        mask: u32,
        n: u32,
    ) {
        let Op::Compute(of) = inst.op else { return };
        let [(file, d), (_, a), (_, b)] = [of.result(), (File::P, of.a), (File::P, of.b)];
        let kernel = current.run.kernel;
        let values = if file == File::X { &kernel.uniform_x } else { &kernel.uniform_w };
        let constant = |register: Register| match values.get(register.number()) {
            Some(Some(UniformValue::Immediate(bits))) if register.is_uniform() => Some(*bits),
            _ => None,
        };
        let chosen = current.block.registers.lane_values(file, d);
        for l in lanes(mask) {
            let bits = chosen.0[l];
            let Some(what) = NotFinite::of(arithmetic.result.value(bits, 0)) else { continue };
            if [a, b].into_iter().filter_map(constant).any(|constant| constant == bits) {
                let held = (current.block.registers.key(file, d), 1 << l, &chosen);
                self.wait_for_use(current, held, what, n, || (arithmetic.result.text(bits, 0), None));
            }
        }
    }

    /// Lanes of a register hold what an instruction has made. What made it is put into words only where nothing of its kind is
    /// known, of the register or at all.
    fn wait_for_use(
        &self,
        current: &mut CurrentBlock<'_>,
        (register, lanes, bits): (Key, u32, &X),
        what: NotFinite,
        n: u32,
        formula: impl FnOnce() -> Formula,
    ) {
        if self.knows(what) || current.block.observers.adds_lanes((register, what), lanes, bits) {
            return;
        }
        let lane = lanes.trailing_zeros() as usize;
        if let Some(made) = self.made(current, what, lane, n, formula) {
            current.block.observers.pending.push(Pending { register, lanes, bits: *bits, made });
        }
    }

    /// What an instruction has made in a lane, where nothing like it is known.
    #[cold]
    fn made(
        &self,
        current: &CurrentBlock<'_>,
        what: NotFinite,
        lane: usize,
        n: u32,
        formula: impl FnOnce() -> Formula,
    ) -> Option<Made> {
        if self.knows(what) {
            return None;
        }
        let (formula, mnemonic) = formula();
        let (kernel, warp) = (current.run.kernel, current.cursor.warp);
        let listed = kernel.places.get(n as usize).and_then(|n| kernel.listing.get(*n as usize));
        let origin = listed.map(|listed| listed.origin).unwrap_or_default();
        let callers = current.callers(warp, current.cursor.frame);
        let thread = (warp * WARP + lane) as u32;
        let block = current.block.number;
        Some(Made { what, block, thread, origin, callers, formula, mnemonic })
    }
}

impl CurrentBlock<'_> {
    /// What comes from memory is not made here, nor is what is computed from it.
    #[inline]
    fn look_at_given(&mut self, arithmetic: &Arithmetic, inst: &Inst, mask: u32) {
        let mut loaded = vec![];
        self.run
            .kernel
            .results(inst, |file, register| loaded.push(self.block.registers.lane_values(file, register)));
        for bits in loaded.iter().flat_map(|values| lanes(mask).map(|l| values.0[l])) {
            match NotFinite::of(arithmetic.result.value(bits, 0)) {
                Some(NotFinite::Nan) => self.block.observers.given[0] = true,
                Some(NotFinite::Infinity) => self.block.observers.given[1] = true,
                None => {}
            }
        }
    }
}
