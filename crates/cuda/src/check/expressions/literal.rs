//! Values that stand in the source: integers, floats, strings.
//!
//! Enters: what was written. Leaves: typed expressions. This module must never know where a value is used.

use crate::check::Checker;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::{Operand, number};
use crate::check::types::kind::constant;
use crate::hir::{Expr, ExprKind, Init, Integer, Place, PlaceKind, TypeKind, Variable, VariableId};
use crate::ir::Space;
use crate::source::Span;
use std::rc::Rc;

impl Output {
    /// Variable of a text with its zero.
    pub(crate) fn string_variable(&mut self, text: &Rc<[u8]>, span: Span) -> VariableId {
        if let Some(id) = self.string(text) {
            return id;
        }
        let element = constant(self.basic().char);
        let ty = self.ty(TypeKind::Array(element, text.len() as u64 + 1));
        let id = self.next_variable();
        self.add_variable(Variable {
            name: "".into(),
            symbol: format!("$str${}", self.strings()),
            ty,
            space: Space::Global,
            align: 1,
            visible: false,
            managed: false,
            external: false,
            linkage: crate::ir::Linkage::Internal,
            init: Some(Init::Bytes(Rc::clone(text))),
            span,
        });
        self.note_constant_variable(id);
        self.note_string(Rc::clone(text), id);
        id
    }
}

impl Messages<'_> {
    /// Reports a literal whose type has no number near it, which C++ does not allow.
    fn out_of_range(&mut self, text: &str, value: f64, ty: &str, span: Span) -> bool {
        let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        let mantissa = match hexadecimal {
            true => text[2..].split(['p', 'P']).next(),
            false => text.split(['e', 'E']).next(),
        };
        let is_zero = mantissa.is_none_or(|digits| digits.bytes().all(|one| matches!(one, b'0' | b'.')));
        let (what, bound) = match (value.is_infinite(), value == 0.0 && !is_zero) {
            (true, _) if ty == "float" => ("large", "the largest is 3.4e38"),
            (true, _) => ("large", "the largest is 1.8e308"),
            (_, true) if ty == "float" => ("small", "the smallest above 0 is 1.4e-45"),
            (_, true) => ("small", "the smallest above 0 is 4.9e-324"),
            (false, false) => return false,
        };
        let help = match (ty, value.is_infinite()) {
            ("float", _) => "remove the `f` for a `double`, or choose other units",
            (_, true) => "write `INFINITY` if infinity is meant",
            (_, false) => "write `0.0`, or choose other units",
        };
        let message = format!("`{}` is too {what} for a `{ty}`", self.text(span));
        self.report(crate::diagnostic::Diagnostic::error("literal", span, message).label(bound).help(help));
        true
    }

    fn bad_number(&mut self, span: Span) -> Operand {
        self.error("syntax", span, "invalid number");
        Operand::Error(span)
    }
}

impl Output {
    pub(crate) fn integer_literal(
        &mut self,
        value: u64,
        decimal: bool,
        suffix: &str,
        span: Span,
        messages: &mut Messages<'_>,
    ) -> Operand {
        let unsigned = suffix.contains('u');
        let long = match suffix.trim_start_matches('u') {
            "l" => 1,
            "ll" => 2,
            "" => 0,
            _ => {
                messages.refuse(span, &format!("the suffix `{suffix}` is"), "write a plain number");
                return Operand::Error(span);
            }
        };
        let choices = [
            (0, Integer::Int, Integer::UInt, 32),
            (1, Integer::Long, Integer::ULong, 64),
            (2, Integer::LongLong, Integer::ULongLong, 64),
        ];
        for (rank, signed, without, bits) in choices {
            if rank < long {
                continue;
            }
            if !unsigned && u128::from(value) < 1 << (bits - 1) {
                let ty = self.integer(signed);
                return Operand::Value(number(value.into(), ty, span));
            }
            if (unsigned || !decimal) && u128::from(value) < 1 << bits {
                let ty = self.integer(without);
                return Operand::Value(number(value.into(), ty, span));
            }
        }
        let ty = if decimal && long < 2 { self.basic().ulong } else { self.integer(Integer::ULongLong) };
        Operand::Value(number(value.into(), ty, span))
    }

    pub(crate) fn float_literal(
        &self,
        text: &str,
        suffix: &str,
        span: Span,
        messages: &mut Messages<'_>,
    ) -> Operand {
        let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        match suffix {
            "f" => {
                let found = if hexadecimal {
                    hex_float(text, 24, -126).map(|x| x as f32)
                } else {
                    text.parse::<f32>().ok()
                };
                match found {
                    Some(value) if messages.out_of_range(text, value.into(), "float", span) => {
                        Operand::Error(span)
                    }
                    Some(value) => {
                        let kind = ExprKind::Float(value.to_bits().into());
                        Operand::Value(Expr { kind, ty: self.basic().float, span })
                    }
                    None => messages.bad_number(span),
                }
            }
            "l" if self.side().is_host() => self.float_literal(text, "", span, messages),
            "l" => {
                messages.refuse(
                    span,
                    "`long double` is",
                    "remove the `L`: a GPU has no wider floating-point type",
                );
                Operand::Error(span)
            }
            "" => {
                let found = if hexadecimal { hex_float(text, 53, -1022) } else { text.parse::<f64>().ok() };
                match found {
                    Some(value) if messages.out_of_range(text, value, "double", span) => Operand::Error(span),
                    Some(value) => {
                        let kind = ExprKind::Float(value.to_bits());
                        Operand::Value(Expr { kind, ty: self.basic().double, span })
                    }
                    None => messages.bad_number(span),
                }
            }
            _ => {
                messages.refuse(span, &format!("the suffix `{suffix}` is"), "write a plain number");
                Operand::Error(span)
            }
        }
    }
}

impl Checker<'_> {
    /// Text in memory.
    pub(crate) fn string(&mut self, text: &Rc<[u8]>, span: Span) -> Place {
        let id = self.program.string_variable(text, span);
        let ty = self.program[id].ty;
        Place { kind: PlaceKind::Variable(id), ty, span }
    }
}

/// Value of a hexadecimal floating literal, rounded to nearest even.
fn hex_float(text: &str, bits: u32, least: i32) -> Option<f64> {
    let text = text.get(2..)?;
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let mut exponent: i64 = exponent.parse::<i64>().ok()?.clamp(-100_000, 100_000);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value: u128 = 0;
    let mut sticky = false;
    for (at, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = digit.to_digit(16)?;
        if value >> 120 != 0 {
            sticky |= digit != 0;
            exponent += 4;
        } else {
            value = value << 4 | u128::from(digit);
        }
        if at >= whole.chars().count() {
            exponent -= 4;
        }
    }
    if value == 0 {
        return Some(0.0);
    }
    let length = 128 - value.leading_zeros();
    let top = exponent + i64::from(length) - 1;
    let keep =
        if top < i64::from(least) { i64::from(bits) - (i64::from(least) - top) } else { i64::from(bits) };
    if keep < 0 {
        return Some(0.0);
    }
    let drop = i64::from(length) - keep;
    if drop > 0 {
        let drop = u32::try_from(drop).ok()?;
        let rest = if drop >= 128 { value } else { value & ((1 << drop) - 1) };
        let half = 1u128 << (drop - 1);
        let mut kept = if drop >= 128 { 0 } else { value >> drop };
        if rest > half || (rest == half && (sticky || kept & 1 == 1)) {
            kept += 1;
        }
        value = kept;
        exponent += i64::from(drop);
    }
    // Few enough bits to be exact: scaled by powers of two, in steps that stay in range.
    let mut found = value as f64;
    while exponent > 0 && found.is_finite() {
        let step = exponent.min(1000);
        found *= 2f64.powi(step as i32);
        exponent -= step;
    }
    while exponent < 0 && found != 0.0 {
        let step = exponent.max(-1000);
        found *= 2f64.powi(step as i32);
        exponent -= step;
    }
    Some(found)
}
