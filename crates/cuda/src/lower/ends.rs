//! Where objects end: destructors are called as control leaves the objects' scopes, whichever way it leaves.
//!
//! Enters: objects as they begin. Leaves: calls of their destructors, the last object first: at the end of a block, of a full expression
//! for what has no name, and before each jump out. An object that begins only where a condition holds has a flag that says whether it
//! did. This module must never know what a destructor does.

use crate::evaluate::Scalar;
use crate::hir::{
    Expr, ExprKind, Handler, Init, Label, LocalId, Place, PlaceKind, Stmt, StmtKind, VariableId,
};
use crate::ir::{Block, Op, Space, Type, Value};
use crate::side::HOST;
use crate::walk::{Node, Walk};

use super::address::Address;
use super::alive::{Catcher, Object};
use super::function::Body;

impl<'a> Body<'a, '_> {
    /// Whether any object of the function ends by a call.
    fn has_ends(&self) -> bool {
        HOST && !self.source.ends.is_empty()
    }

    /// An object begins.
    pub(super) fn began(&mut self, local: LocalId) {
        if !self.has_ends() || !self.source.ends.iter().any(|(of, _)| *of == local) {
            return;
        }
        let flag = (self.ends.conditions > 0).then(|| self.flag());
        if let Some(flag) = flag {
            let one = self.constant(Type::I8, 1);
            self.store_memory(flag, one);
        }
        self.ends.live.push(Object { local, flag, landing: None });
    }

    /// Byte that is 0 where the function begins.
    fn flag(&mut self) -> Address {
        let flag = self.slot(self.source.result, 1, 1);
        let zero = self.constant(Type::I8, 0);
        self.at_entry(Op::Store(Self::access(flag)), vec![flag.pointer, zero]);
        flag
    }

    /// Evaluates what is a full expression: temporary objects in it end with it, but for one that something is bound to.
    pub(super) fn full<T>(&mut self, kept: Option<LocalId>, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        if !self.has_ends() || self.ends.within > 0 {
            return evaluate(self);
        }
        let height = self.ends.live.len();
        let conditions = std::mem::take(&mut self.ends.conditions);
        let result = evaluate(self);
        self.ends.conditions = conditions;
        let made = self.ends.live.split_off(height);
        let (kept, ended): (Vec<_>, Vec<_>) = made.into_iter().partition(|one| Some(one.local) == kept);
        self.end_all(ended.iter().collect());
        // What is alive below it is not the same any more.
        self.ends.live.extend(kept.into_iter().map(|one| Object { landing: None, ..one }));
        result
    }

    /// Goes to one of two blocks by a condition that is a full expression.
    pub(super) fn decide(&mut self, condition: &'a Expr, yes: Block, no: Block) {
        if !self.makes_objects(condition) {
            return self.branch(condition, yes, no);
        }
        let value = self.full(None, |body| {
            let value = body.value(condition);
            let kind = body.scalar(condition.ty).unwrap_or(Scalar::Void);
            body.convert(value, kind, Scalar::Bool)
        });
        self.at_span(condition.span, |body| body.fork(value, yes, no));
    }

    /// Whether an expression begins objects that end by a call.
    fn makes_objects(&self, expr: &Expr) -> bool {
        let mut found = false;
        if self.has_ends() {
            let mut see = |node: Node<'_>| {
                let local = match node {
                    Node::Place(Place { kind: PlaceKind::Temporary(local, _), .. }, _) => Some(*local),
                    Node::Stmt(Stmt { kind: StmtKind::Init(local, _) | StmtKind::Let(local, _), .. }) => {
                        Some(*local)
                    }
                    _ => None,
                };
                found |= local.is_some_and(|local| self.source.ends.iter().any(|(of, _)| *of == local));
            };
            Walk { see: &mut see }.expr(expr);
        }
        found
    }

    /// Evaluates what is reached only where a condition holds.
    pub(super) fn conditionally<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        self.ends.conditions += 1;
        let result = evaluate(self);
        self.ends.conditions -= 1;
        result
    }

    /// Statements of an expression.
    pub(super) fn stmts_within(&mut self, stmts: &'a [Stmt]) {
        self.ends.within += 1;
        self.stmts(stmts);
        self.ends.within -= 1;
    }

    /// Statements of a scope: what begins in it ends with it.
    pub(super) fn scope(&mut self, stmts: &'a [Stmt]) {
        if !self.has_ends() {
            return self.stmts(stmts);
        }
        let height = self.ends.live.len();
        let within = std::mem::take(&mut self.ends.within);
        let conditions = std::mem::take(&mut self.ends.conditions);
        self.stmts(stmts);
        (self.ends.within, self.ends.conditions) = (within, conditions);
        self.end_down_to(height);
    }

    /// Ends what began last, until that many objects are alive: each while those before it are, which end all the same if it throws.
    fn end_down_to(&mut self, height: usize) {
        while self.ends.live.len() > height
            && let Some(last) = self.ends.live.pop()
        {
            self.end_all(vec![&last]);
        }
    }

    /// Notes how many objects are alive where a loop or `switch` begins.
    pub(super) fn note_height(&mut self, label: Label) {
        let height = self.ends.live.len();
        self.ends.heights.insert(label, height);
    }

    /// Ends what is alive and not at a label, before a jump to it; all where there is none.
    pub(super) fn end_before_jump(&mut self, to: Option<Label>) {
        if !self.has_ends() {
            return;
        }
        let height = to.map_or(0, |label| self.ends.heights.get(&label).copied().unwrap_or(0));
        let rest: Vec<Object> = self.ends.live.iter().skip(height).cloned().collect();
        self.end_down_to(height);
        self.ends.live.extend(rest);
    }

    /// Ends all that is alive before a `return` of an object: what is returned goes on.
    pub(super) fn end_before_return(&mut self) {
        if !self.has_ends() {
            return;
        }
        let live = self.ends.live.clone();
        self.ends.live.retain(|one| Some(one.local) != self.source.returned);
        // What is alive below each is not the same any more.
        self.ends.live.iter_mut().for_each(|one| one.landing = None);
        self.end_down_to(0);
        self.ends.live = live;
    }

    /// After a call that may throw: leaves by the exception, if there is one.
    pub(super) fn check_thrown(&mut self) {
        let Some(thrown) = self.program.thrown.filter(|_| HOST && !self.ends.unwinding) else { return };
        let value = self.thrown(thrown);
        let null = self.constant(Type::Ptr(Space::Generic), 0);
        let any = self.compare(crate::ir::Compare::Ne, value, null);
        let (landing, next) = (self.landing(), self.block());
        self.fork(any, landing, next);
        self.begin(next);
    }

    fn thrown(&mut self, thrown: VariableId) -> Value {
        let place = self.thrown_place(thrown);
        self.load_memory(place, Type::Ptr(Space::Generic))
    }

    fn thrown_place(&mut self, thrown: VariableId) -> Address {
        let ty = self.program.variables[thrown.index()].ty;
        Address { align: 8, ..self.variable(thrown, ty) }
    }

    /// Block that ends what is alive, up to the statements around that catch exceptions, and goes to their handlers, or leaves the
    /// function.
    fn landing(&mut self) -> Block {
        self.landing_at(self.ends.live.len())
    }

    fn landing_at(&mut self, height: usize) -> Block {
        let catcher = self.ends.catchers.last().map(|one| (one.height, one.handlers));
        if let Some((least, handlers)) = catcher
            && height <= least
        {
            return handlers;
        }
        // What throws although it must not ends the program, and none of its objects.
        let Some(at) = height.checked_sub(1).filter(|_| !self.source.noexcept || catcher.is_some()) else {
            return self.exit();
        };
        if let Some(known) = self.ends.live[at].landing {
            return known;
        }
        let next = self.landing_at(at);
        let Some(thrown) = self.program.thrown else { return next };
        let block = self.block();
        self.ends.live[at].landing = Some(block);
        let here = self.replace_at(block);
        let one = self.ends.live[at].clone();
        self.unwound(thrown, |body| body.end_all(vec![&one]));
        self.jump(next, vec![]);
        self.replace_at(here);
        block
    }

    /// Ends something while an exception is on its way: what does it may call what looks whether something was thrown.
    fn unwound(&mut self, thrown: VariableId, end: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.ends.unwinding, true);
        let value = self.thrown(thrown);
        let place = self.thrown_place(thrown);
        let null = self.constant(Type::Ptr(Space::Generic), 0);
        self.store_memory(place, null);
        end(self);
        let place = self.thrown_place(thrown);
        self.store_memory(place, value);
        self.ends.unwinding = before;
    }

    /// What ends one object: its class's own end, then those of its members, which end all the same if it throws.
    fn end_parts(&mut self, stmts: &'a [Stmt]) {
        let Some((first, rest)) = stmts.split_first() else { return };
        let first = std::slice::from_ref(first);
        let throws = !self.ends.unwinding && !rest.is_empty() && self.shared.throws.within(first);
        let Some(thrown) = self.program.thrown.filter(|_| throws) else {
            self.stmts_within(first);
            return self.end_parts(rest);
        };
        let (landing, after) = (self.block(), self.block());
        self.ends.catchers.push(Catcher { height: self.ends.live.len(), handlers: landing });
        self.stmts_within(first);
        self.ends.catchers.pop();
        self.end_parts(rest);
        self.jump(after, vec![]);
        self.begin(landing);
        self.unwound(thrown, |body| body.stmts_within(rest));
        let outer = self.landing();
        self.jump(outer, vec![]);
        self.begin(after);
    }

    /// Block that leaves the function without a result.
    fn exit(&mut self) -> Block {
        if let Some(known) = self.ends.exit {
            return known;
        }
        let block = self.block();
        self.ends.exit = Some(block);
        let here = self.replace_at(block);
        if let Some(uncaught) = self.program.uncaught.filter(|_| self.source.noexcept) {
            self.push(Op::Call(crate::ir::FunctionId(uncaught.0)), vec![], &[]);
        }
        self.end_of_body();
        self.replace_at(here);
        block
    }

    /// `try { … } catch (T x) { … }`.
    pub(super) fn tries(&mut self, stmts: &'a [Stmt], handlers: &'a [Handler]) {
        if !HOST {
            // No kernel has any.
            return;
        }
        let (first, after) = (self.block(), self.block());
        self.ends.catchers.push(Catcher { height: self.ends.live.len(), handlers: first });
        self.scope(stmts);
        self.ends.catchers.pop();
        self.jump(after, vec![]);
        self.begin(first);
        for one in handlers {
            let caught = self.value(&one.caught);
            let null = self.constant(Type::Ptr(Space::Generic), 0);
            let is = self.compare(crate::ir::Compare::Ne, caught, null);
            let (inside, next) = (self.block(), self.block());
            self.fork(is, inside, next);
            self.begin(inside);
            let object = self.local(one.object);
            self.store(object, caught);
            self.scope(&one.body);
            self.jump(after, vec![]);
            self.begin(next);
        }
        let outer = self.landing();
        self.jump(outer, vec![]);
        self.begin(after);
    }

    fn end_all(&mut self, objects: Vec<&Object>) {
        for one in objects.into_iter().rev() {
            if self.source.unwound.contains(&one.local) && !self.ends.unwinding {
                continue;
            }
            let Some((_, stmts)) = self.source.ends.iter().find(|(of, _)| *of == one.local) else { continue };
            let Some(flag) = one.flag else {
                self.end_parts(stmts);
                continue;
            };
            let (then, after) = (self.block(), self.block());
            let set = self.load_memory(flag, Type::I8);
            let zero = self.constant(Type::I8, 0);
            let set = self.compare(crate::ir::Compare::Ne, set, zero);
            self.fork(set, then, after);
            self.begin(then);
            let zero = self.constant(Type::I8, 0);
            self.store_memory(flag, zero);
            self.end_parts(stmts);
            self.jump(after, vec![]);
            self.begin(after);
        }
    }

    /// Notes how many objects are alive at each label that a `goto` may name.
    pub(super) fn note_labels(&mut self, stmts: &[Stmt]) {
        if self.has_ends() {
            let mut height = 0;
            self.note_labels_in(stmts, &mut height);
        }
    }

    fn note_labels_in(&mut self, stmts: &[Stmt], height: &mut usize) {
        let before = *height;
        for one in stmts {
            match &one.kind {
                StmtKind::Target(label) => {
                    self.ends.heights.insert(*label, *height);
                }
                StmtKind::Let(local, init) => {
                    let ends = |local: &LocalId| self.source.ends.iter().any(|(of, _)| of == local);
                    let kept = init.as_ref().and_then(bound);
                    *height += usize::from(ends(local)) + usize::from(kept.as_ref().is_some_and(ends));
                }
                StmtKind::Block(inner) => self.note_labels_in(inner, height),
                StmtKind::Try(inner, handlers) => {
                    self.note_labels_in(inner, height);
                    handlers.iter().for_each(|one| self.note_labels_in(&one.body, height));
                }
                StmtKind::If(_, yes, no) => {
                    self.note_labels_in(yes, height);
                    self.note_labels_in(no, height);
                }
                StmtKind::Loop { body, .. } | StmtKind::Switch { body, .. } => {
                    self.note_labels_in(body, height)
                }
                StmtKind::Expr(_)
                | StmtKind::Place(_)
                | StmtKind::Init(..)
                | StmtKind::Fill(..)
                | StmtKind::Goto(_)
                | StmtKind::Break(_)
                | StmtKind::Continue(_)
                | StmtKind::Return(_)
                | StmtKind::ReturnInit(_)
                | StmtKind::Asm(_) => {}
            }
        }
        *height = before;
    }
}

/// Temporary object that a reference is bound to by what starts it.
pub(super) fn bound(init: &Init) -> Option<LocalId> {
    match init {
        Init::Value(expr) => of_expr(expr),
        _ => None,
    }
}

fn of_expr(expr: &Expr) -> Option<LocalId> {
    match &expr.kind {
        ExprKind::Address(place) => of_place(place),
        ExprKind::Cast(inner) | ExprKind::Sequence(_, inner) => of_expr(inner),
        _ => None,
    }
}

fn of_place(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Temporary(local, _) => Some(*local),
        PlaceKind::Field(of, _) | PlaceKind::Sequence(_, of) => of_place(of),
        _ => None,
    }
}
