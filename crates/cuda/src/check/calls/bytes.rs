//! Values that memory is set to byte by byte.
//!
//! Enters: a call of the host that sets memory. Leaves: a warning where the value is a floating-point number, which is meant for an
//! element and not for a byte; an integer may be meant for either. This module must never know how a call is made.

use crate::ast;
use crate::check::Checker;
use crate::check::expressions::operand::Operand;
use crate::check::types::kind::plain;
use crate::diagnostic::Diagnostic;
use crate::hir::{Arg, Expr, ExprKind, TypeKind};

/// Functions that set memory, with the number of their argument that is the value.
const SETTING: [(&str, usize); 5] =
    [("cudaMemset", 1), ("cudaMemsetAsync", 1), ("cudaMemset2D", 2), ("cudaMemset2DAsync", 2), ("memset", 1)];

impl Checker<'_> {
    /// Looks at a call of the host that sets memory to a floating-point number, of which each byte becomes the integer.
    pub(crate) fn check_host_set(&mut self, name: &ast::Name, arguments: &[ast::Expr], call: &Operand) {
        let Some(ast::Id::Word(symbol)) = name.last().map(|segment| &segment.id) else { return };
        let Some((name, at)) = SETTING.into_iter().find(|(name, _)| **name == **symbol) else { return };
        let Operand::Value(Expr { kind: ExprKind::Call(_, all), .. }) = call else { return };
        let Some(Arg::Value(pointer)) = all.first() else { return };
        let ExprKind::Cast(pointer) = &pointer.kind else { return };
        let Some(written) = arguments.get(at).map(|argument| argument.span) else { return };
        let number = self.messages.text(written);
        let is_float = number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit());
        let number = number.trim_end_matches(['f', 'F']).parse::<f64>();
        let within = |number: &f64| is_float && (1.0..256.0).contains(number);
        let Some(value) = number.ok().filter(within) else { return };
        let Some(element) = self.program.pointee(pointer.ty).map(plain) else { return };
        let repeated = [value as u8; 8];
        let [a, b, c, d, ..] = repeated;
        let becomes = match (self.program.kind_of(element), self.program.layout(element).0) {
            (TypeKind::Float, _) => format!("{:e}", f32::from_le_bytes([a, b, c, d])),
            (TypeKind::Double, _) => format!("{:e}", f64::from_le_bytes(repeated)),
            (TypeKind::Integer(_), 2) => i16::from_le_bytes([a, b]).to_string(),
            (TypeKind::Integer(_), 4) => i32::from_le_bytes([a, b, c, d]).to_string(),
            (TypeKind::Integer(_), 8) => i64::from_le_bytes(repeated).to_string(),
            _ => return,
        };
        let shown = self.program.show(element);
        let text = format!("`{name}` sets bytes: each `{shown}` becomes {becomes}, not {value}");
        let help = "copy an array that has the values, or have a kernel write them";
        self.messages.report(Diagnostic::warning("set-bytes", written, text).help(help));
    }
}
