//! Arguments of `...` in the function that takes them, and whether an expression may throw.
//!
//! Enters: `va_start(list, last)` and `va_arg(list, T)`, as `<stdarg.h>` makes them; operands of `noexcept`. Leaves: places in the cells
//! of 8 bytes that the caller has filled; constants. This module must never know how a call is made.

use crate::ast;
use crate::check::Checker;
use crate::check::expressions::operand::{Operand, deref, number};
use crate::check::types::kind::plain;
use crate::hir::{Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind};
use crate::source::Span;
use crate::walk::{Node, Walk};

/// Bytes of a cell.
const CELL: i128 = 8;

impl Checker<'_> {
    /// `__builtin_va_start(list, last)`, `__builtin_va_arg(list, T)`; nothing where the name is neither.
    pub(crate) fn variadic_call(
        &mut self,
        name: &ast::Name,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<Operand> {
        if self.side.is_device() {
            return None;
        }
        let found = match &**name.simple()? {
            "__builtin_va_start" => self.start_list(arguments, span),
            "__builtin_va_arg" => self.next_argument(arguments, span),
            _ => return None,
        };
        Some(found.unwrap_or(Operand::Error(span)))
    }

    fn start_list(&mut self, arguments: &[ast::Expr], span: Span) -> Option<Operand> {
        let operand = self.expr(arguments.first()?);
        let (list, _) = self.place(operand)?;
        let cells = self.frame.function().and_then(|id| self.program[id].variadic);
        let Some(cells) = cells else {
            self.messages.error(
                "call",
                span,
                "`va_start` is only for functions with `...` among their parameters",
            );
            return None;
        };
        let void = self.program.basic().void;
        let bytes = self.program.pointer(void);
        let first = self.loaded(cells, bytes, span);
        let ty = plain(list.ty);
        let first = Expr { kind: ExprKind::Cast(Box::new(first)), ty, span };
        let done = self.program.fill(list, Init::Value(first), span);
        let nothing = self.program.void_value(span);
        Some(Operand::Value(Expr { kind: ExprKind::Sequence(vec![done], Box::new(nothing)), ty: void, span }))
    }

    fn next_argument(&mut self, arguments: &[ast::Expr], span: Span) -> Option<Operand> {
        let [list, wanted] = arguments else { return None };
        let ast::ExprKind::Type(wanted) = &wanted.kind else { return None };
        let wanted = self.resolve_type(wanted)?;
        let operand = self.expr(list);
        let (list, _) = self.place(operand)?;
        let ty = plain(list.ty);
        let (keep, address) = self.kept_address(list);
        let place = |address: Expr| deref(address, ty, span);
        let held = self.local("".into(), ty, span);
        let now = Expr { kind: ExprKind::Load(Box::new(place(address.clone()))), ty, span };
        let first = Stmt { kind: StmtKind::Let(held, Some(Init::Value(now))), span };
        let by = number(CELL, self.program.basic().long, span);
        let kind = ExprKind::Offset(Box::new(self.loaded(held, ty, span)), Box::new(by), false);
        let next = Init::Value(Expr { kind, ty, span });
        let step = self.program.fill(place(address), next, span);
        let pointer = self.program.pointer(wanted);
        let at = Expr { kind: ExprKind::Cast(Box::new(self.loaded(held, ty, span))), ty: pointer, span };
        let found = deref(at, wanted, span);
        let kind = PlaceKind::Sequence(vec![keep, first, step], Box::new(found));
        Some(Operand::Place(Place { kind, ty: wanted, span }, false))
    }

    /// `noexcept(x)`: whether all that it calls says that it throws nothing.
    pub(crate) fn throws_nothing(&mut self, expr: &ast::Expr) -> bool {
        let operand = self.unevaluated(expr);
        let mut calls: Vec<FunctionId> = vec![];
        let mut pointers = false;
        let mut see = |node: Node<'_>| match node {
            Node::Expr(Expr { kind: ExprKind::Call(id, _), .. })
            | Node::Init(Init::Call(id, _) | Init::Construct(id, _)) => calls.push(*id),
            Node::Expr(Expr { kind: ExprKind::CallPointer(..), .. }) | Node::Init(Init::CallPointer(..)) => {
                pointers = true;
            }
            _ => {}
        };
        let mut walk = Walk { see: &mut see };
        match &operand {
            Operand::Value(value) => walk.expr(value),
            Operand::Place(place, _) => walk.place(place, crate::walk::Use::Read),
            Operand::Init(init, ..) => walk.init(init),
            Operand::Functions(_) | Operand::List(_) | Operand::Error(_) => {}
        }
        !pointers
            && calls.into_iter().all(|id| {
                let one = &self.declarations[self.instances[id].decl];
                one.ast.is_noexcept
                    || one.definition.as_ref().is_some_and(|definition| definition.ast.is_noexcept)
                    || one.ast.kind == ast::FunctionKind::Destructor
            })
    }
}
