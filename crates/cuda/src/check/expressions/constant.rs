//! Constant expressions: where the language wants one, and where a name stands for one.
//!
//! Enters: expressions. Leaves: numbers. The evaluation itself is [`crate::evaluate`]'s. This module must never know what a
//! constant is for.

use std::rc::Rc;

use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{self, Constant, Known, Object};
use crate::hir::{Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::body::Body;
use crate::check::context::frame::Frame;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;
use crate::check::names::entity::{Progress, ScopeKind};

impl Output {
    /// Whether a type's values may be constants by name without `constexpr`.
    pub(crate) fn constant_without_constexpr(&self, ty: Type) -> bool {
        ty.constant
            && !ty.volatile
            && matches!(self.kind_of(ty), TypeKind::Bool | TypeKind::Integer(_) | TypeKind::Enum(_))
    }
}

impl Frame {
    /// Notes a constant variable of a function: uses stand for its value.
    pub(crate) fn note_constant(
        &mut self,
        local: crate::hir::LocalId,
        ty: Type,
        object: Object,
        body: &mut Body,
        program: &Output,
    ) {
        if program.is_scalar(ty)
            && let Some(constant) = object.read(program.program(), ty, 0)
            && let Some(expr) = constant.into_expr(crate::check::types::kind::plain(ty), Span::default())
        {
            body.note_constant(self.uid(), local, Rc::new(expr));
        }
        self.note_known(local, object);
    }
}

impl Checker<'_> {
    /// Value of an expression that must be an integer constant, with its type.
    pub(crate) fn constant_integer(&mut self, expr: &ast::Expr) -> Option<(Type, i128)> {
        let operand = self.expr(expr);
        let value = self.constant_operand(operand)?;
        let ty = value.ty;
        if !self.program.is_integral(ty) && self.program.enum_of(ty).is_none() {
            let shown = self.program.show(ty);
            self.messages.error(
                "constant",
                expr.span,
                format!("expected an integer constant, found `{shown}`"),
            );
            return None;
        }
        let found = self.evaluated(&value)?;
        found.integer().map(|value| (ty, value))
    }

    pub(crate) fn constant_operand(&mut self, operand: Operand) -> Option<Expr> {
        let span = operand.span();
        let class = operand.ty().is_some_and(|ty| self.program.record_of(ty).is_some());
        if class {
            return self.integer_of_class(operand, span);
        }
        self.value(operand)
    }

    /// Value of a checked expression; reports where it is none that is known when compiling.
    pub(crate) fn evaluated(&mut self, value: &Expr) -> Option<Constant> {
        match value.kind {
            ExprKind::Integer(value) => return Some(Constant::Integer(value)),
            ExprKind::Float(bits) => return Some(Constant::Float(bits)),
            _ => {}
        }
        match self.evaluated_quietly(value) {
            Ok(found) => Some(found),
            Err(why) => {
                self.messages.report(
                    Diagnostic::error(
                        "constant",
                        value.span,
                        "expression is not a constant: it must be known at compile time",
                    )
                    .related(why.0, why.1)
                    .help("use a number or a `constexpr` variable; a value known only at run time belongs in an `if`, or in an ordinary function parameter"),
                );
                None
            }
        }
    }

    /// The same without messages.
    pub(crate) fn evaluated_quietly(&mut self, value: &Expr) -> Result<Constant, (Span, String)> {
        self.finish_called(value);
        let known = Known { locals: Some(self.frame.known()), declared: self.frame.locals() };
        evaluate::evaluate(self.program.program(), known, value).map_err(|why| (why.span, why.why))
    }

    /// Contents of a variable, where they are known.
    pub(crate) fn evaluated_init(
        &mut self,
        ty: Type,
        init: &Init,
        span: Span,
    ) -> Result<Object, (Span, String)> {
        self.finish_called_init(init);
        let known = Known { locals: Some(self.frame.known()), declared: self.frame.locals() };
        evaluate::evaluate_init(self.program.program(), known, ty, init, span)
            .map_err(|why| (why.span, why.why))
    }

    /// Checks the bodies of functions that an expression calls, so that they can be evaluated.
    fn finish_called(&mut self, value: &Expr) {
        let mut calls = vec![];
        crate::check::program::reach::calls_of_expr(value, &mut calls);
        self.finish_bodies(calls);
    }

    fn finish_called_init(&mut self, init: &Init) {
        let mut calls = vec![];
        crate::check::program::reach::calls_of_init(init, &mut calls);
        self.finish_bodies(calls);
    }

    /// Whether a function reaches itself by calls.
    pub(crate) fn calls_itself(&mut self, id: FunctionId) -> bool {
        if let Some(known) = self.instances[id].calls_itself {
            return known;
        }
        let mut calls = vec![];
        self.body_of(id);
        crate::check::program::reach::calls_of_function(&self.program[id], &mut calls);
        let reached = self.finish_bodies(calls);
        let found = reached.contains_key(&id);
        // A body that is being checked may call more.
        let done = |id: &FunctionId| self.instances[*id].progress == Progress::Done;
        if done(&id) && reached.keys().all(done) {
            self.instances[id].calls_itself = Some(found);
        }
        found
    }

    /// Checks the bodies of functions and of all that they call, which is given back.
    fn finish_bodies(&mut self, mut calls: Vec<FunctionId>) -> crate::sorted::Sorted<FunctionId, ()> {
        let mut seen = crate::sorted::Sorted::default();
        while let Some(id) = calls.pop() {
            if seen.insert(id, ()).is_some() || seen.len() > 1000 {
                continue;
            }
            self.body_of(id);
            crate::check::program::reach::calls_of_function(&self.program[id], &mut calls);
        }
        seen
    }

    /// Value of a place that a constant names, where the language lets it stand for its value.
    pub(crate) fn constant_of(&mut self, place: &Place) -> Option<Expr> {
        if !place.ty.constant || place.ty.volatile {
            return None;
        }
        let rooted = match Self::root(place) {
            PlaceKind::Local(local) => self.frame.known().contains_key(local),
            PlaceKind::Variable(id) => self.program.is_constant_variable(id),
            _ => false,
        };
        if !rooted {
            return None;
        }
        let ty = crate::check::types::kind::plain(place.ty);
        let load = Expr { kind: ExprKind::Load(Box::new(place.clone())), ty, span: place.span };
        self.evaluated_quietly(&load).ok()?.into_expr(ty, place.span)
    }

    fn root(place: &Place) -> &PlaceKind {
        match &place.kind {
            PlaceKind::Field(of, _) | PlaceKind::Element(of, _) => Self::root(of),
            kind => kind,
        }
    }

    /// Runs in the frame of the function, or in one of its own outside of functions.
    pub(crate) fn apart_if_needed<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let in_function = matches!(self.scopes[self.scopes.current()].kind, ScopeKind::Block(_));
        if in_function { run(self) } else { self.apart(run) }
    }

    /// Checks `static_assert`.
    pub(crate) fn static_assert(&mut self, condition: &ast::Expr, message: Option<&[u8]>) {
        let operand = self.expr(condition);
        let Some(value) = self.condition_value(operand) else { return };
        let Some(found) = self.evaluated(&value) else { return };
        if found.integer() == Some(0) {
            let text = message.map(|text| String::from_utf8_lossy(text).into_owned());
            let mut diagnostic = Diagnostic::error(
                "static-assert",
                condition.span,
                match text.as_deref() {
                    None | Some("") => "static assertion failed".to_owned(),
                    Some(text) => format!("static assertion failed: {text}"),
                },
            );
            if let ast::ExprKind::Binary { left, right, operator, .. } = &condition.kind
                && let (Some((_, a)), Some((_, b))) = (
                    self.trial(|this| this.constant_integer(left)),
                    self.trial(|this| this.constant_integer(right)),
                )
            {
                diagnostic = diagnostic.label(format!("{a} {} {b}", operator.text()));
            }
            self.messages.report(diagnostic);
        }
    }
}
