//! Verifier: what every function must hold between passes.
//!
//! Enters: a module. Leaves: the first thing that is wrong, in words. Tests and debug builds ask after each pass. This
//! module must never change anything.

use super::cfg::Cfg;
use super::dominators::Dominators;
use super::{
    Binary, Block, Compare, Convert, Def, Function, Inst, Module, Op, Space, Terminator, Type, Unary, Value,
};

/// Checks all functions.
pub(crate) fn verify(module: &Module) -> Result<(), String> {
    for function in &module.functions {
        verify_function(module, function).map_err(|why| format!("@{}: {why}\n{function}", function.name))?;
    }
    Ok(())
}

/// Checks a function.
pub(crate) fn verify_function(module: &Module, function: &Function) -> Result<(), String> {
    if function.blocks.is_empty() {
        return Err("no entry block".to_owned());
    }
    let cfg = Cfg::new(function);
    let checker =
        Checker { module, function, places: places(function, &cfg)?, dominators: Dominators::new(&cfg) };
    if !cfg.preds(Block(0)).is_empty() {
        return Err("something jumps to the entry".to_owned());
    }
    for (n, param) in function.params.iter().enumerate() {
        if function.blocks[0].params.get(n) != Some(&param.value) {
            return Err(format!("parameter {n} is not the entry's"));
        }
    }
    for block in &cfg.order {
        for (at, inst) in function.blocks[block.index()].insts.iter().enumerate() {
            let data = &function.insts[inst.index()];
            let context =
                |why: String| format!("{block:?}, {inst:?} ({:?}, {:?}): {why}", data.op, data.args);
            for arg in &data.args {
                checker.available(*arg, *block, at).map_err(context)?;
            }
            checker.types(*inst, *block).map_err(context)?;
        }
        checker.end(*block).map_err(|why| format!("end of {block:?}: {why}"))?;
    }
    Ok(())
}

/// Where each value is defined: a block, and a place in it counted from 1 (0 for its parameters).
fn places(function: &Function, cfg: &Cfg) -> Result<Vec<Option<(Block, usize)>>, String> {
    let mut places = vec![None; function.values.len()];
    let mut define = |value: Value, block: Block, at: usize, def: Def| {
        let Some(data) = function.values.get(value.index()) else {
            return Err(format!("no value {value:?}"));
        };
        if data.def != def {
            return Err(format!("{value:?} is {:?} but is stored as {def:?}", data.def));
        }
        match places[value.index()].replace((block, at)) {
            None => Ok(()),
            Some(other) => Err(format!("{value:?} is defined in {block:?} and {other:?}")),
        }
    };
    for block in &cfg.order {
        let data = &function.blocks[block.index()];
        for (n, param) in data.params.iter().enumerate() {
            define(*param, *block, 0, Def::Param(*block, n as u32))?;
        }
        for (at, inst) in data.insts.iter().enumerate() {
            let Some(data) = function.insts.get(inst.index()) else {
                return Err(format!("no instruction {inst:?}"));
            };
            for (n, result) in data.results.iter().enumerate() {
                define(*result, *block, at + 1, Def::Result(*inst, n as u32))?;
            }
        }
    }
    Ok(places)
}

struct Checker<'a> {
    module: &'a Module,
    function: &'a Function,
    places: Vec<Option<(Block, usize)>>,
    dominators: Dominators,
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: &T, wanted: &T) -> Result<(), String> {
    if is == wanted { Ok(()) } else { Err(format!("{what}: expected {wanted:?}, found {is:?}")) }
}

fn holds(what: &str, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

fn integer(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64)
}

fn float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

fn pointer(ty: Type) -> bool {
    matches!(ty, Type::Ptr(_))
}

impl Checker<'_> {
    /// Whether a value can be used by the instruction at a place of a block.
    fn available(&self, value: Value, block: Block, at: usize) -> Result<(), String> {
        if value.index() >= self.function.values.len() {
            return Err(format!("no value {value:?}"));
        }
        let value = self.function.resolve(value);
        match self.function.values[value.index()].def {
            Def::Constant(_) | Def::Undefined | Def::Alias(_) => return Ok(()),
            Def::Result(..) | Def::Param(..) => {}
        }
        match self.places[value.index()] {
            None => Err(format!("{value:?} is defined nowhere")),
            Some((place, before)) if place == block => {
                holds(&format!("{value:?} is used before it is defined"), before <= at)
            }
            Some((place, _)) => holds(
                &format!("{value:?} of {place:?} does not dominate its use"),
                self.dominators.dominates(place, block),
            ),
        }
    }

    fn types(&self, inst: Inst, block: Block) -> Result<(), String> {
        let data = &self.function.insts[inst.index()];
        let args: Vec<Type> =
            data.args.iter().map(|arg| self.function.ty(self.function.resolve(*arg))).collect();
        let results: Vec<Type> = data.results.iter().map(|result| self.function.ty(*result)).collect();
        let counts = |wanted: usize, given: usize| {
            same("operands", &args.len(), &wanted).and_then(|()| same("results", &results.len(), &given))
        };
        match &data.op {
            Op::Unary(op) => {
                counts(1, 1)?;
                same("result", &results[0], &args[0])?;
                match op {
                    Unary::Not => {
                        holds("not of a float or pointer", integer(args[0]) || args[0] == Type::Pred)
                    }
                    Unary::Neg => holds("neg of no integer", integer(args[0])),
                    Unary::FNeg | Unary::FAbs => holds("of no float", float(args[0])),
                }
            }
            Op::Binary(op) => {
                counts(2, 1)?;
                same("result", &results[0], &args[0])?;
                self.binary(*op, args[0], args[1])
            }
            Op::Compare(op) => {
                counts(2, 1)?;
                same("result", &results[0], &Type::Pred)?;
                same("operands", &args[1], &args[0])?;
                holds("comparison of another kind of type", compares(*op, args[0]))
            }
            Op::Select => {
                counts(3, 1)?;
                same("predicate", &args[0], &Type::Pred)?;
                same("operands", &args[2], &args[1])?;
                same("result", &results[0], &args[1])
            }
            Op::Fma => {
                counts(3, 1)?;
                holds("fma of no floats", float(args[0]) && args[1] == args[0] && args[2] == args[0])?;
                same("result", &results[0], &args[0])
            }
            Op::Convert(op) => {
                counts(1, 1)?;
                holds("no such conversion", converts(*op, args[0], results[0]))
            }
            Op::Slot { .. } | Op::Global(_) | Op::Function(_) => {
                counts(0, 1)?;
                self.object(&data.op, block, results[0])
            }
            Op::Offset => {
                counts(2, 1)?;
                holds("offset of no pointer", pointer(args[0]))?;
                same("offset", &args[1], &Type::I64)?;
                same("result", &results[0], &args[0])
            }
            Op::Load(_) => {
                same("operands", &args.len(), &1)?;
                holds("load through no pointer", pointer(args[0]))?;
                vector(&results)
            }
            Op::Store(_) => {
                holds("store through no pointer", args.first().is_some_and(|ty| pointer(*ty)))?;
                same("results", &results.len(), &0)?;
                vector(args.get(1..).unwrap_or_default())
            }
            Op::Copy { .. } => {
                counts(2, 0)?;
                holds("copy through no pointers", pointer(args[0]) && pointer(args[1]))
            }
            Op::Zero { .. } => {
                counts(1, 0)?;
                holds("zero through no pointer", pointer(args[0]))
            }
            Op::Call(callee) => self.call(callee.index(), &args, &results),
            Op::CallIndirect => holds("call of no pointer", args.first().is_some_and(|ty| pointer(*ty))),
            Op::Builtin(..) | Op::Asm(_) => Ok(()),
        }
    }

    /// A slot, a variable or a function: where it is, and its address's type.
    fn object(&self, op: &Op, block: Block, result: Type) -> Result<(), String> {
        if let Op::Function(function) = op {
            holds("no such function", function.index() < self.module.functions.len())?;
            return same("result", &result, &Type::Ptr(Space::Generic));
        }
        let Op::Global(global) = op else {
            same("block", &block, &Block(0))?;
            return same("result", &result, &Type::Ptr(Space::Local));
        };
        match self.module.globals.get(global.index()) {
            Some(global) => same("result", &result, &Type::Ptr(global.space)),
            None => Err("no such global".to_owned()),
        }
    }

    fn binary(&self, op: Binary, a: Type, b: Type) -> Result<(), String> {
        match op {
            Binary::Shl(_) | Binary::LShr | Binary::AShr => {
                same("amount of a shift", &b, &Type::I32)?;
                return holds("shift of no integer", integer(a));
            }
            _ => same("operands", &b, &a)?,
        }
        match op {
            Binary::Add(_)
            | Binary::Sub(_)
            | Binary::Mul(_)
            | Binary::SDiv
            | Binary::UDiv
            | Binary::SRem
            | Binary::URem
            | Binary::SMin
            | Binary::SMax
            | Binary::UMin
            | Binary::UMax
            | Binary::Shl(_)
            | Binary::LShr
            | Binary::AShr => holds("of no integers", integer(a)),
            Binary::And | Binary::Or | Binary::Xor => {
                holds("of no integers or predicates", integer(a) || a == Type::Pred)
            }
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FMin | Binary::FMax => {
                holds("of no floats", float(a))
            }
        }
    }

    fn call(&self, callee: usize, args: &[Type], results: &[Type]) -> Result<(), String> {
        let Some(callee) = self.module.functions.get(callee) else {
            return Err("no such function".to_owned());
        };
        let wanted: Vec<Type> = callee.params.iter().map(|param| callee.ty(param.value)).collect();
        same("arguments", &args, &wanted.as_slice())?;
        same("results", &results, &callee.results.as_slice())
    }

    fn end(&self, block: Block) -> Result<(), String> {
        let data = &self.function.blocks[block.index()];
        for value in data.end.uses() {
            self.available(value, block, data.insts.len())?;
        }
        match &data.end {
            Terminator::Branch(value, ..) => same("predicate", &self.ty(*value), &Type::Pred)?,
            Terminator::Switch(value, ..) => holds("switch over no integer", integer(self.ty(*value)))?,
            Terminator::Return(values) => {
                let given: Vec<Type> = values.iter().map(|value| self.ty(*value)).collect();
                same("results", &given, &self.function.results)?;
            }
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        for edge in data.end.edges() {
            let Some(to) = self.function.blocks.get(edge.block.index()) else {
                return Err(format!("no block {:?}", edge.block));
            };
            let wanted: Vec<Type> = to.params.iter().map(|param| self.function.ty(*param)).collect();
            let given: Vec<Type> = edge.args.iter().map(|arg| self.ty(*arg)).collect();
            same(&format!("arguments to {:?}", edge.block), &given, &wanted)?;
        }
        Ok(())
    }

    fn ty(&self, value: Value) -> Type {
        self.function.ty(self.function.resolve(value))
    }
}

fn vector(types: &[Type]) -> Result<(), String> {
    holds("1, 2 or 4 elements are wanted", matches!(types.len(), 1 | 2 | 4))?;
    holds("elements of different types", types.iter().all(|ty| *ty == types[0]))?;
    holds("a predicate in memory", types[0] != Type::Pred)
}

fn compares(op: Compare, ty: Type) -> bool {
    match op {
        Compare::Eq | Compare::Ne => integer(ty) || pointer(ty) || ty == Type::Pred,
        Compare::SLt | Compare::SLe | Compare::SGt | Compare::SGe => integer(ty),
        Compare::ULt | Compare::ULe | Compare::UGt | Compare::UGe => integer(ty) || pointer(ty),
        Compare::FOEq
        | Compare::FONe
        | Compare::FOLt
        | Compare::FOLe
        | Compare::FOGt
        | Compare::FOGe
        | Compare::FUEq
        | Compare::FUNe
        | Compare::FULt
        | Compare::FULe
        | Compare::FUGt
        | Compare::FUGe
        | Compare::FOrd
        | Compare::FUno => float(ty),
    }
}

fn converts(op: Convert, from: Type, to: Type) -> bool {
    let (small, large) = (from.bytes().min(to.bytes()), from.bytes().max(to.bytes()));
    match op {
        Convert::Truncate => {
            integer(from) && (to == Type::Pred || (integer(to) && to.bytes() == small && small < large))
        }
        Convert::ZeroExtend | Convert::SignExtend => {
            integer(to) && (from == Type::Pred || (integer(from) && to.bytes() == large && small < large))
        }
        Convert::Bits => {
            small == large && from != Type::Pred && to != Type::Pred && !(pointer(from) && pointer(to))
        }
        Convert::SToF | Convert::UToF => integer(from) && float(to),
        Convert::FToS | Convert::FToU => float(from) && integer(to),
        Convert::Float => float(from) && float(to) && from != to,
        Convert::Space => match (from, to) {
            (Type::Ptr(from), Type::Ptr(to)) => {
                from != to && (from == Space::Generic || to == Space::Generic)
            }
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    fn wrong(body: &str) -> String {
        verify(&parse(&format!("function @f(x, y) -> i32 {{\nb0(x: i32, y: f32):\n{body}\n}}"))).unwrap_err()
    }

    #[test]
    fn a_function_that_holds_together_passes() {
        let text = "function @f(x) -> i32 {\nb0(x: i32):\n  y: i32 = add x, 1:i32\n  jump b1(y)\nb1(z: i32):\n  return z\n}";
        assert_eq!(verify(&parse(text)), Ok(()));
    }

    #[test]
    fn operands_of_different_types_are_found() {
        assert!(wrong("  z: i32 = add x, y\n  return z").contains("operands: expected I32, found F32"));
    }

    #[test]
    fn uses_that_nothing_dominates_are_found() {
        let body = "  p: pred = cmp.eq x, 0:i32\n  branch p, b1, b2\nb1:\n  z: i32 = neg x\n  jump b2\nb2:\n  return z";
        assert!(wrong(body).contains("does not dominate its use"));
    }

    #[test]
    fn edges_with_other_arguments_than_the_block_has_are_found() {
        assert!(wrong("  jump b1\nb1(z: i32):\n  return z").contains("arguments to"));
    }
}
