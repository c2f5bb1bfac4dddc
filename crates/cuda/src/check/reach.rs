//! What kernels reach: calls in bodies, and what is left out.
//!
//! Enters: the program. Leaves: the program with nothing that no kernel needs. This module must never know how anything is
//! written.

use crate::hir::{
    Arg, Asm, Expr, ExprKind, Function, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, VariableId,
};
use crate::sorted::Sorted;
use crate::source::Span;

use super::Checker;

/// What is done with each function and variable that a tree names.
struct Visit<'f> {
    function: &'f mut dyn FnMut(&mut FunctionId, Span),
    variable: &'f mut dyn FnMut(&mut VariableId),
}

impl Visit<'_> {
    fn stmts(&mut self, all: &mut [Stmt]) {
        for one in all {
            self.stmt(one);
        }
    }

    fn stmt(&mut self, one: &mut Stmt) {
        match &mut one.kind {
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::Place(place) => self.place(place),
            StmtKind::Init(_, init) | StmtKind::Let(_, Some(init)) | StmtKind::ReturnInit(init) => {
                self.init(init, one.span)
            }
            StmtKind::Block(all) => self.stmts(all),
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.stmts(then);
                self.stmts(otherwise);
            }
            StmtKind::Loop { condition, step, body, .. } => {
                if let Some(condition) = condition {
                    self.expr(condition);
                }
                self.stmts(step);
                self.stmts(body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(value);
                self.stmts(body);
            }
            StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::Let(_, None)
            | StmtKind::Target(_)
            | StmtKind::Goto(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(None) => {}
        }
    }

    fn asm(&mut self, asm: &mut Asm) {
        for (_, place, _) in &mut asm.outputs {
            self.place(place);
        }
        for (_, value) in &mut asm.inputs {
            self.expr(value);
        }
    }

    fn args(&mut self, args: &mut [Arg], span: Span) {
        for one in args {
            match one {
                Arg::Value(value) => self.expr(value),
                Arg::Init(init) => self.init(init, span),
            }
        }
    }

    fn expr(&mut self, one: &mut Expr) {
        let span = one.span;
        match &mut one.kind {
            ExprKind::Integer(_) | ExprKind::Float(_) => {}
            ExprKind::Load(place) | ExprKind::Address(place) | ExprKind::PostStep(place, _) => {
                self.place(place)
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Logical(_, a, b)
            | ExprKind::Offset(a, b, _)
            | ExprKind::Difference(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::Sequence(all, a) => {
                self.stmts(all);
                self.expr(a);
            }
            ExprKind::Call(id, args) => {
                (self.function)(id, span);
                self.args(args, span);
            }
            ExprKind::Builtin(_, _, args) => self.args(args, span),
            ExprKind::Printf(format, args) => {
                (self.variable)(format);
                for one in args {
                    self.expr(one);
                }
            }
            ExprKind::AssertFail(all, _) => {
                for one in all {
                    (self.variable)(one);
                }
            }
        }
    }

    fn place(&mut self, one: &mut Place) {
        let span = one.span;
        match &mut one.kind {
            PlaceKind::Local(_) => {}
            PlaceKind::Variable(id) => (self.variable)(id),
            PlaceKind::Deref(a) => self.expr(a),
            PlaceKind::Field(a, _) | PlaceKind::PreStep(a, _) => self.place(a),
            PlaceKind::Element(a, b)
            | PlaceKind::Assign(a, b)
            | PlaceKind::Compound(a, _, b, _)
            | PlaceKind::CompoundOffset(a, b, _) => {
                self.place(a);
                self.expr(b);
            }
            PlaceKind::Conditional(a, b, c) => {
                self.expr(a);
                self.place(b);
                self.place(c);
            }
            PlaceKind::Sequence(all, a) => {
                self.stmts(all);
                self.place(a);
            }
            PlaceKind::AssignInit(a, init) => {
                self.place(a);
                self.init(init, span);
            }
            PlaceKind::Temporary(_, init) => self.init(init, span),
        }
    }

    fn init(&mut self, one: &mut Init, span: Span) {
        match one {
            Init::Value(value) => self.expr(value),
            Init::Zero | Init::Nothing | Init::Bytes(_) => {}
            Init::Fields(fields) => fields.values_mut().for_each(|one| self.init(one, span)),
            Init::Elements(all, filler) => {
                all.iter_mut().for_each(|one| self.init(one, span));
                if let Some(filler) = filler {
                    self.init(filler, span);
                }
            }
            Init::Copy(place) => self.place(place),
            Init::Call(id, args) | Init::Construct(id, args) => {
                (self.function)(id, span);
                self.args(args, span);
            }
            Init::Builtin(_, _, args) => self.args(args, span),
            Init::Conditional(a, b, c) => {
                self.expr(a);
                self.init(b, span);
                self.init(c, span);
            }
            Init::Sequence(all, a) => {
                self.stmts(all);
                self.init(a, span);
            }
            Init::Zeroed(a) | Init::Each(_, a) => self.init(a, span),
        }
    }
}

fn collect(calls: &mut Vec<FunctionId>, run: impl FnOnce(&mut Visit<'_>)) {
    run(&mut Visit { function: &mut |id, _| calls.push(*id), variable: &mut |_| {} });
}

/// Adds the functions that an expression calls.
pub(super) fn calls_of_expr(value: &Expr, calls: &mut Vec<FunctionId>) {
    let mut copy = value.clone();
    collect(calls, |visit| visit.expr(&mut copy));
}

/// Adds the functions that an initialiser calls.
pub(super) fn calls_of_init(init: &Init, calls: &mut Vec<FunctionId>) {
    let mut copy = init.clone();
    collect(calls, |visit| visit.init(&mut copy, Span::default()));
}

/// Adds the functions that a function calls.
pub(super) fn calls_of_function(function: &Function, calls: &mut Vec<FunctionId>) {
    let mut copy = function.body.clone();
    collect(calls, |visit| visit.stmts(&mut copy));
}

impl Checker<'_> {
    /// Leaves out functions and variables that no kernel needs, and that the host cannot find.
    pub(super) fn keep_reached(&mut self) {
        let mut functions: Vec<bool> = self.program.functions.iter().map(|one| one.kernel).collect();
        let mut variables: Vec<bool> = self.program.variables.iter().map(|one| one.visible).collect();
        let mut seen = (vec![false; functions.len()], vec![false; variables.len()]);
        loop {
            let mut more = false;
            for at in 0..functions.len() {
                if functions[at] && !std::mem::replace(&mut seen.0[at], true) {
                    more = true;
                    let body = &mut self.program.functions[at].body;
                    mark(&mut functions, &mut variables, |visit| visit.stmts(body));
                }
            }
            // What starts a variable may name others, and constructors.
            for at in 0..variables.len() {
                if variables[at] && !std::mem::replace(&mut seen.1[at], true) {
                    more = true;
                    if let Some(init) = &mut self.program.variables[at].init {
                        mark(&mut functions, &mut variables, |visit| visit.init(init, Span::default()));
                    }
                }
            }
            if !more {
                break;
            }
        }
        self.renumber(&functions, &variables);
    }

    fn renumber(&mut self, functions: &[bool], variables: &[bool]) {
        let numbers = |kept: &[bool]| {
            let mut map = Sorted::default();
            for (at, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
                map.insert(at as u32, map.len() as u32);
            }
            map
        };
        let (f, v) = (numbers(functions), numbers(variables));
        let mut rename = Visit {
            function: &mut |id, _| id.0 = f.get(&id.0).copied().unwrap_or(id.0),
            variable: &mut |id| id.0 = v.get(&id.0).copied().unwrap_or(id.0),
        };
        let mut at = 0;
        self.program.functions.retain_mut(|one| {
            at += 1;
            let kept = functions[at - 1];
            if kept {
                rename.stmts(&mut one.body);
            }
            kept
        });
        at = 0;
        self.program.variables.retain_mut(|one| {
            at += 1;
            let kept = variables[at - 1];
            if let (true, Some(init)) = (kept, &mut one.init) {
                rename.init(init, Span::default());
            }
            kept
        });
    }
}

fn mark(functions: &mut [bool], variables: &mut [bool], run: impl FnOnce(&mut Visit<'_>)) {
    run(&mut Visit {
        function: &mut |id, _| {
            if let Some(one) = functions.get_mut(id.index()) {
                *one = true;
            }
        },
        variable: &mut |id| {
            if let Some(one) = variables.get_mut(id.index()) {
                *one = true;
            }
        },
    });
}
