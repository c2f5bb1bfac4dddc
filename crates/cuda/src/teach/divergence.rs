//! What differs between the threads of a block.
//!
//! Enters: a kernel in which calls are inlined and variables are values. Leaves: which values depend on the thread, and for
//! each block the branch under which not all threads come to it. What cannot be known is taken for the same in all threads, so that what is
//! reported is certain. This module must never know what it is asked for.

use crate::builtin::Meaning;
use crate::ir::cfg::Cfg;
use crate::ir::dominators::PostDominators;
use crate::ir::{Binary, Block, Def, Edge, Function, InstData, Op, Terminator, Value};

/// Whether a value differs between the threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Differs {
    /// Not as far as is known.
    No,
    /// In large blocks, perhaps not in this one: see [`coarse`].
    Perhaps,
    /// For certain.
    Yes,
}

/// What differs between threads.
pub(super) struct Divergence {
    /// By value.
    values: Vec<Differs>,
    /// By block: the block whose branch only some threads take this way.
    branches: Vec<Option<Block>>,
}

impl Divergence {
    /// Looks at a function, in which threads may `leave` early: barriers do not wait for those that have returned.
    pub(super) fn new(function: &Function, leave: bool) -> Self {
        let function = &returning(function);
        let cfg = Cfg::new(function);
        let after = PostDominators::new(function, &cfg);
        let mut found = Self {
            values: vec![Differs::No; function.values.len()],
            branches: vec![None; function.blocks.len()],
        };
        // Each iteration makes at least one more value or block divergent.
        while found.turn(function, &cfg, &after, leave) {}
        found
    }

    /// Whether a value differs between the threads of a block.
    pub(super) fn value(&self, function: &Function, value: Value) -> bool {
        self.of(function, value) == Differs::Yes
    }

    /// Whether a value may differ between the threads of a block.
    pub(super) fn may_differ(&self, function: &Function, value: Value) -> bool {
        self.of(function, value) != Differs::No
    }

    fn of(&self, function: &Function, value: Value) -> Differs {
        self.values.get(function.resolve(value).index()).copied().unwrap_or(Differs::No)
    }

    /// How what an operation computes differs.
    fn of_result(&self, function: &Function, data: &InstData) -> Differs {
        if source(&data.op) {
            return Differs::Yes;
        }
        if !carries(&data.op) {
            return Differs::No;
        }
        let of_args = data.args.iter().map(|arg| self.of(function, *arg)).max().unwrap_or(Differs::No);
        if of_args == Differs::Yes && coarse(function, data) { Differs::Perhaps } else { of_args }
    }

    /// The branch under which a block is run by some threads alone.
    pub(super) fn branch(&self, block: Block) -> Option<Block> {
        self.branches.get(block.index()).copied().flatten()
    }

    fn turn(&mut self, function: &Function, cfg: &Cfg, after: &PostDominators, leave: bool) -> bool {
        let mut changed = false;
        for block in &cfg.order {
            let Some(data) = function.blocks.get(block.index()) else { continue };
            for inst in &data.insts {
                let Some(data) = function.insts.get(inst.index()) else { continue };
                let differs = self.of_result(function, data);
                for result in &data.results {
                    changed |= self.mark(*result, differs);
                }
            }
            for edge in data.end.edges() {
                let params = function.blocks.get(edge.block.index()).map(|to| to.params.as_slice());
                for (param, arg) in params.unwrap_or_default().iter().zip(&edge.args) {
                    changed |= self.mark(*param, self.of(function, *arg));
                }
            }
            let condition = match &data.end {
                Terminator::Branch(condition, yes, no) if yes.block != no.block => Some(*condition),
                Terminator::Switch(value, ..) => Some(*value),
                Terminator::Branch(..)
                | Terminator::Jump(_)
                | Terminator::Return(_)
                | Terminator::Unreachable => None,
            };
            let differs = condition.map_or(Differs::No, |condition| self.of(function, condition));
            if differs != Differs::No {
                let to = after.immediate(*block).filter(|to| !(leave && returns(function, *to)));
                if to.is_some() || !leave {
                    changed |= self.influence(function, cfg, (*block, differs), to);
                }
            }
        }
        changed
    }

    fn mark(&mut self, value: Value, differs: Differs) -> bool {
        match self.values.get_mut(value.index()) {
            Some(mark) if *mark < differs => {
                *mark = differs;
                true
            }
            Some(_) | None => false,
        }
    }

    /// Marks the blocks between a branch and where its ways meet again, and what is chosen by the way that was taken.
    fn influence(
        &mut self,
        function: &Function,
        cfg: &Cfg,
        (from, differs): (Block, Differs),
        to: Option<Block>,
    ) -> bool {
        let mut changed = false;
        let mut seen = vec![false; function.blocks.len()];
        let ends = |block: Block| {
            let data = function.blocks.get(block.index());
            data.into_iter().flat_map(|data| data.end.edges()).map(|edge| edge.block)
        };
        let mut stack: Vec<Block> = ends(from).collect();
        let mut joins: Vec<Block> = to.into_iter().collect();
        while let Some(block) = stack.pop() {
            if Some(block) == to {
                continue;
            }
            let Some(mark) = seen.get_mut(block.index()) else { continue };
            if std::mem::replace(mark, true) {
                continue;
            }
            if let Some(branch) = self.branches.get_mut(block.index())
                && differs == Differs::Yes
                && branch.is_none()
            {
                *branch = Some(from);
                changed = true;
            }
            joins.push(block);
            stack.extend(ends(block));
        }
        if let Some(mark) = seen.get_mut(from.index()) {
            *mark = true;
        }
        for join in joins {
            changed |= self.choose(function, cfg, (join, differs), &seen);
        }
        changed
    }

    /// Parameters of a block that are given different values on the ways from a branch differ between threads.
    fn choose(
        &mut self,
        function: &Function,
        cfg: &Cfg,
        (join, differs): (Block, Differs),
        ways: &[bool],
    ) -> bool {
        let Some(data) = function.blocks.get(join.index()) else { return false };
        let mut changed = false;
        for (number, param) in data.params.iter().enumerate() {
            let mut given = vec![];
            for from in cfg.preds(join) {
                if !ways.get(from.index()).copied().unwrap_or(false) {
                    continue;
                }
                let Some(from) = function.blocks.get(from.index()) else { continue };
                let edges = from.end.edges().filter(|edge| edge.block == join);
                given
                    .extend(edges.filter_map(|edge| edge.args.get(number)).map(|arg| function.resolve(*arg)));
            }
            let same = given.windows(2).all(|pair| same(function, pair));
            if !same {
                changed |= self.mark(*param, differs);
            }
        }
        changed
    }
}

/// The function without the ways that end the program (`__trap`, a failed assertion): who goes there never comes back.
fn returning(function: &Function) -> Function {
    let mut function = function.clone();
    let mut ends: Vec<bool> =
        function.blocks.iter().map(|block| block.end == Terminator::Unreachable).collect();
    loop {
        let dead = |edge: &Edge| ends.get(edge.block.index()).copied().unwrap_or(false);
        let mut more = vec![];
        for (number, block) in function.blocks.iter_mut().enumerate() {
            match &block.end {
                Terminator::Branch(_, yes, no) if dead(yes) != dead(no) => {
                    block.end = Terminator::Jump(if dead(yes) { no.clone() } else { yes.clone() });
                }
                Terminator::Branch(_, yes, no) if dead(yes) && dead(no) => more.push(number),
                Terminator::Jump(to) if dead(to) => more.push(number),
                Terminator::Branch(..)
                | Terminator::Jump(_)
                | Terminator::Switch(..)
                | Terminator::Return(_)
                | Terminator::Unreachable => {}
            }
        }
        let mut changed = false;
        for number in more {
            if let Some(end) = ends.get_mut(number) {
                changed |= !std::mem::replace(end, true);
            }
        }
        if !changed {
            return function;
        }
    }
}

/// Whether a block does nothing but return.
fn returns(function: &Function, block: Block) -> bool {
    let data = function.blocks.get(block.index());
    data.is_some_and(|data| data.insts.is_empty() && matches!(data.end, Terminator::Return(_)))
}

fn same(function: &Function, pair: &[Value]) -> bool {
    match pair {
        [a, b] => {
            a == b || (function.constant(*a).is_some() && function.constant(*a) == function.constant(*b))
        }
        _ => true,
    }
}

/// Fewest neighbouring threads that a block may consist of where an index is divided by their number: those of more than a warp.
const GROUP: u64 = 64;

/// Whether a value may be the same in all threads of a block although it is made of their indices: a quotient, which is that
/// where a block has at most as many threads as the divisor, and a multiple of it, as in `i / L * L` and `i - i % L`.
fn coarse(function: &Function, data: &InstData) -> bool {
    let defined = |value: Value| {
        let Def::Result(inst, _) = function.values.get(function.resolve(value).index())?.def else {
            return None;
        };
        function.insts.get(inst.index())
    };
    let [a, b] = *data.args.as_slice() else { return false };
    match data.op {
        Op::Binary(Binary::SDiv | Binary::UDiv) => function.constant(b).is_none_or(|by| by >= GROUP),
        Op::Binary(Binary::LShr | Binary::AShr) => {
            function.constant(b).is_none_or(|by| 1u64 << (by & 63) >= GROUP)
        }
        Op::Binary(Binary::And) => {
            [a, b].iter().any(|mask| function.constant(*mask).is_some_and(|mask| mask.trailing_zeros() >= 6))
        }
        Op::Binary(Binary::Sub(_)) => defined(b).is_some_and(|rest| {
            matches!(rest.op, Op::Binary(Binary::SRem | Binary::URem))
                && rest.args.first().is_some_and(|of| function.resolve(*of) == function.resolve(a))
                && rest.args.get(1).is_some_and(|by| function.constant(*by).is_none_or(|by| by >= GROUP))
        }),
        _ => false,
    }
}

/// Whether an operation gives each thread something of its own.
fn source(op: &Op) -> bool {
    match op {
        Op::Builtin(row, _) => match row.meaning {
            Meaning::Pure(ptx) => ptx.contains("%tid") || ptx.contains("%laneid"),
            Meaning::Atomic(..) | Meaning::AtomicOrdered(_) => true,
            Meaning::Known(_)
            | Meaning::Warp(_)
            | Meaning::State(_)
            | Meaning::Fence(_)
            | Meaning::Barrier(_)
            | Meaning::End(_)
            | Meaning::Load(_)
            | Meaning::Store(_)
            | Meaning::LoadOrdered
            | Meaning::StoreOrdered
            | Meaning::FenceOrdered
            | Meaning::Bytes(_)
            | Meaning::Call(_)
            | Meaning::Told(_) => false,
        },
        Op::Asm(asm) => asm.text.contains("%tid") || asm.text.contains("%laneid"),
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select
        | Op::Fma
        | Op::Convert(_)
        | Op::Slot { .. }
        | Op::Global(_)
        | Op::Offset
        | Op::Load(_)
        | Op::Store(_)
        | Op::Copy { .. }
        | Op::Zero { .. }
        | Op::Function(_)
        | Op::Call(_)
        | Op::CallIndirect => false,
    }
}

/// Whether what an operation computes differs where its operands do. (What lanes exchange may be the same in all of them.)
fn carries(op: &Op) -> bool {
    match op {
        Op::Builtin(row, _) => {
            matches!(row.meaning, Meaning::Pure(_) | Meaning::Known(_) | Meaning::LoadOrdered)
        }
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Compare(_)
        | Op::Select
        | Op::Fma
        | Op::Convert(_)
        | Op::Offset
        | Op::Load(_) => true,
        Op::Slot { .. }
        | Op::Global(_)
        | Op::Store(_)
        | Op::Copy { .. }
        | Op::Zero { .. }
        | Op::Function(_)
        | Op::Call(_)
        | Op::CallIndirect
        | Op::Asm(_) => false,
    }
}

/// Name of the builtin that a value is the result of.
pub(super) fn builtin(function: &Function, value: Value) -> Option<&'static str> {
    let Def::Result(inst, 0) = function.values.get(function.resolve(value).index())?.def else { return None };
    match &function.insts.get(inst.index())?.op {
        Op::Builtin(row, _) => Some(row.name),
        _ => None,
    }
}
