//! Registers that share a number.
//!
//! What the decoder computes for one instruction alone takes a number that is free, and gives it back after that
//! instruction. Where a function has more registers than a file holds, its own share numbers too: compilers give each value
//! a register of its own, so that a kernel of 40,000 instructions may have as many. Most of them live within one stretch of
//! the text that is entered at its top alone, between two labels: such a register takes a number that is free when it is
//! first written, and gives it back after the last instruction that names it. Numbers of others are their own: they may be
//! in use wherever a jump leads.

use super::names::{Declared, Names};
use crate::ir::{File, Register};
use ptx::{Instruction, Operand, Statement};

/// Registers of a file from which on numbers are shared: the decoder needs some for itself.
const MANY: usize = Register::LIMIT as usize / 4 * 3;

/// The life of a register in the text.
#[derive(Clone, Copy, Default)]
struct Life {
    /// The instruction that writes it first, from 1, and the stretch that this one is in.
    first: u32,
    stretch: u32,
    last: u32,
    /// It is named elsewhere, or read or written under a guard before it is written.
    escapes: bool,
}

/// Which numbers are free, while a function is decoded.
#[derive(Default)]
pub(super) struct Lifetimes {
    /// Registers by the last instruction that names them, descending; nothing if numbers are not shared.
    ends: Vec<(u32, u32)>,
    /// Whether each register may share its number.
    shares: Vec<bool>,
    free: [Vec<Register>; 3],
    /// The decoder's own registers of the instruction that is decoded.
    temporary: Vec<(File, Register)>,
    /// The instruction that is decoded.
    now: u32,
}

impl Lifetimes {
    /// Those of a function whose names are known; `names` is at the beginning of a walk, and is left there. `writes` says of
    /// an opcode whether its first operand is a result.
    pub(super) fn of<'m>(body: &'m [Statement<'m>], names: &mut Names<'m>, writes: fn(&str) -> bool) -> Self {
        let count = |file| names.registers.iter().filter(|register| register.file == file).count();
        if [File::W, File::X, File::P].into_iter().all(|file| count(file) <= MANY) {
            return Lifetimes::default();
        }
        let lives = vec![Life::default(); names.registers.len()];
        let mut walk = Walk { lives, at: 0, stretch: 0, writes };
        walk.body(body, names);
        names.rewind();
        let shares = |life: &Life| life.first > 0 && !life.escapes;
        let mut lifetimes = Lifetimes {
            shares: walk.lives.iter().zip(&names.registers).map(|(l, r)| shares(l) && !r.outlives).collect(),
            ..Lifetimes::default()
        };
        let ends = walk.lives.iter().enumerate().filter(|(n, _)| lifetimes.shares[*n]);
        lifetimes.ends = ends.map(|(n, life)| (life.last, n as u32)).collect();
        lifetimes.ends.sort_unstable_by(|a, b| b.cmp(a));
        lifetimes
    }

    /// Whether a register shares its number.
    pub(super) fn shares(&self, register: usize) -> bool {
        self.shares.get(register).copied().unwrap_or(false)
    }

    /// A number that is free.
    pub(super) fn take(&mut self, file: File) -> Option<Register> {
        self.free[file as usize].pop()
    }

    /// Lends a number until the end of the instruction.
    pub(super) fn lend(&mut self, file: File, number: Register) {
        self.temporary.push((file, number));
    }

    /// After an instruction: takes the numbers of registers back that no later one names.
    pub(super) fn end_instruction(&mut self, registers: &[Declared]) {
        self.now += 1;
        for (file, number) in self.temporary.drain(..) {
            self.free[file as usize].push(number);
        }
        while let Some(&(last, register)) = self.ends.last()
            && last <= self.now
        {
            self.ends.pop();
            let register = &registers[register as usize];
            // What is known before the warps run is in none of their registers.
            if let Some(number) = register.number.filter(|number| !number.is_uniform()) {
                self.free[register.file as usize].push(number);
            }
        }
    }
}

/// A walk over a function's instructions.
struct Walk {
    lives: Vec<Life>,
    at: u32,
    stretch: u32,
    writes: fn(&str) -> bool,
}

impl Walk {
    fn body<'m>(&mut self, body: &'m [Statement<'m>], names: &mut Names<'m>) {
        for statement in body {
            match statement {
                Statement::Label(..) => self.stretch += 1,
                Statement::Block(inner) => {
                    let outer = names.open();
                    self.body(inner, names);
                    names.close(outer);
                }
                Statement::Instruction(i) => {
                    self.at += 1;
                    self.instruction(i, names);
                }
                Statement::Variable(_)
                | Statement::Registers { .. }
                | Statement::Loc { .. }
                | Statement::Prototype(..)
                | Statement::Directive { .. } => {}
            }
        }
    }

    fn instruction<'m>(&mut self, i: &'m Instruction<'m>, names: &mut Names<'m>) {
        let results = usize::from((self.writes)(i.opcode));
        // What it reads is named before what it writes.
        if let Some(guard) = &i.guard {
            self.name(guard.register, false, names);
        }
        for operand in i.operands.iter().skip(results) {
            self.operand(operand, false, names);
        }
        for operand in i.operands.iter().take(results) {
            self.operand(operand, i.guard.is_none(), names);
        }
    }

    fn operand<'m>(&mut self, operand: &'m Operand<'m>, writes: bool, names: &mut Names<'m>) {
        match operand {
            Operand::Name(name, None) => self.name(name, writes, names),
            Operand::Name(name, Some(_))
            | Operand::Negative(name, _)
            | Operand::Not(name)
            | Operand::Sum { symbol: name, .. }
            | Operand::Address { base: Some(name), .. }
            | Operand::Element { register: Some(name), .. } => self.name(name, false, names),
            Operand::Pair(a, b) => [*a, *b].into_iter().for_each(|name| self.name(name, writes, names)),
            Operand::Vector(list) => list.iter().for_each(|one| self.operand(one, writes, names)),
            Operand::List(list) | Operand::Access(list) => {
                list.iter().for_each(|one| self.operand(one, false, names));
            }
            Operand::VectorPair(list, name) => {
                list.iter().for_each(|one| self.operand(one, writes, names));
                self.name(name, writes, names);
            }
            Operand::Masked(..)
            | Operand::Integer(_)
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Address { base: None, .. }
            | Operand::Element { register: None, .. } => {}
        }
    }

    fn name<'m>(&mut self, name: &'m str, writes: bool, names: &mut Names<'m>) {
        let Some(register) = names.register(name) else { return };
        // One that only a declaration and a guard name may be new.
        if register >= self.lives.len() {
            self.lives.resize(register + 1, Life::default());
        }
        let life = &mut self.lives[register];
        if life.first == 0 && !writes {
            life.escapes = true;
        }
        if life.first == 0 {
            (life.first, life.stretch) = (self.at, self.stretch);
        }
        life.escapes |= life.stretch != self.stretch;
        life.last = self.at;
    }
}
