//! Frame: the function body at hand.
//!
//! Enters: variables, labels and jumps as statements are checked. Leaves: what [`crate::hir::Function`] needs of them. This module
//! must never know expressions.

use std::rc::Rc;

use crate::ast::Symbol;
use crate::check::names::entity::Closure;
use crate::evaluate::Object;
use crate::hir::{FunctionId, Label, Local, LocalId, Stmt, Type};
use crate::sorted::Sorted;
use crate::source::Span;

/// Function body that is being checked, or what represents one outside of functions.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// Number of the body: unique.
    pub(crate) uid: u32,
    /// Variables.
    pub(crate) locals: Vec<Local>,
    /// Labels given out.
    pub(crate) labels: u32,
    /// `this`: the variable, and the type of `*this`.
    pub(crate) this: Option<(LocalId, Type)>,
    /// What the function returns, `None` before the first `return` says so.
    pub(crate) result: Option<Type>,
    /// Whether the result is found out from `return`, and may become a reference (`decltype(auto)`, `auto &`).
    pub(crate) deduced: bool,
    /// Whether a `return` that should say the result is erroneous.
    pub(crate) broken: bool,
    /// What `break` leaves.
    pub(crate) breaks: Vec<Label>,
    /// What `continue` continues.
    pub(crate) continues: Vec<Label>,
    /// Switches around.
    pub(crate) switches: Vec<Switch>,
    /// Named labels: number, where defined, where used first.
    pub(crate) named: Sorted<Symbol, (Label, Option<Span>, Option<Span>)>,
    /// Variables whose classes have destructors, with the statements that end them.
    pub(crate) ends: Vec<(LocalId, Vec<Stmt>)>,
    /// Contents of constants.
    pub(crate) known: Sorted<LocalId, Object>,
    /// Lambda whose body this is.
    pub(crate) closure: Option<Rc<Closure>>,
    /// Function whose body this is.
    pub(crate) function: Option<FunctionId>,
    /// Parameters that are written as arrays, and are pointers.
    pub(crate) array_params: Vec<LocalId>,
    /// Whether nothing of this is executed (`sizeof`, `decltype`).
    pub(crate) unevaluated: bool,
    /// Whether it is a constant expression outside of functions.
    pub(crate) constant: bool,
}

/// Switch around the statement that is being checked.
#[derive(Debug)]
pub(crate) struct Switch {
    /// Type of its condition, promoted; none where it can have none.
    pub(crate) ty: Option<Type>,
    /// Values so far.
    pub(crate) cases: Vec<(i128, i128, Label)>,
    /// Where each is.
    pub(crate) spans: Vec<Span>,
    /// Label of `default`.
    pub(crate) default: Option<(Label, Span)>,
}
