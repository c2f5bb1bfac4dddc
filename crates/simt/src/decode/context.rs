//! State that all kernels of a module share while they are decoded: symbols with their addresses, functions, and errors
//! with their places.

use crate::error::{Error, Place};
use crate::ir::{Relocation, Symbol};
use crate::memory::{CONSTANT_WINDOW, FUNCTION_WINDOW};
use ptx::{At, Initialiser, Module, Operand, Variable};
use std::collections::{HashMap, HashSet};

pub(super) type Result<T> = std::result::Result<T, Error>;

/// Size of one variable: more than any chip's memory would be refused at allocation; this keeps sums from overflowing.
const VARIABLE_LIMIT: u64 = 1 << 40;

/// A module's symbols, shared variables and functions.
pub(super) struct Context<'m> {
    pub(super) name: &'m str,
    pub(super) module: &'m Module<'m>,
    pub(super) symbols: Vec<Symbol>,
    pub(super) symbol_of: HashMap<&'m str, u32>,
    /// Shared variables of the module.
    pub(super) shared: HashMap<&'m str, &'m Variable<'m>>,
    /// Functions by name; the one with a body, where there are several.
    pub(super) functions: HashMap<&'m str, usize>,
    /// Functions whose addresses are in variables.
    pub(super) in_variables: Vec<usize>,
}

impl<'m> Context<'m> {
    pub(super) fn new(name: &'m str, module: &'m Module<'m>) -> Self {
        let mut functions = HashMap::new();
        for (n, function) in module.functions.iter().enumerate() {
            if function.body.is_some() || !functions.contains_key(function.name) {
                functions.insert(function.name, n);
            }
        }
        Context {
            name,
            module,
            symbols: vec![],
            symbol_of: HashMap::new(),
            shared: HashMap::new(),
            functions,
            in_variables: vec![],
        }
    }

    fn place(&self, at: At) -> Place {
        let place = self.module.place(at);
        Place::in_ptx(self.name, (place.line, place.column))
    }

    pub(super) fn bad<T>(&self, at: At, message: impl Into<String>) -> Result<T> {
        Err(Error::BadPtx { place: self.place(at), message: message.into() })
    }

    pub(super) fn unsupported<T>(&self, at: At, what: impl Into<String>) -> Result<T> {
        Err(Error::Unsupported { place: self.place(at), what: what.into() })
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
                "const" | "global" => {}
                "shared" => {
                    self.shared.insert(variable.name, variable);
                    continue;
                }
                other => {
                    return self.unsupported(variable.at, format!("module-scope `.{other}` variables"));
                }
            }
            let (bytes, align) = self.layout(variable)?;
            if variable.linkage == Some("extern") {
                // A declaration of what follows, or of what another module would bring.
                if defined.contains(variable.name) {
                    continue;
                }
                return self.unsupported(variable.at, format!("`.extern` variable `{}`", variable.name));
            }
            let elements = match &variable.initialiser {
                Some(Initialiser::List(list)) => list.len() as u64,
                _ => 0,
            };
            // `[]` takes as many elements as it is given.
            let bytes = match bytes {
                Some(bytes) => bytes,
                None if elements > 0 => elements * type_bytes(variable.ty).unwrap_or(1),
                None => {
                    return self.unsupported(variable.at, format!("`{}[]` without a size", variable.name));
                }
            };
            let constant = if variable.space == "const" {
                let address = constant_bytes.next_multiple_of(align);
                constant_bytes = address.saturating_add(bytes);
                // An address past the limit is refused with all sizes known, at the end.
                Some(u32::try_from(address).unwrap_or(u32::MAX))
            } else {
                None
            };
            self.symbol_of.insert(variable.name, self.symbols.len() as u32);
            self.symbols.push(Symbol {
                name: variable.name.into(),
                bytes,
                align,
                constant,
                initial: vec![],
                relocations: vec![],
            });
        }
        Ok(constant_bytes)
    }

    /// Reads initial values, in which the address of any variable may stand.
    pub(super) fn initialise(&mut self) -> Result<()> {
        for variable in &self.module.variables {
            let (Some(initialiser), Some(&number)) =
                (&variable.initialiser, self.symbol_of.get(variable.name))
            else {
                continue;
            };
            // `layout` has checked the type.
            let element = type_bytes(variable.ty).unwrap_or(1);
            let mut initial = vec![];
            let mut relocations = vec![];
            self.initial(variable, initialiser, element, &mut initial, &mut relocations)?;
            let symbol = &mut self.symbols[number as usize];
            if initial.len() as u64 > symbol.bytes {
                return self
                    .bad(variable.at, format!("`{}` has more initial values than elements", variable.name));
            }
            symbol.initial = initial;
            symbol.relocations = relocations;
        }
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
            Initialiser::Value(Operand::Name(..) | Operand::Sum { .. }) if element != 8 => {
                return self.unsupported(variable.at, "addresses of fewer than 8 bytes");
            }
            Initialiser::Value(Operand::Masked(mask, of)) => {
                let relocation = self.relocation(variable, of, into.len(), element)?;
                relocations.push(Relocation { mask: *mask, ..relocation });
                into.extend(std::iter::repeat_n(0, element as usize));
            }
            Initialiser::Value(of @ (Operand::Name(_, None) | Operand::Sum { .. })) => {
                relocations.push(self.relocation(variable, of, into.len(), element)?);
                into.extend_from_slice(&[0; 8]);
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
            self.in_variables.push(function);
            (None, function_address(function) as i64)
        } else {
            return self.bad(variable.at, format!("`{name}` is not declared"));
        };
        Ok(Relocation { at: at as u32, bytes: element as u8, mask: u64::MAX, symbol, offset })
    }
}

/// The address of a function of the module.
pub(super) fn function_address(number: usize) -> u64 {
    FUNCTION_WINDOW + 16 * number as u64
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
