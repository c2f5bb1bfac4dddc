//! Variables with static storage as places, and `thread_local`: each thread of the host has its own.
//!
//! Enters: such variables. Leaves: places. Of a `thread_local` variable, the one that is laid out is that of `main`'s thread, and the
//! library (`host/unwind.inc`) has the copies of others. This module must never know how threads run.

use crate::ast::Specifiers;
use crate::check::Checker;
use crate::check::context::output::ThreadLocal;
use crate::check::expressions::operand::{Operand, deref, number};
use crate::check::names::entity::{Entity, ScopeId};
use crate::check::program::host::START;
use crate::hir::{Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, Type, VariableId};
use crate::side::HOST;
use crate::source::Span;

impl Checker<'_> {
    /// A variable with static storage as an operand.
    pub(crate) fn static_operand(&mut self, id: VariableId, span: Span) -> Operand {
        let ty = self.program[id].ty;
        let Some((to, _)) = self.program.referred(ty) else {
            return Operand::Place(self.static_place(id, ty, span), false);
        };
        let pointer = self.program.pointer(to);
        let holder = self.static_place(id, crate::check::types::kind::constant(pointer), span);
        let load = Expr { kind: ExprKind::Load(Box::new(holder)), ty: pointer, span };
        Operand::Place(deref(load, to, span), false)
    }

    /// Where a variable with static storage is, or the running thread's own.
    pub(crate) fn static_place(&mut self, id: VariableId, ty: Type, span: Span) -> Place {
        let place = Place { kind: PlaceKind::Variable(id), ty, span };
        let Some(own) = self.program.thread_local(id).filter(|_| HOST) else { return place };
        let bytes = self.program.pointer(self.program.basic().void);
        let size = self.size_of(ty);
        let size = number(size.into(), self.program.basic().ulong, span);
        let object = self.static_address(id, bytes, span);
        let initial = match own.initial {
            Some(initial) => self.static_address(initial, bytes, span),
            None => number(0, bytes, span),
        };
        let Some(mut copy) =
            self.call_of_library("__library_thread_local", vec![object, size, initial], span)
        else {
            return place;
        };
        if let Some(start) = own.start {
            let started = self.call_of_start(start, span);
            copy = Expr { kind: ExprKind::Sequence(vec![started], Box::new(copy)), ty: bytes, span };
        }
        let pointer = self.program.pointer(ty);
        deref(Expr { kind: ExprKind::Cast(Box::new(copy)), ty: pointer, span }, ty, span)
    }

    fn call_of_start(&self, function: FunctionId, span: Span) -> Stmt {
        let ty = self.program.basic().void;
        let kind = StmtKind::Expr(Expr { kind: ExprKind::Call(function, vec![].into()), ty, span });
        Stmt { kind, span }
    }

    /// Whether there may be threads next to that of `main`.
    pub(crate) fn has_threads(&self) -> bool {
        let root = &self.scopes[ScopeId(0)].names;
        let std = root.get("std").unwrap_or_default().iter().find_map(|one| match one.entity {
            Entity::Namespace(scope) => Some(scope),
            _ => None,
        });
        HOST && (!self.unit.is_whole()
            || root.contains_key("pthread_create")
            || std.is_some_and(|std| self.scopes[std].names.contains_key("thread")))
    }

    /// Whether the copies of a variable begin as bytes that are known, which is noted.
    pub(super) fn begins_in_threads(&mut self, id: VariableId, ty: Type, init: &Init, span: Span) -> bool {
        self.program.note_thread_local(id, ThreadLocal::default());
        if self.program.referred(ty).is_none() && self.has_destructor(ty) {
            return false;
        }
        if matches!(init, Init::Nothing | Init::Zero) {
            return true;
        }
        if self.evaluated_init(ty, init, span).is_err() {
            return false;
        }
        let symbol = format!("{}$initial", self.program[id].symbol);
        let initial = self.add_static(symbol, ty, span);
        for one in [id, initial] {
            self.program[one].init = Some(init.clone());
        }
        self.program.note_thread_local(id, ThreadLocal { start: None, initial: Some(initial) });
        true
    }

    /// Says how a `thread_local` variable outside of functions starts: as g++ has it, all of a unit that are computed do so where one of
    /// them is used first in a thread.
    pub(crate) fn start_in_threads(&mut self, id: VariableId, ty: Type, init: Init, span: Span) {
        if self.begins_in_threads(id, ty, &init, span) {
            return;
        }
        let held = self.held(ty);
        let place = self.static_place(id, held, span);
        let function = self.starting_function(id, ty, place, init, span);
        let all = match self.program.thread_starts().1 {
            Some(all) => all,
            None => self.make_thread_start(span),
        };
        let starts = self.program.thread_starts();
        starts.0.push((function, span));
        starts.1 = Some(all);
        self.program.note_thread_local(id, ThreadLocal { start: Some(all), initial: None });
    }

    /// A function that does nothing but to note that it was called in a thread; what it calls is added.
    fn make_thread_start(&mut self, span: Span) -> FunctionId {
        let bool = self.program.basic().bool;
        let guard = self.add_static(format!("{START}$threads"), bool, span);
        self.program.note_thread_local(guard, ThreadLocal::default());
        let guarded = self.static_place(guard, bool, span);
        let load = Expr { kind: ExprKind::Load(Box::new(guarded.clone())), ty: bool, span };
        let not = Expr { kind: ExprKind::Unary(crate::hir::Unary::Not, Box::new(load)), ty: bool, span };
        let set = PlaceKind::Assign(Box::new(guarded), Box::new(number(1, bool, span)));
        let set = Stmt { kind: StmtKind::Place(Place { kind: set, ty: bool, span }), span };
        let body = vec![Stmt { kind: StmtKind::If(not, vec![set], vec![]), span }];
        self.add_bare(format!("{START}.threads"), vec![], vec![], body, span)
    }

    /// What starts a `thread_local` variable of another file is not known here.
    pub(crate) fn refuse_thread_local_elsewhere(&mut self, specifiers: &Specifiers) {
        if let Some(place) = specifiers.is_thread_local
            && self.has_threads()
        {
            let help =
                "define it in this file, or call a function of the other that returns a reference to it";
            self.messages.refuse(place, "`thread_local` variables of another file are", help);
        }
    }
}
