//! NaNs and infinities that no more than their own thread's registers know.
//!
//! Enters: what arithmetic has made, and each instruction that is executed after it. Leaves: what of it has gone to memory, to
//! another lane, or to anything else that is no register. Only that is the kernel's: functions of the mathematics library
//! compute with infinities that they then leave out, and the compiler computes a quotient before the condition that it is
//! under. What was made keeps its place while values that are computed from it are no numbers either.

use crate::exec::checks::Key;
use crate::exec::current::CurrentBlock;
use crate::exec::follow::floats::{FloatObserver, Floats, Pending};
use crate::exec::observers::of_block::BlockObservers;
use crate::ir::{Effect, File, Inst, Op};
use crate::lanes::{X, lanes};
use crate::semantics::arithmetic::NotFinite;

impl FloatObserver {
    /// An instruction was executed by lanes of `mask`: what it has read of what is pending, and what it has written over.
    pub(in crate::exec) fn follow_pending(
        &mut self,
        current: &mut CurrentBlock<'_>,
        floats: &Floats,
        inst: &Inst,
        mask: u32,
        n: u32,
    ) {
        let kernel = current.run.kernel;
        let (mut read, mut written) = (vec![], vec![]);
        kernel.operands(inst, |file, register| read.push(current.block.registers.key(file, register)));
        kernel.results(inst, |file, register| {
            let values = current.block.registers.lane_values(file, register);
            written.push((current.block.registers.key(file, register), values));
        });
        let format = floats.of[n as usize].map(|arithmetic| arithmetic.result);
        let leaves = inst.op.effect() != Effect::Pure || matches!(inst.op, Op::Matrix { .. });
        let mut pending = std::mem::take(&mut current.block.observers.pending);
        let mut moved = vec![];
        for one in pending.iter().filter(|one| one.lanes & mask != 0 && read.contains(&one.register)) {
            if leaves {
                self.confirm(one.made.clone());
                continue;
            }
            for (register, values) in written.iter().filter(|((file, _), _)| *file != File::P) {
                let holds = |lane: usize| match format {
                    Some(format) => (0..format.count())
                        .any(|nth| NotFinite::of(format.value(values.0[lane], nth)).is_some()),
                    None => values.0[lane] == one.bits.0[lane],
                };
                let lanes =
                    lanes(one.lanes & mask).filter(|lane| holds(*lane)).fold(0, |all, lane| all | 1 << lane);
                if lanes != 0 {
                    moved.push(Pending { register: *register, lanes, bits: *values, made: one.made.clone() });
                }
            }
        }
        for (register, _) in &written {
            pending.iter_mut().filter(|one| one.register == *register).for_each(|one| one.lanes &= !mask);
        }
        pending.retain(|one| one.lanes != 0 && !self.knows(one.made.what));
        current.block.observers.pending = pending;
        moved.into_iter().for_each(|one| current.block.observers.wait_for_use(one));
    }

    /// A value goes from one frame's register to another's; or to memory, as the parameters of a call do.
    pub(in crate::exec) fn transfer_pending(
        &mut self,
        current: &mut CurrentBlock<'_>,
        from: Option<Key>,
        to: Option<Key>,
        mask: u32,
    ) {
        let mut pending = std::mem::take(&mut current.block.observers.pending);
        let mut moved = vec![];
        for one in pending.iter().filter(|one| Some(one.register) == from && one.lanes & mask != 0) {
            match to {
                Some(register) => moved.push(Pending {
                    register,
                    lanes: one.lanes & mask,
                    bits: one.bits,
                    made: one.made.clone(),
                }),
                None => self.confirm(one.made.clone()),
            }
        }
        pending.iter_mut().filter(|one| Some(one.register) == to).for_each(|one| one.lanes &= !mask);
        pending.retain(|one| one.lanes != 0);
        current.block.observers.pending = pending;
        moved.into_iter().for_each(|one| current.block.observers.wait_for_use(one));
    }
}

impl BlockObservers<'_> {
    /// A register holds what was made elsewhere.
    fn wait_for_use(&mut self, new: Pending) {
        if !self.adds_lanes((new.register, new.made.what), new.lanes, &new.bits) {
            self.pending.push(new);
        }
    }

    /// Adds lanes of a register to what is pending there of a kind; whether anything is. What else of its kind a register holds,
    /// in these lanes or others, counts as this too: only one of a kind is ever reported, and a value may depend on very many.
    pub(in crate::exec) fn adds_lanes(
        &mut self,
        (register, what): (Key, NotFinite),
        new: u32,
        bits: &X,
    ) -> bool {
        let same = |one: &&mut Pending| one.register == register && one.made.what == what;
        let Some(known) = self.pending.iter_mut().find(same) else { return false };
        lanes(new & !known.lanes).for_each(|lane| known.bits.0[lane] = bits.0[lane]);
        known.lanes |= new;
        true
    }
}
