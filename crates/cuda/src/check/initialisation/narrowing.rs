//! Conversions in braces that C++ does not allow there.
//!
//! Enters: a value in braces, and the type of what it starts. Leaves: a warning where a floating-point number becomes an integer;
//! NVRTC compiles that as well.

use crate::check::context::messages::Messages;
use crate::check::context::output::Output;
use crate::check::expressions::operand::Operand;
use crate::check::types::kind::plain;
use crate::diagnostic::Diagnostic;
use crate::hir::{ExprKind, Type};

impl Messages<'_> {
    /// Warns of a fraction that is lost.
    pub(crate) fn warn_narrowing(&mut self, operand: &Operand, to: Type, program: &Output) {
        let Some(from) = operand.ty() else { return };
        let (from, to) = (program.without_reference(from), program.without_reference(to));
        // What a constant becomes is reported by its number.
        let constant = matches!(operand, Operand::Value(value) if matches!(value.kind, ExprKind::Float(_)));
        if constant || !program.is_floating(from) || !program.is_integral(to) || program.is_bool(to) {
            return;
        }
        let (from, to) = (program.show(plain(from)), program.show(plain(to)));
        let message =
            format!("narrowing conversion from `{from}` to `{to}` in braces, which other compilers reject");
        self.report(
            Diagnostic::warning("conversion", operand.span(), message)
                .label("the fraction is discarded")
                .help(format!("write a cast, `({to})`, if that is intended")),
        );
    }
}
