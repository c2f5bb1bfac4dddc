//! Registers that a thread may read before it has written them. They begin as zero: what they would hold otherwise is
//! what another block left there, and which one ran before depends on the machine.
//!
//! Enters: the blocks of one function. Leaves: its registers of which a way leads from the entry to a read without a
//! write; a write under a guard is none, since lanes may be off.

use crate::hash::{HashMap, HashSet};
use crate::ir::*;

/// Steps of all walks of a function. Past them every register that is not written in the block that reads it begins as
/// zero, which is right for all and takes a little longer where it starts.
const STEPS: usize = 1 << 22;

/// A register with its file.
type Named = (File, Register);

/// Blocks of a function that use a register: those that read it before they write it, and those that write it.
#[derive(Default)]
struct Uses {
    exposed: Vec<u32>,
    written: Vec<u32>,
}

/// Finds the registers of each function of a kernel that begin as zero.
pub(super) fn find(kernel: &mut Kernel) {
    for function in 0..kernel.functions.len() {
        let found = registers(kernel, function);
        let frame = &mut kernel.functions[function];
        for (file, register) in found {
            match file {
                File::W => frame.unwritten_w.push(register),
                File::X => frame.unwritten_x.push(register),
                File::P => frame.unwritten_p.push(register),
            }
        }
    }
}

/// The registers of a function that begin as zero.
fn registers(kernel: &Kernel, function: usize) -> Vec<Named> {
    let frame = &kernel.functions[function];
    let first = frame.entry;
    // Those that hold something when it is entered.
    let mut known: HashSet<Named> = frame.parameters.iter().filter_map(|(slot, _)| slot.register()).collect();
    if function == 0 {
        for inst in &kernel.thread_code {
            kernel.results(inst, |file, number| {
                known.insert((file, number));
            });
        }
    }
    let blocks = &kernel.blocks[kernel.blocks_of(function)];
    let mut uses: HashMap<Named, Uses> = HashMap::default();
    let mut before = vec![vec![]; blocks.len()];
    for (n, block) in blocks.iter().enumerate() {
        note(kernel, frame, block, n as u32, &mut uses);
        for next in kernel.successors(block) {
            before[(next - first) as usize].push(n as u32);
        }
    }
    let mut walk = Walk { before: &before, met: vec![0; blocks.len()], round: 0, steps: STEPS };
    let mut found: Vec<Named> = uses
        .into_iter()
        .filter(|(register, uses)| !known.contains(register) && walk.reaches_entry(uses))
        .map(|(register, _)| register)
        .collect();
    found.sort_unstable();
    found
}

/// Notes what a block reads and writes.
fn note(kernel: &Kernel, frame: &Frame, block: &Block, number: u32, uses: &mut HashMap<Named, Uses>) {
    let read = |file: File, register: Register, uses: &mut HashMap<Named, Uses>| {
        if !register.is_uniform() {
            let of = uses.entry((file, register)).or_default();
            if of.written.last() != Some(&number) && of.exposed.last() != Some(&number) {
                of.exposed.push(number);
            }
        }
    };
    let write = |file: File, register: Register, uses: &mut HashMap<Named, Uses>| {
        if !register.is_uniform() {
            let of = uses.entry((file, register)).or_default();
            if of.written.last() != Some(&number) {
                of.written.push(number);
            }
        }
    };
    if let Some(members) = block.members.get() {
        read(File::W, members, uses);
    }
    for inst in &kernel.code[block.start as usize..block.end as usize] {
        if let Some((predicate, _)) = inst.guard.condition() {
            read(File::P, predicate, uses);
        }
        kernel.operands(inst, |file, register| read(file, register, uses));
        if inst.guard.is_always() {
            kernel.results(inst, |file, register| write(file, register, uses));
        }
    }
    kernel.end_operands(frame, block, |file, register| read(file, register, uses));
    kernel.end_results(block, |file, register| write(file, register, uses));
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
