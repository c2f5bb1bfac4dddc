//! Lines of a function's text, and the operands in them.
//!
//! Enters: what was found of a function before it is written; then instructions in pieces, and values. Leaves: the text, with
//! constants and addresses in registers where instructions need them there. This file must never know what instructions mean.

use super::Target;
use super::lines::Lines;
use super::operand::{Class, Operand, Register, immediate, space};
use super::plan::Plan;
use super::quick;
use super::registers::{Registers, has_register};
use super::select::{self, Selection, in_memory};
use super::slots::Slots;
use super::text::{self, Address, Base, Piece, line, op};
use crate::diagnostic::Diagnostic;
use crate::hash::Map;
use crate::ir::{DebugLocation, Def, Function, GlobalId, Module, Op, Space, Type, Value};
use crate::source::Span;

/// What can be put into a register anywhere, and so once a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Constant {
    /// A register's class, and the number as it is written: bytes of 132 and words of 16 bits of 132 share a class, and differ.
    Number(Class, Operand),
    Variable(GlobalId),
    Slot(u64),
    Parameter(Value),
}

/// Writer of one function, which is legal.
pub(super) struct Writer<'a, 's> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) selection: Selection,
    /// Number in labels.
    pub(super) number: usize,
    pub(super) registers: Registers,
    pub(super) lines: &'a mut Lines<'s>,
    /// Text of the blocks so far.
    pub(super) text: String,
    /// Kept for its memory.
    pub(super) operands: Vec<Operand>,
    pub(super) constants: Map<Constant, Register>,
    pub(super) slots: Slots,
    /// Comparisons that are written the other way round, because the branch that uses them is.
    pub(super) inverted: Vec<bool>,
    pub(super) plan: Plan,
    pub(super) place: DebugLocation,
    pub(super) target: Target,
    pub(super) refused: Option<Diagnostic>,
    /// Whether what is written is somebody else's.
    pub(super) is_assembly: bool,
    /// Prototypes of calls through pointers that were written.
    pub(super) prototypes: usize,
}

impl<'a> Writer<'a, '_> {
    pub(super) fn mov(&mut self, to: Register, from: Operand) {
        op!(self, "mov.", to.class.moved() => to, from);
    }

    /// Bytes written so far.
    pub(super) fn written(&self) -> usize {
        self.text.len()
    }

    /// Gives the instruction that was written after that many bytes its name for fast mathematics.
    fn quicken(&mut self, before: usize) {
        let line = self.text.get(before..).unwrap_or_default();
        let guard = if line.starts_with('@') { line.find(' ').map_or(0, |at| at + 1) } else { 0 };
        let written = line[guard..].split([' ', '\t', ';']).next().unwrap_or_default();
        if let Some(quick) = quick::name(written) {
            let from = before + guard;
            self.text.replace_range(from..from + written.len(), &quick);
        }
    }

    /// What was written after that many bytes.
    pub(super) fn written_since(&self, before: usize) -> &str {
        self.text.get(before..).unwrap_or_default()
    }

    /// Writes a line, or a text of several, with its place.
    pub(super) fn line(&mut self, pieces: &[Piece<'_>]) {
        self.begin_line();
        let before = self.text.len();
        text::pieces(&mut self.text, pieces);
        if self.target.fast_math && !self.is_assembly {
            self.quicken(before);
        }
        self.text.push('\n');
    }

    /// Writes an instruction of registers and numbers.
    pub(super) fn op(&mut self, name: &[&str], operands: &[Operand]) {
        self.begin_line();
        let before = self.text.len();
        name.iter().for_each(|part| self.text.push_str(part));
        if self.target.fast_math {
            self.quicken(before);
        }
        self.text.push_str(" \t");
        text::operands(&mut self.text, operands);
        self.text.push_str(";\n");
    }

    fn begin_line(&mut self) {
        self.lines.mark(self.function, self.place, &mut self.text);
        self.text.push('\t');
    }

    /// Writes a line that is known.
    pub(super) fn push(&mut self, text: &str) {
        self.line(&[Piece::Text(text)]);
    }

    /// Notes what PTX has no words for.
    pub(super) fn refuse(&mut self, why: &str) {
        let span = if self.place.span == Span::default() { self.function.span } else { self.place.span };
        self.refused.get_or_insert_with(|| Diagnostic::error("unsupported", span, why.to_owned()));
    }

    /// Refuses what only a later architecture has.
    pub(super) fn refuse_for(&mut self, what: &str, least: u32) {
        let arch = self.target.arch;
        // What a header of ours does was asked for by a call.
        let mut place = self.place;
        while self.lines.is_ours(place.span)
            && let Some(call) = place.inlined.checked_sub(1)
            && let Some(inlined) = self.function.inlined.get(call as usize)
        {
            place = inlined.call;
        }
        let span = if place.span == Span::default() { self.function.span } else { place.span };
        self.refused.get_or_insert_with(|| {
            let message = format!("`{what}` needs compute_{least} or later, but this is compiled for {arch}");
            Diagnostic::error("architecture", span, message)
                .help(format!("compile for a device that has it, with `--gpu-architecture=compute_{least}`"))
        });
    }

    /// Whether numbers of a type are computed by the quick instructions.
    pub(super) fn fast(&self, ty: Type) -> bool {
        self.target.fast_math && ty == Type::F32
    }

    pub(super) fn arch(&self) -> u32 {
        self.target.arch.number
    }

    /// What a float operation's name ends with: its rounding is named where ptxas may not fuse it with another.
    pub(super) fn rounding(&self) -> &'static str {
        if self.target.fmad { "." } else { ".rn." }
    }

    pub(super) fn fresh(&mut self, class: Class) -> Register {
        self.registers.fresh(class)
    }

    /// Register that a result goes to.
    pub(super) fn result(&mut self, value: Value) -> Register {
        self.registers.of(self.function, value)
    }

    pub(super) fn inverted(&self, value: Value) -> bool {
        self.inverted[value.index()]
    }

    /// Operand for a value: its register, or a number where it is constant.
    pub(super) fn operand(&mut self, value: Value) -> Operand {
        let data = self.function.values[value.index()];
        match data.def {
            Def::Constant(bits) if data.ty != Type::Pred => immediate(data.ty, bits.get()),
            Def::Undefined if data.ty != Type::Pred => immediate(data.ty, 0),
            Def::Constant(_) | Def::Undefined | Def::Result(..) | Def::Param(..) | Def::Alias(_) => {
                Operand::Register(self.register(value))
            }
        }
    }

    /// Register that holds a value, which is put there if need be.
    pub(super) fn register(&mut self, value: Value) -> Register {
        if has_register(self.function, &self.selection, value) {
            return self.registers.of(self.function, value);
        }
        let class = Class::of(self.function.ty(value));
        let Some(constant) = self.constant(value) else {
            let register = self.fresh(class);
            self.materialise(value, register);
            return register;
        };
        if let Some(known) = self.constants.get(&constant) {
            return *known;
        }
        let register = self.fresh(class);
        self.materialise(value, register);
        self.constants.insert(constant, register);
        register
    }

    /// What a value without a register is, if it is the same everywhere.
    fn constant(&self, value: Value) -> Option<Constant> {
        let data = self.function.values[value.index()];
        let class = Class::of(data.ty);
        match data.def {
            Def::Constant(bits) => Some(Constant::Number(class, immediate(data.ty, bits.get()))),
            Def::Undefined => Some(Constant::Number(class, immediate(data.ty, 0))),
            Def::Param(block, _) if in_memory(self.function, block, value) => {
                Some(Constant::Parameter(value))
            }
            Def::Param(..) => None,
            Def::Result(inst, _) => match self.function.insts[inst.index()].op {
                Op::Global(id) => Some(Constant::Variable(id)),
                Op::Slot { .. } => self.slots.offsets.get(&value).copied().map(Constant::Slot),
                _ => None,
            },
            Def::Alias(_) => None,
        }
    }

    /// Puts a value that has no register into one.
    pub(super) fn materialise(&mut self, value: Value, to: Register) {
        match self.constant(value) {
            Some(Constant::Number(_, number)) => self.mov(to, number),
            Some(Constant::Variable(id)) => {
                let name = &self.module.globals[id.index()].name;
                line!(self, "mov.u64 \t", to, ", ", name, ";");
            }
            Some(Constant::Slot(offset)) => line!(self, "add.u64 \t", to, ", %SPL, ", offset, ";"),
            Some(Constant::Parameter(parameter)) => {
                let name = Address { base: self.parameter(parameter), offset: 0 };
                line!(self, "mov.b64 \t", to, ", ", name, ";");
            }
            None => {
                // A folded address.
                let address = self.selection.address(self.function, value);
                if address.base == value {
                    self.refuse("a value was left without a register");
                    return;
                }
                let base = self.register(address.base);
                op!(self, "add.s64" => to, base, address.offset);
            }
        }
    }

    /// Address of a kernel's parameter.
    fn parameter(&self, value: Value) -> Base<'a> {
        let number = self.function.params.iter().position(|param| param.value == value).unwrap_or(0);
        Base::Parameter(&self.function.name, number)
    }

    /// Address as instructions write it.
    pub(super) fn address(&mut self, pointer: Value) -> Address<'a> {
        let select::Address { base, mut offset } = self.selection.address(self.function, pointer);
        let base = match self.constant(base) {
            Some(Constant::Variable(id)) => Base::Variable(&self.module.globals[id.index()].name),
            Some(Constant::Slot(at)) => {
                offset += at as i64;
                Base::Local
            }
            Some(Constant::Parameter(parameter)) => self.parameter(parameter),
            Some(Constant::Number(..)) | None => Base::Register(self.register(base)),
        };
        Address { base, offset }
    }

    /// State space that a pointer leads to, with its point.
    pub(super) fn space_of(&self, pointer: Value) -> &'static str {
        match self.function.ty(pointer) {
            Type::Ptr(at) => space(at),
            _ => space(Space::Generic),
        }
    }
}
