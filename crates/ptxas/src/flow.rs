//! A kernel's instructions in basic blocks, and how these follow each other.
//!
//! Enters: the body of a kernel. Leaves: its instructions with their registers by number, blocks, predecessors, and for each
//! branch the blocks that only some lanes may run.

use ptx::{Function, Instruction, Operand, Statement};
use std::collections::HashMap;

/// Rounds in which meeting points settle: one for each depth of loops that jump into each other, and far from any program's.
const MEETING_ROUNDS: usize = 64;

/// Number of a register, of all that a kernel's scopes declare.
pub(crate) type Register = u32;

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Into another block; `jump` says by an instruction.
    Goto {
        to: usize,
        jump: bool,
    },
    /// To `taken` or to `next`, by the last instruction.
    Branch {
        taken: usize,
        next: usize,
    },
    /// To one of a table's.
    Switch(Vec<usize>),
    /// Some lanes exit, the others continue.
    ExitIf(usize),
    Exit,
}

/// A basic block: instructions from `start` up to `end`.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) exit: End,
    pub(crate) predecessors: Vec<usize>,
    /// Whether a loop that begins here is not to be unrolled.
    pub(crate) nounroll: bool,
}

/// A register's name, or the prefix of several, which a number follows; and how many 32-bit registers of the chip it takes.
#[derive(Clone, Copy, Debug)]
struct Declared<'a> {
    name: &'a str,
    count: Option<u32>,
    words: u32,
}

/// A kernel's instructions and blocks.
pub(crate) struct Flow<'a> {
    pub(crate) instructions: Vec<&'a Instruction<'a>>,
    /// For each instruction the scope that its names are looked up in.
    scopes: Vec<usize>,
    pub(crate) blocks: Vec<Block>,
    /// For each scope its parent and the names that it declares.
    declared: Vec<(usize, Vec<Declared<'a>>)>,
    registers: HashMap<(usize, &'a str), Register>,
    /// For each register how many of the chip's it takes.
    pub(crate) words: Vec<u32>,
}

/// A block's end before labels have numbers.
enum Pending<'a> {
    Next,
    Jump(&'a str),
    Branch(&'a str),
    Switch(&'a str),
    ExitIf,
    Exit,
}

struct Builder<'a> {
    flow: Flow<'a>,
    labels: HashMap<&'a str, usize>,
    /// Targets by the label of their list.
    lists: HashMap<&'a str, Vec<&'a str>>,
    ends: Vec<Pending<'a>>,
    start: usize,
    nounroll: bool,
}

impl<'a> Flow<'a> {
    /// The flow of a kernel; none if it has no body, or names labels that are not there.
    pub(crate) fn of(function: &'a Function<'a>) -> Option<Self> {
        let body = function.body.as_deref()?;
        let flow = Flow {
            instructions: vec![],
            scopes: vec![],
            blocks: vec![],
            declared: vec![(0, vec![])],
            registers: HashMap::new(),
            words: vec![],
        };
        let mut builder = Builder {
            flow,
            labels: HashMap::new(),
            lists: HashMap::new(),
            ends: vec![],
            start: 0,
            nounroll: false,
        };
        builder.statements(body, 0);
        builder.close(Pending::Exit);
        builder.resolve()?;
        Some(builder.flow)
    }

    /// The number of a register that an instruction names; none for what is not a register.
    pub(crate) fn register(&mut self, at: usize, name: &'a str) -> Option<Register> {
        if !name.starts_with(['%', '$', '_']) && !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let mut scope = self.scopes[at];
        loop {
            let (parent, names) = &self.declared[scope];
            let here = names.iter().find(|declared| match declared.count {
                None => declared.name == name,
                Some(count) => name
                    .strip_prefix(declared.name)
                    .is_some_and(|rest| rest.parse::<u32>().is_ok_and(|number| number < count)),
            });
            if let Some(Declared { words, .. }) = here.copied() {
                let next = self.words.len() as Register;
                let register = *self.registers.entry((scope, name)).or_insert(next);
                if register == next {
                    self.words.push(words);
                }
                return Some(register);
            }
            if scope == 0 {
                return None;
            }
            scope = *parent;
        }
    }

    /// The blocks that may follow a block.
    pub(crate) fn successors(&self, block: usize) -> Vec<usize> {
        match &self.blocks[block].exit {
            End::Goto { to, .. } => vec![*to],
            End::Branch { taken, next } => vec![*taken, *next],
            End::Switch(targets) => targets.clone(),
            End::ExitIf(next) => vec![*next],
            End::Exit => vec![],
        }
    }

    /// Blocks that a branch at the end of `from` leads some lanes through and not others: those up to where all of its
    /// ways have come together.
    pub(crate) fn parted(&self, from: usize, meets: &[Option<usize>]) -> Vec<usize> {
        let meet = meets[from];
        let mut seen = vec![false; self.blocks.len()];
        let mut found: Vec<usize> = vec![];
        let mut next = self.successors(from);
        while let Some(block) = next.pop() {
            if Some(block) != meet && !std::mem::replace(&mut seen[block], true) {
                found.push(block);
                next.extend(self.successors(block));
            }
        }
        found
    }

    /// Whether a block does nothing but end the kernel.
    pub(crate) fn ends(&self, block: usize) -> bool {
        let of = &self.blocks[block];
        self.instructions[of.start..of.end].iter().all(|i| ["ret", "exit"].contains(&i.opcode))
            && self.successors(block).is_empty()
    }

    /// For each block the first one that all ways from it to the kernel's end go through.
    pub(crate) fn meets(&self) -> Vec<Option<usize>> {
        let count = self.blocks.len();
        // The end of the kernel is one more block.
        let mut order = vec![];
        let mut seen = vec![false; count];
        for root in 0..count {
            self.post_order(root, &mut seen, &mut order);
        }
        let mut rank = vec![0; count + 1];
        rank[count] = count;
        for (n, block) in order.iter().enumerate() {
            rank[*block] = count - 1 - n;
        }
        // Ranks rise towards the end; a block's meeting point has a higher one, but for loops.
        let mut after: Vec<Option<usize>> = vec![None; count + 1];
        after[count] = Some(count);
        for _ in 0..MEETING_ROUNDS {
            let mut changed = false;
            for block in &order {
                let mut successors = self.successors(*block);
                if matches!(self.blocks[*block].exit, End::Exit | End::ExitIf(_)) {
                    successors.push(count);
                }
                let mut meet: Option<usize> = None;
                for s in successors.into_iter().filter(|s| *s == count || after[*s].is_some()) {
                    meet = Some(match meet {
                        None => s,
                        Some(other) => common(&after, other, s, count),
                    });
                }
                if meet.is_some() && after[*block] != meet {
                    after[*block] = meet;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        after.truncate(count);
        after.into_iter().map(|meet| meet.filter(|m| *m != count)).collect()
    }

    fn post_order(&self, root: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        if seen[root] {
            return;
        }
        seen[root] = true;
        let mut stack = vec![(root, self.successors(root))];
        while let Some((block, left)) = stack.last_mut() {
            match left.pop() {
                Some(next) if !seen[next] => {
                    seen[next] = true;
                    let successors = self.successors(next);
                    stack.push((next, successors));
                }
                Some(_) => {}
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
    }
}

/// The first block that both of two go through on all their ways, by what is known so far.
fn common(after: &[Option<usize>], a: usize, b: usize, end: usize) -> usize {
    let mut way = vec![];
    let mut at = a;
    while !way.contains(&at) {
        way.push(at);
        match after[at] {
            Some(next) if at != end => at = next,
            _ => break,
        }
    }
    let mut at = b;
    let mut steps = 0;
    while !way.contains(&at) {
        steps += 1;
        match after[at] {
            Some(next) if at != end && steps <= after.len() => at = next,
            _ => return end,
        }
    }
    at
}

/// How many 32-bit registers a register of a type takes; a predicate has one of its own.
fn words(ty: &str) -> u32 {
    match ty {
        "pred" => 0,
        ty if ty.ends_with("128") => 4,
        ty if ty.ends_with("64") => 2,
        _ => 1,
    }
}

impl<'a> Builder<'a> {
    fn statements(&mut self, body: &'a [Statement<'a>], scope: usize) {
        for statement in body {
            match statement {
                Statement::Label(_, name) => {
                    if self.start != self.flow.instructions.len() {
                        self.close(Pending::Next);
                    }
                    self.labels.insert(name, self.flow.blocks.len());
                }
                Statement::Registers { prefix, count, ty, .. } => {
                    let declared = Declared { name: prefix, count: Some(*count), words: words(ty) };
                    self.flow.declared[scope].1.push(declared);
                }
                Statement::Variable(variable) if variable.space == "reg" => {
                    let declared = Declared { name: variable.name, count: None, words: words(variable.ty) };
                    self.flow.declared[scope].1.push(declared);
                }
                Statement::Block(inner) => {
                    let number = self.flow.declared.len();
                    self.flow.declared.push((scope, vec![]));
                    self.statements(inner, number);
                }
                Statement::Instruction(instruction) => self.instruction(instruction, scope),
                Statement::Directive { label: Some(label), name: "branchtargets", words, .. } => {
                    self.lists.insert(label, words.clone());
                }
                Statement::Directive { name: "pragma", words, .. } => {
                    self.nounroll |= words.iter().any(|word| word.contains("nounroll"));
                }
                Statement::Variable(_)
                | Statement::Loc { .. }
                | Statement::Prototype(..)
                | Statement::Directive { .. } => {}
            }
        }
    }

    fn instruction(&mut self, i: &'a Instruction<'a>, scope: usize) {
        self.flow.instructions.push(i);
        self.flow.scopes.push(scope);
        let label = |n: usize| match i.operands.get(n) {
            Some(Operand::Name(name, None)) => Some(*name),
            _ => None,
        };
        let end = match (i.opcode, i.guard.is_some()) {
            ("bra", true) => label(0).map(Pending::Branch),
            ("bra", false) => label(0).map(Pending::Jump),
            ("brx", _) => label(1).map(Pending::Switch),
            ("ret" | "exit" | "trap", true) => Some(Pending::ExitIf),
            ("ret" | "exit" | "trap", false) => Some(Pending::Exit),
            _ => None,
        };
        if let Some(end) = end {
            self.close(end);
        }
    }

    fn close(&mut self, end: Pending<'a>) {
        let block = Block {
            start: self.start,
            end: self.flow.instructions.len(),
            exit: End::Exit,
            predecessors: vec![],
            nounroll: std::mem::take(&mut self.nounroll),
        };
        self.flow.blocks.push(block);
        self.ends.push(end);
        self.start = self.flow.instructions.len();
    }

    fn resolve(&mut self) -> Option<()> {
        let count = self.flow.blocks.len();
        for (n, end) in std::mem::take(&mut self.ends).into_iter().enumerate() {
            let next = (n + 1).min(count - 1);
            let find = |label: &str| self.labels.get(label).copied().filter(|b| *b < count);
            self.flow.blocks[n].exit = match end {
                Pending::Next => End::Goto { to: next, jump: false },
                Pending::Jump(label) => End::Goto { to: find(label)?, jump: true },
                Pending::Branch(label) => End::Branch { taken: find(label)?, next },
                Pending::Switch(list) => {
                    let labels = self.lists.get(list)?;
                    End::Switch(labels.iter().map(|l| find(l)).collect::<Option<Vec<_>>>()?)
                }
                Pending::ExitIf => End::ExitIf(next),
                Pending::Exit => End::Exit,
            };
        }
        self.thread_jumps();
        for n in 0..count {
            for next in self.flow.successors(n) {
                let of = &mut self.flow.blocks[next].predecessors;
                if !of.contains(&n) {
                    of.push(n);
                }
            }
        }
        Some(())
    }

    /// Leads around blocks that hold nothing but a jump.
    fn thread_jumps(&mut self) {
        let through: Vec<usize> = (0..self.flow.blocks.len())
            .map(|first| {
                let mut at = first;
                for _ in 0..8 {
                    let block = &self.flow.blocks[at];
                    match block.exit {
                        End::Goto { to, jump } if block.end - block.start == usize::from(jump) => at = to,
                        _ => break,
                    }
                }
                at
            })
            .collect();
        for block in &mut self.flow.blocks {
            match &mut block.exit {
                End::Goto { to, .. } => *to = through[*to],
                End::Branch { taken, next } => (*taken, *next) = (through[*taken], through[*next]),
                End::Switch(targets) => targets.iter_mut().for_each(|t| *t = through[*t]),
                End::ExitIf(next) => *next = through[*next],
                End::Exit => {}
            }
        }
        // What no one comes to any more leads nowhere.
        let mut reached = vec![false; self.flow.blocks.len()];
        let mut next = vec![0];
        while let Some(block) = next.pop() {
            if !std::mem::replace(&mut reached[block], true) {
                next.extend(self.flow.successors(block));
            }
        }
        for (block, reached) in self.flow.blocks.iter_mut().zip(reached) {
            if !reached {
                block.exit = End::Exit;
            }
        }
    }
}
