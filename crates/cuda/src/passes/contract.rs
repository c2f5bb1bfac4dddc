//! Contraction of products and sums into fused operations, as NVRTC does it.
//!
//! Enters: a function after all other passes. Leaves: sums whose product nothing but sums uses as [`Op::Fma`]. C++ lets a
//! compiler choose, and the choice is visible in the last bit of a result, so it is that of NVRTC: LLVM's combiner for
//! NVPTX, which goes through a block from its end, takes a product that only sums of the block use, fewer than five of
//! them, and leaves differences as they are. A sum with a product by a negative constant is a difference for a while: it becomes
//! a sum again, and is fused, where nothing else in the block uses the constant without its sign. Of two products the first one is taken ([`super::reassociate`] has
//! put them in order).
//!
//! Counter: `thread_instructions`. Of `multiply_adds` in lab-4-5 (small sizes) NVRTC's code has 571,895,808, ours without the pass 1,125,543,936.

use super::simplify::uses;
use crate::ir::{Binary, Block, Def, Function, Inst, Op, Type, Unary, Value};

/// Uses of a product beyond which it is computed once rather than in each sum.
const MOST_USES: usize = 5;

/// Deepest product of products that is looked through for negative constants.
const FACTORS: u32 = 16;

/// Instructions between a product and its sum from which the product may be computed twice: LLVM's measure of how long a
/// register would be held.
const FAR: u32 = 500;

/// Contracts a function.
pub(crate) fn run(function: &mut Function) {
    let floats = |inst: &crate::ir::InstData| matches!(inst.op, Op::Binary(Binary::FMul));
    if !function.insts.iter().any(floats) {
        return;
    }
    super::resolve_operands(function);
    let order = crate::ir::cfg::reverse_postorder(function);
    negate_differences(function, &order);
    take_signs_of_factors(function, &order);
    let mut contraction = Contraction::new(function, &order);
    for block in order {
        contraction.block(block);
    }
}

/// Makes sums of differences from which products by negative constants are taken: `x − y × −c` is `x + y × c`, and may be fused
/// (LLVM's `Reassociate`, as `canonicalizeNegFPConstants`). No bit of a result changes by it.
fn negate_differences(function: &mut Function, order: &[Block]) {
    let insts: Vec<Inst> =
        order.iter().flat_map(|block| function.blocks[block.index()].insts.iter().copied()).collect();
    let differences: Vec<Inst> = insts
        .iter()
        .copied()
        .filter(|inst| matches!(function.insts[inst.index()].op, Op::Binary(Binary::FSub)))
        .collect();
    if differences.is_empty() {
        return;
    }
    let uses = uses(function);
    for inst in differences {
        let [_, taken] = *function.insts[inst.index()].args.as_slice() else { continue };
        let mut negative = vec![];
        negative_factors(function, &uses, taken, FACTORS, &mut negative);
        for (factor, at) in &negative {
            let value = function.insts[factor.index()].args[*at];
            let (ty, Some(bits)) = (function.ty(value), function.constant(value)) else { continue };
            let positive = function.value(ty, Def::constant(bits ^ sign(ty)));
            function.insts[factor.index()].args[*at] = positive;
        }
        if negative.len() % 2 == 1 {
            function.insts[inst.index()].op = Op::Binary(Binary::FAdd);
        }
    }
}

/// Products and quotients of which a value is made, each used once, that have a negative constant, with its place.
fn negative_factors(
    function: &Function,
    uses: &[u32],
    value: Value,
    depth: u32,
    found: &mut Vec<(Inst, usize)>,
) {
    let Def::Result(inst, _) = function.values[value.index()].def else { return };
    let data = &function.insts[inst.index()];
    if depth == 0 || uses[value.index()] != 1 || !matches!(data.op, Op::Binary(Binary::FMul | Binary::FDiv)) {
        return;
    }
    for (at, arg) in data.args.iter().enumerate() {
        let ty = function.ty(*arg);
        match function.constant(*arg) {
            Some(bits) if is_float(ty) && bits & sign(ty) != 0 => found.push((inst, at)),
            Some(_) => {}
            None => negative_factors(function, uses, *arg, depth - 1, found),
        }
    }
}

/// Takes the sign of a factor into the sum or difference that its product is used in: `x − y × −z` is `x + y × z`, and
/// `x + y × −z` is `x − y × z`, whatever else uses `−z` (LLVM's combiner, as `isNegatibleForFree`). No bit of a result changes
/// by it, but which sums are fused does.
fn take_signs_of_factors(function: &mut Function, order: &[Block]) {
    let mut insts = order.iter().flat_map(|block| &function.blocks[block.index()].insts);
    if !insts.any(|inst| matches!(function.insts[inst.index()].op, Op::Unary(Unary::FNeg))) {
        return;
    }
    let uses = uses(function);
    let mut home = vec![None; function.insts.len()];
    for block in order {
        function.blocks[block.index()].insts.iter().for_each(|inst| home[inst.index()] = Some(*block));
    }
    for block in order {
        for at in 0..function.blocks[block.index()].insts.len() {
            let inst = function.blocks[block.index()].insts[at];
            let data = &function.insts[inst.index()];
            let (turned, sides) = match data.op {
                Op::Binary(Binary::FAdd) => (Binary::FSub, [1, 0].as_slice()),
                Op::Binary(Binary::FSub) => (Binary::FAdd, [1].as_slice()),
                _ => continue,
            };
            let args = data.args.clone();
            let found = sides.iter().find_map(|side| {
                let here = |inst: Inst| home[inst.index()] == Some(*block);
                let factor = negated_factor(function, &here, &uses, args[*side], FACTORS)?;
                Some((*side, factor))
            });
            let Some((side, (product, factor))) = found else { continue };
            let negated = function.insts[product.index()].args[factor];
            let Def::Result(negation, _) = function.values[negated.index()].def else { continue };
            function.insts[product.index()].args[factor] = function.insts[negation.index()].args[0];
            let data = &mut function.insts[inst.index()];
            data.op = Op::Binary(turned);
            if side == 0 {
                data.args.swap(0, 1);
            }
        }
    }
}

/// First factor of a product that only one value uses, or of its factors, that a block makes by changing a sign.
fn negated_factor(
    function: &Function,
    here: &dyn Fn(Inst) -> bool,
    uses: &[u32],
    value: Value,
    depth: u32,
) -> Option<(Inst, usize)> {
    let made = |value: Value| match function.values[value.index()].def {
        Def::Result(inst, _) => here(inst).then_some(inst),
        _ => None,
    };
    let inst = made(value).filter(|_| depth > 0 && uses[value.index()] == 1)?;
    let data = &function.insts[inst.index()];
    if !matches!(data.op, Op::Binary(Binary::FMul | Binary::FDiv)) {
        return None;
    }
    data.args.iter().enumerate().find_map(|(at, arg)| {
        let factor = made(*arg)?;
        match function.insts[factor.index()].op {
            Op::Unary(Unary::FNeg) => Some((inst, at)),
            _ => negated_factor(function, here, uses, *arg, depth - 1),
        }
    })
}

/// Use of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Use {
    /// Who uses it, unless it is the end of a block.
    by: Option<Inst>,
}

/// End of a list of uses.
const END: u32 = u32::MAX;

/// Uses by value, in no order: a list in one piece of memory for all of them, as most values have one or two.
struct Uses {
    /// By value: its first use.
    first: Vec<u32>,
    /// Each use with the next one of the same value.
    all: Vec<(Use, u32)>,
}

impl Uses {
    fn new(values: usize) -> Self {
        Uses { first: vec![END; values], all: Vec::with_capacity(values) }
    }

    fn add(&mut self, value: Value, used: Use) {
        let number = self.all.len() as u32;
        let next = std::mem::replace(&mut self.first[value.index()], number);
        self.all.push((used, next));
    }

    fn of(&self, value: Value) -> impl Iterator<Item = Use> {
        let mut at = self.first[value.index()];
        std::iter::from_fn(move || {
            let (used, next) = self.all.get(at as usize)?;
            at = *next;
            Some(*used)
        })
    }

    /// Forgets one use of a value by an instruction.
    fn forget(&mut self, value: Value, by: Inst) {
        let mut at = self.first[value.index()];
        let mut before = None;
        while let Some((used, next)) = self.all.get(at as usize).copied() {
            if used.by == Some(by) {
                match before {
                    None => self.first[value.index()] = next,
                    Some(before) => self.all[before as usize].1 = next,
                }
                return;
            }
            (before, at) = (Some(at), next);
        }
    }
}

struct Contraction<'a> {
    function: &'a mut Function,
    /// Block and place of each instruction.
    place: Vec<Option<(Block, u32)>>,
    uses: Uses,
    /// Constants that the block at hand uses, each as often as it does.
    constants: Vec<(Type, u64)>,
}

impl<'a> Contraction<'a> {
    fn new(function: &'a mut Function, order: &[Block]) -> Self {
        let mut place = vec![None; function.insts.len()];
        let mut uses = Uses::new(function.values.len());
        // No one asks who uses others.
        let float = |value: &Value| matches!(function.ty(*value), Type::F32 | Type::F64);
        for block in order {
            let data = &function.blocks[block.index()];
            for (at, inst) in data.insts.iter().enumerate() {
                place[inst.index()] = Some((*block, at as u32));
                for arg in function.insts[inst.index()].args.iter().copied().filter(float) {
                    uses.add(arg, Use { by: Some(*inst) });
                }
            }
            for value in data.end.uses().filter(float) {
                uses.add(value, Use { by: None });
            }
        }
        Self { function, place, uses, constants: vec![] }
    }

    fn block(&mut self, block: Block) {
        let insts = self.function.blocks[block.index()].insts.clone();
        self.constants = self.constants_of(block);
        for inst in insts.into_iter().rev() {
            if self.place[inst.index()].is_none() {
                continue;
            }
            if matches!(self.function.insts[inst.index()].op, Op::Binary(Binary::FMul)) {
                self.double(inst);
            }
            if matches!(self.function.insts[inst.index()].op, Op::Binary(Binary::FAdd)) {
                self.sum(inst);
            }
        }
        let place = &self.place;
        self.function.blocks[block.index()].insts.retain(|inst| place[inst.index()].is_some());
    }

    /// Floating-point constants that a block uses; those of what is a difference for a while are positive.
    fn constants_of(&self, block: Block) -> Vec<(Type, u64)> {
        let data = &self.function.blocks[block.index()];
        let mut found = vec![];
        let mut add = |value: Value, positive: bool| {
            let ty = self.function.ty(value);
            if let (true, Some(bits)) = (is_float(ty), self.function.constant(value)) {
                found.push((ty, if positive { bits & !sign(ty) } else { bits }));
            }
        };
        for inst in &data.insts {
            let is_product = matches!(self.function.insts[inst.index()].op, Op::Binary(Binary::FMul));
            let difference = is_product && self.is_difference(*inst, block);
            for arg in &self.function.insts[inst.index()].args {
                add(*arg, difference);
            }
        }
        data.end.uses().for_each(|value| add(value, false));
        found
    }

    /// Whether a product by a negative constant is taken from a sum, so that the constant is positive for a while.
    fn is_difference(&self, product: Inst, block: Block) -> bool {
        let result = self.function.insts[product.index()].results.first();
        self.is_negative(product)
            && result.is_some_and(|result| self.uses.of(*result).all(|used| self.is_sum_of(used, block)))
    }

    /// Whether a sum stays the difference that it is for a while.
    fn stays_difference(&self, value: Value) -> bool {
        let Some(product) = self.product(value).filter(|product| self.is_negative(*product)) else {
            return false;
        };
        let count = |ty: Type, bits: u64| self.constants.iter().filter(|one| **one == (ty, bits)).count();
        self.function.insts[product.index()].args.iter().any(|arg| {
            let ty = self.function.ty(*arg);
            let Some(bits) = self.function.constant(*arg) else { return false };
            count(ty, bits & !sign(ty)) > 1 && count(ty, bits) == 0
        })
    }

    /// Writes a sum with a product by a negative constant as the difference that it is, of the same bits, as NVRTC does. Three
    /// random kernels with `x × −2 + x` had the other sign of zero on an H100 (ptxas 13.0, right at `-O0`), and have the right
    /// one so; alone, ptxas compiles both forms rightly.
    fn write_difference(&mut self, sum: Inst, taken: Value, from: Value) {
        let Some(product) = self.product(taken) else { return };
        let args = self.function.insts[product.index()].args.clone();
        for (at, arg) in args.iter().enumerate() {
            let ty = self.function.ty(*arg);
            let Some(bits) = self.function.constant(*arg).filter(|bits| bits & sign(ty) != 0) else {
                continue;
            };
            let positive = self.function.value(ty, Def::constant(bits ^ sign(ty)));
            self.uses.first.resize(self.function.values.len(), END);
            self.uses.forget(*arg, product);
            self.uses.add(positive, Use { by: Some(product) });
            self.function.insts[product.index()].args[at] = positive;
            let data = &mut self.function.insts[sum.index()];
            (data.op, data.args) = (Op::Binary(Binary::FSub), [from, taken].into());
            return;
        }
    }

    /// A product with 2 is a sum, which the combiner makes of it where it comes to it before it is fused.
    fn double(&mut self, inst: Inst) {
        let [a, b] = *self.function.insts[inst.index()].args.as_slice() else { return };
        let two = |value: Value| match self.function.ty(value) {
            Type::F32 => self.function.constant(value) == Some(u64::from(2.0f32.to_bits())),
            Type::F64 => self.function.constant(value) == Some(2.0f64.to_bits()),
            _ => false,
        };
        let (other, number) = if two(b) {
            (a, b)
        } else if two(a) {
            (b, a)
        } else {
            return;
        };
        self.uses.forget(number, inst);
        self.uses.add(other, Use { by: Some(inst) });
        let data = &mut self.function.insts[inst.index()];
        (data.op, data.args) = (Op::Binary(Binary::FAdd), [other, other].into());
    }

    fn sum(&mut self, inst: Inst) {
        let [mut first, mut second] = *self.function.insts[inst.index()].args.as_slice() else { return };
        if let Some((taken, from)) =
            [(first, second), (second, first)].into_iter().find(|(taken, _)| self.stays_difference(*taken))
        {
            self.write_difference(inst, taken, from);
            return;
        }
        if let (Some(a), Some(b)) = (self.product(first), self.product(second)) {
            // A product with a negative constant is a difference for a while, and so comes second.
            if self.is_negative(a) && !self.is_negative(b) {
                (first, second) = (second, first);
            }
        }
        if !self.fuse(inst, first, second) {
            self.fuse(inst, second, first);
        }
    }

    /// Product that defines a value.
    fn product(&self, value: Value) -> Option<Inst> {
        match self.function.values[value.index()].def {
            Def::Result(inst, _)
                if matches!(self.function.insts[inst.index()].op, Op::Binary(Binary::FMul)) =>
            {
                Some(inst)
            }
            _ => None,
        }
    }

    /// Whether a product that is used once has a negative constant as a factor.
    fn is_negative(&self, product: Inst) -> bool {
        let data = &self.function.insts[product.index()];
        let negative = |value: &Value| {
            self.function.constant(*value).is_some_and(|bits| bits & sign(self.function.ty(*value)) != 0)
        };
        let once = data.results.first().is_some_and(|result| self.uses.of(*result).count() == 1);
        once && data.args.iter().any(negative)
    }

    /// Fuses a sum with a product, if that is to be.
    fn fuse(&mut self, sum: Inst, value: Value, other: Value) -> bool {
        let Some(product) = self.product(value) else { return false };
        let (Some((home, at)), Some((block, here))) = (self.place[product.index()], self.place[sum.index()])
        else {
            return false;
        };
        if home != block || self.uses.of(value).count() >= MOST_USES {
            return false;
        }
        let [a, b] = *self.function.insts[product.index()].args.as_slice() else { return false };
        let sums_alone = self.uses.of(value).all(|used| self.is_sum_of(used, block));
        if !sums_alone
            && (here.saturating_sub(at) < FAR
                || !(self.lives_on(a, block, here) || self.lives_on(b, block, here)))
        {
            return false;
        }
        self.uses.forget(value, sum);
        for factor in [a, b] {
            self.uses.add(factor, Use { by: Some(sum) });
        }
        let data = &mut self.function.insts[sum.index()];
        (data.op, data.args) = (Op::Fma, [a, b, other].into());
        if self.uses.of(value).next().is_none() {
            self.remove(product);
        }
        true
    }

    fn is_sum_of(&self, used: Use, block: Block) -> bool {
        used.by.is_some_and(|inst| {
            matches!(self.function.insts[inst.index()].op, Op::Binary(Binary::FAdd))
                && self.place[inst.index()].is_some_and(|(home, _)| home == block)
        })
    }

    /// Whether a value is used in the block after a place, or elsewhere.
    fn lives_on(&self, value: Value, block: Block, here: u32) -> bool {
        self.uses.of(value).any(|used| match used.by.and_then(|inst| self.place[inst.index()]) {
            Some((home, at)) => home != block || at > here,
            None => true,
        })
    }

    fn remove(&mut self, inst: Inst) {
        self.place[inst.index()] = None;
        for arg in &self.function.insts[inst.index()].args.clone() {
            self.uses.forget(*arg, inst);
        }
    }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

/// The bit that is a float's sign.
fn sign(ty: Type) -> u64 {
    if ty == Type::F32 { 1 << 31 } else { 1 << 63 }
}

#[cfg(test)]
mod tests {
    use crate::passes::test::changed;

    /// Fused operations of a kernel that stores `x` and `y`.
    fn fused(body: &str) -> usize {
        let text = format!(
            "kernel @k(p, a, b, c) {{\nb0(p: ptr.global, a: f32, b: f32, c: f32):\n{body}\n  store.a4 p, x\n  store.a4.volatile p, y\n  return\n}}"
        );
        let after = changed(&text, |function, _| {
            super::run(function);
            true
        });
        after.matches(" fma ").count()
    }

    #[test]
    fn a_product_by_a_negative_constant_taken_from_something_is_fused_as_a_sum() {
        let difference = |product: &str| format!("{product}\n  x: f32 = fsub b, m\n  y: f32 = fadd b, c");
        assert_eq!(fused(&difference("  m: f32 = fmul a, -3.0:f32")), 1);
        assert_eq!(fused(&difference("  m: f32 = fmul a, 3.0:f32")), 0);
        assert_eq!(fused(&difference("  k: f32 = fmul a, -3.0:f32\n  m: f32 = fmul k, c")), 1);
        assert_eq!(
            fused(&difference("  k: f32 = fdiv a, -3.0:f32\n  m: f32 = fmul k, -5.0:f32")),
            0,
            "two signs"
        );
        let twice = "  m: f32 = fmul a, -3.0:f32\n  x: f32 = fsub b, m\n  y: f32 = fsub c, m";
        assert_eq!(fused(twice), 0, "its product is needed as it is");
    }

    #[test]
    fn the_sign_of_a_factor_that_others_use_too_is_taken_into_the_sum() {
        let uses = |product: &str, sum: &str| {
            fused(&format!(
                "  s: f32 = fneg a\n  m: f32 = fmul {product}\n  x: f32 = {sum}\n  y: f32 = fdiv s, c"
            ))
        };
        assert_eq!(
            [uses("b, s", "fsub c, m"), uses("b, s", "fadd c, m"), uses("s, b", "fadd m, c")],
            [1, 0, 0]
        );
        assert_eq!([uses("b, c", "fsub c, m"), uses("b, c", "fadd c, m")], [0, 1]);
    }

    #[test]
    fn a_product_by_a_negative_constant_is_fused_unless_the_block_has_the_positive_one() {
        let sum = |other: &str| {
            format!(
                "  m: f32 = fmul a, -3.0:f32\n  x: f32 = fadd m, b\n  n: f32 = fmul b, {other}\n  y: f32 = fadd n, c"
            )
        };
        assert_eq!(fused(&sum("-5.0:f32")), 2);
        assert_eq!(fused(&sum("-3.0:f32")), 0, "both are differences, by one constant");
        assert_eq!(fused(&sum("3.0:f32")), 1);
        let text = format!(
            "kernel @k(p, a, b, c) {{\nb0(p: ptr.global, a: f32, b: f32, c: f32):\n{}\n  store.a4 p, x\n  store.a4.volatile p, y\n  return\n}}",
            sum("-3.0:f32").replace("3.0", "2.0")
        );
        let after = changed(&text, |function, _| {
            super::run(function);
            true
        });
        assert_eq!((after.matches(" fsub ").count(), after.matches(" fadd ").count()), (2, 2), "{after}");
        // Where the negative constant is there as well, it costs nothing.
        let besides = "  m: f32 = fmul a, -3.0:f32\n  x: f32 = fadd m, b\n  n: f32 = fmul b, 3.0:f32\n  o: f32 = fmul c, -3.0:f32\n  y: f32 = fsub n, o";
        assert_eq!(fused(besides), 1);
    }
}
