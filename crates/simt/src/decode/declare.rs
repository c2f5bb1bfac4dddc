//! Declarations of a kernel and of the functions it can call, and what is looked up in their bodies before anything is
//! decoded: how often registers are written and named, which shared variables are used, which functions can be called.

use super::context::Result;
use super::decoder::{Decoder, RESERVED};
use super::names::{Name, Names};
use super::opcodes::{self, First};
use super::stack::{ROOM, allocates};
use crate::ir::*;
use crate::memory::LOCAL_LIMIT;
use ptx::{At, Function, Instruction, Operand, Statement, Variable};

/// Bytes of parameters (PTX ISA 5.1.6.1: 4 KiB; 32764 since compute capability 7.0 with CUDA 12.1).
const PARAMETER_LIMIT: u64 = 32764;

impl<'m> Decoder<'m, '_> {
    /// Enters a function of the module among those to decode.
    pub(super) fn reach(&mut self, number: usize) {
        let function = &self.context.module.functions[number];
        // Other kernels are launched, and not called.
        if function.is_kernel && !self.functions.is_empty() {
            return;
        }
        if !self.kernel.function_of.contains_key(&number) && function.body.is_some() {
            self.kernel.function_of.insert(number, self.functions.len() as u32);
            self.functions.push((number, Names::new(), Frame::default()));
        }
    }

    // What a function declares.

    pub(super) fn prepare(&mut self, n: usize) -> Result<()> {
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
                ty: parameter.ty.into(),
                is_array: !parameter.dimensions.is_empty() || parameter.vector > 1,
                is_pointer: parameter.pointer,
                offset: offset as u32,
                bytes: bytes as u32,
                align: u32::try_from(align).unwrap_or(u32::MAX),
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
                self.names.declare_register(parameter.name, file, parameter.ty);
                if let Some(register) = self.names.register(parameter.name) {
                    // The call writes it, or reads it after the return.
                    self.names.registers[register].writes += 1;
                    self.names.registers[register].named += 2;
                    self.names.registers[register].outlives = true;
                }
                continue;
            }
            let (start, bytes) = self.next_bytes(parameter, &mut offset)?;
            self.names.declare(parameter.name, Name::Bytes { offset: start, bytes, local: false });
        }
        self.frame.parameter_bytes = offset;
        Ok(())
    }

    /// Enters what a scope declares; returns where its parameters and local variables end, those of inner scopes
    /// included.
    fn declare(&mut self, body: &'m [Statement<'m>], parameters: u32, local: u32) -> Result<(u32, u32)> {
        let (mut parameters, mut local) = (parameters, local);
        for statement in body {
            match statement {
                // A name whose declaration is refused is known all the same: it is not a further reason.
                Statement::Registers { at, vector, ty, prefix, count } => {
                    let result = self.declare_registers(*at, *vector, ty, prefix, *count);
                    if result.is_err() {
                        self.names.declare_range(prefix, *count, File::W, ty);
                    }
                    self.note(result);
                }
                Statement::Variable(v) => {
                    let result = self.declare_variable(v, &mut parameters, &mut local);
                    match (&result, v.space) {
                        (Ok(()), _) => {}
                        (Err(_), "reg") => drop(self.names.declare_register(v.name, File::W, v.ty)),
                        (Err(_), _) => drop(self.names.declare(v.name, Name::Shared(0))),
                    }
                    self.note(result);
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

    fn declare_registers(
        &mut self,
        at: At,
        vector: u32,
        ty: &'m str,
        prefix: &'m str,
        count: u32,
    ) -> Result<()> {
        if vector != 1 {
            return self.context.unsupported(at, format!("vector registers of type `.{ty}`"));
        }
        let file = self.file_of(at, ty)?;
        if !self.names.declare_range(prefix, count, file, ty) {
            return self.context.bad(at, format!("`{prefix}<…>` is declared twice"));
        }
        Ok(())
    }

    fn declare_variable(&mut self, v: &'m Variable<'m>, parameters: &mut u32, local: &mut u32) -> Result<()> {
        let fresh = match v.space {
            "reg" if v.vector == 1 => {
                let file = self.file_of(v.at, v.ty)?;
                self.names.declare_register(v.name, file, v.ty)
            }
            "reg" => return self.context.unsupported(v.at, format!("vector registers of type `.{}`", v.ty)),
            "shared" => {
                let address = self.place_shared(v)?;
                let name = address.map_or(Name::DynamicShared, Name::Shared);
                self.names.declare(v.name, name)
            }
            "param" => {
                let (offset, bytes) = self.next_bytes(v, parameters)?;
                self.names.declare(v.name, Name::Bytes { offset, bytes, local: false })
            }
            "local" => {
                let (offset, bytes) = self.next_bytes(v, local)?;
                self.names.declare(v.name, Name::Bytes { offset, bytes, local: true })
            }
            "global" | "const" => match self.context.statics.get(&v.at.0) {
                Some(&symbol) => self.names.declare(v.name, Name::Static(symbol)),
                // It was refused when the module was loaded: for this reason.
                None => return self.context.layout(v).and(self.context.unsupported(v.at, "this variable")),
            },
            other => {
                return self.context.unsupported(v.at, format!("`.{other}` variables in a function"));
            }
        };
        if !fresh {
            return self.context.bad(v.at, format!("`{}` is declared twice", v.name));
        }
        Ok(())
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
                let (start, bytes) = (address as u32, end - address as u32);
                self.kernel.shared_variables.push((variable.name.to_owned(), start, bytes));
                Ok(Some(address as u32))
            }
            _ => Ok(None),
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
                    match opcodes::find(i.opcode).map_or(First::Result, |row| row.first) {
                        First::Result => self.count_results(i),
                        First::List => self.look_at_call(i)?,
                        First::Operand => {}
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

    /// Counts the registers of an instruction's first operand as written.
    fn count_results(&mut self, i: &'m Instruction<'m>) {
        match i.operands.first() {
            Some(Operand::Name(name, _)) => self.count_write(name),
            Some(Operand::Pair(p, q)) => {
                self.count_write(p);
                self.count_write(q);
            }
            Some(Operand::Vector(elements)) => self.count_elements(elements),
            Some(Operand::VectorPair(elements, p)) => {
                self.count_elements(elements);
                self.count_write(p);
            }
            _ => {}
        }
    }

    fn count_elements(&mut self, elements: &'m [Operand<'m>]) {
        for element in elements {
            if let Operand::Name(name, _) = element {
                self.count_write(name);
            }
        }
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
            for function in self.context.pointed_at.clone() {
                self.reach(function);
            }
        }
        Ok(())
    }

    fn look_at(&mut self, operand: &'m Operand<'m>) -> Result<()> {
        match operand {
            Operand::Name(name, None)
            | Operand::Sum { symbol: name, .. }
            | Operand::Element { symbol: name, .. } => self.look_at_name(name),
            Operand::Address { base: Some(name), .. } => self.look_at_name(name),
            Operand::Vector(list) | Operand::List(list) | Operand::VectorPair(list, _) => {
                list.iter().try_for_each(|o| self.look_at(o))
            }
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
            self.reach(function);
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
            Operand::Element { register: Some(name), .. } => one(&mut self.names, name),
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
}
