//! Constants across calls that stay.
//!
//! Enters: all functions of a module, simplified. Leaves: a function's parameter that every call gives the same constant as that
//! constant, and a result of a function that is only ever one in the place of each call's, as NVRTC.
//!
//! Counter: `warp_instructions`. Of `powers` in passes.cu NVRTC's code has 29, ours without the pass 69.

use crate::ir::{Def, Function, Op, Terminator, Type, Value};

/// What is known of a value over all places that it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It comes from nowhere.
    Nothing,
    /// Always these bits.
    Constant(u64),
    /// More than one value.
    Several,
}

impl Known {
    /// With one more place.
    fn and(self, bits: Option<u64>) -> Known {
        match (self, bits) {
            (Known::Nothing, Some(bits)) => Known::Constant(bits),
            (Known::Constant(known), Some(bits)) if known == bits => self,
            _ => Known::Several,
        }
    }
}

/// Puts constants in the places of parameters and of calls' results; which functions it changed. Of those that are called as
/// they were lowered others than the calls that are seen may say what they are given.
pub(crate) fn run(functions: &mut [Function], as_lowered: &[bool]) -> Vec<bool> {
    functions.iter_mut().for_each(Function::resolve_operands);
    let mut changed = vec![false; functions.len()];
    let mut params: Vec<Vec<Known>> =
        functions.iter().map(|function| vec![Known::Nothing; function.params.len()]).collect();
    for caller in &*functions {
        for (callee, args, _) in calls(caller) {
            for (known, arg) in params[callee].iter_mut().zip(args) {
                *known = known.and(constant(caller, *arg));
            }
        }
    }
    for (((function, params), changed), keep) in
        functions.iter_mut().zip(&params).zip(&mut changed).zip(as_lowered)
    {
        for (at, known) in params.iter().enumerate() {
            let (Known::Constant(bits), false) = (*known, *keep) else { continue };
            let value = function.params[at].value;
            *changed |= replace(function, value, bits);
        }
    }
    let returned: Vec<Vec<Known>> = functions.iter().map(returned).collect();
    for (function, changed) in functions.iter_mut().zip(&mut changed) {
        let found: Vec<(Value, u64)> = calls(function)
            .flat_map(|(callee, _, results)| results.iter().zip(&returned[callee]))
            .filter_map(|(result, known)| match known {
                Known::Constant(bits) => Some((*result, *bits)),
                Known::Nothing | Known::Several => None,
            })
            .collect();
        for (result, bits) in found {
            *changed |= replace(function, result, bits);
        }
    }
    changed
}

/// Calls of a function: whom, with what, and what comes back.
fn calls(function: &Function) -> impl Iterator<Item = (usize, &[Value], &[Value])> {
    function.blocks.iter().flat_map(|block| &block.insts).filter_map(|inst| {
        let inst = &function.insts[inst.index()];
        let Op::Call(callee) = inst.op else { return None };
        Some((callee.index(), inst.args.as_slice(), inst.results.as_slice()))
    })
}

/// What a function returns, by its results.
fn returned(function: &Function) -> Vec<Known> {
    let mut returned = vec![Known::Nothing; function.results.len()];
    for block in &function.blocks {
        let Terminator::Return(values) = &block.end else { continue };
        for (known, value) in returned.iter_mut().zip(values) {
            *known = known.and(constant(function, *value));
        }
    }
    returned
}

/// Bits of a constant that is no address.
fn constant(function: &Function, value: Value) -> Option<u64> {
    function.constant(value).filter(|_| !matches!(function.ty(value), Type::Ptr(_)))
}

/// Puts a constant wherever a value is used, which itself stays: a parameter is still one. Whether it was used at all.
fn replace(function: &mut Function, value: Value, bits: u64) -> bool {
    let constant = function.value(function.ty(value), Def::constant(bits));
    let mut used = false;
    let mut put = |place: &mut Value| {
        if *place == value {
            (*place, used) = (constant, true);
        }
    };
    for block in &mut function.blocks {
        for inst in &block.insts {
            function.insts[inst.index()].args.iter_mut().for_each(&mut put);
        }
        block.end.for_each_use_mut(&mut put);
    }
    used
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse;
    use crate::ir::reach::Reach;
    use crate::ir::verify::verify;

    fn run(text: &str) -> (String, Vec<bool>) {
        let mut module = parse(text);
        verify(&module).unwrap();
        let as_lowered = Reach::new(&module.functions, &module.globals).as_lowered(&module.functions);
        let changed = super::run(&mut module.functions, &as_lowered);
        verify(&module).unwrap();
        (module.to_string(), changed)
    }

    #[test]
    fn a_constant_that_is_always_returned_is_used_by_those_who_call() {
        let (after, changed) = run(
            "function @f(x) never -> i8 {\nb0(x: i32):\n  t: pred = cmp.sgt x, 3:i32\n  branch t, b1, b2\nb1:\n  return 204:i8\nb2:\n  return 204:i8\n}\nkernel @k(p, x) {\nb0(p: ptr.global, x: i32):\n  a: i8 = call @f x\n  b: i16 = sext a\n  c: i32 = zext b\n  store.a4 p, c\n  return\n}",
        );
        assert!(after.contains("sext -52:i8") && after.contains("call @f"), "{after}");
        assert_eq!(changed, [false, true]);
    }

    #[test]
    fn a_parameter_that_every_call_gives_the_same_constant_is_that_constant() {
        let text = "function @f(x, y) never -> i32 {\nb0(x: i32, y: i32):\n  z: i32 = add x, y\n  return z\n}\nkernel @k(p, x) {\nb0(p: ptr.global, x: i32):\n  a: i32 = call @f 5:i32, x\n  b: i32 = call @f 5:i32, 6:i32\n  c: i32 = add a, b\n  store.a4 p, c\n  return\n}";
        let (after, changed) = run(text);
        assert!(after.contains("add 5:i32, v1"), "{after}");
        assert_eq!(changed, [true, false]);
        let (_, changed) = run(&text.replacen("@f 5:i32, 6:i32", "@f 4:i32, 6:i32", 1));
        assert_eq!(changed, [false, false]);
    }
}
