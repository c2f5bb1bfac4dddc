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
use crate::ir::{Access, Block, End, File, Inst, Kernel, NONE, Op, ScalarUse, Slot, table_shape};
use crate::semantics::scalar::Kind;

/// Basic blocks that are looked through, as long as each has one way on; and the warp instructions that lie between a
/// load and its store at the most.
const FOLLOWED: usize = 8;
const WINDOW: u64 = 256;

/// What becomes of what a load has read.
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

    /// What the check of a read of shared memory has found, unless it is excused.
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
    let loads =
        |inst: &Inst| matches!(inst.op, Op::LoadLocal | Op::LoadGeneric | Op::LoadShared) && inst.b == number;
    let Some(at) = kernel.code.iter().position(loads) else { return Fate::Used };
    let holds = |b: &Block| (b.start as usize..b.end as usize).contains(&at);
    let Some(block) = kernel.blocks.iter().position(holds) else { return Fate::Used };
    let access = &kernel.accesses[usize::from(number)];
    let mut stores = vec![];
    for e in 0..usize::from(access.count) {
        let file = if access.wide[e] { File::X } else { File::W };
        let register = access.registers[e];
        let excused = register == NONE
            || kernel.code[at].op != Op::LoadShared
                && file == File::W
                && unread(kernel, block as u32, register)
            || kernel.code[at].op == Op::LoadShared && is_choice(kernel, block, at + 1, (file, register))
            || unimportant(kernel, block as u32, at + 1, register, file, &mut stores);
        if !excused {
            return Fate::Used;
        }
    }
    Fate::Carried(stores)
}

/// Whether no instruction of a block's function reads a register: what is loaded for a bit field that fills its byte.
fn unread(kernel: &Kernel, block: u32, register: u16) -> bool {
    let function = kernel.functions.iter().rposition(|f| f.entry <= block).unwrap_or_default();
    kernel.reads_of(function).get(usize::from(register)) == Some(&0)
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
fn is_choice(kernel: &Kernel, block: usize, from: usize, register: (File, u16)) -> bool {
    let (code, exit) = ahead(kernel, block as u32, from);
    // The register, and predicates that hang on it alone.
    let mut unknown = vec![register];
    let mut chosen = false;
    for inst in &code {
        if inst.guard != NONE && unknown.contains(&(File::P, inst.guard)) {
            return false;
        }
        let mut used = vec![];
        kernel.operands(inst, |file, number| {
            if unknown.contains(&(file, number)) {
                used.push((file, number));
            }
        });
        let condition = (File::P, inst.c);
        let mut spreads = false;
        match inst.op {
            _ if used.is_empty() => {}
            Op::SelpW | Op::SelpX if !used.contains(&condition) => chosen = true,
            Op::AndP | Op::OrP => chosen = true,
            Op::MovP | Op::NotP | Op::XorP => spreads = true,
            op if table_shape(op).is_some_and(|shape| shape.files().0 == File::P) => spreads = true,
            Op::Scalar if kernel.scalars[inst.imm as usize].scalar.result == Kind::P => spreads = true,
            _ => return false,
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
        _ => false,
    };
    chosen && !decides
}

/// Whether nothing of weight is done with a register from an instruction on.
fn unimportant(
    kernel: &Kernel,
    block: u32,
    from: usize,
    mut register: u16,
    mut file: File,
    stores: &mut Vec<u16>,
) -> bool {
    let mut masked = false;
    let (code, exit) = ahead(kernel, block, from);
    for inst in &code {
        match inst.op {
            Op::StoreLocal | Op::StoreGeneric | Op::StoreGlobal | Op::StoreShared => {
                let access = &kernel.accesses[usize::from(inst.b)];
                if is_address(access, inst, register, file) {
                    return false;
                }
                if has(access, register, file) {
                    stores.push(inst.b);
                    return true;
                }
            }
            Op::LoadLocal
            | Op::LoadGeneric
            | Op::LoadGlobal
            | Op::LoadShared
            | Op::LoadConstant
            | Op::LoadParameter => {
                let access = &kernel.accesses[usize::from(inst.b)];
                if is_address(access, inst, register, file) {
                    return false;
                }
                if has(access, register, file) {
                    return true;
                }
            }
            Op::Special | Op::SpecialX | Op::LocalAddress | Op::Fence => {}
            Op::Scalar => {
                let of = &kernel.scalars[inst.imm as usize];
                let kind = if file == File::X { Kind::X } else { Kind::W };
                let mut sources = of.sources.iter().zip(of.scalar.sources);
                if sources.any(|(n, k)| *k == kind && *n == u32::from(register)) {
                    if is_like(of, |a, b| a & b) {
                        masked = true;
                        (register, file) = (inst.d, File::W);
                        continue;
                    }
                    return masked && is_like(of, |a, b| a | b);
                }
                if inst.d == register && of.scalar.result == kind {
                    return true;
                }
            }
            Op::Atomic
            | Op::CopyAsync
            | Op::Mbarrier
            | Op::Bulk
            | Op::Exchange
            | Op::Builtin
            | Op::LoadMatrix
            | Op::StoreMatrix
            | Op::Matrix => return false,
            // The loads behind it are of shared memory, and so is the first one in it.
            Op::FmaShared => {}
            op => {
                let (result, operands) = table_shape(op).map_or((File::W, &[][..]), |shape| shape.files());
                let numbers = [inst.a, inst.b, inst.c];
                let used = operands.iter().zip(numbers).any(|(f, n)| *f == file && n == register);
                match op {
                    Op::MovW | Op::MovX if used => (register, file) = (inst.d, result),
                    Op::AndW | Op::AndX if used => {
                        masked = true;
                        (register, file) = (inst.d, result);
                    }
                    Op::OrW | Op::OrX if used => return masked,
                    _ if used => return false,
                    _ if result == file && inst.d == register => return true,
                    _ => {}
                }
            }
        }
    }
    // Beyond the block only a call's arguments are known.
    let End::Call { call, .. } = exit else { return false };
    kernel.calls[call as usize].arguments.iter().any(|transfer| match transfer.from {
        Slot::W(n) => file == File::W && n == register,
        Slot::X(n) => file == File::X && n == register,
        _ => false,
    })
}

/// Whether a function of two words is this one, as far as a few values tell.
fn is_like(of: &ScalarUse, function: impl Fn(u64, u64) -> u64) -> bool {
    let probes = [(0xf0f0, 0xff00), (0x1234, 0x00ff), (0xffff, 0x8001), (0x7654, 0x3210)];
    of.scalar.sources == [Kind::W, Kind::W]
        && of.scalar.result == Kind::W
        && probes.iter().all(|(a, b)| (of.scalar.compute)(of.scalar.mode, [*a, *b, 0, 0]) == function(*a, *b))
}

fn is_address(access: &Access, inst: &Inst, register: u16, file: File) -> bool {
    inst.a == register && (file == File::X) == access.wide_address
}

fn has(access: &Access, register: u16, file: File) -> bool {
    let mut elements = (0..usize::from(access.count)).map(|e| (access.registers[e], access.wide[e]));
    elements.any(|(n, wide)| n == register && wide == (file == File::X))
}
