//! What is kept of a module's functions until a kernel is asked for: where their bodies are, and which functions each of
//! them names.

use crate::hash::HashMap;
use crate::ir::Outline;
use ptx::{Module, Operand, Statement};

/// Reads a module with those statements alone that declare a variable or may name a function, which is all that is needed
/// of bodies until a kernel is asked for.
pub(super) fn parse(text: &str) -> Result<Module<'_>, ptx::Error> {
    let module = ptx::parse_some(text, may_matter)?;
    // Operands that begin so are taken for registers.
    let is_odd = module.functions.iter().any(|function| function.name.starts_with('%'));
    if is_odd { ptx::parse(text) } else { Ok(module) }
}

fn may_matter(statement: &Statement) -> bool {
    match statement {
        Statement::Instruction(i) => i.operands.iter().any(names_no_register),
        Statement::Variable(_) | Statement::Block(_) => true,
        Statement::Label(..)
        | Statement::Registers { .. }
        | Statement::Loc { .. }
        | Statement::Prototype(..)
        | Statement::Directive { .. } => false,
    }
}

fn names_no_register(operand: &Operand) -> bool {
    let is_other = |name: &str| !name.starts_with('%');
    match operand {
        Operand::Name(name, _)
        | Operand::Sum { symbol: name, .. }
        | Operand::Element { symbol: name, .. }
        | Operand::Address { base: Some(name), .. } => is_other(name),
        Operand::Integer(_) | Operand::F32(_) | Operand::F64(_) | Operand::Address { base: None, .. } => {
            false
        }
        // Few, so they need not be looked into.
        Operand::Access(_)
        | Operand::Masked(..)
        | Operand::Negative(..)
        | Operand::Vector(_)
        | Operand::VectorPair(..)
        | Operand::Not(_)
        | Operand::Pair(..)
        | Operand::List(_) => true,
    }
}

/// The outlines of all functions of a module, in its order.
pub(super) fn of(module: &Module) -> Vec<Outline> {
    let mut numbers: HashMap<&str, Vec<u32>> = HashMap::default();
    for (n, function) in module.functions.iter().enumerate() {
        numbers.entry(function.name).or_default().push(n as u32);
    }
    // Nearly all names are those of registers, which begin so.
    let registers_alone = !numbers.keys().any(|name| name.starts_with('%'));
    let outline = |function: &ptx::Function| {
        let mut named = Named { numbers: &numbers, registers_alone, found: vec![], called: vec![] };
        named.body(function.body.as_deref().unwrap_or_default());
        let (takes, called) = (sorted(named.found), sorted(named.called));
        let names = sorted([&takes[..], &called[..]].concat());
        Outline {
            name: function.name.into(),
            is_kernel: function.is_kernel,
            span: function.span.clone(),
            names,
            takes,
        }
    };
    module.functions.iter().map(outline).collect()
}

fn sorted(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Functions whose addresses a function or kernel of the module takes, by their numbers: it may leave them in memory, and
/// another one call them.
pub(super) fn taken(functions: &[Outline]) -> Vec<usize> {
    let taken = functions.iter().flat_map(|function| &function.takes).copied().collect();
    let numbers = sorted(taken).into_iter().map(|number| number as usize);
    numbers.filter(|number| !functions[*number].is_kernel).collect()
}

/// The functions that are needed to decode a kernel, by their numbers: itself, and whatever it can call. `anyhow` are
/// those that an indirect call may reach. With them, the kernels that it can launch.
pub(super) fn reached(functions: &[Outline], kernel: usize, anyhow: &[usize]) -> (Vec<bool>, Vec<usize>) {
    let mut reached = vec![false; functions.len()];
    let mut kernels = vec![];
    let mut next = vec![kernel];
    next.extend(anyhow);
    while let Some(n) = next.pop() {
        if functions[n].is_kernel && n != kernel {
            kernels.push(n);
        } else if !std::mem::replace(&mut reached[n], true) {
            next.extend(functions[n].names.iter().map(|name| *name as usize));
        }
    }
    kernels.sort_unstable();
    kernels.dedup();
    (reached, kernels)
}

struct Named<'m> {
    numbers: &'m HashMap<&'m str, Vec<u32>>,
    registers_alone: bool,
    /// Functions that are called by their name, and all others that are named.
    called: Vec<u32>,
    found: Vec<u32>,
}

impl Named<'_> {
    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Block(inner) => self.body(inner),
                Statement::Instruction(i) => {
                    let before = self.found.len();
                    i.operands.iter().for_each(|operand| self.operand(operand));
                    if i.opcode == "call" {
                        self.called.extend(self.found.drain(before..));
                    }
                }
                Statement::Variable(variable) => {
                    variable.initialiser.iter().for_each(|initialiser| self.initialiser(initialiser));
                }
                Statement::Label(..)
                | Statement::Registers { .. }
                | Statement::Loc { .. }
                | Statement::Prototype(..)
                | Statement::Directive { .. } => {}
            }
        }
    }

    fn initialiser(&mut self, initialiser: &ptx::Initialiser) {
        match initialiser {
            ptx::Initialiser::Value(operand) | ptx::Initialiser::Field(_, operand) => self.operand(operand),
            ptx::Initialiser::List(list) => list.iter().for_each(|item| self.initialiser(item)),
        }
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Name(name, _)
            | Operand::Sum { symbol: name, .. }
            | Operand::Element { symbol: name, .. }
            | Operand::Address { base: Some(name), .. } => self.name(name),
            Operand::Vector(list) | Operand::List(list) | Operand::Access(list) => {
                list.iter().for_each(|operand| self.operand(operand));
            }
            Operand::Masked(_, of) => self.operand(of),
            Operand::Integer(_)
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Address { base: None, .. }
            | Operand::Negative(..)
            | Operand::VectorPair(..)
            | Operand::Not(_)
            | Operand::Pair(..) => {}
        }
    }

    fn name(&mut self, name: &str) {
        if self.registers_alone && name.starts_with('%') {
            return;
        }
        if let Some(numbers) = self.numbers.get(name) {
            self.found.extend(numbers);
        }
    }
}
