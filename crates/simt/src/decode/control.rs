//! Control flow: branches, calls, barriers.

use super::context::Result;
use super::decoder::{Decoder, Pending};
use super::names::Name;
use crate::ir::*;
use crate::print::PRINTS;
use ptx::{At, Function, Instruction, Operand};

/// Targets of all `brx.idx` of a kernel: a list that many of them share is written once and held for each.
const TARGETS: usize = 1 << 20;

impl<'m> Decoder<'m, '_> {
    /// `exit`.
    pub(super) fn exit(&mut self, _: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        self.close(match guard.condition() {
            None => Pending::Exit,
            Some((predicate, negated)) => Pending::ExitIf { predicate, negated },
        });
        Ok(())
    }

    /// `ret`: of a kernel an exit.
    pub(super) fn ret(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        if self.is_kernel {
            return self.exit(i, guard);
        }
        self.close(Pending::Return);
        Ok(())
    }

    pub(super) fn trap(&mut self, _: &'m Instruction<'m>, _: Guard) -> Result<()> {
        self.close(Pending::Trap);
        Ok(())
    }

    /// `membar`, `fence`.
    pub(super) fn fence(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let of_block = i.modifiers.contains(&"cta");
        self.emit(Inst { guard, op: Op::Fence { of_block } });
        Ok(())
    }

    /// Instructions that do nothing here.
    pub(super) fn ignored(&mut self, _: &'m Instruction<'m>, _: Guard) -> Result<()> {
        Ok(())
    }

    /// `nanosleep`.
    pub(super) fn sleep(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let call = BuiltinCall { builtin: Builtin::Sleep, arguments: [0; 8], result: None };
        let call = self.enter(i.at, call)?;
        self.emit(Inst { guard, op: Op::Builtin { call } });
        Ok(())
    }

    pub(super) fn branch(&mut self, i: &'m Instruction<'m>, guard: Guard) -> Result<()> {
        let [Operand::Name(label, None)] = &i.operands[..] else {
            return self.context.bad(i.at, "`bra` takes one label");
        };
        let scope = self.names.current;
        self.close(match guard.condition() {
            None => Pending::Jump(i.at, scope, label),
            Some((predicate, negated)) => Pending::Branch { at: i.at, predicate, negated, scope, label },
        });
        Ok(())
    }

    pub(super) fn switch(&mut self, i: &'m Instruction<'m>, _: Guard) -> Result<()> {
        let [index, Operand::Name(list, None)] = &i.operands[..] else {
            return self.context.bad(i.at, "`brx.idx` takes an index and a list of targets");
        };
        let Some(Name::Targets(targets)) = self.names.find(list) else {
            return self.context.bad(i.at, format!("`{list}` is not a list of branch targets"));
        };
        let (index, _) = self.source(i.at, index, File::W)?;
        let labels = self.targets[targets as usize].clone();
        self.target_count += labels.len();
        if self.target_count > TARGETS {
            return self.context.unsupported(i.at, format!("more than {TARGETS} targets of `brx.idx`"));
        }
        if labels.is_empty() {
            return self.context.bad(i.at, format!("`{list}` has no targets"));
        }
        self.close(Pending::Switch { index, at: i.at, scope: self.names.current, labels });
        Ok(())
    }

    // Calls.

    pub(super) fn call(&mut self, i: &'m Instruction<'m>, _: Guard) -> Result<()> {
        let (results, rest) = match &i.operands[..] {
            [Operand::List(results), rest @ ..] if !rest.is_empty() => (&results[..], rest),
            rest => (&[][..], rest),
        };
        let [Operand::Name(callee, None), rest @ ..] = rest else {
            return self.context.bad(i.at, "`call` takes a function");
        };
        let (arguments, prototype) = match rest {
            [] => (&[][..], None),
            [Operand::List(arguments)] => (&arguments[..], None),
            [Operand::List(arguments), Operand::Name(prototype, None)] => (&arguments[..], Some(*prototype)),
            [Operand::Name(prototype, None)] => (&[][..], Some(*prototype)),
            _ => return self.context.bad(i.at, "`call` takes a list of arguments"),
        };
        let (callee, signature) = if let Some(Name::Register(_)) = self.names.find(callee) {
            let (register, _) = self.source(i.at, &Operand::Name(callee, None), File::X)?;
            let Some(Name::Prototype(number)) = prototype.and_then(|name| self.names.find(name)) else {
                return self.context.unsupported(i.at, "an indirect call without a prototype");
            };
            (Callee::Indirect(register), self.prototypes[number as usize])
        } else if let Some(&number) = self.context.functions.get(callee) {
            let function = &self.context.module.functions[number];
            if function.is_kernel {
                return self
                    .context
                    .bad(i.at, format!("`{callee}` is a kernel, and `call` takes a function"));
            }
            match self.kernel.function_of.get(&number) {
                Some(&place) => (Callee::Direct(place), function),
                None => return self.builtin(i, callee, results, arguments),
            }
        } else {
            return self.builtin(i, callee, results, arguments);
        };
        let call = self.transfers(i.at, callee, signature, results, arguments)?;
        self.kernel.calls.push(call);
        self.close(Pending::Call(self.kernel.calls.len() as u32 - 1));
        Ok(())
    }

    /// Where a function has its parameters and its results, and how many bytes each of them takes.
    pub(super) fn formals(&self, signature: &'m Function<'m>) -> Result<Vec<(Slot, u32)>> {
        let mut offset = 0u32;
        // The registers of register parameters are the callee's first ones, in their order.
        let mut registers = [0u16; 3];
        let mut formals = vec![];
        for formal in signature.parameters.iter().chain(&signature.returns) {
            formals.push(if formal.space == "reg" {
                let file = self.file_of(formal.at, formal.ty)?;
                let next = &mut registers[file as usize];
                *next += 1;
                (slot(file, Register::own(*next - 1)), if file == File::X { 8 } else { 4 })
            } else {
                let (start, bytes) = self.next_bytes(formal, &mut offset)?;
                (Slot::Bytes(start), bytes)
            });
        }
        Ok(formals)
    }

    /// The values that a call copies into the callee's frame and back.
    fn transfers(
        &mut self,
        at: At,
        callee: Callee,
        signature: &'m Function<'m>,
        results: &'m [Operand<'m>],
        arguments: &'m [Operand<'m>],
    ) -> Result<Call> {
        if (results.len(), arguments.len()) != (signature.returns.len(), signature.parameters.len()) {
            let (wanted, returned) = (signature.parameters.len(), signature.returns.len());
            return self.context.bad(
                at,
                format!("`{}` takes {wanted} arguments and gives {returned} results", signature.name),
            );
        }
        let mut call = Call { callee, arguments: vec![], returns: vec![] };
        let formals = self.formals(signature)?;
        for (n, ((inner, bytes), actual)) in
            formals.into_iter().zip(arguments.iter().chain(results)).enumerate()
        {
            let is_argument = n < arguments.len();
            let outer = match actual {
                Operand::Name(name, None) => match self.find(name) {
                    Some(name @ Name::Bytes { bytes: has, .. }) if has >= bytes => {
                        Slot::Bytes(self.frame_bytes(name))
                    }
                    Some(Name::Register(_)) => {
                        let file = self.register_file(at, name)?;
                        let number = if is_argument {
                            self.source(at, actual, file)?.0
                        } else {
                            self.result(at, name, file)?
                        };
                        slot(file, number)
                    }
                    _ => return self.context.bad(at, format!("`{name}` does not fit its parameter")),
                },
                other if is_argument => {
                    let of_bytes = if bytes == 8 { File::X } else { File::W };
                    let file = inner.register().map_or(of_bytes, |(file, _)| file);
                    slot(file, self.source(at, other, file)?.0)
                }
                _ => return self.context.bad(at, "`call` writes registers or parameters"),
            };
            if is_argument {
                call.arguments.push(CallValue { from: outer, to: inner, bytes });
            } else {
                call.returns.push(CallValue { from: inner, to: outer, bytes });
            }
        }
        Ok(call)
    }

    /// Gives a function's register parameters the first registers, where [`Decoder::transfers`] expects them.
    pub(super) fn register_parameters(&mut self, function: &'m Function<'m>) -> Result<()> {
        if !self.is_kernel {
            for parameter in function.parameters.iter().chain(&function.returns) {
                if parameter.space == "reg" {
                    let file = self.file_of(parameter.at, parameter.ty)?;
                    self.result(parameter.at, parameter.name, file)?;
                }
            }
        }
        Ok(())
    }

    /// A call of a function that the module does not define.
    fn builtin(
        &mut self,
        i: &'m Instruction<'m>,
        name: &str,
        results: &'m [Operand<'m>],
        arguments: &'m [Operand<'m>],
    ) -> Result<()> {
        let (builtin, wanted) = match name {
            PRINTS => (Builtin::Print, 2),
            "__assertfail" => (Builtin::AssertionFailed, 5),
            "malloc" => (Builtin::Allocate, 1),
            "free" => (Builtin::Free, 1),
            _ => match RuntimeCall::named(name) {
                Some((call, wanted)) => (Builtin::Runtime(call), wanted),
                None => {
                    return self.context.unsupported(
                        i.at,
                        format!("the function `{name}`, which the module does not define"),
                    );
                }
            },
        };
        let mut places = [0; 8];
        if arguments.len() != wanted {
            return self.context.bad(i.at, format!("`{name}` takes {wanted} arguments"));
        }
        for (place, argument) in places.iter_mut().zip(arguments) {
            match argument {
                Operand::Name(name, None) if matches!(self.find(name), Some(Name::Bytes { .. })) => {
                    *place = self.find(name).map_or(0, |name| self.frame_bytes(name));
                }
                _ => return self.context.unsupported(i.at, format!("arguments of `{name}` in registers")),
            }
        }
        let result = match results {
            [Operand::Name(name, None)] => match self.find(name) {
                Some(name @ Name::Bytes { .. }) => Some(self.frame_bytes(name)),
                _ => None,
            },
            _ => None,
        };
        let call = self.enter(i.at, BuiltinCall { builtin, arguments: places, result })?;
        self.emit(Op::Builtin { call });
        Ok(())
    }

    // Barriers of the block.

    /// `bar`, `barrier`: of the block, of the cluster, or of a warp.
    pub(super) fn barrier(&mut self, i: &'m Instruction<'m>, _: Guard) -> Result<()> {
        if i.modifiers.contains(&"warp") {
            return self.collective(i, Collective::Sync);
        }
        if i.modifiers.contains(&"cluster") {
            return self.cluster_barrier(i);
        }
        let words: Vec<&str> =
            i.modifiers.iter().copied().filter(|m| !matches!(*m, "cta" | "aligned")).collect();
        let (mut operation, reduction) = match &words[..] {
            ["sync"] => (BarrierOperation::Sync, None),
            ["arrive"] => (BarrierOperation::Arrive, None),
            ["red", "and", "pred"] => (BarrierOperation::Sync, Some(Reduction::And)),
            ["red", "or", "pred"] => (BarrierOperation::Sync, Some(Reduction::Or)),
            ["red", "popc", "u32"] => (BarrierOperation::Sync, Some(Reduction::Count)),
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        };
        let mut operands = &i.operands[..];
        if let Some(reduction) = reduction {
            let [Operand::Name(name, None), rest @ .., predicate] = operands else {
                return self.context.bad(i.at, format!("`{}` takes a result and a predicate", i.mnemonic()));
            };
            let result = self.result(i.at, name, reduction.file())?;
            let predicate = self.source(i.at, predicate, File::P)?.0;
            operation = BarrierOperation::Reduce { reduction, predicate, result };
            operands = rest;
        }
        let (id, threads) = match operands {
            [id] => (self.source(i.at, id, File::W)?.0, OptionalRegister::NONE),
            [id, threads] => {
                (self.source(i.at, id, File::W)?.0, self.source(i.at, threads, File::W)?.0.into())
            }
            _ => return self.context.bad(i.at, format!("`{}` takes a barrier", i.mnemonic())),
        };
        if operation == BarrierOperation::Arrive && threads.is_none() {
            return self.context.bad(i.at, "`bar.arrive` takes a number of threads");
        }
        // PTX ISA: `bar` is `barrier.aligned`.
        let aligned = i.opcode == "bar" || i.modifiers.contains(&"aligned");
        self.kernel.barriers.push(BarrierOperands { operation, id, threads, aligned });
        self.close(Pending::Barrier(self.kernel.barriers.len() as u32 - 1));
        Ok(())
    }

    fn cluster_barrier(&mut self, i: &'m Instruction<'m>) -> Result<()> {
        let operation = match i.modifiers.get(1) {
            Some(&"arrive") => BarrierOperation::ClusterArrive,
            Some(&"wait") => BarrierOperation::ClusterWait,
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        };
        let id = self.immediate(i.at, File::W, 0)?.0;
        let aligned = i.modifiers.contains(&"aligned");
        self.kernel.barriers.push(BarrierOperands {
            operation,
            id,
            threads: OptionalRegister::NONE,
            aligned,
        });
        self.close(Pending::Barrier(self.kernel.barriers.len() as u32 - 1));
        Ok(())
    }
}

fn slot(file: File, register: Register) -> Slot {
    match file {
        File::W => Slot::W(register),
        File::X => Slot::X(register),
        File::P => Slot::P(register),
    }
}
