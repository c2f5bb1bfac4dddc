//! Functions whose end is reached without a value to return.
//!
//! Enters: the checked tree. Leaves: a warning for each function of the reader's. This module must never know values: of a
//! condition it asks whether it is a literal.

use crate::builtin::Meaning;
use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Function, Label, Program, Stmt, StmtKind, TypeKind};

use super::Teacher;

/// Looks at all functions of the reader's.
pub(super) fn look(teacher: &mut Teacher<'_>, program: &Program) {
    for function in &program.functions {
        let returns = !matches!(program.types.kind(function.result), TypeKind::Void);
        if returns && !function.external && teacher.readers(function.span) && falls(&function.body) {
            tell(teacher, function);
        }
    }
}

fn tell(teacher: &mut Teacher<'_>, function: &Function) {
    let plain = function.name.split('<').next().unwrap_or_default();
    teacher.warn(
        Diagnostic::warning(
            "missing-return",
            function.end,
            format!("`{plain}` does not return a value on all control paths"),
        )
        .label("control reaches this end without a `return`")
        .related(function.span, "declared to return a value here")
        .help("write `return` with a value on every path through the function"),
    );
}

/// Whether what is after statements is reached.
fn falls(list: &[Stmt]) -> bool {
    let mut reached = true;
    for stmt in list {
        reached = match &stmt.kind {
            StmtKind::Target(_) => true,
            _ if !reached => false,
            kind => passes(kind),
        };
    }
    reached
}

/// Whether what is after a statement is reached.
fn passes(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::Return(_)
        | StmtKind::ReturnInit(_)
        | StmtKind::Goto(_)
        | StmtKind::Break(_)
        | StmtKind::Continue(_) => false,
        StmtKind::Block(list) | StmtKind::Try(list, _) => falls(list),
        StmtKind::If(_, then, otherwise) => falls(then) || falls(otherwise),
        StmtKind::Loop { label, condition, body, .. } => {
            !condition.as_ref().is_none_or(always) || leaves(body, *label)
        }
        StmtKind::Switch { label, default, body, .. } => {
            default.is_none() || falls(body) || leaves(body, *label)
        }
        StmtKind::Expr(expr) => !ends(expr),
        StmtKind::Place(_)
        | StmtKind::Init(..)
        | StmtKind::Let(..)
        | StmtKind::Target(_)
        | StmtKind::Fill(..)
        | StmtKind::Asm(_) => true,
    }
}

fn always(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Integer(value) => *value != 0,
        ExprKind::Cast(inner) => always(inner),
        ExprKind::Compare(crate::hir::Compare::NotEqual, left, right) => {
            always(left) && matches!(right.kind, ExprKind::Integer(0))
        }
        _ => false,
    }
}

fn ends(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Builtin(row, ..) => matches!(row.meaning, Meaning::End(_)) || row.name == "__trap",
        ExprKind::AssertFail(..) => true,
        _ => false,
    }
}

/// Whether statements leave a loop or switch.
fn leaves(list: &[Stmt], label: Label) -> bool {
    list.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break(to) | StmtKind::Goto(to) => *to == label || matches!(stmt.kind, StmtKind::Goto(_)),
        StmtKind::Block(list) | StmtKind::Try(list, _) => leaves(list, label),
        StmtKind::If(_, then, otherwise) => leaves(then, label) || leaves(otherwise, label),
        StmtKind::Loop { body, .. } | StmtKind::Switch { body, .. } => leaves(body, label),
        StmtKind::Expr(_)
        | StmtKind::Place(_)
        | StmtKind::Init(..)
        | StmtKind::Let(..)
        | StmtKind::Target(_)
        | StmtKind::Continue(_)
        | StmtKind::Return(_)
        | StmtKind::ReturnInit(_)
        | StmtKind::Fill(..)
        | StmtKind::Asm(_) => false,
    })
}
