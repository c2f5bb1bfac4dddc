//! Rules for selects.

use super::super::fold;
use super::Simplifier;
use crate::ir::{Binary, Compare, Convert, Op, Type, Unary, Value};

impl Simplifier<'_> {
    pub(super) fn select(&mut self, p: Value, a: Value, b: Value, ty: Type) -> Option<Value> {
        if let Some(bits) = self.constant(p) {
            return Some(if bits == 1 { a } else { b });
        }
        if self.same(a, b) || self.undefined(b) {
            return Some(a);
        }
        if self.undefined(a) {
            return Some(b);
        }
        if let Some((Unary::Not, q)) = self.unary_of(p) {
            return Some(self.make(Op::Select, &[q, b, a], ty));
        }
        if ty == Type::Pred {
            return self.select_predicate(p, a, b);
        }
        if let Some((q, x, _)) = self.select_of(a)
            && self.same(p, q)
        {
            return Some(self.make(Op::Select, &[p, x, b], ty));
        }
        if let Some((q, _, y)) = self.select_of(b)
            && self.same(p, q)
        {
            return Some(self.make(Op::Select, &[p, a, y], ty));
        }
        if !matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64) {
            return None;
        }
        if let (Some(x), Some(y)) = (self.constant(a), self.constant(b)) {
            let extension = match (x, y) {
                (1, 0) => Some((Convert::ZeroExtend, false)),
                (0, 1) => Some((Convert::ZeroExtend, true)),
                (x, 0) if x == fold::mask(ty) => Some((Convert::SignExtend, false)),
                _ => None,
            };
            if let Some((convert, negated)) = extension {
                let p = if negated { self.make(Op::Unary(Unary::Not), &[p], Type::Pred) } else { p };
                return Some(self.make_convert(convert, p, ty));
            }
        }
        self.select_min_max(p, a, b)
    }

    fn select_predicate(&mut self, p: Value, a: Value, b: Value) -> Option<Value> {
        match (self.constant(a), self.constant(b)) {
            (Some(1), Some(0)) => Some(p),
            (Some(0), Some(1)) => Some(self.make(Op::Unary(Unary::Not), &[p], Type::Pred)),
            (Some(1), _) => Some(self.make_binary(Binary::Or, p, b)),
            (_, Some(0)) => Some(self.make_binary(Binary::And, p, a)),
            (Some(0), _) => {
                let not = self.make(Op::Unary(Unary::Not), &[p], Type::Pred);
                Some(self.make_binary(Binary::And, not, b))
            }
            (_, Some(1)) => {
                let not = self.make(Op::Unary(Unary::Not), &[p], Type::Pred);
                Some(self.make_binary(Binary::Or, not, a))
            }
            _ => None,
        }
    }

    /// Choice of the smaller or larger of two integers.
    fn select_min_max(&mut self, p: Value, a: Value, b: Value) -> Option<Value> {
        let (op, x, y) = self.compare_of(p)?;
        // With a constant, x < c + 1 stands for x ≤ c.
        let bound = |of: &Self, arm: Value, step: i64| match (of.signed(arm), of.signed(y)) {
            (Some(arm), Some(bound)) => arm.checked_add(step) == Some(bound),
            _ => false,
        };
        let straight = self.same(a, x) && (self.same(b, y) || self.near(op, b, y, &bound));
        let crossed = self.same(b, x) && (self.same(a, y) || self.near(op, a, y, &bound));
        if !straight && !crossed {
            return None;
        }
        let least = matches!(op, Compare::SLt | Compare::SLe | Compare::ULt | Compare::ULe) == straight;
        let op = match op {
            Compare::SLt | Compare::SLe | Compare::SGt | Compare::SGe if least => Binary::SMin,
            Compare::SLt | Compare::SLe | Compare::SGt | Compare::SGe => Binary::SMax,
            Compare::ULt | Compare::ULe | Compare::UGt | Compare::UGe if least => Binary::UMin,
            Compare::ULt | Compare::ULe | Compare::UGt | Compare::UGe => Binary::UMax,
            _ => return None,
        };
        Some(self.make_binary(op, a, b))
    }

    /// Whether a strict comparison with a constant is one with its neighbour that includes it: only of signed numbers.
    fn near(&self, op: Compare, arm: Value, _: Value, bound: &dyn Fn(&Self, Value, i64) -> bool) -> bool {
        match op {
            Compare::SLt => bound(self, arm, 1),
            Compare::SGt => bound(self, arm, -1),
            _ => false,
        }
    }
}
