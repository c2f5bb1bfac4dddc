//! A function's body: its blocks, nested as WebAssembly has them.
//!
//! Enters: a function. Leaves: its code. A block's code is followed by what its edges lead to, in its place where no other edge
//! does; where ways join, the code is after a block of WebAssembly that the edges leave, and a loop is around its header's.
//! Graphs whose loops have several entries are a loop around a table of jumps. All of it is by a list of what is left to
//! write: no input is nested too deeply.

use super::cost::costs;
use super::flow::{Flow, edge};
use super::locals::{Locals, Moves};
use super::site::Fault;
use super::trees::{Trees, prepare};
use super::types;
use super::writer::{Left, STACK_POINTER, Shared, Unit, Writer};
use crate::ir::{Block, DebugLocation, Edge, Function, FunctionId, Inst, Op, Terminator, Value};
use wasm_encoder::{BlockType, Encode, InstructionSink, ValType};

/// Most numbers between the least and the greatest case for each case that there is, for a table of jumps.
const SPARSE: u64 = 8;
/// Most bytes of a function's own memory.
const FRAME: u32 = 1 << 30;

/// Most bytes of code over which a condition leads back by itself: `wasmi` 1.1 panics where one that it has merged with a
/// comparison leads back over more than 32,767 of its instructions.
const FAR: usize = 16_000;
/// Instructions of a function that may be more than 32,767 of those of `wasmi`.
const LONG: usize = 4_000;

/// What is left to write.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// A block, with what it dominates.
    Tree(Block),
    /// The same within a block of WebAssembly for each of those that follow it from this number on.
    Within(Block, usize),
    /// An edge of a block's end, by its number.
    Edge(Block, usize),
    /// The code of a block of which edges choose the next by its number.
    State(Block),
    /// The other part of a condition.
    Else,
    /// The end of a block, loop or condition.
    End,
}

/// What code is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// A block of WebAssembly that this one comes after.
    Follow(Block),
    /// A loop that this is the header of.
    Loop(Block),
    /// The loop around a table of jumps.
    States,
    /// A condition or a case.
    Arm,
}

/// Writes a function; its locals and code as WebAssembly's code section has them.
pub(super) fn write(unit: &Unit<'_>, shared: &mut Shared, id: FunctionId) -> Vec<u8> {
    let mut function = unit.module.functions[id.index()].clone();
    prepare(&mut function);
    let flow = Flow::new(&function);
    let trees = Trees::new(&function, &flow.cfg);
    let locals = Locals::new(&function, &flow.cfg, &trees);
    let writer = Writer::new(unit, shared, id, &function, &flow.dominators, &trees, locals);
    let costs = costs(&function, &flow, &trees);
    let mut body =
        Body { writer, flow: &flow, costs, tasks: vec![], labels: vec![], loops: vec![], state: None };
    body.prologue();
    body.writer.begin_count();
    body.writer.prepare_checks();
    if flow.reducible {
        body.tasks.push(Task::Tree(Block(0)));
    } else {
        body.states();
    }
    while let Some(task) = body.tasks.pop() {
        body.task(task);
    }
    body.writer.sink().unreachable().end();
    let Writer { locals, code, .. } = body.writer;
    encoded(&function, &locals, &code)
}

fn encoded(function: &Function, locals: &Locals, code: &[u8]) -> Vec<u8> {
    let mut runs: Vec<(u32, ValType)> = vec![];
    for ty in locals.types.iter().skip(function.params.len()) {
        match runs.last_mut() {
            Some((count, last)) if last == ty => *count += 1,
            _ => runs.push((1, *ty)),
        }
    }
    let mut bytes = vec![];
    runs.len().encode(&mut bytes);
    for (count, ty) in runs {
        count.encode(&mut bytes);
        ty.encode(&mut bytes);
    }
    bytes.extend_from_slice(code);
    bytes
}

pub(super) struct Body<'a> {
    pub(super) writer: Writer<'a>,
    pub(super) flow: &'a Flow,
    /// By block: operations that are counted where it begins.
    pub(super) costs: Vec<u64>,
    tasks: Vec<Task>,
    labels: Vec<Label>,
    /// Headers of the loops that have begun, and how much code there was then.
    loops: Vec<(Block, usize)>,
    /// Local of the next block's number, where a table of jumps chooses it.
    state: Option<u32>,
}

impl Body<'_> {
    pub(super) fn sink(&mut self) -> InstructionSink<'_> {
        self.writer.sink()
    }

    fn end_of(&self, block: Block) -> &Terminator {
        &self.writer.function.blocks[block.index()].end
    }

    /// Takes the function's own memory from the stack.
    fn prologue(&mut self) {
        let place = DebugLocation { span: self.writer.function.span, inlined: 0 };
        let size = match self.writer.place_slots() {
            Some(0) => return,
            Some(size) if size < FRAME => size,
            // More than any stack has.
            _ => FRAME,
        };
        let frame = self.writer.locals.add(ValType::I32);
        self.writer.frame = Some((frame, size));
        let low = self.writer.unit.layout.stack.0 as i64;
        // As one of 64 bits, so that more than there is does not become an address above all.
        let wide = self.writer.scratch(ValType::I64);
        self.sink().block(BlockType::Empty);
        self.sink().global_get(STACK_POINTER).i64_extend_i32_u().i64_const(i64::from(size)).i64_sub();
        self.sink().local_tee(wide).i64_const(low).i64_ge_s().br_if(0);
        self.writer.fault(Fault::StackOverflow, place, |this| {
            this.sink().local_get(wide);
        });
        self.sink().end();
        self.sink().local_get(wide).i32_wrap_i64().local_tee(frame).global_set(STACK_POINTER);
        self.writer.give_back(wide);
    }

    fn task(&mut self, task: Task) {
        match task {
            Task::Tree(block) => {
                if self.flow.header[block.index()] {
                    self.sink().loop_(BlockType::Empty);
                    self.loops.push((block, self.writer.code.len()));
                    self.labels.push(Label::Loop(block));
                    self.tasks.push(Task::End);
                }
                self.tasks.push(Task::Within(block, 0));
            }
            Task::Within(block, number) => match self.flow.follow[block.index()].get(number) {
                Some(next) => {
                    self.sink().block(BlockType::Empty);
                    self.labels.push(Label::Follow(*next));
                    self.tasks.extend([Task::Tree(*next), Task::End, Task::Within(block, number + 1)]);
                }
                None => self.block(block),
            },
            Task::Edge(from, number) => self.edge(from, number),
            Task::State(block) => self.block(block),
            Task::Else => {
                self.sink().else_();
            }
            Task::End => {
                self.labels.pop();
                self.sink().end();
            }
        }
    }

    fn block(&mut self, block: Block) {
        self.writer.block = block;
        self.count(block);
        let function = self.writer.function;
        for inst in &function.blocks[block.index()].insts {
            if self.writer.trees.here(*inst) {
                self.inst(*inst);
            }
        }
        if !matches!(function.blocks[block.index()].end, Terminator::Return(_)) {
            self.writer.take_count();
        }
        self.end(block);
    }

    /// Whether a call may launch a kernel: one of the C library does not.
    fn may_launch(&self, call: &Op) -> bool {
        let Op::Call(callee) = call else { return true };
        let callee = self.writer.unit.module.functions.get(callee.index());
        callee.is_none_or(|callee| !callee.external || callee.name.contains("cuda"))
    }

    fn inst(&mut self, inst: Inst) {
        let function = self.writer.function;
        let data = &function.insts[inst.index()];
        match &data.op {
            Op::Store(_) => return self.writer.store(inst),
            Op::Copy { size, .. } => return self.writer.copy(inst, *size),
            Op::Zero { size, .. } => return self.writer.zero(inst, *size),
            Op::Call(_) | Op::CallIndirect => {
                match data.op {
                    Op::Call(callee) => self.writer.call(inst, callee),
                    _ => self.writer.call_indirect(inst),
                }
                self.writer.keep(&data.results);
                self.writer.left_in = Left::Global;
                if self.may_launch(&data.op) {
                    // What was looked at before may be changed by a kernel from now on, and is to be seen.
                    self.writer.checked.clear();
                }
                return self.writer.measure();
            }
            Op::Asm(_) => {
                return self.writer.refuse(inst, || "`asm` is PTX, which only kernels have".to_owned());
            }
            _ => self.writer.evaluate(inst),
        }
        self.writer.keep(&data.results);
    }

    fn end(&mut self, block: Block) {
        let function = self.writer.function;
        let data = &function.blocks[block.index()];
        match &data.end {
            Terminator::Jump(_) => self.tasks.push(Task::Edge(block, 0)),
            Terminator::Branch(condition, ..) => self.branch(block, *condition),
            Terminator::Switch(value, cases, _) => self.switch(block, *value, cases),
            Terminator::Return(values) => {
                values.iter().for_each(|value| self.writer.value(*value));
                self.writer.hand_count();
                if let Some((frame, size)) = self.writer.frame {
                    let size = size as i32;
                    self.sink().local_get(frame).i32_const(size).i32_add().global_set(STACK_POINTER);
                }
                self.sink().return_();
            }
            Terminator::Unreachable => self.writer.fault(Fault::Unreachable, data.end_place, |this| {
                this.sink().i64_const(0);
            }),
        }
    }

    fn branch(&mut self, block: Block, condition: Value) {
        self.writer.value(condition);
        self.keep_apart();
        for (number, other) in [(0, 1), (1, 0)] {
            if let Some(label) = self.direct(block, number) {
                if number == 1 {
                    self.sink().i32_eqz();
                }
                self.sink().br_if(label);
                return self.tasks.push(Task::Edge(block, other));
            }
        }
        self.sink().if_(BlockType::Empty);
        self.labels.push(Label::Arm);
        let arms = [Task::End, Task::Edge(block, 1), Task::Else, Task::Edge(block, 0)];
        self.tasks.extend(arms);
    }

    /// Lets a condition go through a local where branches may lead far: `wasmi` 1.1 panics where one that it has merged with `x & 255`
    /// leads over more than 32,767 of its instructions.
    fn keep_apart(&mut self) {
        let count: usize = self.writer.function.blocks.iter().map(|block| block.insts.len()).sum();
        if count > LONG {
            let local = self.writer.scratch(ValType::I32);
            self.sink().local_set(local).local_get(local);
            self.writer.give_back(local);
        }
    }

    /// How far out an edge leads that moves nothing, if code already has a label for where that is, and not too far back.
    fn direct(&self, from: Block, number: usize) -> Option<u32> {
        let edge = edge(self.end_of(from), number)?;
        if self.state.is_some() {
            return None;
        }
        let begun = self.loops.iter().find(|(of, _)| *of == edge.block).map(|(_, at)| *at);
        if begun.is_some_and(|at| self.writer.code.len() - at > FAR) {
            return None;
        }
        let moves = self.moves(edge);
        if moves.ordered.is_empty() && moves.together.is_empty() {
            self.label(from, edge.block)
        } else {
            None
        }
    }

    fn moves(&self, edge: &Edge) -> Moves {
        let Writer { function, trees, locals, .. } = &self.writer;
        Moves::new(function, trees, locals, &function.blocks[edge.block.index()].params, &edge.args)
    }

    /// How far out a block's code is jumped to, if it is.
    fn label(&self, from: Block, to: Block) -> Option<u32> {
        let wanted = if self.flow.leads_back(from, to) {
            Label::Loop(to)
        } else if self.flow.joined[to.index()] {
            Label::Follow(to)
        } else {
            return None;
        };
        let out = self.labels.iter().rev().position(|label| *label == wanted)?;
        Some(out as u32)
    }

    fn edge(&mut self, from: Block, number: usize) {
        let function = self.writer.function;
        let Some(edge) = edge(&function.blocks[from.index()].end, number) else { return };
        self.writer.block = from;
        let moves = self.moves(edge);
        for (local, value) in &moves.ordered {
            self.writer.value(*value);
            self.sink().local_set(*local);
        }
        moves.together.iter().for_each(|(_, value)| self.writer.value(*value));
        moves.together.iter().rev().for_each(|(local, _)| {
            self.sink().local_set(*local);
        });
        if let Some(state) = self.state {
            let position = self.flow.cfg.position[edge.block.index()];
            let out = self.labels.iter().rev().position(|label| *label == Label::States).unwrap_or(0);
            self.sink().i32_const(position as i32).local_set(state).br(out as u32);
            return;
        }
        match self.label(from, edge.block) {
            Some(_) if self.falls(Label::Follow(edge.block)) => {}
            Some(out) => {
                self.sink().br(out);
            }
            None => self.tasks.push(Task::Tree(edge.block)),
        }
    }

    /// Whether code that ends here goes on where a label leads anyway.
    fn falls(&self, to: Label) -> bool {
        let mut labels = self.labels.iter().rev();
        let mut skipping = false;
        for task in self.tasks.iter().rev() {
            match task {
                Task::End => {
                    skipping = false;
                    if labels.next() == Some(&to) {
                        return true;
                    }
                }
                Task::Else => skipping = true,
                Task::Edge(..) if skipping => {}
                Task::Tree(_) | Task::Within(..) | Task::State(_) | Task::Edge(..) => return false,
            }
        }
        false
    }

    fn switch(&mut self, block: Block, value: Value, cases: &[(u64, Edge)]) {
        // One arm for each different edge; the last is for all other numbers.
        let end = self.end_of(block);
        let mut arms: Vec<usize> = vec![];
        let mut arm_of = vec![];
        for number in 0..=cases.len() {
            let same = |other: &usize| edge(end, *other) == edge(end, number);
            let found = if arms.len() > 64 { None } else { arms.iter().position(same) };
            arm_of.push(found.unwrap_or_else(|| {
                arms.push(number);
                arms.len() - 1
            }));
        }
        let other = arm_of[cases.len()] as u32;
        let ty = self.writer.ty(value);
        let again = self.writer.twice_extended(value);
        for _ in &arms {
            self.sink().block(BlockType::Empty);
            self.labels.push(Label::Arm);
        }
        let wide = types::of(ty) == ValType::I64;
        let (least, most) = cases
            .iter()
            .fold((u64::MAX, 0), |(least, most), (number, _)| (least.min(*number), most.max(*number)));
        let spread = most.wrapping_sub(least);
        if cases.len() > 3 && spread / SPARSE < cases.len() as u64 {
            let mut table = vec![other; spread as usize + 1];
            for (at, (number, _)) in cases.iter().enumerate().rev() {
                table[(number - least) as usize] = arm_of[at] as u32;
            }
            self.writer.push(again);
            if wide {
                let within = self.writer.scratch(ValType::I64);
                self.sink().i64_const(least as i64).i64_sub().local_tee(within);
                self.sink().i64_const(spread as i64).i64_gt_u().br_if(other);
                self.sink().local_get(within).i32_wrap_i64();
                self.writer.give_back(within);
            } else if least != 0 {
                self.sink().i32_const(least as i32).i32_sub();
            }
            self.sink().br_table(table, other);
        } else {
            for (at, (number, _)) in cases.iter().enumerate() {
                self.writer.push(again);
                let mut sink = self.sink();
                if wide {
                    sink.i64_const(*number as i64).i64_eq();
                } else {
                    sink.i32_const(*number as i32).i32_eq();
                }
                sink.br_if(arm_of[at] as u32);
            }
            self.sink().br(other);
        }
        self.writer.done(again);
        for arm in arms.into_iter().rev() {
            self.tasks.extend([Task::Edge(block, arm), Task::End]);
        }
    }

    /// A loop around a table of jumps to all blocks.
    fn states(&mut self) {
        let state = self.writer.locals.add(ValType::I32);
        self.state = Some(state);
        let order = &self.flow.cfg.order;
        self.sink().loop_(BlockType::Empty);
        self.labels.push(Label::States);
        self.tasks.push(Task::End);
        for block in order.iter().rev() {
            self.tasks.extend([Task::State(*block), Task::End]);
        }
        for block in order.iter().rev() {
            self.sink().block(BlockType::Empty);
            self.labels.push(Label::Follow(*block));
        }
        let count = order.len() as u32;
        self.sink().local_get(state).br_table(0..count, count - 1);
    }
}
