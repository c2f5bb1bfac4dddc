//! Destructors: where objects end, and what is called there.
//!
//! Enters: classes, and the typed statements of a function in which objects end. Leaves: the statements with calls of
//! destructors at the end of each block and before each jump out of it, the last object first; messages where an object's
//! end is not one of these. This module must never know how objects begin.

use std::rc::Rc;

use crate::ast::{self, FunctionBody};
use crate::diagnostic::Diagnostic;
use crate::hir::{Arg, Expr, ExprKind, Init, Label, LocalId, Place, RecordId, Stmt, StmtKind, Type};
use crate::hir::{FunctionId, PlaceKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::callee::Callee;
use crate::check::context::messages::Messages;
use crate::check::expressions::operand::{local_place, number};
use crate::check::types::kind::plain;

/// Greatest number of elements of an array whose destructors are called, one after the other.
const ELEMENTS: u64 = 64;
/// Greatest number of statements that the ends of a function's objects may add: each `return` has its own.
const GROWTH: usize = 4096;

/// Objects that are alive at a statement.
struct Ends<'a> {
    /// Statements that end each object of the function.
    of: &'a [(LocalId, Vec<Stmt>)],
    /// Objects by the numbers of their rows in `of`, the first that began first.
    live: Vec<usize>,
    /// How many were alive where a loop or `switch` began.
    labels: Vec<(Label, usize)>,
    /// Statements added.
    added: usize,
    /// A `goto` or label, which objects that end do not allow.
    jump: Option<Span>,
    /// A `return` of an object that would have to be copied by its class.
    copied: Option<Span>,
}

impl Ends<'_> {
    /// Ends the objects that are alive from a number on.
    fn end(&mut self, from: usize, out: &mut Vec<Stmt>) {
        for row in self.live.get(from..).unwrap_or_default().iter().rev() {
            let Some((_, statements)) = self.of.get(*row) else { continue };
            self.added += statements.len();
            if self.added <= GROWTH {
                out.extend(statements.iter().cloned());
            }
        }
    }

    fn list(&mut self, checker: &mut Checker<'_>, statements: Vec<Stmt>) -> Vec<Stmt> {
        let before = self.live.len();
        let mut out = Vec::with_capacity(statements.len());
        for one in statements {
            self.statement(checker, one, &mut out);
        }
        let left = matches!(
            out.last().map(|one| &one.kind),
            Some(StmtKind::Return(_) | StmtKind::ReturnInit(_) | StmtKind::Break(_) | StmtKind::Continue(_))
        );
        if !left {
            self.end(before, &mut out);
        }
        self.live.truncate(before);
        out
    }

    fn statement(&mut self, checker: &mut Checker<'_>, one: Stmt, out: &mut Vec<Stmt>) {
        let span = one.span;
        let kind = match one.kind {
            StmtKind::Block(inner) => StmtKind::Block(self.list(checker, inner)),
            // The host's alone, whose objects end otherwise.
            StmtKind::Try(inner, handlers) => StmtKind::Try(inner, handlers),
            StmtKind::If(condition, then, otherwise) => {
                let then = self.list(checker, then);
                StmtKind::If(condition, then, self.list(checker, otherwise))
            }
            StmtKind::Loop { label, condition, after, step, body, unroll } => {
                self.labels.push((label, self.live.len()));
                let body = self.list(checker, body);
                self.labels.pop();
                StmtKind::Loop { label, condition, after, step, body, unroll }
            }
            StmtKind::Switch { label, value, cases, default, body } => {
                self.labels.push((label, self.live.len()));
                let body = self.list(checker, body);
                self.labels.pop();
                StmtKind::Switch { label, value, cases, default, body }
            }
            StmtKind::Let(local, init) => {
                out.push(Stmt { kind: StmtKind::Let(local, init), span });
                self.live.extend(self.of.iter().position(|(of, _)| *of == local));
                return;
            }
            StmtKind::Break(label) => {
                self.end(self.alive_at(label), out);
                StmtKind::Break(label)
            }
            StmtKind::Continue(label) => {
                self.end(self.alive_at(label), out);
                StmtKind::Continue(label)
            }
            // What is returned is found out before objects end.
            StmtKind::Return(Some(value)) if !self.live.is_empty() && !checker.program.is_void(value.ty) => {
                let ty = match checker.program.referred(value.ty) {
                    Some((to, _)) => checker.program.pointer(to),
                    None => value.ty,
                };
                let local = checker.local("".into(), ty, span);
                let kept = Some(Init::Value(Expr { ty, ..value }));
                out.push(Stmt { kind: StmtKind::Let(local, kept), span });
                self.end(0, out);
                let place = Box::new(local_place(local, ty, span));
                StmtKind::Return(Some(Expr { kind: ExprKind::Load(place), ty, span }))
            }
            StmtKind::ReturnInit(init) if !self.live.is_empty() => {
                let ty = checker.frame.result().map_or(checker.program.basic().void, plain);
                if !checker.trivial_copy(ty) {
                    self.copied.get_or_insert(span);
                }
                let local = checker.local("".into(), ty, span);
                let init = (!matches!(init, Init::Nothing)).then_some(init);
                out.push(Stmt { kind: StmtKind::Let(local, init), span });
                self.end(0, out);
                StmtKind::ReturnInit(Init::Copy(Box::new(local_place(local, ty, span))))
            }
            StmtKind::Return(value) => {
                self.end(0, out);
                StmtKind::Return(value)
            }
            StmtKind::Goto(label) => {
                self.jump.get_or_insert(span);
                StmtKind::Goto(label)
            }
            kind @ (StmtKind::Expr(_)
            | StmtKind::Place(_)
            | StmtKind::Init(..)
            | StmtKind::Target(_)
            | StmtKind::ReturnInit(_)
            | StmtKind::Fill(..)
            | StmtKind::Asm(_)) => kind,
        };
        out.push(Stmt { kind, span });
    }

    fn alive_at(&self, label: Label) -> usize {
        self.labels.iter().rev().find(|(of, _)| *of == label).map_or(0, |(_, alive)| *alive)
    }
}

impl Messages<'_> {
    fn tell_growth(&mut self, span: Span) {
        let help = "use fewer objects with destructors, or split the function";
        self.error_help("limit", span, "too many destructor calls in this function", help);
    }
}

impl Checker<'_> {
    /// Notes what ends a variable, where its class has a destructor.
    pub(crate) fn note_end(&mut self, local: LocalId, ty: Type, span: Span) -> Option<()> {
        if !self.has_destructor(ty) {
            return Some(());
        }
        let mut statements = vec![];
        let place = local_place(local, plain(ty), span);
        self.end_of(place, span, &mut statements)?;
        self.frame.note_end(local, statements);
        Some(())
    }

    /// Adds the calls that end what lies at a place: of the class itself, then of its members, the last first, and its bases.
    pub(crate) fn end_of(&mut self, place: Place, span: Span, statements: &mut Vec<Stmt>) -> Option<()> {
        if let Some((of, length)) = self.program.array_of(place.ty) {
            if self.side.is_host()
                && let Some(length) = length
            {
                return self.end_of_elements(place, of, length, span, statements);
            }
            let Some(length) = length.filter(|length| *length <= ELEMENTS) else {
                let help =
                    "declare an array without destructors, and call a method that releases each element";
                self.messages.refuse(span, "long arrays of objects with destructors are", help);
                return None;
            };
            for at in (0..length).rev() {
                let index = number(i128::from(at), self.program.basic().long, span);
                let kind = PlaceKind::Element(Box::new(place.clone()), Box::new(index));
                self.end_of(Place { kind, ty: of, span }, span, statements)?;
            }
            return Some(());
        }
        let Some(record) = self.program.record_of(place.ty) else { return Some(()) };
        if self.classes[record].union {
            let help = "declare its members side by side in a `struct`";
            self.messages.refuse(span, "unions of objects with destructors are", help);
            return None;
        }
        if self.classes.has_virtual_bases(record) {
            return self.end_whole(&place, record, span, statements);
        }
        self.call_destructor(&place, record, span, statements)?;
        for number in (0..self.program[record].fields.len() as u32).rev() {
            let field = self.program[record].fields.get(number as usize)?.ty;
            if self.program.referred(field).is_none() && self.has_destructor(field) {
                let kind = PlaceKind::Field(Box::new(place.clone()), number);
                let field = Place { kind, ty: plain(field), span };
                // It is the class that ends its parts, and not who ends the whole.
                let (scope, order) = (self.classes[record].scope, self.classes[record].order);
                self.at(scope, order, |this| this.end_of(field, span, statements))?;
            }
        }
        Some(())
    }

    /// Adds the call of what a class itself says of the ends of its objects.
    pub(super) fn call_destructor(
        &mut self,
        place: &Place,
        record: RecordId,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        let own = self.classes[record].destructor;
        if let Some(decl) = own
            && !self.has_empty_destructor(record)
        {
            let signature = self.signature(decl, &[])?;
            let callee = Callee::Decl(decl, vec![], signature);
            let (id, mut args) = self.call_parts(&callee, vec![], span)?;
            let address = self.program.address(place.clone());
            args.insert(0, Arg::Value(address));
            let kind = ExprKind::Call(id, args);
            let call = Expr { kind, ty: self.program.basic().void, span };
            statements.push(Stmt { kind: StmtKind::Expr(call), span });
            if statements.len() > GROWTH {
                self.messages.tell_growth(span);
                return None;
            }
        }
        Some(())
    }

    /// Notes what ends each variable and temporary of the body. Objects that are passed are the caller's.
    pub(crate) fn note_all_ends(&mut self, params: &[LocalId]) {
        let mut at = 0_u32;
        while let Some(one) = self.frame.local(LocalId(at)) {
            let (local, ty, span) = (LocalId(at), one.ty, one.span);
            if !params.contains(&local) && self.program.referred(ty).is_none() && !self.frame.has_end(local) {
                self.note_end(local, ty, span);
            }
            at += 1;
        }
    }

    /// The variable that every `return` names, which may lie where the caller wants the result.
    fn returned_local(&self, params: &[LocalId]) -> Option<LocalId> {
        let first = self.frame.returned().first().copied().flatten()?;
        let named = self.frame.local(first).is_some_and(|one| !one.name.is_empty());
        let all = self.frame.returned().iter().all(|one| *one == Some(first));
        (all && named && !params.contains(&first)).then_some(first)
    }

    fn end_of_elements(
        &mut self,
        place: Place,
        of: Type,
        length: u64,
        span: Span,
        statements: &mut Vec<Stmt>,
    ) -> Option<()> {
        let long = self.program.basic().ulong;
        let first = self.program.decay(place);
        let (held, count) = (self.local("".into(), first.ty, span), self.local("".into(), long, span));
        let length = number(i128::from(length), long, span);
        statements.push(Stmt { kind: StmtKind::Let(held, Some(Init::Value(first))), span });
        statements.push(Stmt { kind: StmtKind::Let(count, Some(Init::Value(length))), span });
        self.each_element((held, of), (0, count), true, statements, span, |this, place| {
            let mut ends = vec![];
            this.end_of(place, span, &mut ends)?;
            Some(ends)
        })
    }

    /// A function's statements with its objects' ends; tells of objects whose end is at no place that is known.
    pub(crate) fn with_ends(&mut self, id: FunctionId, statements: Vec<Stmt>) -> Vec<Stmt> {
        if self.side.is_host() {
            let params = self.program[id].params.clone();
            self.note_all_ends(&params);
            self.program[id].ends = self.frame.take_ends();
            self.program[id].unwound = self.frame.take_unwound();
            self.program[id].returned = self.returned_local(&params);
            return statements;
        }
        self.refuse_other_ends(id);
        let of = self.frame.take_ends();
        if of.is_empty() {
            return statements;
        }
        let mut ends = Ends { of: &of, live: vec![], labels: vec![], added: 0, jump: None, copied: None };
        let statements = ends.list(self, statements);
        let (added, jump, copied) = (ends.added, ends.jump, ends.copied);
        if let Some(span) = jump {
            let help = "use a loop with `break`, or a function with `return`";
            self.messages.refuse(span, "jumps in a function whose objects have destructors are", help);
        }
        if let Some(span) = copied {
            let help = "return a number or a plain struct, or let the caller pass what is to be filled";
            let what = "results that are copied by a constructor, in a function that has objects with destructors, are";
            self.messages.refuse(span, what, help);
        }
        if added > GROWTH {
            let span = self.program[id].span;
            self.messages.tell_growth(span);
        }
        statements
    }

    /// Reports parameters, results and temporaries with destructors.
    fn refuse_other_ends(&mut self, id: FunctionId) {
        let params = self.program[id].params.clone();
        let kernel = self.program[id].kernel;
        let result = self.frame.result().unwrap_or(self.program.basic().void);
        if self.has_destructor(result) {
            let (shown, span) = (self.program.show(plain(result)), self.program[id].span);
            self.tell_destructor(
                result,
                span,
                format!("`{shown}` has a destructor: functions that return such objects are not supported by this compiler"),
                "let the caller declare the object and pass a reference to it",
            );
        }
        if self.messages.failed() {
            // An object that another error left undeclared has no end.
            return;
        }
        for at in 0..self.frame.locals().len() {
            let Some(one) = self.frame.locals().get(at) else { break };
            let (local, ty, span) = (LocalId(at as u32), one.ty, one.span);
            let unnamed = one.name.is_empty();
            if !self.has_destructor(ty) || self.frame.has_end(local) {
                continue;
            }
            if kernel && params.contains(&local) {
                // A kernel gets the bytes; the object is the host's, and ends there.
                continue;
            }
            let shown = self.program.show(plain(ty));
            let (what, help) = if params.contains(&local) {
                ("passing it by value is", format!("pass it by reference (`{shown} &`)"))
            } else if unnamed {
                (
                    "temporary objects of it are",
                    format!(
                        "give it a name, as in `{shown} one(…);`: it is destroyed at the end of the enclosing block"
                    ),
                )
            } else {
                (
                    "creating it other than in a plain declaration is",
                    format!("declare it in its own statement: `{shown} one(…);`"),
                )
            };
            let message = format!("`{shown}` has a destructor: {what} not supported by this compiler");
            self.tell_destructor(ty, span, message, &help);
        }
    }

    fn tell_destructor(&mut self, ty: Type, span: Span, message: String, help: &str) {
        let declared = self.destructor_in(ty).map(|decl| self.declarations[decl].ast.name.span);
        let mut one = Diagnostic::error("unsupported", span, message);
        if let Some(declared) = declared {
            one = one.related(declared, "destructor declared here");
        }
        self.messages.report(one.help(help));
    }

    /// Reports where a variable that does not end with a block has a destructor.
    pub(crate) fn refuse_destructor(&mut self, ty: Type, span: Span) -> bool {
        if !self.has_destructor(ty) {
            return false;
        }
        let shown = self.program.show(plain(ty));
        self.tell_destructor(
            ty,
            span,
            format!("`{shown}` has a destructor: this compiler destroys only the local variables of a thread"),
            "declare it in the kernel without `__shared__` and `static`, or give the class a method that releases it, \
             and call that",
        );
        true
    }

    /// The first destructor that does something, of a type or its members.
    fn destructor_in(&mut self, ty: Type) -> Option<crate::check::names::entity::DeclId> {
        let mut of = plain(ty);
        while let Some((element, _)) = self.program.array_of(of) {
            of = element;
        }
        let record = self.program.record_of(of)?;
        self.complete_record(record);
        if let Some(decl) = self.classes[record].destructor
            && !self.has_empty_destructor(record)
        {
            return Some(decl);
        }
        let fields: Vec<Type> = self.program[record].fields.iter().map(|one| one.ty).collect();
        fields.into_iter().find_map(|ty| self.destructor_in(ty))
    }

    /// Whether something must be called where an object of a type ends.
    pub(crate) fn has_destructor(&mut self, ty: Type) -> bool {
        self.destructor_in(ty).is_some()
    }

    /// Whether no one wrote a destructor for a type or its members, not even one that does nothing.
    pub(crate) fn trivially_ended(&mut self, ty: Type) -> bool {
        let mut of = plain(ty);
        while let Some((element, _)) = self.program.array_of(of) {
            of = element;
        }
        let Some(record) = self.program.record_of(of) else { return true };
        self.complete_record(record);
        let fields: Vec<Type> = self.program[record].fields.iter().map(|one| one.ty).collect();
        self.classes[record].destructor.is_none() && fields.into_iter().all(|ty| self.trivially_ended(ty))
    }

    /// Whether a class's own destructor is written and does nothing.
    fn has_empty_destructor(&mut self, record: RecordId) -> bool {
        let Some(ast) = self.classes[record].ast.clone() else { return false };
        let own = ast.members.iter().flatten().find_map(|member| match &member.kind {
            ast::DeclarationKind::Function(function) if function.kind == ast::FunctionKind::Destructor => {
                Some(Rc::clone(function))
            }
            _ => None,
        });
        let Some(own) = own else { return false };
        let FunctionBody::Defined(body) = own.body else { return false };
        own.specifiers.device().is_some()
            && self.tree.body(body, self.messages.sink()).is_some_and(|body| body.block.statements.is_empty())
    }
}
