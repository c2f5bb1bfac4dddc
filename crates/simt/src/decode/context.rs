//! State that all kernels of a module share while they are decoded: symbols with their addresses, functions, and errors
//! with their places.

use crate::error::{Error, Place};
use crate::hash::{HashMap, HashSet};
use crate::ir::{CallSite, Origin, Program, Relocation, Symbol, source_place};
use crate::memory::{CONSTANT_WINDOW, function_address};
use ptx::{At, Initialiser, Module, Operand, Statement, Variable};
use std::borrow::Cow;

pub(super) type Result<T> = std::result::Result<T, Error>;

/// Size of one variable: more than any chip's memory would be refused at allocation; this keeps sums from overflowing.
const VARIABLE_LIMIT: u64 = 1 << 40;

/// A module's symbols, shared variables and functions.
pub(super) struct Context<'m> {
    pub(super) name: &'m str,
    pub(super) module: &'m Module<'m>,
    pub(super) symbols: Cow<'m, [Symbol]>,
    pub(super) symbol_of: HashMap<&'m str, u32>,
    /// Names of texture and surface references, by number and numbers by name.
    pub(super) references: Vec<String>,
    pub(super) reference_of: HashMap<&'m str, u32>,
    /// Variables that functions declare, as numbers of symbols, by the place of the declaration in the text.
    pub(super) statics: HashMap<u32, u32>,
    /// Variables of the module that this device does not have: the reasons for refusing anything that names them.
    pub(super) refused: HashMap<&'m str, Error>,
    /// Those whose initial values are refused, by their numbers.
    pub(super) unset: HashMap<u32, Error>,
    /// Shared variables of the module.
    pub(super) shared: HashMap<&'m str, &'m Variable<'m>>,
    /// Functions by name; the one with a body, where there are several.
    pub(super) functions: HashMap<&'m str, usize>,
    /// Functions that an indirect call may reach (while variables are laid out, those in variables).
    pub(super) pointed_at: Vec<usize>,
}

impl<'m> Context<'m> {
    pub(super) fn new(name: &'m str, module: &'m Module<'m>) -> Self {
        let mut functions = HashMap::default();
        for (n, function) in module.functions.iter().enumerate() {
            if function.body.is_some() || !functions.contains_key(function.name) {
                functions.insert(function.name, n);
            }
        }
        Context {
            name,
            module,
            symbols: Cow::Owned(vec![]),
            symbol_of: HashMap::default(),
            references: vec![],
            reference_of: HashMap::default(),
            statics: HashMap::default(),
            refused: HashMap::default(),
            unset: HashMap::default(),
            shared: HashMap::default(),
            functions,
            pointed_at: vec![],
        }
    }

    /// What the kernels of a program share, for those whose bodies are in `module`.
    pub(super) fn of_program(program: &'m Program, module: &'m Module<'m>) -> Result<Self> {
        let mut context = Context::new(&program.name, module);
        context.lay_out_symbols()?;
        context.symbols = Cow::Borrowed(&program.symbols);
        context.statics.clone_from(&program.statics);
        context.pointed_at.clone_from(&program.pointed_at);
        context.unset.clone_from(&program.unset);
        Ok(context)
    }

    /// The place of the source that an instruction was made from.
    pub(super) fn source_of(&self, origin: Origin, call_sites: &[CallSite]) -> Place {
        let name = |file: u32| self.module.file(file).map_or_else(|| format!("file {file}"), str::to_owned);
        source_place(self.name, name, call_sites, origin)
    }

    fn place(&self, at: At) -> Place {
        let place = self.module.place(at);
        Place::in_ptx(self.name, (place.line, place.column))
    }

    pub(super) fn bad<T>(&self, at: At, message: impl Into<String>) -> Result<T> {
        Err(Error::BadPtx { place: self.place(at).into(), message: message.into() })
    }

    pub(super) fn unsupported<T>(&self, at: At, what: impl Into<String>) -> Result<T> {
        Err(Error::Unsupported { place: self.place(at).into(), what: what.into() })
    }

    /// Size and alignment of a variable, bytes; the size is `None` for `[]`.
    pub(super) fn layout(&self, variable: &Variable<'m>) -> Result<(Option<u64>, u64)> {
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

    /// Gives constant variables addresses, and all variables numbers; returns the bytes of constant memory.
    pub(super) fn lay_out_symbols(&mut self) -> Result<u64> {
        let mut constant_bytes = 0u64;
        let defined: HashSet<&str> =
            self.module.variables.iter().filter(|v| v.linkage != Some("extern")).map(|v| v.name).collect();
        for variable in &self.module.variables {
            match variable.space {
                _ if matches!(variable.ty, "texref" | "surfref") || variable.space == "tex" => {
                    self.reference_of.insert(variable.name, self.references.len() as u32);
                    self.references.push(variable.name.into());
                }
                "shared" => {
                    self.shared.insert(variable.name, variable);
                }
                // A declaration of what follows, or of what another module would bring.
                _ if variable.linkage == Some("extern") && defined.contains(variable.name) => {}
                _ => match self.lay_out(variable, variable.name.into(), &mut constant_bytes) {
                    Ok(number) => {
                        self.symbol_of.insert(variable.name, number);
                    }
                    Err(error) => self.refuse(variable.name, error)?,
                },
            }
        }
        let module = self.module;
        for function in &module.functions {
            let body = function.body.as_deref().unwrap_or_default();
            self.lay_out_statics(function.name, body, &mut constant_bytes);
        }
        Ok(constant_bytes)
    }

    /// Variables in global and constant memory that a function declares: they live as long as the module's.
    fn lay_out_statics(&mut self, function: &str, body: &[Statement<'m>], constant_bytes: &mut u64) {
        for statement in body {
            match statement {
                Statement::Block(inner) => self.lay_out_statics(function, inner, constant_bytes),
                Statement::Variable(variable) if matches!(variable.space, "global" | "const") => {
                    // Where it is refused, its function is.
                    let name = format!("{function}::{}", variable.name);
                    if let Ok(number) = self.lay_out(variable, name, constant_bytes) {
                        self.statics.insert(variable.at.0, number);
                    }
                }
                _ => {}
            }
        }
    }

    /// Leaves a variable to be refused with anything that names it; an error that is none of the device is one of the module.
    fn refuse(&mut self, name: &'m str, error: Error) -> Result<()> {
        match error {
            Error::Unsupported { .. } => {
                self.refused.insert(name, error);
                Ok(())
            }
            error => Err(error),
        }
    }

    fn lay_out(&mut self, variable: &Variable<'m>, name: String, constant_bytes: &mut u64) -> Result<u32> {
        if !matches!(variable.space, "const" | "global") {
            return self.unsupported(variable.at, format!("module-scope `.{}` variables", variable.space));
        }
        if variable.linkage == Some("extern") {
            return self.unsupported(variable.at, format!("`.extern` variable `{}`", variable.name));
        }
        let (bytes, align) = self.layout(variable)?;
        let elements = match &variable.initialiser {
            Some(Initialiser::List(list)) => list.len() as u64,
            _ => 0,
        };
        // `[]` takes as many elements as it is given.
        let bytes = match bytes {
            Some(bytes) => bytes,
            None if elements > 0 => elements * type_bytes(variable.ty).unwrap_or(1),
            None => return self.unsupported(variable.at, format!("`{}[]` without a size", variable.name)),
        };
        let constant = if variable.space == "const" {
            let address = constant_bytes.next_multiple_of(align);
            *constant_bytes = address.saturating_add(bytes);
            // An address past the limit is refused with all sizes known, at the end.
            Some(u32::try_from(address).unwrap_or(u32::MAX))
        } else {
            None
        };
        let number = self.symbols.len() as u32;
        self.symbols.to_mut().push(Symbol {
            name,
            ty: variable.ty.into(),
            bytes,
            align,
            constant,
            initial: vec![],
            relocations: vec![],
        });
        Ok(number)
    }

    /// Reads initial values, in which the address of any variable of the module may be.
    pub(super) fn initialise(&mut self) -> Result<()> {
        let module = self.module;
        for variable in &module.variables {
            if let Some(&number) = self.symbol_of.get(variable.name) {
                self.set_initially(variable, number)?;
            }
        }
        for function in &module.functions {
            self.initialise_statics(function.body.as_deref().unwrap_or_default())?;
        }
        Ok(())
    }

    fn initialise_statics(&mut self, body: &'m [Statement<'m>]) -> Result<()> {
        for statement in body {
            match statement {
                Statement::Block(inner) => self.initialise_statics(inner)?,
                Statement::Variable(variable) => {
                    if let Some(&number) = self.statics.get(&variable.at.0) {
                        self.set_initially(variable, number)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn set_initially(&mut self, variable: &Variable<'m>, number: u32) -> Result<()> {
        match self.initialise_one(variable, number) {
            Err(error @ Error::Unsupported { .. }) => {
                self.unset.insert(number, error);
                Ok(())
            }
            other => other,
        }
    }

    fn initialise_one(&mut self, variable: &Variable<'m>, number: u32) -> Result<()> {
        let Some(initialiser) = &variable.initialiser else { return Ok(()) };
        // `layout` has checked the type.
        let element = type_bytes(variable.ty).unwrap_or(1);
        let mut initial = vec![];
        let mut relocations = vec![];
        self.initial(variable, initialiser, element, &mut initial, &mut relocations)?;
        let symbol = &mut self.symbols.to_mut()[number as usize];
        if initial.len() as u64 > symbol.bytes {
            return self
                .bad(variable.at, format!("`{}` has more initial values than elements", variable.name));
        }
        symbol.initial = initial;
        symbol.relocations = relocations;
        Ok(())
    }

    fn initial(
        &mut self,
        variable: &Variable<'m>,
        initialiser: &Initialiser<'m>,
        element: u64,
        into: &mut Vec<u8>,
        relocations: &mut Vec<Relocation>,
    ) -> Result<()> {
        match initialiser {
            Initialiser::List(list) => {
                for item in list {
                    self.initial(variable, item, element, into, relocations)?;
                }
            }
            Initialiser::Value(Operand::Integer(value)) => {
                into.extend_from_slice(&value.to_le_bytes()[..element as usize]);
            }
            Initialiser::Value(Operand::F32(bits)) if element == 4 => {
                into.extend_from_slice(&bits.to_le_bytes());
            }
            Initialiser::Value(Operand::F64(bits)) if element == 8 => {
                into.extend_from_slice(&bits.to_le_bytes());
            }
            Initialiser::Value(Operand::F64(bits)) if element == 4 => {
                into.extend_from_slice(&(f64::from_bits(*bits) as f32).to_le_bytes());
            }
            Initialiser::Value(Operand::Name(..) | Operand::Sum { .. })
                if element != 8 && !(element == 4 && self.module.address_size == 32) =>
            {
                return self.unsupported(variable.at, "addresses of fewer than 8 bytes");
            }
            Initialiser::Value(Operand::Masked(mask, of)) => {
                let relocation = self.relocation(variable, of, into.len(), element)?;
                relocations.push(Relocation { mask: *mask, ..relocation });
                into.extend(std::iter::repeat_n(0, element as usize));
            }
            Initialiser::Value(of @ (Operand::Name(_, None) | Operand::Sum { .. })) => {
                relocations.push(self.relocation(variable, of, into.len(), element)?);
                into.extend(std::iter::repeat_n(0, element as usize));
            }
            Initialiser::Value(_) | Initialiser::Field(..) => {
                return self.unsupported(variable.at, "this initial value");
            }
        }
        Ok(())
    }

    /// The address that an initial value is, of the variable's byte `at`.
    fn relocation(
        &mut self,
        variable: &Variable<'m>,
        of: &Operand<'m>,
        at: usize,
        element: u64,
    ) -> Result<Relocation> {
        let (name, offset, generic) = match of {
            Operand::Name(name, None) => (name, 0, false),
            Operand::Sum { symbol, offset, generic } => (symbol, *offset, *generic),
            _ => return self.unsupported(variable.at, "this initial value"),
        };
        let (symbol, offset) = if let Some(&number) = self.symbol_of.get(name) {
            match self.symbols[number as usize].constant {
                Some(address) => {
                    let window = if generic { CONSTANT_WINDOW as i64 } else { 0 };
                    (None, offset.wrapping_add(window + i64::from(address)))
                }
                None => (Some(number), offset),
            }
        } else if let Some(&function) = self.functions.get(name) {
            self.pointed_at.push(function);
            (None, function_address(function) as i64)
        } else if let Some(refused) = self.refused.get(name) {
            return Err(refused.clone());
        } else {
            return self.bad(variable.at, format!("`{name}` is not declared"));
        };
        Ok(Relocation { at: at as u32, bytes: element as u8, mask: u64::MAX, symbol, offset })
    }
}

/// Bytes of a type.
pub(super) fn type_bytes(ty: &str) -> Option<u64> {
    Some(match ty {
        "b8" | "u8" | "s8" => 1,
        "b16" | "u16" | "s16" | "f16" | "bf16" => 2,
        "b32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" => 4,
        "b64" | "u64" | "s64" | "f64" => 8,
        _ => return None,
    })
}
