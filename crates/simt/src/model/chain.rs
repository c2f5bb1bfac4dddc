//! The longest chain of dependent instructions in each basic block, for warps whose time is latency.
//!
//! A warp issues in order and waits for operands; the chain is found once, when decoding, with nominal latencies, and
//! kept as how many results of each kind lie on it. A chip file says how long each kind takes.

use crate::program::{FIXED, File, Kernel, NONE, Op, alu_shape};
use crate::semantics::scalar::Kind;
use std::collections::HashMap;

/// Results of each kind on a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chain {
    /// Arithmetic.
    pub alu: u64,
    /// Loads from shared memory.
    pub shared: u64,
    /// Loads from constant memory whose address a register holds.
    pub constant: u64,
    /// Loads from global memory.
    pub global: u64,
}

impl Chain {
    /// Cycles with the latencies that chips have about: they choose the chain, and do not time it.
    pub(crate) fn nominal(&self) -> u64 {
        4 * self.alu + 25 * self.shared + 60 * self.constant + 400 * self.global
    }

    pub(crate) fn add(&mut self, other: &Chain) {
        self.alu += other.alu;
        self.shared += other.shared;
        self.constant += other.constant;
        self.global += other.global;
    }
}

/// Finds the chain of every block of a kernel.
pub(crate) fn annotate(kernel: &mut Kernel) {
    for block in &mut kernel.blocks {
        let mut ready: HashMap<(File, u16), Chain> = HashMap::new();
        let mut longest = Chain::default();
        for inst in &kernel.code[block.start as usize..block.end as usize] {
            let mut chain = Chain::default();
            let mut read = |file: File, number: u16| {
                if number != NONE
                    && number & FIXED == 0
                    && let Some(before) = ready.get(&(file, number))
                    && before.nominal() > chain.nominal()
                {
                    chain = *before;
                }
            };
            read(File::P, inst.guard);
            let mut results: Vec<(File, u16)> = vec![];
            match inst.op {
                Op::LoadGlobal
                | Op::LoadShared
                | Op::LoadConstant
                | Op::LoadLocal
                | Op::LoadGeneric
                | Op::LoadParameter
                | Op::StoreGlobal
                | Op::StoreShared
                | Op::StoreLocal
                | Op::StoreGeneric
                | Op::CopyAsync
                | Op::Atomic => {
                    let access = &kernel.accesses[usize::from(inst.b)];
                    read(if access.wide_address { File::X } else { File::W }, inst.a);
                    let load = matches!(
                        inst.op,
                        Op::LoadGlobal
                            | Op::LoadShared
                            | Op::LoadConstant
                            | Op::LoadLocal
                            | Op::LoadGeneric
                            | Op::LoadParameter
                    );
                    for n in 0..usize::from(access.count) {
                        let register = (if access.wide[n] { File::X } else { File::W }, access.registers[n]);
                        if load { results.push(register) } else { read(register.0, register.1) }
                    }
                    match inst.op {
                        Op::LoadGlobal | Op::LoadLocal | Op::LoadGeneric => chain.global += 1,
                        Op::LoadShared => chain.shared += 1,
                        Op::LoadConstant | Op::LoadParameter => chain.constant += 1,
                        Op::Atomic => {
                            let of = &kernel.atomics[usize::from(inst.c)];
                            if of.d != NONE {
                                chain.global += 1;
                                results.push((if of.wide { File::X } else { File::W }, of.d));
                            }
                        }
                        _ => {}
                    }
                }
                Op::Scalar => {
                    let of = &kernel.scalars[inst.imm as usize];
                    let file = |kind| match kind {
                        Kind::X => File::X,
                        Kind::P => File::P,
                        _ => File::W,
                    };
                    for (number, kind) in of.sources.iter().zip(of.scalar.sources) {
                        if *kind != Kind::Immediate {
                            read(file(*kind), *number as u16);
                        }
                    }
                    chain.alu += 1;
                    results.push((file(of.scalar.result), inst.d));
                }
                Op::Exchange => {
                    let of = &kernel.exchanges[usize::from(inst.b)];
                    read(File::W, of.a);
                    read(File::P, of.a);
                    // A shuffle takes the way of a shared load.
                    chain.shared += 1;
                    results.push((File::W, of.d));
                    results.push((File::P, of.p));
                }
                Op::SpecialX => results.push((File::X, inst.d)),
                Op::LocalAddress | Op::Fence | Op::Builtin => {}
                Op::Special => results.push((File::W, inst.d)),
                op => {
                    let (result, sources) = alu_shape(op).files();
                    for (file, number) in sources.iter().zip([inst.a, inst.b, inst.c]) {
                        read(*file, number);
                    }
                    chain.alu += 1;
                    results.push((result, inst.d));
                }
            }
            for result in results {
                ready.insert(result, chain);
            }
            if chain.nominal() > longest.nominal() {
                longest = chain;
            }
        }
        block.chain = longest;
    }
}
