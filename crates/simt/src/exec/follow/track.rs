//! Execution of instructions while some register of the block holds bits without a value ([`crate::exec::checks`]).
//!
//! Before an instruction, the bits of its results are found from those of its operands, and what it does with bits that
//! have no value is looked at; then it is executed as ever.

use crate::WARP;
use crate::exec::checks::{Bits, Key};
use crate::exec::current::CurrentBlock;
use crate::exec::fault::RawFault;
use crate::exec::follow::definedness::{Operand, of_function, of_scalar};
use crate::exec::launch::Run;
use crate::exec::memory::generic::in_window;
use crate::exec::observers::Observers;
use crate::exec::registers::RegisterFile;
use crate::exec::registers::index;
use crate::exec::warp::Split;
use crate::exec::worker::Worker;
use crate::ir::*;
use crate::lanes::{ALL, X};
use crate::memory::{LOCAL_WINDOW, SHARED_WINDOW};

impl RegisterFile {
    /// The register that an instruction names, as the checks know it.
    #[inline]
    pub(in crate::exec) fn key(&self, file: File, register: Register) -> Key {
        let at = match file {
            File::W => index(register, self.w_base),
            File::X => index(register, self.x_base),
            File::P => self.p_base + register.offset(),
        };
        (file, at)
    }

    #[inline]
    pub(in crate::exec) fn lane_values(&self, file: File, register: Register) -> X {
        match file {
            File::W => self.w[self.wi(register)].widened(),
            File::X => self.x[self.xi(register)],
            File::P => {
                let bits = self.p[self.p_base + register.offset()];
                X(std::array::from_fn(|l| u64::from(bits >> l & 1)))
            }
        }
    }

    /// The lanes' values of a source of a scalar function.
    #[inline]
    pub(in crate::exec) fn source_values(&self, source: &ScalarOperand) -> X {
        match *source {
            ScalarOperand::Register(file, register) => self.lane_values(file, register),
            ScalarOperand::Immediate(value) => X::splat(u64::from(value)),
        }
    }
}

impl CurrentBlock<'_> {
    #[inline]
    pub(in crate::exec) fn undefined_bits(&self, file: File, register: Register) -> Option<&Bits> {
        self.block.observers.checks.as_ref()?.undefined_bits(self.block.registers.key(file, register))
    }

    /// The lanes of a mask for which a register has bits without a value.
    #[inline]
    fn undefined_lanes(&self, file: File, register: Register, mask: u32) -> u32 {
        self.undefined_bits(file, register).map_or(0, |bits| bits.lanes() & mask)
    }

    #[inline]
    fn operand(&self, file: File, register: Register) -> (Operand, Option<&Bits>) {
        let bits = self.undefined_bits(file, register);
        let operand = Operand {
            value: self.block.registers.lane_values(file, register),
            bits: bits.map_or(X::ZERO, |bits| bits.bits),
        };
        (operand, bits)
    }

    /// The fault of lanes that use what came from an instruction.
    fn use_of_origin(&mut self, origin: u32, used: u32) -> Result<(), RawFault> {
        let (warp, lane) = (self.cursor.warp, used.trailing_zeros() as usize % WARP);
        let Some(checks) = &mut self.block.observers.checks else { return Ok(()) };
        let (stop, warp, code, callers) = checks.used(warp, lane, origin);
        let thread = (warp * WARP) as u32 + stop.lane;
        let fault = RawFault { thread, callers, ..self.fault_at(stop, code) };
        self.found(fault, used.count_ones())
    }

    /// The copies of structs in a basic block are done, which was followed from an instruction on.
    #[inline]
    pub(in crate::exec) fn end_copies(&mut self, from: u32) -> Result<(), RawFault> {
        let Some(checks) = self.block.observers.checks.as_mut().filter(|checks| checks.has_copies()) else {
            return Ok(());
        };
        for (origin, lanes) in checks.take_copies(from) {
            self.use_of_origin(origin, lanes)?;
        }
        Ok(())
    }

    #[inline]
    fn begins_without_values(&self) -> bool {
        self.block.observers.checks.as_ref().is_some_and(|checks| checks.begins_without_values())
    }

    /// An instruction reads registers: of those that the thread has never written, it is where this shows.
    #[inline]
    fn note_first_reads(&mut self, read: &[(File, Register)], mask: u32, n: u32) {
        for (file, register) in read {
            let (key, warp) = (self.block.registers.key(*file, *register), self.cursor.warp);
            let callers = self.callers(warp, self.cursor.frame);
            if let Some(checks) = &mut self.block.observers.checks
                && checks.note_constant_read(key, warp, n, &callers)
            {
                continue;
            }
            let begin = |bits: &Bits| bits.origin == Bits::BEGIN && bits.lanes() & mask != 0;
            if self.undefined_bits(*file, *register).is_some_and(begin)
                && let Some(checks) = &mut self.block.observers.checks
            {
                checks.note_first_read(key, warp, n, callers);
            }
        }
    }

    /// Bits without a value of a scalar function's result, if an operand has any.
    #[inline]
    fn scalar_results(&self, call: &ScalarCall) -> Option<Box<Bits>> {
        let mut operands = [Operand { value: X::ZERO, bits: X::ZERO }; 4];
        let mut before = vec![];
        for (operand, source) in operands.iter_mut().zip(call.sources()) {
            match *source {
                ScalarOperand::Register(file, register) => {
                    let bits;
                    (*operand, bits) = self.operand(file, register);
                    before.extend(bits);
                }
                ScalarOperand::Immediate(value) => operand.value = X::splat(u64::from(value)),
            }
        }
        if before.is_empty() { None } else { Some(Box::new(of_scalar(call, &operands, &before))) }
    }

    /// The bytes that a store to local or shared memory leaves without a value, a bit for each byte of each lane, and
    /// where these come from.
    pub(in crate::exec) fn undefined_in_store(&self, operand: &MemoryOperand) -> Option<(X, u32)> {
        let mut missing = X::ZERO;
        let mut origin = None;
        for e in 0..usize::from(operand.count) {
            let Some(register) = operand.registers[e].get() else { continue };
            let Some(bits) = self.undefined_bits(file_of(operand.wide[e]), register) else { continue };
            origin = origin.or(Some(bits.origin));
            for l in 0..WARP {
                for byte in 0..usize::from(operand.bytes) {
                    let bits_of = bits.bits.0[l] >> (8 * byte) & 0xff;
                    let whole = bits_of == 0xff || bits_of != 0 && bits.computed >> l & 1 != 0;
                    missing.0[l] |= u64::from(whole) << (e * usize::from(operand.bytes) + byte);
                }
            }
        }
        Some((missing, origin?))
    }
}

impl Observers {
    #[inline]
    pub(in crate::exec) fn set_undefined(
        &mut self,
        current: &mut CurrentBlock<'_>,
        file: File,
        register: Register,
        mask: u32,
        new: Option<&Bits>,
    ) {
        let key = current.block.registers.key(file, register);
        if let Some(checks) = &mut current.block.observers.checks {
            checks.set_undefined(key, mask, new);
            let follows = current.block.observers.stepped || checks.undefined_any();
            current.block.observers.undefined = follows || self.floats_mut().watches(current.run);
        }
    }

    /// The fault of lanes that use a register's bits without a value, if there are such.
    #[inline]
    fn use_of(
        &mut self,
        current: &mut CurrentBlock<'_>,
        file: File,
        register: Register,
        mask: u32,
    ) -> Result<(), RawFault> {
        let used = current.undefined_lanes(file, register, mask);
        if used == 0 {
            return Ok(());
        }
        let origin = current.undefined_bits(file, register).map_or(0, |bits| bits.origin);
        current.use_of_origin(origin, used)?;
        // Where the launch continues, it has been noted.
        self.set_undefined(current, file, register, used, None);
        Ok(())
    }

    /// Gives an instruction's results the bits that have no value: in lanes that execute it those of `bits`, by the
    /// result's number, and all bits in lanes of which it is unknown whether they do.
    #[inline]
    fn set_results<'b>(
        &mut self,
        current: &mut CurrentBlock<'_>,
        inst: &Inst,
        lanes: [u32; 2],
        bits: impl Fn(usize) -> Option<&'b Bits>,
    ) {
        let [mask, unsure] = lanes;
        let mut written = vec![];
        current.run.kernel.results(inst, |file, register| written.push((file, register)));
        for (nth, (file, register)) in written.into_iter().enumerate() {
            self.set_undefined(current, file, register, mask, bits(nth));
            if unsure != 0 {
                let origin = inst.guard.condition();
                let origin = origin.and_then(|(p, _)| Some(current.undefined_bits(File::P, p)?.origin));
                let bits = X::splat(file.bits());
                let bits = Bits { bits, computed: ALL, origin: origin.unwrap_or_default() };
                self.set_undefined(current, file, register, unsure, Some(&bits));
            }
        }
    }

    /// Marks in the registers of a load what of it is not written.
    #[inline]
    pub(in crate::exec) fn take_loaded(&mut self, current: &mut CurrentBlock<'_>, n: usize) {
        let kernel = current.run.kernel;
        let warp = current.cursor.warp;
        let Some(access) = kernel.code[n].op.access(kernel) else { return };
        let operand = &kernel[access];
        if current.block.observers.checks.as_ref().is_none_or(|checks| !checks.is_missing()) {
            return;
        }
        let callers = current.callers(warp, current.cursor.frame);
        let Some(checks) = &mut current.block.observers.checks else { return };
        let Some(loaded) = checks.take_loaded(warp, n as u32, operand.width(), callers) else { return };
        if let Op::LoadMatrix { matrix, .. } = kernel.code[n].op {
            let of = &kernel[matrix];
            for (register, bits) in of.d.iter().zip(CurrentBlock::rows_without_value(of, loaded.rows())) {
                let bits = Bits { bits, computed: 0, origin: n as u32 };
                self.set_undefined(current, File::W, *register, ALL, Some(&bits));
            }
            return;
        }
        for e in 0..usize::from(operand.count) {
            if let Some(register) = operand.registers[e].get() {
                let bits = Bits { bits: loaded.element(operand, e), computed: 0, origin: n as u32 };
                self.set_undefined(current, file_of(operand.wide[e]), register, loaded.mask(), Some(&bits));
            }
        }
    }

    /// What an instruction's results have of its operands' bits without a value; a fault if it uses such bits.
    #[inline]
    fn results_of(
        &mut self,
        current: &mut CurrentBlock<'_>,
        inst: &Inst,
        mask: u32,
        n: u32,
    ) -> Result<Results, RawFault> {
        let kernel = current.run.kernel;
        let none = Ok(Results::Of(None));
        match inst.op.without_value() {
            WithoutValue::Function(of) => {
                let mut operands = [Operand { value: X::ZERO, bits: X::ZERO }; 3];
                let mut before = vec![];
                for (operand, (file, register)) in operands.iter_mut().zip(of.operands()) {
                    let bits;
                    (*operand, bits) = current.operand(file, register);
                    before.extend(bits);
                }
                if before.is_empty() {
                    return none;
                }
                Ok(Results::Of(Some(Box::new(of_function(&of, &operands, &before)))))
            }
            WithoutValue::Scalar(call) => Ok(Results::Of(current.scalar_results(&kernel[call]))),
            WithoutValue::Matrix(matrix) => {
                Ok(current.matrix_without_value(&kernel[matrix]).map_or(Results::Of(None), Results::Each))
            }
            WithoutValue::Collective(collective) => {
                // It sets its results itself; lanes and masks are not values.
                if let Some(members) = kernel[collective].members.get() {
                    self.use_of(current, File::W, members, mask)?;
                }
                Ok(Results::Own)
            }
            WithoutValue::Stored(access) => {
                self.use_of_address(current, access, mask)?;
                self.use_in_store(current, access, mask, n)?;
                none
            }
            WithoutValue::Copied(access) => {
                self.use_of_address(current, access, mask)?;
                none
            }
            WithoutValue::StoredByAddress(access) => {
                self.use_of_address(current, access, mask)?;
                let addresses = current.block.registers.register_addresses(kernel[access].address);
                let windows = [LOCAL_WINDOW, SHARED_WINDOW];
                let inner = windows.map(|window| in_window(&addresses, mask, window).0);
                self.use_in_store(current, access, mask & !(inner[0] | inner[1]), n)?;
                none
            }
            WithoutValue::Used => {
                self.use_of_operands(current, inst, mask)?;
                none
            }
        }
    }

    /// All that an instruction reads is used.
    fn use_of_operands(
        &mut self,
        current: &mut CurrentBlock<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Result<(), RawFault> {
        let kernel = current.run.kernel;
        let mut read = vec![];
        kernel.operands(inst, |file, register| read.push((file, register)));
        if let Op::FmaShared { group } = inst.op {
            let address = kernel[kernel[group].loads[0]].address;
            read.push((file_of(address.wide), address.register));
        }
        for (file, register) in read {
            self.use_of(current, file, register, mask)?;
        }
        Ok(())
    }

    fn use_of_address(
        &mut self,
        current: &mut CurrentBlock<'_>,
        access: Id<MemoryOperand>,
        mask: u32,
    ) -> Result<(), RawFault> {
        let address = current.run.kernel[access].address;
        self.use_of(current, file_of(address.wide), address.register, mask)
    }

    /// A store to global memory uses what was computed with bits without a value, and what has no other bits. Of what was
    /// only copied some may be missing: structs have holes, and members that are never used.
    fn use_in_store(
        &mut self,
        current: &mut CurrentBlock<'_>,
        access: Id<MemoryOperand>,
        mask: u32,
        n: u32,
    ) -> Result<(), RawFault> {
        let operand = &current.run.kernel[access];
        let width = u64::MAX >> (64 - 8 * u32::from(operand.bytes));
        let (mut whole, mut computed) = (mask, 0);
        for (file, register) in operand.elements() {
            match current.undefined_bits(file, register) {
                None => whole = 0,
                Some(bits) => {
                    let lanes_where = |holds: &dyn Fn(u64) -> bool| {
                        (0..WARP).fold(0, |m, l| m | u32::from(holds(bits.bits.0[l])) << l)
                    };
                    whole &= lanes_where(&|bits| bits & width == width);
                    computed |= bits.computed & lanes_where(&|bits| bits & width != 0);
                }
            }
        }
        let copied = mask & whole & !computed;
        let first = current.run.first_of_copy(n);
        let (mut used, mut origin, mut bytes) = (mask & (whole | computed), None, 0);
        for (file, register) in operand.elements() {
            let Some(bits) = current.undefined_bits(file, register) else { continue };
            origin = origin.or(Some(bits.origin));
            // A byte as it was loaded: what is computed with one lacks others too.
            bytes = (0..WARP).fold(0, |m, l| m | u32::from(bits.bits.0[l] == 0xff) << l);
        }
        let warp = current.cursor.warp;
        let addresses = current.block.registers.register_addresses(operand.address);
        if let (Some(checks), Some(origin)) = (&mut current.block.observers.checks, origin)
            && operand.width() == 1
        {
            used &= !(copied & bytes & checks.holes(warp, origin));
        }
        if let (Some(checks), Some(first)) = (&mut current.block.observers.checks, first) {
            if let Some(origin) = origin.filter(|_| used & copied != 0) {
                checks.note_unvalued(first, origin, used & copied, addresses);
            }
            checks.note_valued(first, mask & !(whole | computed), addresses);
            used &= !copied;
        }
        for (file, register) in operand.elements() {
            self.use_of(current, file, register, used)?;
        }
        Ok(())
    }

    /// What the end of a block decides.
    #[inline]
    fn use_at_end(
        &mut self,
        current: &mut CurrentBlock<'_>,
        mask: u32,
        block: &Block,
    ) -> Result<(), RawFault> {
        let kernel = current.run.kernel;
        if current.begins_without_values() {
            let mut read = vec![];
            let called = &current.block.warps[current.cursor.warp].frames[current.cursor.frame as usize];
            let frame = &kernel.functions[called.function as usize];
            kernel.end_operands(frame, block, |file, register| read.push((file, register)));
            current.note_first_reads(&read, mask, block.end.saturating_sub(1));
        }
        match block.exit {
            End::Branch { predicate, .. } | End::ExitIf { predicate, .. } => {
                self.use_of(current, File::P, predicate, mask)
            }
            End::Switch { index, .. } => self.use_of(current, File::W, index, mask),
            End::Barrier { barrier, .. } => {
                let of = kernel.barriers[barrier as usize];
                self.use_of(current, File::W, of.id, mask)?;
                if let Some(threads) = of.threads.get() {
                    self.use_of(current, File::W, threads, mask)?;
                }
                match of.operation {
                    BarrierOperation::Reduce { predicate, result, reduction } => {
                        self.use_of(current, File::P, predicate, mask)?;
                        self.set_undefined(current, reduction.file(), result, mask, None);
                    }
                    BarrierOperation::Sync
                    | BarrierOperation::Arrive
                    | BarrierOperation::ClusterArrive
                    | BarrierOperation::ClusterWait => {}
                }
                Ok(())
            }
            End::Call { call, .. } => match kernel.calls[call as usize].callee {
                Callee::Indirect(register) => self.use_of(current, File::X, register, mask),
                Callee::Direct(_) => Ok(()),
            },
            End::Goto(_) | End::Return | End::Exit | End::Trap => Ok(()),
        }
    }

    /// A value goes from one frame's register to another's, or comes from memory.
    #[inline]
    pub(in crate::exec) fn transfer_undefined(
        &mut self,
        current: &mut CurrentBlock<'_>,
        from: Option<Key>,
        to: Option<Key>,
        mask: u32,
    ) {
        if !current.block.observers.pending.is_empty() {
            self.floats_mut().transfer_pending(current, from, to, mask);
        }
        let Some(checks) = &mut current.block.observers.checks else { return };
        let bits = from.and_then(|key| checks.undefined_bits(key).cloned());
        if let Some(to) = to {
            checks.set_undefined(to, mask, bits.as_ref());
        }
        let follows = current.block.observers.stepped || checks.undefined_any();
        current.block.observers.undefined = follows || self.floats_mut().watches(current.run);
    }
}

impl Worker<'_> {
    /// Executes a basic block from an instruction on, but for how it ends; says which lanes are left.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn run_tracked(
        &mut self,
        at: Split,
        block: &Block,
        from: usize,
    ) -> Result<u32, RawFault> {
        let left = if self.observers.is_stepped(&self.current) && from == block.start as usize {
            self.run_stepped(at, block)?
        } else {
            (from..block.end as usize).try_fold(at.mask, |left, n| Ok(left & !self.step_tracked(left, n)?))?
        };
        self.current.end_copies(from as u32)?;
        self.observers.use_at_end(&mut self.current, left, block)?;
        Ok(left)
    }

    /// Executes an instruction of a split; says which lanes have exited for a fault of theirs.
    pub(in crate::exec) fn step_tracked(&mut self, active: u32, n: usize) -> Result<u32, RawFault> {
        let kernel = self.current.run.kernel;
        let inst = &kernel.code[n];
        let mask = active & self.current.block.registers.view().guard(inst);
        if self.current.begins_without_values() {
            let mut read = vec![];
            kernel.operands(inst, |file, register| read.push((file, register)));
            read.extend(inst.guard.condition().map(|(predicate, _)| (File::P, predicate)));
            self.current.note_first_reads(&read, active, n as u32);
        }
        let unsure = match inst.guard.condition() {
            Some((predicate, _)) => self.current.undefined_lanes(File::P, predicate, active),
            None => 0,
        };
        if unsure != 0 && inst.op.effect() != Effect::Pure {
            let predicate = inst.guard.condition().map(|(predicate, _)| predicate).unwrap_or_default();
            self.observers.use_of(&mut self.current, File::P, predicate, unsure)?;
        }
        let results = self.observers.results_of(&mut self.current, inst, mask, n as u32)?;
        let before = if mask == 0 {
            None
        } else {
            self.observers.floats_mut().before_arithmetic(&mut self.current, inst, mask, n as u32)
        };
        let mut gone = 0;
        if mask == 0 {
            if inst.op.takes_a_turn() {
                self.count_without_lanes(inst, n as u32);
            }
        } else if let Err(stop) = self.step_out_of_line(inst, mask, n as u32) {
            gone = self.lanes_fault(stop, inst, mask, n as u32)?;
        }
        if let Some(floats) = self.current.run.floats
            && mask != 0
            && !self.current.block.observers.pending.is_empty()
        {
            self.observers.floats_mut().follow_pending(
                &mut self.current,
                floats,
                inst,
                mask & !gone,
                n as u32,
            );
        }
        if let Some(before) = before {
            self.observers.floats_mut().after_arithmetic(
                &mut self.current,
                &before,
                inst,
                mask & !gone,
                n as u32,
            );
        }
        match results {
            Results::Own => {}
            Results::Of(bits) => {
                self.observers.set_results(&mut self.current, inst, [mask, unsure], |_| bits.as_deref())
            }
            Results::Each(bits) => {
                self.observers.set_results(&mut self.current, inst, [mask, unsure], |nth| bits.get(nth))
            }
        }
        self.observers.take_loaded(&mut self.current, n);
        Ok(gone)
    }
}

impl Run<'_> {
    /// If a store may be one of several that copy a struct, the first of them: of one line, in one basic block.
    #[inline]
    fn first_of_copy(&self, n: u32) -> Option<u32> {
        let kernel = self.kernel;
        let block = &kernel.blocks[kernel.block_of(n)?];
        let key = |n: u32| {
            let inst = kernel.code[n as usize];
            let stores = matches!(inst.op, Op::StoreGlobal { .. } | Op::StoreGeneric { .. });
            let listed = kernel.listing.get(*kernel.places.get(n as usize)? as usize)?;
            let Origin { file, source_line, inlined_at, .. } = listed.origin;
            (stores && source_line != 0).then_some((file, source_line, inlined_at, inst.guard))
        };
        let here = key(n)?;
        let mut all = (block.start..block.end).filter(|other| key(*other) == Some(here));
        let first = all.next()?;
        (first != n || all.next().is_some()).then_some(first)
    }
}

/// What is to be said of an instruction's results.
enum Results {
    /// All of them have these bits without a value, or none.
    Of(Option<Box<Bits>>),
    /// One register after the other has these.
    Each(Vec<Bits>),
    /// The instruction says so itself.
    Own,
}
