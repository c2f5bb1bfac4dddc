//! What ptxas makes of a kernel's memory instructions: which it predicates, merges, leaves out, or lets one lane do.
//!
//! Enters: a module's tree. Leaves: for each memory instruction of a kernel, by its place in the text, what the chip executes
//! for it, and which counters of the kernel cannot be told. The rules are those that ptxas 13.0 was seen to follow for sm_90
//! (`scripts/ptxas-facts` asks it); `tests/facts` holds this crate to what it made of programs. This crate must never know
//! how anything is executed or counted.

mod atomics;
mod flow;
mod merging;
mod predication;
mod size;
mod tables;
mod values;

use flow::Flow;
use ptx::{Function, Instruction, Module, Operand, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use values::Place;

/// Blocks and instructions of a kernel that is looked at: a larger one would take too long.
const MOST_BLOCKS: usize = 2048;
const MOST_INSTRUCTIONS: usize = 1 << 17;

/// What the chip executes for a memory instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Itself.
    Kept,
    /// Nothing: its value is in a register, or another access does what it did.
    Gone,
    /// An access of so many bytes that begins `before` bytes before its own address, for itself and others of its block.
    Wide {
        /// 8 or 16.
        bytes: u32,
        /// From its start to the address of this one, bytes.
        before: u32,
    },
    /// The operation of one lane for all.
    OneLane,
    /// The operation of one lane for all, if all 32 lanes are there, and otherwise itself.
    OneLaneIfAllAreThere,
}

/// The instructions that a memory instruction counts among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// `ld.global`.
    GlobalLoad,
    /// `st.global`.
    GlobalStore,
    /// `ld.shared`.
    SharedLoad,
    /// `st.shared`.
    SharedStore,
    /// `atom.shared`, `red.shared`.
    SharedAtomic,
    /// `ld.const`.
    ConstantLoad,
    /// `ld` without a state space.
    GenericLoad,
    /// `st` without a state space.
    GenericStore,
    /// Any other.
    Other,
}

/// What the chip executes for one memory instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// What it counts among.
    pub what: What,
    /// What is executed for it.
    pub access: Access,
    /// The branch, by its byte in the text, that a predicate replaces: every warp that comes to it executes the instruction.
    pub predicated: Option<u32>,
}

/// Counters that cannot be told of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// Of local memory: variables may be kept in registers, and registers in local memory.
    Local,
    /// Of constant loads that lanes make at different addresses: tables of branches are in constant memory.
    Constant,
    /// Of local memory, of constant loads and of instructions that have no requests: the kernel calls functions, which
    /// are not looked at.
    Calls,
    /// Of any memory: the kernel calls what the driver adds, or through an address, or is too large to be looked at.
    All,
}

/// What ptxas makes of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Memory instructions, by their bytes in the text.
    pub instructions: BTreeMap<u32, Made>,
    /// What cannot be told.
    pub unknown: BTreeSet<Unknown>,
}

impl Kernel {
    /// A kernel of which nothing can be told.
    pub fn unknown() -> Self {
        Kernel { unknown: BTreeSet::from([Unknown::All]), ..Kernel::default() }
    }
}

/// Finds what ptxas makes of a kernel of a module; none if there is no such kernel.
pub fn kernel(module: &Module<'_>, name: &str) -> Option<Kernel> {
    let function = module.functions.iter().find(|f| f.is_kernel && f.name == name && f.body.is_some())?;
    let mut out = Kernel::default();
    // Compiled for a debugger, everything stays as it is written, but for registers.
    if module.target.contains(&"debug") {
        out.unknown.insert(Unknown::All);
        return Some(out);
    }
    match Flow::of(function) {
        Some(mut flow)
            if flow.blocks.len() <= MOST_BLOCKS && flow.instructions.len() <= MOST_INSTRUCTIONS =>
        {
            look(module, function, &mut flow, &mut out);
        }
        _ => {
            out.unknown.insert(Unknown::All);
        }
    }
    Some(out)
}

fn look(module: &Module<'_>, function: &Function<'_>, flow: &mut Flow<'_>, out: &mut Kernel) {
    let meets = flow.meets();
    let symbols = places(module, function);
    let values = values::find(flow, &meets, &symbols);
    if tables::find(flow, &values, &meets) {
        out.unknown.insert(Unknown::Constant);
    }
    let mut made: HashMap<usize, Access> = HashMap::new();
    for block in 0..flow.blocks.len() {
        merging::find(flow, &values, block, &mut made);
    }
    let under = predication::find(flow, &values, &made);
    for (block, head) in under.iter().enumerate() {
        for at in flow.blocks[block].start..flow.blocks[block].end {
            let i = flow.instructions[at];
            match i.opcode {
                "call" if !asserts(i) => {
                    let known = defined(module, i);
                    out.unknown.insert(if known { Unknown::Calls } else { Unknown::All });
                }
                "ld" | "st" if i.modifiers.contains(&"local") => {
                    out.unknown.insert(Unknown::Local);
                }
                _ => {}
            }
            let Some(Memory { what, .. }) = access(i) else { continue };
            let access =
                atomics::find(flow, &values, at).or_else(|| made.get(&at).copied()).unwrap_or(Access::Kept);
            let predicated = head.map(|head| flow.instructions[flow.blocks[head].end - 1].at.0);
            out.instructions.insert(i.at.0, Made { what, access, predicated });
        }
    }
}

/// Whether a call is that of a failed `assert`, which no launch returns from.
fn asserts(i: &Instruction<'_>) -> bool {
    i.operands.iter().any(|operand| matches!(operand, Operand::Name("__assertfail", None)))
}

/// Whether a call is of a function that the module has.
fn defined(module: &Module<'_>, i: &Instruction<'_>) -> bool {
    i.operands.iter().any(|operand| match operand {
        Operand::Name(name, None) => module.functions.iter().any(|f| f.name == *name && f.body.is_some()),
        _ => false,
    })
}

/// What a memory instruction reaches.
pub(crate) struct Memory {
    pub(crate) what: What,
    /// Bytes a lane.
    pub(crate) bytes: u32,
    /// Whether others do not wait for it: no volatile or ordered one.
    pub(crate) plain: bool,
}

/// What an instruction reaches in memory, if it is a load, a store or an atomic operation, other than of parameters.
pub(crate) fn access(i: &Instruction<'_>) -> Option<Memory> {
    let has = |word: &str| i.modifiers.iter().any(|m| m.split("::").next() == Some(word));
    let space = ["global", "shared", "const", "local", "param"].into_iter().find(|space| has(space));
    let what = match (i.opcode, space) {
        (_, Some("param")) => return None,
        ("ld" | "ldu", Some("global")) => What::GlobalLoad,
        ("ld", Some("shared")) => What::SharedLoad,
        ("ld", Some("const")) => What::ConstantLoad,
        ("ld", None) => What::GenericLoad,
        ("st", Some("global")) => What::GlobalStore,
        ("st", Some("shared")) => What::SharedStore,
        ("st", None) => What::GenericStore,
        ("atom" | "red", Some("shared")) => What::SharedAtomic,
        ("ld" | "st" | "atom" | "red", _) => What::Other,
        ("ldmatrix" | "stmatrix", _) => What::Other,
        _ => return None,
    };
    let bits: u32 = i.modifiers.last()?.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
    let elements = if has("v2") {
        2
    } else if has("v4") {
        4
    } else if has("v8") {
        8
    } else {
        1
    };
    let ordered = ["volatile", "relaxed", "acquire", "release", "mmio"].into_iter().any(has);
    Some(Memory { what, bytes: bits / 8 * elements, plain: !ordered })
}

/// Where variables lie: ptxas knows when it places them.
fn places<'a>(module: &'a Module<'a>, function: &'a Function<'a>) -> HashMap<&'a str, Place> {
    let mut shared: u64 = 0;
    let constants = module.variables.iter().filter(|v| v.space == "const").count();
    let mut found = HashMap::new();
    let mut add = |variable: &'a Variable<'a>| {
        let align = variable.align.unwrap_or(1).max(1).next_power_of_two();
        let known = match (variable.space, variable.linkage) {
            ("shared", None | Some("visible" | "weak")) => {
                let at = shared.next_multiple_of(align);
                shared = at + bytes(variable);
                Place::Shared(at as i64)
            }
            // The only constant variable begins where they all do.
            ("const", _) if constants == 1 => Place::Aligned(16),
            _ => Place::Aligned(align.trailing_zeros()),
        };
        found.insert(variable.name, known);
    };
    module.variables.iter().for_each(&mut add);
    variables(function.body.as_deref().unwrap_or_default(), &mut add);
    found
}

fn variables<'a>(body: &'a [Statement<'a>], add: &mut impl FnMut(&'a Variable<'a>)) {
    for statement in body {
        match statement {
            Statement::Variable(variable) if variable.space != "reg" => add(variable),
            Statement::Block(inner) => variables(inner, add),
            _ => {}
        }
    }
}

/// The size of a variable.
fn bytes(variable: &Variable<'_>) -> u64 {
    let bits: u64 = variable.ty.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(8);
    let elements = variable.dimensions.iter().fold(1u64, |n, d| n.saturating_mul(d.unwrap_or(0)));
    (bits / 8).saturating_mul(u64::from(variable.vector)).saturating_mul(elements).min(1 << 32)
}
