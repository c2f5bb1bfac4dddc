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
    uid: u32,
    /// Variables.
    locals: Vec<Local>,
    /// Labels given out.
    labels: u32,
    /// `this`: the variable, and the type of `*this`.
    this: Option<(LocalId, Type)>,
    /// In a constructor of a class with virtual bases, the parameter with the tables of what it makes.
    tables: Option<LocalId>,
    /// There, the variable that says whether it makes a whole object.
    whole: Option<LocalId>,
    /// What the function returns, `None` before the first `return` says so.
    result: Option<Type>,
    /// Whether the result is found out from `return`, and may become a reference (`decltype(auto)`, `auto &`).
    deduced: bool,
    /// Whether a `return` that should say the result is erroneous.
    broken: bool,
    /// Whether it is in a handler around a whole constructor, which no `return` may leave.
    in_handler: bool,
    /// How many variables there were where each `try` around began.
    tries: Vec<usize>,
    /// What `break` leaves.
    breaks: Vec<Label>,
    /// What `continue` continues.
    continues: Vec<Label>,
    /// Switches around.
    switches: Vec<Switch>,
    /// Named labels: number, where defined, where used first.
    named: Sorted<Symbol, (Label, Option<Span>, Option<Span>)>,
    /// Variables whose classes have destructors, with the statements that end them.
    ends: Vec<(LocalId, Vec<Stmt>)>,
    /// Those of them that end only where an exception leaves the function.
    unwound: Vec<LocalId>,
    /// Of each `return` of an object: the variable that it names, if it names one.
    returned: Vec<Option<LocalId>>,
    /// Contents of constants.
    known: Sorted<LocalId, Object>,
    /// Lambda whose body this is.
    closure: Option<Rc<Closure>>,
    /// Function whose body this is.
    function: Option<FunctionId>,
    /// Parameters that are written as arrays, and are pointers.
    array_params: Vec<LocalId>,
    /// Whether nothing of this is executed (`sizeof`, `decltype`).
    unevaluated: bool,
    /// Whether it is a constant expression outside of functions.
    constant: bool,
}

impl Frame {
    /// A body of that number, of a function or of none.
    pub(crate) fn new(uid: u32, function: Option<FunctionId>) -> Self {
        Frame { uid, function, ..Frame::default() }
    }

    /// A constant expression outside of functions.
    pub(crate) fn of_constant(uid: u32) -> Self {
        Frame { uid, constant: true, ..Frame::default() }
    }

    /// Number of the body; 0 outside of all.
    #[inline]
    pub(crate) fn uid(&self) -> u32 {
        self.uid
    }

    /// All variables.
    #[inline]
    pub(crate) fn locals(&self) -> &[Local] {
        &self.locals
    }

    /// A variable.
    #[inline]
    pub(crate) fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get(id.index())
    }

    /// A variable, to say more of it.
    #[inline]
    pub(crate) fn local_mut(&mut self, id: LocalId) -> Option<&mut Local> {
        self.locals.get_mut(id.index())
    }

    /// A new variable.
    pub(crate) fn add_local(&mut self, local: Local) -> LocalId {
        self.locals.push(local);
        LocalId(self.locals.len() as u32 - 1)
    }

    /// The variables of a body that is done.
    pub(crate) fn into_locals(self) -> Vec<Local> {
        self.locals
    }

    /// A new label.
    pub(crate) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// Label of a name, with where it is defined and where it is used first.
    pub(crate) fn named_label(&mut self, name: &Symbol) -> &mut (Label, Option<Span>, Option<Span>) {
        if !self.named.contains_key(name) {
            let label = self.label();
            self.named.insert(name.clone(), (label, None, None));
        }
        self.named.or_insert_with(name.clone(), || (Label(0), None, None))
    }

    /// Named labels: number, where defined, where used first.
    pub(crate) fn named_labels(&self) -> &Sorted<Symbol, (Label, Option<Span>, Option<Span>)> {
        &self.named
    }

    /// `this`: the variable, and the type of `*this`.
    #[inline]
    pub(crate) fn this(&self) -> Option<(LocalId, Type)> {
        self.this
    }

    pub(crate) fn set_this(&mut self, local: LocalId, ty: Type) {
        self.this = Some((local, ty));
    }

    /// In a constructor of a class with virtual bases, the parameter with the tables of what it makes.
    pub(crate) fn tables(&self) -> Option<LocalId> {
        self.tables
    }

    #[inline]
    pub(crate) fn is_in_handler(&self) -> bool {
        self.in_handler
    }

    pub(crate) fn set_in_handler(&mut self, is: bool) {
        self.in_handler = is;
    }

    pub(crate) fn begin_try(&mut self) {
        self.tries.push(self.locals.len());
    }

    pub(crate) fn end_try(&mut self) {
        self.tries.pop();
    }

    /// Whether a variable ends where an exception is thrown: it was declared in the innermost `try` around.
    pub(crate) fn ends_with_throw(&self, local: LocalId) -> bool {
        self.tries.last().is_some_and(|before| local.index() >= *before)
    }

    /// There, the variable that says whether it makes a whole object.
    pub(crate) fn whole(&self) -> Option<LocalId> {
        self.whole
    }

    pub(crate) fn set_whole(&mut self, local: LocalId) {
        self.whole = Some(local);
    }

    pub(crate) fn set_tables(&mut self, local: LocalId) {
        self.tables = Some(local);
    }

    /// What the function returns, `None` before the first `return` says so.
    #[inline]
    pub(crate) fn result(&self) -> Option<Type> {
        self.result
    }

    /// Sets what the function returns; without a type, `return` says it.
    pub(crate) fn declare_result(&mut self, result: Option<Type>) {
        self.result = result;
        self.deduced = result.is_none();
    }

    /// What `return` says of the result; the type that is known from then on.
    pub(crate) fn deduce_result(&mut self, found: Type) -> Type {
        *self.result.get_or_insert(found)
    }

    /// Whether the result is found out from `return`, and may become a reference (`decltype(auto)`, `auto &`).
    #[inline]
    pub(crate) fn is_result_deduced(&self) -> bool {
        self.deduced
    }

    /// A `return` that should say the result is erroneous.
    pub(crate) fn note_wrong_return(&mut self) {
        self.broken = self.deduced;
    }

    /// Whether the result is not known, since a `return` is erroneous.
    pub(crate) fn lacks_result(&self) -> bool {
        self.broken && self.result.is_none()
    }

    /// A loop begins, which `break` and `continue` leave and continue.
    pub(crate) fn enter_loop(&mut self, label: Label) {
        self.breaks.push(label);
        self.continues.push(label);
    }

    pub(crate) fn leave_loop(&mut self) {
        self.breaks.pop();
        self.continues.pop();
    }

    /// What `break` leaves.
    pub(crate) fn break_target(&self) -> Option<Label> {
        self.breaks.last().copied()
    }

    /// What `continue` continues.
    pub(crate) fn continue_target(&self) -> Option<Label> {
        self.continues.last().copied()
    }

    /// A switch begins, which `break` leaves.
    pub(crate) fn enter_switch(&mut self, ty: Option<Type>, label: Label) {
        self.switches.push(Switch { ty, cases: vec![], spans: vec![], default: None });
        self.breaks.push(label);
    }

    pub(crate) fn leave_switch(&mut self) -> Option<Switch> {
        self.breaks.pop();
        self.switches.pop()
    }

    /// The innermost switch.
    pub(crate) fn switch(&self) -> Option<&Switch> {
        self.switches.last()
    }

    /// The innermost switch, to add cases.
    pub(crate) fn switch_mut(&mut self) -> Option<&mut Switch> {
        self.switches.last_mut()
    }

    /// Notes the statements that end a variable.
    pub(crate) fn note_end(&mut self, local: LocalId, statements: Vec<Stmt>) {
        self.ends.push((local, statements));
    }

    /// Whether statements end a variable.
    pub(crate) fn has_end(&self, local: LocalId) -> bool {
        self.ends.iter().any(|(of, _)| *of == local)
    }

    /// How many variables statements end.
    pub(crate) fn ends(&self) -> usize {
        self.ends.len()
    }

    /// Notes that a variable ends only where an exception leaves the function.
    pub(crate) fn note_unwound(&mut self, local: LocalId) {
        self.unwound.push(local);
    }

    pub(crate) fn take_unwound(&mut self) -> Vec<LocalId> {
        std::mem::take(&mut self.unwound)
    }

    /// Takes the variables that statements end, with these.
    pub(crate) fn take_ends(&mut self) -> Vec<(LocalId, Vec<Stmt>)> {
        std::mem::take(&mut self.ends)
    }

    /// Notes a `return` of an object, and the variable that it names, if it names one.
    pub(crate) fn note_returned(&mut self, variable: Option<LocalId>) {
        self.returned.push(variable);
    }

    /// Of each `return` of an object: the variable that it names, if it names one.
    pub(crate) fn returned(&self) -> &[Option<LocalId>] {
        &self.returned
    }

    /// Contents of constants.
    #[inline]
    pub(crate) fn known(&self) -> &Sorted<LocalId, Object> {
        &self.known
    }

    pub(crate) fn note_known(&mut self, local: LocalId, object: Object) {
        self.known.insert(local, object);
    }

    /// Lambda whose body this is.
    #[inline]
    pub(crate) fn closure(&self) -> Option<&Rc<Closure>> {
        self.closure.as_ref()
    }

    pub(crate) fn set_closure(&mut self, closure: Option<Rc<Closure>>) {
        self.closure = closure;
    }

    /// Function whose body this is.
    #[inline]
    pub(crate) fn function(&self) -> Option<FunctionId> {
        self.function
    }

    /// Notes a parameter that is written as an array, and is a pointer.
    pub(crate) fn note_array_parameter(&mut self, local: LocalId) {
        self.array_params.push(local);
    }

    /// Whether a variable is a parameter that is written as an array.
    pub(crate) fn is_array_parameter(&self, local: LocalId) -> bool {
        self.array_params.contains(&local)
    }

    /// Whether nothing of this is executed (`sizeof`, `decltype`).
    #[inline]
    pub(crate) fn is_unevaluated(&self) -> bool {
        self.unevaluated
    }

    pub(crate) fn replace_unevaluated(&mut self, unevaluated: bool) -> bool {
        std::mem::replace(&mut self.unevaluated, unevaluated)
    }

    /// Whether it is a constant expression outside of functions.
    #[inline]
    pub(crate) fn is_constant(&self) -> bool {
        self.constant
    }
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
