//! Text of a function: its head, its blocks, and what lies on the edges between them.

use super::Target;
use super::call;
use super::globals::{self, Users};
use super::legalise::legalise;
use super::lines::Lines;
use super::live::Liveness;
use super::operand::{Operand, Register};
use super::order;
use super::plan::Plan;
use super::registers::{Registers, has_register};
use super::select::{Selection, in_memory};
use super::slots::Slots;
use super::text::{self, line};
use super::writer::Writer;
use crate::builtin::Meaning;
use crate::diagnostic::Diagnostic;
use crate::hash::Map;
use crate::ir::{
    Block, Bounds, DebugLocation, Def, Function, FunctionId, Linkage, Module, Op, Terminator, Type, Unroll,
    Value,
};
use std::fmt::Write;

/// Where a block leads, as it is written.
enum Way {
    /// To the block that is written after it.
    Behind,
    Jump(Block),
    /// To a block if the condition holds (`negated`: if not), otherwise to another, or to the one after it.
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
        place: DebugLocation::default(),
        target,
        refused: None,
        is_assembly: false,
        prototypes: 0,
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
        Linkage::Internal | Linkage::Copied => ("\t// .entry\t", ""),
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

impl Writer<'_, '_> {
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

    /// Where a block leads, given the one that is written after it.
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
            // What no one still reads may be overwritten.
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
}
