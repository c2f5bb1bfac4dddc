//! Reads of local memory that was never written and yet nobody minds: structs are copied with their padding, and bits
//! are put into words that hold nothing yet. Compilers that do not optimise leave both in the program.
//!
//! A lane that reads nothing but unwritten bytes is excused if what it read goes, before the way branches, into
//! local memory or a call's arguments, or only some of its bits are kept and others are put beside them. What a copy
//! leaves behind counts as written.
//!
//! Of shared memory a kernel may read past what it has written and then not choose what it read: a merge looks at the
//! next element of both its inputs and has compared with their ends whether there is one.

use super::super::fault::Stop;
use super::Checks;
use crate::error::FaultKind;
use crate::ir::{
    Block, Compute, Effect, End, File, Function, Inst, Kernel, MemoryOperand, Op, Register, ScalarCall, Slot,
    Source, StateSpace,
};
use crate::semantics::scalar::Kind;

/// Basic blocks that are looked through, as long as each has one way on; and the warp instructions that lie between a
/// load and its store at the most.
const FOLLOWED: usize = 8;
const WINDOW: u64 = 256;

/// Fate of the value that a load has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Used,
    /// Unimportant, unless one of these stores (places in [`Kernel::accesses`]) carries it out of local memory.
    Carried(Vec<u16>),
}

/// An unwritten value on its way to a store.
#[derive(Debug)]
pub(super) struct Carried {
    /// When: warp instructions of the block.
    spent: u64,
    stores: Vec<u16>,
    stop: Stop,
}

impl Checks<'_> {
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn excuse(
        &mut self,
        kernel: &Kernel,
        spent: u64,
        number: u16,
        stop: Stop,
    ) -> Result<(), Stop> {
        match self.fates.entry(number).or_insert_with(|| fate(kernel, number)) {
            Fate::Used => Err(stop),
            Fate::Carried(stores) => {
                self.carried.retain(|carried| carried.spent + WINDOW >= spent);
                if !stores.is_empty() {
                    self.carried.push(Carried { spent, stores: stores.clone(), stop });
                }
                Ok(())
            }
        }
    }

    /// Excuses a read of shared memory that the checks object to, or returns their fault.
    #[cold]
    #[inline(never)]
    pub(in crate::exec) fn excuse_shared(
        &mut self,
        kernel: &Kernel,
        spent: u64,
        number: u16,
        stop: Stop,
    ) -> Result<(), Stop> {
        if stop.kind != FaultKind::UninitialisedRead {
            return Err(stop);
        }
        // What the system keeps there is the system's to write.
        let reserved = kernel.reserved.as_ref().zip(stop.address);
        if reserved.is_some_and(|(bytes, at)| u32::try_from(at).is_ok_and(|at| bytes.contains(&at))) {
            return Ok(());
        }
        self.excuse(kernel, spent, number, stop)
    }
}

impl Checks<'_> {
    /// A store within local memory: the copy is done.
    pub(in crate::exec) fn carried_within(&mut self, number: u16) {
        if !self.carried.is_empty() {
            self.carried.retain(|carried| !carried.stores.contains(&number));
        }
    }

    /// A store is about to carry values out of local memory.
    #[inline(always)]
    pub(in crate::exec) fn check_carried(&mut self, spent: u64, number: u16) -> Result<(), Stop> {
        if self.carried.is_empty() { Ok(()) } else { self.carried_out(spent, number) }
    }

    #[cold]
    #[inline(never)]
    fn carried_out(&mut self, spent: u64, number: u16) -> Result<(), Stop> {
        let is_it = |c: &Carried| c.spent + WINDOW >= spent && c.stores.contains(&number);
        match self.carried.iter().position(is_it) {
            Some(n) => Err(self.carried.swap_remove(n).stop),
            None => Ok(()),
        }
    }
}

fn fate(kernel: &Kernel, number: u16) -> Fate {
    use StateSpace::{Generic, Local, Shared};
    let loads = |inst: &Inst| {
        !matches!(inst.op, Op::FmaShared { .. })
            && matches!(inst.op.effect(), Effect::Load(Local | Generic | Shared))
            && inst.op.access(kernel).is_some_and(|id| id.number() == number)
    };
    let Some(at) = kernel.code.iter().position(loads) else { return Fate::Used };
    let holds = |b: &Block| (b.start as usize..b.end as usize).contains(&at);
    let Some(block) = kernel.blocks.iter().position(holds) else { return Fate::Used };
    let access = &kernel.accesses[usize::from(number)];
    let shared = kernel.code[at].op.effect() == Effect::Load(Shared);
    let mut stores = vec![];
    for e in 0..usize::from(access.count) {
        let file = if access.wide[e] { File::X } else { File::W };
        let Some(register) = access.registers[e].get() else { continue };
        let excused = !shared && file == File::W && unread(kernel, block as u32, register)
            || shared && is_choice(kernel, block, at + 1, (file, register))
            || unimportant(kernel, block as u32, at + 1, register, file, &mut stores);
        if !excused {
            return Fate::Used;
        }
    }
    Fate::Carried(stores)
}

/// Whether no instruction of a block's function reads a register: what is loaded for a bit field that fills its byte.
fn unread(kernel: &Kernel, block: u32, register: Register) -> bool {
    let function = kernel.functions.iter().rposition(|f| f.entry <= block).unwrap_or_default();
    register.in_frame().is_some_and(|number| kernel.reads_of(function)[number] == 0)
}

/// The instructions from one on for as long as there is one way, and how that ends.
fn ahead(kernel: &Kernel, mut block: u32, from: usize) -> (Vec<Inst>, End) {
    let first = kernel.blocks[block as usize];
    let mut code = kernel.code[from..first.end as usize].to_vec();
    for _ in 0..FOLLOWED {
        let End::Goto(next) = kernel.blocks[block as usize].exit else { break };
        if next <= block {
            break;
        }
        block = next;
        let next = kernel.blocks[block as usize];
        code.extend_from_slice(&kernel.code[next.start as usize..next.end as usize]);
    }
    (code, kernel.blocks[block as usize].exit)
}

/// Whether a register is one of two that a predicate chooses between, before the way branches, and nothing else is done
/// with it but comparisons that go into such predicates with others.
fn is_choice(kernel: &Kernel, block: usize, from: usize, register: (File, Register)) -> bool {
    let (code, exit) = ahead(kernel, block as u32, from);
    // The register, and predicates that hang on it alone.
    let mut unknown = vec![register];
    let mut chosen = false;
    for inst in &code {
        if inst.guard.condition().is_some_and(|(predicate, _)| unknown.contains(&(File::P, predicate))) {
            return false;
        }
        let mut used = vec![];
        kernel.operands(inst, |file, number| {
            if unknown.contains(&(file, number)) {
                used.push((file, number));
            }
        });
        let mut spreads = false;
        if !used.is_empty() {
            match becomes(kernel, &inst.op, &used) {
                Some(Choice::Chosen) => chosen = true,
                Some(Choice::Compared) => spreads = true,
                None => return false,
            }
        }
        kernel.results(inst, |file, number| {
            unknown.retain(|of| *of != (file, number));
            if spreads {
                unknown.push((file, number));
            }
        });
        if unknown.is_empty() {
            break;
        }
    }
    let decides = match exit {
        End::Branch { predicate, .. } | End::ExitIf { predicate, .. } => {
            unknown.contains(&(File::P, predicate))
        }
        End::Goto(_)
        | End::Switch { .. }
        | End::Barrier { .. }
        | End::Call { .. }
        | End::Return
        | End::Exit
        | End::Trap => false,
    };
    chosen && !decides
}

/// Role of the registers that [`is_choice`] follows in an operation that reads them.
enum Choice {
    /// One of two, or a predicate that others decide too.
    Chosen,
    /// A predicate that hangs on them alone.
    Compared,
}

fn becomes(kernel: &Kernel, op: &Op, used: &[(File, Register)]) -> Option<Choice> {
    let result = match op {
        Op::Compute(of) => {
            let chooses = match of.function {
                Function::SelpW | Function::SelpX => !used.contains(&(File::P, of.c)),
                function => matches!(function, Function::AndP | Function::OrP),
            };
            if chooses {
                return Some(Choice::Chosen);
            }
            of.result().0
        }
        Op::Scalar { call, .. } => kernel[*call].result(),
        Op::Special { .. }
        | Op::LocalAddress { .. }
        | Op::FmaShared { .. }
        | Op::LoadGlobal { .. }
        | Op::LoadShared { .. }
        | Op::LoadConstant { .. }
        | Op::LoadLocal { .. }
        | Op::LoadGeneric { .. }
        | Op::LoadParameter { .. }
        | Op::StoreGlobal { .. }
        | Op::StoreShared { .. }
        | Op::StoreLocal { .. }
        | Op::StoreGeneric { .. }
        | Op::Atomic { .. }
        | Op::CopyAsync { .. }
        | Op::Mbarrier { .. }
        | Op::Bulk { .. }
        | Op::Collective { .. }
        | Op::Fence {}
        | Op::Builtin { .. }
        | Op::Texture { .. }
        | Op::Surface { .. }
        | Op::LoadMatrix { .. }
        | Op::StoreMatrix { .. }
        | Op::Matrix { .. } => return None,
    };
    (result == File::P).then_some(Choice::Compared)
}

/// Whether nothing of weight is done with a register from an instruction on.
fn unimportant(
    kernel: &Kernel,
    block: u32,
    from: usize,
    mut register: Register,
    mut file: File,
    stores: &mut Vec<u16>,
) -> bool {
    let mut masked = false;
    let (code, exit) = ahead(kernel, block, from);
    for inst in &code {
        if let Op::Compute(of) = &inst.op {
            match computed(of, (file, register), masked) {
                Followed::Elsewhere => {}
                Followed::To(result, is_masked) => ((file, register), masked) = (result, is_masked),
                Followed::Ends(unimportant) => return unimportant,
            }
            continue;
        }
        if let Op::Scalar { d, call } = inst.op {
            let of = &kernel[call];
            if of.sources().contains(&Source::Register(file, register)) {
                if !is_like(of, |a, b| a & b) {
                    return masked && is_like(of, |a, b| a | b);
                }
                (register, file, masked) = (d, File::W, true);
            } else if d == register && of.result() == file {
                return true;
            }
            continue;
        }
        // The loads behind it are of shared memory, and so is the first one in it.
        if let Op::FmaShared { .. } = inst.op {
            continue;
        }
        let access = inst.op.access(kernel).map(|id| (id, &kernel[id]));
        match inst.op.effect() {
            Effect::Store(_) => {
                let Some((id, access)) = access else { return false };
                if is_address(access, register, file) {
                    return false;
                }
                if has(access, register, file) {
                    stores.push(id.number());
                    return true;
                }
            }
            Effect::Load(_) => {
                let Some((_, access)) = access else { return false };
                if is_address(access, register, file) {
                    return false;
                }
                if has(access, register, file) {
                    return true;
                }
            }
            Effect::Pure | Effect::Fence => {}
            Effect::Atomic(_)
            | Effect::Copy(_)
            | Effect::LoadMatrix(_)
            | Effect::StoreMatrix(_)
            | Effect::Asynchronous
            | Effect::Texture
            | Effect::Collective
            | Effect::System => return false,
        }
    }
    // Beyond the block only a call's arguments are known.
    let End::Call { call, .. } = exit else { return false };
    kernel.calls[call as usize].arguments.iter().any(|transfer| match transfer.from {
        Slot::W(n) => file == File::W && n == register,
        Slot::X(n) => file == File::X && n == register,
        Slot::Bytes(_) | Slot::P(_) => false,
    })
}

/// Where a value goes that [`unimportant`] follows.
enum Followed {
    /// The instruction has nothing to do with it.
    Elsewhere,
    /// Into another register, and whether some of its bits have been masked by then.
    To((File, Register), bool),
    /// It is known whether it is unimportant.
    Ends(bool),
}

fn computed(of: &Compute, value: (File, Register), masked: bool) -> Followed {
    if of.operands().all(|operand| operand != value) {
        return if of.result() == value { Followed::Ends(true) } else { Followed::Elsewhere };
    }
    match of.function {
        Function::MovW | Function::MovX => Followed::To(of.result(), masked),
        Function::AndW | Function::AndX => Followed::To(of.result(), true),
        Function::OrW | Function::OrX => Followed::Ends(masked),
        // Any other function of the table computes with it: then it matters.
        _ => Followed::Ends(false),
    }
}

/// Whether a function of two words is this one, as far as a few values tell.
fn is_like(of: &ScalarCall, function: impl Fn(u64, u64) -> u64) -> bool {
    let probes = [(0xf0f0, 0xff00), (0x1234, 0x00ff), (0xffff, 0x8001), (0x7654, 0x3210)];
    of.scalar.sources == [Kind::W, Kind::W]
        && of.scalar.result == Kind::W
        && probes.iter().all(|(a, b)| (of.scalar.compute)(of.scalar.mode, [*a, *b, 0, 0]) == function(*a, *b))
}

fn is_address(access: &MemoryOperand, register: Register, file: File) -> bool {
    access.address.register == register && (file == File::X) == access.address.wide
}

fn has(access: &MemoryOperand, register: Register, file: File) -> bool {
    access.elements().any(|element| element == (file, register))
}
