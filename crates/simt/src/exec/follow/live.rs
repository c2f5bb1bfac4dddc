//! Registers whose values a thread may still read, by the basic block that it is about to run.
//!
//! Enters: a decoded kernel. Leaves: for each block a set of registers; of any other register, the value is dead there. A
//! write under a guard ends no value, since lanes may be off.

use crate::ir::*;

/// Bytes that the sets of a kernel may take: past them every register of a frame counts as read.
const BYTES: usize = 16 << 20;

/// A frame's registers: those of `W`, then those of `X`, then those of `P`.
#[derive(Clone, Copy, Debug)]
struct Files {
    w: usize,
    x: usize,
    p: usize,
}

impl Files {
    fn of(frame: &Frame) -> Self {
        Files { w: frame.w.into(), x: frame.x.into(), p: frame.p.into() }
    }

    fn all(self) -> usize {
        self.w + self.x + self.p
    }

    /// The number of a register of the frame, if it is one.
    fn number(self, file: File, register: Register) -> Option<usize> {
        let number = register.in_frame()?;
        Some(match file {
            File::W => number,
            File::X => self.w + number,
            File::P => self.w + self.x + number,
        })
    }

    /// The counterpart of [`Files::number`].
    fn register(self, number: usize) -> (File, usize) {
        match number.checked_sub(self.w) {
            None => (File::W, number),
            Some(rest) if rest < self.x => (File::X, rest),
            Some(rest) => (File::P, rest - self.x),
        }
    }
}

/// The live registers of a kernel's blocks.
#[derive(Clone, Debug)]
pub(in crate::exec) struct Live {
    /// For each block its function's registers, and where its set begins in `sets`.
    blocks: Vec<(Files, usize)>,
    /// Bits, 64 a word; nothing where there would be too many.
    sets: Vec<u64>,
}

/// Bits of one block: registers that it reads before it writes them, and those that it writes.
struct Effects {
    reads: Vec<u64>,
    writes: Vec<u64>,
}

impl Live {
    pub(in crate::exec) fn new(kernel: &Kernel) -> Self {
        let mut blocks = vec![];
        let mut words = 0;
        for function in 0..kernel.functions.len() {
            let files = Files::of(&kernel.functions[function]);
            for _ in kernel.blocks_of(function) {
                blocks.push((files, words));
                words += files.all().div_ceil(64);
            }
        }
        if words * 8 > BYTES {
            return Live { blocks, sets: vec![] };
        }
        let mut live = Live { blocks, sets: vec![0; words] };
        for function in 0..kernel.functions.len() {
            live.solve(kernel, function);
        }
        live
    }

    fn words(&self, block: usize) -> std::ops::Range<usize> {
        let (files, from) = self.blocks[block];
        from..from + files.all().div_ceil(64)
    }

    /// Goes over a function's blocks, the last first, until nothing changes.
    fn solve(&mut self, kernel: &Kernel, function: usize) {
        let frame = &kernel.functions[function];
        let range = kernel.blocks_of(function);
        let effects: Vec<Effects> =
            range.clone().map(|n| effects(kernel, frame, &kernel.blocks[n])).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for n in range.clone().rev() {
                let Effects { reads, writes } = &effects[n - range.start];
                let mut set = vec![0; reads.len()];
                for next in kernel.successors(&kernel.blocks[n]) {
                    for (bits, after) in set.iter_mut().zip(&self.sets[self.words(next as usize)]) {
                        *bits |= after;
                    }
                }
                for (bits, (reads, writes)) in set.iter_mut().zip(reads.iter().zip(writes)) {
                    *bits = *bits & !writes | reads;
                }
                let words = self.words(n);
                changed |= self.sets[words.clone()] != set[..];
                self.sets[words].copy_from_slice(&set);
            }
        }
    }

    /// Whether anything may depend on what the instruction at `code` has written to a register: not if it goes at most into
    /// registers of the same basic block that are dead after it.
    pub(in crate::exec) fn matters(
        &self,
        kernel: &Kernel,
        code: u32,
        file: File,
        register: Register,
    ) -> bool {
        let Some(n) = kernel.block_of(code) else { return true };
        let Some(function) = (0..kernel.functions.len()).find(|f| kernel.blocks_of(*f).contains(&n)) else {
            return true;
        };
        let block = &kernel.blocks[n];
        let mut holders = vec![(file, register)];
        for inst in &kernel.code[code as usize + 1..block.end as usize] {
            let mut reads = inst.guard.condition().is_some_and(|(p, _)| holders.contains(&(File::P, p)));
            kernel.operands(inst, |file, register| reads |= holders.contains(&(file, register)));
            if reads && inst.op.effect() != Effect::Pure {
                return true;
            }
            kernel.results(inst, |file, register| {
                if reads {
                    holders.push((file, register));
                } else if inst.guard.is_always() {
                    holders.retain(|holder| *holder != (file, register));
                }
            });
        }
        let mut reads = false;
        let frame = &kernel.functions[function];
        kernel.end_operands(frame, block, |file, register| reads |= holders.contains(&(file, register)));
        let files = self.blocks[n].0;
        let lives = |holder: &(File, Register), next: u32| match files.number(holder.0, holder.1) {
            Some(number) if !self.sets.is_empty() => {
                self.sets[self.words(next as usize)][number / 64] >> (number % 64) & 1 != 0
            }
            Some(_) | None => true,
        };
        let next = kernel.successors(block);
        reads || holders.iter().any(|holder| next.iter().any(|next| lives(holder, *next)))
    }

    /// The live registers at a block's start, by their numbers in the frame.
    pub(in crate::exec) fn at(&self, block: u32) -> impl Iterator<Item = (File, usize)> {
        let n = block as usize;
        let files = self.blocks[n].0;
        let set = if self.sets.is_empty() { None } else { Some(&self.sets[self.words(n)]) };
        let holds = move |number: usize| set.is_none_or(|set| set[number / 64] >> (number % 64) & 1 != 0);
        (0..files.all()).filter(move |number| holds(*number)).map(move |number| files.register(number))
    }
}

fn effects(kernel: &Kernel, frame: &Frame, block: &Block) -> Effects {
    let files = Files::of(frame);
    let words = files.all().div_ceil(64);
    let mut found = Effects { reads: vec![0; words], writes: vec![0; words] };
    let read = |found: &mut Effects, file: File, register: Register| {
        if let Some(number) = files.number(file, register)
            && found.writes[number / 64] >> (number % 64) & 1 == 0
        {
            found.reads[number / 64] |= 1 << (number % 64);
        }
    };
    let write = |found: &mut Effects, file: File, register: Register| {
        if let Some(number) = files.number(file, register) {
            found.writes[number / 64] |= 1 << (number % 64);
        }
    };
    if let Some(members) = block.members.get() {
        read(&mut found, File::W, members);
    }
    for inst in &kernel.code[block.start as usize..block.end as usize] {
        if let Some((predicate, _)) = inst.guard.condition() {
            read(&mut found, File::P, predicate);
        }
        // A group is where its first load was, and names none of its registers.
        if let Op::FmaShared { group } = inst.op {
            let first = Inst { guard: inst.guard, op: Op::LoadShared { access: kernel[group].loads[0] } };
            kernel.operands(&first, |file, register| read(&mut found, file, register));
        }
        kernel.operands(inst, |file, register| read(&mut found, file, register));
        if inst.guard.is_always() {
            kernel.results(inst, |file, register| write(&mut found, file, register));
        }
    }
    kernel.end_operands(frame, block, |file, register| read(&mut found, file, register));
    kernel.end_results(block, |file, register| write(&mut found, file, register));
    found
}
