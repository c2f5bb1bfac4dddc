//! Types of WebAssembly: what values and functions are there.
//!
//! Enters: types of the representation. Leaves: WebAssembly's, and numbers of function types. Pointers are integers of 64 bits;
//! whatever has 32 bits or fewer is one of 32, with bits above its width that say nothing.

use crate::hash::Map;
use crate::ir::{Function, Type};
use wasm_encoder::{TypeSection, ValType};

/// Type of a value.
pub(super) fn of(ty: Type) -> ValType {
    match ty {
        Type::Pred | Type::I8 | Type::I16 | Type::I32 => ValType::I32,
        Type::I64 | Type::Ptr(_) => ValType::I64,
        Type::F32 => ValType::F32,
        Type::F64 => ValType::F64,
    }
}

/// Parameters and results of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Signature {
    params: Vec<ValType>,
    results: Vec<ValType>,
}

impl Signature {
    /// A signature of these types.
    pub(super) fn new(params: impl Iterator<Item = Type>, results: impl Iterator<Item = Type>) -> Self {
        Signature { params: params.map(of).collect(), results: results.map(of).collect() }
    }

    /// The signature of a function.
    pub(super) fn of(function: &Function) -> Self {
        let params = function.params.iter().map(|param| function.ty(param.value));
        Signature::new(params, function.results.iter().copied())
    }
}

/// Types of a function's parameters and of its result in WebAssembly, a letter each: `i` and `l` are integers of 32 and 64 bits, `f` and
/// `d` floats of as many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters {
    /// Those of the parameters, in order.
    pub params: String,
    /// That of the result, if there is one.
    pub result: Option<char>,
}

impl Letters {
    /// Those of a function without any.
    pub(crate) fn none() -> Self {
        Letters { params: String::new(), result: None }
    }

    /// Those of a function.
    pub(crate) fn of(function: &Function) -> Self {
        let letter = |ty: &ValType| match ty {
            ValType::I32 => 'i',
            ValType::F32 => 'f',
            ValType::F64 => 'd',
            _ => 'l',
        };
        let Signature { params, results } = Signature::of(function);
        Letters { params: params.iter().map(letter).collect(), result: results.first().map(letter) }
    }
}

/// Function types of a module.
#[derive(Default)]
pub(super) struct Types {
    numbers: Map<Signature, u32>,
    section: TypeSection,
}

impl Types {
    /// Number of a function type.
    pub(super) fn number(&mut self, signature: Signature) -> u32 {
        let next = self.numbers.len() as u32;
        if let Some(number) = self.numbers.get(&signature) {
            return *number;
        }
        self.section.ty().function(signature.params.iter().copied(), signature.results.iter().copied());
        self.numbers.insert(signature, next);
        next
    }

    /// All of them.
    pub(super) fn section(&self) -> &TypeSection {
        &self.section
    }
}
