//! Exceptions, on the host's side: `throw`, `try` and `catch`.
//!
//! Enters: what is thrown, and handlers. Leaves: calls of the library (`host/unwind.inc`), which keeps the object that was thrown, and
//! handlers that ask it whether the object is theirs. This module must never know how control gets from one to the other.

use crate::ast::{self, FunctionKind};
use crate::check::Checker;
use crate::check::context::output::UNCAUGHT;
use crate::check::expressions::operand::{Operand, deref, number};
use crate::check::names::entity::Entity;
use crate::check::types::kind::plain;
use crate::hir::{
    Expr, ExprKind, Function, FunctionId, Handler, Init, LocalId, PlaceKind, Stmt, StmtKind, Type, TypeKind,
};
use crate::source::Span;

/// Room for an object that will be thrown: its size, what it is, and what ends it.
const ALLOCATE: &str = "__library_exception";
/// Throws the object at an address.
const THROW: &str = "__library_throw";
/// Throws the exception again that is handled.
const RETHROW: &str = "__library_rethrow";
/// The object that was thrown, where it is of a type.
const MATCH: &str = "__library_match";
/// A handler begins: nothing is thrown any more.
const BEGIN: &str = "__library_begin_catch";
/// A handler ends, and with it what it has caught.
const END: &str = "__library_end_catch";
/// Statements begin from which exceptions of certain types are caught.
const BEGIN_TRY: &str = "__library_begin_try";
/// They end, whichever way.
const END_TRY: &str = "__library_end_try";

impl Checker<'_> {
    /// `throw x`, `throw`.
    pub(crate) fn throw(&mut self, value: Option<&ast::Expr>, span: Span) -> Operand {
        if self.side.is_host() {
            // Called where nothing catches the exception, by functions that let none out.
            self.call_of_library(UNCAUGHT, vec![], span);
        }
        let done = match value {
            Some(value) => self.throw_value(value, span),
            None => self.call_of_library(RETHROW, vec![], span),
        };
        done.map_or(Operand::Error(span), Operand::Value)
    }

    fn throw_value(&mut self, value: &ast::Expr, span: Span) -> Option<Expr> {
        let operand = self.expr(value);
        let operand = match operand {
            Operand::Functions(_) => Operand::Value(self.value(operand)?),
            // What ends with its block is moved from.
            Operand::Place(place, _) if matches!(place.kind, PlaceKind::Local(local) if self.frame.ends_with_throw(local)) => {
                Operand::Place(place, true)
            }
            operand => operand,
        };
        let given = operand.ty()?;
        let ty = plain(self.program.decayed(given));
        if !self.require_complete(ty, span) {
            return None;
        }
        let init = self.initialised(operand, ty)?;
        let pointer = self.program.pointer(ty);
        let size = number(i128::from(self.size_of(ty)), self.program.basic().ulong, span);
        let info = self.type_info_of(ty, span)?;
        let end = self.end_function(ty, span)?;
        let room = self.call_of_library(ALLOCATE, vec![size, info, end], span)?;
        let cast = Expr { kind: ExprKind::Cast(Box::new(room)), ty: pointer, span };
        let held = self.local("".into(), pointer, span);
        let mut statements = vec![Stmt { kind: StmtKind::Let(held, Some(Init::Value(cast))), span }];
        let place = deref(self.loaded(held, pointer, span), ty, span);
        statements.push(Stmt { kind: StmtKind::Fill(place, init), span });
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let object =
            Expr { kind: ExprKind::Cast(Box::new(self.loaded(held, pointer, span))), ty: bytes, span };
        let call = self.call_of_library(THROW, vec![object], span)?;
        Some(Expr { kind: ExprKind::Sequence(statements, Box::new(call)), ty: void, span })
    }

    /// Address of a function that ends an object of a type, by its address; null where nothing is to be done.
    pub(crate) fn end_function(&mut self, ty: Type, span: Span) -> Option<Expr> {
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let function = self.program.ty(TypeKind::Function(void, vec![bytes]));
        let wanted = self.program.pointer(function);
        if !self.has_destructor(ty) {
            return Some(number(0, wanted, span));
        }
        let symbol = format!("_ZEnd.{}", ty.id.0);
        let known = self.program.functions().iter().position(|one| one.symbol == symbol);
        let id = match known {
            Some(at) => FunctionId(at as u32),
            None => self.make_end_function(ty, symbol, span)?,
        };
        Some(Expr { kind: ExprKind::Function(id), ty: wanted, span })
    }

    fn make_end_function(&mut self, ty: Type, symbol: String, span: Span) -> Option<FunctionId> {
        let pointer = self.program.pointer(ty);
        let uid = self.body.next_frame();
        let frame = crate::check::context::frame::Frame::new(uid, None);
        let outer = std::mem::replace(&mut self.frame, frame);
        let object = self.local("".into(), pointer, span);
        let place = deref(self.loaded(object, pointer, span), ty, span);
        let mut body = vec![];
        let done = self.end_of(place, span, &mut body);
        let frame = std::mem::replace(&mut self.frame, outer);
        done?;
        let id = self.add_bare(symbol, frame.into_locals(), vec![], body, span);
        let function: &mut Function = &mut self.program[id];
        function.params = vec![object];
        Some(id)
    }

    /// `try { … } catch (T x) { … }`; around a whole constructor or destructor, the end of a handler throws the exception again.
    pub(crate) fn try_statement(
        &mut self,
        inner: &mut dyn FnMut(&mut Self, &mut Vec<Stmt>),
        handlers: &[ast::Handler],
        whole: Option<FunctionKind>,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) {
        if self.side.is_device() {
            self.messages.refuse(
                span,
                "exceptions are",
                "return an error code, or stop the kernel with `__trap()`",
            );
            return;
        }
        let types: Option<Vec<Expr>> = handlers.iter().map(|one| self.handled_type(one)).collect();
        let Some(types) = types else { return self.messages.poison(span) };
        self.frame.begin_try();
        let body = self.scoped(|this, to| {
            if this.note_try(types, span, to).is_none() {
                this.messages.poison(span);
            }
            inner(this, to);
        });
        self.frame.end_try();
        let mut made = vec![];
        for one in handlers {
            match self.handler(one, whole) {
                Some(found) => made.push(found),
                None => self.messages.poison(one.span),
            }
        }
        statements.push(Stmt { kind: StmtKind::Try(body, made), span });
    }

    /// Type of a handler's variable; nothing where it catches all.
    fn caught_type(&mut self, one: &ast::Handler) -> Option<Option<Type>> {
        let Some(parameter) = &one.parameter else { return Some(None) };
        let ty = self.resolve_type(&parameter.ty)?;
        let ty = if self.program.referred(ty).is_some() { ty } else { self.program.decayed(ty) };
        let of = self.program.without_reference(ty);
        self.require_complete(of, parameter.span).then_some(Some(ty))
    }

    /// What says of which type is what a handler catches; null where it catches all.
    fn handled_type(&mut self, one: &ast::Handler) -> Option<Expr> {
        match self.caught_type(one)? {
            Some(ty) => {
                let of = plain(self.program.without_reference(ty));
                self.type_info_of(of, one.span)
            }
            None => {
                let void = self.program.basic().void;
                Some(number(0, self.program.pointer(void), one.span))
            }
        }
    }

    /// Says to the library what is caught from here on, to the end of the scope.
    fn note_try(&mut self, types: Vec<Expr>, span: Span, to: &mut Vec<Stmt>) -> Option<()> {
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let array = self.program.ty(TypeKind::Array(bytes, types.len() as u64 + 1));
        let symbol = format!("_ZTry.{}", self.program.next_variable().0);
        let list = self.add_static(symbol, array, span);
        let count = number(types.len() as i128, bytes, span);
        let elements = std::iter::once(count).chain(types).map(Init::Value).collect();
        self.program[list].init = Some(Init::Elements(elements, None));
        let address = self.static_address(list, bytes, span);
        let begin = self.call_of_library(BEGIN_TRY, vec![address], span)?;
        let end = self.call_of_library(END_TRY, vec![], span)?;
        let guard = self.local("".into(), bytes, span);
        self.frame.note_end(guard, vec![Stmt { kind: StmtKind::Expr(end), span }]);
        to.push(Stmt { kind: StmtKind::Expr(begin), span });
        to.push(Stmt { kind: StmtKind::Let(guard, Some(Init::Value(number(0, bytes, span)))), span });
        Some(())
    }

    fn handler(&mut self, one: &ast::Handler, whole: Option<FunctionKind>) -> Option<Handler> {
        let span = one.span;
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let ty = self.caught_type(one)?;
        let declared = one.parameter.as_ref().zip(ty);
        let info = self.handled_type(one)?;
        let caught = self.call_of_library(MATCH, vec![info], span)?;
        let object = self.local("".into(), bytes, span);
        let guard = self.local("".into(), bytes, span);
        let end = self.call_of_library(END, vec![], span)?;
        let begin = self.call_of_library(BEGIN, vec![], span)?;
        self.frame.note_end(guard, vec![Stmt { kind: StmtKind::Expr(end), span }]);
        let mut body = vec![Stmt { kind: StmtKind::Expr(begin), span }];
        body.push(Stmt { kind: StmtKind::Let(guard, Some(Init::Value(number(0, bytes, span)))), span });
        let inner = self.scoped(|this, to| {
            if let Some((parameter, ty)) = declared {
                this.caught_variable(parameter, ty, object, to);
            }
            if whole == Some(FunctionKind::Constructor) {
                this.frame.set_in_handler(true);
            }
            one.block.statements.iter().for_each(|one| this.statement(one, to));
            if whole.is_some() {
                this.frame.set_in_handler(false);
                if let Operand::Value(again) = this.throw(None, one.block.span.after()) {
                    to.push(Stmt { kind: StmtKind::Expr(again), span });
                }
            }
        });
        body.extend(inner);
        Some(Handler { caught, object, body })
    }

    /// The variable of a handler: a copy of what was thrown, or a reference to it.
    fn caught_variable(&mut self, parameter: &ast::Parameter, ty: Type, object: LocalId, to: &mut Vec<Stmt>) {
        let Some(name) = &parameter.name else { return };
        let span = name.span;
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let of = self.program.without_reference(ty);
        let pointer = self.program.pointer(of);
        let address = self.loaded(object, bytes, span);
        let cast = Expr { kind: ExprKind::Cast(Box::new(address)), ty: pointer, span };
        let init = match self.program.referred(ty) {
            Some(_) => Some(Init::Value(cast)),
            None => self.initialised(Operand::Place(deref(cast, of, span), false), plain(ty)),
        };
        let local = self.local(std::rc::Rc::clone(&name.symbol.0), ty, span);
        to.push(Stmt { kind: StmtKind::Let(local, init), span });
        self.enter_name(name.symbol.clone(), Entity::Local(self.frame.uid(), local), span);
    }
}
