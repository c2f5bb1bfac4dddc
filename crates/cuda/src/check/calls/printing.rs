//! `printf` and `assert`.
//!
//! Enters: a format and operands. Leaves: a call; warnings where they do not fit. This module must never know how it is
//! carried out.

use std::rc::Rc;

use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::hir::{Expr, ExprKind, Type, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;
use crate::check::initialisation::initialise::string_of;

/// What a conversion of a format wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Integer of that many bits.
    Integer(u32),
    /// `double`.
    Floating,
    /// Text.
    Text,
    /// Pointer.
    Pointer,
}

impl Wanted {
    fn name(self) -> &'static str {
        match self {
            Wanted::Integer(64) => "an integer of 64 bits",
            Wanted::Integer(_) => "an `int`",
            Wanted::Floating => "a `float` or `double`",
            Wanted::Text => "a string (`const char *`)",
            Wanted::Pointer => "a pointer",
        }
    }
}

/// Conversions of a format, each as written with what it wants; `None` where one makes no sense.
fn conversions(format: &[u8]) -> Option<Vec<(String, Wanted)>> {
    let mut all = vec![];
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        if format.get(at) == Some(&b'%') {
            at += 1;
            continue;
        }
        while format.get(at).is_some_and(|one| b"-+ #0".contains(one)) {
            at += 1;
        }
        let number = |all: &mut Vec<(String, Wanted)>, at: &mut usize| {
            if format.get(*at) == Some(&b'*') {
                *at += 1;
                all.push(("*".to_owned(), Wanted::Integer(32)));
            }
            while format.get(*at).is_some_and(u8::is_ascii_digit) {
                *at += 1;
            }
        };
        number(&mut all, &mut at);
        if format.get(at) == Some(&b'.') {
            at += 1;
            number(&mut all, &mut at);
        }
        let mut bits = 32;
        while let Some(one) = format.get(at) {
            match one {
                b'h' => {}
                b'l' | b'j' | b'z' | b't' => bits = 64,
                b'L' => {}
                _ => break,
            }
            at += 1;
        }
        let wanted = match format.get(at)? {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => Wanted::Integer(bits),
            b'c' => Wanted::Integer(32),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Wanted::Floating,
            b's' => Wanted::Text,
            b'p' => Wanted::Pointer,
            _ => return None,
        };
        at += 1;
        all.push((String::from_utf8_lossy(format.get(start..at)?).into_owned(), wanted));
    }
    Some(all)
}

impl Output {
    fn fits_format(&self, wanted: Wanted, ty: Type) -> bool {
        match wanted {
            Wanted::Integer(bits) => self.width(ty).is_some_and(|(own, _)| own.max(32) == bits),
            Wanted::Floating => self.is_floating(ty),
            Wanted::Text => self.pointee(ty).is_some_and(
                |to| matches!(self.kind_of(to), TypeKind::Integer(integer) if integer.bytes() == 1),
            ),
            Wanted::Pointer => self.pointee(ty).is_some() || self.is_null_type(ty),
        }
    }

    fn format_for(&self, ty: Type) -> Option<&'static str> {
        if self.is_floating(ty) {
            return Some("%f");
        }
        if self.pointee(ty).is_some() {
            return Some("%p");
        }
        Some(match self.width(ty)? {
            (64, true) => "%lld",
            (64, false) => "%llu",
            (_, true) => "%d",
            (_, false) => "%u",
        })
    }
}

impl Messages<'_> {
    fn check_format(&mut self, text: &Rc<[u8]>, values: &[Expr], span: Span, program: &Output) {
        let Some(all) = conversions(text) else {
            self.report(Diagnostic::warning(
                "format",
                span,
                "invalid conversion after `%` in the format; write `%%` for a percent sign",
            ));
            return;
        };
        if all.len() != values.len() {
            self.report(Diagnostic::warning(
                "format",
                span,
                format!(
                    "the format expects {} value{}, but {} {} given",
                    all.len(),
                    if all.len() == 1 { "" } else { "s" },
                    values.len(),
                    if values.len() == 1 { "is" } else { "are" }
                ),
            ));
        }
        for ((spelled, wanted), value) in all.iter().zip(values) {
            if !program.fits_format(*wanted, value.ty) {
                let shown = program.show(value.ty);
                let mut diagnostic = Diagnostic::warning(
                    "format",
                    value.span,
                    format!(
                        "format `{spelled}` expects {}, but the argument has type `{shown}`",
                        wanted.name()
                    ),
                );
                if let Some(better) = program.format_for(value.ty) {
                    diagnostic = diagnostic.help(format!("write `{better}`"));
                }
                self.report(diagnostic);
            }
        }
    }
}

impl Checker<'_> {
    /// `printf(format, x, y)`.
    pub(crate) fn printf(&mut self, arguments: &[ast::Expr], span: Span) -> Operand {
        let Some((format, rest)) = arguments.split_first() else {
            self.messages.error("call", span, "`printf` needs a format");
            return Operand::Error(span);
        };
        let operands = self.operands(rest);
        let Some(text) = string_of(format) else {
            self.messages.error_help(
                "unsupported",
                format.span,
                "the format of `printf` must be a string literal",
                "write `printf(\"%s\", text)` for a string that is computed",
            );
            return Operand::Error(span);
        };
        let mut values = vec![];
        for operand in operands {
            let Some(value) = self.printed(operand) else { return Operand::Error(span) };
            values.push(value);
        }
        if values.len() > 32 {
            self.messages.error("call", span, "`printf` takes at most 32 values");
            return Operand::Error(span);
        }
        self.messages.check_format(&text, &values, format.span, &self.program);
        let id = self.program.string_variable(&text, format.span);
        Operand::Value(Expr { kind: ExprKind::Printf(id, values), ty: self.program.basic().int, span })
    }

    /// A value as C passes it to `...`.
    pub(crate) fn printed(&mut self, operand: Operand) -> Option<Expr> {
        let span = operand.span();
        if let Some(ty) = operand.ty()
            && self.program.record_of(ty).is_some()
        {
            let shown = self.program.show(crate::check::types::kind::plain(ty));
            if self.messages.tell_coordinates(span) {
                return None;
            }
            self.messages.error_help(
                "type",
                span,
                format!("`printf` cannot print `{shown}`"),
                "print its members, or cast it to a number",
            );
            return None;
        }
        let value = self.promoted(operand)?;
        if self.program.is_void(value.ty) {
            self.tell_no_value(&value);
            return None;
        }
        if self.program.kind(value.ty) == TypeKind::Float {
            let to = self.program.basic().double;
            return Some(self.program.convert_arithmetic(value, to));
        }
        if let Some(id) = self.program.enum_of(value.ty) {
            let to = self.program[id].underlying;
            let value = self.program.convert_arithmetic(value, to);
            let to = self.classes.promoted_type(value.ty, None, &mut self.program);
            return Some(self.program.convert_arithmetic(value, to));
        }
        Some(value)
    }

    /// What the macro `assert` calls where its condition does not hold.
    pub(crate) fn assert_fail(&mut self, arguments: &[ast::Expr], span: Span) -> Operand {
        let [message, file, line, function] = arguments else {
            self.messages.error("call", span, "this takes a string, a file, a line and a function");
            return Operand::Error(span);
        };
        let mut texts = vec![];
        for one in [message, file, function] {
            let text = string_of(one).or_else(|| {
                let named = matches!(&one.kind, ast::ExprKind::Name(name) if name.simple().is_some_and(|symbol| symbol.starts_with("__")));
                named.then(|| {
                    let name = self.frame.function().map_or_else(String::new, |id| self.program[id].name.to_string());
                    Rc::from(name.into_bytes())
                })
            });
            let Some(text) = text else {
                self.messages.error("call", one.span, "expected a string literal");
                return Operand::Error(span);
            };
            texts.push(self.program.string_variable(&text, span));
        }
        let Some((_, line)) = self.constant_integer(line) else { return Operand::Error(span) };
        let Ok(all) = <[_; 3]>::try_from(texts) else { return Operand::Error(span) };
        let line = u32::try_from(line).unwrap_or(0);
        Operand::Value(Expr { kind: ExprKind::AssertFail(all, line), ty: self.program.basic().void, span })
    }
}
