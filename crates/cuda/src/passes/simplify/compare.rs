//! Rules for comparisons.

use super::super::{fold, known};
use super::Simplifier;
use super::integer::swapped;
use crate::ir::{Binary, Compare, Convert, Op, Type, Unary, Value};

impl Simplifier<'_> {
    pub(super) fn compare(&mut self, op: Compare, a: Value, b: Value) -> Option<Value> {
        let ty = self.ty(a);
        if self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.make_compare(swapped(op), b, a));
        }
        match ty {
            Type::F32 | Type::F64 => return self.compare_floats(op, a, b),
            Type::Pred => return self.compare_predicates(op, a, b),
            Type::Ptr(_) => return self.compare_pointers(op, a, b),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 => {}
        }
        if self.same(a, b) {
            let holds = matches!(op, Compare::Eq | Compare::SLe | Compare::SGe | Compare::ULe | Compare::UGe);
            return Some(self.make_constant(Type::Pred, u64::from(holds)));
        }
        if let Some(c) = self.constant(b) {
            if let Some(strict) = self.strict(op, a, c, ty) {
                return Some(strict);
            }
            if let Some(holds) = self.decided(op, a, c, ty) {
                return Some(self.make_constant(Type::Pred, u64::from(holds)));
            }
            if let Some(value) = self.compare_with_constant(op, a, c, ty) {
                return Some(value);
            }
        }
        self.compare_extended(op, a, b).or_else(|| self.compare_difference(op, a, b))
    }

    /// Comparisons that include the bound become those that do not.
    fn strict(&mut self, op: Compare, a: Value, c: u64, ty: Type) -> Option<Value> {
        let (all, low) = (fold::mask(ty), 1u64 << (fold::width(ty) - 1));
        let (op, bound) = match op {
            Compare::SLe if c != low - 1 => (Compare::SLt, c.wrapping_add(1)),
            Compare::SGe if c != low => (Compare::SGt, c.wrapping_sub(1)),
            Compare::ULe if c != all => (Compare::ULt, c + 1),
            Compare::UGe if c != 0 => (Compare::UGt, c - 1),
            Compare::SLe | Compare::SGe | Compare::ULe | Compare::UGe => {
                return Some(self.make_constant(Type::Pred, 1));
            }
            Compare::ULt if c == 1 => (Compare::Eq, 0),
            Compare::UGt if c == 0 => (Compare::Ne, 0),
            _ => return None,
        };
        let bound = self.make_constant(ty, bound);
        Some(self.make_compare(op, a, bound))
    }

    /// What a comparison gives for all that the value may be.
    fn decided(&self, op: Compare, a: Value, c: u64, ty: Type) -> Option<bool> {
        let all = fold::mask(ty);
        let zeros = known::zeros(self.function, a);
        let most = !zeros & all;
        let positive = known::non_negative(self.function, a);
        let s = fold::signed(ty, c);
        match op {
            Compare::ULt if most < c => Some(true),
            Compare::ULt if c == 0 => Some(false),
            Compare::UGt if most <= c => Some(false),
            Compare::Eq if c & zeros != 0 => Some(false),
            Compare::Ne if c & zeros != 0 => Some(true),
            Compare::Eq | Compare::Ne if positive && s < 0 => Some(op == Compare::Ne),
            Compare::SLt if positive && s <= 0 => Some(false),
            Compare::SLt if positive && most <= all >> 1 && (most as i64) < s => Some(true),
            Compare::SGt if positive && s < 0 => Some(true),
            Compare::SGt if positive && most <= all >> 1 && (most as i64) <= s => Some(false),
            Compare::SLt if c == 1 << (fold::width(ty) - 1) => Some(false),
            Compare::SGt if c == all >> 1 => Some(false),
            _ => None,
        }
    }

    fn compare_with_constant(&mut self, op: Compare, a: Value, c: u64, ty: Type) -> Option<Value> {
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        if let Some((p, x, y)) = self.select_of(a)
            && let (Some(x), Some(y)) = (self.constant(x), self.constant(y))
        {
            let (yes, no) = (fold::compare(op, ty, x, c), fold::compare(op, ty, y, c));
            return Some(match (yes, no) {
                (true, false) => p,
                (false, true) => self.make(Op::Unary(Unary::Not), &[p], Type::Pred),
                (same, _) => self.make_constant(Type::Pred, u64::from(same)),
            });
        }
        match self.convert_of(a) {
            Some((convert @ (Convert::ZeroExtend | Convert::SignExtend), x)) if self.ty(x) == Type::Pred => {
                let yes = if convert == Convert::ZeroExtend { 1 } else { fold::mask(ty) };
                let (yes, no) = (fold::compare(op, ty, yes, c), fold::compare(op, ty, 0, c));
                return Some(match (yes, no) {
                    (true, false) => x,
                    (false, true) => self.make(Op::Unary(Unary::Not), &[x], Type::Pred),
                    (same, _) => self.make_constant(Type::Pred, u64::from(same)),
                });
            }
            Some((convert @ (Convert::ZeroExtend | Convert::SignExtend), x)) => {
                return self.compare_narrow(op, convert, x, c, ty);
            }
            _ => {}
        }
        let (inner, x, y) = self.binary_of(a)?;
        match inner {
            Binary::Add(wrap) => {
                let add = self.constant(y)?;
                let unsigned = matches!(op, Compare::ULt | Compare::UGt);
                let (s, t) = (fold::signed(ty, c), fold::signed(ty, add));
                let limit = i64::MAX >> (64 - fold::width(ty));
                let fits = s.checked_sub(t).is_some_and(|rest| (-limit - 1..=limit).contains(&rest));
                let keeps = equality || (unsigned && wrap.nuw && c >= add) || (!unsigned && wrap.nsw && fits);
                let rest = self.make_constant(ty, c.wrapping_sub(add));
                keeps.then(|| self.make_compare(op, x, rest))
            }
            Binary::Sub(_) | Binary::Xor if equality && c == 0 => Some(self.make_compare(op, x, y)),
            Binary::And if equality && c != 0 && self.constant(y) == Some(c) && c.is_power_of_two() => {
                let zero = self.make_constant(ty, 0);
                let op = if op == Compare::Eq { Compare::Ne } else { Compare::Eq };
                Some(self.make_compare(op, a, zero))
            }
            Binary::Shl(wrap) if equality && c == 0 && (wrap.nsw || wrap.nuw) => {
                let zero = self.make_constant(ty, 0);
                Some(self.make_compare(op, x, zero))
            }
            _ => None,
        }
    }

    /// Comparison of what was extended with a constant: of what it was before, if that can hold the constant.
    fn compare_narrow(&mut self, op: Compare, convert: Convert, x: Value, c: u64, ty: Type) -> Option<Value> {
        let narrow = self.ty(x);
        let low = c & fold::mask(narrow);
        let fits = if convert == Convert::ZeroExtend {
            low == c
        } else {
            fold::signed(narrow, low) == fold::signed(ty, c)
        };
        if !fits {
            return match op {
                Compare::Eq => Some(self.make_constant(Type::Pred, 0)),
                Compare::Ne => Some(self.make_constant(Type::Pred, 1)),
                _ => None,
            };
        }
        let op = match (op, convert) {
            (Compare::SLt, Convert::ZeroExtend) => Compare::ULt,
            (Compare::SGt, Convert::ZeroExtend) => Compare::UGt,
            _ => op,
        };
        let low = self.make_constant(narrow, low);
        Some(self.make_compare(op, x, low))
    }

    fn compare_extended(&mut self, op: Compare, a: Value, b: Value) -> Option<Value> {
        let ((first, x), (second, y)) = (self.convert_of(a)?, self.convert_of(b)?);
        if first != second || self.ty(x) != self.ty(y) || self.ty(x) == Type::Pred {
            return None;
        }
        let op = match (first, op) {
            (Convert::SignExtend, op) => op,
            (Convert::ZeroExtend, Compare::SLt) => Compare::ULt,
            (Convert::ZeroExtend, Compare::SLe) => Compare::ULe,
            (Convert::ZeroExtend, Compare::SGt) => Compare::UGt,
            (Convert::ZeroExtend, Compare::SGe) => Compare::UGe,
            (Convert::ZeroExtend, op) => op,
            _ => return None,
        };
        Some(self.make_compare(op, x, y))
    }

    /// (x + y) = x, (x + c) = (y + c).
    fn compare_difference(&mut self, op: Compare, a: Value, b: Value) -> Option<Value> {
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        let signed = matches!(op, Compare::SLt | Compare::SLe | Compare::SGt | Compare::SGe);
        let (Binary::Add(first), x, y) = self.binary_of(a)? else { return None };
        if equality {
            for (one, other) in [(x, y), (y, x)] {
                if self.same(one, b) {
                    let zero = self.make_constant(self.ty(other), 0);
                    return Some(self.make_compare(op, other, zero));
                }
            }
        }
        let (Binary::Add(second), p, q) = self.binary_of(b)? else { return None };
        let keeps = equality || (signed && first.nsw && second.nsw) || (!signed && first.nuw && second.nuw);
        if keeps && self.same(y, q) {
            return Some(self.make_compare(op, x, p));
        }
        (keeps && self.same(x, p)).then(|| self.make_compare(op, y, q))
    }

    fn compare_predicates(&mut self, op: Compare, a: Value, b: Value) -> Option<Value> {
        let c = self.constant(b)?;
        let same = (op == Compare::Eq) == (c == 1);
        Some(if same { a } else { self.make(Op::Unary(Unary::Not), &[a], Type::Pred) })
    }

    fn compare_pointers(&mut self, op: Compare, a: Value, b: Value) -> Option<Value> {
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        if self.same(a, b) {
            let holds = matches!(op, Compare::Eq | Compare::ULe | Compare::UGe);
            return Some(self.make_constant(Type::Pred, u64::from(holds)));
        }
        // Places in one array are in order.
        if let Some(far) = self.known_distance(a, b) {
            let holds = match op {
                Compare::Eq => far == 0,
                Compare::Ne => far != 0,
                Compare::ULt => far < 0,
                Compare::ULe => far <= 0,
                Compare::UGt => far > 0,
                Compare::UGe => far >= 0,
                _ => return None,
            };
            return Some(self.make_constant(Type::Pred, u64::from(holds)));
        }
        // What has a place of its own is nowhere null as a generic address.
        if equality && self.constant(b) == Some(0) {
            let mut at = a;
            while let Some(data) = self.defined(at) {
                match data.op {
                    Op::Convert(Convert::Space) if self.ty(at) == Type::Ptr(crate::ir::Space::Generic) => {
                        let inner = self.function.resolve(data.args[0]);
                        let mut base = inner;
                        while let Some(data) = self.defined(base).filter(|data| data.op == Op::Offset) {
                            base = self.function.resolve(data.args[0]);
                        }
                        let object = self
                            .defined(base)
                            .is_some_and(|data| matches!(data.op, Op::Slot { .. } | Op::Global(_)));
                        return object.then(|| self.make_constant(Type::Pred, u64::from(op == Compare::Ne)));
                    }
                    Op::Offset => at = self.function.resolve(data.args[0]),
                    _ => return None,
                }
            }
        }
        None
    }

    fn compare_floats(&mut self, op: Compare, a: Value, b: Value) -> Option<Value> {
        if self.same(a, b) {
            return self.compare_float_with_itself(op, a);
        }
        self.compare_widened(op, a, b)
    }

    /// A float is neither less nor greater than itself, and equal to itself unless it is a NaN.
    fn compare_float_with_itself(&mut self, op: Compare, a: Value) -> Option<Value> {
        let op = match op {
            Compare::FOLt | Compare::FOGt | Compare::FONe => {
                return Some(self.make_constant(Type::Pred, 0));
            }
            Compare::FULe | Compare::FUGe | Compare::FUEq => {
                return Some(self.make_constant(Type::Pred, 1));
            }
            Compare::FOEq | Compare::FOLe | Compare::FOGe => Compare::FOrd,
            Compare::FUNe | Compare::FULt | Compare::FUGt => Compare::FUno,
            _ => return None,
        };
        Some(self.make_compare(op, a, a))
    }

    /// Comparison of what was widened: of what it was before.
    fn compare_widened(&mut self, op: Compare, a: Value, b: Value) -> Option<Value> {
        let (Convert::Float, x) = self.convert_of(a)? else { return None };
        if self.ty(a) != Type::F64 {
            return None;
        }
        let y = match (self.convert_of(b), self.constant(b)) {
            (Some((Convert::Float, y)), _) => y,
            (_, Some(bits)) => {
                let (wide, narrow) = (f64::from_bits(bits), f64::from_bits(bits) as f32);
                if f64::from(narrow).to_bits() != wide.to_bits() || narrow.is_nan() {
                    return None;
                }
                self.make_constant(Type::F32, u64::from(narrow.to_bits()))
            }
            _ => return None,
        };
        Some(self.make_compare(op, x, y))
    }
}
