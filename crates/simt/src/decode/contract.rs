//! `mul` and `add` without a rounding, which a GPU's assembler makes one `fma` (PTX ISA 9.7.3 lets it). It does so for every
//! floating-point type where the product is used by nothing but such additions and subtractions of its own basic block,
//! with the same `.ftz`; of two products that are added, the first one becomes part. That is what ptxas 13.0 was seen to
//! do with each of these cases. Programs that are compiled for a debugger are left as they are written.
//!
//! The product itself stays, so that instructions are counted as they are in the text.

use super::opcodes::{self, Opcode};
use crate::hash::{HashMap, HashSet};
use ptx::{Instruction, Module, Operand, Statement};

/// Bounds for hostile texts: instructions between a product and its last use, and rounds and names that are looked through.
const REACH: usize = 4096;
const ROUNDS: usize = 64;
const INNER: usize = 1024;

const TYPES: [&str; 6] = ["f16", "f16x2", "bf16", "bf16x2", "f32", "f64"];

/// Puts an `fma` in the place of each addition that takes a product with it.
pub(super) fn contract(module: &mut Module) {
    if module.target.contains(&"debug") {
        return;
    }
    for function in &mut module.functions {
        let Some(body) = &mut function.body else { continue };
        if has_products(body) {
            let fused = Uses::of(body).fused();
            rewrite(body, &fused, &mut 0);
        }
    }
}

/// Whether there is anything to look at: in what compilers make there mostly is not.
fn has_products(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Block(inner) => has_products(inner),
        Statement::Instruction(i) => i.opcode == "mul" && kind(i).is_some(),
        _ => false,
    })
}

/// The type and `.ftz` of a `mul`, `add` or `sub` that may be contracted.
fn kind<'a>(i: &Instruction<'a>) -> Option<(&'a str, bool)> {
    let (ty, flags) = i.modifiers.split_last()?;
    let saturates = i.opcode != "mul" && flags.last() == Some(&"sat");
    let flags = if saturates { &flags[..flags.len() - 1] } else { flags };
    let ftz = match flags {
        [] => false,
        ["ftz"] => true,
        _ => return None,
    };
    (TYPES.contains(ty) && i.operands.len() == 3).then_some((*ty, ftz))
}

fn name<'a>(operand: &Operand<'a>) -> Option<&'a str> {
    match operand {
        Operand::Name(name, None) => Some(name),
        _ => None,
    }
}

/// The instructions of a function, and where each name is among them.
struct Uses<'a, 'b> {
    /// With its basic block.
    instructions: Vec<(u32, &'b Instruction<'a>)>,
    /// Where each name is: in which instructions, as often as there.
    named: HashMap<&'a str, Vec<usize>>,
    /// Names that scopes within declare: they may be others of the same spelling.
    inner: HashSet<&'a str>,
    block: u32,
}

impl<'a, 'b> Uses<'a, 'b> {
    fn of(body: &'b [Statement<'a>]) -> Self {
        let mut uses =
            Uses { instructions: vec![], named: HashMap::default(), inner: HashSet::default(), block: 0 };
        uses.walk(body, true);
        uses
    }

    fn walk(&mut self, body: &'b [Statement<'a>], outermost: bool) {
        for statement in body {
            match statement {
                Statement::Label(..) => self.block += 1,
                Statement::Block(inner) => self.walk(inner, false),
                Statement::Variable(variable) if !outermost => {
                    self.inner.insert(variable.name);
                }
                // A range within: whatever may be of it is left alone.
                Statement::Registers { prefix, .. } if !outermost => {
                    self.inner.insert(prefix);
                }
                Statement::Instruction(i) => {
                    let at = self.instructions.len();
                    if let Some(guard) = &i.guard {
                        self.named.entry(guard.register).or_default().push(at);
                    }
                    i.operands.iter().for_each(|operand| self.look(operand, at));
                    self.instructions.push((self.block, i));
                    if opcodes::find(i.opcode).is_some_and(Opcode::goes_elsewhere) {
                        self.block += 1;
                    }
                }
                _ => {}
            }
        }
    }

    fn look(&mut self, operand: &Operand<'a>, at: usize) {
        let mut note = |name| self.named.entry(name).or_default().push(at);
        match operand {
            Operand::Name(name, _) | Operand::Not(name) | Operand::Negative(name, _) => note(name),
            Operand::Pair(a, b) => [*a, *b].into_iter().for_each(note),
            Operand::Address { base: Some(name), .. } | Operand::Sum { symbol: name, .. } => note(name),
            Operand::Element { symbol, register, .. } => {
                note(symbol);
                register.iter().for_each(|name| note(name));
            }
            Operand::Vector(list) | Operand::List(list) | Operand::Access(list) => {
                list.iter().for_each(|operand| self.look(operand, at));
            }
            Operand::VectorPair(list, name) => {
                note(name);
                list.iter().for_each(|operand| self.look(operand, at));
            }
            _ => {}
        }
    }

    /// A product that may become part of all that use it: who does.
    fn users(&self, at: usize) -> Option<&[usize]> {
        let (block, product) = &self.instructions[at];
        let result = name(product.operands.first()?)?;
        if product.opcode != "mul" || product.guard.is_some() || kind(product).is_none() {
            return None;
        }
        if self.inner.len() > INNER || self.inner.iter().any(|inner| result.starts_with(inner)) {
            return None;
        }
        let [definition, users @ ..] = &self.named.get(result)?[..] else { return None };
        let fits = |user: &usize| {
            let (of, sum) = &self.instructions[*user];
            of == block
                && matches!(sum.opcode, "add" | "sub")
                && kind(sum) == kind(product)
                && sum.operands.first().and_then(name) != Some(result)
        };
        let each_once = users.windows(2).all(|pair| pair[0] < pair[1]);
        let last = *users.last().filter(|last| **last - at <= REACH)?;
        let factors = || product.operands[1..].iter().filter_map(name);
        // What is multiplied must still be there.
        let kept = |factor| self.instructions[at + 1..last].iter().all(|(_, i)| !writes(i, factor));
        (*definition == at && each_once && users.iter().all(fits) && factors().all(kept)).then_some(users)
    }

    /// By the addition's place its product's.
    fn fused(&self) -> HashMap<usize, (usize, Instruction<'a>)> {
        let mut products: HashMap<&str, (usize, &[usize])> = HashMap::default();
        for at in 0..self.instructions.len() {
            if let (Some(users), Some(result)) =
                (self.users(at), self.instructions[at].1.operands.first().and_then(name))
            {
                products.insert(result, (at, users));
            }
        }
        for round in 0.. {
            let choice = |sum: &Instruction<'a>| {
                let mut operands = sum.operands[1..].iter().filter_map(name);
                operands.find(|operand| products.contains_key(operand))
            };
            let taken = |result: &str, users: &[usize]| {
                users.iter().all(|user| choice(self.instructions[*user].1) == Some(result))
            };
            let lost: Vec<&str> = products
                .iter()
                .filter(|(result, (_, users))| !taken(result, users))
                .map(|(r, _)| *r)
                .collect();
            if lost.is_empty() {
                break;
            }
            if round == ROUNDS {
                return HashMap::default();
            }
            products.retain(|result, _| !lost.contains(result));
        }
        let mut fused = HashMap::default();
        for (at, users) in products.into_values() {
            for user in users {
                fused.insert(*user, (at, self.instructions[at].1.clone()));
            }
        }
        fused
    }
}

fn writes(i: &Instruction, register: &str) -> bool {
    match i.operands.first() {
        Some(Operand::Name(name, _)) => *name == register,
        Some(Operand::Pair(a, b)) => *a == register || *b == register,
        Some(Operand::Vector(list) | Operand::List(list)) => {
            list.iter().any(|operand| name(operand) == Some(register))
        }
        Some(Operand::VectorPair(list, p)) => {
            *p == register || list.iter().any(|operand| name(operand) == Some(register))
        }
        _ => false,
    }
}

fn rewrite<'a>(
    body: &mut Vec<Statement<'a>>,
    fused: &HashMap<usize, (usize, Instruction<'a>)>,
    at: &mut usize,
) {
    let mut done = Vec::with_capacity(body.len());
    for mut statement in std::mem::take(body) {
        match &mut statement {
            Statement::Block(inner) => rewrite(inner, fused, at),
            Statement::Instruction(i) => {
                if let Some((_, product)) = fused.get(at) {
                    done.extend(fma(i, product).map(Statement::Instruction));
                }
                *at += 1;
            }
            _ => {}
        }
        done.push(statement);
    }
    *body = done;
}

/// Makes a sum an `fma`; what changes a sign for it comes before, in the product's register, which nothing else reads.
fn fma<'a>(sum: &mut Instruction<'a>, product: &Instruction<'a>) -> Option<Instruction<'a>> {
    let [result, a, b] = &sum.operands[..] else { return None };
    let [temporary, factor, other] = &product.operands[..] else { return None };
    let is_first = a == temporary;
    let addend = if is_first { b } else { a };
    let negate = |of: &Operand<'a>| Instruction {
        opcode: "neg",
        modifiers: product.modifiers.clone(),
        operands: vec![temporary.clone(), of.clone()],
        ..sum.clone()
    };
    let (before, factor, addend) = match (sum.opcode, is_first) {
        ("sub", true) => (Some(negate(addend)), factor.clone(), temporary.clone()),
        ("sub", false) => (Some(negate(factor)), temporary.clone(), addend.clone()),
        _ => (None, factor.clone(), addend.clone()),
    };
    sum.operands = vec![result.clone(), factor, other.clone(), addend];
    sum.opcode = "fma";
    sum.modifiers.insert(0, "rn");
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The body's instructions once products are part of sums.
    fn contracted(target: &str, body: &str) -> Vec<String> {
        let text = format!(".version 8.0\n.target {target}\n.entry k() {{ {body} }}");
        let mut module = ptx::parse(&text).unwrap();
        contract(&mut module);
        let statements = module.functions.pop().unwrap().body.unwrap();
        let words = |statement: &Statement| match statement {
            Statement::Instruction(i) => {
                let operands: Vec<&str> = i.operands.iter().filter_map(name).collect();
                Some(format!("{} {}", i.mnemonic(), operands.join(" ")))
            }
            _ => None,
        };
        statements.iter().filter_map(words).collect()
    }

    fn last(body: &str) -> String {
        contracted("sm_80", body).pop().unwrap()
    }

    #[test]
    fn a_product_becomes_part_of_the_sum_that_alone_uses_it() {
        assert_eq!(last("mul.f16 e, a, b; add.f16 d, c, e;"), "fma.rn.f16 d a b c");
        assert_eq!(last("mul.ftz.f32 e, a, b; add.ftz.sat.f32 d, e, c;"), "fma.rn.ftz.sat.f32 d a b c");
        assert_eq!(last("mul.f64 e, a, b; mul.f64 f, b, c; add.f64 d, e, f;"), "fma.rn.f64 d a b f");
    }

    #[test]
    fn differences_change_a_sign_first() {
        let differences = |operands| contracted("sm_80", &format!("mul.f32 e, a, b; sub.f32 d, {operands};"));
        assert_eq!(differences("e, c")[1..], ["neg.f32 e c", "fma.rn.f32 d a b e"]);
        assert_eq!(differences("c, e")[1..], ["neg.f32 e a", "fma.rn.f32 d e b c"]);
    }

    #[test]
    fn what_the_assembler_leaves_alone_stays() {
        for body in [
            "mul.rn.f16 e, a, b; add.f16 d, e, c;",
            "mul.f16 e, a, b; add.rn.f16 d, e, c;",
            "mul.f16 e, a, b; mov.b16 x, e; add.f16 d, e, c;",
            "mul.f16 e, a, b; add.f16 d, e, e;",
            "mul.f16 e, a, b; L: add.f16 d, e, c;",
            "mul.ftz.f16 e, a, b; add.f16 d, e, c;",
            "@p mul.f16 e, a, b; add.f16 d, e, c;",
            "mul.f16 e, a, b; mov.b16 a, c; add.f16 d, e, c;",
            "mul.f32 e, a, b; st.global.f32 [e], e; add.f32 d, e, c;",
        ] {
            assert!(last(body).starts_with("add"), "{body}");
        }
        assert_eq!(contracted("sm_80, debug", "mul.f16 e, a, b; add.f16 d, e, c;")[1], "add.f16 d e c");
    }
}
