//! Registers of values: parameters of blocks share those of their arguments where neither is needed while the other is.

use super::live::Liveness;
use super::operand::{CLASSES, Class, Register};
use super::select::Selection;
use crate::ir::{Block, Def, Function, Terminator, Value};
use std::fmt::Write;

/// Most pairs of values that are compared for one parameter and argument; beyond it a move is written.
const MOST_PAIRS: u32 = 1 << 12;

/// Registers of a function.
pub(super) struct Registers {
    /// Value that each value shares its register with.
    leader: Vec<Value>,
    /// The next of those that share a register, in a circle.
    next: Vec<Value>,
    /// How many share each leader's register.
    sizes: Vec<u32>,
    /// Numbers given to leaders, as the text first names them.
    numbers: Vec<Option<u32>>,
    /// Registers of each class so far; numbers begin at 1.
    counts: [u32; CLASSES.len()],
}

impl Registers {
    /// Decides what shares a register.
    pub(super) fn new(function: &Function, layout: &[Block], selection: &Selection, live: &Liveness) -> Self {
        let count = function.values.len();
        let mut this = Self {
            leader: (0..count as u32).map(Value).collect(),
            next: (0..count as u32).map(Value).collect(),
            sizes: vec![1; count],
            numbers: vec![None; count],
            counts: [0; CLASSES.len()],
        };
        for block in layout {
            if let Terminator::Jump(edge) = &function.blocks[block.index()].end {
                let params = &function.blocks[edge.block.index()].params;
                for (param, arg) in params.iter().zip(&edge.args) {
                    if selection.uses[param.index()] > 0 && has_register(function, selection, *arg) {
                        this.share(function, live, *param, *arg);
                    }
                }
            }
        }
        this
    }

    fn share(&mut self, function: &Function, live: &Liveness, param: Value, arg: Value) {
        let (a, b) = (self.leader[param.index()], self.leader[arg.index()]);
        if a == b || Class::of(function.ty(param)) != Class::of(function.ty(arg)) {
            return;
        }
        let (first, second) = (self.sizes[a.index()], self.sizes[b.index()]);
        if first.saturating_mul(second) > MOST_PAIRS
            || self.sharing(a).any(|x| self.sharing(b).any(|y| live.interfere(x, y)))
        {
            return;
        }
        let mut value = b;
        for _ in 0..second {
            self.leader[value.index()] = a;
            value = self.next[value.index()];
        }
        // Two circles become one.
        self.next.swap(a.index(), b.index());
        self.sizes[a.index()] = first + second;
    }

    /// Values that share a register with this.
    pub(super) fn sharing(&self, value: Value) -> impl Iterator<Item = Value> {
        let onward = move |last: &Value| Some(self.next[last.index()]).filter(|next| *next != value);
        std::iter::successors(Some(value), onward)
    }

    /// Register of a value.
    pub(super) fn of(&mut self, function: &Function, value: Value) -> Register {
        let class = Class::of(function.ty(value));
        let leader = self.leader[value.index()];
        if let Some(number) = self.numbers[leader.index()] {
            return Register { class, number };
        }
        let register = self.fresh(class);
        self.numbers[leader.index()] = Some(register.number);
        register
    }

    /// Whether two values lie in one register.
    pub(super) fn same(&self, a: Value, b: Value) -> bool {
        self.leader[a.index()] == self.leader[b.index()]
    }

    /// Register that no value has.
    pub(super) fn fresh(&mut self, class: Class) -> Register {
        let count = &mut self.counts[class as usize];
        *count += 1;
        Register { class, number: *count }
    }

    /// Declarations of all registers named so far.
    pub(super) fn declare(&self, out: &mut String) {
        for class in CLASSES {
            let count = self.counts[class as usize];
            if count > 0 {
                let _ = writeln!(out, "\t.reg .{} \t{}<{}>;", class.declared(), class.prefix(), count + 1);
            }
        }
    }
}

/// Whether a value lies in a register of its own.
pub(super) fn has_register(function: &Function, selection: &Selection, value: Value) -> bool {
    match function.values[value.index()].def {
        Def::Result(..) => !selection.folded(value),
        Def::Param(block, _) => !super::select::in_memory(function, block, value),
        Def::Constant(_) | Def::Undefined | Def::Alias(_) => false,
    }
}
