//! Statement expressions of GNU C: `({ int x = f(); x * x; })`.
//!
//! Enters: a block in parentheses. Leaves: an operand that does what the block says and then has the value of its last
//! expression. This module must never know what that value is for.

use crate::ast::{self, StatementKind};
use crate::hir::{Label, Stmt, StmtKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::expressions::operand::Operand;
use crate::check::types::kind::plain;

impl Checker<'_> {
    /// Operand that does what the statements say, with the value of the last one if that is an expression, otherwise `void`.
    pub(crate) fn statement_expression(&mut self, block: &ast::Block, span: Span) -> Operand {
        if self.frame.uid() == 0 {
            self.messages.error("syntax", span, "statement expression not allowed outside a function");
            return Operand::Error(span);
        }
        // Jumps and destructors are brought together by lists of statements, which do not look into expressions.
        let before = self.frame.ends();
        let mut last = None;
        let statements = self.scoped(|this, statements| {
            let (end, rest) = match block.statements.split_last() {
                Some((ast::Statement { kind: StatementKind::Expression(expr), .. }, rest)) => {
                    (Some(expr), rest)
                }
                _ => (None, &*block.statements),
            };
            for one in rest {
                this.statement(one, statements);
            }
            last = end.map(|end| {
                let operand = this.expr(end);
                this.detached(operand)
            });
        });
        if self.side.is_host() {
            let value = last.unwrap_or_else(|| Operand::Value(self.program.void_value(span)));
            return self.sequenced(statements, value, span);
        }
        if self.frame.ends() > before {
            let help = "declare them before the expression";
            self.messages.refuse(span, "objects with destructors in a statement expression are", help);
            return Operand::Error(span);
        }
        if before > 0 && jumps_out(&statements, &mut vec![]) {
            let help = "write the statements before the expression";
            self.messages.refuse(
                span,
                "statement expressions where objects with destructors are alive are",
                help,
            );
            return Operand::Error(span);
        }
        let value = last.unwrap_or_else(|| Operand::Value(self.program.void_value(span)));
        self.sequenced(statements, value, span)
    }

    /// The value of an operand, apart from the variables that it came from: they end with the block.
    fn detached(&mut self, operand: Operand) -> Operand {
        let span = operand.span();
        let Operand::Place(place, _) = operand else { return operand };
        let ty = plain(place.ty);
        if self.program.record_of(ty).is_some() {
            // A variable of the block may be moved from.
            return match self.initialised(Operand::Place(place, true), ty) {
                Some(init) => Operand::Init(init, ty, span),
                None => Operand::Error(span),
            };
        }
        match self.value(Operand::Place(place, false)) {
            Some(value) => Operand::Value(value),
            None => Operand::Error(span),
        }
    }
}

/// Whether a statement leaves the list of statements other than by its end.
fn jumps_out(list: &[Stmt], within: &mut Vec<Label>) -> bool {
    list.iter().any(|one| match &one.kind {
        StmtKind::Return(_) | StmtKind::ReturnInit(_) | StmtKind::Goto(_) => true,
        StmtKind::Break(label) | StmtKind::Continue(label) => !within.contains(label),
        StmtKind::Block(inner) => jumps_out(inner, within),
        StmtKind::If(_, then, otherwise) => jumps_out(then, within) || jumps_out(otherwise, within),
        StmtKind::Loop { label, body, .. } | StmtKind::Switch { label, body, .. } => {
            within.push(*label);
            jumps_out(body, within)
        }
        StmtKind::Expr(_)
        | StmtKind::Place(_)
        | StmtKind::Init(..)
        | StmtKind::Let(..)
        | StmtKind::Target(_)
        | StmtKind::Fill(..)
        | StmtKind::Try(..)
        | StmtKind::Asm(_) => false,
    })
}
