//! `atom` and `red`.

use super::access::one_or_more;
use super::context::Result;
use super::decoder::Decoder;
use crate::ir::*;
use crate::semantics::atomic::{Operation, Type, Update};
use ptx::{Instruction, Operand};

/// An instruction's modifiers.
struct Modifiers {
    space: Space,
    acquire: bool,
    release: bool,
    /// An operand more: a cache policy.
    policy: bool,
    /// Of a vector.
    elements: usize,
    update: Update,
    /// A value has 128 bits: two of 64.
    wide: bool,
}

impl Modifiers {
    /// The registers that a value takes.
    fn parts(&self) -> usize {
        if self.wide { 2 } else { self.elements }
    }
}

impl<'m> Decoder<'m, '_> {
    fn atomic_modifiers(&self, i: &Instruction<'m>) -> Result<Modifiers> {
        let mut space = Space::Generic;
        let (mut acquire, mut release, mut policy) = (false, false, false);
        let mut elements = 1;
        let mut words = vec![];
        for modifier in &i.modifiers {
            match *modifier {
                "global" => space = Space::Global,
                "shared" | "shared::cta" | "shared::cluster" => space = Space::Shared,
                "relaxed" | "cta" | "cluster" | "gpu" | "sys" | "noftz" => {}
                "acquire" => acquire = true,
                "release" => release = true,
                "acq_rel" => (acquire, release) = (true, true),
                "L2::cache_hint" => policy = true,
                "v2" => elements = 2,
                "v4" => elements = 4,
                "v8" => elements = 8,
                word => words.push(word),
            }
        }
        let (update, wide) = match words[..] {
            [operation, ty] => (Update::parse(operation, ty, space != Space::Shared), ty == "b128"),
            _ => (None, false),
        };
        match update {
            Some(update) => Ok(Modifiers { space, acquire, release, policy, elements, update, wide }),
            None => self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        }
    }

    pub(super) fn atomic(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let of = self.atomic_modifiers(i)?;
        let policy = usize::from(of.policy && !i.operands.is_empty());
        let mut operands = &i.operands[..i.operands.len() - policy];
        let returns = i.opcode == "atom";
        let mut results: &'m [Operand<'m>] = &[];
        if returns && let [result, rest @ ..] = operands {
            (results, operands) = (one_or_more(result), rest);
        }
        let [address, values @ ..] = operands else {
            return self.context.bad(i.at, format!("`{}` takes an address", i.mnemonic()));
        };
        let fits = |operand: &Operand| one_or_more(operand).len() == of.parts();
        let sink = matches!(results, [Operand::Name("_", None)]);
        if values.len() != of.update.operands()
            || !values.iter().all(fits)
            || (returns && !sink && results.len() != of.parts())
            || (of.elements > 1 && of.update.operands() > 1)
        {
            return self.context.bad(i.at, format!("`{}` with these operands", i.mnemonic()));
        }
        let mut address = self.address(i.at, address)?;
        if of.space != Space::Shared {
            address = self.widened(i.at, address, of.space == Space::Generic)?;
        }
        self.order(of.release);
        // Of a vector, each element is an atomic operation of its own (PTX ISA 9.7.13).
        let mut moves = vec![];
        for element in 0..of.elements {
            moves.extend(self.atomic_element(i, guard, &of, element, address, values, results)?);
        }
        for inst in moves {
            self.emit(inst);
        }
        self.order(of.acquire);
        Ok(())
    }

    /// An atomic operation on one element; returns what moves its result to its register once all elements are done.
    #[allow(clippy::too_many_arguments, reason = "an atomic operation is all of this")]
    fn atomic_element(
        &mut self,
        i: &Instruction<'m>,
        guard: Guard,
        of: &Modifiers,
        element: usize,
        address: Address,
        values: &'m [Operand<'m>],
        results: &'m [Operand<'m>],
    ) -> Result<Option<Inst>> {
        let Modifiers { update, wide, space, .. } = *of;
        let bytes = update.ty.bytes();
        let count = if wide { 2 } else { 1 };
        let offset = address.offset.wrapping_add(element as i32 * i32::from(bytes));
        let address = Address { offset, ..address };
        let mut access = MemoryOperand { address, bytes, count, strong: true, ..MemoryOperand::default() };
        let registers = values.iter().flat_map(|value| match (wide, one_or_more(value)) {
            (true, both) => both.iter(),
            (false, all) => all[element..=element].iter(),
        });
        for (n, value) in registers.enumerate() {
            (access.registers[n], access.wide[n]) = self.element(i, value, bytes, false)?;
        }
        let (mut d, mut high) = (OptionalRegister::NONE, OptionalRegister::NONE);
        let (mut d_wide, mut move_back) = (false, None);
        match results {
            [low, upper] if wide => {
                (d, d_wide) = self.element(i, low, bytes, true)?;
                (high, _) = self.element(i, upper, bytes, true)?;
            }
            [result] => (d, d_wide) = self.element(i, result, bytes, true)?,
            [] => {}
            // What the first element gives may be an operand of the next one.
            _ => {
                let (to, to_wide) = self.element(i, &results[element], bytes, true)?;
                if let Some(to) = to.get() {
                    d_wide = to_wide;
                    let value = self.temporary_register(i.at, file_of(to_wide))?;
                    d = value.into();
                    let mov = if to_wide { Function::MovX } else { Function::MovW };
                    move_back = Some(Inst { guard, op: mov.of([value]).to(to) });
                }
            }
        }
        let used = d.is_some() && (results.len() > 1 || results.iter().any(|result| self.is_used(result)));
        let reduces = !used && !matches!(update.operation, Operation::Exchange | Operation::CompareAndSwap);
        let adds_one = matches!((update.operation, update.ty), (Operation::Add, Type::U32 | Type::S32))
            && access.registers[0].get().and_then(|a| self.known_number(File::W, a)) == Some(1);
        let access = self.enter_access(i.at, access)?;
        let of = AtomicOperands { access, space, update, d, high, wide: d_wide, reduces, adds_one };
        let atomic = self.enter(i.at, of)?;
        self.emit(Inst { guard, op: Op::Atomic { atomic } });
        Ok(move_back)
    }

    /// Whether anything but the instruction itself names its result; where ptxas does not optimise, that does not matter.
    fn is_used(&mut self, result: &Operand<'m>) -> bool {
        let Operand::Name(name, None) = result else { return true };
        let named = self.names.register(name).map_or(2, |register| self.names.registers[register].named);
        named > 1 || self.context.module.target.contains(&"debug")
    }
}
