//! A kernel and the functions it can call: what they declare, and their basic blocks.

use super::names::{Name, Names};
use super::stack::{ROOM, allocates};
use super::values::Values;
use super::{Context, PARAMETER_LIMIT, Result, type_bytes};
use crate::ir::*;
use crate::memory::LOCAL_LIMIT;
use ptx::{At, Function, Instruction, Operand, Statement, Variable};
use std::collections::HashMap;

/// A block's end, with labels where block numbers will stand.
pub(super) enum Pending<'m> {
    Next,
    Jump(At, usize, &'m str),
    Branch {
        at: At,
        predicate: u16,
        negated: bool,
        scope: usize,
        label: &'m str,
    },
    /// Over the next block, for lanes whose guard does not hold.
    Skip {
        predicate: u16,
        negated: bool,
    },
    Switch {
        index: u16,
        at: At,
        scope: usize,
        labels: Vec<&'m str>,
    },
    Barrier(u32),
    Call(u32),
    Return,
    Exit,
    ExitIf {
        predicate: u16,
        negated: bool,
    },
    Trap,
}

/// Instructions whose first operand is no result.
const NO_RESULT: [&str; 19] = [
    "st",
    "red",
    "bra",
    "brx",
    "bar",
    "barrier",
    "ret",
    "exit",
    "trap",
    "membar",
    "fence",
    "prefetch",
    "prefetchu",
    "call",
    "nanosleep",
    "pmevent",
    "brkpt",
    "cp",
    "discard",
];

/// Bytes of shared memory that the system keeps for itself, as chips since 8.0 do. Here they lie behind the kernel's static
/// ones.
pub(super) const RESERVED: u32 = 1024;

/// Decodes one kernel.
pub(super) struct Decoder<'m, 'c> {
    pub(super) context: &'c Context<'m>,
    pub(super) constant_bytes: u32,
    pub(super) kernel: Kernel,
    /// Fixed registers, which all functions share.
    pub(super) values: Values,
    /// Shared variables' addresses; `None` for those of a size that the launch decides.
    shared: HashMap<&'m str, Option<u32>>,
    /// Functions to decode, by their number in the module, with their names.
    functions: Vec<(usize, Names<'m>, Frame)>,
    // Of the function that is being decoded:
    pub(super) names: Names<'m>,
    pub(super) frame: Frame,
    pub(super) is_kernel: bool,
    pub(super) prototypes: Vec<&'m Function<'m>>,
    pub(super) targets: Vec<Vec<&'m str>>,
    /// Registers of special registers that are the same for every block.
    pub(super) specials: HashMap<(File, Special), u16>,
    /// How many targets all `brx.idx` have.
    pub(super) target_count: usize,
    /// The predicate that holds the carry flag, where the function has one.
    pub(super) carry_flag: Option<u16>,
    /// The register with the place of the function's next `alloca`, where it has any.
    pub(super) stack: Option<u16>,
    /// Where its return values are, bytes from the frame's start.
    labels: HashMap<(usize, &'m str), u32>,
    /// For places of functions that were inlined, the place of the outermost call.
    inlined: HashMap<(u32, u32, u32), (u32, u32, u32)>,
    pub(super) origin: Origin,
    ends: Vec<Pending<'m>>,
    first_block: u32,
    /// Of the block being filled:
    start: u32,
    listed: u32,
    pub(super) uniform_loads: u32,
    pub(super) members: u16,
}

impl<'m, 'c> Decoder<'m, 'c> {
    pub(super) fn new(context: &'c Context<'m>, constant_bytes: u32) -> Self {
        Decoder {
            context,
            constant_bytes,
            kernel: Kernel::default(),
            values: Values::default(),
            shared: HashMap::new(),
            functions: vec![],
            names: Names::new(),
            frame: Frame::default(),
            is_kernel: true,
            prototypes: vec![],
            targets: vec![],
            specials: HashMap::new(),
            target_count: 0,
            carry_flag: None,
            stack: None,
            labels: HashMap::new(),
            inlined: HashMap::new(),
            origin: Origin::default(),
            ends: vec![],
            first_block: 0,
            start: 0,
            listed: 0,
            uniform_loads: 0,
            members: NONE,
        }
    }

    pub(super) fn kernel(mut self, number: usize) -> Result<Kernel> {
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
        self.reach(number)?;
        let mut next = 0;
        while next < self.functions.len() {
            self.prepare(next)?;
            next += 1;
        }
        let dynamic = self.kernel.shared_bytes.next_multiple_of(16);
        for address in self.shared.values_mut() {
            address.get_or_insert(dynamic);
        }
        for n in 0..self.functions.len() {
            self.function(n)?;
        }
        let Values { fixed_w, fixed_x, .. } = self.values;
        self.kernel.fixed_w = fixed_w;
        self.kernel.fixed_x = fixed_x;
        Ok(self.kernel)
    }

    /// Enters a function of the module among those to decode.
    fn reach(&mut self, number: usize) -> Result<()> {
        let function = &self.context.module.functions[number];
        if !self.kernel.function_of.contains_key(&number) && function.body.is_some() {
            self.kernel.function_of.insert(number, self.functions.len() as u32);
            self.functions.push((number, Names::new(), Frame::default()));
        }
        Ok(())
    }

    // What a function declares.

    fn prepare(&mut self, n: usize) -> Result<()> {
        let function = &self.context.module.functions[self.functions[n].0];
        self.names = Names::new();
        self.frame = Frame::default();
        self.is_kernel = n == 0;
        if self.is_kernel {
            self.kernel_parameters(&function.parameters)?;
        } else {
            self.function_parameters(function)?;
        }
        let parameters = self.frame.parameter_bytes;
        let body = function.body.as_deref().unwrap_or_default();
        let (end, local) = self.declare(body, parameters, 0)?;
        self.frame.parameter_bytes = end.next_multiple_of(16);
        self.frame.local_bytes = self.frame.parameter_bytes.saturating_add(local);
        if allocates(body) {
            let room = self.frame.local_bytes.checked_next_multiple_of(16).unwrap_or(u32::MAX);
            self.frame.local_bytes = room.saturating_add(ROOM);
        }
        if u64::from(self.frame.local_bytes) > LOCAL_LIMIT {
            return self.context.unsupported(
                function.at,
                format!("{} bytes of local memory in one function", self.frame.local_bytes),
            );
        }
        self.names.rewind();
        self.look_through(body)?;
        self.functions[n].1 = std::mem::replace(&mut self.names, Names::new());
        self.functions[n].2 = std::mem::take(&mut self.frame);
        Ok(())
    }

    fn kernel_parameters(&mut self, parameters: &'m [Variable<'m>]) -> Result<()> {
        let mut offset = 0u64;
        for parameter in parameters {
            let (bytes, align) = self.context.layout(parameter)?;
            let Some(bytes) = bytes else {
                return self.context.bad(parameter.at, "a parameter without a size");
            };
            offset = offset.next_multiple_of(align);
            if offset + bytes > PARAMETER_LIMIT {
                return self
                    .context
                    .bad(parameter.at, format!("parameters of more than {PARAMETER_LIMIT} bytes"));
            }
            self.names
                .declare(parameter.name, Name::Parameter { offset: offset as u32, bytes: bytes as u32 });
            self.kernel.parameters.push(Parameter {
                name: parameter.name.into(),
                offset: offset as u32,
                bytes: bytes as u32,
                is_struct: !parameter.dimensions.is_empty(),
            });
            offset += bytes;
        }
        self.kernel.parameter_bytes = offset as u32;
        Ok(())
    }

    /// Parameters and results of a function are the first bytes of its frame, or registers.
    fn function_parameters(&mut self, function: &'m Function<'m>) -> Result<()> {
        let mut offset = 0u32;
        for parameter in function.parameters.iter().chain(&function.returns) {
            if parameter.space == "reg" {
                let file = self.file_of(parameter.at, parameter.ty)?;
                self.names.declare_register(parameter.name, file);
                if let Some(register) = self.names.register(parameter.name) {
                    // The call writes it, or reads it after the return.
                    self.names.registers[register].writes += 1;
                    self.names.registers[register].named += 2;
                }
                continue;
            }
            let (start, bytes) = self.next_bytes(parameter, &mut offset)?;
            self.names.declare(parameter.name, Name::Bytes { offset: start, bytes, local: false });
        }
        self.frame.parameter_bytes = offset;
        Ok(())
    }

    /// The place of a parameter behind others, and its size.
    pub(super) fn next_bytes(&self, variable: &Variable<'m>, offset: &mut u32) -> Result<(u32, u32)> {
        let (bytes, align) = self.context.layout(variable)?;
        // A parameter `[]` belongs to a function with a variable number of arguments.
        let Some(bytes) = bytes else {
            return self.context.unsupported(variable.at, "parameters without a size");
        };
        let start = u64::from(*offset).next_multiple_of(align);
        let end = start + bytes;
        if end > LOCAL_LIMIT {
            return self.context.unsupported(variable.at, format!("`{}` of {bytes} bytes", variable.name));
        }
        *offset = end as u32;
        Ok((start as u32, bytes as u32))
    }

    /// Enters what a scope declares; returns where its parameters and local variables end, those of inner scopes
    /// included.
    fn declare(&mut self, body: &'m [Statement<'m>], parameters: u32, local: u32) -> Result<(u32, u32)> {
        let (mut parameters, mut local) = (parameters, local);
        for statement in body {
            match statement {
                Statement::Registers { at, vector: 1, ty, prefix, count } => {
                    let file = self.file_of(*at, ty)?;
                    if !self.names.declare_range(prefix, *count, file) {
                        return self.context.bad(*at, format!("`{prefix}<…>` is declared twice"));
                    }
                }
                Statement::Registers { at, .. } => return self.context.unsupported(*at, "vector registers"),
                Statement::Variable(v) => {
                    let fresh = match v.space {
                        "reg" if v.vector == 1 => {
                            let file = self.file_of(v.at, v.ty)?;
                            self.names.declare_register(v.name, file)
                        }
                        "shared" => {
                            let address = self.place_shared(v)?;
                            let name = address.map_or(Name::DynamicShared, Name::Shared);
                            self.names.declare(v.name, name)
                        }
                        "param" => {
                            let (offset, bytes) = self.next_bytes(v, &mut parameters)?;
                            self.names.declare(v.name, Name::Bytes { offset, bytes, local: false })
                        }
                        "local" => {
                            let (offset, bytes) = self.next_bytes(v, &mut local)?;
                            self.names.declare(v.name, Name::Bytes { offset, bytes, local: true })
                        }
                        other => {
                            return self
                                .context
                                .unsupported(v.at, format!("`.{other}` variables in a function"));
                        }
                    };
                    if !fresh {
                        return self.context.bad(v.at, format!("`{}` is declared twice", v.name));
                    }
                }
                Statement::Prototype(label, prototype) => {
                    let number = self.prototypes.len() as u32;
                    self.prototypes.push(prototype);
                    self.names.declare(label, Name::Prototype(number));
                }
                Statement::Directive { label: Some(label), name: "branchtargets", words, .. } => {
                    let number = self.targets.len() as u32;
                    self.targets.push(words.clone());
                    self.names.declare(label, Name::Targets(number));
                }
                _ => {}
            }
        }
        // Scopes side by side share bytes.
        let (mut end, mut local_end) = (parameters, local);
        for statement in body {
            if let Statement::Block(inner) = statement {
                let outer = self.names.open();
                let (p, l) = self.declare(inner, parameters, local)?;
                (end, local_end) = (end.max(p), local_end.max(l));
                self.names.close(outer);
            }
        }
        Ok((end, local_end))
    }

    /// The address of a new shared variable, or nothing if the launch decides its size.
    fn place_shared(&mut self, variable: &Variable<'m>) -> Result<Option<u32>> {
        let (bytes, align) = self.context.layout(variable)?;
        match bytes {
            Some(bytes) if variable.linkage != Some("extern") => {
                let address = u64::from(self.kernel.shared_bytes).next_multiple_of(align);
                let Ok(end) = u32::try_from(address + bytes) else {
                    return self.context.bad(variable.at, "more shared memory than 32 bits can address");
                };
                self.kernel.shared_bytes = end;
                Ok(Some(address as u32))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn file_of(&self, at: At, ty: &str) -> Result<File> {
        match ty {
            "pred" => Ok(File::P),
            _ => match type_bytes(ty) {
                Some(8) => Ok(File::X),
                Some(_) => Ok(File::W),
                None => self.context.unsupported(at, format!("registers of type `.{ty}`")),
            },
        }
    }

    /// Looks at every operand once before anything is decoded: how often registers are written, which shared
    /// variables are used, which functions can be called.
    fn look_through(&mut self, body: &'m [Statement<'m>]) -> Result<()> {
        for statement in body {
            match statement {
                Statement::Block(inner) => {
                    let outer = self.names.open();
                    self.look_through(inner)?;
                    self.names.close(outer);
                }
                Statement::Instruction(i) => {
                    if !NO_RESULT.contains(&i.opcode) {
                        match i.operands.first() {
                            Some(Operand::Name(name, _)) => self.count_write(name),
                            Some(Operand::Pair(p, q)) => {
                                self.count_write(p);
                                self.count_write(q);
                            }
                            Some(Operand::Vector(elements)) => {
                                for element in elements {
                                    if let Operand::Name(name, _) = element {
                                        self.count_write(name);
                                    }
                                }
                            }
                            _ => {}
                        }
                    } else if i.opcode == "bar" || i.opcode == "barrier" {
                        if let Some(Operand::Name(name, _)) = i.operands.first() {
                            self.count_write(name);
                        }
                    } else if i.opcode == "call" {
                        self.look_at_call(i)?;
                    }
                    for operand in &i.operands {
                        self.look_at(operand)?;
                        self.count_names(operand);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn look_at_call(&mut self, i: &'m Instruction<'m>) -> Result<()> {
        if let Some(Operand::List(results)) = i.operands.first() {
            for result in results {
                if let Operand::Name(name, _) = result {
                    self.count_write(name);
                }
            }
        }
        let indirect = i.operands.iter().any(
            |o| matches!(o, Operand::Name(name, None) if matches!(self.names.find(name), Some(Name::Register(_)))),
        );
        if indirect {
            for function in self.context.in_variables.clone() {
                self.reach(function)?;
            }
        }
        Ok(())
    }

    fn look_at(&mut self, operand: &'m Operand<'m>) -> Result<()> {
        match operand {
            Operand::Name(name, None) | Operand::Sum { symbol: name, .. } => self.look_at_name(name),
            Operand::Address { base: Some(name), .. } => self.look_at_name(name),
            Operand::Vector(list) | Operand::List(list) => list.iter().try_for_each(|o| self.look_at(o)),
            _ => Ok(()),
        }
    }

    fn look_at_name(&mut self, name: &'m str) -> Result<()> {
        if self.kernel.reserved.is_none() && name.starts_with("%reserved_smem") {
            let start = self.kernel.shared_bytes.checked_next_multiple_of(16).unwrap_or(u32::MAX);
            self.kernel.shared_bytes = start.saturating_add(RESERVED);
            self.kernel.reserved = Some(start..self.kernel.shared_bytes);
        }
        if let Some(&variable) = self.context.shared.get(name)
            && !self.shared.contains_key(name)
            && self.names.find(name).is_none()
        {
            let address = self.place_shared(variable)?;
            self.shared.insert(name, address);
        }
        if let Some(&function) = self.context.functions.get(name) {
            self.reach(function)?;
        }
        Ok(())
    }

    /// Counts the registers that an operand names.
    fn count_names(&mut self, operand: &'m Operand<'m>) {
        let one = |names: &mut Names<'m>, name: &'m str| {
            if let Some(register) = names.register(name) {
                names.registers[register].named += 1;
            }
        };
        match operand {
            Operand::Name(name, _) | Operand::Negative(name, _) | Operand::Not(name) => {
                one(&mut self.names, name);
            }
            Operand::Sum { symbol: name, .. } | Operand::Address { base: Some(name), .. } => {
                one(&mut self.names, name);
            }
            Operand::Pair(a, b) => {
                one(&mut self.names, a);
                one(&mut self.names, b);
            }
            Operand::VectorPair(list, name) => {
                one(&mut self.names, name);
                list.iter().for_each(|o| self.count_names(o));
            }
            Operand::Vector(list) | Operand::List(list) | Operand::Access(list) => {
                list.iter().for_each(|o| self.count_names(o));
            }
            _ => {}
        }
    }

    fn count_write(&mut self, name: &'m str) {
        if let Some(register) = self.names.register(name) {
            self.names.registers[register].writes += 1;
        }
    }

    /// What a name stands for; shared variables of the module included.
    pub(super) fn find(&mut self, name: &'m str) -> Option<Name> {
        match self.names.find(name) {
            Some(Name::DynamicShared) => Some(Name::Shared(self.kernel.shared_bytes.next_multiple_of(16))),
            None => self.shared.get(name).copied().flatten().map(Name::Shared),
            found => found,
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
        self.origin = Origin::default();
        self.first_block = self.kernel.blocks.len() as u32;
        self.frame.entry = self.first_block;
        self.ends.clear();
        self.register_parameters(function)?;
        self.names.rewind();
        let body = function.body.as_deref().unwrap_or_default();
        self.begin_stack(body, function.at)?;
        self.statements(body)?;
        self.close(if self.is_kernel { Pending::Exit } else { Pending::Return });
        self.resolve()?;
        if !self.is_kernel {
            let mut formals = self.formals(function)?;
            self.frame.results = formals.split_off(function.parameters.len());
            self.frame.parameters = formals;
        }
        let frame = std::mem::take(&mut self.frame);
        self.kernel.functions.push(frame);
        Ok(())
    }

    /// Whether the block being filled has no instruction yet.
    pub(super) fn block_is_empty(&self) -> bool {
        self.kernel.listing.len() as u32 == self.listed
    }

    pub(super) fn close(&mut self, end: Pending<'m>) {
        let code = self.kernel.code.len() as u32;
        let listed = self.kernel.listing.len() as u32;
        self.kernel.blocks.push(Block {
            start: self.start,
            end: code,
            listed: self.listed,
            weight: listed - self.listed,
            slow: 0,
            uniform_loads: self.uniform_loads,
            members: self.members,
            exit: End::Exit,
            chain: Default::default(),
            issue: Default::default(),
        });
        self.ends.push(end);
        self.start = code;
        self.listed = listed;
        self.uniform_loads = 0;
        self.members = NONE;
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
                        return self.context.bad(*at, format!("the label `{name}` is there twice"));
                    }
                }
                Statement::Loc { file, line, column, inlined_at } => {
                    // The reader's own line is the one that a header's function was inlined at, in the end.
                    let here = (*file, *line, *column);
                    let outer = inlined_at.map(|call| *self.inlined.get(&call).unwrap_or(&call));
                    if let Some(outer) = outer {
                        self.inlined.insert(here, outer);
                    }
                    let own = self.context.module.file(*file).is_some_and(is_source);
                    let (file, line, _) = if own { here } else { outer.unwrap_or(here) };
                    // Line 0 means that the compiler knows none; the last one known helps more.
                    if line > 0 {
                        self.origin.file = file;
                        self.origin.source_line = line;
                    }
                }
                Statement::Block(inner) => {
                    let outer = self.names.open();
                    self.statements(inner)?;
                    self.names.close(outer);
                }
                Statement::Instruction(instruction) => self.instruction(instruction)?,
                Statement::Directive { at, name, .. }
                    if !matches!(*name, "pragma" | "branchtargets" | "calltargets" | "noreturn") =>
                {
                    return self.context.unsupported(*at, format!("`.{name}`"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Enters an instruction in the listing: once, though it may have been split into several.
    pub(super) fn list(&mut self) {
        if self.kernel.listing.len() as u32 > self.listed
            && self.kernel.listing.last().is_some_and(|before| before.origin == self.origin)
        {
            return;
        }
        self.kernel.listing.push(Listed { origin: self.origin, uniform: false });
    }

    /// Adds an instruction for the PTX instruction that was listed last.
    pub(super) fn emit(&mut self, inst: impl Into<Inst>) {
        self.kernel.code.push(inst.into());
        self.kernel.places.push((self.kernel.listing.len() as u32).saturating_sub(1));
    }

    /// Adds an entry to the kernel's table of its type.
    pub(super) fn enter<T: Entry>(&mut self, at: At, entry: T) -> Result<Id<T>> {
        match self.kernel.add(entry) {
            Some(id) => Ok(id),
            None => {
                self.context.unsupported(at, format!("more than {} {} in one kernel", T::LIMIT, T::CALLED))
            }
        }
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
                    End::Branch { predicate, negated, taken, next, join: NOWHERE }
                }
                Pending::Skip { predicate, negated } => {
                    let taken = (b + 2).min(count - 1);
                    End::Branch { predicate, negated: !negated, taken, next, join: NOWHERE }
                }
                Pending::Switch { index, at, scope, labels } => {
                    let mut targets = vec![];
                    for label in labels {
                        targets.push(self.label(at, scope, label)?);
                    }
                    self.kernel.tables.push(Table { targets, join: NOWHERE });
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

/// Whether a file is a program's own, and not a header that came with a compiler.
fn is_source(name: &str) -> bool {
    [".cu", ".c", ".cpp", ".cc", ".cxx"].iter().any(|ending| name.ends_with(ending))
}
