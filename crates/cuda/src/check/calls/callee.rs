//! Function that a call may mean.

use std::rc::Rc;

use crate::builtin::Builtin;
use crate::hir::{RecordId, Type};

use crate::check::names::entity::{Argument, DeclId, Signature};

/// Function that a call may mean, with its types.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// Declared function with its template arguments.
    Decl(DeclId, Vec<Argument>, Rc<Signature>),
    /// Row of the compiler's table: what `T` stands for, result, parameters.
    Builtin(&'static Builtin, Type, Type, Vec<Type>),
    /// Copy or move that the class has of itself.
    Copy(RecordId),
}

impl Callee {
    /// Whether they are the same function.
    pub(crate) fn same(&self, other: &Callee) -> bool {
        match (self, other) {
            (Callee::Decl(a, x, _), Callee::Decl(b, y, _)) => a == b && x == y,
            (Callee::Builtin(a, x, ..), Callee::Builtin(b, y, ..)) => std::ptr::eq(*a, *b) && x == y,
            (Callee::Copy(a), Callee::Copy(b)) => a == b,
            _ => false,
        }
    }
}
