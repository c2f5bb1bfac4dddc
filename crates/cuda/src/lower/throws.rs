//! Functions that may throw: after a call of another nothing is to be looked at.
//!
//! Enters: a program. Leaves: which functions throw, or call something that does. This module must never know how.

use crate::hir::{Expr, ExprKind, Function, FunctionId, Init, Program, Stmt};
use crate::ir::Linkage;
use crate::side::HOST;
use crate::walk::{Node, Walk};

/// Functions of the library that throw.
const THROW: [&str; 3] = ["__library_throw", "__library_rethrow", "__library_rethrow_exception"];

/// Which functions of a program may throw.
pub(super) struct Throws {
    functions: Vec<bool>,
    /// Whether a function that a pointer leads to may.
    pub(super) pointers: bool,
}

impl Throws {
    pub(super) fn new(program: &Program) -> Self {
        let count = program.functions.len();
        // What another unit has may throw whatever it likes. (The library is the same for all units.)
        let elsewhere = |one: &Function| program.linked && one.external && one.linkage == Linkage::Visible;
        let first: Vec<bool> =
            program.functions.iter().map(|one| THROW.contains(&&*one.symbol) || elsewhere(one)).collect();
        if !HOST || program.thrown.is_none() || !(program.linked || first.contains(&true)) {
            return Self { functions: vec![false; count], pointers: false };
        }
        let calls: Vec<Calls> = program.functions.iter().map(Calls::of).collect();
        let mut addressed = vec![false; count];
        for id in calls.iter().flat_map(|one| &one.addresses) {
            addressed[id.index()] = true;
        }
        for init in program.variables.iter().filter_map(|one| one.init.as_ref()) {
            let mut found = Calls::default();
            Walk { see: &mut |node| found.see(&node) }.init(init);
            found.addresses.into_iter().for_each(|id| addressed[id.index()] = true);
        }
        let mut found = Self { functions: first, pointers: program.linked };
        loop {
            let mut more = false;
            for (at, one) in calls.iter().enumerate() {
                let throws =
                    one.functions.iter().any(|id| found.function(*id)) || one.pointers && found.pointers;
                if throws && !found.functions[at] && !program.functions[at].noexcept {
                    found.functions[at] = true;
                    more = true;
                }
            }
            let pointers = (0..count).any(|at| addressed[at] && found.functions[at]);
            more |= pointers && !found.pointers;
            found.pointers |= pointers;
            if !more {
                return found;
            }
        }
    }

    /// Whether a function may throw.
    pub(super) fn function(&self, id: FunctionId) -> bool {
        self.functions.get(id.index()).copied().unwrap_or(false)
    }

    /// Whether statements may throw.
    pub(super) fn within(&self, stmts: &[Stmt]) -> bool {
        let mut found = Calls::default();
        Walk { see: &mut |node| found.see(&node) }.stmts(stmts);
        found.functions.iter().any(|id| self.function(*id)) || found.pointers && self.pointers
    }
}

/// What a function calls, and whose addresses it takes.
#[derive(Default)]
struct Calls {
    functions: Vec<FunctionId>,
    addresses: Vec<FunctionId>,
    pointers: bool,
}

impl Calls {
    fn of(function: &Function) -> Self {
        let mut all = Self::default();
        Walk { see: &mut |node| all.see(&node) }.stmts(&function.body);
        for (_, ends) in &function.ends {
            Walk { see: &mut |node| all.see(&node) }.stmts(ends);
        }
        all
    }

    fn see(&mut self, node: &Node<'_>) {
        match node {
            Node::Expr(Expr { kind: ExprKind::Call(id, _), .. })
            | Node::Init(Init::Call(id, _) | Init::Construct(id, _)) => {
                self.functions.push(*id);
            }
            Node::Expr(Expr { kind: ExprKind::Function(id), .. }) => self.addresses.push(*id),
            Node::Expr(Expr { kind: ExprKind::CallPointer(..), .. }) | Node::Init(Init::CallPointer(..)) => {
                self.pointers = true;
            }
            _ => {}
        }
    }
}
