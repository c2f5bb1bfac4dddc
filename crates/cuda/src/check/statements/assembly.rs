//! Inline assembly: operands against their constraints.
//!
//! Enters: the tree of an `asm`. Leaves: its text with numbered operands. This module must never know what an instruction
//! means.

use crate::ast;
use crate::hir::{Asm, Place, StmtKind, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;
use crate::check::statements::opcodes::unknown;

impl Messages<'_> {
    /// Text with names replaced, and numbers looked at.
    fn asm_text(&mut self, text: &[u8], span: Span, names: &[Option<String>]) -> Option<String> {
        let Ok(text) = std::str::from_utf8(text) else {
            self.error("asm", span, "this string is not UTF-8");
            return None;
        };
        let mut found = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('%') {
            found.push_str(rest.get(..at)?);
            rest = rest.get(at + 1..)?;
            if let Some(inner) = rest.strip_prefix('[') {
                let Some((name, behind)) = inner.split_once(']') else {
                    self.error("asm", span, "missing `]` in this string");
                    return None;
                };
                let Some(number) = names.iter().position(|known| known.as_deref() == Some(name)) else {
                    self.error("asm", span, format!("no operand named `{name}`"));
                    return None;
                };
                found.push_str(&format!("%{number}"));
                rest = behind;
                continue;
            }
            if let Some(behind) = rest.strip_prefix('%') {
                found.push_str("%%");
                rest = behind;
                continue;
            }
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            if !digits.is_empty() && digits.parse::<usize>().is_ok_and(|number| number >= names.len()) {
                self.error(
                    "asm",
                    span,
                    format!("invalid operand number `%{digits}`: the number of operands is {}", names.len()),
                );
                return None;
            }
            found.push('%');
        }
        found.push_str(rest);
        Some(found)
    }

    fn class_of(&mut self, constraint: &[u8], span: Span) -> Option<u8> {
        match constraint {
            [class @ (b'h' | b'r' | b'l' | b'f' | b'd' | b'n')] => Some(*class),
            _ => {
                let text = String::from_utf8_lossy(constraint).into_owned();
                self.error_help(
                    "asm",
                    span,
                    format!("invalid constraint `{text}` in `asm`"),
                    "the constraints are `h` (16 bits), `r` (32), `l` (64), `f`, `d`, and `n` for constants",
                );
                None
            }
        }
    }
}

impl Output {
    /// Whether a type has the size that a constraint represents.
    fn fits_class(&self, class: u8, ty: Type, span: Span, messages: &mut Messages<'_>) -> Option<()> {
        let fits = match (class, self.kind_of(ty)) {
            (b'f', TypeKind::Float) | (b'd', TypeKind::Double) => true,
            (b'f' | b'd', _) | (_, TypeKind::Float | TypeKind::Double) => false,
            (b'l', TypeKind::Pointer(_) | TypeKind::NullPointer) => true,
            (b'h', TypeKind::Integer(integer)) => integer.bytes() == 2,
            (b'r', TypeKind::Integer(integer)) => integer.bytes() == 4,
            (b'l', TypeKind::Integer(integer)) => integer.bytes() == 8,
            (_, TypeKind::Enum(_)) => self
                .width(ty)
                .is_some_and(|(bits, _)| matches!((class, bits), (b'h', 16) | (b'r', 32) | (b'l', 64))),
            _ => false,
        };
        if fits {
            return Some(());
        }
        let shown = self.show(crate::check::types::kind::plain(ty));
        let wanted = match class {
            b'h' => "16 bits",
            b'r' => "32 bits",
            b'l' => "64 bits or a pointer",
            b'f' => "a `float`",
            _ => "a `double`",
        };
        messages.error_help(
            "asm",
            span,
            format!("constraint `{}` requires {wanted}, but the operand has type `{shown}`", class as char),
            "cast the value, or use the constraint for its size: `h`, `r`, `l`, `f`, `d`",
        );
        None
    }
}

impl Checker<'_> {
    /// Checks an `asm`.
    pub(crate) fn assembly(&mut self, asm: &ast::Asm) -> Option<StmtKind> {
        let mut memory = false;
        for (clobber, span) in &asm.clobbers {
            match &**clobber {
                b"memory" => memory = true,
                b"cc" => {}
                other => {
                    let text = String::from_utf8_lossy(other).into_owned();
                    self.messages.error(
                        "asm",
                        *span,
                        format!("unknown clobber `{text}`: only `memory` is supported"),
                    );
                    return None;
                }
            }
        }
        let mut names = vec![];
        let mut outputs = vec![];
        for one in &asm.outputs {
            names.push(one.name.as_ref().map(|name| name.symbol.to_string()));
            outputs.push(self.asm_output(one)?);
        }
        let mut inputs = vec![];
        for one in &asm.inputs {
            names.push(one.name.as_ref().map(|name| name.symbol.to_string()));
            inputs.push(self.asm_input(one)?);
        }
        let text = self.messages.asm_text(&asm.text, asm.text_span, &names)?;
        if let Some((word, meant)) = unknown(&text) {
            let message = format!("`{word}` is not a PTX instruction");
            match meant {
                Some(meant) => {
                    self.messages.error_help(
                        "asm",
                        asm.text_span,
                        message,
                        format!("did you mean `{meant}`?"),
                    );
                }
                None => self.messages.error("asm", asm.text_span, message),
            }
            return None;
        }
        let volatile = asm.volatile || outputs.is_empty();
        Some(StmtKind::Asm(Box::new(Asm { text, volatile, memory, outputs, inputs })))
    }

    fn asm_output(&mut self, operand: &ast::AsmOperand) -> Option<(u8, Place, bool)> {
        let (read, rest) = match operand.constraint.split_first() {
            Some((b'=', rest)) => (false, rest),
            Some((b'+', rest)) => (true, rest),
            _ => {
                self.messages.error(
                    "asm",
                    operand.span,
                    "an output constraint must begin with `=`, or with `+` if the operand is read too",
                );
                return None;
            }
        };
        let rest = rest.strip_prefix(b"&").unwrap_or(rest);
        let class = self.messages.class_of(rest, operand.span)?;
        if class == b'n' {
            self.messages.error("asm", operand.span, "a constant cannot be an output");
            return None;
        }
        let found = self.expr(&operand.value);
        if found.is_error() {
            return None;
        }
        let Operand::Place(place, _) = found else {
            self.messages.error("asm", operand.value.span, "an output must be a variable");
            return None;
        };
        if place.ty.constant || self.program.is_bit_field(&place) {
            self.messages.error("asm", operand.value.span, "an output must be an assignable variable");
            return None;
        }
        self.program.fits_class(class, place.ty, operand.value.span, &mut self.messages)?;
        Some((class, place, read))
    }

    fn asm_input(&mut self, operand: &ast::AsmOperand) -> Option<(u8, crate::hir::Expr)> {
        let class = self.messages.class_of(&operand.constraint, operand.span)?;
        let found = self.expr(&operand.value);
        if found.is_error() {
            return None;
        }
        let value = self.value(found)?;
        if class == b'n' {
            let constant = self.evaluated(&value)?.integer();
            let Some(constant) = constant else {
                self.messages.error("asm", operand.value.span, "expected an integer constant");
                return None;
            };
            let ty = value.ty;
            return Some((
                class,
                crate::check::expressions::operand::number(constant, ty, operand.value.span),
            ));
        }
        self.program.fits_class(class, value.ty, operand.value.span, &mut self.messages)?;
        Some((class, value))
    }
}
