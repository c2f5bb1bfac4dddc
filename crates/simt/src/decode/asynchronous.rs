//! `mbarrier` objects, bulk copies and stores that complete later.

use super::context::{Result, type_bytes};
use super::decoder::Decoder;
use super::names::Uniformity;
use crate::ir::*;
use ptx::{Instruction, Operand};

impl<'m> Decoder<'m, '_> {
    fn operation(
        &mut self,
        i: &'m Instruction<'m>,
        guard: Guard,
        address: &'m Operand<'m>,
        of: MbarrierOperands,
    ) -> Result<()> {
        let address = self.address(i.at, address)?;
        let access = MemoryOperand { bytes: 8, count: 1, strong: true, address, ..MemoryOperand::default() };
        let access = self.enter_access(i.at, access)?;
        let mbarrier = self.enter(i.at, MbarrierOperands { access, ..of })?;
        self.emit(Inst { guard, op: Op::Mbarrier { mbarrier } });
        Ok(())
    }

    pub(super) fn mbarrier(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let mut space = Space::Generic;
        let mut words = vec![];
        for modifier in &i.modifiers {
            match *modifier {
                "shared" | "shared::cta" | "shared::cluster" => space = Space::Shared,
                // Every arrival releases and every wait acquires here, in the whole system.
                "release" | "acquire" | "relaxed" | "cta" | "cluster" | "b64" => {}
                word => words.push(word),
            }
        }
        let mut of = MbarrierOperands::new(Mbarrier::Init, space);
        let address = match (&words[..], &i.operands[..]) {
            (["init"], [at, count]) => {
                of.count = self.source(i.at, count, File::W)?.0.into();
                at
            }
            (["inval"], [at]) => {
                of.does = Mbarrier::Invalidate;
                at
            }
            (["expect_tx"], [at, bytes]) => {
                of.does = Mbarrier::ExpectBytes;
                of.bytes = self.source(i.at, bytes, File::W)?.0.into();
                at
            }
            (["complete_tx"], [at, bytes]) => {
                of.does = Mbarrier::CompleteBytes;
                of.bytes = self.source(i.at, bytes, File::W)?.0.into();
                at
            }
            ([what @ ("arrive" | "arrive_drop"), how @ ..], [state, at, rest @ ..]) => {
                of.does =
                    Mbarrier::Arrive { drop: *what == "arrive_drop", no_complete: *how == ["noComplete"] };
                match (how, rest) {
                    ([], []) => {}
                    (["expect_tx"], [bytes]) => of.bytes = self.source(i.at, bytes, File::W)?.0.into(),
                    ([] | ["noComplete"], [count]) => of.count = self.source(i.at, count, File::W)?.0.into(),
                    _ => return self.context.unsupported(i.at, format!("this form of `{}`", i.mnemonic())),
                }
                of.d = self.optional_result(i, state, File::X)?;
                at
            }
            (["test_wait" | "try_wait", how @ ..], [complete, at, what, rest @ ..]) => {
                let parity = match how {
                    [] => false,
                    ["parity"] => true,
                    _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
                };
                of.does = Mbarrier::Wait { parity };
                if parity {
                    of.count = self.source(i.at, what, File::W)?.0.into();
                } else {
                    of.state = self.source(i.at, what, File::X)?.0.into();
                }
                // For how long a thread may sleep before it says that the phase is not complete: it may say so at once.
                match rest {
                    [] => {}
                    [limit] => {
                        self.source(i.at, limit, File::W)?;
                    }
                    _ => return self.context.bad(i.at, format!("`{}` with too many operands", i.mnemonic())),
                }
                of.d = self.optional_result(i, complete, File::P)?;
                at
            }
            (["pending_count"], [Operand::Name(name, None), state]) => {
                let (a, _) = self.source(i.at, state, File::X)?;
                let low = self.temporary(i.at, Function::Truncate64.of([a]))?;
                let (mask, _) = self.immediate(i.at, File::W, PENDING)?;
                return self.write(i.at, guard, name, Function::AndW.of([low, mask]), Uniformity::WARP);
            }
            _ => return self.context.unsupported(i.at, format!("this form of `{}`", i.mnemonic())),
        };
        self.operation(i, guard, address, of)
    }

    /// A result that may be `_`.
    fn optional_result(
        &mut self,
        i: &Instruction<'m>,
        result: &Operand<'m>,
        file: File,
    ) -> Result<OptionalRegister> {
        match result {
            Operand::Name("_", None) => Ok(OptionalRegister::NONE),
            Operand::Name(name, None) => Ok(self.result(i.at, name, file)?.into()),
            _ => self.context.bad(i.at, format!("`{}` writes a register", i.mnemonic())),
        }
    }

    /// `cp.async.mbarrier.arrive`.
    pub(super) fn copies_arrive(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [address] = &i.operands[..] else {
            return self.context.bad(i.at, format!("`{}` takes an address", i.mnemonic()));
        };
        let shared = i.modifiers.iter().any(|m| matches!(*m, "shared" | "shared::cta"));
        let does = Mbarrier::CopiesArrive { expected: i.modifiers.contains(&"noinc") };
        let of = MbarrierOperands::new(does, if shared { Space::Shared } else { Space::Generic });
        self.operation(i, guard, address, of)
    }

    /// `cp.async.bulk`: here the copy is done when the instruction is. Those by tensor maps, which the driver encodes
    /// in a way that is nowhere described, are refused.
    pub(super) fn bulk(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let words: Vec<&str> =
            i.modifiers.iter().copied().skip(2).filter(|m| !m.starts_with("L2::")).collect();
        let policy = usize::from(i.modifiers.contains(&"L2::cache_hint"));
        const OBJECT: &str = "mbarrier::complete_tx::bytes";
        let (bulk, multicast) = match &words[..] {
            ["commit_group"] | ["wait_group", ..] | ["prefetch", "L2", "global"] | ["prefetch", "global"] => {
                return Ok(());
            }
            ["shared::cluster" | "shared::cta", "global", OBJECT] => (Bulk::GlobalToShared, false),
            ["shared::cluster", "global", OBJECT, "multicast::cluster"] => (Bulk::GlobalToShared, true),
            ["shared::cluster", "shared::cta", OBJECT] => (Bulk::SharedToShared, false),
            ["global", "shared::cta", "bulk_group"] => (Bulk::SharedToGlobal, false),
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        };
        let operands = &i.operands[..i.operands.len().saturating_sub(policy)];
        let [to, from, bytes, rest @ ..] = operands else {
            return self.context.bad(i.at, format!("`{}` takes two addresses and a size", i.mnemonic()));
        };
        let (to, from) = (self.address(i.at, to)?, self.address(i.at, from)?);
        let bytes = self.source(i.at, bytes, File::W)?.0.into();
        let (mut mbarrier, mut blocks) = (None, OptionalRegister::NONE);
        match (rest, bulk, multicast) {
            ([], Bulk::SharedToGlobal, _) => {}
            ([object], Bulk::GlobalToShared | Bulk::SharedToShared, false) => {
                mbarrier = Some(self.address(i.at, object)?);
            }
            ([object, mask], Bulk::GlobalToShared, true) => {
                mbarrier = Some(self.address(i.at, object)?);
                blocks = self.source(i.at, mask, File::W)?.0.into();
            }
            _ => return self.context.bad(i.at, format!("`{}` with these operands", i.mnemonic())),
        }
        let access = MemoryOperand { bytes: 4, count: 4, elsewhere: true, ..MemoryOperand::default() };
        let of = BulkOperands { access: Id::default(), bulk, to, from, bytes, mbarrier, blocks };
        self.enter_bulk(i, guard, access, of)
    }

    fn enter_bulk(
        &mut self,
        i: &Instruction<'m>,
        guard: Guard,
        mut access: MemoryOperand,
        of: BulkOperands,
    ) -> Result<()> {
        access.address = if of.bulk == Bulk::SharedToGlobal { of.from } else { of.to };
        let access = self.enter_access(i.at, access)?;
        let copy = self.enter(i.at, BulkOperands { access, ..of })?;
        self.emit(Inst { guard, op: Op::Bulk { copy } });
        Ok(())
    }

    /// `st.async`.
    pub(super) fn store_async(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let mut access = MemoryOperand { count: 1, ..MemoryOperand::default() };
        let mut completes = false;
        for modifier in &i.modifiers {
            match *modifier {
                "async" | "weak" | "shared::cluster" => {}
                "mbarrier::complete_tx::bytes" => completes = true,
                "v2" => access.count = 2,
                "v4" => access.count = 4,
                ty => match type_bytes(ty) {
                    Some(bytes @ (4 | 8)) => access.bytes = bytes as u8,
                    _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
                },
            }
        }
        let ([to, value, object], true, 4..=16) = (&i.operands[..], completes, access.width()) else {
            return self.context.unsupported(i.at, format!("this form of `{}`", i.mnemonic()));
        };
        let values = match value {
            Operand::Vector(elements) => &elements[..],
            one => std::slice::from_ref(one),
        };
        if values.len() != usize::from(access.count) {
            return self.context.bad(i.at, format!("`{}` with {} values", i.mnemonic(), values.len()));
        }
        for (n, value) in values.iter().enumerate() {
            (access.registers[n], access.wide[n]) = self.element(i, value, access.bytes, false)?;
        }
        let (to, object) = (self.address(i.at, to)?, self.address(i.at, object)?);
        let bulk = Bulk::RegistersToShared;
        let of = BulkOperands {
            access: Id::default(),
            bulk,
            to,
            from: to,
            bytes: OptionalRegister::NONE,
            mbarrier: Some(object),
            blocks: OptionalRegister::NONE,
        };
        self.enter_bulk(i, guard, access, of)
    }
}
