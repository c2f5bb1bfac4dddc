//! A kernel and the functions it can call: their statements, and the basic blocks that these fall into.
//!
//! Instructions are handed to the functions that the table of opcodes names.

use super::context::Result;
use super::decoder::{Decoder, Pending, Values};
use super::lifetimes::Lifetimes;
use super::names::Names;
use super::opcodes::{self, First, Flow};
use crate::error::Error;
use crate::ir::*;
use ptx::{At, Instruction, Operand, Statement};

impl<'m, 'c> Decoder<'m, 'c> {
    /// Decodes a kernel of the module.
    ///
    /// # Errors
    /// All reasons for refusing it, in the order of the text; at least one.
    pub(super) fn kernel(mut self, number: usize) -> std::result::Result<Kernel, Vec<Error>> {
        self.declare_kernel(number);
        for n in 0..self.functions.len() {
            let (function, found) = (self.functions[n].0, self.reasons.len());
            let result = self.function(n);
            self.note(result);
            // What a refused declaration would have named is not known anywhere.
            if self.incomplete.contains(&function) {
                let kept = self.reasons.split_off(found);
                let kept = kept.into_iter().filter(|reason| matches!(reason, Error::Unsupported { .. }));
                self.reasons.extend(kept);
            }
        }
        if self.reasons.is_empty() {
            let Values { uniform_w, uniform_x, .. } = self.values;
            self.kernel.uniform_w = uniform_w;
            self.kernel.uniform_x = uniform_x;
            return Ok(self.kernel);
        }
        self.reasons.sort_by_key(Error::at);
        self.reasons.dedup();
        Err(self.reasons)
    }

    /// Enters what a kernel and the functions that it can call declare.
    fn declare_kernel(&mut self, number: usize) {
        let function = &self.context.module.functions[number];
        self.kernel.name = function.name.into();
        for (directive, numbers) in &function.directives {
            if matches!(*directive, "maxntid" | "reqntid") {
                self.kernel.max_threads = Some(numbers.iter().fold(1u64, |n, m| n.saturating_mul(*m)));
            }
            match *directive {
                "reqnctapercluster" => {
                    let axis = |n: usize| numbers.get(n).map_or(1, |n| u32::try_from(*n).unwrap_or(u32::MAX));
                    self.kernel.cluster = Some([axis(0), axis(1), axis(2)]);
                }
                "explicitcluster" => self.kernel.needs_cluster = true,
                "maxclusterrank" => self.kernel.max_cluster = numbers.first().copied(),
                _ => {}
            }
        }
        // First all that can be called, then what is shared, then instructions.
        self.reach(number);
        let mut next = 0;
        while next < self.functions.len() {
            let found = self.reasons.len();
            let result = self.prepare(next);
            self.note(result);
            if self.reasons.len() > found {
                self.incomplete.insert(self.functions[next].0);
            }
            next += 1;
        }
        let dynamic = self.kernel.shared_bytes.next_multiple_of(16);
        for address in self.shared.values_mut() {
            address.get_or_insert(dynamic);
        }
    }

    // Blocks.

    fn function(&mut self, n: usize) -> Result<()> {
        let number = self.functions[n].0;
        let function = &self.context.module.functions[number];
        self.names = std::mem::replace(&mut self.functions[n].1, Names::new());
        self.frame = std::mem::take(&mut self.functions[n].2);
        self.is_kernel = n == 0;
        self.labels.clear();
        self.inlined.clear();
        self.carry_flag = None;
        // The numbers that are free are those of the function before.
        self.lifetimes = Lifetimes::default();
        self.origin = Origin::default();
        self.first_block = self.kernel.blocks.len() as u32;
        self.frame.entry = self.first_block;
        self.ends.clear();
        self.register_parameters(function)?;
        self.names.rewind();
        let body = function.body.as_deref().unwrap_or_default();
        let writes = |opcode: &str| opcodes::find(opcode).is_some_and(|row| row.first == First::Result);
        self.lifetimes = Lifetimes::of(body, &mut self.names, writes);
        self.begin_stack(body, function.at)?;
        self.statements(body)?;
        self.close(if self.is_kernel { Pending::Exit } else { Pending::Return });
        self.resolve()?;
        if !self.is_kernel {
            let mut formals = self.formals(function)?;
            self.frame.results = formals.split_off(function.parameters.len());
            self.frame.parameters = formals;
        }
        if self.keeps_names {
            self.kernel.registers.push(self.names.named());
        }
        let frame = std::mem::take(&mut self.frame);
        self.kernel.functions.push(frame);
        Ok(())
    }

    fn statements(&mut self, body: &'m [Statement<'m>]) -> Result<()> {
        for statement in body {
            match statement {
                Statement::Label(at, name) => {
                    // An empty block may already have an instruction of its own making.
                    if !self.block_is_empty() || self.start != self.kernel.code.len() as u32 {
                        self.close(Pending::Next);
                    }
                    let block = self.kernel.blocks.len() as u32;
                    if self.labels.insert((self.names.current, name), block).is_some() {
                        return self.context.bad(*at, format!("redefinition of label `{name}`"));
                    }
                }
                Statement::Loc { file, line, column, inlined_at } => {
                    self.line((*file, *line, *column), *inlined_at);
                }
                Statement::Block(inner) => {
                    let outer = self.names.open();
                    self.statements(inner)?;
                    self.names.close(outer);
                }
                Statement::Instruction(instruction) => {
                    let result = self.instruction(instruction);
                    self.lifetimes.end_instruction(&self.names.registers);
                    let found = self.reasons.len();
                    self.note(result);
                    for reason in &mut self.reasons[found..] {
                        reason.comes_from(self.context.source_of(self.origin, &self.kernel.call_sites));
                    }
                }
                Statement::Directive { at, name, .. }
                    if !matches!(*name, "pragma" | "branchtargets" | "calltargets" | "noreturn") =>
                {
                    let result = self.context.unsupported(*at, format!("`.{name}`"));
                    self.note(result);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The source line of the instructions that follow, and the call that it was inlined at.
    fn line(&mut self, here: (u32, u32, u32), inlined_at: Option<(u32, u32, u32)>) {
        let site = inlined_at.map(|call| {
            let (file, line, _) = call;
            // Where that line was inlined, the last `.loc` for it has said.
            let inlined_at = self.inlined.get(&call).copied().unwrap_or_default();
            let site = CallSite { file, line, inlined_at };
            let sites = &mut self.kernel.call_sites;
            *self.call_sites.entry(site).or_insert_with(|| {
                sites.push(site);
                sites.len() as u32
            })
        });
        match site {
            Some(site) => self.inlined.insert(here, site),
            None => self.inlined.remove(&here),
        };
        // Line 0 means that the compiler knows none; the last one known helps more.
        if here.1 > 0 {
            (self.origin.file, self.origin.source_line) = (here.0, here.1);
            self.origin.inlined_at = site.unwrap_or_default();
        }
    }

    fn instruction(&mut self, i: &'m Instruction<'m>) -> Result<()> {
        let place = self.context.module.place(i.at);
        self.origin.at = i.at.0;
        self.origin.line = place.line;
        self.origin.column = place.column;
        let mut guard = match i.guard {
            Some(guard) => {
                let (predicate, _) = self.source(i.at, &Operand::Name(guard.register, None), File::P)?;
                Guard::on(predicate, guard.negated)
            }
            None => Guard::ALWAYS,
        };
        let Some(row) = opcodes::find(i.opcode) else {
            return self.context.unsupported(i.at, format!("`{}`", i.mnemonic()));
        };
        let all = row.flow == Flow::Matrix;
        if all {
            guard = self.gather_for_matrix(i.at, guard)?;
        }
        if row.ends_block(&i.modifiers, self.is_kernel) {
            // What ends a block cannot be guarded: lanes whose guard does not hold go around it.
            if let Some((predicate, negated)) = guard.condition() {
                self.close(Pending::Skip { predicate, negated });
                guard = Guard::ALWAYS;
            } else if row.is_collective(&i.modifiers) && !self.block_is_empty() {
                self.close(Pending::Next);
            }
        }
        self.list();
        (row.decode)(self, i, guard)?;
        if all && i.guard.is_some() {
            self.close(Pending::Next);
        }
        Ok(())
    }

    fn label(&self, at: At, scope: usize, name: &'m str) -> Result<u32> {
        let mut scope = Some(scope);
        while let Some(s) = scope {
            if let Some(block) = self.labels.get(&(s, name)) {
                return Ok(*block);
            }
            scope = self.names.parent(s);
        }
        self.context.bad(at, format!("there is no label `{name}`"))
    }

    /// Puts block numbers where labels were.
    fn resolve(&mut self) -> Result<()> {
        let first = self.first_block;
        let count = self.kernel.blocks.len() as u32;
        let ends = std::mem::take(&mut self.ends);
        for (n, end) in ends.into_iter().enumerate() {
            let b = first + n as u32;
            // The function's last block is closed with an end, so a next one is there for all others.
            let next = (b + 1).min(count - 1);
            let exit = match end {
                Pending::Next => End::Goto(next),
                Pending::Jump(at, scope, name) => End::Goto(self.label(at, scope, name)?),
                Pending::Branch { at, predicate, negated, scope, label } => {
                    let taken = self.label(at, scope, label)?;
                    End::Branch { predicate, negated, taken, next, reconvergence: None }
                }
                Pending::Skip { predicate, negated } => {
                    let taken = (b + 2).min(count - 1);
                    End::Branch { predicate, negated: !negated, taken, next, reconvergence: None }
                }
                Pending::Switch { index, at, scope, labels } => {
                    let mut targets = vec![];
                    for label in labels {
                        targets.push(self.label(at, scope, label)?);
                    }
                    self.kernel.tables.push(Table { targets, reconvergence: None });
                    End::Switch { index, table: self.kernel.tables.len() as u32 - 1 }
                }
                Pending::Barrier(barrier) => End::Barrier { barrier, next },
                Pending::Call(call) => End::Call { call, next },
                Pending::Return => End::Return,
                Pending::Exit => End::Exit,
                Pending::ExitIf { predicate, negated } => End::ExitIf { predicate, negated, next },
                Pending::Trap => End::Trap,
            };
            self.kernel.blocks[b as usize].exit = exit;
        }
        Ok(())
    }
}
