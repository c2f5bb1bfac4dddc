//! PTX's tree to compact programs: symbols get addresses, instructions get numbers, blocks get ends.
//!
//! Everything that this device does not execute is refused here, before a thread runs. What depends on parameters,
//! immediates and block indices alone is taken out of the warps' code: it runs once a launch or once a block.

use crate::error::{Error, Place};
use crate::flow::post_dominators;
use crate::program::*;
use ptx::{At, Initialiser, Instruction, Module, Operand, Statement, Variable};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, Error>;

/// Constant memory of a module (CUDA C++ Programming Guide, table of compute capabilities): 64 KiB.
pub(crate) const CONSTANT_LIMIT: u64 = 64 << 10;
/// Bytes of parameters (PTX ISA 5.1.6.1: 4 KiB; 32764 since compute capability 7.0 with CUDA 12.1).
const PARAMETER_LIMIT: u64 = 32764;
/// Size of one variable: more than any chip's memory would be refused at allocation; this keeps sums from overflowing.
const VARIABLE_LIMIT: u64 = 1 << 40;
impl Program {
    /// Decodes a module; `name` is what errors call it.
    ///
    /// # Errors
    /// Text that is no PTX ([`Error::BadPtx`]), what this device does not execute ([`Error::Unsupported`]), or more
    /// constant variables than fit ([`Error::ConstantOverflow`]).
    pub fn decode(name: &str, text: &str) -> Result<Program> {
        let module = ptx::parse(text).map_err(|e| Error::BadPtx {
            place: Place { ptx: name.into(), at: (e.place.line, e.place.column), source: None },
            message: e.message,
        })?;
        let context = Context { name, module: &module };
        if module.address_size != 64 {
            let place = Place { ptx: name.into(), at: (1, 1), source: None };
            return Err(Error::Unsupported { place, what: format!(".address_size {}", module.address_size) });
        }
        let mut symbols = vec![];
        let mut constant_bytes = 0u64;
        let mut shared = vec![];
        for variable in &module.variables {
            match variable.space {
                "const" | "global" => {
                    let symbol = context.symbol(variable, &mut constant_bytes)?;
                    symbols.push(symbol);
                }
                "shared" => shared.push(variable),
                other => {
                    return context.unsupported(variable.at, format!("module-scope `.{other}` variables"));
                }
            }
        }
        if constant_bytes > CONSTANT_LIMIT {
            return Err(Error::ConstantOverflow {
                module: name.into(),
                bytes: constant_bytes,
                limit: CONSTANT_LIMIT,
            });
        }
        let mut kernels = vec![];
        for function in &module.functions {
            match (&function.body, function.is_kernel) {
                (Some(body), true) => {
                    let decoder = Decoder::new(context, &symbols, constant_bytes as u32);
                    kernels.push(decoder.kernel(function, body, &shared)?);
                }
                (_, false) => return context.unsupported(function.at, format!("`.func {}`", function.name)),
                (None, true) => {}
            }
        }
        Ok(Program {
            name: name.into(),
            files: module.files.iter().map(|(i, f)| (*i, (*f).to_owned())).collect(),
            kernels,
            symbols,
            constant_bytes: constant_bytes as u32,
        })
    }
}

#[derive(Clone, Copy)]
struct Context<'m> {
    name: &'m str,
    module: &'m Module<'m>,
}

impl<'m> Context<'m> {
    fn place(&self, at: At) -> Place {
        let place = self.module.place(at);
        Place { ptx: self.name.into(), at: (place.line, place.column), source: None }
    }

    fn bad<T>(&self, at: At, message: impl Into<String>) -> Result<T> {
        Err(Error::BadPtx { place: self.place(at), message: message.into() })
    }

    fn unsupported<T>(&self, at: At, what: impl Into<String>) -> Result<T> {
        Err(Error::Unsupported { place: self.place(at), what: what.into() })
    }

    /// Size and alignment of a variable, bytes; the size is `None` for `[]`.
    fn layout(&self, variable: &Variable<'m>) -> Result<(Option<u64>, u64)> {
        let Some(element) = type_bytes(variable.ty) else {
            return self.unsupported(variable.at, format!("variables of type `.{}`", variable.ty));
        };
        let element = element * u64::from(variable.vector);
        let align = variable.align.unwrap_or(element);
        let mut bytes = Some(element);
        for dimension in &variable.dimensions {
            bytes = match (bytes, dimension) {
                (Some(bytes), Some(n)) => match bytes.checked_mul(*n) {
                    Some(bytes) if bytes <= VARIABLE_LIMIT => Some(bytes),
                    _ => {
                        return self
                            .bad(variable.at, format!("`{}` is larger than any memory", variable.name));
                    }
                },
                _ => None,
            };
        }
        Ok((bytes, align))
    }

    fn symbol(&self, variable: &Variable<'m>, constant_bytes: &mut u64) -> Result<Symbol> {
        let (bytes, align) = self.layout(variable)?;
        let Some(bytes) = bytes else {
            return self.unsupported(variable.at, format!("`{}[]` without a size", variable.name));
        };
        if variable.linkage == Some("extern") {
            return self.unsupported(variable.at, format!("`.extern` variable `{}`", variable.name));
        }
        let constant = if variable.space == "const" {
            let address = constant_bytes.next_multiple_of(align);
            *constant_bytes = address.saturating_add(bytes);
            // An address past the limit is refused with all sizes known, at the end.
            Some(u32::try_from(address).unwrap_or(u32::MAX))
        } else {
            None
        };
        let mut initial = vec![];
        if let Some(initialiser) = &variable.initialiser {
            // `layout` has checked the type.
            let element = type_bytes(variable.ty).unwrap_or(1);
            self.initial(variable.at, initialiser, element, &mut initial)?;
            if initial.len() as u64 > bytes {
                return self
                    .bad(variable.at, format!("`{}` has more initial values than elements", variable.name));
            }
        }
        Ok(Symbol { name: variable.name.into(), bytes, align, constant, initial })
    }

    fn initial(&self, at: At, initialiser: &Initialiser<'m>, element: u64, into: &mut Vec<u8>) -> Result<()> {
        match initialiser {
            Initialiser::List(list) => {
                for item in list {
                    self.initial(at, item, element, into)?;
                }
            }
            Initialiser::Value(Operand::Integer(value)) => {
                into.extend_from_slice(&value.to_le_bytes()[..element as usize]);
            }
            Initialiser::Value(Operand::F32(bits)) if element == 4 => {
                into.extend_from_slice(&bits.to_le_bytes())
            }
            Initialiser::Value(Operand::F64(bits)) if element == 8 => {
                into.extend_from_slice(&bits.to_le_bytes())
            }
            Initialiser::Value(Operand::F64(bits)) if element == 4 => {
                into.extend_from_slice(&(f64::from_bits(*bits) as f32).to_le_bytes());
            }
            Initialiser::Value(_) => return self.unsupported(at, "addresses as initial values"),
        }
        Ok(())
    }
}

fn type_bytes(ty: &str) -> Option<u64> {
    Some(match ty {
        "b8" | "u8" | "s8" => 1,
        "b16" | "u16" | "s16" | "f16" => 2,
        "b32" | "u32" | "s32" | "f32" => 4,
        "b64" | "u64" | "s64" | "f64" => 8,
        _ => return None,
    })
}

/// How early a register's value is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    Launch,
    Block,
    Warp,
}

#[derive(Clone, Copy)]
struct Register {
    file: File,
    /// [`NONE`] until it is first used.
    number: u16,
    known: Known,
    /// How many instructions write it.
    writes: u32,
}

/// `.reg .b32 %r<9>`.
struct Range<'m> {
    prefix: &'m str,
    count: u32,
    file: File,
}

/// A block's end, with labels where block numbers will stand.
enum Pending<'m> {
    Next,
    Jump(At, &'m str),
    Branch { at: At, predicate: u16, negated: bool, label: &'m str },
    Barrier,
    Exit,
    ExitIf { predicate: u16, negated: bool },
    Trap,
}

struct Decoder<'m, 's> {
    context: Context<'m>,
    symbols: &'s [Symbol],
    constant_bytes: u32,
    kernel: Kernel,
    ranges: Vec<Range<'m>>,
    registers: HashMap<&'m str, Register>,
    /// Shared variables' addresses.
    shared: HashMap<&'m str, u32>,
    /// `extern` shared arrays, which begin where the static ones end.
    dynamic_shared: Vec<&'m str>,
    parameters: HashMap<&'m str, (u32, u32)>,
    labels: HashMap<&'m str, u32>,
    fixed: HashMap<(File, Fixed), u16>,
    origin: Origin,
    ends: Vec<Pending<'m>>,
    /// Of the block being filled.
    start: u32,
    weight: u32,
    uniform_loads: u32,
}

/// Instructions whose first operand is no result.
const NO_RESULT: [&str; 17] = [
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
];

impl<'m, 's> Decoder<'m, 's> {
    fn new(context: Context<'m>, symbols: &'s [Symbol], constant_bytes: u32) -> Self {
        Decoder {
            context,
            symbols,
            constant_bytes,
            kernel: Kernel::default(),
            ranges: vec![],
            registers: HashMap::new(),
            shared: HashMap::new(),
            dynamic_shared: vec![],
            parameters: HashMap::new(),
            labels: HashMap::new(),
            fixed: HashMap::new(),
            origin: Origin::default(),
            ends: vec![],
            start: 0,
            weight: 0,
            uniform_loads: 0,
        }
    }

    fn kernel(
        mut self,
        function: &ptx::Function<'m>,
        body: &[Statement<'m>],
        shared: &[&Variable<'m>],
    ) -> Result<Kernel> {
        self.kernel.name = function.name.into();
        for (directive, numbers) in &function.directives {
            if *directive == "maxntid" {
                self.kernel.max_threads = Some(numbers.iter().fold(1u64, |n, m| n.saturating_mul(*m)));
            }
        }
        self.lay_out_parameters(&function.parameters)?;
        for variable in shared {
            self.shared_variable(variable)?;
        }
        self.declare(body)?;
        let dynamic = self.kernel.shared_bytes.next_multiple_of(16);
        for name in std::mem::take(&mut self.dynamic_shared) {
            self.shared.insert(name, dynamic);
        }
        self.count_writes(body)?;
        self.statements(body)?;
        self.close(Pending::Exit);
        self.resolve()?;
        Ok(self.kernel)
    }

    fn lay_out_parameters(&mut self, parameters: &[Variable<'m>]) -> Result<()> {
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
            self.parameters.insert(parameter.name, (offset as u32, bytes as u32));
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

    /// A shared variable of the module is given memory in every kernel: compilers move those of one kernel into it.
    fn shared_variable(&mut self, variable: &Variable<'m>) -> Result<()> {
        let (bytes, align) = self.context.layout(variable)?;
        match bytes {
            Some(bytes) if variable.linkage != Some("extern") => {
                let address = u64::from(self.kernel.shared_bytes).next_multiple_of(align);
                let Ok(end) = u32::try_from(address + bytes) else {
                    return self.context.bad(variable.at, "more shared memory than 32 bits can address");
                };
                self.shared.insert(variable.name, address as u32);
                self.kernel.shared_bytes = end;
            }
            _ => self.dynamic_shared.push(variable.name),
        }
        Ok(())
    }

    fn declare(&mut self, body: &[Statement<'m>]) -> Result<()> {
        for statement in body {
            match statement {
                Statement::Registers { at, vector: 1, ty, prefix, count } => {
                    let file = self.file_of(*at, ty)?;
                    if self.ranges.iter().any(|r| r.prefix == *prefix && r.file != file) {
                        return self
                            .context
                            .unsupported(*at, format!("`{prefix}` with two types in one kernel"));
                    }
                    self.ranges.push(Range { prefix, count: *count, file });
                }
                Statement::Registers { at, .. } => return self.context.unsupported(*at, "vector registers"),
                Statement::Variable(v) if v.space == "reg" && v.vector == 1 => {
                    let file = self.file_of(v.at, v.ty)?;
                    let new = Register { file, number: NONE, known: Known::Warp, writes: 0 };
                    // Scopes side by side (inline assembly) may use a name again; it may share the register.
                    if self.registers.insert(v.name, new).is_some_and(|old| old.file != file) {
                        return self
                            .context
                            .unsupported(v.at, format!("`{}` with two types in one kernel", v.name));
                    }
                }
                Statement::Variable(v) if v.space == "shared" => self.shared_variable(v)?,
                Statement::Variable(v) => {
                    return self.context.unsupported(v.at, format!("`.{}` variables in a kernel", v.space));
                }
                Statement::Block(inner) => self.declare(inner)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn file_of(&self, at: At, ty: &str) -> Result<File> {
        match ty {
            "pred" => Ok(File::P),
            "b128" | "f16x2" => self.context.unsupported(at, format!("registers of type `.{ty}`")),
            _ => match type_bytes(ty) {
                Some(8) => Ok(File::X),
                Some(_) => Ok(File::W),
                None => self.context.bad(at, format!("`.{ty}` is no register type")),
            },
        }
    }

    /// Enters a register that is declared, and says whether it is.
    fn find(&mut self, name: &'m str) -> bool {
        if self.registers.contains_key(name) {
            return true;
        }
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let Ok(index) = name[prefix.len()..].parse::<u32>() else { return false };
        // The last declaration with enough registers counts; `%r07` is not how anybody writes `%r7`.
        match self.ranges.iter().rev().find(|r| r.prefix == prefix && index < r.count) {
            Some(range) => {
                let new = Register { file: range.file, number: NONE, known: Known::Warp, writes: 0 };
                self.registers.insert(name, new);
                true
            }
            None => false,
        }
    }

    fn register(&mut self, at: At, name: &'m str) -> Result<Register> {
        if self.find(name) {
            return Ok(self.registers[name]);
        }
        self.context.bad(at, format!("`{name}` is not declared"))
    }

    fn count_writes(&mut self, body: &[Statement<'m>]) -> Result<()> {
        for statement in body {
            match statement {
                Statement::Block(inner) => self.count_writes(inner)?,
                Statement::Instruction(i) if !NO_RESULT.contains(&i.opcode) => match i.operands.first() {
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
                },
                _ => {}
            }
        }
        Ok(())
    }

    fn count_write(&mut self, name: &'m str) {
        if self.find(name)
            && let Some(register) = self.registers.get_mut(name)
        {
            register.writes += 1;
        }
    }

    // Blocks.

    fn close(&mut self, end: Pending<'m>) {
        let code = self.kernel.code.len() as u32;
        self.kernel.blocks.push(Block {
            start: self.start,
            end: code,
            weight: self.weight,
            uniform_loads: self.uniform_loads,
            exit: End::Exit,
            chain: Default::default(),
        });
        self.ends.push(end);
        self.start = code;
        self.weight = 0;
        self.uniform_loads = 0;
    }

    fn statements(&mut self, body: &[Statement<'m>]) -> Result<()> {
        for statement in body {
            match statement {
                Statement::Label(at, name) => {
                    if self.weight > 0 {
                        self.close(Pending::Next);
                    }
                    if self.labels.insert(name, self.kernel.blocks.len() as u32).is_some() {
                        return self.context.bad(*at, format!("the label `{name}` is there twice"));
                    }
                }
                Statement::Loc { file, line, .. } => {
                    self.origin.file = *file;
                    // Line 0 means that the compiler knows none; the last one known helps more.
                    if *line > 0 {
                        self.origin.source_line = *line;
                    }
                }
                Statement::Block(inner) => self.statements(inner)?,
                Statement::Instruction(instruction) => self.instruction(instruction)?,
                Statement::Directive { at, name, .. } if *name != "pragma" => {
                    return self.context.unsupported(*at, format!("`.{name}`"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Puts block numbers where labels were, and finds where branches meet again.
    fn resolve(&mut self) -> Result<()> {
        let label = |at: At, name: &str| match self.labels.get(name) {
            Some(block) => Ok(*block),
            None => self.context.bad(at, format!("there is no label `{name}`")),
        };
        let count = self.kernel.blocks.len();
        for (b, end) in self.ends.iter().enumerate() {
            // The last block is closed with an exit, so a next one is there for all others.
            let next = (b + 1).min(count - 1) as u32;
            self.kernel.blocks[b].exit = match *end {
                Pending::Next => End::Goto(next),
                Pending::Jump(at, name) => End::Goto(label(at, name)?),
                Pending::Branch { at, predicate, negated, label: name } => {
                    End::Branch { predicate, negated, taken: label(at, name)?, next, join: NOWHERE }
                }
                Pending::Barrier => End::Barrier(next),
                Pending::Exit => End::Exit,
                Pending::ExitIf { predicate, negated } => End::ExitIf { predicate, negated, next },
                Pending::Trap => End::Trap,
            };
        }
        let successors: Vec<Vec<u32>> = self
            .kernel
            .blocks
            .iter()
            .map(|b| match b.exit {
                End::Goto(next) | End::Barrier(next) | End::ExitIf { next, .. } => vec![next],
                End::Branch { taken, next, .. } => vec![taken, next],
                End::Exit | End::Trap => vec![],
            })
            .collect();
        let meet = post_dominators(&successors);
        for (block, meet) in self.kernel.blocks.iter_mut().zip(meet) {
            if let End::Branch { join, .. } = &mut block.exit {
                *join = meet;
            }
        }
        crate::model::chain::annotate(&mut self.kernel);
        Ok(())
    }

    // Registers and values.

    fn too_many<T>(&self, at: At) -> Result<T> {
        self.context.unsupported(at, format!("more than {} registers of one size", NONE))
    }

    fn new_register(&mut self, at: At, file: File) -> Result<u16> {
        let next = match file {
            File::W => &mut self.kernel.w,
            File::X => &mut self.kernel.x,
            File::P => &mut self.kernel.p,
        };
        if *next >= NONE {
            return self.too_many(at);
        }
        *next += 1;
        Ok(*next - 1)
    }

    fn new_fixed(&mut self, at: At, file: File, value: Option<Fixed>) -> Result<u16> {
        let fixed = if file == File::X { &mut self.kernel.fixed_x } else { &mut self.kernel.fixed_w };
        if fixed.len() >= usize::from(NONE) {
            return self.too_many(at);
        }
        fixed.push(value);
        Ok((fixed.len() - 1) as u16 | FIXED)
    }

    fn fixed(&mut self, at: At, file: File, value: Fixed) -> Result<u16> {
        if let Some(&number) = self.fixed.get(&(file, value)) {
            return Ok(number);
        }
        let number = self.new_fixed(at, file, Some(value))?;
        self.fixed.insert((file, value), number);
        Ok(number)
    }

    fn immediate(&mut self, at: At, file: File, value: u64) -> Result<(u16, Known)> {
        let value = if file == File::W { value & 0xffff_ffff } else { value };
        Ok((self.fixed(at, file, Fixed::Immediate(value))?, Known::Launch))
    }

    /// The value of a fixed register that is a number known now.
    fn known_number(&self, file: File, number: u16) -> Option<u64> {
        let fixed = if file == File::X { &self.kernel.fixed_x } else { &self.kernel.fixed_w };
        match (number & FIXED != 0).then(|| fixed[usize::from(number & !FIXED)]) {
            Some(Some(Fixed::Immediate(value))) => Some(value),
            _ => None,
        }
    }

    /// The number of a register that is written by warps' code.
    fn result(&mut self, at: At, name: &'m str, file: File) -> Result<u16> {
        let register = self.register(at, name)?;
        self.same_file(at, name, register.file, file)?;
        if register.number != NONE {
            return Ok(register.number);
        }
        let number = self.new_register(at, file)?;
        self.set(name, number, Known::Warp);
        Ok(number)
    }

    fn set(&mut self, name: &'m str, number: u16, known: Known) {
        if let Some(register) = self.registers.get_mut(name) {
            register.number = number;
            register.known = known;
        }
    }

    fn same_file(&self, at: At, name: &str, is: File, wanted: File) -> Result<()> {
        let words = |file| match file {
            File::W => "up to 32 bits",
            File::X => "64 bits",
            File::P => "a predicate",
        };
        if is == wanted {
            return Ok(());
        }
        self.context
            .bad(at, format!("`{name}` is {}, and this instruction wants {}", words(is), words(wanted)))
    }

    /// A source operand's register.
    fn source(&mut self, at: At, operand: &Operand<'m>, file: File) -> Result<(u16, Known)> {
        match operand {
            Operand::Integer(value) if file != File::P => self.immediate(at, file, *value),
            Operand::F32(bits) if file == File::W => self.immediate(at, file, u64::from(*bits)),
            Operand::F64(bits) if file == File::X => self.immediate(at, file, *bits),
            Operand::F64(bits) if file == File::W => {
                self.immediate(at, file, u64::from((f64::from_bits(*bits) as f32).to_bits()))
            }
            Operand::Name(name, None) if self.find(name) => {
                let register = self.register(at, name)?;
                self.same_file(at, name, register.file, file)?;
                if register.number == NONE {
                    // Read before it is written, as far as the text goes: a loop's other end, or undefined.
                    let number = self.new_register(at, file)?;
                    self.set(name, number, Known::Warp);
                    return Ok((number, Known::Warp));
                }
                Ok((register.number, register.known))
            }
            Operand::Name(name, member) if name.starts_with('%') => self.special(at, name, *member, file),
            Operand::Name(name, None) => self.address_of(at, name, 0, file),
            Operand::Sum { symbol, offset, generic: false } => self.address_of(at, symbol, *offset, file),
            _ => self.context.unsupported(at, "this operand"),
        }
    }

    fn address_of(&mut self, at: At, symbol: &str, offset: i64, file: File) -> Result<(u16, Known)> {
        if file == File::P {
            return self.context.bad(at, format!("`{symbol}` is no predicate"));
        }
        if let Some(&address) = self.shared.get(symbol) {
            return self.immediate(at, file, i64::from(address).wrapping_add(offset) as u64);
        }
        match self.symbols.iter().position(|s| s.name == symbol) {
            Some(number) => match self.symbols[number].constant {
                Some(address) => self.immediate(at, file, i64::from(address).wrapping_add(offset) as u64),
                None => {
                    let value = Fixed::Global { symbol: number as u32, offset };
                    Ok((self.fixed(at, file, value)?, Known::Launch))
                }
            },
            None => self.context.bad(at, format!("`{symbol}` is not declared")),
        }
    }

    fn special(&mut self, at: At, name: &str, member: Option<&str>, file: File) -> Result<(u16, Known)> {
        if file != File::W {
            return self.context.unsupported(at, format!("`{name}` as an operand of this size"));
        }
        let axis = match member {
            Some("x") => Some(0u8),
            Some("y") => Some(1),
            Some("z") => Some(2),
            _ => None,
        };
        let special = match (name, axis) {
            ("%ntid", Some(axis)) => {
                return Ok((self.fixed(at, file, Fixed::BlockSize(axis))?, Known::Launch));
            }
            ("%nctaid", Some(axis)) => {
                return Ok((self.fixed(at, file, Fixed::GridSize(axis))?, Known::Launch));
            }
            ("%ctaid", Some(axis)) => {
                return Ok((self.fixed(at, file, Fixed::BlockIndex(axis))?, Known::Block));
            }
            ("%tid", Some(0)) => Special::TidX,
            ("%tid", Some(1)) => Special::TidY,
            ("%tid", Some(2)) => Special::TidZ,
            ("%laneid", _) => Special::LaneId,
            ("%warpid", _) => Special::WarpId,
            ("WARP_SZ", _) => return self.immediate(at, file, crate::WARP as u64),
            _ => {
                let member = member.map(|m| format!(".{m}")).unwrap_or_default();
                return self.context.unsupported(at, format!("`{name}{member}`"));
            }
        };
        let d = self.new_register(at, file)?;
        let inst = Inst { d, a: special as u16, ..Inst::new(Op::Special) };
        self.emit(inst);
        Ok((d, Known::Warp))
    }

    fn emit(&mut self, inst: Inst) {
        self.kernel.code.push(inst);
        self.kernel.places.push(self.origin);
    }

    /// Lets an instruction write `name`: in the warps' code, or, where all it reads is known earlier, there.
    fn write(
        &mut self,
        i: &Instruction<'m>,
        name: &'m str,
        file: File,
        mut inst: Inst,
        known: Known,
    ) -> Result<()> {
        let register = self.register(i.at, name)?;
        self.same_file(i.at, name, register.file, file)?;
        let early =
            known < Known::Warp && inst.guard == NONE && register.writes == 1 && register.number == NONE;
        if early && file != File::P {
            inst.d = self.new_fixed(i.at, file, None)?;
            self.set(name, inst.d, known);
            let code = if known == Known::Launch {
                &mut self.kernel.launch_code
            } else {
                &mut self.kernel.block_code
            };
            code.push(inst);
        } else {
            inst.d = self.result(i.at, name, file)?;
            self.emit(inst);
        }
        Ok(())
    }

    /// Lets `name` be a fixed register: by name alone where nothing else writes it, else by a move.
    fn write_fixed(
        &mut self,
        i: &Instruction<'m>,
        guard: (u16, bool),
        name: &'m str,
        number: u16,
    ) -> Result<()> {
        let register = self.register(i.at, name)?;
        if guard.0 == NONE && register.writes == 1 && register.number == NONE {
            self.set(name, number, Known::Launch);
            return Ok(());
        }
        let op = if register.file == File::X { Op::MovX } else { Op::MovW };
        let inst = Inst { guard: guard.0, negated: guard.1, a: number, ..Inst::new(op) };
        self.write(i, name, register.file, inst, Known::Warp)
    }

    // Instructions.

    fn instruction(&mut self, i: &Instruction<'m>) -> Result<()> {
        let place = self.context.module.place(i.at);
        self.origin.line = place.line;
        self.origin.column = place.column;
        self.weight += 1;
        let guard = match i.guard {
            Some(guard) => {
                (self.source(i.at, &Operand::Name(guard.register, None), File::P)?.0, guard.negated)
            }
            None => (NONE, false),
        };
        match (i.opcode, &i.modifiers[..]) {
            ("bra", _) => {
                let [Operand::Name(label, None)] = &i.operands[..] else {
                    return self.context.bad(i.at, "`bra` takes one label");
                };
                let end = match guard {
                    (NONE, _) => Pending::Jump(i.at, label),
                    (predicate, negated) => Pending::Branch { at: i.at, predicate, negated, label },
                };
                self.close(end);
            }
            ("ret" | "exit", _) => self.close(match guard {
                (NONE, _) => Pending::Exit,
                (predicate, negated) => Pending::ExitIf { predicate, negated },
            }),
            ("trap", _) if guard.0 == NONE => self.close(Pending::Trap),
            ("bar" | "barrier", _) => {
                let all = matches!(&i.operands[..], [Operand::Integer(0)]);
                let sync = matches!(&i.modifiers[..], ["sync"] | ["cta", "sync"] | ["sync", "aligned"]);
                if !all || !sync || guard.0 != NONE {
                    return self.context.unsupported(i.at, format!("this form of `{}`", i.mnemonic()));
                }
                self.close(Pending::Barrier);
            }
            // A fence orders memory between threads; here every access is done when its instruction ends.
            ("membar" | "fence", _) => {}
            ("ld", _) => self.load(i, guard)?,
            ("st", _) => self.store(i, guard)?,
            ("red", ["global", "add", "u32" | "s32"]) => {
                let [address, value] = &i.operands[..] else {
                    return self.context.bad(i.at, "`red` takes an address and a value");
                };
                let access = Access { bytes: 4, count: 1, ..Access::default() };
                self.access(i, guard, Op::AddGlobal, access, address, std::slice::from_ref(value))?;
            }
            ("setp", _) if i.modifiers.len() == 3 => self.combined_setp(i, guard)?,
            _ => self.alu(i, guard)?,
        }
        Ok(())
    }

    fn alu(&mut self, i: &Instruction<'m>, guard: (u16, bool)) -> Result<()> {
        let mnemonic = i.mnemonic();
        let Some((op, shape)) = alu_op(&mnemonic) else {
            return self.context.unsupported(i.at, format!("`{mnemonic}`"));
        };
        let (file, sources) = shape.files();
        let imm_operands = usize::from(shape == Shape::w_wwwi);
        if i.operands.len() != 1 + sources.len() + imm_operands {
            let wanted = 1 + sources.len() + imm_operands;
            return self
                .context
                .bad(i.at, format!("`{mnemonic}` takes {wanted} operands, not {}", i.operands.len()));
        }
        let mut known = Known::Launch;
        let mut numbers = [0; 3];
        for (n, (operand, file)) in i.operands[1..].iter().zip(sources).enumerate() {
            let (number, earliest) = self.source(i.at, operand, *file)?;
            numbers[n] = number;
            known = known.max(earliest);
        }
        let mut inst = Inst {
            guard: guard.0,
            negated: guard.1,
            a: numbers[0],
            b: numbers[1],
            c: numbers[2],
            ..Inst::new(op)
        };
        if imm_operands == 1 {
            let Operand::Integer(table @ 0..=255) = i.operands[4] else {
                return self.context.bad(i.at, "`lop3`'s table is a number from 0 to 255");
            };
            inst.imm = table as i32;
        }
        match &i.operands[0] {
            // A move of what is fixed is another name for it.
            Operand::Name(name, None) if matches!(op, Op::MovW | Op::MovX) && known == Known::Launch => {
                self.find(name);
                let register = self.register(i.at, name)?;
                self.same_file(i.at, name, register.file, file)?;
                self.write_fixed(i, guard, name, numbers[0])
            }
            Operand::Name(name, None) => self.write(i, name, file, inst, known),
            Operand::Pair(p, q) if file == File::P => {
                self.write(i, p, file, inst, Known::Warp)?;
                let p = self.result(i.at, p, File::P)?;
                let not = Inst { guard: guard.0, negated: guard.1, a: p, ..Inst::new(Op::NotP) };
                self.write(i, q, file, not, Known::Warp)
            }
            _ => self.context.bad(i.at, format!("`{mnemonic}` writes a register")),
        }
    }

    /// `setp.lt.and.s32 p, a, b, c`: the comparison, then `and`, `or` or `xor` with `c`.
    fn combined_setp(&mut self, i: &Instruction<'m>, guard: (u16, bool)) -> Result<()> {
        let combine = match i.modifiers[1] {
            "and" => Op::AndP,
            "or" => Op::OrP,
            "xor" => Op::XorP,
            _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
        };
        let plain = format!("setp.{}.{}", i.modifiers[0], i.modifiers[2]);
        let ([Operand::Name(p, None), a, b, c], Some((op, shape))) = (&i.operands[..], alu_op(&plain)) else {
            return self.context.unsupported(i.at, format!("`{}`", i.mnemonic()));
        };
        let (_, sources) = shape.files();
        let (a, _) = self.source(i.at, a, sources[0])?;
        let (b, _) = self.source(i.at, b, sources[1])?;
        let c = match c {
            Operand::Not(name) => {
                let (a, _) = self.source(i.at, &Operand::Name(name, None), File::P)?;
                let d = self.new_register(i.at, File::P)?;
                self.emit(Inst { d, a, ..Inst::new(Op::NotP) });
                d
            }
            c => self.source(i.at, c, File::P)?.0,
        };
        let d = self.new_register(i.at, File::P)?;
        self.emit(Inst { d, a, b, ..Inst::new(op) });
        let inst = Inst { guard: guard.0, negated: guard.1, a: d, b: c, ..Inst::new(combine) };
        self.write(i, p, File::P, inst, Known::Warp)
    }

    /// State space and shape of an `ld` or `st`, from its modifiers.
    fn modifiers(&self, i: &Instruction<'m>) -> Result<(&'m str, Access)> {
        let mut space = "";
        let mut access = Access { count: 1, ..Access::default() };
        for modifier in &i.modifiers {
            match *modifier {
                "global" | "shared" | "const" | "param" | "local" => space = modifier,
                "shared::cta" => space = "shared",
                "v2" => access.count = 2,
                "v4" => access.count = 4,
                // How it is cached or ordered does not change what it reads or what is counted here.
                "nc" | "volatile" | "weak" | "relaxed" | "acquire" | "release" | "cta" | "gpu" | "sys"
                | "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt" => {}
                hint if hint.starts_with("L1::") || hint.starts_with("L2::") => {}
                ty => match type_bytes(ty) {
                    Some(bytes) if access.bytes == 0 => {
                        access.bytes = bytes as u8;
                        access.signed = ty.starts_with('s');
                    }
                    _ => return self.context.unsupported(i.at, format!("`{}`", i.mnemonic())),
                },
            }
        }
        if access.bytes == 0 || access.width() > 16 {
            return self
                .context
                .bad(i.at, format!("`{}` accesses {} bytes a thread", i.mnemonic(), access.width()));
        }
        Ok((space, access))
    }

    fn load(&mut self, i: &Instruction<'m>, guard: (u16, bool)) -> Result<()> {
        let (space, access) = self.modifiers(i)?;
        let [result, address @ Operand::Address { base, offset }] = &i.operands[..] else {
            return self.context.bad(i.at, "`ld` takes a result and an address in brackets");
        };
        let results = match result {
            Operand::Vector(elements) => &elements[..],
            one => std::slice::from_ref(one),
        };
        if results.len() != usize::from(access.count) {
            return self.context.bad(i.at, format!("`{}` with {} results", i.mnemonic(), results.len()));
        }
        let op = match space {
            "param" => {
                let Some(&(start, bytes)) = base.and_then(|name| self.parameters.get(name)) else {
                    return self.context.bad(i.at, "this is no parameter of the kernel");
                };
                if *offset < 0 || *offset as u64 + u64::from(access.width()) > u64::from(bytes) {
                    return self.context.bad(i.at, "this access leaves its parameter");
                }
                let value = |at| Fixed::Parameter {
                    offset: start + *offset as u32 + at,
                    bytes: access.bytes,
                    signed: access.signed,
                };
                return self.load_fixed(i, guard, results, u32::from(access.bytes), value);
            }
            "global" => Op::LoadGlobal,
            "shared" => Op::LoadShared,
            "const" => {
                if let Some(start) = self.known_constant_address(i.at, *base, *offset, access.width())? {
                    self.uniform_loads += 1;
                    let value = |at| Fixed::Constant {
                        offset: start + at,
                        bytes: access.bytes,
                        signed: access.signed,
                    };
                    return self.load_fixed(i, guard, results, u32::from(access.bytes), value);
                }
                Op::LoadConstant
            }
            _ => {
                return self
                    .context
                    .unsupported(i.at, format!("`{}` (loads of this state space)", i.mnemonic()));
            }
        };
        self.access(i, guard, op, access, address, results)
    }

    /// The address of a constant load, where it is known now, aligned and inside of the module's constant memory
    /// (elsewhere the load is left to fault when it runs).
    fn known_constant_address(
        &mut self,
        at: At,
        base: Option<&'m str>,
        offset: i64,
        width: u32,
    ) -> Result<Option<u32>> {
        let address = match base {
            None => Some(0),
            Some(name) => {
                let file = if self.find(name) { self.register(at, name)?.file } else { File::X };
                let (number, _) = self.source(at, &Operand::Name(name, None), file)?;
                self.known_number(file, number)
            }
        };
        Ok(address
            .and_then(|a| u32::try_from((a as i64).wrapping_add(offset)).ok())
            .filter(|a| a % width == 0 && a.checked_add(width).is_some_and(|end| end <= self.constant_bytes)))
    }

    fn load_fixed(
        &mut self,
        i: &Instruction<'m>,
        guard: (u16, bool),
        results: &[Operand<'m>],
        step: u32,
        value: impl Fn(u32) -> Fixed,
    ) -> Result<()> {
        for (n, result) in results.iter().enumerate() {
            match result {
                Operand::Name("_", None) => {}
                Operand::Name(name, None) => {
                    let file = self.register(i.at, name)?.file;
                    if file == File::P {
                        return self.context.bad(i.at, format!("`{name}` is a predicate"));
                    }
                    let number = self.fixed(i.at, file, value(n as u32 * step))?;
                    self.write_fixed(i, guard, name, number)?;
                }
                _ => return self.context.bad(i.at, "`ld` writes registers"),
            }
        }
        Ok(())
    }

    fn store(&mut self, i: &Instruction<'m>, guard: (u16, bool)) -> Result<()> {
        let (space, access) = self.modifiers(i)?;
        let [address, value] = &i.operands[..] else {
            return self.context.bad(i.at, "`st` takes an address in brackets and a value");
        };
        let values = match value {
            Operand::Vector(elements) => &elements[..],
            one => std::slice::from_ref(one),
        };
        if values.len() != usize::from(access.count) {
            return self.context.bad(i.at, format!("`{}` with {} values", i.mnemonic(), values.len()));
        }
        let op = match space {
            "global" => Op::StoreGlobal,
            "shared" => Op::StoreShared,
            _ => {
                return self
                    .context
                    .unsupported(i.at, format!("`{}` (stores to this state space)", i.mnemonic()));
            }
        };
        self.access(i, guard, op, access, address, values)
    }

    fn access(
        &mut self,
        i: &Instruction<'m>,
        guard: (u16, bool),
        op: Op,
        mut access: Access,
        address: &Operand<'m>,
        registers: &[Operand<'m>],
    ) -> Result<()> {
        let Operand::Address { base, offset } = address else {
            return self.context.bad(i.at, "an address stands in brackets");
        };
        let Ok(imm) = i32::try_from(*offset) else {
            return self.context.unsupported(i.at, "address offsets of more than 32 bits");
        };
        let is_load = matches!(op, Op::LoadGlobal | Op::LoadShared | Op::LoadConstant);
        let (a, wide) = match base {
            None => (self.immediate(i.at, File::X, 0)?.0, true),
            Some(name) if self.find(name) => {
                let file = self.register(i.at, name)?.file;
                if file == File::P {
                    return self.context.bad(i.at, format!("`{name}` is no address"));
                }
                (self.source(i.at, &Operand::Name(name, None), file)?.0, file == File::X)
            }
            Some(symbol) => (self.address_of(i.at, symbol, 0, File::X)?.0, true),
        };
        access.wide_address = wide;
        for (n, register) in registers.iter().enumerate() {
            let (number, wide) = match register {
                Operand::Name("_", None) if is_load => (NONE, false),
                Operand::Name(name, None) if self.find(name) => {
                    let file = self.register(i.at, name)?.file;
                    if file == File::P || (file == File::W && access.bytes == 8) {
                        return self
                            .context
                            .bad(i.at, format!("`{name}` does not hold {} bytes", access.bytes));
                    }
                    let number = if is_load {
                        self.result(i.at, name, file)?
                    } else {
                        self.source(i.at, register, file)?.0
                    };
                    (number, file == File::X)
                }
                other if !is_load => {
                    let file = if access.bytes == 8 { File::X } else { File::W };
                    (self.source(i.at, other, file)?.0, file == File::X)
                }
                _ => return self.context.bad(i.at, "`ld` writes registers"),
            };
            access.registers[n] = number;
            access.wide[n] = wide;
        }
        if self.kernel.accesses.len() >= usize::from(u16::MAX) {
            return self.context.unsupported(i.at, "more than 65,535 memory instructions");
        }
        access.shift = access.width().trailing_zeros() as u8;
        let count = usize::from(access.count);
        // `_` as the only result has no register to go to.
        access.words = access.bytes == 4
            && !access.wide[..count].contains(&true)
            && (count > 1 || access.registers[0] != NONE);
        let b = self.kernel.accesses.len() as u16;
        self.kernel.accesses.push(access);
        self.emit(Inst { guard: guard.0, negated: guard.1, a, b, imm, ..Inst::new(op) });
        Ok(())
    }
}
