//! Text of a function: its head, its blocks, and what lies on the edges between them.

use super::Target;
use super::call;
use super::globals::{self, Users};
use super::legalise::legalise;
use super::lines::Lines;
use super::live::Liveness;
use super::operand::{Class, Operand, Register, immediate, space};
use super::order;
use super::quick;
use super::registers::{Registers, has_register};
use super::select::{self, Selection, in_memory};
use super::slots::Slots;
use super::text::{self, Address, Base, Piece, line, op};
use crate::builtin::Meaning;
use crate::diagnostic::Diagnostic;
use crate::hash::Map;
use crate::ir::{
    Block, Bounds, Def, Function, FunctionId, GlobalId, Linkage, Module, Op, Place, Space, Terminator, Type,
    Unroll, Value,
};
use crate::source::Span;
use std::fmt::Write;

/// What can be put into a register anywhere, and so once a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Constant {
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
    number: usize,
    registers: Registers,
    lines: &'a mut Lines<'s>,
    /// Text of the blocks so far.
    text: String,
    /// Kept for its memory.
    pub(super) operands: Vec<Operand>,
    constants: Map<Constant, Register>,
    slots: Slots,
    /// Comparisons that are written the other way round, because the branch that uses them is.
    inverted: Vec<bool>,
    plan: Plan,
    place: Place,
    target: Target,
    refused: Option<Diagnostic>,
    /// Whether what is written is somebody else's.
    pub(super) is_assembly: bool,
}

/// How blocks follow each other.
#[derive(Default)]
struct Plan {
    layout: Vec<Block>,
    /// Moves at the end of each block, before its branch.
    moves: Vec<Vec<(Value, Value)>>,
    /// Block that is written in place of each: itself, or where an empty one leads.
    target: Vec<Block>,
    /// Label number of each block.
    label: Vec<usize>,
}

/// Where a block leads, as it is written.
enum Way {
    /// To the block that is written behind it.
    Behind,
    Jump(Block),
    /// To a block if the condition holds (`negated`: if not), otherwise to another, or to the one behind it.
    Branch {
        negated: bool,
        to: Block,
        otherwise: Option<Block>,
    },
    /// Nowhere.
    Ends,
}

/// What functions are written into.
#[derive(Clone, Copy)]
pub(super) struct Unit<'a> {
    pub(super) module: &'a Module,
    pub(super) users: &'a [Users],
    pub(super) target: Target,
}

/// What is found of a function before it is written.
pub(super) struct Prepared {
    selection: Selection,
    registers: Registers,
    slots: Slots,
    plan: Plan,
}

impl Prepared {
    /// Puts a function into a form that PTX can say, and finds where everything of it lies.
    pub(super) fn new(function: &mut Function) -> Self {
        legalise(function);
        let layout = order::layout(function);
        let selection = Selection::new(function, &layout);
        let live = Liveness::new(function, &layout, &selection);
        let registers = Registers::new(function, &layout, &selection, &live);
        let slots = Slots::new(function, &layout, &selection);
        let plan = Plan::new(function, layout, &selection, &registers, &live);
        Prepared { selection, registers, slots, plan }
    }
}

/// Writes a function.
pub(super) fn emit(
    Unit { module, users, target }: Unit<'_>,
    id: FunctionId,
    number: usize,
    Prepared { selection, registers, slots, plan }: Prepared,
    lines: &mut Lines<'_>,
    out: &mut String,
) -> Result<(), Box<Diagnostic>> {
    let function = &module.functions[id.index()];
    if function.kernel {
        kernel_head(function, out);
    } else {
        call::prototype(module, id, out);
    }
    let mut lines_begin = String::new();
    lines.begin(function, &mut lines_begin);
    let inverted = vec![false; function.values.len()];
    let mut writer = Writer {
        module,
        function,
        selection,
        number,
        registers,
        lines,
        text: String::with_capacity(64 * function.insts.len()),
        operands: vec![],
        constants: Map::default(),
        slots,
        inverted,
        plan,
        place: Place::default(),
        target,
        refused: None,
        is_assembly: false,
    };
    writer.invert_comparisons();
    writer.body();
    if let Some(refused) = writer.refused {
        return Err(Box::new(refused));
    }
    out.push_str("{\n");
    let Slots { size, align, .. } = writer.slots;
    let has_local = !writer.slots.offsets.is_empty();
    if has_local {
        let _ = writeln!(out, "\t.local .align {align} .b8 \t__local_depot{number}[{size}];");
        out.push_str("\t.reg .b64 \t%SPL;\n");
    }
    writer.registers.declare(out);
    globals::declare_within(module, users, id, out);
    out.push_str(&lines_begin);
    if has_local {
        let _ = writeln!(out, "\tmov.u64 \t%SPL, __local_depot{number};");
    }
    out.push_str(&writer.text);
    out.push_str("}\n");
    Ok(())
}

fn kernel_head(function: &Function, out: &mut String) {
    let name = &function.name;
    let (note, word) = match function.linkage {
        Linkage::Visible => ("\t// .globl\t", ".visible "),
        Linkage::Weak => ("\t// .weak\t", ".weak "),
        Linkage::Internal => ("\t// .entry\t", ""),
    };
    let _ = write!(out, "{note}{name}\n{word}.entry {name}(");
    for (number, param) in function.params.iter().enumerate() {
        let comma = if number > 0 { "," } else { "" };
        let _ = match param.bytes {
            Some((bytes, align)) => write!(
                out,
                "{comma}\n\t.param .align {} .b8 {name}_param_{number}[{}]",
                align.max(1),
                bytes.max(1)
            ),
            None => {
                let ty = match function.ty(param.value) {
                    Type::Pred | Type::I8 => "u8",
                    Type::I16 => "u16",
                    Type::I32 => "u32",
                    Type::I64 | Type::Ptr(_) => "u64",
                    Type::F32 => "f32",
                    Type::F64 => "f64",
                };
                write!(out, "{comma}\n\t.param .{ty} {name}_param_{number}")
            }
        };
    }
    out.push_str("\n)\n");
    let Bounds { max_threads, min_blocks, max_cluster, cluster, max_registers } = function.bounds;
    if let Some(threads) = max_threads {
        let _ = writeln!(out, ".maxntid {threads}, 1, 1");
    }
    if let Some([x, y, z]) = cluster {
        let _ = writeln!(out, ".explicitcluster\n.reqnctapercluster {x}, {y}, {z}");
    }
    if let Some(blocks) = max_cluster {
        let _ = writeln!(out, ".maxclusterrank {blocks}");
    }
    if let Some(blocks) = min_blocks {
        let _ = writeln!(out, ".minnctapersm {blocks}");
    }
    if let Some(registers) = max_registers {
        let _ = writeln!(out, ".maxnreg {registers}");
    }
}

impl Plan {
    fn new(
        function: &Function,
        layout: Vec<Block>,
        selection: &Selection,
        registers: &Registers,
        live: &Liveness,
    ) -> Self {
        let count = function.blocks.len();
        let mut plan = Plan {
            layout,
            moves: vec![vec![]; count],
            target: (0..count as u32).map(Block).collect(),
            label: vec![0; count],
        };
        for (number, block) in plan.layout.iter().enumerate() {
            plan.label[block.index()] = number;
            let Terminator::Jump(edge) = &function.blocks[block.index()].end else { continue };
            let params = &function.blocks[edge.block.index()].params;
            plan.moves[block.index()] = params
                .iter()
                .zip(&edge.args)
                .filter(|(param, arg)| {
                    let undefined = matches!(function.values[arg.index()].def, Def::Undefined);
                    let same = has_register(function, selection, **arg) && registers.same(**param, **arg);
                    selection.uses[param.index()] > 0 && !undefined && !same
                })
                .map(|(param, arg)| (*param, *arg))
                .collect();
        }
        plan.hoist(function, selection, registers, live);
        plan.skip_empty(function, selection);
        plan
    }

    /// Puts the moves of an edge before the branch that it leaves, where the other way does not mind: there they cost
    /// nothing, while a block of their own costs a jump.
    fn hoist(&mut self, function: &Function, selection: &Selection, registers: &Registers, live: &Liveness) {
        let depth = order::depths(function);
        let mut predecessors = vec![0; function.blocks.len()];
        for edge in self.layout.iter().flat_map(|at| function.blocks[at.index()].end.edges()) {
            predecessors[edge.block.index()] += 1;
        }
        for block in self.layout.clone() {
            let Terminator::Branch(condition, then, other) = &function.blocks[block.index()].end else {
                continue;
            };
            for (edge, beside) in [(then.block, other.block), (other.block, then.block)] {
                let Terminator::Jump(onward) = &function.blocks[edge.index()].end else { continue };
                let bare = function.blocks[edge.index()].insts.iter().all(|inst| !selection.written(*inst));
                let leaves_loop = depth[onward.block.index()] < depth[block.index()];
                if !bare || leaves_loop || predecessors[edge.index()] != 1 {
                    continue;
                }
                let free = self.moves[edge.index()].iter().all(|(param, _)| {
                    registers.sharing(*param).all(|value| !live.enters(value, beside))
                        && !registers.same(*param, *condition)
                });
                if free && self.moves[block.index()].is_empty() {
                    self.moves[block.index()] = std::mem::take(&mut self.moves[edge.index()]);
                }
            }
        }
    }

    /// Finds blocks in which nothing is written, and where they lead.
    fn skip_empty(&mut self, function: &Function, selection: &Selection) {
        let mut next: Vec<Option<Block>> = vec![None; function.blocks.len()];
        for block in self.layout.iter().skip(1) {
            let data = &function.blocks[block.index()];
            if let Terminator::Jump(edge) = &data.end {
                let empty = data.insts.iter().all(|inst| !selection.written(*inst));
                if empty && self.moves[block.index()].is_empty() {
                    next[block.index()] = Some(edge.block);
                }
            }
        }
        for block in &self.layout {
            let (mut at, mut steps) = (*block, 0);
            while let Some(onward) = next[at.index()] {
                at = onward;
                steps += 1;
                if steps > self.layout.len() {
                    // Empty blocks in a circle: a loop that does nothing, for ever.
                    next[block.index()] = None;
                    at = *block;
                }
            }
            self.target[block.index()] = at;
        }
        self.layout.retain(|block| next[block.index()].is_none());
    }
}

impl<'a> Writer<'a, '_> {
    /// Where the block after a branch is the one to go to if the comparison holds, the comparison is written the other way.
    fn invert_comparisons(&mut self) {
        for (at, block) in self.plan.layout.iter().enumerate() {
            let Terminator::Branch(condition, then, _) = &self.function.blocks[block.index()].end else {
                continue;
            };
            let next = self.plan.layout.get(at + 1);
            let single = self.selection.uses[condition.index()] == 1;
            let compare = matches!(self.function.values[condition.index()].def, Def::Result(inst, _)
                if matches!(self.function.insts[inst.index()].op, Op::Compare(_))
                    && self.function.ty(self.function.insts[inst.index()].args[0]) != Type::Pred);
            self.inverted[condition.index()] =
                single && compare && next == Some(&self.plan.target[then.block.index()]);
        }
    }

    /// Writes all blocks.
    fn body(&mut self) {
        let layout = std::mem::take(&mut self.plan.layout);
        let mut named = vec![false; self.function.blocks.len()];
        // Blocks that are led back to.
        let mut loops = vec![false; self.function.blocks.len()];
        let mut written = vec![false; self.function.blocks.len()];
        for (at, block) in layout.iter().enumerate() {
            written[block.index()] = true;
            for edge in self.function.blocks[block.index()].end.edges() {
                let to = self.plan.target[edge.block.index()];
                loops[to.index()] |= written[to.index()];
            }
            if let Way::Jump(to) | Way::Branch { to, .. } = self.way(*block, layout.get(at + 1).copied()) {
                named[to.index()] = true;
            }
            if let Way::Branch { otherwise: Some(to), .. } = self.way(*block, layout.get(at + 1).copied()) {
                named[to.index()] = true;
            }
        }
        for (at, block) in layout.iter().enumerate() {
            if named[block.index()] {
                let label = self.plan.label[block.index()];
                let pieces = ["\n$L__BB".into(), self.number.into(), "_".into(), label.into(), ":\n".into()];
                text::pieces(&mut self.text, &pieces);
            }
            if loops[block.index()] && self.function.blocks[block.index()].unroll == Some(Unroll::By(1)) {
                self.push(".pragma \"nounroll\";");
            }
            self.constants.clear();
            if at == 0 {
                for (number, param) in self.function.params.iter().enumerate() {
                    let used = self.selection.uses[param.value.index()] > 0;
                    if used && !(self.function.kernel && in_memory(self.function, Block(0), param.value)) {
                        self.load_parameter(number, param.value);
                    }
                }
            }
            for inst in &self.function.blocks[block.index()].insts {
                if self.selection.written(*inst) {
                    self.place = self.function.insts[inst.index()].place;
                    self.instruction(*inst);
                }
            }
            self.place = self.function.blocks[block.index()].end_place;
            self.end(*block, layout.get(at + 1).copied());
        }
    }

    /// Where a block leads, given the one that is written behind it.
    fn way(&self, block: Block, next: Option<Block>) -> Way {
        match &self.function.blocks[block.index()].end {
            Terminator::Jump(edge) => match self.plan.target[edge.block.index()] {
                to if next == Some(to) => Way::Behind,
                to => Way::Jump(to),
            },
            Terminator::Branch(condition, then, other) => {
                let (then, other) =
                    (self.plan.target[then.block.index()], self.plan.target[other.block.index()]);
                let inverted = self.inverted[condition.index()];
                if then == other {
                    return if next == Some(then) { Way::Behind } else { Way::Jump(then) };
                }
                if next == Some(then) {
                    return Way::Branch { negated: !inverted, to: other, otherwise: None };
                }
                let otherwise = (next != Some(other)).then_some(other);
                Way::Branch { negated: inverted, to: then, otherwise }
            }
            Terminator::Return(_) | Terminator::Unreachable | Terminator::Switch(..) => Way::Ends,
        }
    }

    fn end(&mut self, block: Block, next: Option<Block>) {
        let moves = std::mem::take(&mut self.plan.moves[block.index()]);
        self.parallel_moves(&moves);
        match self.way(block, next) {
            Way::Behind => return,
            Way::Jump(to) => return self.jump(to),
            Way::Branch { negated, to, otherwise } => {
                if let Terminator::Branch(condition, ..) = &self.function.blocks[block.index()].end {
                    let register = self.register(*condition);
                    let guard = if negated { "@!" } else { "@" };
                    let label = self.plan.label[to.index()];
                    line!(self, guard, register, " bra \t$L__BB", self.number, "_", label, ";");
                }
                otherwise.into_iter().for_each(|to| self.jump(to));
                return;
            }
            Way::Ends => {}
        }
        match &self.function.blocks[block.index()].end {
            Terminator::Return(values) => {
                self.returned(values);
                self.push("ret;");
            }
            Terminator::Unreachable => {
                let last = self.function.blocks[block.index()].insts.last();
                let ended = last.map(|inst| &self.function.insts[inst.index()].op);
                let ends = matches!(ended, Some(Op::Builtin(builtin, _)) if matches!(builtin.meaning, Meaning::End(_)));
                if !ends {
                    // What is never reached; should it be all the same, nothing further is done.
                    self.push("trap;");
                }
                self.push("exit;");
            }
            Terminator::Switch(..) => self.refuse("a switch was left for the emitter"),
            Terminator::Jump(_) | Terminator::Branch(..) => {}
        }
    }

    fn jump(&mut self, to: Block) {
        line!(self, "bra.uni \t$L__BB", self.number, "_", self.plan.label[to.index()], ";");
    }

    /// Writes moves that happen all at once.
    fn parallel_moves(&mut self, moves: &[(Value, Value)]) {
        let mut pending: Vec<(Register, Register)> = vec![];
        let mut constants = vec![];
        for (param, arg) in moves {
            let to = self.registers.of(self.function, *param);
            if has_register(self.function, &self.selection, *arg) {
                pending.push((to, self.registers.of(self.function, *arg)));
            } else {
                constants.push((to, *arg));
            }
        }
        pending.retain(|(to, from)| to != from);
        while !pending.is_empty() {
            // What nobody still reads may be overwritten.
            let free = pending.iter().position(|(to, _)| pending.iter().all(|(_, from)| from != to));
            match free {
                Some(at) => {
                    let (to, from) = pending.remove(at);
                    self.mov(to, Operand::Register(from));
                }
                None => {
                    // A circle: one is kept aside.
                    let (_, from) = pending[0];
                    let aside = self.fresh(from.class);
                    self.mov(aside, Operand::Register(from));
                    pending
                        .iter_mut()
                        .filter(|(_, source)| *source == from)
                        .for_each(|(_, source)| *source = aside);
                }
            }
        }
        for (to, arg) in constants {
            self.materialise(arg, to);
        }
    }

    pub(super) fn mov(&mut self, to: Register, from: Operand) {
        op!(self, "mov.", to.class.moved() => to, from);
    }

    /// Bytes written so far.
    pub(super) fn written(&self) -> usize {
        self.text.len()
    }

    /// Gives the instruction that was written after so many bytes its name for fast mathematics.
    fn quicken(&mut self, before: usize) {
        let line = self.text.get(before..).unwrap_or_default();
        let guard = if line.starts_with('@') { line.find(' ').map_or(0, |at| at + 1) } else { 0 };
        let written = line[guard..].split([' ', '\t', ';']).next().unwrap_or_default();
        if let Some(quick) = quick::name(written) {
            let from = before + guard;
            self.text.replace_range(from..from + written.len(), &quick);
        }
    }

    /// What was written after so many bytes.
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
            let message = format!("`{what}` needs compute_{least} or later, and this is compiled for {arch}");
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
    fn materialise(&mut self, value: Value, to: Register) {
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
