//! Registers that a thread may read before it has written them. They begin as zero: what they would hold otherwise is
//! what another block left there, and which one ran before depends on the machine.
//!
//! Enters: the blocks of one function. Leaves: its registers of which a way leads from the entry to a read without a
//! write; a write under a guard is none, since lanes may be off.

use crate::program::*;
use std::collections::{HashMap, HashSet};

/// Steps of all walks of a function. Past them every register that is not written in the block that reads it begins as
/// zero, which is right for all and takes a little longer where it starts.
const STEPS: usize = 1 << 22;

type Register = (File, u16);

/// What a function's blocks do with one register: those that read it before they write it, and those that write it.
#[derive(Default)]
struct Uses {
    exposed: Vec<u32>,
    written: Vec<u32>,
}

/// The registers of a function, from the block `first` to the last one, that begin as zero. `known` are those that hold
/// something when it is entered, `returned` those that whoever called it reads.
pub(super) fn registers(
    kernel: &Kernel,
    first: u32,
    known: &[Register],
    returned: &[Register],
) -> Vec<Register> {
    let blocks = &kernel.blocks[first as usize..];
    let mut uses: HashMap<Register, Uses> = HashMap::new();
    let mut before = vec![vec![]; blocks.len()];
    for (n, block) in blocks.iter().enumerate() {
        note(kernel, block, n as u32, returned, &mut uses);
        successors(kernel, block, |next| before[(next - first) as usize].push(n as u32));
    }
    let known: HashSet<&Register> = known.iter().collect();
    let mut walk = Walk { before: &before, met: vec![0; blocks.len()], round: 0, steps: STEPS };
    let mut found: Vec<Register> = uses
        .into_iter()
        .filter(|(register, uses)| !known.contains(register) && walk.reaches_entry(uses))
        .map(|(register, _)| register)
        .collect();
    found.sort_unstable();
    found
}

/// Calls `each` for the blocks of the function that may follow.
fn successors(kernel: &Kernel, block: &Block, mut each: impl FnMut(u32)) {
    match block.exit {
        End::Goto(next) | End::Barrier { next, .. } | End::Call { next, .. } | End::ExitIf { next, .. } => {
            each(next)
        }
        End::Branch { taken, next, .. } => [taken, next].into_iter().for_each(each),
        End::Switch { table, .. } => kernel.tables[table as usize].targets.iter().copied().for_each(each),
        End::Exit | End::Return | End::Trap => {}
    }
}

/// Notes what a block reads and writes.
fn note(
    kernel: &Kernel,
    block: &Block,
    number: u32,
    returned: &[Register],
    uses: &mut HashMap<Register, Uses>,
) {
    let own = |register: u16| register != NONE && register & FIXED == 0;
    let read = |file: File, register: u16, uses: &mut HashMap<Register, Uses>| {
        if own(register) {
            let of = uses.entry((file, register)).or_default();
            if of.written.last() != Some(&number) && of.exposed.last() != Some(&number) {
                of.exposed.push(number);
            }
        }
    };
    let write = |file: File, register: u16, uses: &mut HashMap<Register, Uses>| {
        if own(register) {
            let of = uses.entry((file, register)).or_default();
            if of.written.last() != Some(&number) {
                of.written.push(number);
            }
        }
    };
    read(File::W, block.members, uses);
    for inst in &kernel.code[block.start as usize..block.end as usize] {
        read(File::P, inst.guard, uses);
        kernel.operands(inst, |file, register| read(file, register, uses));
        if inst.guard == NONE {
            kernel.results(inst, |file, register| write(file, register, uses));
        }
    }
    match block.exit {
        End::Branch { predicate, .. } | End::ExitIf { predicate, .. } => read(File::P, predicate, uses),
        End::Switch { index, .. } => read(File::W, index, uses),
        End::Barrier { barrier, .. } => {
            let of = kernel.barriers[barrier as usize];
            read(File::W, of.id, uses);
            read(File::W, of.threads, uses);
            read(File::P, of.p, uses);
            write(if of.meeting == Meeting::Count { File::W } else { File::P }, of.d, uses);
        }
        End::Call { call, .. } => {
            let of = &kernel.calls[call as usize];
            if let Callee::Indirect(register) = of.callee {
                read(File::X, register, uses);
            }
            for (file, register) in of.arguments.iter().filter_map(|transfer| transfer.from.register()) {
                read(file, register, uses);
            }
            for (file, register) in of.returns.iter().filter_map(|transfer| transfer.to.register()) {
                write(file, register, uses);
            }
        }
        End::Return => returned.iter().for_each(|(file, register)| read(*file, *register, uses)),
        End::Goto(_) | End::Exit | End::Trap => {}
    }
}

/// Walks from blocks against the ways that lead to them.
struct Walk<'a> {
    before: &'a [Vec<u32>],
    /// The round in which each block was met last.
    met: Vec<u32>,
    round: u32,
    steps: usize,
}

impl Walk<'_> {
    /// Whether a way leads from the entry to a block that reads, past none that writes.
    fn reaches_entry(&mut self, uses: &Uses) -> bool {
        let entry = 0;
        if uses.exposed.is_empty() || uses.exposed[0] == entry {
            return !uses.exposed.is_empty();
        }
        if uses.written.first() == Some(&entry) {
            return false;
        }
        self.round += 1;
        for block in &uses.written {
            self.met[*block as usize] = self.round;
        }
        let mut left = uses.exposed.clone();
        while let Some(block) = left.pop() {
            for &before in &self.before[block as usize] {
                if self.steps == 0 {
                    return true;
                }
                self.steps -= 1;
                if std::mem::replace(&mut self.met[before as usize], self.round) != self.round {
                    if before == entry {
                        return true;
                    }
                    left.push(before);
                }
            }
        }
        false
    }
}
