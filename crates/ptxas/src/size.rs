//! How many machine instructions ptxas counts a PTX instruction as, when it decides whether a branch pays.

use crate::Access;
use crate::flow::Flow;
use crate::values::{self, Values};
use ptx::{Instruction, Operand};
use std::collections::{HashMap, HashSet};

/// Instructions of an arm that is looked at: longer ones are too long whatever they are.
const MOST: usize = 256;

/// The size of an arm of a branch: instructions `start` to `end`, without a branch at their end. None if there is one among
/// them that ptxas does not predicate. `made`: what becomes of accesses.
pub(crate) fn of(
    flow: &mut Flow<'_>,
    values: &Values,
    made: &HashMap<usize, Access>,
    start: usize,
    end: usize,
) -> Option<u32> {
    if end - start > MOST {
        return None;
    }
    let mut total = 0;
    // Registers that the arm makes and reads once itself: what makes them may become part of what reads them.
    let mut own: Vec<(u32, Kind)> = vec![];
    let mut constants: HashSet<u64> = HashSet::new();
    let mut bases: HashSet<u32> = HashSet::new();
    for at in start..end {
        let i = flow.instructions[at];
        if i.guard.is_some() && i.opcode != "bra" {
            return None;
        }
        let gone = made.get(&at) == Some(&Access::Gone);
        let mut size = if gone { 0 } else { size(i)? };
        let result = values.results.get(&at);
        // What has been computed is there, and an address takes a constant that is added to it.
        if let Some(result) = result
            && (values.made_at.get(&result.base).is_some_and(|first| *first < start)
                || !bases.insert(result.base))
            && (result.offset == 0 || only_address(flow, values, at))
        {
            size = 0;
        }
        let kind = kind(i);
        // An addition takes another one's sum, a scaled or a widened index with it; logic takes logic.
        let mut folded = 0;
        let mut taken = 0;
        for operand in i.operands.iter().skip(1) {
            let Operand::Name(name, None) = operand else { continue };
            let Some(register) = flow.register(at, name) else { continue };
            let Some(n) = own.iter().position(|(r, _)| *r == register) else { continue };
            let once = values.reads.get(&register) == Some(&1);
            if once && taken == 0 && kind.takes(own[n].1) {
                folded += own[n].1.size();
                taken += 1;
                own.remove(n);
            }
        }
        // A store takes what it stores from a register.
        if i.opcode == "st"
            && let Some(Operand::Integer(n)) = i.operands.get(1)
            && *n != 0
            && constants.insert(*n)
        {
            total += 1;
        }
        total += size;
        total -= folded.min(total);
        for name in values::written(i) {
            if let Some(register) = flow.register(at, name) {
                own.push((register, kind));
            }
        }
    }
    Some(total)
}

/// Whether nothing but addresses reads what an instruction gives.
fn only_address(flow: &mut Flow<'_>, values: &Values, at: usize) -> bool {
    values::written(flow.instructions[at]).iter().all(|name| {
        flow.register(at, name)
            .is_some_and(|register| values.reads.get(&register) == values.addressed.get(&register))
    })
}

/// What one instruction can become part of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An addition of whole numbers.
    Sum,
    /// An index times a constant.
    Scaled,
    Logic,
    Compare,
    Other,
}

impl Kind {
    fn takes(self, of: Kind) -> bool {
        match self {
            Kind::Sum => matches!(of, Kind::Sum | Kind::Scaled),
            Kind::Logic => matches!(of, Kind::Logic | Kind::Compare),
            Kind::Scaled | Kind::Compare | Kind::Other => false,
        }
    }

    fn size(self) -> u32 {
        match self {
            Kind::Sum | Kind::Scaled | Kind::Logic | Kind::Compare => 1,
            Kind::Other => 0,
        }
    }
}

fn kind(i: &Instruction<'_>) -> Kind {
    let integer = i.modifiers.last().is_some_and(|ty| ty.starts_with(['s', 'u', 'b']));
    match i.opcode {
        "add" | "sub" if integer => Kind::Sum,
        "shl" => Kind::Scaled,
        "mul" if integer => Kind::Scaled,
        "and" | "or" | "xor" | "not" => Kind::Logic,
        "setp" => Kind::Compare,
        _ => Kind::Other,
    }
}

/// One instruction's own size; none of what ptxas branches around, however short.
fn size(i: &Instruction<'_>) -> Option<u32> {
    let has = |word: &str| i.modifiers.contains(&word);
    let integer = i.modifiers.last().is_some_and(|ty| ty.starts_with(['s', 'u', 'b']));
    let wide = i.modifiers.last().is_some_and(|ty| ty.ends_with("64"));
    let fast = has("approx") && has("ftz");
    Some(match i.opcode {
        "ld" | "ldu" if has("param") => 0,
        "ld" | "st" if has("local") => return None,
        "mov" => match i.operands.get(1) {
            Some(Operand::Name(..)) => 0,
            _ => 1,
        },
        "cvta" => 0,
        "bra" => 0,
        "cvt" if integer && i.modifiers.iter().all(|ty| !ty.starts_with(['f', 'r', 'b'])) => {
            // Registers of 16 bits are those of 32, and a widened index is part of the multiplication after it.
            0
        }
        "div" | "rem" if integer => return None,
        "div" | "sqrt" | "rcp" if !has("approx") => return None,
        "div" => 8,
        "ex2" | "lg2" | "sqrt" | "rsqrt" | "rcp" if !fast => 4,
        "sin" | "cos" if has("approx") => 2,
        "mul" if integer && wide && !has("wide") => 4,
        "mad" if integer && wide && !has("wide") => 4,
        "atom" | "red" | "shfl" | "vote" | "match" | "redux" | "activemask" | "bar" | "barrier"
        | "membar" | "fence" | "call" | "brx" | "ret" | "exit" | "trap" | "cp" | "mma" | "wmma" | "wgmma"
        | "ldmatrix" | "stmatrix" | "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "mbarrier"
        | "nanosleep" | "elect" | "griddepcontrol" | "setmaxnreg" | "getctarank" | "mapa" | "alloca"
        | "stackrestore" | "stacksave" | "brkpt" | "pmevent" => {
            return None;
        }
        _ => 1,
    })
}
