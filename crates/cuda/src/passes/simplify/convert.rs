//! Rules for conversions.

use super::super::fold;
use super::Simplifier;
use crate::ir::{Binary, Convert, Type, Value, Wrap};

const NONE: Wrap = Wrap { nsw: false, nuw: false };

impl Simplifier<'_> {
    pub(super) fn convert(&mut self, op: Convert, a: Value, ty: Type) -> Option<Value> {
        if self.undefined(a) {
            return Some(self.function.value(ty, crate::ir::Def::Undefined));
        }
        let inner = self.convert_of(a);
        match op {
            Convert::Truncate => self.truncate(a, inner, ty),
            Convert::ZeroExtend => match inner? {
                (Convert::ZeroExtend, x) => Some(self.make_convert(Convert::ZeroExtend, x, ty)),
                (Convert::Truncate, x) if self.ty(x) == ty && self.ty(a) != Type::Pred => {
                    let mask = self.make_constant(ty, fold::mask(self.ty(a)));
                    Some(self.make_binary(Binary::And, x, mask))
                }
                _ => None,
            },
            Convert::SignExtend => match inner? {
                (inner @ (Convert::SignExtend | Convert::ZeroExtend), x) => {
                    Some(self.make_convert(inner, x, ty))
                }
                _ => None,
            },
            Convert::Bits => match inner? {
                (Convert::Bits, x) if self.ty(x) == ty => Some(x),
                (Convert::Bits, x) if !matches!((self.ty(x), ty), (Type::Ptr(_), Type::Ptr(_))) => {
                    Some(self.make_convert(Convert::Bits, x, ty))
                }
                _ => None,
            },
            Convert::Float => self.float_width(a, inner, ty),
            Convert::SToF | Convert::UToF => None,
            Convert::FToS | Convert::FToU => self.back_to_integer(op, inner, ty),
            Convert::Space => match inner? {
                (Convert::Space, x) if self.ty(x) == ty => Some(x),
                _ => None,
            },
        }
    }

    fn truncate(&mut self, a: Value, inner: Option<(Convert, Value)>, ty: Type) -> Option<Value> {
        if let Some((inner, x)) = inner {
            let from = self.ty(x);
            match inner {
                Convert::Truncate => return Some(self.make_convert(Convert::Truncate, x, ty)),
                Convert::ZeroExtend | Convert::SignExtend if from == ty => return Some(x),
                Convert::ZeroExtend | Convert::SignExtend if fold::width(from) > fold::width(ty) => {
                    return Some(self.make_convert(Convert::Truncate, x, ty));
                }
                Convert::ZeroExtend | Convert::SignExtend => return Some(self.make_convert(inner, x, ty)),
                _ => return None,
            }
        }
        // Arithmetic on what was extended, of which only the low half is used: in 32 bits.
        if ty != Type::I32 || !self.one_use(a) {
            return None;
        }
        let (op, x, y) = self.binary_of(a)?;
        let op = match op {
            Binary::Add(_) => Binary::Add(NONE),
            Binary::Sub(_) => Binary::Sub(NONE),
            Binary::Mul(_) => Binary::Mul(NONE),
            Binary::And | Binary::Or | Binary::Xor => op,
            Binary::Shl(_) => {
                self.constant(y).filter(|by| *by < 32)?;
                let low = self.make_convert(Convert::Truncate, x, ty);
                return Some(self.make_binary(Binary::Shl(NONE), low, y));
            }
            _ => return None,
        };
        if !self.narrow(x) && !self.narrow(y) {
            return None;
        }
        let x = self.make_convert(Convert::Truncate, x, ty);
        let y = self.make_convert(Convert::Truncate, y, ty);
        Some(self.make_binary(op, x, y))
    }

    /// Whether the low half of a value costs nothing.
    fn narrow(&self, value: Value) -> bool {
        let extended = matches!(self.convert_of(value), Some((Convert::ZeroExtend | Convert::SignExtend, _)));
        extended || self.constant(value).is_some()
    }

    /// Doubles that are made of floats and become floats again: one rounding gives the same.
    fn float_width(&mut self, a: Value, inner: Option<(Convert, Value)>, ty: Type) -> Option<Value> {
        if ty != Type::F32 {
            return None;
        }
        if let Some((Convert::Float, x)) = inner {
            return (self.ty(x) == Type::F32).then_some(x);
        }
        if let Some((op, x)) = self.unary_of(a) {
            let x = self.single(x)?;
            return Some(self.make(crate::ir::Op::Unary(op), &[x], ty));
        }
        let (op, x, y) = self.binary_of(a)?;
        match op {
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FMin | Binary::FMax => {}
            _ => return None,
        }
        if self.single_exists(x) && self.single_exists(y) {
            let (x, y) = (self.single(x)?, self.single(y)?);
            return Some(self.make_binary(op, x, y));
        }
        None
    }

    fn single_exists(&self, value: Value) -> bool {
        if let Some((Convert::Float, x)) = self.convert_of(value) {
            return self.ty(x) == Type::F32;
        }
        self.constant(value).is_some_and(|bits| {
            let narrow = f64::from_bits(bits) as f32;
            !narrow.is_nan() && f64::from(narrow).to_bits() == bits
        })
    }

    /// The float that a double was made of.
    fn single(&mut self, value: Value) -> Option<Value> {
        if !self.single_exists(value) {
            return None;
        }
        if let Some((Convert::Float, x)) = self.convert_of(value) {
            return Some(x);
        }
        let narrow = f64::from_bits(self.constant(value)?) as f32;
        Some(self.make_constant(Type::F32, u64::from(narrow.to_bits())))
    }

    /// An integer that a float holds exactly, and that comes back.
    fn back_to_integer(&mut self, op: Convert, inner: Option<(Convert, Value)>, ty: Type) -> Option<Value> {
        let (inner @ (Convert::SToF | Convert::UToF), x) = inner? else { return None };
        let from = self.ty(x);
        let exact = fold::width(from) <= 16;
        let signed = inner == Convert::SToF;
        if !exact || (signed && op == Convert::FToU) {
            return None;
        }
        if from == ty {
            return (signed == (op == Convert::FToS)).then_some(x);
        }
        let extend = if signed { Convert::SignExtend } else { Convert::ZeroExtend };
        (fold::width(ty) > fold::width(from)).then(|| self.make_convert(extend, x, ty))
    }
}
