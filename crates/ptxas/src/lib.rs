//! What ptxas makes of a kernel's memory instructions: which it predicates, merges, leaves out, or lets one lane do.
//!
//! Enters: a module's tree. Leaves: for each memory instruction of a kernel, by its place in the text, what the chip executes
//! for it, and which counters of the kernel cannot be determined. The rules are those that ptxas 13.0 was seen to follow for sm_90
//! (`scripts/ptxas-facts` asks it); `tests/facts` holds this crate to what it made of programs. This crate must never know
//! how anything is executed or counted.

mod atomics;
mod calls;
mod contention;
mod flow;
mod folding;
mod frame;
mod loops;
mod merging;
mod predication;
mod pressure;
mod size;
mod tables;
mod uniform;
mod values;

use flow::Flow;
use frame::Frame;
use loops::Loop;
use merging::Sure;
use ptx::{Function, Instruction, Module, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use values::{BaseAddress, Values};

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
    /// An access of that many bytes that begins `before` bytes before its own address, for itself and others of its block, which
    /// are gone.
    Wide {
        /// 8 or 16.
        bytes: u32,
        /// From its start to the address of this one, bytes.
        before: u32,
    },
    /// An atomic operation with a result, though no one uses it: the kernel has fences.
    WithResult,
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
    /// `ld.local`.
    LocalLoad,
    /// `st.local`.
    LocalStore,
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
    /// The loop around it that is unrolled, or whose lanes work together.
    pub around: Option<Around>,
    /// Whether what it counts depends on which warp of a block, or which block, comes first.
    pub contended: Option<Contended>,
}

/// A loop that ptxas makes another one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// The branch at its end, by its byte in the text. If lanes of a warp part there, what an instruction of the loop counts
    /// cannot be determined.
    pub branch: u32,
    /// Whether its last rounds are predicated, so that it cannot be determined either how many instructions there are.
    pub predicated: bool,
}

/// Who contends for a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contended {
    /// Warps of a block.
    Block,
    /// All warps.
    Grid,
}

/// Why counters cannot be determined of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// None: the module is compiled for a debugger.
    Debugger,
    /// None: it calls what the driver adds, such as `printf` and `malloc`.
    System,
    /// None: it calls through an address.
    Pointer,
    /// None: functions call themselves, and lanes come back from that one after the other.
    Recursion,
    /// None: it is too large to be looked at.
    Size,
    /// Local memory, constant loads and instructions that have no requests: it calls functions, which may become part of it.
    Calls,
    /// Local and global memory and accesses without a state space: local variables are passed on by their addresses.
    Escapes,
    /// Local memory: some accesses to local variables may be in registers.
    Variables,
    /// Local memory: there may be too few registers.
    Registers,
    /// Constant loads that lanes make at different addresses: tables of branches are in constant memory.
    Tables,
    /// The same loads: those of neighbours may be one.
    Neighbours,
}

/// What ptxas makes of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Memory instructions, by their bytes in the text.
    pub instructions: BTreeMap<u32, Made>,
    /// The branches at the ends of loops of which four rounds become one, by their bytes in the text.
    pub unrolled: BTreeSet<u32>,
    /// Instructions of these loops that the four rounds execute once, for they count rounds or move addresses, by their bytes.
    pub once_in_four: BTreeSet<u32>,
    /// Instructions that become a part of the one that uses their result, by their bytes.
    pub folded: BTreeSet<u32>,
    /// Instructions that a branch leads around which a predicate replaces, by their bytes, with that branch's.
    pub predicated: BTreeMap<u32, u32>,
    /// Loads of constants that a warp makes once, into a uniform register, by their bytes.
    pub uniform: BTreeSet<u32>,
    /// Estimate of the registers that a thread has: ptxas orders instructions again. None if nothing is known.
    pub registers: Option<u32>,
    /// What cannot be determined.
    pub unknown: BTreeSet<Unknown>,
}

impl Unknown {
    /// Why not, as a sentence without its full stop.
    pub fn reason(self) -> &'static str {
        match self {
            Unknown::Debugger => "compiled for a debugger",
            Unknown::System => "the kernel calls functions that the driver adds",
            Unknown::Pointer => "the kernel calls functions through addresses",
            Unknown::Recursion => "functions call themselves",
            Unknown::Size => "the kernel is too large to be looked at",
            Unknown::Calls => "functions that are called may become part of the kernel",
            Unknown::Escapes => "addresses of local variables are passed on",
            Unknown::Variables => "some local variables may be in registers",
            Unknown::Registers => "some registers may be in local memory",
            Unknown::Neighbours => "neighbouring loads of constants may be one",
            Unknown::Tables => "there are tables of branches, or of numbers, in constant memory",
        }
    }
}

impl Kernel {
    /// A kernel of which nothing can be determined.
    pub fn unknown() -> Self {
        Kernel { unknown: BTreeSet::from([Unknown::Size]), ..Kernel::default() }
    }
}

/// Finds what ptxas makes of a kernel of a module; none if there is no such kernel. Functions that it calls should have their
/// bodies.
pub fn kernel(module: &Module<'_>, name: &str) -> Option<Kernel> {
    let function = module.functions.iter().find(|f| f.is_kernel && f.name == name && f.body.is_some())?;
    let mut out = Kernel::default();
    // Compiled for a debugger, everything stays as it is written, but for registers.
    if module.target.contains(&"debug") {
        out.unknown.insert(Unknown::Debugger);
        return Some(out);
    }
    match Flow::of(function) {
        Some(mut flow)
            if flow.blocks.len() <= MOST_BLOCKS && flow.instructions.len() <= MOST_INSTRUCTIONS =>
        {
            calls::find(module, function, &mut out.unknown);
            look(module, function, &mut flow, &mut out);
        }
        _ => {
            out.unknown.insert(Unknown::Size);
        }
    }
    Some(out)
}

fn look(module: &Module<'_>, function: &Function<'_>, flow: &mut Flow<'_>, out: &mut Kernel) {
    let meets = flow.meets();
    let (symbols, local_bytes) = places(module, function);
    let values = values::find(flow, &meets, &symbols, &HashSet::new());
    let loops = loops::find(flow);
    let mut made: HashMap<usize, Access> = HashMap::new();
    if local_bytes > 0 {
        variables_go(flow, function, &values, &loops, local_bytes, &mut made, &mut out.unknown);
    }
    for block in 0..flow.blocks.len() {
        if merging::find(flow, &values, block, &mut made) == Sure::No {
            out.unknown.insert(Unknown::Neighbours);
        }
    }
    let under = predication::find(flow, &values, &made);
    let uniform = uniform::find(flow, &meets, &symbols, &loops, &under);
    out.uniform = uniform.into_iter().map(|at| flow.instructions[at].at.0).collect();
    let around = around(flow, &values, &loops, &under, &made);
    for of in &loops {
        if let Some(latch) = of.latch.filter(|_| loops::unrolls(flow, of, &under)) {
            out.unrolled.insert(flow.instructions[flow.blocks[latch].end - 1].at.0);
            let counts = loops::counting(flow, of, latch);
            out.once_in_four.extend(counts.into_iter().map(|at| flow.instructions[at].at.0));
        }
    }
    out.folded = folding::find(flow).into_iter().map(|at| flow.instructions[at].at.0).collect();
    if tables::find(flow) {
        out.unknown.insert(Unknown::Tables);
    }
    let pressure = pressure::find(flow, function);
    out.registers = Some(pressure.registers);
    if pressure.spills {
        out.unknown.insert(Unknown::Registers);
    }
    let contended = contention::find(flow, &loops);
    for (block, head) in under.iter().enumerate() {
        let predicated = head.map(|head| flow.instructions[flow.blocks[head].end - 1].at.0);
        for at in flow.blocks[block].start..flow.blocks[block].end {
            let i = flow.instructions[at];
            out.predicated.extend(predicated.map(|branch| (i.at.0, branch)));
            let Some(Memory { what, .. }) = access(i) else { continue };
            let access =
                atomics::find(flow, &values, at).or_else(|| made.get(&at).copied()).unwrap_or(Access::Kept);
            let contended = contention::of(i).or(contended[block]);
            let made = Made { what, access, predicated, around: around[block], contended };
            out.instructions.insert(i.at.0, made);
        }
    }
}

/// Decides where local variables go: what becomes of accesses to them, or why that is not known.
fn variables_go(
    flow: &mut Flow<'_>,
    function: &Function<'_>,
    values: &Values,
    loops: &[Loop],
    bytes: u64,
    made: &mut HashMap<usize, Access>,
    unknown: &mut BTreeSet<Unknown>,
) {
    match frame::find(flow, function, values, loops, bytes) {
        Frame::Memory => return,
        Frame::Escapes => {
            unknown.insert(Unknown::Escapes);
            return;
        }
        Frame::Unknown => {
            unknown.insert(Unknown::Variables);
            return;
        }
        Frame::Table => {
            unknown.insert(Unknown::Tables);
        }
        Frame::Registers => {}
    }
    for (at, i) in flow.instructions.iter().enumerate() {
        if access(i).is_some_and(|m| matches!(m.what, What::LocalLoad | What::LocalStore)) {
            made.insert(at, Access::Gone);
        }
    }
}

/// For each block the loop around it that ptxas makes another one of.
fn around(
    flow: &mut Flow<'_>,
    values: &Values,
    loops: &[Loop],
    under: &[Option<usize>],
    made: &HashMap<usize, Access>,
) -> Vec<Option<Around>> {
    let mut found = vec![None; flow.blocks.len()];
    for of in loops {
        let Some(latch) = of.latch else { continue };
        let unrolls = loops::unrolls(flow, of, under);
        if unrolls || loops::collective(flow, of) {
            let branch = flow.instructions[flow.blocks[latch].end - 1].at.0;
            let predicated = unrolls && predication::of_a_round(flow, values, made, of);
            of.blocks.iter().for_each(|block| found[*block] = Some(Around { branch, predicated }));
        }
    }
    found
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
        ("ld", Some("local")) => What::LocalLoad,
        ("st", Some("local")) => What::LocalStore,
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

/// Where variables are, as ptxas knows when it places them, and the bytes of local ones.
fn places<'a>(module: &'a Module<'a>, function: &'a Function<'a>) -> (HashMap<&'a str, BaseAddress>, u64) {
    let (mut shared, mut local): (u64, u64) = (0, 0);
    let constants = module.variables.iter().filter(|v| v.space == "const").count();
    let mut found = HashMap::new();
    let mut add = |variable: &'a Variable<'a>| {
        let align = variable.align.unwrap_or(1).max(1).next_power_of_two();
        let known = match (variable.space, variable.linkage) {
            ("shared", None | Some("visible" | "weak")) => {
                let at = shared.next_multiple_of(align);
                shared = at + bytes(variable);
                BaseAddress::Shared(at as i64)
            }
            ("local", _) => {
                let at = local.next_multiple_of(align);
                local = at + bytes(variable);
                BaseAddress::Local(at as i64)
            }
            // The only constant variable begins where they all do.
            ("const", _) if constants == 1 => BaseAddress::Aligned(16),
            _ => BaseAddress::Aligned(align.trailing_zeros()),
        };
        found.insert(variable.name, known);
    };
    module.variables.iter().for_each(&mut add);
    variables(function.body.as_deref().unwrap_or_default(), &mut add);
    (found, local)
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
