//! Rules for addresses and for loads of constants.

use super::super::known;
use super::Simplifier;
use crate::ir::{Binary, Convert, Op, Type, Value, Wrap};

const NONE: Wrap = Wrap { nsw: false, nuw: false };
/// Operations that are looked through for a constant.
const DEPTH: u32 = 8;

impl Simplifier<'_> {
    /// Where a pointer leads: that many bytes from another one, and that many that only the run time knows, if that is asked for.
    fn place(&self, pointer: Value, run_time: bool) -> (Value, i64, Option<Value>) {
        let (mut from, mut bytes, mut unknown) = (self.function.resolve(pointer), 0i64, None);
        while let Some(data) = self.defined(from) {
            match data.op {
                Op::Convert(Convert::Space) => {}
                Op::Offset => match self.signed(data.args[1]) {
                    Some(by) => bytes = bytes.wrapping_add(by),
                    None if run_time && unknown.is_none() => unknown = Some(data.args[1]),
                    None => break,
                },
                _ => break,
            }
            from = self.function.resolve(data.args[0]);
        }
        (from, bytes, unknown)
    }

    /// Bytes from one pointer to another, where both are counted from the same.
    pub(super) fn known_distance(&self, to: Value, from: Value) -> Option<i64> {
        let ((a, ahead, _), (b, behind, _)) = (self.place(to, false), self.place(from, false));
        (a == b && self.ty(to) == self.ty(from)).then(|| ahead.wrapping_sub(behind))
    }

    /// `q - p` of pointers that are counted from the same, as numbers of their addresses: it needs neither.
    pub(super) fn distance(&mut self, to: Value, from: Value) -> Option<Value> {
        let (Some((Convert::Bits, to)), Some((Convert::Bits, from))) =
            (self.convert_of(to), self.convert_of(from))
        else {
            return None;
        };
        if !matches!(self.ty(to), Type::Ptr(_)) {
            return None;
        }
        if let Some(bytes) = self.known_distance(to, from) {
            return Some(self.make_constant(Type::I64, bytes as u64));
        }
        let ((a, ahead, by), (b, behind, _)) = (self.place(to, true), self.place(from, false));
        let by = by.filter(|_| a == b && self.ty(to) == self.ty(from))?;
        let bytes = self.make_constant(Type::I64, ahead.wrapping_sub(behind) as u64);
        Some(self.make_binary(Binary::Add(NONE), by, bytes))
    }

    /// The constant of an address goes outwards: `p + (x + c)` is `(p + x) + c`, so that neighbours have one base.
    pub(super) fn offset(&mut self, pointer: Value, by: Value, ty: Type) -> Option<Value> {
        if self.constant(by) == Some(0) {
            return Some(pointer);
        }
        if let Some(data) = self.defined(pointer)
            && data.op == Op::Offset
        {
            let (base, inner) = (data.args[0], data.args[1]);
            if let Some(first) = self.constant(inner) {
                if let Some(second) = self.constant(by) {
                    let sum = self.make_constant(Type::I64, first.wrapping_add(second));
                    return Some(self.make(Op::Offset, &[base, sum], ty));
                }
                let moved = self.make(Op::Offset, &[base, by], ty);
                return Some(self.make(Op::Offset, &[moved, inner], ty));
            }
        }
        if self.constant(by).is_some() {
            return None;
        }
        let (rest, constant) = self.extract(by, DEPTH)?;
        let base = if self.constant(rest) == Some(0) {
            pointer
        } else {
            self.make(Op::Offset, &[pointer, rest], ty)
        };
        let constant = self.make_constant(Type::I64, constant as u64);
        Some(self.make(Op::Offset, &[base, constant], ty))
    }

    /// A value of 64 bits as another and a constant that is added to it.
    fn extract(&mut self, value: Value, depth: u32) -> Option<(Value, i64)> {
        if depth == 0 {
            return None;
        }
        if let Some((convert @ (Convert::SignExtend | Convert::ZeroExtend), x)) = self.convert_of(value) {
            return self.extract_extended(x, convert, depth - 1);
        }
        let (op, x, y) = self.binary_of(value)?;
        match op {
            Binary::Add(_) => {
                if let Some(c) = self.signed(y) {
                    let (rest, inner) = self.extract(x, depth - 1).unwrap_or((x, 0));
                    return Some((rest, inner.wrapping_add(c)));
                }
                if let Some((rest, c)) = self.extract(x, depth - 1) {
                    return Some((self.make_binary(Binary::Add(NONE), rest, y), c));
                }
                let (rest, c) = self.extract(y, depth - 1)?;
                Some((self.make_binary(Binary::Add(NONE), x, rest), c))
            }
            Binary::Sub(_) => {
                if let Some((rest, c)) = self.extract(x, depth - 1) {
                    return Some((self.make_binary(Binary::Sub(NONE), rest, y), c));
                }
                let (rest, c) = self.extract(y, depth - 1)?;
                Some((self.make_binary(Binary::Sub(NONE), x, rest), c.wrapping_neg()))
            }
            Binary::Mul(_) => {
                let by = self.signed(y)?;
                let (rest, c) = self.extract(x, depth - 1)?;
                Some((self.make_binary(Binary::Mul(NONE), rest, y), c.wrapping_mul(by)))
            }
            Binary::Shl(_) => {
                let by = self.constant(y).filter(|by| *by < 64)?;
                let (rest, c) = self.extract(x, depth - 1)?;
                Some((self.make_binary(Binary::Shl(NONE), rest, y), c.wrapping_shl(by as u32)))
            }
            Binary::Or => {
                let c = self.signed(y)?;
                known::disjoint(self.function, x, y).then_some((x, c))
            }
            _ => None,
        }
    }

    /// The same of a narrower value that is extended: sums that do not overflow are sums of what is extended.
    fn extract_extended(&mut self, value: Value, convert: Convert, depth: u32) -> Option<(Value, i64)> {
        if depth == 0 {
            return None;
        }
        let (op, x, y) = self.binary_of(value)?;
        let signed = convert == Convert::SignExtend;
        let safe = |wrap: Wrap| if signed { wrap.nsw } else { wrap.nuw };
        let constant = |of: &Self| if signed { of.signed(y) } else { of.constant(y).map(|bits| bits as i64) };
        match op {
            Binary::Add(wrap) if safe(wrap) => {
                if let Some(c) = constant(self) {
                    let found = self.extract_extended(x, convert, depth - 1);
                    let (rest, inner) = match found {
                        Some(found) => found,
                        None => (self.make_convert(convert, x, Type::I64), 0),
                    };
                    return Some((rest, inner.wrapping_add(c)));
                }
                let (rest, other, c) = match self.extract_extended(x, convert, depth - 1) {
                    Some((rest, c)) => (rest, y, c),
                    None => {
                        let (rest, c) = self.extract_extended(y, convert, depth - 1)?;
                        (rest, x, c)
                    }
                };
                let other = self.make_convert(convert, other, Type::I64);
                Some((self.make_binary(Binary::Add(NONE), rest, other), c))
            }
            Binary::Sub(wrap) if safe(wrap) => {
                let (rest, c) = self.extract_extended(x, convert, depth - 1)?;
                let y = self.make_convert(convert, y, Type::I64);
                Some((self.make_binary(Binary::Sub(NONE), rest, y), c))
            }
            Binary::Mul(wrap) if safe(wrap) => {
                let by = constant(self)?;
                let (rest, c) = self.extract_extended(x, convert, depth - 1)?;
                let factor = self.make_constant(Type::I64, by as u64);
                Some((self.make_binary(Binary::Mul(NONE), rest, factor), c.wrapping_mul(by)))
            }
            Binary::Shl(wrap) if safe(wrap) => {
                let by = self.constant(y).filter(|by| *by < 32)?;
                let (rest, c) = self.extract_extended(x, convert, depth - 1)?;
                Some((self.make_binary(Binary::Shl(NONE), rest, y), c.wrapping_shl(by as u32)))
            }
            Binary::Or if known::disjoint(self.function, x, y) => {
                let c = constant(self).filter(|c| *c >= 0)?;
                Some((self.make_convert(convert, x, Type::I64), c))
            }
            _ => None,
        }
    }

    /// A load of what is known: constants in the module.
    pub(super) fn load(&mut self, pointer: Value, ty: Type) -> Option<Value> {
        let mut at = 0i64;
        let mut base = pointer;
        let global = loop {
            let data = self.defined(base)?;
            match data.op {
                Op::Offset => {
                    at = at.checked_add(self.signed(data.args[1])?)?;
                    base = self.function.resolve(data.args[0]);
                }
                Op::Convert(Convert::Space) => base = self.function.resolve(data.args[0]),
                Op::Global(global) => break self.context.globals.get(global.index())?,
                _ => return None,
            }
        };
        if !global.read_only || global.external || matches!(ty, Type::Ptr(_) | Type::Pred) {
            return None;
        }
        let at = u64::try_from(at).ok()?;
        let size = u64::from(ty.bytes());
        if at.checked_add(size)? > global.size {
            return None;
        }
        let (bytes, addresses) = match &global.initial {
            Some((bytes, addresses)) => (bytes.as_slice(), addresses.as_slice()),
            None => (&[][..], &[][..]),
        };
        if addresses.iter().any(|(place, ..)| *place < at + size && at < place + 8) {
            return None;
        }
        let mut bits = 0;
        for n in 0..size {
            let byte = usize::try_from(at + n).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0);
            bits |= u64::from(byte) << (8 * n);
        }
        Some(self.make_constant(ty, bits))
    }
}
