//! Where values are live, in terms of what the selection reads and defines.

use super::select::Selection;
use crate::ir::{Block, Function, Inst, Op, Terminator, Value};

/// Positions within a block: a parameter is defined at 0, the instruction at `i` reads at `4 i + 1` and writes at `4 i + 2`.
type Position = u32;

/// Liveness of a function.
pub(super) struct Liveness {
    /// Block and position of each definition.
    definitions: Vec<Option<(Block, Position)>>,
    /// Last read of each value in the block that was read last, as its place in `reads`.
    last_reads: Vec<Option<u32>>,
    /// Last reads of a value in a block, each with the one of another block that was entered before.
    reads: Vec<Read>,
    /// Number of each value that lives in more than one block.
    global: Vec<Option<u32>>,
    /// Words that the bits of the global values take.
    words: usize,
    /// For each block, bits of the global values that live at its beginning and at its end.
    live_in: Vec<u64>,
    live_out: Vec<u64>,
}

/// Last read of a value in a block.
struct Read {
    block: Block,
    at: Position,
    before: Option<u32>,
}

fn has(bits: &[u64], number: u32) -> bool {
    bits.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
}

fn set(bits: &mut [u64], number: u32) {
    if let Some(word) = bits.get_mut(number as usize / 64) {
        *word |= 1 << (number % 64);
    }
}

impl Liveness {
    /// Liveness of a legal function.
    pub(super) fn new(function: &Function, layout: &[Block], selection: &Selection) -> Self {
        let mut this = Self {
            definitions: vec![None; function.values.len()],
            last_reads: vec![None; function.values.len()],
            reads: Vec::with_capacity(function.values.len()),
            global: vec![None; function.values.len()],
            words: 0,
            live_in: vec![],
            live_out: vec![],
        };
        this.scan(function, layout, selection);
        this.solve(function, layout);
        this
    }

    fn scan(&mut self, function: &Function, layout: &[Block], selection: &Selection) {
        let mut found = vec![];
        for block in layout {
            let data = &function.blocks[block.index()];
            for param in &data.params {
                self.definitions[param.index()] = Some((*block, 0));
            }
            for (at, inst) in data.insts.iter().enumerate() {
                if !selection.written(*inst) {
                    continue;
                }
                let at = at as u32 * 4;
                selection.reads(function, *inst, &mut found);
                // Several instructions of a text may write before they read.
                let read = at + if early(function, *inst) { 3 } else { 1 };
                found.drain(..).for_each(|value| self.read(value, *block, read));
                selection.defines(function, *inst, &mut found);
                found.drain(..).for_each(|value| self.definitions[value.index()] = Some((*block, at + 2)));
            }
            let end = data.insts.len() as u32 * 4 + 1;
            let mut read = |values: &[Value]| {
                values.iter().for_each(|value| selection.needs(function, *value, &mut found))
            };
            match &data.end {
                Terminator::Jump(edge) => read(&edge.args),
                Terminator::Branch(condition, ..) => read(&[*condition]),
                Terminator::Return(values) => read(values),
                Terminator::Switch(..) | Terminator::Unreachable => {}
            }
            found.drain(..).for_each(|value| self.read(value, *block, end));
        }
    }

    fn read(&mut self, value: Value, block: Block, at: Position) {
        let before = self.last_reads[value.index()];
        match before.and_then(|last| self.reads.get_mut(last as usize)) {
            Some(last) if last.block == block => last.at = at.max(last.at),
            _ => {
                self.last_reads[value.index()] = Some(self.reads.len() as u32);
                self.reads.push(Read { block, at, before });
            }
        }
    }

    fn reads(&self, value: usize) -> impl Iterator<Item = &Read> {
        let read = |at: Option<u32>| self.reads.get(at? as usize);
        std::iter::successors(read(self.last_reads[value]), move |last| read(last.before))
    }

    /// Words of a block in `live_in` and `live_out`.
    fn of(&self, block: Block) -> std::ops::Range<usize> {
        block.index() * self.words..(block.index() + 1) * self.words
    }

    fn solve(&mut self, function: &Function, layout: &[Block]) {
        let mut count = 0;
        for index in 0..self.global.len() {
            let home = self.definitions[index].map(|(block, _)| block);
            if self.reads(index).any(|read| Some(read.block) != home) {
                self.global[index] = Some(count);
                count += 1;
            }
        }
        self.words = count.div_ceil(64) as usize;
        self.live_in = vec![0; self.words * function.blocks.len()];
        self.live_out = self.live_in.clone();
        let mut defined = self.live_in.clone();
        for (index, number) in self.global.iter().enumerate() {
            let Some(number) = *number else { continue };
            let home = self.definitions[index].map(|(block, _)| block);
            if let Some(home) = home {
                set(&mut defined[self.of(home)], number);
            }
            let mut read = self.last_reads[index];
            while let Some(Read { block, before, .. }) = read.and_then(|at| self.reads.get(at as usize)) {
                if Some(*block) != home {
                    let block = self.of(*block);
                    set(&mut self.live_in[block], number);
                }
                read = *before;
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in layout.iter().rev() {
                let here = self.of(*block);
                for edge in function.blocks[block.index()].end.edges() {
                    for (at, from) in here.clone().zip(self.of(edge.block)) {
                        let new = self.live_in[from] & !self.live_out[at];
                        if new != 0 {
                            self.live_out[at] |= new;
                            self.live_in[at] |= new & !defined[at];
                            changed = true;
                        }
                    }
                }
            }
        }
    }

    /// Whether a value is live at the beginning of a block (its parameters are not).
    pub(super) fn enters(&self, value: Value, block: Block) -> bool {
        self.global[value.index()].is_some_and(|number| has(&self.live_in[self.of(block)], number))
    }

    fn leaves(&self, value: Value, block: Block) -> bool {
        self.global[value.index()].is_some_and(|number| has(&self.live_out[self.of(block)], number))
    }

    /// Whether a value is live just after another is defined.
    fn live_at_definition(&self, value: Value, other: Value) -> bool {
        let (Some((block, at)), Some((home, defined))) =
            (self.definitions[other.index()], self.definitions[value.index()])
        else {
            return false;
        };
        if home == block {
            if defined > at {
                return false;
            }
        } else if !self.enters(value, block) {
            return false;
        }
        if self.leaves(value, block) || defined == at && home == block {
            return true;
        }
        self.reads(value.index()).any(|read| read.block == block && read.at > at)
    }

    /// Whether two values must not share a register.
    pub(super) fn interfere(&self, a: Value, b: Value) -> bool {
        self.live_at_definition(a, b) || self.live_at_definition(b, a)
    }
}

/// Whether an instruction's text may write a result before it has read all operands.
fn early(function: &Function, inst: Inst) -> bool {
    matches!(function.insts[inst.index()].op, Op::Asm(_) | Op::Builtin(..) | Op::Call(_) | Op::CallIndirect)
}
