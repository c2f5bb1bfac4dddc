//! Loads, stores, asynchronous copies.

use super::access::{Make, one_or_more};
use super::context::{Result, type_bytes};
use super::decoder::Decoder;
use super::names::{Name, Uniformity};
use crate::ir::*;
use ptx::{At, Instruction, Operand};

/// A load's or store's modifiers.
struct Modifiers<'m> {
    /// Empty for generic addresses.
    space: &'m str,
    access: MemoryOperand,
    acquire: bool,
    release: bool,
    /// An operand more: a cache policy.
    policy: bool,
}

impl<'m> Decoder<'m, '_> {
    /// State space, ordering and shape of an `ld` or `st`.
    fn modifiers(&self, i: &Instruction<'m>) -> Result<Modifiers<'m>> {
        let mut of = Modifiers {
            space: "",
            access: MemoryOperand { count: 1, ..MemoryOperand::default() },
            acquire: false,
            release: false,
            policy: false,
        };
        for modifier in &i.modifiers {
            match *modifier {
                "global" | "shared" | "const" | "param" | "local" => of.space = modifier,
                "shared::cta" | "shared::cluster" => of.space = "shared",
                "param::entry" | "param::func" => of.space = "param",
                "v2" => of.access.count = 2,
                "v4" => of.access.count = 4,
                "v8" => of.access.count = 8,
                "volatile" | "relaxed" | "mmio" => of.access.strong = true,
                "acquire" => (of.access.strong, of.acquire) = (true, true),
                "release" => (of.access.strong, of.release) = (true, true),
                // How it is cached, and who else must see it, does not change what it reads or what is counted here.
                "nc" => of.access.read_only = true,
                "weak" | "cta" | "cluster" | "gpu" | "sys" | "ca" | "cg" | "cs" | "lu" | "cv" | "wb"
                | "wt" | "unified" => {}
                "L2::cache_hint" => of.policy = true,
                hint if hint.starts_with("L1::") || hint.starts_with("L2::") => {}
                ty => match type_bytes(ty) {
                    Some(bytes) if of.access.bytes == 0 => {
                        of.access.bytes = bytes as u8;
                        of.access.signed = ty.starts_with('s');
                    }
                    _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
                },
            }
        }
        let too_many = of.access.count == 8 && of.access.width() != 32;
        if of.access.bytes == 0 || of.access.width() > 32 || too_many {
            return self
                .context
                .bad(i.at, format!("`{}` accesses {} bytes a thread", i.mnemonic(), of.access.width()));
        }
        Ok(of)
    }

    /// The state space of an access. One of 32 bytes, which chips have since compute capability 10.0, is of global memory
    /// alone: ptxas 13.0 takes one through a generic address for such a one, and makes one instruction of it.
    fn space_of_wide(&self, i: &Instruction<'m>, of: &Modifiers<'m>) -> Result<&'m str> {
        match of.space {
            "" | "global" if of.access.width() == 32 => Ok("global"),
            _ if of.access.width() == 32 => self.context.bad(
                i.at,
                format!("`{}` accesses 32 bytes a thread, which only global memory supports", i.mnemonic()),
            ),
            space => Ok(space),
        }
    }

    /// An instruction's operands without a cache policy after them.
    fn two_operands(
        &self,
        i: &'m Instruction<'m>,
        policy: bool,
    ) -> Result<(&'m Operand<'m>, &'m Operand<'m>)> {
        match (&i.operands[..], policy) {
            ([a, b], false) | ([a, b, _], true) => Ok((a, b)),
            _ => self
                .context
                .bad(i.at, format!("`{}` takes a register and an address in brackets", i.mnemonic())),
        }
    }

    pub(super) fn load(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let mut of = self.modifiers(i)?;
        let (result, address) = self.two_operands(i, of.policy)?;
        if of.space.is_empty() {
            of.space = self.implied_space(address);
        }
        let access = MemoryOperand { parameter: of.space == "param", ..of.access };
        let known = match address {
            Operand::Address { base, offset } => Some((*base, *offset)),
            Operand::Element { .. } => None,
            _ => return self.context.bad(i.at, "an address must be in brackets"),
        };
        let results = one_or_more(result);
        if results.len() != usize::from(access.count) {
            return self.context.bad(i.at, format!("`{}` with {} results", i.mnemonic(), results.len()));
        }
        of.space = self.space_of_wide(i, &of)?;
        if access.count == 8 {
            return self.load_eight(i, guard, &of, address, results);
        }
        // What is known early takes a fixed register for each element; where none is left, it is loaded as all else.
        let spare = self.has_spare(File::W) && self.has_spare(File::X);
        let op: Make = match of.space {
            "param" => match known.and_then(|(base, _)| base).and_then(|name| self.find(name)) {
                Some(Name::Bytes { .. }) => |access| Op::LoadLocal { access },
                _ => {
                    if let Some((base, offset)) = known
                        && spare
                        && let Some(start) = self.known_parameter(i.at, base, offset, access.width())?
                    {
                        let value = |at| UniformValue::Parameter {
                            offset: start + at,
                            bytes: access.bytes,
                            signed: access.signed,
                        };
                        return self.load_uniform(i, guard, results, u32::from(access.bytes), value);
                    }
                    // The address of a function's own parameter is one of local memory.
                    if self.is_kernel {
                        |access| Op::LoadParameter { access }
                    } else {
                        |access| Op::LoadLocal { access }
                    }
                }
            },
            "global" => |access| Op::LoadGlobal { access },
            "shared" => |access| Op::LoadShared { access },
            "local" => |access| Op::LoadLocal { access },
            "" => |access| Op::LoadGeneric { access },
            _ => {
                if let Some((base, offset)) = known
                    && spare
                    && let Some(start) = self.known_constant_address(i.at, base, offset, access.width())?
                {
                    self.uniform_loads += 1;
                    if let Some(listed) = self.kernel.listing.last_mut() {
                        listed.uniform = true;
                    }
                    let value = |at| UniformValue::Constant {
                        offset: start + at,
                        bytes: access.bytes,
                        signed: access.signed,
                    };
                    return self.load_uniform(i, guard, results, u32::from(access.bytes), value);
                }
                |access| Op::LoadConstant { access }
            }
        };
        let access = self.located(i, access, of.space, address, results, true)?;
        self.emit(Inst { guard, op: op(access) });
        self.order(of.acquire);
        Ok(())
    }

    /// The place in the parameters that a kernel's load is of, where it is known now.
    fn known_parameter(
        &mut self,
        at: At,
        base: Option<&'m str>,
        offset: i64,
        width: u32,
    ) -> Result<Option<u32>> {
        let (start, size) = match base.map(|name| (name, self.find(name))) {
            Some((_, Some(Name::Parameter { offset, bytes }))) => (i64::from(offset), i64::from(bytes)),
            Some((name, Some(Name::Register(_)))) if self.is_kernel => {
                let file = self.register_file(at, name)?;
                if file == File::P {
                    return Ok(None);
                }
                let (number, _) = self.source(at, &Operand::Name(name, None), file)?;
                let Some(start) = self.known_number(file, number) else { return Ok(None) };
                // The size of all parameters is a bound, and what leaves it is found when it runs.
                let inside = offset.checked_add(start as i64).filter(|at| {
                    *at >= 0 && *at + i64::from(width) <= i64::from(self.kernel.parameter_bytes)
                });
                return Ok(inside.map(|at| at as u32));
            }
            Some((_, Some(Name::Register(_)))) => return Ok(None),
            _ => return self.context.bad(at, "this is not a parameter"),
        };
        if offset < 0 || offset + i64::from(width) > size {
            return self.context.bad(at, "this access is outside its parameter");
        }
        Ok(Some((start + offset) as u32))
    }

    /// The address of a constant load, where it is known now, aligned and inside of the module's constant memory
    /// (elsewhere the load is left to fault when it runs).
    fn known_constant_address(
        &mut self,
        at: At,
        base: Option<&'m str>,
        offset: i64,
        width: u32,
    ) -> Result<Option<u32>> {
        let address = match base {
            None => Some(0),
            Some(name) => {
                let file = match self.find(name) {
                    Some(Name::Register(_)) => self.register_file(at, name)?,
                    _ => File::X,
                };
                let (number, _) = self.source(at, &Operand::Name(name, None), file)?;
                self.known_number(file, number)
            }
        };
        Ok(address
            .and_then(|a| u32::try_from((a as i64).wrapping_add(offset)).ok())
            .filter(|a| a % width == 0 && a.checked_add(width).is_some_and(|end| end <= self.constant_bytes)))
    }

    fn load_uniform(
        &mut self,
        i: &Instruction<'m>,
        guard: Guard,
        results: &'m [Operand<'m>],
        step: u32,
        value: impl Fn(u32) -> UniformValue,
    ) -> Result<()> {
        for (n, result) in results.iter().enumerate() {
            match result {
                Operand::Name("_", None) => {}
                Operand::Name(name, None) => {
                    let file = self.register_file(i.at, name)?;
                    if file == File::P {
                        return self.context.bad(i.at, format!("`{name}` is a predicate"));
                    }
                    let number = self.uniform(i.at, file, value(n as u32 * step))?;
                    self.write_uniform(i, guard, name, number)?;
                }
                _ => return self.context.bad(i.at, "`ld` writes registers"),
            }
        }
        Ok(())
    }

    pub(super) fn store(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        if i.modifiers.first() == Some(&"async") {
            return self.store_async(i, guard);
        }
        let mut of = self.modifiers(i)?;
        let (address, value) = self.two_operands(i, of.policy)?;
        if of.space.is_empty() {
            of.space = self.implied_space(address);
        }
        let values = one_or_more(value);
        if values.len() != usize::from(of.access.count) {
            return self.context.bad(i.at, format!("`{}` with {} values", i.mnemonic(), values.len()));
        }
        of.space = self.space_of_wide(i, &of)?;
        if of.access.count == 8 {
            return self.store_eight(i, guard, &of, address, values);
        }
        let op: Make = match of.space {
            "global" => |access| Op::StoreGlobal { access },
            "shared" => |access| Op::StoreShared { access },
            "local" => |access| Op::StoreLocal { access },
            "" => |access| Op::StoreGeneric { access },
            "param"
                if !self.is_kernel
                    || matches!(address, Operand::Address { base: Some(name), .. } if matches!(self.find(name), Some(Name::Bytes { .. }))) =>
            {
                |access| Op::StoreLocal { access }
            }
            _ => {
                return self
                    .context
                    .unsupported(i.at, format!("`{}` (stores to this state space)", i.mnemonic()));
            }
        };
        self.order(of.release);
        let access = MemoryOperand { parameter: of.space == "param", ..of.access };
        let access = self.located(i, access, of.space, address, values, false)?;
        self.emit(Inst { guard, op: op(access) });
        Ok(())
    }

    /// The state space of a generic access to a variable by its name, which is the variable's: ptxas takes it so.
    fn implied_space(&mut self, address: &Operand<'m>) -> &'static str {
        let (Operand::Address { base: Some(name), .. } | Operand::Element { symbol: name, .. }) = address
        else {
            return "";
        };
        let symbol = match self.find(name) {
            Some(Name::Shared(_)) => return "shared",
            Some(Name::Bytes { local: true, .. }) => return "local",
            Some(Name::Static(symbol)) => Some(symbol),
            Some(_) => None,
            None => self.context.symbol_of.get(name).copied(),
        };
        let constant = symbol.and_then(|symbol| self.context.symbols[symbol as usize].constant);
        if constant.is_some() { "const" } else { "" }
    }

    /// A load of eight elements of 32 bits: one of four of 64, which are taken apart.
    fn load_eight(
        &mut self,
        i: &'m Instruction<'m>,
        guard: Guard,
        of: &Modifiers<'m>,
        address: &'m Operand<'m>,
        results: &'m [Operand<'m>],
    ) -> Result<()> {
        let mut access = MemoryOperand { bytes: 8, count: 4, wide: [true; 4], ..of.access };
        access.address = self.address(i.at, address)?;
        access.address = self.widened(i.at, access.address, false)?;
        let is_taken = |result: &Operand| !matches!(result, Operand::Name("_", None));
        for (register, pair) in access.registers.iter_mut().zip(results.chunks(2)) {
            if pair.iter().any(is_taken) {
                *register = self.temporary_register(i.at, File::X)?.into();
            }
        }
        let signed = std::mem::take(&mut access.signed);
        let registers = access.registers;
        let access = self.enter_access(i.at, access)?;
        self.emit(Inst { guard, op: Op::LoadGlobal { access } });
        for (n, result) in results.iter().enumerate().filter(|(_, result)| is_taken(result)) {
            let (Operand::Name(name, None), Some(pair)) = (result, registers[n / 2].get()) else {
                return self.context.bad(i.at, format!("`{}` writes registers", i.mnemonic()));
            };
            let half = if n % 2 == 0 { Function::Truncate64 } else { Function::HighX };
            if self.register_file(i.at, name)? != File::X {
                self.write(i.at, guard, name, half.of([pair]), Uniformity::WARP)?;
                continue;
            }
            let word = self.temporary(i.at, half.of([pair]))?;
            let extend = if signed { Function::SignExtend32 } else { Function::ZeroExtend32 };
            self.write(i.at, guard, name, extend.of([word]), Uniformity::WARP)?;
        }
        self.order(of.acquire);
        Ok(())
    }

    /// A store of eight elements of 32 bits: one of four of 64, which are put together.
    fn store_eight(
        &mut self,
        i: &'m Instruction<'m>,
        guard: Guard,
        of: &Modifiers<'m>,
        address: &'m Operand<'m>,
        values: &'m [Operand<'m>],
    ) -> Result<()> {
        let mut access = MemoryOperand { bytes: 8, count: 4, wide: [true; 4], ..of.access };
        access.address = self.address(i.at, address)?;
        access.address = self.widened(i.at, access.address, false)?;
        let mut words = vec![];
        for value in values {
            let (register, wide) = self.element(i, value, 4, false)?;
            let Some(register) = register.get() else { return self.operand_error(i) };
            words.push(if wide {
                self.temporary(i.at, Function::Truncate64.of([register]))?
            } else {
                register
            });
        }
        for (register, pair) in access.registers.iter_mut().zip(words.as_chunks::<2>().0) {
            *register = self.temporary(i.at, Function::PackX.of(*pair))?.into();
        }
        self.order(of.release);
        let access = self.enter_access(i.at, access)?;
        self.emit(Inst { guard, op: Op::StoreGlobal { access } });
        Ok(())
    }

    /// A fence, if there is to be one.
    pub(super) fn order(&mut self, fence: bool) {
        if fence {
            self.emit(Op::Fence { of_block: false });
        }
    }

    /// Enters a load's or store's access, with its address and its registers.
    fn located(
        &mut self,
        i: &'m Instruction<'m>,
        mut access: MemoryOperand,
        space: &str,
        address: &'m Operand<'m>,
        registers: &'m [Operand<'m>],
        is_load: bool,
    ) -> Result<Id<MemoryOperand>> {
        access.address = self.address(i.at, address)?;
        if matches!(space, "global" | "") {
            access.address = self.widened(i.at, access.address, space.is_empty())?;
        }
        for (n, register) in registers.iter().enumerate() {
            (access.registers[n], access.wide[n]) = self.element(i, register, access.bytes, is_load)?;
        }
        self.enter_access(i.at, access)
    }

    /// `createpolicy`: how long others' lines stay in L2 changes nothing here, so that any number is a policy.
    pub(super) fn create_policy(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Name(policy, None), ..] = &i.operands[..] else {
            return self.context.bad(i.at, format!("`{}` writes a register", i.mnemonic()));
        };
        let (zero, _) = self.immediate(i.at, File::X, 0)?;
        self.write(i.at, guard, policy, Function::MovX.of([zero]), Uniformity::WARP)
    }

    /// `cp.async.commit_group`, `cp.async.wait_group`, `cp.async.wait_all`: only checks look at them.
    fn copy_group(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let does = match (i.modifiers.last(), &i.operands[..]) {
            (Some(&"commit_group"), []) => CopyGroup::Commit,
            (Some(&"wait_all"), []) => CopyGroup::WaitAll,
            (Some(&"wait_group"), [Operand::Integer(n)]) if u32::try_from(*n).is_ok() => {
                CopyGroup::Wait { pending: *n as u32 }
            }
            _ => return self.context.bad(i.at, format!("`{}` with these operands", i.mnemonic())),
        };
        self.emit(Inst { guard, op: Op::CopyGroup { does } });
        Ok(())
    }

    /// `cp.async`: here the copy is done when the instruction is.
    pub(super) fn copy(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let words: Vec<&str> = i.modifiers.iter().copied().filter(|m| !m.starts_with("L2::")).collect();
        let policy = i.modifiers.contains(&"L2::cache_hint");
        match &words[..] {
            ["async", "bulk", ..] => return self.bulk(i, guard),
            ["async", "mbarrier", "arrive", ..] => return self.copies_arrive(i, guard),
            ["async", "commit_group" | "wait_all" | "wait_group"] => return self.copy_group(i, guard),
            ["async", "ca" | "cg", "shared" | "shared::cta", "global"] => {}
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        }
        let operands = &i.operands[..i.operands.len() - usize::from(policy && !i.operands.is_empty())];
        let [to, from, Operand::Integer(bytes @ (4 | 8 | 16)), rest @ ..] = operands else {
            return self.context.bad(i.at, "`cp.async` takes two addresses and 4, 8 or 16");
        };
        let (to, address) = (self.address(i.at, to)?, self.address(i.at, from)?);
        let (mut source_bytes, mut ignore) = (OptionalRegister::NONE, OptionalRegister::NONE);
        match rest {
            [] => {}
            [Operand::Name(name, None)] if matches!(self.names.find(name), Some(Name::Register(r)) if self.names.registers[r as usize].file == File::P) =>
            {
                ignore = self.source(i.at, &rest[0], File::P)?.0.into();
            }
            [bytes] => source_bytes = self.source(i.at, bytes, File::W)?.0.into(),
            _ => return self.context.bad(i.at, "`cp.async` with too many operands"),
        }
        let count = (*bytes / 4) as u8;
        let access = MemoryOperand { address, bytes: 4, count, elsewhere: true, ..MemoryOperand::default() };
        let access = self.enter_access(i.at, access)?;
        let past_l1 = i.modifiers.contains(&"cg");
        let copy = self.enter(i.at, CopyOperands { access, to, source_bytes, ignore, past_l1 })?;
        self.emit(Inst { guard, op: Op::CopyAsync { copy } });
        Ok(())
    }
}
