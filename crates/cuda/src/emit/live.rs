//! Where values are live, in terms of what the selection reads and defines.

use super::order;
use super::select::Selection;
use crate::ir::{Block, Function, Inst, Op, Terminator, Value};

/// Positions within a block: a parameter is defined at 0, the instruction at `i` reads at `4 i + 1` and writes at `4 i + 2`.
type Position = u32;

/// Liveness of a function.
pub(super) struct Liveness {
    /// Block and position of each definition.
    definitions: Vec<Option<(Block, Position)>>,
    /// Last reads of each value, by block.
    reads: Vec<Vec<(Block, Position)>>,
    /// Number of each value that lives in more than one block.
    global: Vec<Option<u32>>,
    /// For each block, bits of the global values that live at its beginning and at its end.
    live_in: Vec<Vec<u64>>,
    live_out: Vec<Vec<u64>>,
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
            reads: vec![vec![]; function.values.len()],
            global: vec![None; function.values.len()],
            live_in: vec![vec![]; function.blocks.len()],
            live_out: vec![vec![]; function.blocks.len()],
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
                Terminator::Return(Some(value)) => read(&[*value]),
                Terminator::Switch(..) | Terminator::Return(None) | Terminator::Unreachable => {}
            }
            found.drain(..).for_each(|value| self.read(value, *block, end));
        }
    }

    fn read(&mut self, value: Value, block: Block, at: Position) {
        match self.reads[value.index()].last_mut() {
            Some(last) if last.0 == block => last.1 = at.max(last.1),
            _ => self.reads[value.index()].push((block, at)),
        }
    }

    fn solve(&mut self, function: &Function, layout: &[Block]) {
        let mut count = 0;
        for (index, reads) in self.reads.iter().enumerate() {
            let home = self.definitions[index].map(|(block, _)| block);
            if reads.iter().any(|(block, _)| Some(*block) != home) {
                self.global[index] = Some(count);
                count += 1;
            }
        }
        let words = count.div_ceil(64) as usize;
        for block in layout {
            self.live_in[block.index()] = vec![0; words];
            self.live_out[block.index()] = vec![0; words];
        }
        let mut defined = vec![vec![0u64; words]; function.blocks.len()];
        for (index, number) in self.global.iter().enumerate() {
            let Some(number) = *number else { continue };
            let home = self.definitions[index].map(|(block, _)| block);
            if let Some(home) = home {
                set(&mut defined[home.index()], number);
            }
            for (block, _) in self.reads[index].iter().filter(|(block, _)| Some(*block) != home) {
                set(&mut self.live_in[block.index()], number);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in layout.iter().rev() {
                for successor in order::successors(&function.blocks[block.index()].end) {
                    for (word, defined) in defined[block.index()].iter().enumerate() {
                        let new = self.live_in[successor.index()][word] & !self.live_out[block.index()][word];
                        if new != 0 {
                            self.live_out[block.index()][word] |= new;
                            self.live_in[block.index()][word] |= new & !defined;
                            changed = true;
                        }
                    }
                }
            }
        }
    }

    /// Whether a value is live at the beginning of a block (its parameters are not).
    pub(super) fn enters(&self, value: Value, block: Block) -> bool {
        self.global[value.index()].is_some_and(|number| has(&self.live_in[block.index()], number))
    }

    fn leaves(&self, value: Value, block: Block) -> bool {
        self.global[value.index()].is_some_and(|number| has(&self.live_out[block.index()], number))
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
        self.reads[value.index()].iter().any(|(read, last)| *read == block && *last > at)
    }

    /// Whether two values must not share a register.
    pub(super) fn interfere(&self, a: Value, b: Value) -> bool {
        self.live_at_definition(a, b) || self.live_at_definition(b, a)
    }
}

/// Whether an instruction's text may write a result before it has read all operands.
fn early(function: &Function, inst: Inst) -> bool {
    matches!(function.insts[inst.index()].op, Op::Asm(_) | Op::Builtin(..) | Op::Call(_))
}
