//! Where a kernel's local variables go: to registers, or to local memory.
//!
//! ptxas decides for all of a kernel's local variables at once. They can go to registers only if all accesses are of 16 bits or all of
//! 32, and no address leaves the kernel's `ld.local` and `st.local`. If all addresses are known, they do. An access at an address that is
//! not known then becomes a comparison and a move for each element, which is weighed against the accesses that go away: those in
//! loops weigh more. How much more is known roughly, so that between the two nothing is determined.

use crate::flow::{Flow, Register};
use crate::loops::{self, Loop};
use crate::values::{self, Values};
use crate::{Memory, What, access};
use ptx::{Function, Operand, Statement};
use std::collections::BTreeSet;

/// Where local variables go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Registers,
    /// To a table in constant memory: only numbers are stored, all of them first.
    Table,
    Memory,
    /// They are passed on by their addresses.
    Escapes,
    Unknown,
}

/// Elements of variables that are never in registers if an address is not known.
const MANY: u64 = 128;
/// Elements up to which they always are.
const FEW: u64 = 3;
/// The weights of what goes away, in hundredths of a comparison and its move. Found from 320 kernels, of which 18 were a few
/// elements off.
const STORE: u64 = 185;
const LOAD: u64 = 370;
const UNKNOWN_STORE: u64 = 358;
const UNKNOWN_LOAD: u64 = 556;
const ALWAYS: u64 = 728;
/// Within which part of the balance nothing is determined, in hundredths: of what is in no loop, and with loops, whose weight is not known.
const UNSURE: [u64; 2] = [88, 112];
const UNSURE_IN_LOOPS: [u64; 2] = [50, 250];
/// How often a loop is taken to be gone through.
const ROUNDS: u64 = 4;

/// What is done with local variables.
#[derive(Default)]
struct Uses {
    /// Bits of an element, where all accesses agree.
    bits: BTreeSet<u32>,
    /// Accesses at known addresses: elements stored and loaded, each with the number of loops around it.
    stores: Vec<u32>,
    loads: Vec<u32>,
    /// The others.
    unknown_stores: Vec<u32>,
    unknown_loads: Vec<u32>,
    /// Whether all that is stored is numbers, at known addresses.
    numbers: bool,
}

/// Where the local variables of a kernel go, which take that many bytes.
pub(crate) fn find(
    flow: &mut Flow<'_>,
    function: &Function<'_>,
    values: &Values,
    loops: &[Loop],
    bytes: u64,
) -> Frame {
    if escapes(flow, function) {
        return Frame::Escapes;
    }
    let uses = uses(flow, values, loops);
    let bits = match uses.bits.iter().copied().collect::<Vec<_>>()[..] {
        [bits @ (16 | 32)] => bits,
        _ => return Frame::Memory,
    };
    let elements = bytes * 8 / u64::from(bits);
    let unknown = uses.unknown_loads.len() + uses.unknown_stores.len();
    if unknown == 0 {
        return Frame::Registers;
    }
    if uses.numbers && bits == 32 {
        return if uses.stores.len() as u64 >= elements { Frame::Table } else { Frame::Unknown };
    }
    if elements > MANY || uses.stores.is_empty() && uses.loads.is_empty() {
        return Frame::Memory;
    }
    if elements <= FEW {
        return Frame::Registers;
    }
    cheaper(&uses, elements)
}

/// Where variables of that many elements cost less, if that is sure.
fn cheaper(uses: &Uses, elements: u64) -> Frame {
    let weigh = |each: &[u32], weight: u64| -> u64 {
        each.iter().map(|depth| weight.saturating_mul(ROUNDS.saturating_pow(*depth))).sum()
    };
    let cost = elements.saturating_mul(weigh(&uses.unknown_loads, 100) + weigh(&uses.unknown_stores, 100));
    let gain = ALWAYS
        + weigh(&uses.stores, STORE)
        + weigh(&uses.loads, LOAD)
        + weigh(&uses.unknown_stores, UNKNOWN_STORE)
        + weigh(&uses.unknown_loads, UNKNOWN_LOAD);
    let all = [&uses.unknown_loads, &uses.unknown_stores];
    let loops = all.into_iter().flatten().any(|depth| *depth > 0);
    let [less, more] = if loops { UNSURE_IN_LOOPS } else { UNSURE };
    if cost.saturating_mul(100) < gain.saturating_mul(less) {
        Frame::Registers
    } else if cost.saturating_mul(100) > gain.saturating_mul(more) {
        Frame::Memory
    } else {
        Frame::Unknown
    }
}

fn uses(flow: &Flow<'_>, values: &Values, loops: &[Loop]) -> Uses {
    let mut uses = Uses { numbers: true, ..Uses::default() };
    for block in 0..flow.blocks.len() {
        let depth = loops::depth(loops, block);
        for at in flow.blocks[block].start..flow.blocks[block].end {
            let i = flow.instructions[at];
            let Some(Memory { what: what @ (What::LocalLoad | What::LocalStore), bytes, .. }) = access(i)
            else {
                continue;
            };
            let bits =
                i.modifiers.last().and_then(|ty| ty.get(1..)).and_then(|n| n.parse().ok()).unwrap_or(0);
            uses.bits.insert(bits);
            let elements = (8 * bytes / bits.max(1)) as usize;
            let known = values.addresses.get(&at).is_some_and(|address| address.base == values::LOCAL);
            let number = matches!(i.operands.get(1), Some(Operand::Integer(_) | Operand::F32(_)));
            uses.numbers &= what == What::LocalLoad || (known && number && depth == 0);
            let list = match (what == What::LocalStore, known) {
                (true, true) => &mut uses.stores,
                (false, true) => &mut uses.loads,
                (true, false) => &mut uses.unknown_stores,
                (false, false) => &mut uses.unknown_loads,
            };
            list.extend(std::iter::repeat_n(depth, elements));
        }
    }
    uses
}

/// Whether an address of a local variable is used otherwise than by `ld.local` and `st.local`.
fn escapes(flow: &mut Flow<'_>, function: &Function<'_>) -> bool {
    let mut locals = vec![];
    names(function.body.as_deref().unwrap_or_default(), &mut locals);
    let mut tainted: BTreeSet<Register> = BTreeSet::new();
    loop {
        let before = tainted.len();
        for at in 0..flow.instructions.len() {
            let i = flow.instructions[at];
            let generic =
                i.opcode == "cvta" && i.modifiers.contains(&"local") && !i.modifiers.contains(&"to");
            let mut reads = vec![];
            values::read(i, &mut |name| reads.push(name));
            let touched = generic
                || reads.iter().any(|name| flow.register(at, name).is_some_and(|r| tainted.contains(&r)));
            if !touched {
                continue;
            }
            match i.opcode {
                "cvta" | "mov" | "add" | "sub" | "selp" | "mad" => {
                    for name in values::written(i) {
                        tainted.extend(flow.register(at, name));
                    }
                }
                _ => return true,
            }
        }
        if tainted.len() == before {
            break;
        }
    }
    // A name itself where an address of another kind is expected.
    (0..flow.instructions.len()).any(|at| {
        let i = flow.instructions[at];
        let local = i.modifiers.contains(&"local");
        let mut reads = vec![];
        values::read(i, &mut |name| reads.push(name));
        !local && !matches!(i.opcode, "mov" | "cvta") && reads.iter().any(|name| locals.contains(name))
    })
}

fn names<'a>(body: &'a [Statement<'a>], found: &mut Vec<&'a str>) {
    for statement in body {
        match statement {
            Statement::Variable(variable) if variable.space == "local" => found.push(variable.name),
            Statement::Block(inner) => names(inner, found),
            _ => {}
        }
    }
}
