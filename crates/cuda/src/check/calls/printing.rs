//! `printf` and `assert` of kernels.
//!
//! Enters: a format and operands. Leaves: a call. This module must never know how it is carried out.

use std::rc::Rc;

use crate::ast;
use crate::hir::{Expr, ExprKind, TypeKind};
use crate::source::Span;

use crate::check::Checker;
use crate::check::calls::format::Dialect;
use crate::check::expressions::operand::Operand;
use crate::check::initialisation::initialise::string_of;

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
        let values_of: Vec<&Expr> = values.iter().collect();
        self.messages.check_format(Dialect::Kernel, &text, &values_of, format.span, &self.program);
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
