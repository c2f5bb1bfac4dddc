//! Registers and values: those that are known before the first warp runs, and the registers of operands.

use super::context::Result;
use super::decoder::Decoder;
use super::names::{Declared, Name, Uniformity};
use crate::ir::*;
use crate::memory::function_address;
use ptx::{At, Instruction, Operand};

/// A computation of one value; the register of its result is still to be named.
#[derive(Clone, Copy)]
pub(super) enum Value {
    Compute(Compute),
    Scalar(Id<ScalarCall>),
}

impl From<Compute> for Value {
    fn from(compute: Compute) -> Self {
        Value::Compute(compute)
    }
}

impl From<Id<ScalarCall>> for Value {
    fn from(call: Id<ScalarCall>) -> Self {
        Value::Scalar(call)
    }
}

impl Value {
    /// The file of the result.
    fn file(self, kernel: &Kernel) -> File {
        match self {
            Value::Compute(compute) => compute.result().0,
            Value::Scalar(call) => kernel[call].result(),
        }
    }

    /// The operation with its result in a register.
    pub(super) fn to(self, d: Register) -> Op {
        match self {
            Value::Compute(compute) => compute.to(d),
            Value::Scalar(call) => Op::Scalar { d, call },
        }
    }
}

/// Bits of the parts that a number is put together from where it has no register of its own.
const PART: u32 = 11;
/// Fixed registers of a file that no number takes: room for all parts of others, and for masks and sizes.
const RESERVE: usize = 2 << PART;

impl<'m> Decoder<'m, '_> {
    /// Computes a value into a register that is the instruction's own.
    pub(super) fn temporary(&mut self, at: At, value: impl Into<Value>) -> Result<Register> {
        let value = value.into();
        let d = self.temporary_register(at, value.file(&self.kernel))?;
        self.emit(value.to(d));
        Ok(d)
    }

    fn too_many<T>(&self, at: At) -> Result<T> {
        self.context.unsupported(at, format!("more than {} registers of one size", Register::LIMIT))
    }

    /// A register for as long as one instruction is decoded: nothing may read it after that.
    pub(super) fn temporary_register(&mut self, at: At, file: File) -> Result<Register> {
        let number = match self.lifetimes.take(file) {
            Some(number) => number,
            None => self.new_register(at, file)?,
        };
        self.lifetimes.lend(file, number);
        Ok(number)
    }

    /// A register for the whole function.
    pub(super) fn new_register(&mut self, at: At, file: File) -> Result<Register> {
        let next = match file {
            File::W => &mut self.frame.w,
            File::X => &mut self.frame.x,
            File::P => &mut self.frame.p,
        };
        if *next >= Register::LIMIT {
            return self.too_many(at);
        }
        *next += 1;
        Ok(Register::own(*next - 1))
    }

    fn new_uniform(&mut self, at: At, file: File, value: Option<UniformValue>) -> Result<Register> {
        let fixed = if file == File::X { &mut self.values.uniform_x } else { &mut self.values.uniform_w };
        if fixed.len() >= usize::from(Register::LIMIT) {
            return self.too_many(at);
        }
        fixed.push(value);
        Ok(Register::uniform((fixed.len() - 1) as u16))
    }

    /// Whether a file has more fixed registers for what would else be computed by each warp.
    fn has_room(&self, file: File) -> bool {
        self.fixed(file) < usize::from(Register::LIMIT) / 4 * 3
    }

    /// Whether a number may take a fixed register; the rest are for what it is put together from, and for what has to be in
    /// one.
    fn has_room_for(&self, file: File, value: UniformValue) -> bool {
        self.has_spare(file) || self.values.numbers.contains_key(&(file, value))
    }

    /// Whether a file has fixed registers beyond those that no number takes.
    pub(super) fn has_spare(&self, file: File) -> bool {
        self.fixed(file) + RESERVE < usize::from(Register::LIMIT)
    }

    /// How many fixed registers a file has.
    fn fixed(&self, file: File) -> usize {
        if file == File::X { self.values.uniform_x.len() } else { self.values.uniform_w.len() }
    }

    pub(super) fn uniform(&mut self, at: At, file: File, value: UniformValue) -> Result<Register> {
        if let Some(&number) = self.values.numbers.get(&(file, value)) {
            return Ok(number);
        }
        let number = self.new_uniform(at, file, Some(value))?;
        self.values.numbers.insert((file, value), number);
        Ok(number)
    }

    pub(super) fn immediate(&mut self, at: At, file: File, value: u64) -> Result<(Register, Uniformity)> {
        if file == File::P {
            // There are no fixed predicates: one is made where it is needed.
            let (zero, _) = self.immediate(at, File::W, 0)?;
            let d = self.temporary_register(at, File::P)?;
            let compare = if value == 0 { Function::NeW } else { Function::EqW };
            self.emit(compare.of([zero, zero]).to(d));
            return Ok((d, Uniformity::WARP));
        }
        let value = if file == File::W { value & 0xffff_ffff } else { value };
        Ok((self.uniform(at, file, UniformValue::Immediate(value))?, Uniformity::LAUNCH))
    }

    /// A number that the program names: in a fixed register, or, where a kernel has more numbers than such registers, put
    /// together where it is read.
    fn number(&mut self, at: At, file: File, value: u64) -> Result<(Register, Uniformity)> {
        let value = if file == File::W { value & 0xffff_ffff } else { value };
        if file == File::P || self.has_room_for(file, UniformValue::Immediate(value)) {
            return self.immediate(at, file, value);
        }
        if file == File::X {
            let (low, _) = self.number(at, File::W, value)?;
            let (high, _) = self.number(at, File::W, value >> 32)?;
            return Ok((self.temporary(at, Function::PackX.of([low, high]))?, Uniformity::WARP));
        }
        let [high, middle, low] = [value >> (2 * PART), value >> PART, value].map(|part| part % (1 << PART));
        let (step, _) = self.immediate(at, File::W, 1 << PART)?;
        let (mut d, _) = self.immediate(at, File::W, high)?;
        for part in [middle, low] {
            let (part, _) = self.immediate(at, File::W, part)?;
            d = self.temporary(at, Function::MadLoW.of([d, step, part]))?;
        }
        Ok((d, Uniformity::WARP))
    }

    /// The value of a fixed register that is a number known now.
    pub(super) fn known_number(&self, file: File, register: Register) -> Option<u64> {
        let fixed = if file == File::X { &self.values.uniform_x } else { &self.values.uniform_w };
        match register.is_uniform().then(|| fixed[register.number()]) {
            Some(Some(UniformValue::Immediate(value))) => Some(value),
            _ => None,
        }
    }

    pub(super) fn register(&mut self, at: At, name: &'m str) -> Result<usize> {
        match self.names.register(name) {
            Some(register) => Ok(register),
            None => self.context.bad(at, format!("`{name}` is not declared as a register")),
        }
    }

    pub(super) fn register_file(&mut self, at: At, name: &'m str) -> Result<File> {
        let register = self.register(at, name)?;
        Ok(self.names.registers[register].file)
    }

    /// The number of a register that is written by warps' code.
    pub(super) fn result(&mut self, at: At, name: &'m str, file: File) -> Result<Register> {
        let register = self.register(at, name)?;
        let Declared { file: is, number, .. } = self.names.registers[register];
        self.same_file(at, name, is, file)?;
        if let Some(number) = number {
            return Ok(number);
        }
        let free = if self.lifetimes.shares(register) { self.lifetimes.take(file) } else { None };
        let number = match free {
            Some(number) => number,
            None => self.new_register(at, file)?,
        };
        self.set(register, number, Uniformity::WARP);
        Ok(number)
    }

    fn set(&mut self, register: usize, number: Register, known: Uniformity) {
        self.names.registers[register].number = Some(number);
        self.names.registers[register].listed = self.kernel.listing.len() as u32;
        self.names.registers[register].known = known;
    }

    fn same_file(&self, at: At, name: &str, is: File, wanted: File) -> Result<()> {
        let words = |file| match file {
            File::W => "up to 32 bits",
            File::X => "64 bits",
            File::P => "a predicate",
        };
        if is == wanted {
            return Ok(());
        }
        self.context
            .bad(at, format!("`{name}` is {}, but this instruction requires {}", words(is), words(wanted)))
    }

    /// A source operand's register.
    pub(super) fn source(
        &mut self,
        at: At,
        operand: &Operand<'m>,
        file: File,
    ) -> Result<(Register, Uniformity)> {
        match operand {
            Operand::Integer(value) => self.number(at, file, *value),
            Operand::F32(bits) if file == File::W => self.number(at, file, u64::from(*bits)),
            Operand::F64(bits) if file == File::X => self.number(at, file, *bits),
            Operand::F64(bits) if file == File::W => {
                self.number(at, file, u64::from((f64::from_bits(*bits) as f32).to_bits()))
            }
            Operand::Not(name) if file == File::P => {
                let (a, _) = self.source(at, &Operand::Name(name, None), File::P)?;
                Ok((self.temporary(at, Function::NotP.of([a]))?, Uniformity::WARP))
            }
            Operand::Name(name, None) => match self.find(name) {
                Some(Name::Register(register)) => {
                    let Declared { file: is, number, known, .. } = self.names.registers[register as usize];
                    self.same_file(at, name, is, file)?;
                    if let Some(number) = number {
                        return Ok((number, known));
                    }
                    // Read before it is written, as far as the text goes: a loop's other end, or undefined.
                    let number = self.new_register(at, file)?;
                    self.set(register as usize, number, Uniformity::WARP);
                    Ok((number, Uniformity::WARP))
                }
                _ if name.starts_with('%') || *name == "WARP_SZ" => self.special(at, name, None, file),
                _ => self.address_of(at, name, 0, file),
            },
            Operand::Name(name, member) if name.starts_with('%') => self.special(at, name, *member, file),
            Operand::F32(bits) if file == File::X => {
                self.number(at, file, f64::from(f32::from_bits(*bits)).to_bits())
            }
            // `%r2+4` is a sum, whatever the instruction.
            Operand::Sum { symbol, offset, generic: false }
                if file != File::P && matches!(self.find(symbol), Some(Name::Register(_))) =>
            {
                let (a, _) = self.source(at, &Operand::Name(symbol, None), file)?;
                let (b, _) = self.number(at, file, *offset as u64)?;
                let add = if file == File::X { Function::AddX } else { Function::AddW };
                Ok((self.temporary(at, add.of([a, b]))?, Uniformity::WARP))
            }
            Operand::Sum { symbol, offset, generic: false } => self.address_of(at, symbol, *offset, file),
            Operand::Element { symbol, index, register: Some(register), bytes } if *bytes > 0 => {
                let wide = self.element_address(at, symbol, *index, register, *bytes)?;
                if file == File::X {
                    return Ok((wide, Uniformity::WARP));
                }
                Ok((self.temporary(at, Function::Truncate64.of([wide]))?, Uniformity::WARP))
            }
            _ => self.context.unsupported(at, "this operand"),
        }
    }

    /// The address of an element that a register chooses: of its number, taken without a sign, times its size, 32 bits
    /// count if the register has these (that is what ptxas 13.0 makes of it).
    pub(super) fn element_address(
        &mut self,
        at: At,
        symbol: &'m str,
        index: i64,
        register: &'m str,
        bytes: u64,
    ) -> Result<Register> {
        let file = self.register_file(at, register)?;
        let (number, _) = self.source(at, &Operand::Name(register, None), file)?;
        let (more, _) = self.immediate(at, file, index as u64)?;
        let (size, _) = self.immediate(at, file, bytes)?;
        let (base, _) = self.address_of(at, symbol, 0, File::X)?;
        let (add, multiply) = match file {
            File::W => (Function::AddW, Function::MulLoW),
            File::X => (Function::AddX, Function::MulLoX),
            File::P => return self.context.bad(at, format!("`{register}` is not a number")),
        };
        let number = self.temporary(at, add.of([number, more]))?;
        let mut offset = self.temporary(at, multiply.of([number, size]))?;
        if file == File::W {
            offset = self.temporary(at, Function::ZeroExtend32.of([offset]))?;
        }
        self.temporary(at, Function::AddX.of([base, offset]))
    }

    /// The address of a variable or a function.
    pub(super) fn address_of(
        &mut self,
        at: At,
        name: &'m str,
        offset: i64,
        file: File,
    ) -> Result<(Register, Uniformity)> {
        if file == File::P {
            return self.context.bad(at, format!("`{name}` is not a predicate"));
        }
        let plus = |start: u32| i64::from(start).wrapping_add(offset) as u64;
        match self.find(name) {
            Some(Name::Shared(address)) => return self.immediate(at, file, plus(address)),
            Some(Name::Parameter { offset: start, .. }) => return self.immediate(at, file, plus(start)),
            Some(name @ Name::Bytes { .. }) => {
                let start = self.frame_bytes(name);
                if self.is_kernel {
                    return self.immediate(at, file, plus(start));
                }
                let d = self.temporary_register(at, file)?;
                self.emit(Op::LocalAddress { d, file, offset: plus(start) as i32 });
                return Ok((d, Uniformity::WARP));
            }
            Some(Name::Static(symbol)) => return self.address_of_symbol(at, symbol, offset, file),
            _ => {}
        }
        if let Some(&number) = self.context.reference_of.get(name) {
            let handle = self.uniform(at, file, UniformValue::Reference(number))?;
            return Ok((handle, Uniformity::LAUNCH));
        }
        if let Some(&number) = self.context.symbol_of.get(name) {
            return self.address_of_symbol(at, number, offset, file);
        }
        if let Some(refused) = self.context.refused.get(name) {
            return Err(refused.clone());
        }
        if let Some(&function) = self.context.functions.get(name) {
            return self.immediate(at, file, function_address(function));
        }
        self.context.bad(at, format!("`{name}` is not declared"))
    }

    fn address_of_symbol(
        &mut self,
        at: At,
        number: u32,
        offset: i64,
        file: File,
    ) -> Result<(Register, Uniformity)> {
        if let Some(refused) = self.context.unset.get(&number) {
            return Err(refused.clone());
        }
        match self.context.symbols[number as usize].constant {
            Some(address) => self.number(at, file, i64::from(address).wrapping_add(offset) as u64),
            None => {
                let value = UniformValue::Global { symbol: number, offset };
                if offset == 0 || self.has_room_for(file, value) {
                    return Ok((self.uniform(at, file, value)?, Uniformity::LAUNCH));
                }
                let start = self.uniform(at, file, UniformValue::Global { symbol: number, offset: 0 })?;
                let (offset, _) = self.number(at, file, offset as u64)?;
                let add = if file == File::X { Function::AddX } else { Function::AddW };
                Ok((self.temporary(at, add.of([start, offset]))?, Uniformity::WARP))
            }
        }
    }

    /// Where a variable of the frame begins, bytes from the frame's start.
    pub(super) fn frame_bytes(&self, name: Name) -> u32 {
        match name {
            Name::Bytes { offset, local: true, .. } => self.frame.parameter_bytes + offset,
            Name::Bytes { offset, .. } => offset,
            _ => 0,
        }
    }

    pub(super) fn of_block(&mut self, at: At, file: File, of: OfBlock) -> Result<(Register, Uniformity)> {
        Ok((self.uniform(at, file, UniformValue::Block(of))?, Uniformity::BLOCK))
    }

    /// Lets an instruction write `name`: in the warps' code, or, where all it reads is known earlier, there.
    pub(super) fn write(
        &mut self,
        at: At,
        guard: Guard,
        name: &'m str,
        value: impl Into<Value>,
        known: Uniformity,
    ) -> Result<()> {
        let value = value.into();
        let file = value.file(&self.kernel);
        if name == "_" {
            let d = self.temporary_register(at, file)?;
            self.emit(Inst { guard, op: value.to(d) });
            return Ok(());
        }
        let register = self.register(at, name)?;
        let Declared { file: is, number, writes, .. } = self.names.registers[register];
        self.same_file(at, name, is, file)?;
        let early = known != Uniformity::WARP && guard.is_always() && writes == 1 && number.is_none();
        match known {
            Uniformity::LAUNCH | Uniformity::BLOCK if early && file != File::P && self.has_room(file) => {
                let d = self.new_uniform(at, file, None)?;
                self.set(register, d, known);
                let code = if known == Uniformity::LAUNCH {
                    &mut self.kernel.launch_code
                } else {
                    &mut self.kernel.block_code
                };
                code.push(value.to(d).into());
            }
            Uniformity::THREAD if early && self.is_kernel && !self.lifetimes.shares(register) => {
                let d = self.new_register(at, file)?;
                self.set(register, d, known);
                self.kernel.thread_code.push(value.to(d).into());
            }
            _ => {
                let d = self.result(at, name, file)?;
                self.emit(Inst { guard, op: value.to(d) });
            }
        }
        Ok(())
    }

    /// Lets `name` be a fixed register: by name alone where nothing else writes it, else by a move.
    pub(super) fn write_uniform(
        &mut self,
        i: &Instruction<'m>,
        guard: Guard,
        name: &'m str,
        number: Register,
    ) -> Result<()> {
        let register = self.register(i.at, name)?;
        let Declared { file, number: before, writes, .. } = self.names.registers[register];
        if guard.is_always() && writes == 1 && before.is_none() {
            self.set(register, number, Uniformity::LAUNCH);
            return Ok(());
        }
        let mov = if file == File::X { Function::MovX } else { Function::MovW };
        self.write(i.at, guard, name, mov.of([number]), Uniformity::WARP)
    }
}
