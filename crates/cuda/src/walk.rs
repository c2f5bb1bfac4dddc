//! A walk over the checked tree, to be read or to be changed.
//!
//! Enters: statements or an initialiser. Leaves: everything in them, each with how it is used. This module must never judge.

use crate::hir::{Arg, Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind};

/// What is done with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It is read.
    Read,
    /// It is written, and what it held matters only for that (`+=`).
    Write,
    /// Its address leads anywhere.
    Address,
    /// It is written by assembly, whose outputs all have to be named.
    Output,
}

/// Makes a walk: `mut` and `values_mut` for one that may change what it is shown.
macro_rules! walk {
    ($walk:ident, $node:ident, $values:ident $(, $mutable:ident)?) => {
        /// Part of a tree.
        #[allow(dead_code, reason = "both walks show the same")]
        pub(crate) enum $node<'a> {
            /// Statement.
            Stmt(&'a $($mutable)? Stmt),
            /// Value.
            Expr(&'a $($mutable)? Expr),
            /// Place, with its use.
            Place(&'a $($mutable)? Place, Use),
            /// Initialiser.
            Init(&'a $($mutable)? Init),
        }

        /// Walk that shows each node to a function before those in it.
        pub(crate) struct $walk<'b> {
            /// What is shown each node.
            pub(crate) see: &'b mut dyn FnMut($node<'_>),
        }

        impl $walk<'_> {
            /// Statements in order.
            pub(crate) fn stmts(&mut self, stmts: &$($mutable)? [Stmt]) {
                for stmt in stmts {
                    (self.see)($node::Stmt(&$($mutable)? *stmt));
                    self.stmt(stmt);
                }
            }

            fn stmt(&mut self, stmt: &$($mutable)? Stmt) {
                match &$($mutable)? stmt.kind {
                    // `x++;`
                    StmtKind::Expr(Expr { kind: ExprKind::PostStep(place, _), .. }) => self.place(place, Use::Write),
                    StmtKind::Expr(expr) => self.expr(expr),
                    StmtKind::Place(place) => self.effect(place),
                    StmtKind::Init(_, init) | StmtKind::ReturnInit(init) => self.init(init),
                    StmtKind::Fill(place, init) => {
                        self.init(init);
                        self.place(place, Use::Write);
                    }
                    StmtKind::Let(_, init) => {
                        if let Some(init) = init {
                            self.init(init);
                        }
                    }
                    StmtKind::Block(stmts) => self.stmts(stmts),
                    StmtKind::Try(stmts, handlers) => {
                        self.stmts(stmts);
                        for one in handlers {
                            self.expr(&$($mutable)? one.caught);
                            self.stmts(&$($mutable)? one.body);
                        }
                    }
                    StmtKind::If(condition, yes, no) => {
                        self.expr(condition);
                        self.stmts(yes);
                        self.stmts(no);
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
                    StmtKind::Return(value) => {
                        if let Some(value) = value {
                            self.expr(value);
                        }
                    }
                    StmtKind::Asm(asm) => {
                        for (_, place, read) in &$($mutable)? asm.outputs {
                            self.place(place, if *read { Use::Read } else { Use::Output });
                        }
                        for (_, expr) in &$($mutable)? asm.inputs {
                            self.expr(expr);
                        }
                    }
                    StmtKind::Target(_) | StmtKind::Goto(_) | StmtKind::Break(_) | StmtKind::Continue(_) => {}
                }
            }

            /// A place whose value no one uses: an assignment that is alone does not read what it writes.
            fn effect(&mut self, place: &$($mutable)? Place) {
                match &$($mutable)? place.kind {
                    PlaceKind::Assign(..)
                    | PlaceKind::AssignInit(..)
                    | PlaceKind::Compound(..)
                    | PlaceKind::CompoundOffset(..)
                    | PlaceKind::PreStep(..) => self.parts(place, Use::Write),
                    PlaceKind::Local(_)
                    | PlaceKind::Variable(_)
                    | PlaceKind::Deref(_)
                    | PlaceKind::Field(..)
                    | PlaceKind::Element(..)
                    | PlaceKind::Conditional(..)
                    | PlaceKind::Sequence(..)
                    | PlaceKind::Temporary(..) => self.place(place, Use::Read),
                }
            }

            /// Value.
            pub(crate) fn expr(&mut self, expr: &$($mutable)? Expr) {
                (self.see)($node::Expr(&$($mutable)? *expr));
                match &$($mutable)? expr.kind {
                    ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::AssertFail(..) | ExprKind::Function(_) => {}
                    ExprKind::Load(place) => self.place(place, Use::Read),
                    ExprKind::Address(place) => self.place(place, Use::Address),
                    ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.expr(operand),
                    ExprKind::Binary(_, left, right)
                    | ExprKind::Compare(_, left, right)
                    | ExprKind::Logical(_, left, right)
                    | ExprKind::Offset(left, right, _)
                    | ExprKind::Difference(left, right) => {
                        self.expr(left);
                        self.expr(right);
                    }
                    ExprKind::Conditional(condition, yes, no) => {
                        self.expr(condition);
                        self.expr(yes);
                        self.expr(no);
                    }
                    ExprKind::Sequence(stmts, value) => {
                        self.stmts(stmts);
                        self.expr(value);
                    }
                    ExprKind::PostStep(place, _) => self.place(place, Use::Read),
                    ExprKind::Call(_, args) | ExprKind::Builtin(_, _, args) => self.args(args),
                    ExprKind::CallPointer(function, args) => {
                        self.expr(function);
                        self.args(args);
                    }
                    ExprKind::Printf(_, args) => {
                        for arg in args {
                            self.expr(arg);
                        }
                    },
                }
            }

            fn args(&mut self, args: &$($mutable)? [Arg]) {
                for arg in args {
                    match arg {
                        Arg::Value(expr) => self.expr(expr),
                        Arg::Init(init) => self.init(init),
                    }
                }
            }

            /// Place, with its use.
            pub(crate) fn place(&mut self, place: &$($mutable)? Place, used: Use) {
                (self.see)($node::Place(&$($mutable)? *place, used));
                self.parts(place, used);
            }

            fn parts(&mut self, place: &$($mutable)? Place, used: Use) {
                match &$($mutable)? place.kind {
                    PlaceKind::Local(_) | PlaceKind::Variable(_) => {}
                    PlaceKind::Deref(pointer) => self.expr(pointer),
                    PlaceKind::Field(of, _) => self.place(of, used),
                    PlaceKind::Element(of, index) => {
                        self.place(of, used);
                        self.expr(index);
                    }
                    PlaceKind::Conditional(condition, yes, no) => {
                        self.expr(condition);
                        self.place(yes, used);
                        self.place(no, used);
                    }
                    PlaceKind::Sequence(stmts, place) => {
                        self.stmts(stmts);
                        self.place(place, used);
                    }
                    PlaceKind::Assign(to, value)
                    | PlaceKind::Compound(to, _, value, _)
                    | PlaceKind::CompoundOffset(to, value, _) => {
                        self.expr(value);
                        self.place(to, used);
                    }
                    PlaceKind::AssignInit(to, init) => {
                        self.init(init);
                        self.place(to, used);
                    }
                    PlaceKind::PreStep(to, _) => self.place(to, used),
                    PlaceKind::Temporary(_, init) => self.init(init),
                }
            }

            /// Initialiser.
            pub(crate) fn init(&mut self, init: &$($mutable)? Init) {
                (self.see)($node::Init(&$($mutable)? *init));
                match init {
                    Init::Value(expr) => self.expr(expr),
                    Init::Zero | Init::Nothing | Init::Bytes(_) => {}
                    Init::Fields(fields) => fields.$values().for_each(|init| self.init(init)),
                    Init::Elements(elements, filler) => {
                        for init in elements {
                            self.init(init);
                        }
                        if let Some(filler) = filler {
                            self.init(filler);
                        }
                    }
                    Init::Copy(from) => self.place(from, Use::Read),
                    Init::Call(_, args) | Init::Construct(_, args) | Init::Builtin(_, _, args) => self.args(args),
                    Init::CallPointer(function, args) => {
                        self.expr(function);
                        self.args(args);
                    }
                    Init::Conditional(condition, yes, no) => {
                        self.expr(condition);
                        self.init(yes);
                        self.init(no);
                    }
                    Init::Zeroed(init) | Init::Tables(init, ..) => self.init(init),
                    Init::Sequence(stmts, init) => {
                        self.stmts(stmts);
                        self.init(init);
                    }
                }
            }
        }
    };
}

walk!(Walk, Node, values);
walk!(WalkMut, NodeMut, values_mut, mut);
