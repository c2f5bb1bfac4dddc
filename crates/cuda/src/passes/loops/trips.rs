//! How often a loop turns, where that is known.
//!
//! Enters: a loop in its form. Leaves: the number of the turn in which it leaves by one of its tests. It is found by running what
//! the test depends on, turn by turn: no form of induction is needed for that.

use std::collections::HashMap;

use super::form::Form;
use crate::ir::{Block, Def, Function, Op, Terminator, Value};
use crate::passes::fold;

/// Test that ends a loop after a known number of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Block whose branch leaves.
    pub(crate) block: Block,
    /// Number of turns in which that branch stays: it leaves in the turn after.
    pub(crate) stays: u32,
}

/// The first test of a loop that every turn comes by (the header's or the latch's) and whose outcome is known, within `most` turns.
pub(crate) fn known(function: &Function, form: &Form, most: u32) -> Option<Known> {
    [form.header, form.latch].into_iter().find_map(|block| {
        let Terminator::Branch(test, yes, no) = &function.blocks[block.index()].end else { return None };
        let stays_if = match (form.contains(yes.block), form.contains(no.block)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => return None,
        };
        let stays = turns(function, form, *test, stays_if, most)?;
        Some(Known { block, stays })
    })
}

fn turns(function: &Function, form: &Form, test: Value, stays_if: bool, most: u32) -> Option<u32> {
    let params = &function.blocks[form.header.index()].params;
    let incoming = |block: Block| {
        let edge = function.blocks[block.index()].end.edges().find(|edge| edge.block == form.header)?;
        Some(&edge.args)
    };
    let (first, next) = (incoming(form.preheader)?, incoming(form.latch)?);
    // Parameters that matter: those that the test depends on, and those that these depend on.
    let needed = needed(function, form, test, next)?;
    let mut now: HashMap<Value, u64> = HashMap::new();
    for number in &needed {
        let start = compute(function, *first.get(*number)?, &mut HashMap::new(), 0)?;
        now.insert(params[*number], start);
    }
    for turn in 0..=most {
        let mut computed = now.clone();
        if (compute(function, test, &mut computed, 0)? != 0) != stays_if {
            return Some(turn);
        }
        let mut then = HashMap::new();
        for number in &needed {
            then.insert(params[*number], compute(function, next[*number], &mut computed, 0)?);
        }
        if then == now {
            return None; // it turns for ever
        }
        now = then;
    }
    None
}

/// Deepest chain of operations that is followed.
const DEPTH: u32 = 32;

/// Numbers of the header's parameters that a test depends on over all turns; `None` where it depends on anything unknown.
fn needed(function: &Function, form: &Form, test: Value, next: &[Value]) -> Option<Vec<usize>> {
    let params = &function.blocks[form.header.index()].params;
    let mut needed: Vec<usize> = vec![];
    let mut work = vec![(test, 0)];
    while let Some((value, depth)) = work.pop() {
        let value = function.resolve(value);
        match function.values[value.index()].def {
            Def::Constant(_) => {}
            Def::Param(block, number)
                if block == form.header && params.get(number as usize) == Some(&value) =>
            {
                let number = number as usize;
                if !needed.contains(&number) {
                    needed.push(number);
                    work.push((*next.get(number)?, 0));
                }
            }
            Def::Result(inst, _) if depth < DEPTH => {
                let data = &function.insts[inst.index()];
                match data.op {
                    Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Select | Op::Convert(_) => {
                        work.extend(data.args.iter().map(|arg| (*arg, depth + 1)));
                    }
                    _ => return None,
                }
            }
            Def::Result(..) | Def::Param(..) | Def::Undefined | Def::Alias(_) => return None,
        }
    }
    (!needed.is_empty()).then_some(needed)
}

fn compute(function: &Function, value: Value, known: &mut HashMap<Value, u64>, depth: u32) -> Option<u64> {
    let value = function.resolve(value);
    if let Some(bits) = known.get(&value) {
        return Some(*bits);
    }
    if let Some(bits) = function.constant(value) {
        return Some(bits);
    }
    let Def::Result(inst, _) = function.values[value.index()].def else { return None };
    if depth > DEPTH {
        return None;
    }
    let data = &function.insts[inst.index()];
    let arg = |n: usize| data.args.get(n).copied();
    let ty = function.ty(*data.args.first()?);
    let mut of = |n: usize| compute(function, arg(n)?, known, depth + 1);
    let bits = match data.op {
        Op::Unary(op) => fold::unary(op, ty, of(0)?),
        Op::Binary(op) => fold::binary(op, ty, of(0)?, of(1)?)?,
        Op::Compare(op) => u64::from(fold::compare(op, ty, of(0)?, of(1)?)),
        Op::Select => {
            if of(0)? != 0 {
                of(1)?
            } else {
                of(2)?
            }
        }
        Op::Convert(op) => fold::convert(op, ty, function.ty(value), of(0)?)?,
        _ => return None,
    };
    known.insert(value, bits);
    Some(bits)
}
