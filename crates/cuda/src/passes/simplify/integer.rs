//! Rules for integers and predicates.

use super::super::{fold, known};
use super::{Simplifier, both};
use crate::ir::{Binary, Compare, Convert, Inst, Op, Type, Unary, Value, Wrap};

const NONE: Wrap = Wrap { nsw: false, nuw: false };

impl Simplifier<'_> {
    pub(super) fn unary(&mut self, op: Unary, a: Value, ty: Type) -> Option<Value> {
        match op {
            Unary::Not => {
                if let Some((Unary::Not, inner)) = self.unary_of(a) {
                    return Some(inner);
                }
                if let Some((compare, x, y)) = self.compare_of(a) {
                    return Some(self.make_compare(compare.inverted(), x, y));
                }
                None
            }
            Unary::Neg => match (self.unary_of(a), self.binary_of(a)) {
                (Some((Unary::Neg, inner)), _) => Some(inner),
                (_, Some((Binary::Sub(_), x, y))) if self.one_use(a) => {
                    Some(self.make_binary(Binary::Sub(NONE), y, x))
                }
                _ => None,
            },
            Unary::FNeg => match (self.unary_of(a), self.binary_of(a)) {
                (Some((Unary::FNeg, inner)), _) => Some(inner),
                // −(x · c) is x · −c, and −(x / c) is x / −c.
                (_, Some((op @ (Binary::FMul | Binary::FDiv), x, c))) if self.one_use(a) => {
                    let bits = self.constant(c)?;
                    let negated = self.make_constant(ty, fold::unary(Unary::FNeg, ty, bits));
                    Some(self.make_binary(op, x, negated))
                }
                _ => None,
            },
            Unary::FAbs => match self.unary_of(a) {
                Some((Unary::FAbs, _)) => Some(a),
                Some((Unary::FNeg, inner)) => Some(self.make(Op::Unary(Unary::FAbs), &[inner], ty)),
                _ => None,
            },
        }
    }

    pub(super) fn binary(&mut self, inst: Inst, op: Binary, a: Value, b: Value, ty: Type) -> Option<Value> {
        if commutes(op) && self.constant(a).is_some() && self.constant(b).is_none() {
            self.function.insts[inst.index()].args = [b, a].into();
            self.changed = true;
            return self.binary(inst, op, b, a, ty);
        }
        match op {
            Binary::Add(wrap) => self.add(inst, wrap, a, b, ty),
            Binary::Sub(wrap) => self.sub(wrap, a, b, ty),
            Binary::Mul(wrap) => self.mul(wrap, a, b, ty),
            Binary::SDiv | Binary::UDiv | Binary::SRem | Binary::URem => self.divide(op, a, b, ty),
            Binary::And | Binary::Or | Binary::Xor => self.bitwise(op, a, b, ty),
            Binary::Shl(_) | Binary::LShr | Binary::AShr => self.shift(op, a, b, ty),
            Binary::SMin | Binary::SMax | Binary::UMin | Binary::UMax => self.min_max(op, a, b),
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FMin | Binary::FMax => {
                self.float(op, a, b, ty)
            }
        }
    }

    /// Sum of two constants of a type, with what still holds of the promises of the sums that they stood in.
    fn sum_of_constants(ty: Type, first: (u64, Wrap), second: (u64, Wrap)) -> (u64, Wrap) {
        let (a, b) = (fold::signed(ty, first.0), fold::signed(ty, second.0));
        let mut wrap = both(first.1, second.1);
        let limit = i64::MAX >> (64 - fold::width(ty));
        wrap.nsw &= a.checked_add(b).is_some_and(|sum| (-limit - 1..=limit).contains(&sum));
        wrap.nuw &= first.0.checked_add(second.0).is_some_and(|sum| sum <= fold::mask(ty));
        (first.0.wrapping_add(second.0) & fold::mask(ty), wrap)
    }

    fn add(&mut self, inst: Inst, wrap: Wrap, a: Value, b: Value, ty: Type) -> Option<Value> {
        if let Some(c) = self.constant(b) {
            if c == 0 {
                return Some(a);
            }
            match self.binary_of(a) {
                Some((Binary::Add(inner), x, y)) if self.constant(y).is_some() => {
                    let first = (self.constant(y)?, inner);
                    let (sum, wrap) = Self::sum_of_constants(ty, first, (c, wrap));
                    let sum = self.make_constant(ty, sum);
                    return Some(self.make_binary(Binary::Add(wrap), x, sum));
                }
                // (c1 − x) + c2
                Some((Binary::Sub(_), x, y)) if self.constant(x).is_some() => {
                    let sum = self.make_constant(ty, self.constant(x)?.wrapping_add(c));
                    return Some(self.make_binary(Binary::Sub(NONE), sum, y));
                }
                _ => {}
            }
        }
        if self.same(a, b) {
            let one = self.make_constant(Type::I32, 1);
            return Some(self.make_binary(Binary::Shl(wrap), a, one));
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((Unary::Neg, inner)) = self.unary_of(x) {
                return Some(self.make_binary(Binary::Sub(NONE), y, inner));
            }
            // (p − y) + y
            if let Some((Binary::Sub(_), p, q)) = self.binary_of(x)
                && self.same(q, y)
            {
                return Some(p);
            }
            // A constant in a sum goes outwards, where others may meet it.
            if self.constant(y).is_none()
                && self.one_use(x)
                && let Some((Binary::Add(inner), p, c)) = self.binary_of(x)
                && self.constant(c).is_some()
                && !wrap.nsw
                && !wrap.nuw
                && !inner.nsw
                && !inner.nuw
            {
                let sum = self.make_binary(Binary::Add(NONE), p, y);
                return Some(self.make_binary(Binary::Add(NONE), sum, c));
            }
        }
        self.promise(inst, wrap, a, b, ty);
        None
    }

    /// Promises of a sum that hold because of what is known of its operands.
    fn promise(&mut self, inst: Inst, wrap: Wrap, a: Value, b: Value, ty: Type) {
        if wrap.nsw && wrap.nuw {
            return;
        }
        let all = fold::mask(ty);
        let a = !known::zeros(self.function, a) & all;
        if a == all {
            return;
        }
        let b = !known::zeros(self.function, b) & all;
        let Some(most) = a.checked_add(b).filter(|most| *most <= all) else { return };
        let new = Wrap { nuw: true, nsw: wrap.nsw || most <= all >> 1 };
        if new != wrap {
            self.function.insts[inst.index()].op = Op::Binary(Binary::Add(new));
            self.changed = true;
        }
    }

    fn sub(&mut self, wrap: Wrap, a: Value, b: Value, ty: Type) -> Option<Value> {
        if let Some(c) = self.constant(b) {
            let lowest = 1 << (fold::width(ty) - 1);
            let negated = self.make_constant(ty, c.wrapping_neg());
            let wrap = Wrap { nsw: wrap.nsw && c != lowest, nuw: false };
            return Some(if c == 0 { a } else { self.make_binary(Binary::Add(wrap), a, negated) });
        }
        if self.same(a, b) {
            return Some(self.make_constant(ty, 0));
        }
        if self.constant(a) == Some(0) {
            return Some(self.make(Op::Unary(Unary::Neg), &[b], ty));
        }
        if let Some(distance) = self.distance(a, b) {
            return Some(distance);
        }
        if let Some((Unary::Neg, inner)) = self.unary_of(b) {
            return Some(self.make_binary(Binary::Add(NONE), a, inner));
        }
        if let Some((Binary::Add(_), x, y)) = self.binary_of(a) {
            if self.same(x, b) {
                return Some(y);
            }
            if self.same(y, b) {
                return Some(x);
            }
            // (x + c) − (y + d) and (x + c) − y: the constants go outwards.
            if let Some(c) = self.constant(y) {
                let (rest, d) = match self.binary_of(b) {
                    Some((Binary::Add(_), p, q)) if self.constant(q).is_some() => (p, self.constant(q)?),
                    _ if self.one_use(a) => (b, 0),
                    _ => return None,
                };
                let difference = if self.same(x, rest) {
                    self.make_constant(ty, 0)
                } else {
                    self.make_binary(Binary::Sub(NONE), x, rest)
                };
                let c = self.make_constant(ty, c.wrapping_sub(d));
                return Some(self.make_binary(Binary::Add(NONE), difference, c));
            }
        }
        if let Some((Binary::Add(_), x, y)) = self.binary_of(b) {
            if self.same(x, a) {
                return Some(self.make(Op::Unary(Unary::Neg), &[y], ty));
            }
            if self.same(y, a) {
                return Some(self.make(Op::Unary(Unary::Neg), &[x], ty));
            }
        }
        None
    }

    fn mul(&mut self, wrap: Wrap, a: Value, b: Value, ty: Type) -> Option<Value> {
        let c = self.constant(b)?;
        match c {
            0 => return Some(b),
            1 => return Some(a),
            _ if c == fold::mask(ty) => return Some(self.make(Op::Unary(Unary::Neg), &[a], ty)),
            _ => {}
        }
        if c.is_power_of_two() {
            let by = c.trailing_zeros();
            let wrap = Wrap { nsw: wrap.nsw && by + 1 < fold::width(ty), nuw: wrap.nuw };
            let by = self.make_constant(Type::I32, u64::from(by));
            return Some(self.make_binary(Binary::Shl(wrap), a, by));
        }
        match self.binary_of(a) {
            Some((Binary::Mul(_), x, y)) => {
                let product = self.make_constant(ty, self.constant(y)?.wrapping_mul(c));
                Some(self.make_binary(Binary::Mul(NONE), x, product))
            }
            Some((Binary::Shl(_), x, y)) => {
                let by = self.constant(y).filter(|by| *by < u64::from(fold::width(ty)))?;
                let product = self.make_constant(ty, c << by);
                Some(self.make_binary(Binary::Mul(NONE), x, product))
            }
            _ => None,
        }
    }

    fn divide(&mut self, op: Binary, a: Value, b: Value, ty: Type) -> Option<Value> {
        let signed = matches!(op, Binary::SDiv | Binary::SRem);
        let remainder = matches!(op, Binary::SRem | Binary::URem);
        if signed && known::non_negative(self.function, a) && known::non_negative(self.function, b) {
            let op = if remainder { Binary::URem } else { Binary::UDiv };
            return Some(self.make_binary(op, a, b));
        }
        if let Some(narrow) = self.narrow_division(op, a, b, ty) {
            return Some(narrow);
        }
        let c = self.constant(b).filter(|c| *c != 0)?;
        if c == 1 {
            return Some(if remainder { self.make_constant(ty, 0) } else { a });
        }
        if signed {
            return (op == Binary::SDiv && c == fold::mask(ty))
                .then(|| self.make(Op::Unary(Unary::Neg), &[a], ty));
        }
        if c.is_power_of_two() {
            return Some(if remainder {
                let mask = self.make_constant(ty, c - 1);
                self.make_binary(Binary::And, a, mask)
            } else {
                let by = self.make_constant(Type::I32, u64::from(c.trailing_zeros()));
                self.make_binary(Binary::LShr, a, by)
            });
        }
        let most = !known::zeros(self.function, a) & fold::mask(ty);
        if most < c {
            return Some(if remainder { a } else { self.make_constant(ty, 0) });
        }
        match self.binary_of(a) {
            Some((Binary::UDiv, x, y)) if !remainder => {
                let product =
                    self.constant(y)?.checked_mul(c).filter(|product| *product <= fold::mask(ty))?;
                let product = self.make_constant(ty, product);
                Some(self.make_binary(Binary::UDiv, x, product))
            }
            _ => None,
        }
    }

    /// Division of what was extended is narrower.
    fn narrow_division(&mut self, op: Binary, a: Value, b: Value, ty: Type) -> Option<Value> {
        if !matches!(op, Binary::UDiv | Binary::URem) {
            return None;
        }
        let Some((Convert::ZeroExtend, x)) = self.convert_of(a) else { return None };
        let narrow = self.ty(x);
        if narrow != Type::I32 {
            return None;
        }
        let y = match (self.convert_of(b), self.constant(b)) {
            (Some((Convert::ZeroExtend, y)), _) if self.ty(y) == narrow => y,
            (_, Some(c)) if c <= fold::mask(narrow) => self.make_constant(narrow, c),
            _ => return None,
        };
        let result = self.make_binary(op, x, y);
        Some(self.make_convert(Convert::ZeroExtend, result, ty))
    }

    fn bitwise(&mut self, op: Binary, a: Value, b: Value, ty: Type) -> Option<Value> {
        if self.same(a, b) {
            return Some(if op == Binary::Xor { self.make_constant(ty, 0) } else { a });
        }
        let all = fold::mask(ty);
        if let Some(c) = self.constant(b) {
            match (op, c) {
                (Binary::And, 0) => return Some(b),
                (Binary::And, c) if c == all => return Some(a),
                (Binary::Or | Binary::Xor, 0) => return Some(a),
                (Binary::Or, c) if c == all => return Some(b),
                (Binary::Xor, c) if c == all => return Some(self.make(Op::Unary(Unary::Not), &[a], ty)),
                _ => {}
            }
            if let Some((inner, x, y)) = self.binary_of(a)
                && inner == op
                && let Some(d) = self.constant(y)
            {
                let bits = fold::binary(op, ty, d, c)?;
                let bits = self.make_constant(ty, bits);
                return Some(self.make_binary(op, x, bits));
            }
            if ty != Type::Pred {
                let zeros = known::zeros(self.function, a);
                if op == Binary::And && (zeros | c) & all == all {
                    return Some(a);
                }
                if op == Binary::And && !zeros & c & all == 0 {
                    return Some(self.make_constant(ty, 0));
                }
            }
        }
        // x & ¬x, x | ¬x, x ^ ¬x.
        for (x, y) in [(a, b), (b, a)] {
            if let Some((Unary::Not, inner)) = self.unary_of(x)
                && self.same(inner, y)
            {
                return Some(self.make_constant(ty, if op == Binary::And { 0 } else { all }));
            }
            // x & (x | y), x | (x & y), x & (x & y), x | (x | y).
            if let Some((inner @ (Binary::And | Binary::Or), p, q)) = self.binary_of(x)
                && op != Binary::Xor
                && (self.same(p, y) || self.same(q, y))
            {
                return Some(if inner == op { x } else { y });
            }
        }
        if ty == Type::Pred { self.predicates(op, a, b) } else { None }
    }

    /// Two comparisons of the same operands.
    fn predicates(&mut self, op: Binary, a: Value, b: Value) -> Option<Value> {
        let ((first, x, y), (second, p, q)) = (self.compare_of(a)?, self.compare_of(b)?);
        let second = if self.same(x, p) && self.same(y, q) {
            second
        } else if self.same(x, q) && self.same(y, p) {
            swapped(second)
        } else {
            return None;
        };
        if first == second {
            return (op != Binary::Xor).then_some(a);
        }
        if first.inverted() == second {
            return Some(self.make_constant(Type::Pred, u64::from(op != Binary::And)));
        }
        None
    }

    fn shift(&mut self, op: Binary, a: Value, b: Value, ty: Type) -> Option<Value> {
        if self.constant(a) == Some(0) {
            return Some(a);
        }
        let width = u64::from(fold::width(ty));
        let by = self.constant(b).filter(|by| *by < width)?;
        if by == 0 {
            return Some(a);
        }
        let zeros = known::zeros(self.function, a);
        if op == Binary::AShr && zeros & (1 << (width - 1)) != 0 {
            return Some(self.make_binary(Binary::LShr, a, b));
        }
        if op == Binary::LShr && (!zeros & fold::mask(ty)) >> by == 0 {
            return Some(self.make_constant(ty, 0));
        }
        let (inner, x, y) = self.binary_of(a)?;
        let first = self.constant(y).filter(|first| *first < width)?;
        let sum = first + by;
        match (op, inner) {
            (Binary::Shl(outer), Binary::Shl(inner)) if sum < width => {
                let sum = self.make_constant(Type::I32, sum);
                Some(self.make_binary(Binary::Shl(both(outer, inner)), x, sum))
            }
            (Binary::Shl(_), Binary::Shl(_)) | (Binary::LShr, Binary::LShr) if sum >= width => {
                Some(self.make_constant(ty, 0))
            }
            (Binary::LShr, Binary::LShr) => {
                let sum = self.make_constant(Type::I32, sum);
                Some(self.make_binary(Binary::LShr, x, sum))
            }
            (Binary::AShr, Binary::AShr) => {
                let sum = self.make_constant(Type::I32, sum.min(width - 1));
                Some(self.make_binary(Binary::AShr, x, sum))
            }
            (Binary::LShr, Binary::Shl(wrap)) if wrap.nuw && first == by => Some(x),
            (Binary::AShr, Binary::Shl(wrap)) if wrap.nsw && first == by => Some(x),
            (Binary::LShr, Binary::Shl(_)) if first == by => {
                let mask = self.make_constant(ty, fold::mask(ty) >> by);
                Some(self.make_binary(Binary::And, x, mask))
            }
            (Binary::Shl(_), Binary::LShr | Binary::AShr) if first == by => {
                let mask = self.make_constant(ty, fold::mask(ty) << by);
                Some(self.make_binary(Binary::And, x, mask))
            }
            _ => None,
        }
    }

    fn min_max(&mut self, op: Binary, a: Value, b: Value) -> Option<Value> {
        if self.same(a, b) {
            return Some(a);
        }
        if let Some((inner, _, y)) = self.binary_of(a)
            && inner == op
            && self.same(y, b)
        {
            return Some(a);
        }
        // The least and the greatest number: `max.u32 x, 0` is x. A random kernel with it before `min.s32` was wrong on an H100
        // (ptxas 13.0, right at `-O0`), and is right without it; alone, ptxas compiles the two rightly.
        let ty = self.ty(b);
        let bits = self.constant(b)?;
        let most = fold::mask(ty);
        let least_signed = (most >> 1) + 1;
        let (least, greatest) = match op {
            Binary::SMin | Binary::SMax => (least_signed, most >> 1),
            _ => (0, most),
        };
        let (stays, decides) = match op {
            Binary::SMin | Binary::UMin => (greatest, least),
            _ => (least, greatest),
        };
        match bits & most {
            bits if bits == stays => Some(a),
            bits if bits == decides => Some(b),
            _ => None,
        }
    }
}

/// Whether operands may be exchanged.
pub(crate) fn commutes(op: Binary) -> bool {
    match op {
        Binary::Add(_)
        | Binary::Mul(_)
        | Binary::And
        | Binary::Or
        | Binary::Xor
        | Binary::SMin
        | Binary::SMax
        | Binary::UMin
        | Binary::UMax
        | Binary::FAdd
        | Binary::FMul => true,
        Binary::Sub(_)
        | Binary::SDiv
        | Binary::UDiv
        | Binary::SRem
        | Binary::URem
        | Binary::Shl(_)
        | Binary::LShr
        | Binary::AShr
        | Binary::FSub
        | Binary::FDiv
        // Of two zeros a constant is the first, and a device's its own: exchanged, it would be another than the source's.
        | Binary::FMin
        | Binary::FMax => false,
    }
}

/// The comparison with its operands the other way round.
pub(crate) fn swapped(op: Compare) -> Compare {
    match op {
        Compare::Eq
        | Compare::Ne
        | Compare::FOEq
        | Compare::FONe
        | Compare::FUEq
        | Compare::FUNe
        | Compare::FOrd
        | Compare::FUno => op,
        Compare::SLt => Compare::SGt,
        Compare::SLe => Compare::SGe,
        Compare::SGt => Compare::SLt,
        Compare::SGe => Compare::SLe,
        Compare::ULt => Compare::UGt,
        Compare::ULe => Compare::UGe,
        Compare::UGt => Compare::ULt,
        Compare::UGe => Compare::ULe,
        Compare::FOLt => Compare::FOGt,
        Compare::FOLe => Compare::FOGe,
        Compare::FOGt => Compare::FOLt,
        Compare::FOGe => Compare::FOLe,
        Compare::FULt => Compare::FUGt,
        Compare::FULe => Compare::FUGe,
        Compare::FUGt => Compare::FULt,
        Compare::FUGe => Compare::FULe,
    }
}
