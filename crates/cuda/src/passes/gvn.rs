//! Global value numbering.
//!
//! Enters: a function. Leaves: it with every pure value computed once where one computation dominates the other, and with
//! what branches have decided known behind them (LLVM's `GVN` and `CorrelatedValuePropagation`).

use super::effects::{Effect, effect};
use super::simplify::{inverted, swapped};
use crate::hash::Map;
use crate::ir::cfg::Cfg;
use crate::ir::dominators::Dominators;
use crate::ir::print::without_wrap;
use crate::ir::{Binary, Block, Compare, Def, Function, Inst, Op, Terminator, Type, Unary, Value};

/// Numbers values; whether any was replaced.
pub(crate) fn run(function: &mut Function) -> bool {
    super::resolve_operands(function);
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut numbering = Numbering {
        function,
        table: Map::default(),
        facts: Map::default(),
        constants: Map::default(),
        undo: Vec::new(),
        changed: false,
    };
    numbering.walk(&cfg, &dominators);
    let changed = numbering.changed;
    super::resolve_operands(function);
    changed
}

/// What two instructions share that compute the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    op: Kind,
    ty: Type,
    args: [Value; 3],
    /// Operands behind the third, which few have.
    more: Vec<Value>,
}

/// Operation without what it promises.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Unary(Unary),
    Binary(Binary),
    Compare(Compare),
    Select,
    Fma,
    Convert(crate::ir::Convert),
    Global(u32),
    Offset,
    /// Row of the table, by its place in memory, and letter.
    Builtin(usize, u8),
}

enum Undo {
    Table(Key, Option<Value>),
    Fact(Value, Option<Value>),
}

struct Numbering<'a> {
    function: &'a mut Function,
    table: Map<Key, Value>,
    /// What stands for a value behind a branch.
    facts: Map<Value, Value>,
    constants: Map<(Type, u64), Value>,
    undo: Vec<Undo>,
    changed: bool,
}

impl Numbering<'_> {
    fn walk(&mut self, cfg: &Cfg, dominators: &Dominators) {
        let mut stack = vec![(Block(0), 0, 0)];
        self.block(Block(0));
        while let Some((block, child, mark)) = stack.last_mut() {
            if let Some(next) = dominators.children(*block).get(*child).copied() {
                *child += 1;
                stack.push((next, 0, self.undo.len()));
                self.enter(cfg, next);
                self.block(next);
            } else {
                let mark = *mark;
                stack.pop();
                while self.undo.len() > mark {
                    match self.undo.pop() {
                        Some(Undo::Table(key, Some(value))) => drop(self.table.insert(key, value)),
                        Some(Undo::Table(key, None)) => drop(self.table.remove(&key)),
                        Some(Undo::Fact(value, Some(other))) => drop(self.facts.insert(value, other)),
                        Some(Undo::Fact(value, None)) => drop(self.facts.remove(&value)),
                        None => {}
                    }
                }
            }
        }
    }

    /// Learns what the branch to a block has decided.
    fn enter(&mut self, cfg: &Cfg, block: Block) {
        let [pred] = cfg.preds(block) else { return };
        match &self.function.blocks[pred.index()].end {
            Terminator::Branch(predicate, yes, no) if yes.block != no.block => {
                let (predicate, holds) = (*predicate, yes.block == block);
                self.learn(predicate, holds, 4);
            }
            Terminator::Switch(value, cases, other) if other.block != block => {
                let mut ways = cases.iter().filter(|(_, edge)| edge.block == block);
                if let (Some((bits, _)), None) = (ways.next(), ways.next()) {
                    let (value, ty, bits) = (*value, self.function.ty(*value), *bits);
                    let constant = self.make_constant(ty, bits);
                    self.fact(value, constant);
                }
            }
            _ => {}
        }
    }

    fn learn(&mut self, predicate: Value, holds: bool, depth: u32) {
        let predicate = self.function.resolve(predicate);
        if depth == 0 || self.function.constant(predicate).is_some() {
            return;
        }
        let truth = self.make_constant(Type::Pred, u64::from(holds));
        self.fact(predicate, truth);
        let Def::Result(inst, _) = self.function.values[predicate.index()].def else { return };
        let data = &self.function.insts[inst.index()];
        let (op, args) = (data.op.clone(), data.args.clone());
        match (&op, args.as_slice()) {
            (Op::Unary(Unary::Not), [a]) => self.learn(*a, !holds, depth - 1),
            (Op::Binary(Binary::And), [a, b]) if holds => {
                self.learn(*a, true, depth - 1);
                self.learn(*b, true, depth - 1);
            }
            (Op::Binary(Binary::Or), [a, b]) if !holds => {
                self.learn(*a, false, depth - 1);
                self.learn(*b, false, depth - 1);
            }
            (Op::Compare(compare), [a, b]) => {
                let compare = *compare;
                let opposite = self.make_constant(Type::Pred, u64::from(!holds));
                for (compare, value) in [(compare, truth), (inverted(compare), opposite)] {
                    if let Some(key) = self.key(&Op::Compare(compare), Type::Pred, &args) {
                        self.number(key, value);
                    }
                }
                let equal = matches!((compare, holds), (Compare::Eq, true) | (Compare::Ne, false));
                let integer = !matches!(self.function.ty(*a), Type::F32 | Type::F64 | Type::Ptr(_));
                if equal && integer && self.function.constant(*b).is_some() {
                    let b = self.canonical(*b);
                    self.fact(*a, b);
                }
            }
            _ => {}
        }
    }

    fn fact(&mut self, value: Value, is: Value) {
        let value = self.function.resolve(value);
        if value != is && self.function.constant(value).is_none() {
            let before = self.facts.insert(value, is);
            self.undo.push(Undo::Fact(value, before));
        }
    }

    fn number(&mut self, key: Key, value: Value) {
        let before = self.table.insert(key.clone(), value);
        self.undo.push(Undo::Table(key, before));
    }

    fn make_constant(&mut self, ty: Type, bits: u64) -> Value {
        let function = &mut *self.function;
        *self.constants.entry((ty, bits)).or_insert_with(|| function.value(ty, Def::Constant(bits)))
    }

    /// One value for all equal constants.
    fn canonical(&mut self, value: Value) -> Value {
        let value = self.function.resolve(value);
        match self.function.values[value.index()].def {
            Def::Constant(bits) => self.make_constant(self.function.ty(value), bits),
            Def::Result(..) | Def::Param(..) | Def::Undefined | Def::Alias(_) => value,
        }
    }

    fn known(&self, value: Value) -> Value {
        let value = self.function.resolve(value);
        self.facts.get(&value).copied().unwrap_or(value)
    }

    fn block(&mut self, block: Block) {
        let insts = std::mem::take(&mut self.function.blocks[block.index()].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            if !self.inst(inst) {
                out.push(inst);
            }
        }
        self.function.blocks[block.index()].insts = out;
        let mut end = std::mem::take(&mut self.function.blocks[block.index()].end);
        let mut changed = false;
        end.for_each_use_mut(|value| {
            let new = self.known(*value);
            changed |= new != *value;
            *value = new;
        });
        self.changed |= changed;
        self.function.blocks[block.index()].end = end;
    }

    /// Whether an instruction is computed already.
    fn inst(&mut self, inst: Inst) -> bool {
        let mut args = std::mem::take(&mut self.function.insts[inst.index()].args);
        for arg in &mut args {
            let new = self.known(*arg);
            self.changed |= new != self.function.resolve(*arg);
            *arg = new;
        }
        let data = &self.function.insts[inst.index()];
        let pure = match data.results.as_slice() {
            [result] if effect(&data.op) == Effect::Pure && !matches!(data.op, Op::Asm(_)) => Some(*result),
            _ => None,
        };
        let found = pure.and_then(|result| {
            let op = self.function.insts[inst.index()].op.clone();
            let key = self.key(&op, self.function.ty(result), &args)?;
            Some((result, op, key))
        });
        self.function.insts[inst.index()].args = args;
        let Some((result, op, key)) = found else { return false };
        if let Some(known) = self.table.get(&key) {
            let known = *known;
            self.weaken(known, &op);
            self.function.replace(result, known);
            self.changed = true;
            return true;
        }
        self.number(key, result);
        false
    }

    /// The one that stays promises no more than the other did.
    fn weaken(&mut self, known: Value, other: &Op) {
        let Def::Result(inst, _) = self.function.values[known.index()].def else { return };
        let (Op::Binary(mine), Op::Binary(other)) = (&mut self.function.insts[inst.index()].op, other) else {
            return;
        };
        let ((_, first), (_, second)) = (without_wrap(*mine), without_wrap(*other));
        let wrap = crate::ir::Wrap { nsw: first.nsw && second.nsw, nuw: first.nuw && second.nuw };
        match mine {
            Binary::Add(mine) | Binary::Sub(mine) | Binary::Mul(mine) | Binary::Shl(mine) => *mine = wrap,
            _ => {}
        }
    }

    fn key(&mut self, op: &Op, ty: Type, args: &[Value]) -> Option<Key> {
        let more = args.get(3..).unwrap_or_default().iter().map(|arg| self.canonical(*arg)).collect();
        let given = args;
        let mut args = [Value(u32::MAX); 3];
        for (arg, given) in args.iter_mut().zip(given) {
            *arg = self.canonical(*given);
        }
        let kind = match op {
            Op::Unary(op) => Kind::Unary(*op),
            Op::Binary(op) => {
                if let [a, b, _] = &mut args
                    && commutes(*op)
                    && *a > *b
                {
                    std::mem::swap(a, b);
                }
                Kind::Binary(without_wrap(*op).0)
            }
            Op::Compare(op) => {
                let mut op = *op;
                if let [a, b, _] = &mut args
                    && *a > *b
                {
                    std::mem::swap(a, b);
                    op = swapped(op);
                }
                Kind::Compare(op)
            }
            Op::Select => Kind::Select,
            Op::Fma => Kind::Fma,
            Op::Convert(op) => Kind::Convert(*op),
            Op::Global(global) => Kind::Global(global.0),
            Op::Offset => Kind::Offset,
            Op::Builtin(row, letter) => Kind::Builtin(std::ptr::from_ref(*row).addr(), *letter),
            // Each slot is its own; the text of assembly is not compared.
            Op::Slot { .. }
            | Op::Load(_)
            | Op::Store(_)
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::Call(_)
            | Op::Asm(_) => return None,
        };
        Some(Key { op: kind, ty, args, more })
    }
}

fn commutes(op: Binary) -> bool {
    super::simplify::commutes(op)
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    fn run(text: &str) -> String {
        changed(text, |function, _| super::run(function))
    }

    #[test]
    fn what_dominates_is_not_computed_again() {
        let text = "function @f(x, y, p) -> i32 {\nb0(x: i32, y: i32, p: pred):\n  a: i32 = add.nsw x, y\n  branch p, b1, b2\nb1:\n  b: i32 = add y, x\n  return b\nb2:\n  return a\n}";
        let after = run(text);
        assert_eq!(after.matches(" add").count(), 1, "{after}");
        assert!(!after.contains("nsw"), "{after}");
    }

    #[test]
    fn what_does_not_dominate_is_computed_again() {
        let text = "function @f(x, p) -> i32 {\nb0(x: i32, p: pred):\n  branch p, b1, b2\nb1:\n  a: i32 = add x, 1:i32\n  return a\nb2:\n  b: i32 = add x, 1:i32\n  return b\n}";
        assert_eq!(run(text).matches("add").count(), 2);
    }

    #[test]
    fn a_branch_decides_what_follows_it() {
        let text = "function @f(x, y) -> i32 {\nb0(x: i32, y: i32):\n  p: pred = cmp.slt x, y\n  branch p, b1, b2\nb1:\n  q: pred = cmp.sge x, y\n  branch q, b3, b2\nb2:\n  return 1:i32\nb3:\n  return 2:i32\n}";
        assert!(run(text).contains("branch 0:pred"));
    }

    #[test]
    fn behind_an_equality_the_constant_is_known() {
        let text = "function @f(x) -> i32 {\nb0(x: i32):\n  p: pred = cmp.eq x, 5:i32\n  branch p, b1, b2\nb1:\n  return x\nb2:\n  return x\n}";
        let after = run(text);
        assert!(after.contains("return 5:i32") && after.contains("return v0"), "{after}");
    }
}
