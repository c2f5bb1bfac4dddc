//! What a loop holds of inner loops that were unrolled, though every iteration of it computes the same.
//!
//! Enters: an inner loop about to be unrolled, and the one around it. Leaves: how many instructions of an iteration depend on the
//! iteration's number, are no constants once it is known, and are the same in all iterations of the loop around it: indices and
//! addresses, as a rule. LLVM moves them out of that loop only after it has decided how many of its iterations become one
//! ([`super::unroll::partial`]), and counts them; our passes have moved them by then.

use super::form::Form;
use crate::hash::Map;
use crate::ir::loops::Loop;
use crate::ir::{Def, Function, Inst, Op, Value};
use crate::passes::effects::{Effect, effect};

/// Deepest expression that is looked at.
const DEPTH: u32 = 24;

/// What a value is in an inner loop whose iterations become copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A constant in each copy, or the address of a variable with one.
    Constant,
    /// The same in all iterations of both loops, and no constant.
    Fixed,
    /// Another in each copy, and the same in all iterations of the loop around.
    Held,
    /// Anything else.
    Varying,
}

/// Number of instructions of an iteration that are held.
pub(super) fn of(function: &Function, inner: &Form, outer: &Loop) -> u32 {
    let mut within = vec![false; function.insts.len()];
    for block in &outer.blocks {
        function.blocks[block.index()].insts.iter().for_each(|inst| within[inst.index()] = true);
    }
    let mut kinds = Kinds { function, inner, outer, within, known: Map::default() };
    let insts = inner.blocks.iter().flat_map(|block| &function.blocks[block.index()].insts);
    insts.filter(|inst| kinds.counts(**inst)).count() as u32
}

struct Kinds<'a> {
    function: &'a Function,
    inner: &'a Form,
    outer: &'a Loop,
    /// By instruction: whether it is in the outer loop.
    within: Vec<bool>,
    known: Map<Value, Kind>,
}

impl Kinds<'_> {
    fn counts(&mut self, inst: Inst) -> bool {
        let data = &self.function.insts[inst.index()];
        // The scaling of an index is part of the address.
        let part =
            matches!(data.op, Op::Binary(op) if matches!(op.without_wrap().0, crate::ir::Binary::Shl(_)));
        !part && data.results.first().is_some_and(|result| self.kind(*result, DEPTH) == Kind::Held)
    }

    fn kind(&mut self, value: Value, depth: u32) -> Kind {
        let value = self.function.resolve(value);
        if let Some(kind) = self.known.get(&value) {
            return *kind;
        }
        // For a parameter that depends on itself.
        self.known.insert(value, Kind::Constant);
        let kind = if depth == 0 { Kind::Varying } else { self.find(value, depth - 1) };
        self.known.insert(value, kind);
        kind
    }

    fn find(&mut self, value: Value, depth: u32) -> Kind {
        match self.function.values[value.index()].def {
            Def::Constant(_) => Kind::Constant,
            Def::Undefined | Def::Alias(_) => Kind::Varying,
            Def::Param(block, n) if block == self.inner.header => {
                let from = [self.inner.preheader, self.inner.latch];
                let turns = from.iter().flat_map(|from| self.function.blocks[from.index()].end.edges());
                let args: Vec<Option<Value>> = turns
                    .filter(|edge| edge.block == block)
                    .map(|edge| edge.args.get(n as usize).copied())
                    .collect();
                let counts =
                    |arg: &Option<Value>| arg.is_some_and(|arg| self.kind(arg, depth) == Kind::Constant);
                if args.iter().all(counts) { Kind::Constant } else { Kind::Varying }
            }
            Def::Param(block, _) if self.outer.blocks.contains(&block) => Kind::Varying,
            Def::Param(..) => Kind::Fixed,
            Def::Result(inst, _) => self.result(inst, depth),
        }
    }

    fn result(&mut self, inst: Inst, depth: u32) -> Kind {
        let data = &self.function.insts[inst.index()];
        if matches!(data.op, Op::Global(_) | Op::Function(_)) {
            return Kind::Constant;
        }
        if effect(&data.op) != Effect::Pure {
            return if self.within[inst.index()] { Kind::Varying } else { Kind::Fixed };
        }
        let kinds: Vec<Kind> = data.args.iter().map(|arg| self.kind(*arg, depth)).collect();
        let has = |kind: Kind| kinds.contains(&kind);
        match () {
            () if has(Kind::Varying) => Kind::Varying,
            () if kinds.iter().all(|kind| *kind == Kind::Constant) && !kinds.is_empty() => Kind::Constant,
            // A pointer that is no address of an array's row takes a constant into its accesses.
            () if matches!(data.op, Op::Offset) && kinds[..] == [Kind::Fixed, Kind::Constant] => {
                if self.function.offset_of(data.args[0]).is_some() {
                    self.of_turn(&data.args)
                } else {
                    Kind::Fixed
                }
            }
            () if has(Kind::Held) => Kind::Held,
            () => self.of_turn(&data.args),
        }
    }

    /// What is computed from what is fixed and from constants: it is held where one of these is another in each copy.
    fn of_turn(&self, args: &[Value]) -> Kind {
        let turn = |arg: &Value| {
            let arg = self.function.resolve(*arg);
            self.known.get(&arg) == Some(&Kind::Constant) && self.function.constant(arg).is_none()
        };
        if args.iter().any(turn) { Kind::Held } else { Kind::Fixed }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Input, Options, compile};

    /// How many iterations are one in a loop of that many iterations as a launch says, which stores and then adds these up.
    fn together(sums: &str) -> usize {
        let text = format!(
            "__global__ void k(const float *a, float *o, int n) {{ __shared__ float x[64][64]; int t = threadIdx.x; float v = 0; for (int i = 0; i < n; i++) {{ x[threadIdx.y][t] = a[i]; __syncthreads(); {sums} __syncthreads(); }} o[t] = v; }}"
        );
        let input = Input { name: "k.cu", text: &text, include: &|_| None };
        let ptx = compile(&input, &Options::default()).unwrap().ptx;
        // The rest has a loop of its own.
        match ptx.matches("bar.sync").count() / 2 {
            1 => 1,
            several => several - 1,
        }
    }

    #[test]
    fn addresses_of_an_unrolled_loop_count_as_nvrtc_counts_them() {
        let row =
            |turns: u32| together(&format!("for (int j = 0; j < {turns}; j++) v += x[threadIdx.y][j];"));
        assert_eq!([row(13), row(15), row(28), row(31)], [4, 2, 2, 1]);
        let product = |turns: u32| {
            together(&format!("for (int j = 0; j < {turns}; j++) v += x[threadIdx.y][j] * x[j][t];"))
        };
        assert_eq!([product(8), product(16)], [2, 1]);
    }

    #[test]
    fn elements_apart_count_as_nvrtc_counts_them() {
        let sums = |count: u32| {
            let sums: String = (0..count).map(|at| format!("v += a[i * 64 + {at}];")).collect();
            together(&sums)
        };
        assert_eq!([sums(6), sums(10), sums(20)], [4, 2, 1]);
    }
}
