//! Lowering of the checked tree to the intermediate representation.
//!
//! Enters: the program that `check` made. Leaves: a module in which every variable lies in memory: each local and temporary
//! is a slot of the entry block, records are copied by memory, conditions are branches. Nothing is optimised here, except that
//! what costs nothing to say is said: alignments, what cannot overflow, what no one writes. This module must never know how
//! anything was written, nor PTX.

mod access;
mod address;
mod alive;
mod asm;
mod builtin;
mod call;
mod convert;
mod ends;
mod expr;
mod function;
mod globals;
mod init;
mod place;
#[cfg(test)]
pub(crate) mod random;
mod records;
mod stmt;
#[cfg(test)]
mod tests;
mod throws;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::evaluate::Scalar;
use crate::hir::Program;
use crate::ir;
use crate::source::Span;

/// Lowers a program; where the sink has an error afterwards, the module is not to be used.
pub(crate) fn lower(program: &Program, sink: &mut Diagnostics) -> ir::Module {
    let globals = globals::lower(program, sink);
    let throws = throws::Throws::new(program);
    let mut lowerer = Lowerer { program, globals, throws, sink };
    let functions =
        program.functions.iter().map(|function| function::lower(&mut lowerer, function)).collect();
    ir::Module { functions, globals: lowerer.globals }
}

/// What the lowering of all functions shares.
struct Lowerer<'a> {
    program: &'a Program,
    /// One for each variable of the program, in its order, then constants that functions need.
    globals: Vec<ir::Global>,
    /// Which functions may throw.
    throws: throws::Throws,
    sink: &'a mut Diagnostics,
}

impl Lowerer<'_> {
    /// Reports that something cannot be compiled.
    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        self.sink.push(Diagnostic::error("unsupported", span, message));
    }
}

/// Type of a scalar as a value; of `void` some type, since no one uses it.
fn value_type(scalar: Scalar) -> ir::Type {
    match scalar {
        Scalar::Bool => ir::Type::Pred,
        Scalar::Integer { bits: 8, .. } => ir::Type::I8,
        Scalar::Integer { bits: 16, .. } => ir::Type::I16,
        Scalar::Integer { bits: 64, .. } => ir::Type::I64,
        Scalar::Integer { .. } | Scalar::Void => ir::Type::I32,
        Scalar::Float => ir::Type::F32,
        Scalar::Double => ir::Type::F64,
        Scalar::Pointer => ir::Type::Ptr(ir::Space::Generic),
    }
}

/// Type of a scalar in memory, in parameters and in results.
fn memory_type(scalar: Scalar) -> ir::Type {
    match value_type(scalar) {
        ir::Type::Pred => ir::Type::I8,
        other => other,
    }
}

/// The largest power of two that divides a number of bytes, at most that of an alignment.
fn aligned(align: u32, bytes: u64) -> u32 {
    if bytes == 0 { align.max(1) } else { align.max(1).min(1 << bytes.trailing_zeros().min(31)) }
}
