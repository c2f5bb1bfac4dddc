//! Scalar values.

use crate::evaluate::Scalar;
use crate::hir::{self, Expr, ExprKind, Logical, Place, PlaceKind};
use crate::ir::{Binary, Block, Convert, Type, Unary, Value, Wrap};

use super::function::Body;
use super::value_type;

impl<'a> Body<'a, '_> {
    /// Value of an expression; of `void`, something that no one uses.
    pub(super) fn value(&mut self, expr: &'a Expr) -> Value {
        self.at_span(expr.span, |body| body.value_here(expr))
    }

    fn value_here(&mut self, expr: &'a Expr) -> Value {
        let Some(kind) = self.scalar(expr.ty) else {
            return self.refused(expr.ty, "a class or array as a value");
        };
        match &expr.kind {
            ExprKind::Integer(value) => self.constant(value_type(kind), *value as u64),
            ExprKind::Float(bits) => self.constant(value_type(kind), *bits),
            ExprKind::Load(place) => self.read(place),
            ExprKind::Address(place) => {
                let address = self.place(place);
                self.generic(address.pointer)
            }
            ExprKind::Unary(op, operand) => self.unary_operator(*op, kind, operand),
            ExprKind::Binary(op, left, right) => {
                let left = self.value(left);
                let right = self.value(right);
                self.arithmetic(*op, kind, left, right)
            }
            ExprKind::Compare(op, left, right) => {
                let kind = self.scalar(left.ty).unwrap_or(Scalar::Void);
                let left = self.value(left);
                let right = self.value(right);
                self.relation(*op, kind, left, right)
            }
            ExprKind::Logical(op, left, right) => self.logical(*op, left, right),
            ExprKind::Offset(pointer, count, back) => {
                let of = self.pointee(expr.ty);
                let pointer = self.value(pointer);
                let count = self.count(count);
                self.advance(pointer, of, count, *back)
            }
            ExprKind::Difference(left, right) => self.difference(left, right, kind),
            ExprKind::Conditional(condition, yes, no) => self.conditional(kind, condition, yes, no),
            ExprKind::Cast(operand) => {
                let from = self.scalar(operand.ty).unwrap_or(Scalar::Void);
                let value = self.value(operand);
                self.convert(value, from, kind)
            }
            ExprKind::Sequence(stmts, value) => {
                self.stmts_within(stmts);
                self.value(value)
            }
            ExprKind::PostStep(place, step) => {
                let address = self.place(place);
                let before = self.load(address);
                let after = self.stepped(address.ty, before, *step);
                self.store(address, after);
                before
            }
            ExprKind::Call(function, args) => self.call(*function, args, None, None),
            ExprKind::CallPointer(function, args) => self.call_pointer(function, args, None),
            ExprKind::Function(function) => self.function_address(*function),
            ExprKind::Builtin(row, ty, args) => self.builtin(row, *ty, args, expr.ty),
            ExprKind::Printf(format, args) => self.printf(*format, args),
            ExprKind::AssertFail(texts, line) => self.assert_fail(*texts, *line),
        }
    }

    /// An integer as a number of 64 bits.
    pub(super) fn count(&mut self, expr: &'a Expr) -> Value {
        let kind = self.scalar(expr.ty).unwrap_or(Scalar::Void);
        let value = self.value(expr);
        self.convert(value, kind, Scalar::Integer { bits: 64, signed: true })
    }

    fn unary_operator(&mut self, op: hir::Unary, kind: Scalar, operand: &'a Expr) -> Value {
        let value = self.value(operand);
        match op {
            hir::Unary::Negate => self.negate(kind, value),
            hir::Unary::Invert | hir::Unary::Not => self.unary(Unary::Not, value),
        }
    }

    /// Elements between two pointers. What they lead into is a whole number of elements, so that a power of two is a shift.
    fn difference(&mut self, left: &'a Expr, right: &'a Expr, kind: Scalar) -> Value {
        let size = self.pointee(left.ty).map_or(1, |of| self.program.layout(of).0.max(1));
        let left = self.value(left);
        let right = self.value(right);
        let left = self.change(Convert::Bits, left, Type::I64);
        let right = self.change(Convert::Bits, right, Type::I64);
        let bytes = self.binary(Binary::Sub(Wrap::default()), left, right);
        let elements = if size.is_power_of_two() {
            self.shift(Binary::AShr, bytes, size.trailing_zeros())
        } else {
            let size = self.long(size as i64);
            self.binary(Binary::SDiv, bytes, size)
        };
        self.resize(elements, true, value_type(kind))
    }

    /// What is in a place. Of two places each is read on its own way: no address then holds a variable back in memory.
    fn read(&mut self, place: &'a Place) -> Value {
        let (PlaceKind::Conditional(condition, yes, no), Some(kind)) = (&place.kind, self.scalar(place.ty))
        else {
            let address = self.place(place);
            return self.load(address);
        };
        let (first, second, after) = (self.block(), self.block(), self.block());
        self.branch(condition, first, second);
        for (block, place) in [(first, yes), (second, no)] {
            self.begin(block);
            let value = self.conditionally(|body| body.at_span(place.span, |body| body.read(place)));
            self.jump(after, vec![value]);
        }
        self.begin(after);
        self.function.block_param(after, value_type(kind))
    }

    fn conditional(&mut self, kind: Scalar, condition: &'a Expr, yes: &'a Expr, no: &'a Expr) -> Value {
        let (first, second, after) = (self.block(), self.block(), self.block());
        self.branch(condition, first, second);
        let used = kind != Scalar::Void;
        for (block, expr) in [(first, yes), (second, no)] {
            self.begin(block);
            let value = self.conditionally(|body| body.value(expr));
            self.jump(after, if used { vec![value] } else { vec![] });
        }
        self.begin(after);
        if used { self.function.block_param(after, value_type(kind)) } else { self.undefined(Type::I32) }
    }

    fn logical(&mut self, op: Logical, left: &'a Expr, right: &'a Expr) -> Value {
        let (more, after) = (self.block(), self.block());
        let left = self.value(left);
        let decided = self.constant(Type::Pred, u64::from(op == Logical::Or));
        let (yes, no) = match op {
            Logical::And => ((more, vec![]), (after, vec![decided])),
            Logical::Or => ((after, vec![decided]), (more, vec![])),
        };
        let edge = |(block, args)| crate::ir::Edge { block, args };
        self.end(crate::ir::Terminator::Branch(left, edge(yes), edge(no)));
        self.begin(more);
        let right = self.conditionally(|body| body.value(right));
        self.jump(after, vec![right]);
        self.begin(after);
        self.function.block_param(after, Type::Pred)
    }

    /// Goes to one of two blocks by a condition.
    pub(super) fn branch(&mut self, condition: &'a Expr, yes: Block, no: Block) {
        match &condition.kind {
            ExprKind::Logical(op, left, right) => {
                let more = self.block();
                match op {
                    Logical::And => self.branch(left, more, no),
                    Logical::Or => self.branch(left, yes, more),
                }
                self.begin(more);
                self.conditionally(|body| body.branch(right, yes, no));
            }
            ExprKind::Unary(hir::Unary::Not, inner) if self.scalar(inner.ty) == Some(Scalar::Bool) => {
                self.branch(inner, no, yes);
            }
            _ => {
                let value = self.value(condition);
                let kind = self.scalar(condition.ty).unwrap_or(Scalar::Void);
                let value = self.convert(value, kind, Scalar::Bool);
                self.at_span(condition.span, |body| body.fork(value, yes, no));
            }
        }
    }
}
